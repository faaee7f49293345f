// SPDX-License-Identifier: GPL-3.0-or-later
/* What the change cost, beside what it brought. */
#include "html.h"

#include <string.h>

static const struct ab_report_row *
power_row(const struct ab_report_table *table)
{
	for (size_t k = 0; k < table->n_rows; k++)
		if (!strcmp(table->rows[k].metric->id, "power.total"))
			return &table->rows[k];
	return NULL;
}

static void add_cells(const struct ab_report_row *row, size_t variant,
		      GString *out)
{
	g_autofree char *name = html_name(row->metric);
	struct html_cells cells;

	html_cells(row, variant, &cells);
	html_add(out,
		 "<td>%s: %s \u2192 %s %s</td><td class=\"n\">%s %s</td>"
		 "<td class=\"%s\">%s</td>",
		 name, cells.a, cells.b, cells.unit, cells.percent,
		 cells.interval,
		 html_class(row->metric, &row->versus[variant - 1]),
		 cells.verdict);
	html_cells_clear(&cells);
}

static void add_rows(const struct ab_report *report,
		     const struct ab_report_table *table, GString *out)
{
	const struct ab_report_row *power = power_row(table);
	g_autofree char *title = html_title(table);

	for (size_t k = 0; power && k < table->n_rows; k++)
		for (size_t v = 1; v < report->n_variants; v++) {
			if (!table->rows[k].primary || &table->rows[k] == power)
				continue;
			html_add(out, "<tr><th scope=\"row\">%s%s%s</th>",
				 title, report->n_variants > 2 ? ", " : "",
				 report->n_variants > 2 ? report->variants[v]
							: "");
			add_cells(&table->rows[k], v, out);
			add_cells(power, v, out);
			g_string_append(out, "</tr>\n");
		}
}

static void add_charts(const struct ab_report *report, size_t index,
		       GString *out)
{
	const struct ab_report_table *table = &report->tables[index];
	const struct ab_report_row *power = power_row(table);
	g_autofree char *title = html_title(table);

	for (size_t k = 0; power && k < table->n_rows; k++) {
		g_autofree char *name = html_name(table->rows[k].metric);

		if (!table->rows[k].primary || &table->rows[k] == power)
			continue;
		html_add(out,
			 "<details class=\"plot\">\n<summary>%s: power and %s "
			 "of each run</summary>\n<figure class=\"chart\" "
			 "data-chart=\"power\" data-table=\"%zu\" "
			 "data-row=\"%zu\" data-power=\"%zu\" role=\"img\" ",
			 title, name, index, k, (size_t)(power - table->rows));
		html_add(out,
			 "aria-label=\"Power and %s of each run; the tables of "
			 "runs of both metrics have them\"></figure>\n"
			 "</details>\n",
			 name);
	}
}

void html_power(const struct ab_report *report, GString *out)
{
	g_autoptr(GString) rows = g_string_new(NULL);

	for (size_t i = 0; i < report->n_tables; i++)
		add_rows(report, &report->tables[i], rows);
	g_string_append(out, "<section id=\"power\" aria-labelledby=\"h-p\">"
			     "\n<h2 id=\"h-p\">Power beside performance</h2>"
			     "\n");
	if (rows->len) {
		g_string_append(
			out,
			"<div class=\"wide\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"Power beside performance\">\n<table>\n"
			"<caption>The primary metrics, each beside the power "
			"of all rails</caption>\n<thead><tr>"
			"<th scope=\"col\">Scenario</th>"
			"<th scope=\"colgroup\" colspan=\"3\">Performance</th>"
			"<th scope=\"colgroup\" colspan=\"3\">Power</th>"
			"</tr></thead>\n<tbody>\n");
		g_string_append(out, rows->str);
		g_string_append(out, "</tbody>\n</table>\n</div>\n");
	} else {
		g_string_append(out, "<p>The plan names no primary metric, or "
				     "no power was measured.</p>\n");
	}
	for (size_t i = 0; i < report->n_tables; i++)
		add_charts(report, i, out);
	g_string_append(out, "</section>\n");
}
