// SPDX-License-Identifier: GPL-3.0-or-later
/* The reference of scenarios, steps and recorders, from their tables. */
#include "scenario_internal.h"

#include <abrig/capture.h>

void ab_scenario_help(GString *out)
{
	guint i;

	g_string_append(out, "A scenario file:\n");
	ab_keys_help(scenario_keys, "  ", out);
	g_string_append(out, "\nexpect:\n");
	ab_keys_help(scenario_expect_keys, "  ", out);
	g_string_append(out, "\nSteps of setup, steps and teardown:\n");
	for (i = 0; ab_steps[i]; i++) {
		g_string_append_printf(out, "  %s\n", ab_steps[i]->name);
		ab_keys_wrap(ab_steps[i]->help, "    ", out);
		ab_keys_help(ab_steps[i]->keys, "      ", out);
	}
	g_string_append(out, "\nRecorders:\n");
	for (i = 0; ab_recorders[i]; i++) {
		g_string_append_printf(out, "  %s\n", ab_recorders[i]->name);
		ab_keys_wrap(ab_recorders[i]->help, "    ", out);
		ab_keys_help(ab_recorders[i]->keys, "      ", out);
	}
}

static void man_kind(const char *name, const char *help,
		     const struct ab_key *keys, GString *out)
{
	g_string_append(out, ".TP\n.B ");
	ab_keys_man_text(name, out);
	g_string_append_c(out, '\n');
	ab_keys_man_text(help, out);
	g_string_append(out, "\n.RS\n");
	ab_keys_man(keys, out);
	g_string_append(out, ".RE\n");
}

void ab_scenario_man(GString *out)
{
	guint i;

	g_string_append(out, ".SH SCENARIO FILES\n");
	ab_keys_man(scenario_keys, out);
	g_string_append(out, ".SS expect\n");
	ab_keys_man(scenario_expect_keys, out);
	g_string_append(out, ".SH STEPS\n");
	for (i = 0; ab_steps[i]; i++)
		man_kind(ab_steps[i]->name, ab_steps[i]->help,
			 ab_steps[i]->keys, out);
	g_string_append(out, ".SH RECORDERS\n");
	for (i = 0; ab_recorders[i]; i++)
		man_kind(ab_recorders[i]->name, ab_recorders[i]->help,
			 ab_recorders[i]->keys, out);
}
