// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of rows: A -> B, percent, interval, verdict, in columns. */
#include "lines.h"

#include "parts.h"

#include <math.h>
#include <string.h>

#define LONGEST_LABEL 24
#define LONGEST_UNIT 16

static void free_line(gpointer data)
{
	struct line *line = data;

	for (size_t i = 0; i < LINE_COLUMNS; i++)
		g_free(line->cells[i]);
	g_free(line->head);
	g_free(line->whole);
	g_free(line->below);
	g_free(line);
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
	line->cells[LINE_LABEL] =
		fits ? text_ascii(metric->label) : g_strdup("");
	line->cells[LINE_UNIT] = fits ? text_ascii(unit) : g_strdup("");
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

struct line *line_make(const struct ab_report *report,
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
	line->cells[LINE_A] = part_value(&c->a, scale, decimals);
	line->cells[LINE_B] = part_value(&c->b, scale, decimals);
	if (row->metric->stat == AB_STAT_MAX) {
		fill_worst(line, c);
	} else {
		line->cells[LINE_PERCENT] = part_percent(c, reasons);
		line->cells[LINE_INTERVAL] = interval_text(c, reasons);
		line->cells[LINE_VERDICT] = part_verdict(c);
	}
	line->below = part_below(report, table, row, variant);
	return line;
}

static size_t cell_width(const struct line *line, size_t column)
{
	return line->cells[column] ? strlen(line->cells[column]) : 0;
}

void lines_measure(const GPtrArray *lines, size_t *widths)
{
	for (guint i = 0; i < lines->len; i++)
		for (size_t k = 0; k < LINE_COLUMNS; k++)
			widths[k] =
				MAX(widths[k], cell_width(lines->pdata[i], k));
}

static void add_cell(GString *out, const struct line *line, size_t column,
		     const size_t *widths)
{
	const char *text = line->cells[column] ? line->cells[column] : "";
	int width = (int)widths[column];

	if (column == LINE_LABEL || column == LINE_UNIT ||
	    column == LINE_VERDICT)
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
	size_t right = widths[LINE_PERCENT] + widths[LINE_INTERVAL] +
		       widths[LINE_VERDICT] + 2;
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
	add_cell(out, line, LINE_LABEL, widths);
	g_string_append_c(out, ' ');
	add_cell(out, line, LINE_A, widths);
	g_string_append(out, " -> ");
	add_cell(out, line, LINE_B, widths);
	g_string_append_c(out, ' ');
	add_cell(out, line, LINE_UNIT, widths);
	g_string_append_c(out, ' ');
	if (folded)
		fold(out, widths);
	if (line->whole) {
		g_string_append(out, line->whole);
	} else {
		add_cell(out, line, LINE_PERCENT, widths);
		g_string_append_c(out, ' ');
		add_cell(out, line, LINE_INTERVAL, widths);
		g_string_append_c(out, ' ');
		add_cell(out, line, LINE_VERDICT, widths);
	}
	end_line(out);
	if (line->below)
		text_wrap(out, line->below, 6, 6);
}

bool lines_too_wide(const GPtrArray *lines, const size_t *widths)
{
	size_t left = 2 + widths[LINE_LABEL] + 1 + widths[LINE_A] + 4 +
		      widths[LINE_B] + 1 + widths[LINE_UNIT] + 1;
	size_t right = widths[LINE_PERCENT] + 1 + widths[LINE_INTERVAL] + 1 +
		       widths[LINE_VERDICT];

	for (guint i = 0; i < lines->len; i++) {
		const struct line *line = lines->pdata[i];

		if (line->whole)
			right = MAX(right, strlen(line->whole));
	}
	return left + right > REPORT_CAP;
}

GPtrArray *lines_new(void)
{
	return g_ptr_array_new_with_free_func(free_line);
}

void lines_print(const GPtrArray *lines, const size_t *widths, GString *out)
{
	bool folded = lines_too_wide(lines, widths);
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
