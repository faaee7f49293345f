// SPDX-License-Identifier: GPL-3.0-or-later
/* Who pays: all classes of threads and all rails, losers first. */
#include "html.h"
#include "payers.h"

#include <math.h>
#include <string.h>

#define MOST 500 /* rows of a table; JSON has all */

static int compare_ranked(gconstpointer a, gconstpointer b)
{
	const struct payer_ranked *x = a, *y = b;

	if (x->moved != y->moved)
		return x->moved > y->moved ? -1 : 1;
	return strcmp(x->payer->name, y->payer->name);
}

/* ---- one table ---- */

static bool in_table(int pay, bool rails)
{
	return (pay == AB_PAY_ENERGY) == rails;
}

static void add_head(const GArray *ranked, bool rails, const char *caption,
		     GString *out)
{
	html_add(out,
		 "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		 "aria-label=\"%s\">\n<table class=\"sort\">\n"
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">%s</th>",
		 caption, caption, rails ? "Rail" : "Class of threads");
	for (int pay = 0; pay < AB_PAYS; pay++) {
		const char *label = NULL;

		for (guint i = 0; !label && i < ranked->len; i++) {
			const struct ab_metric *m =
				g_array_index(ranked, struct payer_ranked, i)
					.payer->rows[pay]
					.metric;

			label = m ? m->label : NULL;
		}
		if (in_table(pay, rails))
			html_add(out, "<th scope=\"col\">%s</th>",
				 label ? label : "");
	}
	g_string_append(out, "</tr></thead>\n<tbody>\n");
}

static void add_cell(const struct ab_report_row *row, size_t variant,
		     GString *out)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];
	struct html_cells cells;

	if (!row->metric) {
		g_string_append(out, "<td data-v=\"-\"></td>");
		return;
	}
	g_ascii_formatd(buf, sizeof(buf), "%.9g",
			row->versus[variant - 1].diff);
	html_cells(row, variant, &cells);
	html_add(out,
		 "<td data-v=\"%s\">%s \u2192 %s %s<br><span class=\"%s\">"
		 "<b>%s</b> %s %s</span></td>",
		 buf, cells.a, cells.b, cells.unit,
		 html_class(row->metric, &row->versus[variant - 1]),
		 cells.percent, cells.interval, cells.verdict);
	html_cells_clear(&cells);
}

static void add_payer(const struct ab_report_payer *payer, const char *name,
		      size_t variant, bool rails, GString *out)
{
	html_add(out, "<tr><th scope=\"row\">%s</th>", name);
	for (int pay = 0; pay < AB_PAYS; pay++)
		if (in_table(pay, rails))
			add_cell(&payer->rows[pay], variant, out);
	g_string_append(out, "</tr>\n");
}

static void say_side(const struct payer_side *side, const char *verb,
		     const char *unit, GString *out)
{
	g_autofree char *moved = number_signed(
		side->moved, number_decimals(side->moved, side->moved));

	html_add(out, "%zu %s (%s %s; %zu different)", (size_t)side->n, verb,
		 moved, unit, (size_t)side->different);
}

static void say_counts(const struct ab_report_table *table, size_t variant,
		       bool rails, GString *out)
{
	struct payer_tally t = payer_count(table, variant, rails);
	const char *unit = rails ? "mJ/run" : "ms/run";

	html_add(out, "<p>Of %zu %s ", (size_t)t.n,
		 rails ? "rails" : "classes of threads");
	say_side(&t.lost, rails ? "use more" : "wait longer", unit, out);
	g_string_append(out, ", ");
	say_side(&t.gained, "less", unit, out);
	g_string_append(out, ".</p>\n");
}

static void add_table(const struct ab_report *report,
		      const struct ab_report_table *table, size_t variant,
		      bool rails, GString *out)
{
	g_autoptr(GArray) ranked =
		payers_rank(table, variant, rails, compare_ranked);
	g_autofree char *title = html_title(table);
	g_autofree char *caption = g_strdup_printf(
		"%s: %s, %s against %s, losers first", title,
		rails ? "energy of each rail"
		      : "waiting and running time of each class",
		report->variants[variant], report->variants[0]);

	if (!ranked->len)
		return;
	say_counts(table, variant, rails, out);
	add_head(ranked, rails, caption, out);
	if (!rails && table->all_classes)
		add_payer(table->all_classes, "all classes", variant, rails,
			  out);
	for (guint i = 0; i < MIN(ranked->len, MOST); i++) {
		const struct ab_report_payer *payer =
			g_array_index(ranked, struct payer_ranked, i).payer;

		add_payer(payer, payer->name, variant, rails, out);
	}
	g_string_append(out, "</tbody>\n</table>\n</div>\n");
	if (ranked->len > MOST)
		html_add(out, "<p>%zu more are in the JSON report.</p>\n",
			 (size_t)(ranked->len - MOST));
}

/* ---- the section ---- */

bool html_has_payers(const struct ab_report *report)
{
	for (size_t i = 0; i < report->n_tables; i++)
		if (report->tables[i].n_payers)
			return true;
	return false;
}

static void say_family(const struct ab_report *report, GString *out)
{
	g_autofree char *rate = number_text(100 - 100 * report->level, 0);

	html_add(out,
		 "<p>%zu changes were tested here; their verdicts hold the "
		 "false discovery rate at %s\u00a0%% (Benjamini and Hochberg), "
		 "for themselves. A class that a run does not have waits and "
		 "runs for 0\u00a0ms in it.</p>\n",
		 report->payer_tests, rate);
}

void html_payers(const struct ab_report *report, GString *out)
{
	if (!html_has_payers(report))
		return;
	g_string_append(out, "<section id=\"payers\" aria-labelledby=\"h-y\">"
			     "\n<h2 id=\"h-y\">Who pays</h2>\n");
	say_family(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++) {
			g_autofree char *title = html_title(&report->tables[i]);

			if (!report->tables[i].n_payers)
				continue;
			html_add(out,
				 "<details>\n<summary>%s: %s against %s"
				 "</summary>\n",
				 title, report->variants[v],
				 report->variants[0]);
			add_table(report, &report->tables[i], v, false, out);
			add_table(report, &report->tables[i], v, true, out);
			g_string_append(out, "</details>\n");
		}
	g_string_append(out, "</section>\n");
}
