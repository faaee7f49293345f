// SPDX-License-Identifier: GPL-3.0-or-later
/* "What about other workloads?": one line for each of them. */
#include "parts.h"

struct tally {
	int better, worse, different, equivalent, not_enough;
};

static void count_row(const struct ab_report_row *row,
		      const struct ab_comparison *c, struct tally *tally)
{
	enum ab_side side = ab_stats_side(row->metric, c);

	/* A maximum is not tested. */
	if (row->metric->stat == AB_STAT_MAX)
		return;
	if (c->verdict == AB_EQUIVALENT)
		tally->equivalent++;
	else if (c->verdict == AB_NOT_ENOUGH_DATA)
		tally->not_enough++;
	else if (side == AB_SIDE_UNKNOWN)
		tally->different++;
	else
		++*(side == AB_BETTER ? &tally->better : &tally->worse);
}

static struct tally count_rows(const struct ab_report_table *table,
			       size_t variant)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < table->n_rows; i++)
		count_row(&table->rows[i], &table->rows[i].versus[variant - 1],
			  &tally);
	return tally;
}

static void add_counts(const struct tally *tally, GString *text)
{
	text_item(text, "%d better,", tally->better);
	text_item(text, "%d worse,", tally->worse);
	if (tally->different)
		text_item(text, "%d different,", tally->different);
	text_item(text, "%d equivalent,", tally->equivalent);
	text_item(text, "%d not enough", tally->not_enough);
}

static void add_primary(const struct ab_report_row *row,
			const struct ab_comparison *c, GString *text)
{
	g_autofree char *verdict = part_verdict(c);
	g_autofree char *percent = NULL, *interval = NULL;

	if (!row->primary || row->metric->stat == AB_STAT_MAX)
		return;
	if (part_has_percent(c))
		percent = number_percent(c->pct);
	if (part_has_percent(c) && part_has_interval(c))
		interval = number_percent_interval(c->pct_lo, c->pct_hi);
	g_string_append_c(text, ';');
	text_item(text, "%s%s%s%s%s %s", row->metric->label, percent ? " " : "",
		  percent ? percent : "", interval ? " " : "",
		  interval ? interval : "", verdict);
}

static void add_line(const struct ab_report *report,
		     const struct ab_report_table *table, size_t variant,
		     GString *out)
{
	struct tally tally = count_rows(table, variant);
	g_autofree char *name = part_short_name(report, variant);
	g_autoptr(GString) text = g_string_new(NULL);

	if (table->platform)
		text_item(text, "%s", table->platform);
	if (table->scenario)
		text_item(text, "%s", table->scenario);
	if (report->n_variants > 2)
		text_item(text, "%s", name);
	g_string_append_c(text, ':');
	add_counts(&tally, text);
	for (size_t i = 0; i < table->n_rows; i++)
		add_primary(&table->rows[i],
			    &table->rows[i].versus[variant - 1], text);
	text_wrap(out, text->str, 2, 4);
}

void part_panel(const struct ab_report *report, GString *out)
{
	if (report->n_variants < 2 ||
	    report->n_tables * (report->n_variants - 1) < 2)
		return;
	text_wrap(out, "All workloads, rows by verdict:", 0, 2);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_line(report, &report->tables[i], v, out);
	g_string_append_c(out, '\n');
}
