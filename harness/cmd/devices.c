// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

#include <abrig/adb.h>
#include <stdio.h>
#include <string.h>

#define LIST_MS 20000

static void print_device(const struct ab_adb_device *d)
{
	const char *remedy = ab_adb_state_remedy(d->state);

	printf("%-24s %-12s %s", d->serial, d->state,
	       d->model ? d->model : "-");
	if (d->product)
		printf(" (%s)", d->product);
	putchar('\n');
	if (strcmp(d->state, "device") && remedy)
		printf("    remedy: %s\n", remedy);
}

int cmd_devices(int argc, char **argv)
{
	gint port = 0;
	const GOptionEntry options[] = {
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &port,
		  "port of the adb server", "N" },
		{ .long_name = NULL },
	};
	ab_autoptr(ab_adb) adb = NULL;
	g_autoptr(GPtrArray) list = NULL;
	GError *error = NULL;
	struct ab_wait w;
	guint i;

	if (!cmd_parse("devices", options, &argc, &argv, 0, 0))
		return 2;
	adb = ab_adb_new(port);
	w = ab_wait_in(cmd_intr(), LIST_MS);
	if (!ab_adb_start_server(adb, &w, &error))
		return cmd_fail(error);
	list = ab_adb_devices(adb, &w, &error);
	if (!list)
		return cmd_fail(error);
	for (i = 0; i < list->len; i++)
		print_device(list->pdata[i]);
	if (list->len)
		return 0;
	fprintf(stderr, "abrig: adb sees no phone; connect one with USB "
			"debugging on, or: adb connect HOST:PORT\n");
	return 3;
}
