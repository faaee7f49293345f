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

void csv_number(GString *out, double value)
{
	static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
	char buf[G_ASCII_DTOSTR_BUF_SIZE] = "";

	if (!isfinite(value))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(buf, sizeof(buf), formats[i], value);
		if (g_ascii_strtod(buf, NULL) == value)
			break;
	}
	g_string_append(out, buf);
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
