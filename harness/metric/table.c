// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/table.h>

struct ab_table *ab_table_new(const char *id, const char *title,
			      const struct ab_column *columns, guint n_columns)
{
	struct ab_table *table = g_new0(struct ab_table, 1);

	table->id = id;
	table->title = title;
	table->columns = columns;
	table->n_columns = n_columns;
	table->cells = g_array_new(FALSE, FALSE, sizeof(union ab_cell));
	return table;
}

void ab_table_free(struct ab_table *table)
{
	guint i;

	if (!table)
		return;
	for (i = 0; i < table->cells->len; i++)
		if (table->columns[i % table->n_columns].kind == AB_CELL_TEXT)
			g_free(g_array_index(table->cells, union ab_cell, i)
				       .text);
	g_array_unref(table->cells);
	g_free(table);
}

static void append(struct ab_table *table, enum ab_cell_kind kind,
		   union ab_cell cell)
{
	g_assert(table->columns[table->cells->len % table->n_columns].kind ==
		 kind);
	g_array_append_val(table->cells, cell);
}

void ab_table_text(struct ab_table *table, const char *text)
{
	append(table, AB_CELL_TEXT, (union ab_cell){ .text = g_strdup(text) });
}

void ab_table_count(struct ab_table *table, gint64 count)
{
	append(table, AB_CELL_COUNT, (union ab_cell){ .count = count });
}

void ab_table_number(struct ab_table *table, double number)
{
	append(table, AB_CELL_NUMBER, (union ab_cell){ .number = number });
}

guint ab_table_rows(const struct ab_table *table)
{
	return table->cells->len / table->n_columns;
}

const union ab_cell *ab_table_cell(const struct ab_table *table, guint row,
				   guint column)
{
	return &g_array_index(table->cells, union ab_cell,
			      row * table->n_columns + column);
}
