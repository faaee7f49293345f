// SPDX-License-Identifier: GPL-3.0-or-later
#include "keys_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#define MAX_SHOWN 40 /* bytes of a wrong value in a message */

static const struct key_type types[] = {
	[AB_KEY_STRING] = { "TEXT", "a text" },
	[AB_KEY_INT] = { "NUMBER", "a whole number, such as 5" },
	[AB_KEY_DOUBLE] = { "NUMBER", "a number, such as 37.5" },
	[AB_KEY_BOOL] = { "true|false", "true or false" },
	[AB_KEY_DURATION] = { "TIME", "a time with its unit, such as 250ms, "
				      "90s, 5 min or 1h" },
	[AB_KEY_SIZE] = { "SIZE", "a size, such as 64 MiB or 4096" },
	[AB_KEY_PERCENT] = { "PERCENT", "a percentage, such as 5%" },
	[AB_KEY_STRINGS] = { "[TEXT, ...]", "a list of texts, such as "
					    "[one, two]" },
	[AB_KEY_POINT] = { "[X, Y]", "a point [x, y] in fractions of the "
				     "display, such as [0.5, 0.9]" },
	[AB_KEY_NODE] = { "{...}", "a value" },
};

const struct key_type *key_type(enum ab_key_type type)
{
	return &types[type];
}

bool ab_node_unknown(const struct ab_node *node, const char *kind,
		     const char *name, const char *const *names, GError **error)
{
	const char *closest = ab_text_closest(name, names);
	g_autofree char *all = NULL;

	if (closest)
		return ab_node_error(node, error,
				     "unknown %s '%s', did you mean '%s'?",
				     kind, name, closest);
	if (!*names)
		return ab_node_error(node, error,
				     "unknown %s '%s': none are known here",
				     kind, name);
	all = g_strjoinv(", ", (char **)names);
	return ab_node_error(node, error, "unknown %s '%s'; known are: %s",
			     kind, name, all);
}

bool ab_node_check_name(const struct ab_node *node, const char *what,
			size_t max, GError **error)
{
	const char *name = node->text;
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	if (len && !name[len] && len <= max && g_ascii_isalnum(*name))
		return true;
	return ab_node_error(node, error,
			     "'%.40s' cannot be the name of a %s: use 1 to %zu "
			     "letters, digits, '.', '_' or '-', a letter or "
			     "digit first",
			     name, what, max);
}

static char *shown(const struct ab_node *node)
{
	g_autofree char *start = NULL, *escaped = NULL;

	if (node->type == AB_NODE_LIST)
		return g_strdup("a list");
	if (node->type == AB_NODE_MAP)
		return g_strdup("a map");
	if (ab_node_is_nothing(node))
		return g_strdup("nothing");
	start = g_utf8_substring(node->text, 0,
				 MIN(g_utf8_strlen(node->text, -1), MAX_SHOWN));
	escaped = g_strescape(start, NULL);
	return g_strconcat("'", escaped,
			   strlen(start) < strlen(node->text) ? "..." : "", "'",
			   NULL);
}

static bool wrong_type(const struct ab_key *key, const struct ab_node *node,
		       GError **error)
{
	g_autofree char *found = shown(node);

	return ab_node_error(node, error, "'%s' must be %s, not %s", key->name,
			     types[key->type].expected, found);
}

static bool is_scalar(const struct ab_node *node)
{
	return node->type == AB_NODE_SCALAR && !ab_node_is_nothing(node);
}

static bool check_choice(const struct ab_key *key, const struct ab_node *node,
			 GError **error)
{
	g_autofree char *kind = NULL;

	if (!key->choices || g_strv_contains(key->choices, node->text))
		return true;
	kind = g_strdup_printf("value for '%s':", key->name);
	return ab_node_unknown(node, kind, node->text, key->choices, error);
}

static bool check_text(const struct ab_key *key, const struct ab_node *node,
		       GError **error)
{
	const char *c;

	if (!is_scalar(node))
		return wrong_type(key, node, error);
	for (c = node->text; *c; c++)
		if (g_ascii_iscntrl(*c))
			return ab_node_error(node, error,
					     "'%s' must not contain control "
					     "characters or line breaks",
					     key->name);
	return check_choice(key, node, error);
}

static bool parse_strings(const struct ab_key *key, const struct ab_node *node,
			  char ***field, GError **error)
{
	g_autoptr(GStrvBuilder) strings = g_strv_builder_new();
	guint i;

	if (is_scalar(node)) {
		if (!check_text(key, node, error))
			return false;
		g_strv_builder_add(strings, node->text);
	} else if (node->type != AB_NODE_LIST) {
		return wrong_type(key, node, error);
	}
	for (i = 0; node->items && i < node->items->len; i++) {
		const struct ab_node *item = g_ptr_array_index(node->items, i);

		if (!check_text(key, item, error))
			return false;
		g_strv_builder_add(strings, item->text);
	}
	*field = g_strv_builder_end(strings);
	return true;
}

static bool parse_bool(const struct ab_key *key, const struct ab_node *node,
		       bool *field, GError **error)
{
	static const char *const yes[] = { "true", "yes", "on", NULL };
	static const char *const no[] = { "false", "no", "off", NULL };

	if (!is_scalar(node))
		return wrong_type(key, node, error);
	*field = g_strv_contains(yes, node->text);
	if (!*field && !g_strv_contains(no, node->text))
		return wrong_type(key, node, error);
	return true;
}

static bool parse_fraction(const struct ab_key *key, const struct ab_node *node,
			   double *value_out, GError **error)
{
	if (!is_scalar(node) ||
	    !key_number_parse(AB_KEY_DOUBLE, node->text, value_out))
		return wrong_type(key, node, error);
	if (*value_out >= 0 && *value_out <= 1)
		return true;
	return ab_node_error(node, error,
			     "'%s' takes fractions of the display from 0 to "
			     "1, not pixels: '%s'",
			     key->name, node->text);
}

static bool parse_point(const struct ab_key *key, const struct ab_node *node,
			struct ab_point *field, GError **error)
{
	if (node->type != AB_NODE_LIST || node->items->len != 2)
		return wrong_type(key, node, error);
	return parse_fraction(key, g_ptr_array_index(node->items, 0), &field->x,
			      error) &&
	       parse_fraction(key, g_ptr_array_index(node->items, 1), &field->y,
			      error);
}

static bool parse_number(const struct ab_key *key, const struct ab_node *node,
			 void *field, GError **error)
{
	g_autofree char *range = key_range(key);
	double value;

	if (!is_scalar(node) ||
	    !key_number_parse(key->type, node->text, &value))
		return wrong_type(key, node, error);
	if (range && (value < key->min || value > key->max))
		return ab_node_error(node, error, "'%s' must be in %s, not %s",
				     key->name, range, node->text);
	if (key->type == AB_KEY_DOUBLE || key->type == AB_KEY_PERCENT)
		*(double *)field = value;
	else
		*(gint64 *)field = (gint64)value;
	return true;
}

bool ab_keys_parse_value(const struct ab_key *key, const struct ab_node *node,
			 void *field, GError **error)
{
	switch (key->type) {
	case AB_KEY_STRING:
		if (!check_text(key, node, error))
			return false;
		*(char **)field = g_strdup(node->text);
		return true;
	case AB_KEY_STRINGS:
		return parse_strings(key, node, field, error);
	case AB_KEY_BOOL:
		return parse_bool(key, node, field, error);
	case AB_KEY_POINT:
		return parse_point(key, node, field, error);
	case AB_KEY_NODE:
		*(const struct ab_node **)field = node;
		return true;
	default:
		return parse_number(key, node, field, error);
	}
}

static void *field_of(const struct ab_key *key, void *fields)
{
	return (char *)fields + key->offset;
}

static bool set_default(const struct ab_key *key, void *fields, GError **error)
{
	ab_autoptr(ab_node) node = NULL;

	if (!key->dflt)
		return true;
	node = ab_yaml_parse(key->dflt, -1, key->name, error);
	return node &&
	       ab_keys_parse_value(key, node, field_of(key, fields), error);
}

static bool missing(const struct ab_key *key, const struct ab_node *node,
		    GError **error)
{
	if (node)
		return ab_node_error(node, error, "missing key '%s': %s",
				     key->name, key->help);
	g_set_error(error, AB_ERROR, AB_ERROR_PLAN, "missing key '%s': %s",
		    key->name, key->help);
	return false;
}

static bool check_names(const struct ab_key *table, const struct ab_node *node,
			GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint i;

	for (; table->name; table++)
		g_ptr_array_add(names, (char *)table->name);
	g_ptr_array_add(names, NULL);
	for (i = 0; i < node->pairs->len; i++) {
		const struct ab_pair *pair = g_ptr_array_index(node->pairs, i);
		const char *const *known = (const char *const *)names->pdata;

		if (!g_strv_contains(known, pair->key->text))
			return ab_node_unknown(pair->key, "key",
					       pair->key->text, known, error);
	}
	return true;
}

static bool not_a_map(const struct ab_key *table, const struct ab_node *node,
		      GError **error)
{
	g_autofree char *found = shown(node);

	if (!table->name)
		return ab_node_error(node, error, "takes no keys, not %s",
				     found);
	return ab_node_error(node, error,
			     "expected keys and their values, such as "
			     "{ %s: ... }, not %s",
			     table->name, found);
}

bool ab_keys_parse(const struct ab_key *table, const struct ab_node *node,
		   void *fields, GError **error)
{
	static const struct ab_key none = AB_KEYS_END;

	if (!table)
		table = &none;
	if (!ab_node_is_nothing(node)) {
		if (node->type != AB_NODE_MAP)
			return not_a_map(table, node, error);
		if (!check_names(table, node, error))
			return false;
	}
	for (; table->name; table++) {
		const struct ab_node *value = ab_node_get(node, table->name);
		bool ok = value		    ? ab_keys_parse_value(table, value,
								  field_of(table, fields),
								  error)
			  : table->required ? missing(table, node, error)
					    : set_default(table, fields, error);

		if (!ok)
			return false;
	}
	return true;
}

void ab_keys_clear(const struct ab_key *table, void *fields)
{
	for (; table && table->name; table++) {
		char **field = field_of(table, fields);

		if (table->type == AB_KEY_STRING)
			g_clear_pointer(field, g_free);
		if (table->type == AB_KEY_STRINGS)
			g_clear_pointer((char ***)field, g_strfreev);
	}
}
