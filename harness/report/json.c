// SPDX-License-Identifier: GPL-3.0-or-later
/* Schema version 1: keys are added, never renamed; what is unknown is null. */
#include "aa.h"
#include "notes.h"
#include "payers.h"

#include <json-glib/json-glib.h>
#include <math.h>

#define SCHEMA 1

static void add_estimate(JsonBuilder *b, const struct ab_estimate *e)
{
	json_int(b, "runs", e->runs);
	json_int(b, "boots", e->boots);
	json_int(b, "samples", (gint64)e->samples);
	json_number(b, "value", e->value);
	json_number(b, "total", e->total);
	json_number(b, "upper", e->upper);
}

static void add_comparison(JsonBuilder *b, const struct ab_comparison *c)
{
	add_estimate(b, &c->b);
	json_number(b, "baseline_value", c->a.value);
	json_number(b, "diff", c->diff);
	json_number(b, "diff_lo", c->diff_lo);
	json_number(b, "diff_hi", c->diff_hi);
	json_number(b, "pct", c->pct);
	json_number(b, "pct_lo", c->pct_lo);
	json_number(b, "pct_hi", c->pct_hi);
	json_text(b, "pct_reason", c->pct_reason);
	json_number(b, "level", c->level);
	json_number(b, "p", c->p);
	json_bool(b, "p_exact", c->p_exact);
	json_text(b, "method", ab_method_name(c->method));
	json_text(b, "reason", c->reason);
	json_text(b, "verdict", ab_verdict_word(c->verdict));
	json_number(b, "margin_pct", c->margin_pct);
	json_number(b, "p_change", c->p_change);
	json_number(b, "p_equal", c->p_equal);
	json_number(b, "p_adjusted", c->p_adjusted);
	json_number(b, "p_equal_adjusted", c->p_equal_adjusted);
	json_bool(b, "primary", c->primary);
	json_number(b, "phi",
		    c->method == AB_METHOD_NONE ? NAN : c->moments.phi);
	json_number(b, "boots_needed", c->boots_needed);
	json_number(b, "boots_margin", c->boots_margin);
	json_number(b, "detectable", c->detectable);
	json_number(b, "runs_needed", c->runs_needed);
	json_int(b, "blocks", c->blocks);
	json_int(b, "baseline_boots_left_out", c->a_left);
	json_int(b, "boots_left_out", c->b_left);
}

static void add_effect(JsonBuilder *b, const struct ab_effect *e)
{
	json_begin(b, "effect", false);
	json_text(b, "test", e->paired ? "wilcoxon" : "mann-whitney");
	json_int(b, "n_baseline", e->n_a);
	json_int(b, "n", e->n_b);
	json_number(b, "p", e->p);
	json_bool(b, "p_exact", e->p_exact);
	json_number(b, "shift", e->shift.estimate);
	json_number(b, "shift_lo", e->shift.lo);
	json_number(b, "shift_hi", e->shift.hi);
	json_number(b, "shift_level", e->shift.level);
	json_number(b, "cliff", e->cliff);
	json_builder_end_object(b);
}

static void add_components(JsonBuilder *b, const struct ab_components *c)
{
	json_begin(b, "components", false);
	json_number(b, "run_variance", c->run);
	json_number(b, "boot_variance", c->boot);
	json_number(b, "block_variance", c->block);
	json_number(b, "icc", c->icc);
	json_number(b, "design_effect", c->design_effect);
	json_number(b, "effective_n_baseline", c->effective[0]);
	json_number(b, "effective_n", c->effective[1]);
	json_text(b, "reason", c->reason);
	json_builder_end_object(b);
}

static void add_row(JsonBuilder *b, const struct ab_report *report,
		    const struct ab_report_row *row)
{
	json_begin(b, NULL, false);
	json_text(b, "metric", row->metric->id);
	json_text(b, "group", row->metric->group);
	json_text(b, "label", row->metric->label);
	json_text(b, "unit", row->metric->unit);
	json_text(b, "better", ab_direction_word(row->metric->direction));
	json_number(b, "noise_floor_pct",
		    row->noise_floor_pct > 0 ? row->noise_floor_pct : NAN);
	json_begin(b, "baseline", false);
	add_estimate(b, &row->base);
	json_builder_end_object(b);
	json_begin(b, "variants", true);
	for (size_t v = 1; v < report->n_variants; v++) {
		json_begin(b, NULL, false);
		json_text(b, "variant", report->variants[v]);
		add_comparison(b, &row->versus[v - 1]);
		if (row->effects)
			add_effect(b, &row->effects[v - 1]);
		if (row->components)
			add_components(b, &row->components[v - 1]);
		if (row->notes)
			notes_json(b, report, &row->notes[v - 1]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_payer(JsonBuilder *b, const struct ab_report *report,
		      const char *key, const struct ab_report_payer *payer)
{
	json_begin(b, key, false);
	json_text(b, "name", payer->name);
	json_text(b, "kind", payer_is_rail(payer) ? "rail" : "class");
	json_begin(b, "metrics", true);
	for (int pay = 0; pay < AB_PAYS; pay++)
		if (payer->rows[pay].metric)
			add_row(b, report, &payer->rows[pay]);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_payers(JsonBuilder *b, const struct ab_report *report,
		       const struct ab_report_table *table)
{
	json_begin(b, "payers", true);
	for (size_t i = 0; i < table->n_payers; i++)
		add_payer(b, report, NULL, &table->payers[i]);
	json_builder_end_array(b);
	if (table->all_classes)
		add_payer(b, report, "all_classes", table->all_classes);
	else
		json_text(b, "all_classes", NULL);
}

static void add_counts(JsonBuilder *b, const struct ab_report *report,
		       const struct ab_report_table *table)
{
	json_begin(b, "counts", true);
	for (size_t v = 0; v < report->n_variants; v++) {
		json_begin(b, NULL, false);
		json_text(b, "variant", report->variants[v]);
		json_int(b, "runs", table->runs[v]);
		json_int(b, "boots", table->boots[v]);
		if (table->exposure)
			json_int(b, "exposure", (gint64)table->exposure[v]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_table(JsonBuilder *b, const struct ab_report *report,
		      const struct ab_report_table *table)
{
	json_begin(b, NULL, false);
	json_text(b, "platform", table->platform);
	json_text(b, "scenario", table->scenario);
	json_int(b, "cpus", table->cpus);
	json_int(b, "devices", table->devices);
	json_int(b, "refresh_hz", table->refresh_hz);
	json_text(b, "exposure_name", table->exposure_name);
	add_counts(b, report, table);
	json_begin(b, "metrics", true);
	for (size_t k = 0; k < table->n_rows; k++)
		add_row(b, report, &table->rows[k]);
	json_builder_end_array(b);
	add_payers(b, report, table);
	json_builder_end_object(b);
}

static void add_exclusions(JsonBuilder *b, const struct ab_report *report)
{
	json_begin(b, "exclusions", true);
	for (size_t i = 0; i < report->n_exclusions; i++) {
		const struct ab_report_exclusion *e = &report->exclusions[i];

		json_begin(b, NULL, false);
		json_text(b, "platform", e->platform);
		json_text(b, "scenario", e->scenario);
		json_text(b, "variant", e->variant);
		json_text(b, "reason", e->reason);
		json_int(b, "count", e->count);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_strings(JsonBuilder *b, const char *key, char **strings)
{
	json_begin(b, key, true);
	for (; strings && *strings; strings++)
		json_string(b, *strings);
	json_builder_end_array(b);
}

static void add_head(JsonBuilder *b, const struct ab_report *report)
{
	/* A JSON number holds 53 bits; a seed has 64. */
	g_autofree char *seed =
		g_strdup_printf("%" G_GUINT64_FORMAT, report->seed);

	json_int(b, "schema", SCHEMA);
	json_text(b, "tool", report->tool);
	json_text(b, "plan", report->plan);
	json_text(b, "plan_sha256", report->plan_sha256);
	json_text(b, "seed", seed);
	json_text(b, "began", report->began);
	json_text(b, "ended", report->ended);
	json_text(b, "directory", report->directory);
	add_strings(b, "variants", report->variants);
	json_int(b, "runs_planned", report->runs_planned);
	json_int(b, "runs_started", report->runs_started);
	json_int(b, "runs_accepted", report->runs_accepted);
	json_int(b, "tests_primary", (gint64)report->families.primaries);
	json_int(b, "tests_other", (gint64)report->families.others);
	json_int(b, "tests_payers", (gint64)report->payer_tests);
}

static void add_aa(JsonBuilder *b, const struct ab_report *report)
{
	json_begin(b, "aa", true);
	for (guint i = 0; report->aa && i < report->aa->len; i++)
		aa_json(b, report->aa->pdata[i], false);
	json_builder_end_array(b);
}

static void write_json(const struct ab_report *report, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_begin(b, NULL, false);
	add_head(b, report);
	json_begin(b, "tables", true);
	for (size_t i = 0; i < report->n_tables; i++)
		add_table(b, report, &report->tables[i]);
	json_builder_end_array(b);
	add_exclusions(b, report);
	add_strings(b, "notes", report->notes);
	add_strings(b, "provenance", report->provenance);
	add_aa(b, report);
	json_builder_end_object(b);
	json_finish(b, true, out);
	g_string_append_c(out, '\n');
}

const struct ab_report_ops ab_report_json = {
	.name = "json",
	.help = "everything, schema version 1",
	.file = "report.json",
	.write = write_json,
};
