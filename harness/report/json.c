// SPDX-License-Identifier: GPL-3.0-or-later
/* Schema version 1: keys are added, never renamed; what is unknown is null. */
#include "parts.h"

#include <json-glib/json-glib.h>
#include <math.h>

#define SCHEMA 1

/* JSON is UTF-8; a file name or a reason from a device need not be. */
static void add_string(JsonBuilder *b, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	json_builder_add_string_value(b, valid);
}

static void add_text(JsonBuilder *b, const char *key, const char *value)
{
	json_builder_set_member_name(b, key);
	if (value)
		add_string(b, value);
	else
		json_builder_add_null_value(b);
}

static void add_number(JsonBuilder *b, const char *key, double value)
{
	json_builder_set_member_name(b, key);
	if (isfinite(value))
		json_builder_add_double_value(b, value);
	else
		json_builder_add_null_value(b);
}

static void add_int(JsonBuilder *b, const char *key, gint64 value)
{
	json_builder_set_member_name(b, key);
	json_builder_add_int_value(b, value);
}

static void begin(JsonBuilder *b, const char *key, bool array)
{
	if (key)
		json_builder_set_member_name(b, key);
	if (array)
		json_builder_begin_array(b);
	else
		json_builder_begin_object(b);
}

static void add_estimate(JsonBuilder *b, const struct ab_estimate *e)
{
	add_int(b, "runs", e->runs);
	add_int(b, "boots", e->boots);
	add_int(b, "samples", (gint64)e->samples);
	add_number(b, "value", e->value);
	add_number(b, "total", e->total);
	add_number(b, "upper", e->upper);
}

static void add_comparison(JsonBuilder *b, const struct ab_comparison *c)
{
	add_estimate(b, &c->b);
	add_number(b, "baseline_value", c->a.value);
	add_number(b, "diff", c->diff);
	add_number(b, "diff_lo", c->diff_lo);
	add_number(b, "diff_hi", c->diff_hi);
	add_number(b, "pct", c->pct);
	add_number(b, "pct_lo", c->pct_lo);
	add_number(b, "pct_hi", c->pct_hi);
	add_text(b, "pct_reason", c->pct_reason);
	add_number(b, "level", c->level);
	add_number(b, "p", c->p);
	json_builder_set_member_name(b, "p_exact");
	json_builder_add_boolean_value(b, c->p_exact);
	add_text(b, "method", ab_method_name(c->method));
	add_text(b, "reason", c->reason);
	add_text(b, "verdict", ab_verdict_word(c->verdict));
	add_number(b, "margin_pct", c->margin_pct);
	add_number(b, "boots_needed", c->boots_needed);
	add_number(b, "runs_needed", c->runs_needed);
	add_int(b, "blocks", c->blocks);
	add_int(b, "baseline_boots_left_out", c->a_left);
	add_int(b, "boots_left_out", c->b_left);
}

static void add_row(JsonBuilder *b, const struct ab_report *report,
		    const struct ab_report_row *row)
{
	begin(b, NULL, false);
	add_text(b, "metric", row->metric->id);
	add_text(b, "group", row->metric->group);
	add_text(b, "label", row->metric->label);
	add_text(b, "unit", row->metric->unit);
	add_text(b, "better",
		 row->metric->direction == AB_LOWER_IS_BETTER ? "lower"
							      : "higher");
	begin(b, "baseline", false);
	add_estimate(b, &row->base);
	json_builder_end_object(b);
	begin(b, "variants", true);
	for (size_t v = 1; v < report->n_variants; v++) {
		begin(b, NULL, false);
		add_text(b, "variant", report->variants[v]);
		add_comparison(b, &row->versus[v - 1]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_counts(JsonBuilder *b, const struct ab_report *report,
		       const struct ab_report_table *table)
{
	begin(b, "counts", true);
	for (size_t v = 0; v < report->n_variants; v++) {
		begin(b, NULL, false);
		add_text(b, "variant", report->variants[v]);
		add_int(b, "runs", table->runs[v]);
		add_int(b, "boots", table->boots[v]);
		if (table->exposure)
			add_int(b, "exposure", (gint64)table->exposure[v]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_table(JsonBuilder *b, const struct ab_report *report,
		      const struct ab_report_table *table)
{
	begin(b, NULL, false);
	add_text(b, "platform", table->platform);
	add_text(b, "scenario", table->scenario);
	add_int(b, "cpus", table->cpus);
	add_int(b, "devices", table->devices);
	add_int(b, "refresh_hz", table->refresh_hz);
	add_text(b, "exposure_name", table->exposure_name);
	add_counts(b, report, table);
	begin(b, "metrics", true);
	for (size_t k = 0; k < table->n_rows; k++)
		add_row(b, report, &table->rows[k]);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_exclusions(JsonBuilder *b, const struct ab_report *report)
{
	begin(b, "exclusions", true);
	for (size_t i = 0; i < report->n_exclusions; i++) {
		const struct ab_report_exclusion *e = &report->exclusions[i];

		begin(b, NULL, false);
		add_text(b, "platform", e->platform);
		add_text(b, "scenario", e->scenario);
		add_text(b, "variant", e->variant);
		add_text(b, "reason", e->reason);
		add_int(b, "count", e->count);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_strings(JsonBuilder *b, const char *key, char **strings)
{
	begin(b, key, true);
	for (; strings && *strings; strings++)
		add_string(b, *strings);
	json_builder_end_array(b);
}

static void add_head(JsonBuilder *b, const struct ab_report *report)
{
	/* A JSON number holds 53 bits; a seed has 64. */
	g_autofree char *seed =
		g_strdup_printf("%" G_GUINT64_FORMAT, report->seed);

	add_int(b, "schema", SCHEMA);
	add_text(b, "tool", report->tool);
	add_text(b, "plan", report->plan);
	add_text(b, "plan_sha256", report->plan_sha256);
	add_text(b, "seed", seed);
	add_text(b, "began", report->began);
	add_text(b, "ended", report->ended);
	add_text(b, "directory", report->directory);
	add_strings(b, "variants", report->variants);
	add_int(b, "runs_planned", report->runs_planned);
	add_int(b, "runs_started", report->runs_started);
	add_int(b, "runs_accepted", report->runs_accepted);
}

static void write_json(const struct ab_report *report, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(JsonNode) root = NULL;
	g_autofree char *text = NULL;

	begin(b, NULL, false);
	add_head(b, report);
	begin(b, "tables", true);
	for (size_t i = 0; i < report->n_tables; i++)
		add_table(b, report, &report->tables[i]);
	json_builder_end_array(b);
	add_exclusions(b, report);
	add_strings(b, "notes", report->notes);
	add_strings(b, "provenance", report->provenance);
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	text = json_to_string(root, TRUE);
	g_string_append(out, text);
	g_string_append_c(out, '\n');
}

const struct ab_report_ops ab_report_json = {
	.name = "json",
	.help = "everything, schema version 1",
	.file = "report.json",
	.write = write_json,
};
