// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of a spreadsheet's pivot table, as phone makers send it: a row per
 * metric, a column per kernel.  What a spreadsheet lacks has rows of its own.
 */
#include "parts.h"
#include "payers.h"

#include <math.h>

#define DECIMALS 2 /* at least: what spreadsheets show */

enum column { NAME, BASE, VARIANT, N_COLUMNS };

static void add_row(GPtrArray *cells, char *name, char *base, char *variant)
{
	g_ptr_array_add(cells, name);
	g_ptr_array_add(cells, base ? base : g_strdup(""));
	g_ptr_array_add(cells, variant ? variant : g_strdup(""));
}

static void add_values(const struct ab_report_row *row,
		       const struct ab_comparison *c, GPtrArray *cells)
{
	double scale;
	const char *unit =
		part_unit(row->metric, c->a.value, c->b.value, &scale);
	int shown = number_decimals(c->a.value * scale, c->b.value * scale);
	int decimals = MAX(shown, DECIMALS);
	g_autofree char *label = text_ascii(row->metric->label);

	add_row(cells,
		g_strdup_printf("  %s%s%s%s", label, *unit ? " [" : "", unit,
				*unit ? "]" : ""),
		part_value(&c->a, scale, decimals),
		part_value(&c->b, scale, decimals));
}

static void add_test(const struct ab_report *report,
		     const struct ab_comparison *c, const GPtrArray *reasons,
		     GPtrArray *cells)
{
	add_row(cells, g_strdup("    change"), NULL, part_percent(c, reasons));
	if (part_has_percent(c))
		add_row(cells,
			g_strdup_printf("    %g %% interval",
					100 * part_level(report)),
			NULL,
			part_has_interval(c)
				? number_percent_interval(c->pct_lo, c->pct_hi)
				: part_mark(reasons, part_reason(c)));
	add_row(cells, g_strdup("    verdict"), NULL, part_verdict(c));
}

static GPtrArray *fill_cells(const struct ab_report *report,
			     const struct ab_report_table *table,
			     size_t variant, const GPtrArray *reasons)
{
	GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
	const char *group = "";

	for (size_t i = 0; i < table->n_rows; i++) {
		const struct ab_report_row *row = &table->rows[i];
		const struct ab_comparison *c = &row->versus[variant - 1];

		if (!g_str_equal(group, row->metric->group))
			add_row(cells, text_ascii(row->metric->group), NULL,
				NULL);
		group = row->metric->group;
		add_values(row, c, cells);
		if (row->metric->stat == AB_STAT_MAX)
			add_row(cells, g_strdup("    worst of"),
				number_count(c->a.samples),
				number_count(c->b.samples));
		else
			add_test(report, c, reasons, cells);
	}
	return cells;
}

/* What has no cell: the difference, another n than the table's. */
static void add_below(const struct ab_report *report,
		      const struct ab_report_table *table, size_t variant,
		      GString *out)
{
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct ab_report_row *row = &table->rows[i];
		g_autofree char *below =
			part_below(report, table, row, variant);
		g_autofree char *text = NULL;

		if (!below)
			continue;
		text = g_strdup_printf("%s %s: %s", row->metric->group,
				       row->metric->label, below);
		text_wrap(out, text, 2, 4);
	}
}

static void add_table(const struct ab_report *report,
		      const struct ab_report_table *table, size_t variant,
		      const GPtrArray *reasons, GString *out)
{
	g_autoptr(GPtrArray) cells =
		fill_cells(report, table, variant, reasons);
	g_autofree char *base = part_short_name(report, 0);
	g_autofree char *name = part_short_name(report, variant);
	const struct tab_column columns[N_COLUMNS] = {
		[NAME] = { "Metrics", false },
		[BASE] = { base, true },
		[VARIANT] = { name, true },
	};
	const struct tab tab = { columns, N_COLUMNS,
				 (const char *const *)cells->pdata,
				 cells->len / N_COLUMNS };

	part_header(report, table, variant, out);
	tab_pivot(&tab, out);
	add_below(report, table, variant, out);
	part_needs(table, variant, out);
	g_string_append_c(out, '\n');
}

static void write_pivot(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) reasons = part_reasons(report);

	part_legend(report, out);
	part_panel(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_table(report, &report->tables[i], v, reasons, out);
	payers_text(report, out);
	part_footnotes(report, reasons, out);
}

const struct ab_report_ops ab_report_pivot = {
	.name = "pivot",
	.help = "as a spreadsheet: a row per metric, a column per variant",
	.file = "report-pivot.txt",
	.write = write_pivot,
};
