// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <abrig/trace_report.h>
#include <math.h>
#include <string.h>

void csv_text(GString *out, const char *text)
{
	g_auto(GStrv) parts = NULL;
	g_autofree char *doubled = NULL;

	if (!strpbrk(text, ",\"\r\n")) {
		g_string_append(out, text);
		return;
	}
	parts = g_strsplit(text, "\"", -1);
	doubled = g_strjoinv("\"\"", parts);
	g_string_append_printf(out, "\"%s\"", doubled);
}

const char *csv_digits(char buf[static G_ASCII_DTOSTR_BUF_SIZE], double value)
{
	static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

	buf[0] = '\0';
	if (!isfinite(value))
		return buf;
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(buf, G_ASCII_DTOSTR_BUF_SIZE, formats[i],
				value);
		if (g_ascii_strtod(buf, NULL) == value)
			break;
	}
	return buf;
}

void csv_number(GString *out, double value)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append(out, csv_digits(buf, value));
}

void csv_line(GString *out, const char *const *fields, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			g_string_append_c(out, ',');
		csv_text(out, fields[i] ? fields[i] : "");
	}
	g_string_append_c(out, '\n');
}

void csv_cell(const struct ab_table *table, guint row, guint column,
	      GString *out)
{
	const union ab_cell *cell = ab_table_cell(table, row, column);

	switch ((enum ab_cell_kind)table->columns[column].kind) {
	case AB_CELL_TEXT:
		csv_text(out, cell->text);
		break;
	case AB_CELL_COUNT:
		g_string_append_printf(out, "%" G_GINT64_FORMAT, cell->count);
		break;
	case AB_CELL_NUMBER:
		csv_number(out, cell->number);
		break;
	}
}

void ab_table_csv(const struct ab_table *table, GString *out)
{
	guint rows = ab_table_rows(table), row, i;

	for (i = 0; i < table->n_columns; i++) {
		if (i)
			g_string_append_c(out, ',');
		csv_text(out, table->columns[i].id);
	}
	g_string_append_c(out, '\n');
	for (row = 0; row < rows; row++) {
		for (i = 0; i < table->n_columns; i++) {
			if (i)
				g_string_append_c(out, ',');
			csv_cell(table, row, i, out);
		}
		g_string_append_c(out, '\n');
	}
}
