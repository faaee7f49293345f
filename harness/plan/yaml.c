// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/yaml.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#define MAX_FILE (1u << 20)
#define MAX_DEPTH 32
#define MAX_NODES 20000

struct builder {
	yaml_parser_t parser;
	const char *file;
	unsigned int nodes;
};

static struct ab_node *build(struct builder *b, const yaml_event_t *event,
			     int depth, GError **error);

static void pair_free(void *data)
{
	struct ab_pair *pair = data;

	ab_node_free(pair->key);
	ab_node_free(pair->value);
	g_free(pair);
}

static void item_free(void *data)
{
	ab_node_free(data);
}

void ab_node_free(struct ab_node *node)
{
	if (!node)
		return;
	g_free(node->text);
	g_clear_pointer(&node->items, g_ptr_array_unref);
	g_clear_pointer(&node->pairs, g_ptr_array_unref);
	g_free(node);
}

static struct ab_node *node_new(enum ab_node_type type, const char *file,
				int line, int column)
{
	struct ab_node *node = g_new0(struct ab_node, 1);

	*node = (struct ab_node){
		.type = type, .file = file, .line = line, .column = column
	};
	if (type == AB_NODE_LIST)
		node->items = g_ptr_array_new_with_free_func(item_free);
	if (type == AB_NODE_MAP)
		node->pairs = g_ptr_array_new_with_free_func(pair_free);
	return node;
}

bool ab_node_error(const struct ab_node *node, GError **error,
		   const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, AB_ERROR, AB_ERROR_PLAN, "%s:%d:%d: %s", node->file,
		    node->line, node->column, message);
	return false;
}

static bool mark_error(const struct builder *b, const yaml_mark_t *mark,
		       GError **error, const char *message)
{
	const struct ab_node at = { .file = b->file,
				    .line = (int)mark->line + 1,
				    .column = (int)mark->column + 1 };

	return ab_node_error(&at, error, "%s", message);
}

/* libyaml's own words, with its context where it has one. */
static bool parser_error(const struct builder *b, GError **error)
{
	const yaml_parser_t *p = &b->parser;
	g_autofree char *message = NULL;

	if (p->error == YAML_READER_ERROR)
		message = g_strdup_printf(
			"not UTF-8 text (byte %zu): %s; save it as UTF-8",
			p->problem_offset, p->problem);
	else
		message = g_strdup_printf("not valid YAML: %s%s%s",
					  p->problem ? p->problem : "damaged",
					  p->context ? " " : "",
					  p->context ? p->context : "");
	return mark_error(
		b, p->error == YAML_READER_ERROR ? &p->mark : &p->problem_mark,
		error, message);
}

static bool next_event(struct builder *b, yaml_event_t *event, GError **error)
{
	if (yaml_parser_parse(&b->parser, event))
		return true;
	return parser_error(b, error);
}

/* What YAML offers and a plan must not use. */
static bool refuse_extras(const struct builder *b, const yaml_event_t *event,
			  GError **error)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	switch (event->type) {
	case YAML_SCALAR_EVENT:
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
		break;
	default:
		break;
	}
	if (anchor || event->type == YAML_ALIAS_EVENT)
		return mark_error(b, &event->start_mark, error,
				  "anchors and aliases (&name, *name) are not "
				  "supported; write the value out, or quote it "
				  "when it is a text");
	if (tag)
		return mark_error(b, &event->start_mark, error,
				  "tags (!name) are not supported; remove it, "
				  "or quote the value when it is a text");
	return true;
}

static bool charge(struct builder *b, const yaml_event_t *event, int depth,
		   GError **error)
{
	g_autofree char *message = NULL;

	if (depth > MAX_DEPTH)
		message = g_strdup_printf("nested deeper than %d levels",
					  MAX_DEPTH);
	else if (++b->nodes > MAX_NODES)
		message = g_strdup_printf("more than %d values in one file",
					  MAX_NODES);
	if (message)
		return mark_error(b, &event->start_mark, error, message);
	return refuse_extras(b, event, error);
}

static bool fill_scalar(const struct builder *b, struct ab_node *node,
			const yaml_event_t *event, GError **error)
{
	const char *value = (const char *)event->data.scalar.value;

	if (strlen(value) != event->data.scalar.length)
		return mark_error(b, &event->start_mark, error,
				  "a value must not contain a NUL character");
	node->text = g_strdup(value);
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return true;
}

static bool fill_list(struct builder *b, struct ab_node *node, int depth,
		      GError **error)
{
	for (;;) {
		yaml_event_t event;
		struct ab_node *item;
		bool end;

		if (!next_event(b, &event, error))
			return false;
		end = event.type == YAML_SEQUENCE_END_EVENT;
		item = end ? NULL : build(b, &event, depth + 1, error);
		yaml_event_delete(&event);
		if (!item)
			return end;
		g_ptr_array_add(node->items, item);
	}
}

static bool check_key(const struct ab_node *key, GHashTable *seen,
		      GError **error)
{
	const struct ab_node *first;

	if (key->type != AB_NODE_SCALAR)
		return ab_node_error(
			key, error, "a key must be a single word, not a %s",
			key->type == AB_NODE_LIST ? "list" : "map");
	first = g_hash_table_lookup(seen, key->text);
	if (first)
		return ab_node_error(key, error,
				     "key '%s' stands here a second time; the "
				     "first is in line %d",
				     key->text, first->line);
	g_hash_table_insert(seen, key->text, (void *)key);
	return true;
}

static bool fill_map(struct builder *b, struct ab_node *node, int depth,
		     GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (;;) {
		yaml_event_t event;
		struct ab_pair *pair;
		bool end;

		if (!next_event(b, &event, error))
			return false;
		end = event.type == YAML_MAPPING_END_EVENT;
		pair = g_new0(struct ab_pair, 1);
		pair->key = end ? NULL : build(b, &event, depth + 1, error);
		yaml_event_delete(&event);
		if (!pair->key) {
			g_free(pair);
			return end;
		}
		g_ptr_array_add(node->pairs, pair);
		if (!check_key(pair->key, seen, error) ||
		    !next_event(b, &event, error))
			return false;
		pair->value = build(b, &event, depth + 1, error);
		yaml_event_delete(&event);
		if (!pair->value)
			return false;
	}
}

/* The node that begins with @event. */
static struct ab_node *build(struct builder *b, const yaml_event_t *event,
			     int depth, GError **error)
{
	ab_autoptr(ab_node) node = NULL;
	enum ab_node_type type = AB_NODE_SCALAR;
	bool ok;

	if (!charge(b, event, depth, error))
		return NULL;
	if (event->type == YAML_SEQUENCE_START_EVENT)
		type = AB_NODE_LIST;
	else if (event->type == YAML_MAPPING_START_EVENT)
		type = AB_NODE_MAP;
	node = node_new(type, b->file, (int)event->start_mark.line + 1,
			(int)event->start_mark.column + 1);
	if (type == AB_NODE_LIST)
		ok = fill_list(b, node, depth, error);
	else if (type == AB_NODE_MAP)
		ok = fill_map(b, node, depth, error);
	else
		ok = fill_scalar(b, node, event, error);
	return ok ? g_steal_pointer(&node) : NULL;
}

static struct ab_node *build_root(struct builder *b, const yaml_event_t *event,
				  GError **error)
{
	if (event->type == YAML_STREAM_END_EVENT) {
		mark_error(b, &event->start_mark, error, "the file is empty");
		return NULL;
	}
	return build(b, event, 1, error);
}

static bool only_one(const struct builder *b, const yaml_event_t *event,
		     GError **error)
{
	if (event->type == YAML_STREAM_END_EVENT)
		return true;
	return mark_error(b, &event->start_mark, error,
			  "a second document begins here; put it into a file "
			  "of its own");
}

/* The root of the stream's only document. */
static struct ab_node *build_document(struct builder *b, GError **error)
{
	ab_autoptr(ab_node) root = NULL;

	for (;;) {
		yaml_event_t event;
		bool ok = true, end = false;

		if (!next_event(b, &event, error))
			return NULL;
		switch (event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			ok = !root || event.type != YAML_DOCUMENT_START_EVENT ||
			     only_one(b, &event, error);
			break;
		default:
			end = root;
			if (root)
				ok = only_one(b, &event, error);
			else
				root = build_root(b, &event, error);
			ok = ok && root;
		}
		yaml_event_delete(&event);
		if (!ok)
			return NULL;
		if (end)
			return g_steal_pointer(&root);
	}
}

struct ab_node *ab_yaml_parse(const char *text, gssize len, const char *name,
			      GError **error)
{
	struct builder b = { .file = g_intern_string(name) };
	size_t size = len < 0 ? strlen(text) : (size_t)len;
	struct ab_node *root;

	if (size > MAX_FILE) {
		g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
			    "%s: larger than %u MiB, which no plan needs; is "
			    "it the right file?",
			    name, MAX_FILE >> 20);
		return NULL;
	}
	if (!yaml_parser_initialize(&b.parser))
		g_error("libyaml: out of memory");
	yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&b.parser, (const unsigned char *)text,
				     size);
	root = build_document(&b, error);
	yaml_parser_delete(&b.parser);
	return root;
}

char *ab_yaml_read(const char *path, gsize *len_out, GError **error)
{
	FILE *f = fopen(path, "re");
	g_autofree char *text = g_malloc(MAX_FILE + 2);
	size_t n;

	if (f) {
		/* One byte more than allowed, so that the parser refuses. */
		n = fread(text, 1, MAX_FILE + 1, f);
		if (!ferror(f)) {
			fclose(f);
			text[n] = '\0';
			*len_out = n;
			return g_realloc(g_steal_pointer(&text), n + 1);
		}
	}
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot read '%s': %s; check the name and who may read it",
		    path, g_strerror(errno));
	if (f)
		fclose(f);
	return NULL;
}

struct ab_node *ab_yaml_load(const char *path, GError **error)
{
	gsize len;
	g_autofree char *text = ab_yaml_read(path, &len, error);

	return text ? ab_yaml_parse(text, (gssize)len, path, error) : NULL;
}

struct ab_node *ab_node_get(const struct ab_node *map, const char *key)
{
	guint i;

	for (i = 0; map && map->pairs && i < map->pairs->len; i++) {
		struct ab_pair *pair = g_ptr_array_index(map->pairs, i);

		if (!strcmp(pair->key->text, key))
			return pair->value;
	}
	return NULL;
}

bool ab_node_is_nothing(const struct ab_node *node)
{
	return !node || (node->type == AB_NODE_SCALAR && !node->quoted &&
			 (!*node->text || !strcmp(node->text, "~") ||
			  !strcmp(node->text, "null")));
}
