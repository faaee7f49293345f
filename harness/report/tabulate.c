// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two table styles of Python's tabulate and that of a spreadsheet's export, as
 * kernel mails have them.  Rules taken from tables in the lists' archives: see tests/unit/test-tabulate.c.
 */
#include "parts.h"

#include <string.h>

#define MIN_PADDING 2 /* psql: a column is this much wider than its header */

static const char *cell(const struct tab *tab, size_t row, size_t column)
{
	return tab->cells[row * tab->n_columns + column];
}

static void spaces(GString *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g_string_append_c(out, ' ');
}

static void rule(GString *out, const size_t *widths, size_t n, const char *ends)
{
	g_string_append_c(out, ends[0]);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < widths[i] + 2; k++)
			g_string_append_c(out, '-');
		g_string_append_c(out, i + 1 < n ? ends[1] : ends[0]);
	}
	g_string_append_c(out, '\n');
}

/* Bytes from the decimal point on. */
static size_t after_point(const char *text)
{
	return strlen(text) - strcspn(text, ".");
}

static size_t most_after_point(const struct tab *tab, size_t column)
{
	size_t most = 0;

	for (size_t i = 0; tab->columns[column].number && i < tab->n_rows; i++)
		most = MAX(most, after_point(cell(tab, i, column)));
	return most;
}

static size_t psql_width(const struct tab *tab, size_t column)
{
	size_t width = strlen(tab->columns[column].header) + MIN_PADDING;
	size_t after = most_after_point(tab, column);

	for (size_t i = 0; i < tab->n_rows; i++) {
		const char *text = cell(tab, i, column);
		size_t n = strlen(text);

		if (tab->columns[column].number)
			n += after - after_point(text);
		width = MAX(width, n);
	}
	return width;
}

static void psql_cell(const struct tab *tab, const char *text, size_t column,
		      size_t width, size_t pad_right, GString *out)
{
	size_t fill = width - strlen(text) - pad_right;

	g_string_append(out, column ? " | " : "| ");
	if (tab->columns[column].number)
		spaces(out, fill);
	g_string_append(out, text);
	spaces(out, pad_right);
	if (!tab->columns[column].number)
		spaces(out, fill);
}

static void psql_row(const struct tab *tab, size_t row, const size_t *widths,
		     const size_t *after, GString *out)
{
	for (size_t i = 0; i < tab->n_columns; i++) {
		const char *text = cell(tab, row, i);
		size_t pad = tab->columns[i].number
				     ? after[i] - after_point(text)
				     : 0;

		psql_cell(tab, text, i, widths[i], pad, out);
	}
	g_string_append(out, " |\n");
}

void tab_psql(const struct tab *tab, GString *out)
{
	size_t *widths = g_new(size_t, tab->n_columns);
	size_t *after = g_new(size_t, tab->n_columns);

	for (size_t i = 0; i < tab->n_columns; i++) {
		widths[i] = psql_width(tab, i);
		after[i] = most_after_point(tab, i);
	}
	rule(out, widths, tab->n_columns, "++");
	for (size_t i = 0; i < tab->n_columns; i++)
		psql_cell(tab, tab->columns[i].header, i, widths[i], 0, out);
	g_string_append(out, " |\n");
	rule(out, widths, tab->n_columns, "|+");
	for (size_t i = 0; i < tab->n_rows; i++)
		psql_row(tab, i, widths, after, out);
	rule(out, widths, tab->n_columns, "++");
	g_free(widths);
	g_free(after);
}

/* Centred as Python does it: an odd space goes to the right. */
static size_t centred(size_t fill)
{
	return fill / 2;
}

static void box_cell(const char *text, size_t column, size_t width, size_t left,
		     GString *out)
{
	g_string_append(out, column ? " | " : "| ");
	spaces(out, left);
	g_string_append(out, text);
	spaces(out, width - strlen(text) - left);
}

static size_t box_width(const struct tab *tab, size_t column)
{
	size_t width = strlen(tab->columns[column].header);

	for (size_t k = 0; k < tab->n_rows; k++)
		width = MAX(width, strlen(cell(tab, k, column)));
	return width;
}

static void box_row(const struct tab *tab, size_t row, const size_t *widths,
		    bool all_centred, GString *out)
{
	for (size_t i = 0; i < tab->n_columns; i++) {
		const char *text = cell(tab, row, i);
		size_t fill = widths[i] - strlen(text);
		size_t aligned = tab->columns[i].number ? fill : 0;

		box_cell(text, i, widths[i],
			 all_centred ? centred(fill) : aligned, out);
	}
	g_string_append(out, " |\n");
}

/* Headers are always centred. */
static void box(const struct tab *tab, bool all_centred, GString *out)
{
	g_autofree size_t *widths = g_new(size_t, tab->n_columns);

	for (size_t i = 0; i < tab->n_columns; i++)
		widths[i] = box_width(tab, i);
	rule(out, widths, tab->n_columns, "++");
	for (size_t i = 0; i < tab->n_columns; i++) {
		const char *text = tab->columns[i].header;

		box_cell(text, i, widths[i], centred(widths[i] - strlen(text)),
			 out);
	}
	g_string_append(out, " |\n");
	rule(out, widths, tab->n_columns, "++");
	for (size_t k = 0; k < tab->n_rows; k++)
		box_row(tab, k, widths, all_centred, out);
	rule(out, widths, tab->n_columns, "++");
}

void tab_pretty(const struct tab *tab, GString *out)
{
	box(tab, true, out);
}

void tab_pivot(const struct tab *tab, GString *out)
{
	box(tab, false, out);
}
