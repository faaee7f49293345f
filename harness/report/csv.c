// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Long form: one line per platform, scenario, variant and metric.  Columns are
 * added at the end only; what is unknown is empty.
 */
#include "parts.h"

#include <math.h>

static const char header[] =
	"plan,platform,scenario,variant,baseline,metric,unit,runs,boots,"
	"samples,value,upper,baseline_value,diff,diff_lo,diff_hi,pct,pct_lo,"
	"pct_hi,level,p,method,verdict,boots_needed,margin_pct,runs_needed,"
	"reason,boots_margin,p_change,p_equal,phi,p_adjusted,"
	"p_equal_adjusted,primary,rank_p,shift,shift_lo,"
	"shift_hi,shift_level,cliff,detectable,icc,design_effect\n";

static void add_number(GString *out, double value)
{
	g_string_append_c(out, ',');
	csv_number(out, value);
}

static void add_key(const struct ab_report *report,
		    const struct ab_report_table *table,
		    const struct ab_metric *metric, size_t variant,
		    GString *out)
{
	const char *const texts[] = {
		report->plan,	     table->platform,
		table->scenario,     report->variants[variant],
		report->variants[0], metric->id,
		metric->unit,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (i)
			g_string_append_c(out, ',');
		csv_text(out, texts[i] ? texts[i] : "");
	}
}

static void add_estimate(const struct ab_estimate *e, GString *out)
{
	g_string_append_printf(out, ",%d,", e->runs);
	/* Runs of no boot: nobody told it. */
	if (e->boots || !e->runs)
		g_string_append_printf(out, "%d", e->boots);
	g_string_append_printf(out, ",%" G_GUINT64_FORMAT, e->samples);
	add_number(out, e->value);
	add_number(out, e->upper);
}

static void add_comparison(const struct ab_comparison *c, GString *out)
{
	const char *reason = c->pct_reason ? c->pct_reason : c->reason;

	add_estimate(&c->b, out);
	add_number(out, c->a.value);
	add_number(out, c->diff);
	add_number(out, c->diff_lo);
	add_number(out, c->diff_hi);
	add_number(out, c->pct);
	add_number(out, c->pct_lo);
	add_number(out, c->pct_hi);
	add_number(out, c->level);
	add_number(out, c->p);
	g_string_append_printf(out, ",%s,%s", ab_method_name(c->method),
			       ab_verdict_word(c->verdict));
	add_number(out, c->boots_needed);
	add_number(out, c->margin_pct);
	add_number(out, c->runs_needed);
	g_string_append_c(out, ',');
	csv_text(out, reason ? reason : "");
	add_number(out, c->boots_margin);
	add_number(out, c->p_change);
	add_number(out, c->p_equal);
	add_number(out, c->method == AB_METHOD_NONE ? NAN : c->moments.phi);
	add_number(out, c->p_adjusted);
	add_number(out, c->p_equal_adjusted);
	g_string_append_printf(out, ",%d", c->primary);
}

static void add_effect(const struct ab_effect *e, GString *out)
{
	add_number(out, e ? e->p : NAN);
	add_number(out, e ? e->shift.estimate : NAN);
	add_number(out, e ? e->shift.lo : NAN);
	add_number(out, e ? e->shift.hi : NAN);
	add_number(out, e ? e->shift.level : NAN);
	add_number(out, e ? e->cliff : NAN);
}

static void add_design(const struct ab_report_row *row, size_t variant,
		       GString *out)
{
	const struct ab_components *c = variant && row->components
						? &row->components[variant - 1]
						: NULL;

	add_number(out, variant ? row->versus[variant - 1].detectable : NAN);
	add_number(out, c ? c->icc : NAN);
	add_number(out, c ? c->design_effect : NAN);
}

/* The baseline compares with nothing. */
static void add_base(const struct ab_estimate *base, GString *out)
{
	add_estimate(base, out);
	g_string_append(out, ",,,,,,,,,,,,,,,,,,,,,,");
}

static void add_row(const struct ab_report *report,
		    const struct ab_report_table *table,
		    const struct ab_report_row *row, GString *out)
{
	for (size_t v = 0; v < report->n_variants; v++) {
		add_key(report, table, row->metric, v, out);
		if (v == 0)
			add_base(&row->base, out);
		else
			add_comparison(&row->versus[v - 1], out);
		add_effect(v > 0 && row->effects ? &row->effects[v - 1] : NULL,
			   out);
		add_design(row, v, out);
		g_string_append_c(out, '\n');
	}
}

static void add_payer(const struct ab_report *report,
		      const struct ab_report_table *table,
		      const struct ab_report_payer *payer, GString *out)
{
	for (int pay = 0; payer && pay < AB_PAYS; pay++)
		if (payer->rows[pay].metric)
			add_row(report, table, &payer->rows[pay], out);
}

static void write_csv(const struct ab_report *report, GString *out)
{
	g_string_append(out, header);
	for (size_t i = 0; i < report->n_tables; i++) {
		const struct ab_report_table *table = &report->tables[i];

		for (size_t k = 0; k < table->n_rows; k++)
			add_row(report, table, &table->rows[k], out);
		for (size_t k = 0; k < table->n_payers; k++)
			add_payer(report, table, &table->payers[k], out);
		add_payer(report, table, table->all_classes, out);
	}
}

const struct ab_report_ops ab_report_csv = {
	.name = "csv",
	.help = "long form, one line per metric and variant",
	.file = "report.csv",
	.write = write_csv,
};
