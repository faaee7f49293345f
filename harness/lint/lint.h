/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the shapes of tables share. */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <abrig/lint.h>

struct lint_line {
	char *text;   /* without "> " and line end */
	int number;   /* from 1 */
	int indent;   /* bytes of the line before @text */
	bool grouped; /* in a table that was looked at */
};

struct lint {
	struct lint_line *lines;
	guint n;
	bool n_told; /* somewhere in the text, so for all tables */
	GPtrArray *findings;
};

/* @at: within the text of the line. */
void lint_add(struct lint *l, guint line, const char *at, bool refused,
	      const char *format, ...) G_GNUC_PRINTF(5, 6);
/* "-100 %": nothing was seen, and how rarely it is must be said. */
void lint_all_gone(struct lint *l, guint line);
void lint_no_n(struct lint *l, guint line, const char *at);
void lint_no_unit(struct lint *l, guint line, const char *at);

/* ---- words.c ---- */

/* @text names a unit, or something that is counted; or is a title that does. */
bool lint_has_unit(const char *text, bool title);
bool lint_tells_n(const char *text);

/* ---- printed.c ---- */

/* All numbers that are printed like this: 1,867 is 1866.5 to 1867.5. */
struct lint_number {
	double value, half;
	const char *at, *end; /* where it stands */
	bool percent;	      /* a '%' follows at once */
	bool bound;	      /* a '<' or '>' stands before it */
};
/*
 * The next number in @text that is no part of a word, a date or an interval
 * in brackets.
 */
bool lint_next_number(const char *text, struct lint_number *number_out);
/* @text, trimmed, is nothing but a number. */
bool lint_is_number(const char *text, struct lint_number *number_out);
/* Warn unless @percent is the change from @base to @value as printed. */
void lint_change(struct lint *l, guint line, const struct lint_number *base,
		 const struct lint_number *value,
		 const struct lint_number *percent);

/* ---- shapes: look at a table that begins at @line, if one does ---- */

void lint_box(struct lint *l, guint line);
void lint_arrows(struct lint *l, guint line);
void lint_robot(struct lint *l, guint line);
/* Columns of names and percentages, and nothing else. */
void lint_bare(struct lint *l, guint line);

#endif
