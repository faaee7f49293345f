// SPDX-License-Identifier: GPL-3.0-or-later
/* Records of RFC 4180, with the place of each field. */
#include "import.h"

#define MAX_FIELDS 1000
#define MAX_RECORD (64 * 1024)

void csv_record_init(struct csv_record *record)
{
	record->text = g_string_new(NULL);
	record->fields = g_array_new(FALSE, FALSE, sizeof(struct csv_field));
}

void csv_record_clear(struct csv_record *record)
{
	g_string_free(record->text, TRUE);
	g_array_unref(record->fields);
}

const char *csv_field_text(const struct csv_record *record, guint field)
{
	return record->text->str +
	       g_array_index(record->fields, struct csv_field, field).begin;
}

static void advance(struct csv_reader *r)
{
	r->at.column++;
	if (*r->next++ != '\n')
		return;
	r->at.line++;
	r->at.column = 1;
}

static bool at_line_end(const struct csv_reader *r)
{
	return *r->next == '\n' || (*r->next == '\r' && r->next[1] == '\n');
}

/* After the opening quote. */
static bool read_quoted(struct csv_reader *r, struct csv_record *record,
			const struct import_place *begin, GError **error)
{
	for (;;) {
		if (!*r->next || record->text->len > MAX_RECORD) {
			import_error(begin, error,
				     *r->next ? "a record longer than 64 kB"
					      : "the quote is not closed");
			return false;
		}
		if (*r->next == '"') {
			advance(r);
			if (*r->next != '"')
				break;
		}
		g_string_append_c(record->text, *r->next);
		advance(r);
	}
	if (!*r->next || *r->next == r->delimiter || at_line_end(r))
		return true;
	import_error(&r->at, error,
		     "text after a closing quote; a quote within quotes is "
		     "written twice");
	return false;
}

static bool read_plain(struct csv_reader *r, struct csv_record *record,
		       GError **error)
{
	while (*r->next && *r->next != r->delimiter && !at_line_end(r)) {
		if (*r->next == '"') {
			import_error(&r->at, error,
				     "a quote within a field that does not "
				     "begin with one");
			return false;
		}
		if (record->text->len > MAX_RECORD) {
			import_error(&r->at, error,
				     "a record longer than 64 kB");
			return false;
		}
		g_string_append_c(record->text, *r->next);
		advance(r);
	}
	return true;
}

static bool read_field(struct csv_reader *r, struct csv_record *record,
		       GError **error)
{
	struct import_place begin = r->at;
	struct csv_field field = { record->text->len, begin.line,
				   begin.column };
	bool ok;

	if (record->fields->len >= MAX_FIELDS) {
		import_error(&begin, error, "more than %d columns", MAX_FIELDS);
		return false;
	}
	g_array_append_val(record->fields, field);
	if (*r->next == '"') {
		advance(r);
		ok = read_quoted(r, record, &begin, error);
	} else {
		ok = read_plain(r, record, error);
	}
	g_string_append_c(record->text, '\0');
	return ok;
}

static void skip_line_end(struct csv_reader *r)
{
	if (*r->next == '\r')
		advance(r);
	if (*r->next == '\n')
		advance(r);
}

bool csv_read(struct csv_reader *r, struct csv_record *record, GError **error)
{
	while (*r->next && at_line_end(r))
		skip_line_end(r);
	g_string_truncate(record->text, 0);
	g_array_set_size(record->fields, 0);
	if (!*r->next)
		return false;
	for (;;) {
		if (!read_field(r, record, error))
			return false;
		if (*r->next != r->delimiter)
			break;
		advance(r);
	}
	skip_line_end(r);
	return true;
}
