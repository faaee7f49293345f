// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The text form of a trace configuration, as perfetto's own parser has it: a
 * subset of protobuf's, checked against the schema, with that parser's
 * messages.
 */
#include <stdlib.h>
#include <string.h>

#include "perfetto_schema.h"
#include "trace_pb.h"
#include "vphone.h"

#define MAX_DEPTH 32

enum token { TOK_END, TOK_NAME, TOK_NUMBER, TOK_STRING, TOK_OPEN, TOK_CLOSE };

struct parser {
	const char *file, *text, *at;
	GError **error;
	int depth;

	/* the current token */
	enum token token;
	const char *begin;
	char *value; /* of a name, a number, a string */
};

/* The message, the line, and a caret under the token. */
static bool fail_at(struct parser *p, const char *where, int column_shift,
		    const char *what)
{
	int line = 1;
	const char *line_begin = p->text;

	for (const char *c = p->text; c < where; c++)
		if (*c == '\n') {
			line++;
			line_begin = c + 1;
		}
	int column = (int)(where - line_begin) + column_shift;
	g_autofree char *source =
		g_strndup(line_begin, strcspn(line_begin, "\n"));
	size_t len = p->value ? strlen(p->value) : 1;
	g_autoptr(GString) guide = g_string_new(NULL);
	for (int i = 1; i < column; i++)
		g_string_append_c(guide, ' ');
	g_string_append_c(guide, '^');
	for (size_t i = 1; i < len; i++)
		g_string_append_c(guide, '~');
	g_set_error(p->error, VP_ERROR, 0,
		    "%s:%d:%d error: %s\n%s\n%s\n"
		    "The trace config is invalid, bailing out.",
		    p->file, line, column, what, source, guide->str);
	return false;
}

static bool fail(struct parser *p, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(struct parser *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	return fail_at(p, p->begin, 1, what);
}

static bool unexpected(struct parser *p)
{
	g_clear_pointer(&p->value, g_free);
	return fail(p, "Unexpected character '%c'", *p->begin);
}

static bool at_end(struct parser *p)
{
	g_clear_pointer(&p->value, g_free);
	/* Its column counts the characters that were read. */
	return fail_at(p, p->at, 0, "Unexpected end of input");
}

static void skip_space(struct parser *p)
{
	for (;;) {
		p->at += strspn(p->at, " \t\r\n");
		if (*p->at != '#')
			return;
		p->at += strcspn(p->at, "\n");
	}
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '-' || c == '.' ||
	       c == '+';
}

/* A word must be followed by something: the parser sees its end only then. */
static bool read_word(struct parser *p)
{
	while (is_word(*p->at))
		p->at++;
	if (!*p->at)
		return at_end(p);
	p->value = g_strndup(p->begin, (gsize)(p->at - p->begin));
	bool number = g_ascii_isdigit(*p->begin) || *p->begin == '-' ||
		      *p->begin == '.';
	p->token = number ? TOK_NUMBER : TOK_NAME;
	return true;
}

static char unescape(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	default:
		return c;
	}
}

static bool read_string(struct parser *p)
{
	g_autoptr(GString) s = g_string_new(NULL);

	for (p->at++; *p->at != '"'; p->at++) {
		if (*p->at == '\\')
			p->at++;
		if (!*p->at)
			return at_end(p);
		bool escaped = p->at[-1] == '\\';
		g_string_append_c(s, escaped ? unescape(*p->at) : *p->at);
	}
	p->at++;
	p->value = g_string_free(g_steal_pointer(&s), FALSE);
	p->token = TOK_STRING;
	return true;
}

static bool next(struct parser *p)
{
	g_clear_pointer(&p->value, g_free);
	skip_space(p);
	p->begin = p->at;
	switch (*p->at) {
	case '\0':
		p->token = TOK_END;
		return true;
	case '{':
	case '}':
		p->token = *p->at++ == '{' ? TOK_OPEN : TOK_CLOSE;
		return true;
	case '"':
		return read_string(p);
	default:
		return is_word(*p->at) ? read_word(p) : unexpected(p);
	}
}

static bool accept(struct parser *p, char c)
{
	skip_space(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static const char *const type_names[] = {
	[VP_TYPE_UINT32] = "uint32",   [VP_TYPE_UINT64] = "uint64",
	[VP_TYPE_INT32] = "int32",     [VP_TYPE_INT64] = "int64",
	[VP_TYPE_BOOL] = "bool",       [VP_TYPE_DOUBLE] = "double",
	[VP_TYPE_STRING] = "string",   [VP_TYPE_ENUM] = "enum",
	[VP_TYPE_MESSAGE] = "message",
};

static bool wrong_type(struct parser *p, const struct vp_message *message,
		       const struct vp_field *field)
{
	return fail(p,
		    "Expected value of type %s for field %s in proto %s "
		    "instead saw '%s'",
		    type_names[field->type], field->name, message->name,
		    p->value ? p->value : "{");
}

static bool set_enum(struct parser *p, const struct vp_message *message,
		     struct vp_node *node)
{
	const struct vp_enum_value *value = node->field->values;

	if (p->token != TOK_NAME)
		return wrong_type(p, message, node->field);
	for (; value && value->name; value++)
		if (strcmp(value->name, p->value) == 0) {
			node->number = value->number;
			return true;
		}
	if (!node->field->values)
		return true;
	return fail(p, "Unexpected value '%s' for enum field %s in proto %s",
		    p->value, node->field->name, message->name);
}

static bool set_number(struct parser *p, const struct vp_message *message,
		       struct vp_node *node)
{
	char *end;
	bool negative = *p->value == '-';
	gint64 n = negative ? g_ascii_strtoll(p->value, &end, 0)
			    : (gint64)g_ascii_strtoull(p->value, &end, 0);

	if (p->token != TOK_NUMBER || *end)
		return wrong_type(p, message, node->field);
	/* What does not fit is cut in silence, as perfetto does. */
	if (node->field->type == VP_TYPE_UINT32)
		n = (guint32)n;
	else if (node->field->type == VP_TYPE_INT32)
		n = (gint32)n;
	node->number = n;
	return true;
}

static bool set_scalar(struct parser *p, const struct vp_message *message,
		       struct vp_node *node)
{
	const struct vp_field *field = node->field;
	char *end;

	if (!p->value)
		return wrong_type(p, message, field);
	switch (field->type) {
	case VP_TYPE_STRING:
		if (p->token != TOK_STRING)
			return wrong_type(p, message, field);
		node->text = g_strdup(p->value);
		return true;
	case VP_TYPE_BOOL:
		node->number = strcmp(p->value, "true") == 0;
		if (p->token == TOK_NAME &&
		    (node->number || strcmp(p->value, "false") == 0))
			return true;
		return wrong_type(p, message, field);
	case VP_TYPE_DOUBLE:
		node->real = g_ascii_strtod(p->value, &end);
		return (p->token == TOK_NUMBER && !*end) ||
		       wrong_type(p, message, field);
	case VP_TYPE_ENUM:
		return set_enum(p, message, node);
	default:
		return set_number(p, message, node);
	}
}

static struct vp_node *node_new(const struct vp_field *field)
{
	struct vp_node *node = g_new0(struct vp_node, 1);

	node->field = field;
	node->children =
		g_ptr_array_new_with_free_func((GDestroyNotify)vp_node_free);
	return node;
}

static bool parse_fields(struct parser *p, const struct vp_message *message,
			 struct vp_node *node, const char *opened);

static const struct vp_field *find_field(const struct vp_message *message,
					 const char *name)
{
	for (const struct vp_field *f = message->fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* After the name of a field that the schema does not describe. */
static bool skip_value(struct parser *p)
{
	int depth = 0;

	accept(p, ':');
	do {
		if (!next(p))
			return false;
		if (p->token == TOK_END)
			return fail(p, "Nested message not closed");
		depth += (p->token == TOK_OPEN) - (p->token == TOK_CLOSE);
		if (depth > 0 && !accept(p, ':'))
			accept(p, ';');
	} while (depth > 0);
	accept(p, ';');
	return true;
}

static bool parse_message(struct parser *p, const struct vp_message *message,
			  struct vp_node *node)
{
	const char *opened = p->begin;

	if (p->token != TOK_OPEN)
		return wrong_type(p, message, node->field);
	if (++p->depth > MAX_DEPTH)
		return fail(p, "Too many nested messages");
	if (!parse_fields(p, node->field->message, node, opened))
		return false;
	p->depth--;
	return true;
}

static bool parse_value(struct parser *p, const struct vp_message *message,
			struct vp_node *parent, const struct vp_field *field)
{
	bool colon = accept(p, ':');

	if (!next(p))
		return false;
	if (p->token == TOK_END)
		return at_end(p);
	if (!colon && p->token != TOK_OPEN)
		return unexpected(p);
	struct vp_node *node = node_new(field);
	g_ptr_array_add(parent->children, node);
	bool ok = field->type == VP_TYPE_MESSAGE
			  ? parse_message(p, message, node)
			  : set_scalar(p, message, node);
	if (ok)
		accept(p, ';');
	return ok;
}

static bool parse_field(struct parser *p, const struct vp_message *message,
			struct vp_node *node)
{
	if (p->token != TOK_NAME)
		return unexpected(p);
	if (!message->fields)
		return skip_value(p);
	const struct vp_field *field = find_field(message, p->value);
	if (!field)
		return fail(p, "No field named \"%s\" in proto %s", p->value,
			    message->name);
	if (!field->repeated && vp_node_child(node, field->name, 0))
		return fail(p, "Saw non-repeating field '%s' more than once",
			    field->name);
	return parse_value(p, message, node, field);
}

/* Until the closing brace, or for the root (not @opened) the end. */
static bool parse_fields(struct parser *p, const struct vp_message *message,
			 struct vp_node *node, const char *opened)
{
	for (;;) {
		if (!next(p))
			return false;
		if (p->token == TOK_END && !opened)
			return true;
		if (p->token == TOK_END)
			return fail_at(p, opened, 1,
				       "Nested message not closed");
		if (p->token == TOK_CLOSE)
			return opened || fail(p, "Unmatched closing brace");
		if (!parse_field(p, message, node))
			return false;
	}
}

struct vp_node *vp_text_parse(const char *file, const char *text,
			      GError **error)
{
	struct parser p = {
		.file = file, .text = text, .at = text, .error = error
	};
	struct vp_node *root = node_new(NULL);
	bool ok = parse_fields(&p, &vp_schema_trace_config, root, NULL);

	g_free(p.value);
	if (ok)
		return root;
	vp_node_free(root);
	return NULL;
}

void vp_node_free(struct vp_node *node)
{
	if (!node)
		return;
	g_ptr_array_unref(node->children);
	g_free(node->text);
	g_free(node);
}

const struct vp_node *vp_node_child(const struct vp_node *node,
				    const char *name, guint n)
{
	for (guint i = 0; node && i < node->children->len; i++) {
		const struct vp_node *child =
			g_ptr_array_index(node->children, i);
		if (strcmp(child->field->name, name) == 0 && n-- == 0)
			return child;
	}
	return NULL;
}

gint64 vp_node_number(const struct vp_node *node, const char *name,
		      gint64 absent)
{
	const struct vp_node *child = vp_node_child(node, name, 0);

	return child ? child->number : absent;
}

const char *vp_node_text(const struct vp_node *node, const char *name)
{
	const struct vp_node *child = vp_node_child(node, name, 0);

	return child ? child->text : "";
}

void vp_node_serialize(const struct vp_node *node, GByteArray *pb)
{
	for (guint i = 0; i < node->children->len; i++) {
		const struct vp_node *child =
			g_ptr_array_index(node->children, i);
		guint32 number = child->field->number;
		if (child->field->type == VP_TYPE_STRING) {
			vp_pb_string(pb, number, child->text);
		} else if (child->field->type == VP_TYPE_DOUBLE) {
			vp_pb_double(pb, number, child->real);
		} else if (child->field->type == VP_TYPE_MESSAGE) {
			gsize opened = vp_pb_open(pb, number);
			vp_node_serialize(child, pb);
			vp_pb_close(pb, opened);
		} else {
			vp_pb_int(pb, number, child->number);
		}
	}
}
