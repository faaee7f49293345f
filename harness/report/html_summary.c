// SPDX-License-Identifier: GPL-3.0-or-later
/* What was found, in a few lines, and the same for every scenario. */
#include "html.h"

#include <string.h>

/* How many rows of a variant got which verdict. */
struct tally {
	size_t better, worse, different, equivalent, unknown, all;
};

static void count_row(const struct ab_report_row *row, size_t variant,
		      struct tally *tally)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	const char *class = html_class(row->metric, c);

	if (!strcmp(class, "none"))
		return;
	tally->all++;
	tally->better += !strcmp(class, "better");
	tally->worse += !strcmp(class, "worse");
	tally->different += !strcmp(class, "different");
	tally->equivalent += !strcmp(class, "equivalent");
	tally->unknown += !strcmp(class, "unknown");
}

static struct tally count_table(const struct ab_report_table *table,
				size_t variant)
{
	struct tally tally = { 0 };

	for (size_t k = 0; k < table->n_rows; k++)
		count_row(&table->rows[k], variant, &tally);
	return tally;
}

static struct tally count_all(const struct ab_report *report, size_t variant)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			count_row(&report->tables[i].rows[k], variant, &tally);
	return tally;
}

static void add_sentence(const struct ab_report *report, size_t variant,
			 GString *out)
{
	struct tally t = count_all(report, variant);

	html_add(out,
		 "<p><b class=\"v%zu\">%s</b> against <b class=\"v0\">%s</b>: "
		 "of %zu comparisons ",
		 variant, report->variants[variant], report->variants[0],
		 t.all);
	html_add(out,
		 "<span class=\"better\">%zu are better</span>, "
		 "<span class=\"worse\">%zu worse</span>, ",
		 t.better, t.worse);
	if (t.different)
		html_add(out,
			 "<span class=\"different\">%zu different</span>, ",
			 t.different);
	html_add(out,
		 "<span class=\"equivalent\">%zu equivalent</span>, and for "
		 "<span class=\"unknown\">%zu there is not enough data</span>."
		 "</p>\n",
		 t.equivalent, t.unknown);
}

/* ---- the panel ---- */

static bool is_listed(GPtrArray *metrics, const struct ab_metric *m)
{
	return g_ptr_array_find(metrics, m, NULL);
}

/* Primary metrics of any table, in the order of the rows. */
static GPtrArray *primaries(const struct ab_report *report)
{
	GPtrArray *list = g_ptr_array_new();

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++) {
			const struct ab_report_row *row =
				&report->tables[i].rows[k];

			if (row->primary && !is_listed(list, row->metric))
				g_ptr_array_add(list, (gpointer)row->metric);
		}
	return list;
}

static const struct ab_report_row *find_row(const struct ab_report_table *table,
					    const struct ab_metric *metric)
{
	for (size_t k = 0; k < table->n_rows; k++)
		if (table->rows[k].metric == metric)
			return &table->rows[k];
	return NULL;
}

static void add_panel_cell(const struct ab_report_table *table,
			   const struct ab_metric *metric, size_t table_index,
			   size_t variant, GString *out)
{
	const struct ab_report_row *row = find_row(table, metric);
	struct html_cells cells;

	if (!row) {
		g_string_append(out, "<td>not measured</td>");
		return;
	}
	html_cells(row, variant, &cells);
	html_add(out,
		 "<td class=\"%s\"><a href=\"#m%zu-%zu\">%s \u2192 %s %s</a>"
		 "<br><b>%s</b> %s<br>%s</td>",
		 html_class(metric, &row->versus[variant - 1]), table_index,
		 (size_t)(row - table->rows), cells.a, cells.b, cells.unit,
		 cells.percent, cells.interval, cells.verdict);
	html_cells_clear(&cells);
}

static void add_panel_row(const struct ab_report *report, size_t index,
			  size_t variant, const GPtrArray *metrics,
			  GString *out)
{
	const struct ab_report_table *table = &report->tables[index];
	struct tally t = count_table(table, variant);
	g_autofree char *title = html_title(table);

	html_add(out,
		 "<tr><th scope=\"row\"><a href=\"#t%zuv%zu\">%s%s%s</a></th>",
		 index, variant, title, report->n_variants > 2 ? ", " : "",
		 report->n_variants > 2 ? report->variants[variant] : "");
	for (guint m = 0; m < metrics->len; m++)
		add_panel_cell(table, metrics->pdata[m], index, variant, out);
	html_add(out,
		 "<td class=\"n\">%zu</td><td class=\"n\">%zu</td>"
		 "<td class=\"n\">%zu</td><td class=\"n\">%zu</td></tr>\n",
		 t.better, t.worse + t.different, t.equivalent, t.unknown);
}

static void add_panel(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) metrics = primaries(report);

	g_string_append(out,
			"<div class=\"wide\" tabindex=\"0\" role=\"region\""
			" aria-label=\"Panel of scenarios\">\n<table>\n"
			"<caption>Panel: each scenario on each platform, "
			"with the plan's primary metrics and the verdicts "
			"of all</caption>\n<thead><tr>"
			"<th scope=\"col\">Scenario</th>");
	for (guint m = 0; m < metrics->len; m++) {
		g_autofree char *name = html_name(metrics->pdata[m]);

		html_add(out, "<th scope=\"col\">%s</th>", name);
	}
	g_string_append(out, "<th scope=\"col\">better</th>"
			     "<th scope=\"col\">worse or different</th>"
			     "<th scope=\"col\">equivalent</th>"
			     "<th scope=\"col\">not enough data</th>"
			     "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_panel_row(report, i, v, metrics, out);
	g_string_append(out, "</tbody>\n</table>\n</div>\n");
}

void html_summary(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<section id=\"summary\" aria-labelledby=\"h-s\">"
			     "\n<h2 id=\"h-s\">Summary</h2>\n");
	for (size_t v = 1; v < report->n_variants; v++)
		add_sentence(report, v, out);
	if (report->runs_started)
		html_add(out,
			 "<p>Runs: %d planned, %d started, %d accepted, "
			 "%d <a href=\"#runs\">rejected</a>.</p>\n",
			 report->runs_planned, report->runs_started,
			 report->runs_accepted,
			 report->runs_started - report->runs_accepted);
	for (char **note = report->notes; note && *note; note++)
		html_add(out, "<p class=\"note\">Note: %s</p>\n", *note);
	add_panel(report, out);
	g_string_append(out, "</section>\n");
}
