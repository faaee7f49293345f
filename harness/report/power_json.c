// SPDX-License-Identifier: GPL-3.0-or-later
/* docs/HOWTO-power.md, version 1: keys are only added. */
#include "parts.h"

#include <abrig/power_report.h>
#include <math.h>

static void add_pair(JsonBuilder *b, const char *key, double base,
		     double variant)
{
	json_begin(b, key, true);
	json_double(b, base);
	json_double(b, variant);
	json_builder_end_array(b);
}

static void add_components(JsonBuilder *b, const struct ab_components *c)
{
	json_number(b, "mean", c->mean);
	json_int(b, "blocks", c->blocks);
	add_pair(b, "boots", c->boots[0], c->boots[1]);
	add_pair(b, "runs", c->runs[0], c->runs[1]);
	json_number(b, "variance_run", c->run);
	json_number(b, "variance_boot", c->boot);
	json_number(b, "variance_block", c->block);
	json_number(b, "variance_growth", c->growth);
	json_number(b, "icc", c->icc);
	json_bool(b, "icc_truncated", c->truncated);
	json_number(b, "runs_per_boot", c->runs_per_boot);
	json_number(b, "design_effect", c->design_effect);
	add_pair(b, "effective_runs", c->effective[0], c->effective[1]);
}

/* Ends the object with the design's cost; null when there is none. */
static bool begin_design(JsonBuilder *b, const char *key, struct ab_design d,
			 const struct ab_costs *costs)
{
	if (!(d.blocks > 0)) {
		json_text(b, key, NULL);
		return false;
	}
	json_begin(b, key, false);
	json_number(b, "boots", d.blocks);
	json_number(b, "runs", d.runs);
	json_number(b, "hours", ab_stats_design_hours(d, costs));
	return true;
}

static double signed_change(const struct ab_power_row *row,
			    const struct ab_power_question *q)
{
	return q->sign < 0 ? -row->change_pct : row->change_pct;
}

static void add_answers(JsonBuilder *b, const struct ab_power_row *row,
			const struct ab_power_question *q,
			const struct ab_costs *costs)
{
	if (begin_design(b, "needed", row->needed, costs)) {
		json_number(b, "change_pct", signed_change(row, q));
		json_builder_end_object(b);
	}
	if (begin_design(b, "budget", row->bought, costs)) {
		json_number(b, "detectable_pct", row->bought_pct);
		json_builder_end_object(b);
	}
	if (begin_design(b, "given", q->given, costs)) {
		json_number(b, "power", row->given_power);
		json_number(b, "detectable_pct", row->given_pct);
		json_builder_end_object(b);
	}
}

static void add_row(JsonBuilder *b, const struct ab_power_row *row,
		    const struct ab_power_question *q,
		    const struct ab_costs *costs)
{
	json_begin(b, NULL, false);
	json_text(b, "metric", row->metric ? row->metric->id : NULL);
	json_text(b, "unit", row->metric ? row->metric->unit : NULL);
	json_bool(b, "primary", row->primary);
	json_number(b, "level", row->level);
	add_components(b, &row->c);
	json_number(b, "dispersion", row->dispersion);
	json_number(b, "detectable_pct", row->shown_pct);
	json_number(b, "change_pct", signed_change(row, q));
	json_bool(b, "change_is_margin", row->margin);
	json_number(b, "best_runs", row->best_runs);
	json_text(b, "reason", row->reason ? row->reason : row->c.reason);
	add_answers(b, row, q, costs);
	json_builder_end_object(b);
}

static void add_table(JsonBuilder *b, const struct ab_power_table *t,
		      const struct ab_power_question *q)
{
	json_begin(b, NULL, false);
	json_text(b, "platform", t->platform);
	json_text(b, "scenario", t->scenario);
	json_text(b, "base", t->base);
	json_text(b, "variant", t->variant);
	json_int(b, "campaigns", t->campaigns);
	json_number(b, "boot_cost_s", t->costs.boot_s);
	json_number(b, "run_cost_s", t->costs.run_s);
	json_text(b, "costs_from", t->costs_from);
	json_begin(b, "metrics", true);
	for (guint i = 0; i < t->rows->len; i++)
		add_row(b, &g_array_index(t->rows, struct ab_power_row, i), q,
			&t->costs);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_rate(JsonBuilder *b, const struct ab_power_rate *r)
{
	json_begin(b, "rate", false);
	json_number(b, "from", r->rate);
	json_number(b, "to", r->to);
	json_number(b, "dispersion", r->dispersion);
	json_number(b, "runs_needed", r->needed);
	json_number(b, "runs", r->runs);
	json_number(b, "power", r->runs_power);
	json_number(b, "detectable_pct", 100 * r->runs_pct);
	json_builder_end_object(b);
}

void ab_power_json(const struct ab_power_report *report, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_begin(b, NULL, false);
	json_int(b, "version", 1);
	json_number(b, "power", report->question.power);
	json_number(b, "level", report->question.level);
	json_number(b, "hours", report->question.hours);
	json_begin(b, "tables", true);
	for (guint i = 0; i < report->tables->len; i++)
		add_table(b, report->tables->pdata[i], &report->question);
	json_builder_end_array(b);
	if (report->rate)
		add_rate(b, report->rate);
	json_builder_end_object(b);
	json_finish(b, true, out);
	g_string_append_c(out, '\n');
}
