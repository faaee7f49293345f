// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario_internal.h"

#include <string.h>

#define MAX_PARAMS 100
#define MAX_ITEMS 100 /* of a parameter that is a list */

static bool check_value(const char *name, const struct ab_node *value,
			GError **error)
{
	guint i;

	if (value->type == AB_NODE_MAP)
		return ab_node_error(value, error,
				     "parameter '%s' must be a value or a list "
				     "of values, not a map",
				     name);
	if (!value->items)
		return true;
	if (value->items->len > MAX_ITEMS)
		return ab_node_error(value, error,
				     "parameter '%s' has more than %d values",
				     name, MAX_ITEMS);
	for (i = 0; i < value->items->len; i++) {
		const struct ab_node *item = g_ptr_array_index(value->items, i);

		if (item->type != AB_NODE_SCALAR)
			return ab_node_error(item, error,
					     "parameter '%s' must not hold "
					     "lists or maps in its list",
					     name);
	}
	return true;
}

static bool check_params(const struct ab_node *params, GError **error)
{
	guint i;

	if (params->type != AB_NODE_MAP)
		return ab_node_error(params, error,
				     "parameters are a map from names to "
				     "values, such as { swipes: 10 }");
	if (params->pairs->len > MAX_PARAMS)
		return ab_node_error(params, error, "more than %d parameters",
				     MAX_PARAMS);
	for (i = 0; i < params->pairs->len; i++) {
		const struct ab_pair *pair =
			g_ptr_array_index(params->pairs, i);

		if (!check_value(pair->key->text, pair->value, error))
			return false;
	}
	return true;
}

static void declare(GHashTable *lookup, const struct ab_node *params)
{
	guint i;

	for (i = 0; i < params->pairs->len; i++) {
		const struct ab_pair *pair =
			g_ptr_array_index(params->pairs, i);

		g_hash_table_insert(lookup, pair->key->text, pair->value);
	}
}

static bool override(GHashTable *lookup, const struct ab_node *params,
		     GError **error)
{
	g_autofree const char **names =
		(const char **)g_hash_table_get_keys_as_array(lookup, NULL);
	guint i;

	for (i = 0; i < params->pairs->len; i++) {
		const struct ab_pair *pair =
			g_ptr_array_index(params->pairs, i);

		if (!g_strv_contains(names, pair->key->text))
			return ab_node_unknown(pair->key, "parameter",
					       pair->key->text, names, error);
	}
	declare(lookup, params);
	return true;
}

bool scenario_apply_params(struct ab_node *tree, const struct ab_node *params,
			   GError **error)
{
	g_autoptr(GHashTable) lookup =
		g_hash_table_new(g_str_hash, g_str_equal);
	const struct ab_node *own = ab_node_get(tree, "params");

	if (!ab_node_is_nothing(own)) {
		if (!check_params(own, error))
			return false;
		declare(lookup, own);
	}
	if (!ab_node_is_nothing(params) &&
	    (!check_params(params, error) || !override(lookup, params, error)))
		return false;
	return ab_node_substitute(tree, lookup, error);
}
