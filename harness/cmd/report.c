// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

int cmd_report(int argc, char **argv)
{
	g_autofree char *style = NULL;
	g_autofree char *out = NULL;
	g_autofree char *help = cmd_styles_help();
	gboolean effects = FALSE;
	const GOptionEntry options[] = {
		{ "style", 's', 0, G_OPTION_ARG_STRING, &style, help, "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &out,
		  "file to write (default: in the campaign's directory)",
		  "FILE" },
		{ "effect", 0, 0, G_OPTION_ARG_NONE, &effects,
		  "also Wilcoxon's p, Hodges-Lehmann shift, Cliff's delta",
		  NULL },
		{ .long_name = NULL },
	};
	GError *error = NULL;

	if (!cmd_parse("report", options, &argc, &argv, 1, 1))
		return 2;
	if (cmd_write_report(argv[1], style ? style : "rows", out, effects,
			     &error))
		return 0;
	return cmd_fail(error);
}
