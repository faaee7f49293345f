// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables with a header: the long form (a metric's name and its value in
 * columns), Workload Automation's results.csv, which is one, and the wide form
 * (a column is a metric).
 */
#include "import.h"

#include <abrig/text.h>

#include <math.h>
#include <string.h>

struct layout {
	GPtrArray *header;	      /* char * */
	int roles[AB_IMPORT_N_ROLES]; /* column of each, or -1 */
	GArray *values;		      /* int: columns with numbers */
	GArray *split;		      /* int */
	int job; /* Workload Automation: an iteration is one of a job */
};

/* ---- recognise ---- */

/* The first line that is no comment. */
static const char *first_line(const char *text)
{
	for (;;) {
		text += strspn(text, "\r\n");
		if (*text != '#')
			return text;
		text += strcspn(text, "\n");
	}
}

static char delimiter_of(const char *line)
{
	size_t n = strcspn(line, "\r\n");

	for (const char *d = ",;\t"; *d; d++)
		if (memchr(line, *d, n))
			return *d;
	return '\0';
}

/* A table has a header: text at least in one place. */
static bool recognise(const char *text)
{
	const char *line = first_line(text);
	size_t n = strcspn(line, "\r\n");
	const char set[] = { delimiter_of(line), '\0' };
	g_autofree char *copy = g_strndup(line, n);
	g_auto(GStrv) fields = NULL;
	double value;

	if (!*set || n > 64 * 1024)
		return false;
	if (strchr(copy, '"'))
		return true;
	fields = g_strsplit(copy, set, -1);
	for (char **f = fields; *f; f++)
		if (!ab_text_to_double(g_strstrip(*f), &value))
			return *set != ',' ||
			       strspn(copy, "0123456789,.eE+-") != strlen(copy);
	return false;
}

/* ---- the header ---- */

static char *list_header(const struct layout *l)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < l->header->len && i < 20; i++)
		g_string_append_printf(s, "%s%s", i ? ", " : "",
				       (const char *)l->header->pdata[i]);
	if (l->header->len > 20)
		g_string_append(s, ", ...");
	return g_string_free(s, FALSE);
}

static bool no_column(const struct layout *l, const struct import_place *at,
		      const char *name, const char *remedy, GError **error)
{
	g_autofree char *all = list_header(l);

	import_error(at, error, "there is no column '%s'%s; there are: %s",
		     name, remedy, all);
	return false;
}

static int find_column(const struct layout *l, const char *name)
{
	gint64 number;

	for (guint i = 0; i < l->header->len; i++)
		if (!strcmp(l->header->pdata[i], name))
			return (int)i;
	if (ab_text_to_int(name, &number) && number >= 1 &&
	    number <= l->header->len)
		return (int)number - 1;
	return -1;
}

static bool find_listed(const struct layout *l, const struct import_place *at,
			const char *const *names, GArray *columns,
			GError **error)
{
	for (; names && *names; names++) {
		int column = find_column(l, *names);

		if (column < 0)
			return no_column(l, at, *names, "", error);
		g_array_append_val(columns, column);
	}
	return true;
}

static bool find_roles(struct layout *l, const struct ab_import *import,
		       const struct import_place *at, GError **error)
{
	const struct ab_import_options *o = import->options;

	for (int i = 0; i < AB_IMPORT_N_ROLES; i++) {
		l->roles[i] = import_find(o, (enum ab_import_role)i, l->header);
		if (l->roles[i] < 0 && o->names[i])
			return no_column(l, at, o->names[i], "", error);
	}
	/* Another format's iterations are of the file. */
	l->job = l->roles[AB_IMPORT_RUN] >= 0 &&
				 l->roles[AB_IMPORT_WORKLOAD] >= 0
			 ? find_column(l, "id")
			 : -1;
	return true;
}

static bool find_values(struct layout *l, const struct ab_import *import,
			const struct import_place *at, GError **error)
{
	const struct ab_import_options *o = import->options;
	int value = l->roles[AB_IMPORT_VALUE];

	if (o->columns) {
		/* Each is a metric of its own name, in no told unit. */
		l->roles[AB_IMPORT_METRIC] = l->roles[AB_IMPORT_UNIT] = -1;
		return find_listed(l, at, o->columns, l->values, error);
	}
	if (value < 0)
		return no_column(l, at, "value",
				 " (name the one with the numbers: --column)",
				 error);
	g_array_append_val(l->values, value);
	return true;
}

static bool read_header(struct layout *l, const struct ab_import *import,
			struct csv_reader *reader, struct csv_record *record,
			GError **error)
{
	struct import_place at = reader->at;

	if (!reader->delimiter) {
		import_error(&at, error, "the header has no delimiter");
		return false;
	}
	if (!csv_read(reader, record, error))
		return false;
	for (guint i = 0; i < record->fields->len; i++)
		g_ptr_array_add(l->header, g_strstrip(g_strdup(
						   csv_field_text(record, i))));
	return find_roles(l, import, &at, error) &&
	       find_values(l, import, &at, error) &&
	       find_listed(l, &at, import->options->split, l->split, error);
}

/* ---- records ---- */

static char *metric_name(const struct layout *l,
			 const struct csv_record *record, int column)
{
	int metric = l->roles[AB_IMPORT_METRIC];
	GString *name = g_string_new(
		metric < 0 ? l->header->pdata[column]
			   : csv_field_text(record, (guint)metric));

	for (guint i = 0; i < l->split->len; i++)
		g_string_append_printf(
			name, "[%s]",
			csv_field_text(record,
				       (guint)g_array_index(l->split, int, i)));
	return g_string_free(name, FALSE);
}

static bool take_value(struct ab_import *import, const struct layout *l,
		       const struct csv_record *record, int column,
		       GError **error)
{
	const struct csv_field *field =
		&g_array_index(record->fields, struct csv_field, column);
	struct import_record r = {
		.at = { import->file, field->line, field->column },
	};
	g_autofree char *metric = metric_name(l, record, column);
	g_autofree char *run = NULL;

	for (int i = 0; i < AB_IMPORT_N_ROLES; i++)
		if (l->roles[i] >= 0)
			r.text[i] = csv_field_text(record, (guint)l->roles[i]);
	r.text[AB_IMPORT_METRIC] = metric;
	if (l->job >= 0) {
		run = g_strdup_printf("%s\x1f%s",
				      csv_field_text(record, (guint)l->job),
				      r.text[AB_IMPORT_RUN]);
		r.text[AB_IMPORT_RUN] = run;
	}
	return import_number(&r.at, csv_field_text(record, (guint)column),
			     &r.value, error) &&
	       import_take(import, &r, error);
}

static bool take_record(struct ab_import *import, const struct layout *l,
			const struct csv_record *record, GError **error)
{
	const struct csv_field *first =
		&g_array_index(record->fields, struct csv_field, 0);
	const struct import_place at = { import->file, first->line,
					 first->column };

	if (record->fields->len != l->header->len) {
		import_error(&at, error,
			     "%u fields, but the header has %u (a field with "
			     "the delimiter in it stands in quotes; a decimal "
			     "comma is no delimiter: use a point)",
			     record->fields->len, l->header->len);
		return false;
	}
	for (guint i = 0; i < l->values->len; i++)
		if (!take_value(import, l, record,
				g_array_index(l->values, int, i), error))
			return false;
	return true;
}

static bool take_all(struct ab_import *import, struct layout *l,
		     struct csv_reader *reader, struct csv_record *record,
		     GError **error)
{
	g_autoptr(GError) why = NULL;

	if (!read_header(l, import, reader, record, error))
		return false;
	while (csv_read(reader, record, &why))
		if (!take_record(import, l, record, error))
			return false;
	if (!why)
		return true;
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

static guint line_of(const char *text, const char *place)
{
	guint line = 1;

	for (; text < place; text++)
		line += *text == '\n';
	return line;
}

static bool parse(struct ab_import *import, const char *text, GError **error)
{
	const char *line = first_line(text);
	struct csv_reader reader = {
		.next = line,
		.delimiter = delimiter_of(line),
		.at = { import->file, line_of(text, line), 1 },
	};
	struct layout l = {
		.header = g_ptr_array_new_with_free_func(g_free),
		.values = g_array_new(FALSE, FALSE, sizeof(int)),
		.split = g_array_new(FALSE, FALSE, sizeof(int)),
	};
	struct csv_record record;
	bool ok;

	csv_record_init(&record);
	ok = take_all(import, &l, &reader, &record, error);
	csv_record_clear(&record);
	g_ptr_array_unref(l.header);
	g_array_unref(l.values);
	g_array_unref(l.split);
	return ok;
}

const struct import_format import_csv = {
	.name = "a table with a header",
	.recognise = recognise,
	.parse = parse,
};
