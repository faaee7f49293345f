// SPDX-License-Identifier: GPL-3.0-or-later
/* The plan's reference, from the tables. */
#include "plan_internal.h"

struct section {
	const char *title;
	const struct ab_key *keys;
};

static const struct section sections[] = {
	{ "schedule", plan_schedule_keys },
	{ "schedule.stop", plan_stop_keys },
	{ "prepare", ab_prepare_keys },
	{ "gates", plan_gate_keys },
	{ "metrics", plan_metrics_keys },
	{ "platforms.NAME", plan_platform_keys },
	{ "platforms.NAME.devices[]", plan_device_keys },
};

void ab_plan_help(GString *out)
{
	guint i;

	g_string_append(out, "A plan file:\n");
	ab_keys_help(plan_keys, "  ", out);
	for (i = 0; i < G_N_ELEMENTS(sections); i++) {
		g_string_append_printf(out, "\n%s:\n", sections[i].title);
		ab_keys_help(sections[i].keys, "  ", out);
	}
	g_string_append(out, "\nvariants.NAME (or a file that holds this):\n");
	for (i = 0; ab_variant_kinds[i]; i++) {
		g_string_append_printf(out, "  %s\n",
				       ab_variant_kinds[i]->name);
		ab_keys_wrap(ab_variant_kinds[i]->help, "    ", out);
	}
	g_string_append_c(out, '\n');
	ab_scenario_help(out);
}

void ab_plan_man(GString *out)
{
	guint i;

	g_string_append(out, ".SH PLAN FILES\n");
	ab_keys_man(plan_keys, out);
	for (i = 0; i < G_N_ELEMENTS(sections); i++) {
		g_string_append(out, ".SS ");
		ab_keys_man_text(sections[i].title, out);
		g_string_append_c(out, '\n');
		ab_keys_man(sections[i].keys, out);
	}
	g_string_append(out, ".SS variants.NAME\n");
	for (i = 0; ab_variant_kinds[i]; i++) {
		g_string_append(out, ".TP\n.B ");
		ab_keys_man_text(ab_variant_kinds[i]->name, out);
		g_string_append_c(out, '\n');
		ab_keys_man_text(ab_variant_kinds[i]->help, out);
		g_string_append_c(out, '\n');
	}
	ab_scenario_man(out);
}
