// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/keys.h>

/* What all replacements together may add to one tree. */
#define MAX_ADDED 20000

struct substitution {
	GHashTable *lookup; /* name: const struct ab_node * */
	unsigned int added;
};

/* A parameter's value: a scalar or a list of scalars, at its own place. */
static struct ab_node *copy_value(const struct ab_node *value)
{
	struct ab_node *copy = g_new(struct ab_node, 1);
	guint i;

	*copy = *value;
	copy->text = g_strdup(value->text);
	if (!value->items)
		return copy;
	copy->items =
		g_ptr_array_new_with_free_func((GDestroyNotify)ab_node_free);
	for (i = 0; i < value->items->len; i++)
		g_ptr_array_add(copy->items,
				copy_value(g_ptr_array_index(value->items, i)));
	return copy;
}

static bool unknown_name(const struct substitution *s,
			 const struct ab_node *node, GError **error)
{
	g_autofree const char **names =
		(const char **)g_hash_table_get_keys_as_array(s->lookup, NULL);

	return ab_node_unknown(node, "parameter", node->text + 1, names, error);
}

static bool replace(struct substitution *s, struct ab_node **slot,
		    GError **error);

static bool replace_children(struct substitution *s, struct ab_node *node,
			     GError **error)
{
	guint i;

	for (i = 0; node->items && i < node->items->len; i++)
		if (!replace(s, (struct ab_node **)&node->items->pdata[i],
			     error))
			return false;
	for (i = 0; node->pairs && i < node->pairs->len; i++) {
		struct ab_pair *pair = g_ptr_array_index(node->pairs, i);

		if (!replace(s, &pair->value, error))
			return false;
	}
	return true;
}

static bool replace(struct substitution *s, struct ab_node **slot,
		    GError **error)
{
	struct ab_node *node = *slot;
	const struct ab_node *value;

	if (node->type != AB_NODE_SCALAR)
		return replace_children(s, node, error);
	if (node->quoted || node->text[0] != '$')
		return true;
	value = g_hash_table_lookup(s->lookup, node->text + 1);
	if (!value)
		return unknown_name(s, node, error);
	s->added += value->items ? value->items->len + 1 : 1;
	if (s->added > MAX_ADDED)
		return ab_node_error(node, error,
				     "parameters add more than %d values",
				     MAX_ADDED);
	*slot = copy_value(value);
	ab_node_free(node);
	return true;
}

bool ab_node_substitute(struct ab_node *node, GHashTable *lookup,
			GError **error)
{
	struct substitution s = { .lookup = lookup };

	return replace_children(&s, node, error);
}
