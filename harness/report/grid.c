// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of the tables in the PELT threads, in both styles that are seen
 * there: one small table per metric, one row per kernel.  Interval and n are
 * columns of their own.
 */
#include "parts.h"
#include "payers.h"

#include <math.h>
#include <string.h>

typedef void (*tab_writer)(const struct tab *tab, GString *out);

enum column { KERNEL, VALUE, DIFF, CI, N, N_COLUMNS };

static char *value_text(const struct ab_estimate *e, int decimals)
{
	g_autofree char *bound = NULL;

	if (!isfinite(e->upper))
		return number_text(e->value, decimals);
	bound = number_bound(e->upper);
	return g_strconcat("<", bound, NULL);
}

static char *n_text(const struct ab_estimate *e)
{
	if (!e->boots)
		return g_strdup_printf("%d", e->runs);
	return g_strdup_printf("%d/%d", e->runs, e->boots);
}

static int row_decimals(const struct ab_report *report,
			const struct ab_report_row *row)
{
	double base = row->base.value, largest = base, smallest = base;

	for (size_t v = 1; v < report->n_variants; v++) {
		largest = fmax(largest, row->versus[v - 1].b.value);
		smallest = fmin(smallest, row->versus[v - 1].b.value);
	}
	return number_decimals(largest, smallest);
}

static void base_cells(const struct ab_report_row *row, int decimals,
		       char **cells)
{
	cells[VALUE] = value_text(&row->base, decimals);
	cells[DIFF] = g_strdup(row->base.value > 0 ? "0.0%" : "n/a");
	cells[CI] = g_strdup("");
	cells[N] = n_text(&row->base);
}

static void variant_cells(const struct ab_comparison *c, int decimals,
			  char **cells)
{
	bool percent = part_has_percent(c);
	bool bound = !percent && isfinite(c->pct_hi);
	g_autofree char *pct = number_perc_diff(percent ? c->pct
						: bound ? c->pct_hi
							: NAN);

	cells[VALUE] = value_text(&c->b, decimals);
	cells[DIFF] = g_strconcat(bound ? "<" : "", pct, NULL);
	cells[CI] = percent && part_has_interval(c)
			    ? number_percent_interval(c->pct_lo, c->pct_hi)
			    : g_strdup("");
	cells[N] = n_text(&c->b);
}

/* A maximum has neither percentage nor interval; its n are the samples. */
static void worst_cells(const struct ab_estimate *e, int decimals, char **cells)
{
	cells[VALUE] = value_text(e, decimals);
	cells[DIFF] = number_count(e->samples);
}

static void fill_cells(const struct ab_report *report,
		       const struct ab_report_row *row, size_t variant,
		       char **cells)
{
	int decimals = row_decimals(report, row);

	cells[KERNEL] = part_short_name(report, variant);
	if (row->metric->stat == AB_STAT_MAX)
		worst_cells(variant ? &row->versus[variant - 1].b : &row->base,
			    decimals, cells);
	else if (variant == 0)
		base_cells(row, decimals, cells);
	else
		variant_cells(&row->versus[variant - 1], decimals, cells);
}

static void add_title(const struct ab_report_table *table,
		      const struct ab_metric *metric, GString *out)
{
	g_autoptr(GString) title = g_string_new(metric->group);

	g_string_append_printf(title, "%s%s%s%s%s", *metric->group ? " " : "",
			       metric->label, *metric->unit ? " [" : "",
			       metric->unit, *metric->unit ? "]" : "");
	if (table->platform)
		g_string_append_printf(title, " (platform %s, %s)",
				       table->platform, table->scenario);
	text_heading(out, title->str);
}

static void add_need(const struct ab_comparison *c, bool margin, GString *text)
{
	struct needed need;

	if (!part_needed(c, margin, &need))
		return;
	text_item(text, "%s %s needed", need.number,
		  need.boots ? "boots" : "runs");
	if (margin)
		text_item(text, "for the margin of %g %%", c->margin_pct);
	g_string_append_c(text, ',');
	g_free(need.number);
}

static void add_effect(const struct ab_report_row *row, size_t variant,
		       GString *text)
{
	g_autofree char *effect =
		part_effect(&row->effects[variant - 1], row->metric->unit, 1);

	text_item(text, "%s,", effect);
}

/* All that a variant's row does not say in its cells. */
static void add_verdict(const struct ab_report *report,
			const struct ab_report_row *row, size_t variant,
			GString *text)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	g_autofree char *name = part_short_name(report, variant);
	g_autofree char *difference = part_difference(c, 1);

	text_item(text, "%s: %s%s,", name, ab_verdict_word(c->verdict),
		  part_only_alone(c) ? "*" : "");
	add_need(c, false, text);
	add_need(c, true, text);
	if (difference)
		text_item(text, "difference %s,", difference);
	if (report->with_effects && row->effects)
		add_effect(row, variant, text);
	if (part_reason(c))
		text_item(text, "n/a: %s,", part_reason(c));
	text->str[text->len - 1] = ';';
}

static void add_verdicts(const struct ab_report *report,
			 const struct ab_report_row *row, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t v = 1; v < report->n_variants; v++)
		add_verdict(report, row, v, text);
	g_string_truncate(text, text->len ? text->len - 1 : 0);
	text_wrap(out, text->str, 0, 2);
}

static void add_table(const struct ab_report *report,
		      const struct ab_report_table *table,
		      const struct ab_report_row *row, tab_writer write,
		      GString *out)
{
	bool worst = row->metric->stat == AB_STAT_MAX;
	g_autofree char *ci = g_strdup_printf("ci%g", 100 * part_level(report));
	struct tab_column columns[N_COLUMNS] = {
		[KERNEL] = { "kernel", false },
		[VALUE] = { "value", true },
		[DIFF] = { worst ? "worst of" : "perc_diff", worst },
		[CI] = { ci, false },
		[N] = { "n", false },
	};
	size_t n_columns = worst ? CI : N_COLUMNS;
	size_t n_cells = n_columns * report->n_variants;
	g_auto(GStrv) cells = g_new0(char *, n_cells + 1);
	struct tab tab = { columns, n_columns, (const char *const *)cells,
			   report->n_variants };

	for (size_t v = 0; v < report->n_variants; v++)
		fill_cells(report, row, v, cells + v * n_columns);
	add_title(table, row->metric, out);
	write(&tab, out);
	if (!worst)
		add_verdicts(report, row, out);
	g_string_append_c(out, '\n');
}

/* Numbers of others may be of runs only. */
static bool tells_boots(const struct ab_report *report)
{
	for (size_t i = 0; i < report->n_tables; i++)
		if (report->tables[i].boots[0])
			return true;
	return false;
}

static void write_tables(const struct ab_report *report, tab_writer write,
			 GString *out)
{
	part_legend(report, out);
	part_panel(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			add_table(report, &report->tables[i],
				  &report->tables[i].rows[k], write, out);
	text_wrap(out,
		  tells_boots(report)
			  ? "n: runs/boots. needed: per variant, for 80 % "
			    "power at the observed change or at the margin."
			  : "n: runs. needed: per variant, for 80 % power at "
			    "the observed change.",
		  0, 2);
	payers_text(report, out);
	part_footnotes(report, NULL, out);
}

static void write_grid(const struct ab_report *report, GString *out)
{
	write_tables(report, tab_psql, out);
}

static void write_pretty(const struct ab_report *report, GString *out)
{
	write_tables(report, tab_pretty, out);
}

const struct ab_report_ops ab_report_grid = {
	.name = "grid",
	.help = "one small table per metric, one row per variant",
	.file = "report-grid.txt",
	.write = write_grid,
};

const struct ab_report_ops ab_report_pretty = {
	.name = "pretty",
	.help = "the same, all cells centred",
	.file = "report-pretty.txt",
	.write = write_pretty,
};
