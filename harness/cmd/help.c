// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

#include <abrig/campaign.h>
#include <stdio.h>
#include <string.h>

static void metrics_help(GString *out)
{
	const struct ab_metric *m;

	for (m = ab_metrics; m->id; m++)
		g_string_append_printf(
			out, "%s%s%s%s, %s is better\n    %s\n", m->id,
			*m->unit ? " [" : "", m->unit, *m->unit ? "]" : "",
			m->direction == AB_LOWER_IS_BETTER ? "lower" : "higher",
			m->definition);
}

static const struct {
	const char *name, *summary;
	void (*write)(GString *out);
} topics[] = {
	{ "plan", "every key of plans, scenarios and variants", ab_plan_help },
	{ "gates", "what is checked before and after a run", ab_gates_help },
	{ "metrics", "what is measured: unit, direction, definition",
	  metrics_help },
};

int cmd_help(int argc, char **argv)
{
	const GOptionEntry options[] = { { NULL } };
	g_autoptr(GString) out = g_string_new(NULL);
	size_t i;

	if (!cmd_parse("help", options, &argc, &argv, 0, 1))
		return 2;
	for (i = 0; i < G_N_ELEMENTS(topics); i++)
		if (argc < 2)
			g_string_append_printf(out, "abrig help %-8s %s\n",
					       topics[i].name,
					       topics[i].summary);
		else if (!strcmp(argv[1], topics[i].name))
			topics[i].write(out);
	if (!out->len) {
		fprintf(stderr, "abrig: no help on '%s'; see abrig help\n",
			argv[1]);
		return 2;
	}
	fputs(out->str, stdout);
	return 0;
}
