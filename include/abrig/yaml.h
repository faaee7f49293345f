/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML files as trees that remember where each value stands, so that every
 * error can say file:line:column.  Hostile files are bounded: size, depth,
 * number of nodes; anchors and aliases are refused.
 */
#ifndef ABRIG_YAML_H
#define ABRIG_YAML_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

enum ab_node_type { AB_NODE_SCALAR, AB_NODE_LIST, AB_NODE_MAP };

struct ab_node {
	enum ab_node_type type;
	const char *file; /* interned; as the user named it */
	int line, column; /* from 1 */
	char *text;	  /* scalar: its value */
	bool quoted;	  /* scalar: written with quotes, hence a string */
	GPtrArray *items; /* list: struct ab_node * */
	GPtrArray *pairs; /* map: struct ab_pair *, in the file's order */
};

struct ab_pair {
	struct ab_node *key; /* scalar */
	struct ab_node *value;
};

/* The one document in @path (or in @text, named @name). AB_ERROR_PLAN. */
struct ab_node *ab_yaml_load(const char *path, GError **error);
struct ab_node *ab_yaml_parse(const char *text, gssize len, const char *name,
			      GError **error);
/* The bytes of a file, at most one more than ab_yaml_parse() takes. */
char *ab_yaml_read(const char *path, gsize *len_out, GError **error);
void ab_node_free(struct ab_node *node);
AB_DEFINE_AUTO(ab_node, ab_node_free)

/* The value of @key in a map, or NULL. */
struct ab_node *ab_node_get(const struct ab_node *map, const char *key);

/* Set AB_ERROR_PLAN with "file:line:column: " before the message; false. */
bool ab_node_error(const struct ab_node *node, GError **error,
		   const char *format, ...) G_GNUC_PRINTF(3, 4);

/* NULL, or a scalar that says nothing: "key:", "key: ~", "key: null". */
bool ab_node_is_nothing(const struct ab_node *node);

/*
 * Replace, below @node, each unquoted scalar "$name" by a copy of the node
 * that @lookup (name: const struct ab_node *, a scalar or a list of scalars)
 * has for the name; the copy keeps its own place.  An unknown name is a node
 * error with a suggestion.
 */
bool ab_node_substitute(struct ab_node *node, GHashTable *lookup,
			GError **error);

/* @node as JSON, which ab_yaml_parse() reads back; scalars become strings. */
char *ab_node_to_json(const struct ab_node *node);

#endif
