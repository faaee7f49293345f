// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of the tables in the 2022 PELT thread: one small table per metric,
 * one row per kernel.  Interval and n are columns of their own.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

enum column { VARIABLE, KERNEL, VALUE, DIFF, CI, RUNS, N_COLUMNS };

static const struct tab_column columns[N_COLUMNS] = {
	[VARIABLE] = { "variable", false }, [KERNEL] = { "kernel", false },
	[VALUE] = { "value", true },	    [DIFF] = { "perc_diff", false },
	[CI] = { "ci95", false },	    [RUNS] = { "runs/boots", false },
};

static char *value_text(const struct ab_estimate *e, int decimals)
{
	g_autofree char *bound = NULL;

	if (!isfinite(e->upper))
		return number_text(e->value, decimals);
	bound = number_bound(e->upper);
	return g_strconcat("<", bound, NULL);
}

static char *n_text(const struct ab_metric *metric, const struct ab_estimate *e)
{
	g_autofree char *samples = NULL;

	if (metric->stat != AB_STAT_MAX)
		return g_strdup_printf("%d/%d", e->runs, e->boots);
	samples = number_count(e->samples);
	return g_strdup_printf("worst of %s", samples);
}

static int row_decimals(const struct ab_report *report,
			const struct ab_report_row *row)
{
	double largest = row->base.value;

	for (size_t v = 1; v < report->n_variants; v++)
		largest = fmax(largest, row->versus[v - 1].b.value);
	return number_decimals(largest, largest);
}

/* Variant names are the user's; a table must not burst at a long one. */
static char *kernel_text(const char *name)
{
	g_autofree char *ascii = text_ascii(name);

	if (strlen(ascii) <= 16)
		return g_steal_pointer(&ascii);
	return g_strdup_printf("%.15s~", ascii);
}

static void base_cells(const struct ab_report *report,
		       const struct ab_report_row *row, int decimals,
		       char **cells)
{
	cells[KERNEL] = kernel_text(report->variants[0]);
	cells[VALUE] = value_text(&row->base, decimals);
	cells[DIFF] = g_strdup(row->metric->stat == AB_STAT_MAX ? "" : "0.0%");
	cells[CI] = g_strdup("");
	cells[RUNS] = n_text(row->metric, &row->base);
}

static void variant_cells(const struct ab_report *report,
			  const struct ab_report_row *row, size_t variant,
			  int decimals, char **cells)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	bool bound = !isfinite(c->pct) && isfinite(c->pct_hi);
	g_autofree char *pct = number_percent(bound ? c->pct_hi : c->pct);

	cells[KERNEL] = kernel_text(report->variants[variant]);
	cells[VALUE] = value_text(&c->b, decimals);
	if (row->metric->stat == AB_STAT_MAX)
		cells[DIFF] = g_strdup("");
	else
		cells[DIFF] = g_strconcat(bound ? "<" : "", pct, NULL);
	cells[CI] = isfinite(c->pct) && isfinite(c->pct_lo)
			    ? number_percent_interval(c->pct_lo, c->pct_hi)
			    : g_strdup("");
	cells[RUNS] = n_text(row->metric, &c->b);
}

static void add_table(const struct ab_report *report,
		      const struct ab_report_table *table,
		      const struct ab_report_row *row, GString *out)
{
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	struct tab tab = { columns, N_COLUMNS, NULL, report->n_variants };
	int decimals = row_decimals(report, row);
	g_autofree char *title = g_strdup_printf(
		"%s %s%s%s%s (platform %s, %s)", row->metric->group,
		row->metric->label, *row->metric->unit ? " [" : "",
		row->metric->unit, *row->metric->unit ? "]" : "",
		table->platform, table->scenario);

	g_ptr_array_set_size(cells, (int)(N_COLUMNS * report->n_variants));
	for (size_t v = 0; v < report->n_variants; v++) {
		char **line = (char **)cells->pdata + v * N_COLUMNS;

		line[VARIABLE] = g_strdup(row->metric->label);
		if (v == 0)
			base_cells(report, row, decimals, line);
		else
			variant_cells(report, row, v, decimals, line);
	}
	tab.cells = (const char *const *)cells->pdata;
	text_wrap(out, title, 0, 2);
	tab_psql(&tab, out);
	g_string_append_c(out, '\n');
}

static void write_grid(const struct ab_report *report, GString *out)
{
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			add_table(report, &report->tables[i],
				  &report->tables[i].rows[k], out);
	part_footnotes(report, out);
}

const struct ab_report_ops ab_report_grid = {
	.name = "grid",
	.help = "one small table per metric, one row per variant",
	.file = "report-grid.txt",
	.write = write_grid,
};
