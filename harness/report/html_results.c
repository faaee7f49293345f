// SPDX-License-Identifier: GPL-3.0-or-later
/* All rows of all tables: a forest plot, and its numbers. */
#include "html.h"

static void add_filter(GString *out)
{
	/* Shown by the script that makes it work. */
	g_string_append(
		out,
		"<form id=\"filter\" role=\"search\" hidden>\n"
		"<label>Metrics that contain <input type=\"search\" "
		"id=\"f-text\" autocomplete=\"off\"></label>\n"
		"<label>Verdict <select id=\"f-verdict\">"
		"<option value=\"\">all</option>"
		"<option value=\"changed\">different</option>"
		"<option value=\"better\">better</option>"
		"<option value=\"worse\">worse</option>"
		"<option value=\"equivalent\">equivalent</option>"
		"<option value=\"unknown\">not enough data</option>"
		"</select></label>\n"
		"<label><input type=\"checkbox\" id=\"f-primary\"> primary "
		"only</label>\n"
		"<output id=\"f-count\" aria-live=\"polite\"></output>\n"
		"</form>\n");
}

static void add_columns(const struct ab_report *report, size_t variant,
			GString *out)
{
	g_string_append(out, "<thead><tr><th scope=\"col\">Metric</th>");
	html_add(out,
		 "<th scope=\"col\" class=\"n\">%s</th>"
		 "<th scope=\"col\" class=\"n\">%s</th>",
		 report->variants[0], report->variants[variant]);
	html_add(out, "<th scope=\"col\">Unit</th>"
		      "<th scope=\"col\" class=\"n\">Change</th>"
		      "<th scope=\"col\" class=\"n\">Interval</th>"
		      "<th scope=\"col\">Verdict</th></tr></thead>\n");
}

/* What a column is sorted by; text that is none sorts last. */
static void add_number(GString *out, double key, const char *text)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(buf, sizeof(buf), "%.9g", key);
	html_add(out, "<td class=\"n\" data-v=\"%s\">%s</td>", buf, text);
}

static void add_row(const struct ab_report *report, size_t index, size_t k,
		    size_t variant, GString *out)
{
	const struct ab_report_row *row = &report->tables[index].rows[k];
	const struct ab_comparison *c = &row->versus[variant - 1];
	g_autofree char *name = html_name(row->metric);
	const char *class = html_class(row->metric, c);
	struct html_cells cells;

	html_cells(row, variant, &cells);
	html_add(out,
		 "<tr class=\"row\" data-name=\"%s %s\" data-class=\"%s\"%s>"
		 "<th scope=\"row\"><a href=\"#m%zu-%zu\">%s</a>%s",
		 name, row->metric->id, class,
		 row->primary ? " data-primary" : "", index, k, name,
		 row->primary ? " (primary)" : "");
	g_string_append(out, "</th>");
	add_number(out, c->a.value, cells.a);
	add_number(out, c->b.value, cells.b);
	html_add(out, "<td>%s</td>", cells.unit);
	add_number(out, part_has_percent(c) ? c->pct : c->pct_hi,
		   cells.percent);
	add_number(out, c->pct_lo, cells.interval);
	html_add(out, "<td class=\"%s\">%s", class, cells.verdict);
	if (cells.below)
		html_add(out, "<small>%s</small>", cells.below);
	g_string_append(out, "</td></tr>\n");
	html_cells_clear(&cells);
}

static void add_table(const struct ab_report *report, size_t index,
		      size_t variant, const char *title, GString *out)
{
	const struct ab_report_table *table = &report->tables[index];

	html_add(out,
		 "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		 "aria-label=\"Table of %s\">\n<table class=\"sort\" "
		 "id=\"t%zuv%zu-table\">\n<caption>%s: %s against %s",
		 title, index, variant, title, report->variants[variant],
		 report->variants[0]);
	g_string_append(out, "</caption>\n");
	add_columns(report, variant, out);
	g_string_append(out, "<tbody>\n");
	for (size_t k = 0; k < table->n_rows; k++)
		add_row(report, index, k, variant, out);
	g_string_append(out, "</tbody>\n</table>\n</div>\n");
}

static void add_counts(const struct ab_report *report,
		       const struct ab_report_table *table, size_t variant,
		       GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	part_header(report, table, variant, text);
	html_add(out, "<p>%s</p>\n", text->str);
}

static void add_block(const struct ab_report *report, size_t index,
		      size_t variant, GString *out)
{
	g_autofree char *title = html_title(&report->tables[index]);

	html_add(out,
		 "<section id=\"t%zuv%zu\" aria-label=\"%s\">\n<h3>%s%s%s</h3>"
		 "\n",
		 index, variant, title, title,
		 report->n_variants > 2 ? ": " : "",
		 report->n_variants > 2 ? report->variants[variant] : "");
	add_counts(report, &report->tables[index], variant, out);
	html_add(out,
		 "<details class=\"plot\"%s>\n<summary>Forest plot of %s"
		 "</summary>\n<figure class=\"chart\" data-chart=\"forest\" "
		 "data-table=\"%zu\" data-variant=\"%zu\" role=\"img\" "
		 "aria-label=\"Changes with intervals; their numbers are in "
		 "the table that follows\"></figure>\n</details>\n",
		 index == 0 && variant == 1 ? " open" : "", title, index,
		 variant);
	add_table(report, index, variant, title, out);
	g_string_append(out, "</section>\n");
}

void html_results(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<section id=\"results\" aria-labelledby=\"h-r\">"
			     "\n<h2 id=\"h-r\">Results</h2>\n");
	add_filter(out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_block(report, i, v, out);
	g_string_append(out, "</section>\n");
}
