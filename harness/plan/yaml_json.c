// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A tree as JSON text, which is YAML too: ab_yaml_parse() reads it back.  All
 * scalars become strings; the option tables give them their types again.
 */
#include <abrig/yaml.h>
#include <json-glib/json-glib.h>

static void build(JsonBuilder *b, const struct ab_node *node)
{
	guint i;

	switch (node->type) {
	case AB_NODE_SCALAR:
		if (ab_node_is_nothing(node))
			json_builder_add_null_value(b);
		else
			json_builder_add_string_value(b, node->text);
		break;
	case AB_NODE_LIST:
		json_builder_begin_array(b);
		for (i = 0; i < node->items->len; i++)
			build(b, node->items->pdata[i]);
		json_builder_end_array(b);
		break;
	case AB_NODE_MAP:
		json_builder_begin_object(b);
		for (i = 0; i < node->pairs->len; i++) {
			const struct ab_pair *pair = node->pairs->pdata[i];

			json_builder_set_member_name(b, pair->key->text);
			build(b, pair->value);
		}
		json_builder_end_object(b);
		break;
	}
}

char *ab_node_to_json(const struct ab_node *node)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(JsonNode) root = NULL;

	build(b, node);
	root = json_builder_get_root(b);
	return json_to_string(root, FALSE);
}
