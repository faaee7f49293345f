// SPDX-License-Identifier: GPL-3.0-or-later
/* A part for each metric, closed at first: there may be hundreds. */
#include "html.h"

#include <math.h>

static const char *direction_text(const struct ab_metric *metric)
{
	switch (metric->direction) {
	case AB_LOWER_IS_BETTER:
		return "Lower is better.";
	case AB_HIGHER_IS_BETTER:
		return "Higher is better.";
	default:
		return "";
	}
}

static void add_chart(const char *chart, const char *label, size_t index,
		      size_t k, GString *out)
{
	html_add(out,
		 "<figure class=\"chart\" data-chart=\"%s\" "
		 "data-table=\"%zu\" data-row=\"%zu\" role=\"img\" "
		 "aria-label=\"%s\"></figure>\n",
		 chart, index, k, label);
}

static void add_charts(const struct ab_report_row *row, size_t index, size_t k,
		       GString *out)
{
	bool samples = html_over_samples(row->metric);

	g_string_append(out, "<div class=\"charts\">\n");
	add_chart("ecdf",
		  samples ? "Distribution of samples; the table of quantiles "
			    "has its numbers"
			  : "Distribution of run values; the table of "
			    "quantiles has its numbers",
		  index, k, out);
	g_string_append(out, "<div>\n");
	add_chart("strip", "Values of the runs; the table of runs has them",
		  index, k, out);
	if (samples)
		add_chart("tail",
			  "How many samples are large; the table of quantiles "
			  "has its numbers",
			  index, k, out);
	g_string_append(out, "</div>\n");
	add_chart("order",
		  "Values of the runs and skin temperature over time; the "
		  "table of runs has them",
		  index, k, out);
	g_string_append(out, "</div>\n");
}

static void add_dist_head(const struct ab_report_row *row, GString *out)
{
	g_autofree char *name = html_name(row->metric);
	const char *unit = html_sample_unit(row->metric);

	html_add(out,
		 "<table>\n<caption>%s: distribution of %s%s%s%s</caption>\n"
		 "<thead><tr><th scope=\"col\">Variant</th>"
		 "<th scope=\"col\" class=\"n\">n</th>",
		 name,
		 html_over_samples(row->metric) ? "samples" : "run values",
		 *unit ? " [" : "", unit, *unit ? "]" : "");
	g_string_append(out, "<th scope=\"col\" class=\"n\">mean</th>");
	for (size_t q = 0; q < HTML_QUANTILES; q++)
		g_string_append_printf(out,
				       "<th scope=\"col\" class=\"n\">P%g</th>",
				       100 * html_quantiles[q]);
	g_string_append(out, "<th scope=\"col\" class=\"n\">max</th>"
			     "</tr></thead>\n<tbody>\n");
}

static void add_number(GString *out, double value)
{
	g_autofree char *text =
		number_text(value, number_decimals(value, value));

	html_add(out, "<td class=\"n\">%s</td>", text);
}

static void add_dist(const struct ab_report *report,
		     const struct html_dist *dist,
		     const struct ab_report_row *row, GString *out)
{
	add_dist_head(row, out);
	for (size_t v = 0; v < report->n_variants; v++) {
		g_autofree char *n = number_count(dist[v].n);

		html_add(out,
			 "<tr><th scope=\"row\" class=\"v%zu\">%s</th>"
			 "<td class=\"n\">%s</td>",
			 v, report->variants[v], n);
		add_number(out, dist[v].mean);
		for (size_t q = 0; q < HTML_QUANTILES; q++)
			add_number(out, dist[v].quantiles[q]);
		add_number(out, dist[v].max);
		g_string_append(out, "</tr>\n");
	}
	g_string_append(out, "</tbody>\n</table>\n");
}

static void add_notes(const struct ab_report *report,
		      const struct ab_report_row *row, size_t variant,
		      GString *out)
{
	const struct ab_notes *notes =
		row->notes ? &row->notes[variant - 1] : NULL;

	for (size_t i = 0; notes && i < notes->n; i++) {
		const struct ab_note *note = &notes->notes[i];
		g_autofree char *text = NULL;

		if (!note->noticed)
			continue;
		text = ab_note_text(note, row->metric);
		html_add(out, "<p class=\"note\">Noticed (%s): %s</p>\n",
			 note->variant == AB_NOTE_BOTH
				 ? report->variants[variant]
				 : report->variants[note->variant],
			 text);
	}
}

static void add_versus(const struct ab_report *report,
		       const struct ab_report_row *row, size_t variant,
		       GString *out)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	struct html_cells cells;

	html_cells(row, variant, &cells);
	html_add(out, "<p><b class=\"v%zu\">%s</b>: %s \u2192 %s %s, %s %s ",
		 variant, report->variants[variant], cells.a, cells.b,
		 cells.unit, cells.percent, cells.interval);
	html_add(out, "<span class=\"%s\">%s</span>%s%s; %d vs. %d runs",
		 html_class(row->metric, c), cells.verdict,
		 cells.below ? "; " : "", cells.below ? cells.below : "",
		 c->a.runs, c->b.runs);
	if (c->a.boots)
		html_add(out, ", %d vs. %d boots", c->a.boots, c->b.boots);
	if (row->effects && row->metric->stat != AB_STAT_MAX) {
		g_autofree char *effect = part_effect(
			&row->effects[variant - 1], row->metric->unit, 1);

		html_add(out, "; %s", effect);
	}
	g_string_append(out, ".</p>\n");
	html_cells_clear(&cells);
	add_notes(report, row, variant, out);
}

static const char *row_class(const struct ab_report_row *row)
{
	return row->n_versus ? html_class(row->metric, &row->versus[0])
			     : "none";
}

static void add_summary(const struct ab_report_row *row, GString *out)
{
	g_autofree char *name = html_name(row->metric);
	struct html_cells cells;

	html_add(out, "<summary>%s", name);
	if (row->n_versus) {
		html_cells(row, 1, &cells);
		html_add(out,
			 " <span class=\"n\">%s \u2192 %s %s %s</span> "
			 "<span class=\"%s\">%s</span>",
			 cells.a, cells.b, cells.unit, cells.percent,
			 row_class(row), cells.verdict);
		html_cells_clear(&cells);
	}
	g_string_append(out, "</summary>\n");
}

static void add_metric(const struct ab_report *report,
		       const struct html_dists *dists, size_t index, size_t k,
		       GString *out)
{
	const struct ab_report_table *table = &report->tables[index];
	const struct ab_report_row *row = &table->rows[k];
	g_autofree char *name = html_name(row->metric);

	html_add(out,
		 "<details class=\"metric\" id=\"m%zu-%zu\" "
		 "data-name=\"%s %s\" data-class=\"%s\"%s>\n",
		 index, k, name, row->metric->id, row_class(row),
		 row->primary ? " data-primary" : "");
	add_summary(row, out);
	html_add(out, "<p><code>%s</code>. %s %s</p>\n", row->metric->id,
		 row->metric->definition ? row->metric->definition : "",
		 direction_text(row->metric));
	for (size_t v = 1; v < report->n_variants; v++)
		add_versus(report, row, v, out);
	add_charts(row, index, k, out);
	g_string_append(out, "<div class=\"wide\" tabindex=\"0\" "
			     "role=\"region\" aria-label=\"Quantiles\">\n");
	add_dist(report, html_dists_find(dists, table, row), row, out);
	g_string_append(out, "</div>\n");
	html_blocks(report, row, out);
	g_string_append(out, "</details>\n");
}

void html_metrics(const struct ab_report *report,
		  const struct html_dists *dists, GString *out)
{
	g_string_append(out, "<section id=\"metrics\" aria-labelledby=\"h-m\">"
			     "\n<h2 id=\"h-m\">Metrics</h2>\n");
	for (size_t i = 0; i < report->n_tables; i++) {
		g_autofree char *title = html_title(&report->tables[i]);

		html_add(out, "<h3>%s</h3>\n", title);
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			add_metric(report, dists, i, k, out);
	}
	g_string_append(out, "</section>\n");
}
