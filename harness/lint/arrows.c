// SPDX-License-Identifier: GPL-3.0-or-later
/* "name  151.0 -> 107.5 us  -28.8%" */
#include "lint.h"

#include <string.h>

#define ARROW " -> "

struct row {
	const char *label_end;
	struct lint_number a, b;
	const char *rest; /* behind B */
};

/* The number that ends at @end, blanks in between. */
static bool number_before(const char *text, const char *end,
			  struct lint_number *number)
{
	g_autofree char *left = NULL;
	const char *begin;
	struct lint_number found;

	while (end > text && end[-1] == ' ')
		end--;
	for (begin = end; begin > text && begin[-1] != ' ';)
		begin--;
	if (begin == end)
		return false;
	left = g_strndup(begin, (gsize)(end - begin));
	if (!lint_is_number(left, &found))
		return false;
	*number = found;
	number->at = begin;
	number->end = end;
	while (begin > text && begin[-1] == ' ')
		begin--;
	number->bound |= begin > text && begin[-1] == '<';
	return true;
}

static bool read_row(const char *text, struct row *row)
{
	const char *arrow = strstr(text, ARROW);
	const char *right;

	if (!arrow || !number_before(text, arrow, &row->a))
		return false;
	right = arrow + strlen(ARROW) - 1;
	if (!lint_next_number(right, &row->b) ||
	    row->b.at != right + strspn(right, " <"))
		return false;
	row->rest = row->b.end;
	row->label_end = row->a.at;
	return true;
}

static void check_unit(struct lint *l, guint line, const struct row *row)
{
	const char *text = l->lines[line].text;
	g_autofree char *label =
		g_strndup(text, (gsize)(row->label_end - text));
	const char *unit = row->rest + strspn(row->rest, " ");
	bool given =
		g_ascii_isalpha(*unit) || (*unit == '%' && unit > row->rest);

	/* A long name stands on the line before, with its unit. */
	if (!*g_strstrip(label) && line > 0)
		given |= lint_has_unit(l->lines[line - 1].text, true);
	if (!given && !lint_has_unit(label, false))
		lint_no_unit(l, line, row->b.at);
}

static void check_row(struct lint *l, guint line, const struct row *row)
{
	struct lint_number percent;
	const char *rest = row->rest;

	l->lines[line].grouped = true;
	check_unit(l, line, row);
	/* "worst of 220,524 / 217,954" is none. */
	while (lint_next_number(rest, &percent) && !percent.percent)
		rest = percent.end;
	if (lint_next_number(rest, &percent))
		lint_change(l, line, &row->a, &row->b, &percent);
	lint_all_gone(l, line);
}

void lint_arrows(struct lint *l, guint line)
{
	struct row row;

	if (!read_row(l->lines[line].text, &row))
		return;
	lint_no_n(l, line, row.a.at);
	for (; line < l->n && *l->lines[line].text; line++)
		if (read_row(l->lines[line].text, &row))
			check_row(l, line, &row);
}

/* ---- names and percentages only ---- */

/* A column's width of blanks before the only number of the line. */
static bool is_bare(const char *text, struct lint_number *percent)
{
	struct lint_number other;

	if (!lint_next_number(text, percent) || !percent->percent ||
	    percent->at < text + 3 || percent->at[-1] != ' ' ||
	    percent->at[-2] != ' ')
		return false;
	return text[strspn(text, " ")] != *percent->at &&
	       (!lint_next_number(percent->end, &other) || other.percent);
}

void lint_bare(struct lint *l, guint line)
{
	struct lint_number percent, next;

	if (line + 1 >= l->n || !is_bare(l->lines[line].text, &percent) ||
	    !is_bare(l->lines[line + 1].text, &next))
		return;
	lint_add(l, line, percent.at, true,
		 "percentages without the values that they are of");
	for (; line < l->n && is_bare(l->lines[line].text, &next); line++)
		l->lines[line].grouped = true;
}
