// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* JSON is UTF-8; a file name or a reason from a device need not be. */
void json_string(JsonBuilder *b, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	json_builder_add_string_value(b, valid);
}

void json_member(JsonBuilder *b, const char *key)
{
	if (g_utf8_validate(key, -1, NULL)) {
		json_builder_set_member_name(b, key);
	} else {
		g_autofree char *valid = g_utf8_make_valid(key, -1);

		json_builder_set_member_name(b, valid);
	}
}

void json_text(JsonBuilder *b, const char *key, const char *value)
{
	json_member(b, key);
	if (value)
		json_string(b, value);
	else
		json_builder_add_null_value(b);
}

void json_double(JsonBuilder *b, double value)
{
	if (isfinite(value))
		json_builder_add_double_value(b, value);
	else
		json_builder_add_null_value(b);
}

void json_number(JsonBuilder *b, const char *key, double value)
{
	json_member(b, key);
	json_double(b, value);
}

void json_int(JsonBuilder *b, const char *key, gint64 value)
{
	json_member(b, key);
	json_builder_add_int_value(b, value);
}

void json_bool(JsonBuilder *b, const char *key, bool value)
{
	json_member(b, key);
	json_builder_add_boolean_value(b, value);
}

void json_begin(JsonBuilder *b, const char *key, bool array)
{
	if (key)
		json_member(b, key);
	if (array)
		json_builder_begin_array(b);
	else
		json_builder_begin_object(b);
}

void json_finish(JsonBuilder *b, bool pretty, GString *out)
{
	g_autoptr(JsonNode) root = json_builder_get_root(b);
	g_autofree char *text = json_to_string(root, pretty);

	g_string_append(out, text);
}
