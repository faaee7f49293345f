// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

#include <abrig/campaign.h>
#include <stdio.h>

int cmd_restore(int argc, char **argv)
{
	g_autofree char *serial = NULL;
	gint port = 0;
	const GOptionEntry options[] = {
		{ "device", 'd', 0, G_OPTION_ARG_STRING, &serial,
		  "only this phone", "SERIAL" },
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &port,
		  "port of the adb server", "N" },
		{ .long_name = NULL },
	};
	GError *error = NULL;
	int count;

	if (!cmd_parse("restore", options, &argc, &argv, 1, 1))
		return 2;
	if (!ab_campaign_restore(argv[1], serial, port, cmd_intr(), &count,
				 &error))
		return cmd_fail(error);
	printf("%d phone%s restored\n", count, count == 1 ? "" : "s");
	return 0;
}
