/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces in memory, and the cells of their tables by name. */
#ifndef UNIT_TRACE_TABLES_H
#define UNIT_TRACE_TABLES_H

#include <abrig/trace.h>
#include <math.h>
#include <string.h>

#include "run_data.h"

/* What all analyses say of one trace. */
struct analysed {
	struct ab_trace *trace;
	struct ab_run_data *data;
	GPtrArray *tables;
};

static inline void analysed_clear(struct analysed *a)
{
	ab_trace_free(a->trace);
	ab_run_data_free(a->data);
	g_ptr_array_unref(a->tables);
}

static inline struct analysed
analyse_with(const GByteArray *bytes, const struct ab_trace_window *window,
	     const struct ab_trace_options *options)
{
	struct analysed a = { .data = ab_run_data_new() };
	GError *error = NULL;

	a.trace = ab_trace_open_bytes(bytes->data, bytes->len, window, &error);
	g_assert_no_error(error);
	ab_trace_analyze(a.trace, options, a.data);
	a.tables = ab_trace_tables(a.trace, options);
	return a;
}

static inline struct analysed analyse(const GByteArray *bytes)
{
	return analyse_with(bytes, NULL, NULL);
}

static inline const struct ab_table *find_table(const GPtrArray *tables,
						const char *id)
{
	guint i;

	for (i = 0; i < tables->len; i++) {
		const struct ab_table *t = tables->pdata[i];

		if (!strcmp(t->id, id))
			return t;
	}
	return NULL;
}

static inline const struct ab_table *table_of(const struct analysed *a,
					      const char *id)
{
	const struct ab_table *t = find_table(a->tables, id);

	g_assert_nonnull(t);
	return t;
}

static inline const union ab_cell *cell_of(const struct ab_table *t, guint row,
					   const char *column, guint8 kind)
{
	guint i;

	for (i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].id, column))
			break;
	g_assert_cmpuint(i, <, t->n_columns);
	g_assert_cmpuint(t->columns[i].kind, ==, kind);
	g_assert_cmpuint(row, <, ab_table_rows(t));
	return ab_table_cell(t, row, i);
}

static inline const char *text_at(const struct ab_table *t, guint row,
				  const char *column)
{
	return cell_of(t, row, column, AB_CELL_TEXT)->text;
}

static inline gint64 count_at(const struct ab_table *t, guint row,
			      const char *column)
{
	return cell_of(t, row, column, AB_CELL_COUNT)->count;
}

static inline double number_at(const struct ab_table *t, guint row,
			       const char *column)
{
	return cell_of(t, row, column, AB_CELL_NUMBER)->number;
}

/* @expected, or NAN when that is NAN. */
static inline void expect_number(const struct ab_table *t, guint row,
				 const char *column, double expected)
{
	double number = number_at(t, row, column);

	if (isnan(expected))
		g_assert_true(isnan(number));
	else
		g_assert_cmpfloat_with_epsilon(number, expected, 1e-9);
}

static inline void expect_run_value(const struct analysed *a, const char *name,
				    double expected)
{
	double value = NAN;

	g_assert_true(ab_run_data_get(a->data, name, &value));
	g_assert_cmpfloat_with_epsilon(value, expected, 1e-9);
}

static inline void expect_reason(const struct analysed *a, const char *name,
				 const char *part)
{
	expect_withheld(a->data, name, part);
}

#endif
