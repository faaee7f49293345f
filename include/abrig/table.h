/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of results, before it is text: typed columns with units, rows of
 * cells.  Analyses fill it; cmd/ prints it as text, CSV or JSON.
 */
#ifndef ABRIG_TABLE_H
#define ABRIG_TABLE_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

enum ab_cell_kind { AB_CELL_TEXT, AB_CELL_COUNT, AB_CELL_NUMBER };

struct ab_column {
	const char *id;	   /* key in JSON, header in CSV; lasts: "p99_us" */
	const char *title; /* in text, with the unit in the title row below */
	const char *unit;  /* "" when there is none */
	guint8 kind;	   /* enum ab_cell_kind */
	guint8 decimals;   /* of a NUMBER in text; JSON and CSV have all */
};

union ab_cell {
	char *text; /* never NULL */
	gint64 count;
	double number; /* NAN: not known */
};

struct ab_table {
	const char *id;	   /* "work": key in JSON, name of a CSV file */
	const char *title; /* one line */
	const struct ab_column *columns;
	guint n_columns;
	GArray *cells; /* union ab_cell, row by row */
};

/* @id, @title and @columns must outlive the table. */
struct ab_table *ab_table_new(const char *id, const char *title,
			      const struct ab_column *columns, guint n_columns);
void ab_table_free(struct ab_table *table);
AB_DEFINE_AUTO(ab_table, ab_table_free)

/* Append the next cell, left to right, row by row; of its column's kind. */
void ab_table_text(struct ab_table *table, const char *text);
void ab_table_count(struct ab_table *table, gint64 count);
void ab_table_number(struct ab_table *table, double number);

guint ab_table_rows(const struct ab_table *table);
const union ab_cell *ab_table_cell(const struct ab_table *table, guint row,
				   guint column);

#endif
