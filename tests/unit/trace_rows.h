/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a trace's tables by their names. */
#ifndef UNIT_TRACE_ROWS_H
#define UNIT_TRACE_ROWS_H

#include "trace_tables.h"

/* The row whose first texts are these; @second may be NULL: any. */
static inline guint row_named(const struct ab_table *t, const char *first,
			      const char *second)
{
	guint i;

	for (i = 0; i < ab_table_rows(t); i++)
		if (!strcmp(ab_table_cell(t, i, 0)->text, first) &&
		    (!second || !strcmp(ab_table_cell(t, i, 1)->text, second)))
			return i;
	g_test_message("no row '%s'", first);
	g_assert_not_reached();
}

static inline void expect_text(const struct ab_table *t, guint row,
			       const char *column, const char *text)
{
	g_assert_cmpstr(text_at(t, row, column), ==, text);
}

static inline void expect_count(const struct ab_table *t, guint row,
				const char *column, gint64 count)
{
	g_assert_cmpint(count_at(t, row, column), ==, count);
}

#endif
