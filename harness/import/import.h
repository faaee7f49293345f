/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parsers and the collector of their records share. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <abrig/import.h>

#define MAX_NAME 1000 /* bytes of any name */

/* Names, numbered in the order in which they come. */
struct names {
	GHashTable *index; /* name -> number + 1 */
	GPtrArray *list;   /* char * */
	const char *what;  /* "variants", for the message */
	guint limit;
};

struct import_place {
	const char *file;
	guint line, column; /* from 1; @column in bytes */
};
void import_error(const struct import_place *at, GError **error,
		  const char *format, ...) G_GNUC_PRINTF(3, 4);

/* One number with all that is told about it. */
struct import_record {
	struct import_place at; /* of the number */
	/* By role; NULL: not told.  That of AB_IMPORT_VALUE is not used. */
	const char *text[AB_IMPORT_N_ROLES];
	double value; /* NAN: an empty cell, or one that says so */
};

struct ab_import {
	const struct ab_import_options *options;
	struct names variants, devices, blocks, boots;
	GArray *ranks;		 /* int, by boot: its place among its variant's
				    on its device */
	GHashTable *boots_of;	 /* variant and device -> how many boots */
	GHashTable *runs;	 /* what names a run -> its first value */
	GPtrArray *metrics;	 /* struct ab_import_metric * */
	GHashTable *by_id;	 /* char * -> of metrics */
	GHashTable *unit_better; /* unit -> "lower" or "higher" */
	GPtrArray *notes;	 /* char *, then NULL */
	guint values, missing, merged;
	bool has_block, has_boot;
	bool told, untold; /* the variant, by a column or key */
	/* Of the text that is being parsed. */
	const char *file, *variant;
	guint file_index;
};

/* Take the number in; false when a ceiling is reached or a unit differs. */
bool import_take(struct ab_import *import, const struct import_record *record,
		 GError **error);
/*
 * The number that @text is, NAN for "", "NA", "nan" and the like.  False with
 * @error for all else, and for a decimal comma.
 */
bool import_number(const struct import_place *at, const char *text,
		   double *value_out, GError **error);

void names_init(struct names *names, const char *what, guint limit);
void names_clear(struct names *names);
/* The number of @name, new or not; false when there are too many. */
bool names_add(struct names *names, const struct import_place *at,
	       const char *name, int *index_out, GError **error);

/* What better means for @unit, by what is usual. */
enum ab_direction import_unit_direction(const char *unit);

/* The role that a column or key @name has; AB_IMPORT_N_ROLES: none. */
enum ab_import_role import_role(const struct ab_import_options *options,
				const char *name);
/* Of the columns @names, that of @role; -1: none. */
int import_find(const struct ab_import_options *options,
		enum ab_import_role role, const GPtrArray *names);
bool import_listed(const char *const *list, const char *name);

/* Pair, merge and sort what was taken in. */
void import_arrange(struct ab_import *import);

/* A format: one file here, one line in import_formats. */
struct import_format {
	const char *name;
	/* Whether @text is of this format.  Mandatory. */
	bool (*recognise)(const char *text);
	/* Take in all of @text, NUL-terminated and without others. */
	bool (*parse)(struct ab_import *import, const char *text,
		      GError **error);
};
extern const struct import_format import_benchfmt, import_csv, import_column;

/* ---- CSV, RFC 4180 ---- */

struct csv_reader {
	const char *next;
	char delimiter;
	struct import_place at; /* of @next */
};
struct csv_field {
	gsize begin; /* in the record's text */
	guint line, column;
};
struct csv_record {
	GString *text;	/* all fields, each with its NUL */
	GArray *fields; /* struct csv_field */
};
void csv_record_init(struct csv_record *record);
void csv_record_clear(struct csv_record *record);
const char *csv_field_text(const struct csv_record *record, guint field);
/* Read a record; false at the end, and with @error when it is ill-formed. */
bool csv_read(struct csv_reader *reader, struct csv_record *record,
	      GError **error);

#endif
