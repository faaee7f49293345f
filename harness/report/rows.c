// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of the table in the 2026 pm_wq thread: A -> B, percent, interval,
 * verdict, one line per metric, one block per variant and table.
 */
#include "lines.h"
#include "parts.h"
#include "payers.h"

#include <string.h>

static void add_rule(GString *out)
{
	/* Indented: a line of dashes at the margin ends a patch's message. */
	g_string_append(out, "  ");
	for (int i = 2; i < REPORT_WIDTH; i++)
		g_string_append_c(out, '-');
	g_string_append_c(out, '\n');
}

static GPtrArray *make_lines(const struct ab_report *report,
			     const struct ab_report_table *table,
			     size_t variant, const GPtrArray *reasons)
{
	GPtrArray *lines = lines_new();

	for (size_t i = 0; i < table->n_rows; i++)
		g_ptr_array_add(lines, line_make(report, table, &table->rows[i],
						 variant, reasons));
	return lines;
}

/* Columns stand at the same place in all tables, unless one is too wide. */
static bool common_widths(const struct ab_report *report,
			  const GPtrArray *reasons, size_t *widths)
{
	bool fits = true;

	memset(widths, 0, LINE_COLUMNS * sizeof(*widths));
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++) {
			g_autoptr(GPtrArray) lines = make_lines(
				report, &report->tables[i], v, reasons);

			lines_measure(lines, widths);
			fits = fits && !lines_too_wide(lines, widths);
		}
	return fits;
}

static void add_block(const struct ab_report *report,
		      const struct ab_report_table *table, size_t variant,
		      const GPtrArray *reasons, const size_t *common,
		      GString *out)
{
	g_autoptr(GPtrArray) lines =
		make_lines(report, table, variant, reasons);
	size_t widths[LINE_COLUMNS] = { 0 };

	lines_measure(lines, widths);
	part_header(report, table, variant, out);
	add_rule(out);
	lines_print(lines, common ? common : widths, out);
	part_needs(table, variant, out);
	g_string_append_c(out, '\n');
}

static void add_title(const struct ab_report *report, GString *out)
{
	g_autofree char *text = NULL;

	if (report->n_variants < 2)
		return;
	text = g_strdup_printf(
		"Rows: %s -> %s, change, its %g %% interval, verdict.",
		report->variants[0],
		report->n_variants > 2 ? "variant" : report->variants[1],
		100 * part_level(report));
	text_wrap(out, text, 0, 2);
	g_string_append_c(out, '\n');
}

static void write_rows(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) reasons = part_reasons(report);
	size_t widths[LINE_COLUMNS];
	bool common = common_widths(report, reasons, widths);

	add_title(report, out);
	part_panel(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_block(report, &report->tables[i], v, reasons,
				  common ? widths : NULL, out);
	payers_text(report, out);
	part_footnotes(report, reasons, out);
}

const struct ab_report_ops ab_report_rows = {
	.name = "rows",
	.help = "one line per metric: A -> B, percent, interval, verdict",
	.file = "report.txt",
	.write = write_rows,
};
