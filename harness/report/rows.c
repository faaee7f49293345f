// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of the table in the 2026 pm_wq thread: A -> B, percent, interval,
 * verdict, one line per metric, one block per variant and table.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

#define LONGEST_LABEL 24
#define LONGEST_UNIT 16

enum column { LABEL, A, B, UNIT, PERCENT, INTERVAL, VERDICT, N_COLUMNS };

struct line {
	const char *group;
	char *head; /* what is too long for its cells; may be NULL */
	char *cells[N_COLUMNS];
	char *whole; /* instead of PERCENT and what follows */
	char *below; /* a line of its own; may be NULL */
};

static void free_line(gpointer data)
{
	struct line *line = data;

	for (size_t i = 0; i < N_COLUMNS; i++)
		g_free(line->cells[i]);
	g_free(line->head);
	g_free(line->whole);
	g_free(line->below);
	g_free(line);
}

static char *value_text(const struct ab_estimate *e, double scale, int decimals)
{
	g_autofree char *bound = NULL;

	if (!isfinite(e->upper))
		return number_text(e->value * scale, decimals);
	bound = number_bound(e->upper * scale);
	return g_strconcat("< ", bound, NULL);
}

static char *percent_text(const struct ab_comparison *c,
			  const GPtrArray *reasons)
{
	g_autofree char *bound = NULL;

	if (part_has_percent(c))
		return number_percent(c->pct);
	if (!isfinite(c->pct_hi))
		return part_mark(reasons, part_reason(c));
	bound = number_percent(c->pct_hi);
	return g_strconcat("< ", bound, NULL);
}

static char *interval_text(const struct ab_comparison *c,
			   const GPtrArray *reasons)
{
	if (!part_has_percent(c))
		return NULL;
	if (part_has_interval(c))
		return number_percent_interval(c->pct_lo, c->pct_hi);
	return part_mark(reasons, part_reason(c));
}

/* Names that others gave can be of any length; ours fit. */
static void name_line(struct line *line, const struct ab_metric *metric,
		      const char *unit)
{
	bool fits = strlen(metric->label) <= LONGEST_LABEL &&
		    strlen(unit) <= LONGEST_UNIT;

	line->group = metric->group;
	line->cells[LABEL] = fits ? text_ascii(metric->label) : g_strdup("");
	line->cells[UNIT] = fits ? text_ascii(unit) : g_strdup("");
	if (!fits)
		line->head = g_strdup_printf("%s%s%s%s", metric->label,
					     *unit ? " [" : "", unit,
					     *unit ? "]" : "");
}

static void fill_worst(struct line *line, const struct ab_comparison *c)
{
	g_autofree char *a = number_count(c->a.samples);
	g_autofree char *b = number_count(c->b.samples);

	line->whole = g_strdup_printf("worst of %s / %s", a, b);
}

static struct line *make_line(const struct ab_report *report,
			      const struct ab_report_table *table,
			      const struct ab_report_row *row, size_t variant,
			      const GPtrArray *reasons)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	struct line *line = g_new0(struct line, 1);
	double scale;
	const char *unit =
		part_unit(row->metric, c->a.value, c->b.value, &scale);
	int decimals = number_decimals(c->a.value * scale, c->b.value * scale);

	name_line(line, row->metric, unit);
	line->cells[A] = value_text(&c->a, scale, decimals);
	line->cells[B] = value_text(&c->b, scale, decimals);
	if (row->metric->stat == AB_STAT_MAX) {
		fill_worst(line, c);
	} else {
		line->cells[PERCENT] = percent_text(c, reasons);
		line->cells[INTERVAL] = interval_text(c, reasons);
		line->cells[VERDICT] = part_verdict(c);
	}
	line->below = part_below(report, table, row, variant);
	return line;
}

static size_t cell_width(const struct line *line, size_t column)
{
	return line->cells[column] ? strlen(line->cells[column]) : 0;
}

/* Widen @widths to what the lines need. */
static void measure(const GPtrArray *lines, size_t *widths)
{
	for (guint i = 0; i < lines->len; i++)
		for (size_t k = 0; k < N_COLUMNS; k++)
			widths[k] =
				MAX(widths[k], cell_width(lines->pdata[i], k));
}

static void add_cell(GString *out, const struct line *line, size_t column,
		     const size_t *widths)
{
	const char *text = line->cells[column] ? line->cells[column] : "";
	int width = (int)widths[column];

	if (column == LABEL || column == UNIT || column == VERDICT)
		g_string_append_printf(out, "%-*s", width, text);
	else
		g_string_append_printf(out, "%*s", width, text);
}

static void end_line(GString *out)
{
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

/* What follows the values stands at the right, below them if it must. */
static void fold(GString *out, const size_t *widths)
{
	size_t right = widths[PERCENT] + widths[INTERVAL] + widths[VERDICT] + 2;
	size_t column = right < REPORT_CAP - 4 ? REPORT_CAP - right : 4;
	size_t used;

	end_line(out);
	g_string_truncate(out, out->len - 1);
	used = strlen(strrchr(out->str, '\n') + 1);
	if (used >= column) {
		g_string_append_c(out, '\n');
		used = 0;
	}
	g_string_append_printf(out, "%*s", (int)(column - used), "");
}

static void add_line(GString *out, const struct line *line,
		     const size_t *widths, bool folded)
{
	if (line->head)
		text_wrap(out, line->head, 2, 4);
	g_string_append(out, "  ");
	add_cell(out, line, LABEL, widths);
	g_string_append_c(out, ' ');
	add_cell(out, line, A, widths);
	g_string_append(out, " -> ");
	add_cell(out, line, B, widths);
	g_string_append_c(out, ' ');
	add_cell(out, line, UNIT, widths);
	g_string_append_c(out, ' ');
	if (folded)
		fold(out, widths);
	if (line->whole) {
		g_string_append(out, line->whole);
	} else {
		add_cell(out, line, PERCENT, widths);
		g_string_append_c(out, ' ');
		add_cell(out, line, INTERVAL, widths);
		g_string_append_c(out, ' ');
		add_cell(out, line, VERDICT, widths);
	}
	end_line(out);
	if (line->below)
		text_wrap(out, line->below, 6, 6);
}

static bool too_wide(const GPtrArray *lines, const size_t *widths)
{
	size_t left = 2 + widths[LABEL] + 1 + widths[A] + 4 + widths[B] + 1 +
		      widths[UNIT] + 1;
	size_t right =
		widths[PERCENT] + 1 + widths[INTERVAL] + 1 + widths[VERDICT];

	for (guint i = 0; i < lines->len; i++) {
		const struct line *line = lines->pdata[i];

		if (line->whole)
			right = MAX(right, strlen(line->whole));
	}
	return left + right > REPORT_CAP;
}

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
	GPtrArray *lines = g_ptr_array_new_with_free_func(free_line);

	for (size_t i = 0; i < table->n_rows; i++)
		g_ptr_array_add(lines, make_line(report, table, &table->rows[i],
						 variant, reasons));
	return lines;
}

static void add_lines(const GPtrArray *lines, const size_t *widths,
		      GString *out)
{
	bool folded = too_wide(lines, widths);
	const char *group = NULL;

	for (guint i = 0; i < lines->len; i++) {
		const struct line *line = lines->pdata[i];

		if (*line->group && (!group || strcmp(group, line->group) != 0))
			text_heading(out, line->group);
		group = line->group;
		add_line(out, line, widths, folded);
	}
	if (lines->len == 0)
		g_string_append(out, "  nothing was measured\n");
}

/* Columns stand at the same place in all tables, unless one is too wide. */
static bool common_widths(const struct ab_report *report,
			  const GPtrArray *reasons, size_t *widths)
{
	bool fits = true;

	memset(widths, 0, N_COLUMNS * sizeof(*widths));
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++) {
			g_autoptr(GPtrArray) lines = make_lines(
				report, &report->tables[i], v, reasons);

			measure(lines, widths);
			fits = fits && !too_wide(lines, widths);
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
	size_t widths[N_COLUMNS] = { 0 };

	measure(lines, widths);
	part_header(report, table, variant, out);
	add_rule(out);
	add_lines(lines, common ? common : widths, out);
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
	size_t widths[N_COLUMNS];
	bool common = common_widths(report, reasons, widths);

	add_title(report, out);
	part_panel(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			add_block(report, &report->tables[i], v, reasons,
				  common ? widths : NULL, out);
	part_footnotes(report, reasons, out);
}

const struct ab_report_ops ab_report_rows = {
	.name = "rows",
	.help = "one line per metric: A -> B, percent, interval, verdict",
	.file = "report.txt",
	.write = write_rows,
};
