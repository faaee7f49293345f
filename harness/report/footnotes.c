// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <math.h>

/* What the rows of a report have in them. */
struct found {
	bool methods[AB_METHOD_ZERO_BOUND + 1];
	bool zero, maximum, not_enough;
	int rows; /* with a verdict that was tested */
	int left; /* boots in incomplete blocks, at most in any row */
	double level;
};

typedef void (*visit_row)(const struct ab_report *report,
			  const struct ab_report_table *table, size_t variant,
			  const struct ab_report_row *row, void *context);

static void for_each_row(const struct ab_report *report, visit_row visit,
			 void *context)
{
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			for (size_t k = 0; k < report->tables[i].n_rows; k++)
				visit(report, &report->tables[i], v,
				      &report->tables[i].rows[k], context);
}

static void look(const struct ab_report *report,
		 const struct ab_report_table *table, size_t variant,
		 const struct ab_report_row *row, void *context)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	struct found *found = context;

	(void)report;
	(void)table;
	found->level = c->level;
	found->left = MAX(found->left, c->a_left + c->b_left);
	if (row->metric->stat == AB_STAT_MAX) {
		found->maximum = true;
		return;
	}
	found->methods[c->method] = true;
	found->rows += c->method != AB_METHOD_NONE;
	found->zero |= isfinite(c->a.upper) || isfinite(c->b.upper);
	found->not_enough |= c->verdict == AB_NOT_ENOUGH_DATA;
}

static struct found look_at(const struct ab_report *report)
{
	struct found found = { .level = 0.95 };

	for_each_row(report, look, &found);
	return found;
}

double part_level(const struct ab_report *report)
{
	return look_at(report).level;
}

static void add_method(const struct found *found, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool blocks = found->methods[AB_METHOD_PAIRED_T] ||
		      found->methods[AB_METHOD_BLOCK_BOOTSTRAP] ||
		      found->methods[AB_METHOD_ZERO_BOUND];

	if (blocks)
		g_string_append_printf(
			text,
			"%g %% intervals from whole boots paired within "
			"blocks (t on block values; quantiles: blocks "
			"resampled, t-corrected). ",
			100 * found->level);
	if (found->methods[AB_METHOD_RUN_T])
		g_string_append_printf(
			text,
			"%s%g %% intervals from runs (Welch's t): "
			"boot-to-boot variation was not measured. ",
			blocks ? "One boot per variant: " : "",
			100 * found->level);
	if (found->rows > 0)
		g_string_append_printf(
			text,
			"Verdicts are per row, not corrected for the number "
			"of rows, which is %d.",
			found->rows);
	if (text->len)
		text_wrap(out, text->str, 0, 0);
}

static void add_kinds(const struct found *found, GString *out)
{
	if (found->zero)
		text_wrap(out,
			  "< x: no event was seen; one-sided upper bound of "
			  "the same level (Poisson).",
			  0, 2);
	if (found->maximum)
		text_wrap(out,
			  "worst of N: the largest of N samples; a maximum "
			  "has no interval.",
			  0, 2);
	if (found->left > 0) {
		g_autofree char *text = g_strdup_printf(
			"Boots left out because their block lacks the other "
			"variant: up to %d in a row.",
			found->left);

		text_wrap(out, text, 0, 2);
	}
}

static char *row_name(const struct ab_report *report,
		      const struct ab_report_table *table, size_t variant,
		      const struct ab_report_row *row)
{
	return g_strdup_printf(
		"platform %s, %s%s%s, %s %s", table->platform, table->scenario,
		report->n_variants > 2 ? ", " : "",
		report->n_variants > 2 ? report->variants[variant] : "",
		row->metric->group, row->metric->label);
}

static void add_reason(const struct ab_report *report,
		       const struct ab_report_table *table, size_t variant,
		       const struct ab_report_row *row, void *context)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	const char *reason = c->pct_reason ? c->pct_reason : c->reason;
	g_autofree char *name = NULL, *text = NULL;

	/* A bound explains itself. */
	if (row->metric->stat == AB_STAT_MAX || !reason || isfinite(c->pct_hi))
		return;
	name = row_name(report, table, variant, row);
	text = g_strdup_printf("n/a: %s: %s.", name, reason);
	text_wrap(context, text, 0, 2);
}

static void add_needed(const struct ab_report *report,
		       const struct ab_report_table *table, size_t variant,
		       const struct ab_report_row *row, void *context)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	bool boots = isfinite(c->boots_needed);
	g_autofree char *name = NULL, *number = NULL;
	g_autoptr(GString) text = g_string_new(NULL);

	if (c->verdict != AB_NOT_ENOUGH_DATA ||
	    (!boots && !isfinite(c->runs_needed)))
		return;
	name = row_name(report, table, variant, row);
	number = number_text(ceil(boots ? c->boots_needed : c->runs_needed), 0);
	g_string_append_printf(text, "%s: %s %s", name, number,
			       boots ? "boots" : "runs");
	if (boots && isfinite(c->margin_pct))
		g_string_append_printf(text, " (margin %g %%)", c->margin_pct);
	text_wrap(context, text->str, 2, 4);
}

static void add_not_enough(const struct ab_report *report, GString *out)
{
	g_autoptr(GString) needed = g_string_new(NULL);

	for_each_row(report, add_needed, needed);
	if (needed->len == 0) {
		text_wrap(out, "not enough: not enough data.", 0, 2);
		return;
	}
	text_wrap(out,
		  "not enough: not enough data. Needed per variant for 80 % "
		  "power at the observed change, or at the margin:",
		  0, 2);
	g_string_append_len(out, needed->str, (gssize)needed->len);
}

void part_footnotes(const struct ab_report *report, GString *out)
{
	struct found found = look_at(report);

	add_method(&found, out);
	add_kinds(&found, out);
	for_each_row(report, add_reason, out);
	if (found.not_enough)
		add_not_enough(report, out);
	part_accounts(report, out);
}
