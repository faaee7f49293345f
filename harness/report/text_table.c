// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables of typed cells for people: numbers right-aligned, the unit below the
 * title.  What is too wide is cut into groups of columns that each begin with
 * the columns that name the row.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

#define INDENT 2
#define GAP 2
#define CELL_MAX 40 /* of text */
#define TITLE_LINES 2
#define KEYS_MAX 60 /* bytes of the columns that name a row */

/* @title in lines of at most @width, which its longest word is not beyond. */
static char **title_lines(const char *title, size_t width)
{
	g_auto(GStrv) words = g_strsplit(title, " ", -1);
	GPtrArray *lines = g_ptr_array_new();

	for (char **word = words; *word; word++) {
		char **last = lines->len
				      ? (char **)&lines->pdata[lines->len - 1]
				      : NULL;

		if (last && strlen(*last) + 1 + strlen(*word) <= width) {
			char *longer = g_strconcat(*last, " ", *word, NULL);

			g_free(*last);
			*last = longer;
		} else {
			g_ptr_array_add(lines, g_strdup(*word));
		}
	}
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}

/* The width in which a title takes no more than TITLE_LINES. */
static size_t title_width(const char *title)
{
	size_t width = 0, lines;

	for (const char *p = title; *p; p += *p == ' ') {
		size_t n = strcspn(p, " ");

		width = MAX(width, n);
		p += n;
	}
	do {
		g_auto(GStrv) text = title_lines(title, width);

		lines = g_strv_length(text);
	} while (lines > TITLE_LINES && width++ < strlen(title));
	return width;
}

static size_t column_width(const struct text_table *t, size_t column)
{
	size_t width =
		MAX(title_width(t->titles[column]), strlen(t->units[column]));

	for (size_t i = 0; i < t->n_rows; i++)
		width = MAX(width, strlen(t->cells[i * t->n_columns + column]));
	return width;
}

static void pad(GString *out, size_t n)
{
	g_string_append_printf(out, "%*s", (int)n, "");
}

/* Of the row @cells those in @columns; no blanks at the line's end. */
static void line(const struct text_table *t, const size_t *widths,
		 const GArray *columns, const char *const *cells, GString *out)
{
	for (guint i = 0; i < columns->len; i++) {
		size_t column = g_array_index(columns, size_t, i);
		size_t fill = widths[column] - strlen(cells[column]);

		pad(out, i ? GAP : INDENT);
		if (t->right[column])
			pad(out, fill);
		g_string_append(out, cells[column]);
		if (!t->right[column])
			pad(out, fill);
	}
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static bool has_units(const struct text_table *t, const GArray *columns)
{
	for (guint i = 0; i < columns->len; i++)
		if (*t->units[g_array_index(columns, size_t, i)])
			return true;
	return false;
}

/* The titles end above the units, whatever their number of lines. */
static void head(const struct text_table *t, const size_t *widths,
		 const GArray *columns, GString *out)
{
	g_autofree const char **cells = g_new0(const char *, t->n_columns);
	g_autofree char ***titles = g_new0(char **, t->n_columns);
	size_t most = 1;

	for (size_t i = 0; i < t->n_columns; i++)
		titles[i] = title_lines(t->titles[i], widths[i]);
	for (guint i = 0; i < columns->len; i++) {
		size_t column = g_array_index(columns, size_t, i);

		most = MAX(most, g_strv_length(titles[column]));
	}
	for (size_t left = most; left > 0; left--) {
		for (size_t i = 0; i < t->n_columns; i++) {
			size_t n = g_strv_length(titles[i]);

			cells[i] = left <= n ? titles[i][n - left] : "";
		}
		line(t, widths, columns, cells, out);
	}
	for (size_t i = 0; i < t->n_columns; i++)
		g_strfreev(titles[i]);
}

static void group(const struct text_table *t, const size_t *widths,
		  const GArray *columns, GString *out)
{
	head(t, widths, columns, out);
	if (has_units(t, columns))
		line(t, widths, columns, t->units, out);
	for (size_t row = 0; row < t->n_rows; row++)
		line(t, widths, columns, t->cells + row * t->n_columns, out);
}

/* The columns of one group, from *@next on, which moves behind them. */
static GArray *next_group(const struct text_table *t, const size_t *widths,
			  size_t *next)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t width = INDENT;
	size_t i;

	for (i = 0; i < t->n_keys; i++) {
		g_array_append_val(columns, i);
		width += widths[i] + GAP;
	}
	for (i = *next; i < t->n_columns; i++) {
		width += widths[i];
		/* At least one, or there would be no end. */
		if (i > *next && width > t->width)
			break;
		g_array_append_val(columns, i);
		width += GAP;
	}
	*next = i;
	return columns;
}

void text_table(const struct text_table *table, GString *out)
{
	g_autofree size_t *widths = g_new(size_t, table->n_columns);
	size_t next = table->n_keys;

	g_assert(table->n_keys <= table->n_columns);
	for (size_t i = 0; i < table->n_columns; i++)
		widths[i] = column_width(table, i);
	do {
		bool first = next == table->n_keys;
		g_autoptr(GArray) columns = next_group(table, widths, &next);

		if (!first)
			g_string_append_c(out, '\n');
		group(table, widths, columns, out);
	} while (next < table->n_columns);
}

/* A long name's end says as much as its beginning. */
static char *shorten(const char *text)
{
	char *ascii = text_ascii(text);
	size_t n = strlen(ascii), half = (CELL_MAX - 3) / 2;

	if (n > CELL_MAX) {
		memmove(ascii + half, "...", 3);
		memmove(ascii + half + 3, ascii + n - (CELL_MAX - half - 3),
			CELL_MAX - half - 3 + 1);
	}
	return ascii;
}

/* A pid is a name, not a quantity: no separators. */
static bool is_name(const struct ab_column *c)
{
	return c->kind == AB_CELL_TEXT || !strcmp(c->id, "pid") ||
	       !strcmp(c->id, "tid");
}

static char *cell_text(const struct ab_table *table, guint row, guint i)
{
	const union ab_cell *cell = ab_table_cell(table, row, i);

	switch ((enum ab_cell_kind)table->columns[i].kind) {
	case AB_CELL_TEXT:
		return shorten(cell->text);
	case AB_CELL_COUNT:
		if (is_name(&table->columns[i]))
			return g_strdup_printf("%" G_GINT64_FORMAT,
					       cell->count);
		return number_int(cell->count);
	case AB_CELL_NUMBER:
		break;
	}
	if (!isfinite(cell->number))
		return g_strdup("-");
	return number_text(cell->number, table->columns[i].decimals);
}

/*
 * The columns that name a row: from the first one to the last text before the
 * first measured value.
 */
static size_t count_keys(const struct ab_table *table, char *const *cells,
			 size_t rows)
{
	size_t width = 0, keys = 1;

	for (size_t i = 0; i < table->n_columns; i++) {
		const struct ab_column *c = &table->columns[i];
		size_t most = title_width(c->title);

		for (size_t row = 0; row < rows; row++)
			most = MAX(most,
				   strlen(cells[row * table->n_columns + i]));
		width += most + GAP;
		if (c->kind == AB_CELL_NUMBER || *c->unit || width > KEYS_MAX)
			break;
		if (is_name(c))
			keys = i + 1;
	}
	return keys;
}

static char **cells_of(const struct ab_table *table, guint rows)
{
	char **cells = g_new0(char *, (gsize)rows * table->n_columns + 1);

	for (guint row = 0; row < rows; row++)
		for (guint i = 0; i < table->n_columns; i++)
			cells[(gsize)row * table->n_columns + i] =
				cell_text(table, row, i);
	return cells;
}

static void print_rows(const struct ab_table *table, guint rows, size_t width,
		       GString *out)
{
	guint n = table->n_columns;
	g_auto(GStrv) cells = cells_of(table, rows);
	g_autofree const char **titles = g_new(const char *, n);
	g_autofree const char **units = g_new(const char *, n);
	g_autofree bool *right = g_new(bool, n);
	const struct text_table text = {
		.titles = titles,
		.units = units,
		.right = right,
		.n_columns = n,
		.cells = (const char *const *)cells,
		.n_rows = rows,
		.n_keys = count_keys(table, cells, rows),
		.width = width,
	};

	for (guint i = 0; i < n; i++) {
		titles[i] = table->columns[i].title;
		units[i] = table->columns[i].unit;
		right[i] = table->columns[i].kind != AB_CELL_TEXT;
	}
	text_table(&text, out);
}

void text_cells(const struct ab_table *table, size_t width, GString *out)
{
	guint all = ab_table_rows(table), rows = MIN(all, TEXT_TABLE_ROWS);

	g_string_append_printf(out, "%s%s\n", table->title,
			       all ? "" : ": none");
	if (all)
		print_rows(table, rows, width, out);
	if (all > rows)
		g_string_append_printf(out,
				       "  ... and %u more; --csv and --json "
				       "have all\n",
				       all - rows);
}
