// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables between '|' and '+', as Python's tabulate and others draw them. */
#include "lint.h"

#include <string.h>

#define MOST_COLUMNS 64

struct cell {
	char *text; /* trimmed */
	guint line;
	const char *at;
};

enum kind { NAME, VALUE, PERCENT, N };

struct box {
	GPtrArray *rows; /* GArray of struct cell; the first is the header */
	size_t n_columns;
	enum kind kinds[MOST_COLUMNS];
};

static struct cell *cell_of(const struct box *b, guint row, size_t column)
{
	GArray *cells = b->rows->pdata[row];

	return &g_array_index(cells, struct cell, column);
}

static void clear_cell(gpointer data)
{
	struct cell *cell = data;

	g_free(cell->text);
}

/* ---- reading ---- */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static bool is_rule(const char *text)
{
	text = skip_blanks(text);
	return (*text == '+' || *text == '|') && text[1] == '-';
}

static bool belongs(const char *text)
{
	const char *first = skip_blanks(text);

	return is_rule(text) || *first == '|' ||
	       /* The rest of a line that a mail client wrapped. */
	       (*first && first[strlen(first) - 1] == '|');
}

/* Columns between the corners of a rule; 0: too few or too many. */
static size_t count_columns(const char *rule)
{
	size_t n = 0;

	for (; *rule; rule++)
		n += *rule == '+' || *rule == '|';
	return n < 2 || n - 1 > MOST_COLUMNS ? 0 : n - 1;
}

/* Append the cells of a line to @cells, up to as many as there are columns. */
static void read_cells(const struct lint *l, guint line, size_t most,
		       GArray *cells)
{
	const char *at = l->lines[line].text, *bar;

	if (*skip_blanks(at) == '|')
		at = skip_blanks(at) + 1;
	while (cells->len < most && (bar = strchr(at, '|'))) {
		const char *begin = skip_blanks(at);
		struct cell cell = {
			.line = line,
			.at = begin < bar ? begin : at,
			.text = g_strstrip(g_strndup(at, (gsize)(bar - at))),
		};

		g_array_append_val(cells, cell);
		at = bar + 1;
	}
}

static void fill_up(GArray *cells, guint line, const char *at, size_t n)
{
	while (cells->len < n) {
		struct cell cell = { g_strdup(""), line, at };

		g_array_append_val(cells, cell);
	}
}

/* Returns the line behind the table. */
static guint read_rows(const struct lint *l, guint line, struct box *b)
{
	for (; line < l->n && belongs(l->lines[line].text); line++) {
		GArray *cells;

		l->lines[line].grouped = true;
		if (is_rule(l->lines[line].text))
			continue;
		cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
		g_array_set_clear_func(cells, clear_cell);
		g_ptr_array_add(b->rows, cells);
		read_cells(l, line, b->n_columns, cells);
		while (cells->len < b->n_columns && line + 1 < l->n &&
		       belongs(l->lines[line + 1].text) &&
		       *skip_blanks(l->lines[line + 1].text) != '|' &&
		       !is_rule(l->lines[line + 1].text)) {
			l->lines[++line].grouped = true;
			read_cells(l, line, b->n_columns, cells);
		}
		fill_up(cells, line, l->lines[line].text, b->n_columns);
	}
	return line;
}

/* ---- what the columns are ---- */

static bool is_one_of(const char *header, const char *const *names)
{
	g_autofree char *lower = g_ascii_strdown(header, -1);

	return g_strv_contains(names, lower);
}

static bool heads_percent(const char *header)
{
	static const char *const parts[] = { "diff", "change", "delta", NULL };
	g_autofree char *lower = g_ascii_strdown(header, -1);

	for (const char *const *part = parts; *part; part++)
		if (strstr(lower, *part))
			return true;
	return false;
}

static bool is_missing(const char *text)
{
	return !*text || g_str_has_prefix(text, "n/a") || !strcmp(text, "-");
}

static enum kind kind_of(const struct box *b, size_t column)
{
	static const char *const ns[] = { "n",	     "iteration", "iterations",
					  "runs",    "boots",	  "worst of",
					  "samples", NULL };
	static const char *const values[] = { "value", NULL };
	guint numbers = 0, percents = 0;

	if (is_one_of(cell_of(b, 0, column)->text, ns))
		return N;
	if (heads_percent(cell_of(b, 0, column)->text))
		return PERCENT;
	if (is_one_of(cell_of(b, 0, column)->text, values))
		return VALUE;
	for (guint i = 1; i < b->rows->len; i++) {
		const char *text = cell_of(b, i, column)->text;
		struct lint_number number;

		if (is_missing(text))
			continue;
		if (!lint_is_number(text, &number))
			return NAME;
		numbers++;
		percents += number.percent;
	}
	if (!numbers)
		return NAME;
	return percents == numbers ? PERCENT : VALUE;
}

static bool find_kind(const struct box *b, enum kind kind, size_t *column_out)
{
	for (size_t i = 0; i < b->n_columns; i++)
		if (b->kinds[i] == kind) {
			*column_out = i;
			return true;
		}
	return false;
}

/* ---- what is missing ---- */

static bool title_has_unit(const struct lint *l, guint line)
{
	for (guint back = 1; back <= 2 && back <= line; back++)
		if (!l->lines[line - back].grouped &&
		    lint_has_unit(l->lines[line - back].text, true))
			return true;
	return false;
}

static bool row_has_unit(const struct box *b, guint row)
{
	for (size_t i = 0; i < b->n_columns; i++)
		if (b->kinds[i] != PERCENT && b->kinds[i] != N &&
		    (row == 0 || b->kinds[i] == NAME) &&
		    lint_has_unit(cell_of(b, row, i)->text, false))
			return true;
	return false;
}

static void check_units(struct lint *l, guint line, const struct box *b,
			size_t value)
{
	if (title_has_unit(l, line) || row_has_unit(b, 0))
		return;
	for (guint i = 1; i < b->rows->len; i++) {
		const struct cell *cell = cell_of(b, i, value);
		struct lint_number number;

		if (!lint_is_number(cell->text, &number) || row_has_unit(b, i))
			continue;
		lint_no_unit(l, cell->line, cell->at);
		return;
	}
}

static void check_columns(struct lint *l, guint line, const struct box *b)
{
	const struct cell *first = cell_of(b, 0, 0);
	size_t column;

	if (!find_kind(b, N, &column))
		lint_no_n(l, first->line, first->at);
	if (find_kind(b, VALUE, &column))
		check_units(l, line, b, column);
	else if (find_kind(b, PERCENT, &column))
		lint_add(l, cell_of(b, 0, column)->line,
			 cell_of(b, 0, column)->at, true,
			 "percentages without the values that they are of");
}

/* ---- changes ---- */

/* Columns of names other than that of the kernel: rows to be compared. */
static char *key_of(const struct box *b, guint row)
{
	static const char *const kernels[] = { "kernel", "tag", "wa_path",
					       "variant", NULL };
	GString *key = g_string_new(NULL);

	for (size_t i = 0; i < b->n_columns; i++)
		if (b->kinds[i] == NAME &&
		    !is_one_of(cell_of(b, 0, i)->text, kernels) &&
		    *cell_of(b, row, i)->text != '[')
			g_string_append_printf(key, "%s|",
					       cell_of(b, row, i)->text);
	return g_string_free(key, FALSE);
}

/* The first row of a key, with a change of 0, is what others are compared to. */
static void check_changes(struct lint *l, const struct box *b, size_t value,
			  size_t percent)
{
	g_autoptr(GHashTable) bases =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 1; i < b->rows->len; i++) {
		const struct cell *cell = cell_of(b, i, percent);
		char *key = key_of(b, i);
		guint base = GPOINTER_TO_UINT(g_hash_table_lookup(bases, key));
		struct lint_number x, y, change;

		if (!base) {
			g_hash_table_insert(bases, key, GUINT_TO_POINTER(i));
			continue;
		}
		g_free(key);
		if (!lint_is_number(cell_of(b, base, percent)->text, &change) ||
		    change.value != 0 ||
		    !lint_is_number(cell_of(b, base, value)->text, &x) ||
		    !lint_is_number(cell_of(b, i, value)->text, &y) ||
		    !lint_is_number(cell->text, &change))
			continue;
		change.at = cell->at;
		lint_change(l, cell->line, &x, &y, &change);
	}
}

void lint_box(struct lint *l, guint line)
{
	struct box b = { .n_columns = count_columns(l->lines[line].text) };
	size_t value, percent;
	guint end;

	if (!is_rule(l->lines[line].text) || !b.n_columns)
		return;
	b.rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	end = read_rows(l, line, &b);
	for (size_t i = 0; b.rows->len > 1 && i < b.n_columns; i++)
		b.kinds[i] = kind_of(&b, i);
	if (b.rows->len > 1) {
		check_columns(l, line, &b);
		if (find_kind(&b, VALUE, &value) &&
		    find_kind(&b, PERCENT, &percent))
			check_changes(l, &b, value, percent);
	}
	for (; line < end; line++)
		lint_all_gone(l, line);
	g_ptr_array_unref(b.rows);
}
