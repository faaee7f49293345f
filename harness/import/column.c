// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers in columns divided by blanks, as ministat takes them. */
#include "import.h"

#include <abrig/text.h>

#include <string.h>

#define MAX_COLUMNS 1000

struct token {
	char *text;
	guint column; /* in the line, from 1 */
};

static void clear_token(gpointer data)
{
	g_free(((struct token *)data)->text);
}

static GArray *tokens_new(void)
{
	GArray *tokens = g_array_new(FALSE, FALSE, sizeof(struct token));

	g_array_set_clear_func(tokens, clear_token);
	return tokens;
}

static const struct token *token_at(const GArray *tokens, guint i)
{
	return &g_array_index(tokens, struct token, i);
}

/* The words of @line up to a comment. */
static void split(const char *line, GArray *tokens)
{
	const char *p = line;

	g_array_set_size(tokens, 0);
	while (tokens->len < MAX_COLUMNS) {
		struct token *token;
		size_t n;

		p += strspn(p, " \t\v\f");
		if (!*p || *p == '#')
			return;
		n = strcspn(p, " \t\v\f");
		g_array_set_size(tokens, tokens->len + 1);
		token = &g_array_index(tokens, struct token, tokens->len - 1);
		token->text = g_strndup(p, n);
		token->column = (guint)(p - line) + 1;
		p += n;
	}
}

/* Names are told by a first line without any number, or by a comment there. */
static void find_names(const char *text, GArray *names, bool *in_line_out)
{
	const char *cursor = text;
	g_autofree char *line = NULL;
	double value;

	*in_line_out = false;
	do {
		g_free(line);
		line = ab_text_next_line(&cursor);
	} while (line && !*g_strstrip(line));
	if (!line)
		return;
	*in_line_out = *line != '#';
	split(line + strspn(line, "# \t"), names);
	for (guint i = 0; i < names->len; i++)
		if (ab_text_to_double(token_at(names, i)->text, &value) ||
		    strchr("0123456789+-.", *token_at(names, i)->text)) {
			g_array_set_size(names, 0);
			*in_line_out = false;
			return;
		}
}

struct choice {
	guint column; /* from 0 */
	char *name;
};

static bool choose_one(const struct ab_import *import, const GArray *names,
		       const char *wanted, struct choice *choice_out,
		       GError **error)
{
	const struct import_place at = { import->file, 1, 1 };
	gint64 number;

	for (guint i = 0; i < names->len; i++)
		if (!strcmp(token_at(names, i)->text, wanted)) {
			*choice_out = (struct choice){ i, g_strdup(wanted) };
			return true;
		}
	if (!ab_text_to_int(wanted, &number) || number < 1 ||
	    number > MAX_COLUMNS) {
		import_error(&at, error,
			     "there is no column '%s': no first line names it",
			     wanted);
		return false;
	}
	choice_out->column = (guint)number - 1;
	if (choice_out->column < names->len)
		choice_out->name =
			g_strdup(token_at(names, choice_out->column)->text);
	else
		choice_out->name = g_strdup_printf("column %s", wanted);
	return true;
}

static void clear_choice(gpointer data)
{
	g_free(((struct choice *)data)->name);
}

static GArray *choose(const struct ab_import *import, const GArray *names,
		      GError **error)
{
	const char *const *wanted = import->options->columns;
	g_autoptr(GArray) choices =
		g_array_new(FALSE, FALSE, sizeof(struct choice));
	struct choice choice = { 0, NULL };

	g_array_set_clear_func(choices, clear_choice);
	if (!wanted) {
		choice.name = g_strdup(names->len ? token_at(names, 0)->text
						  : "value");
		g_array_append_val(choices, choice);
	}
	for (; wanted && *wanted; wanted++) {
		if (!choose_one(import, names, *wanted, &choice, error))
			return NULL;
		g_array_append_val(choices, choice);
	}
	return g_steal_pointer(&choices);
}

static bool take_line(struct ab_import *import, const GArray *choices,
		      const GArray *tokens, guint line, GError **error)
{
	for (guint i = 0; i < choices->len; i++) {
		const struct choice *c =
			&g_array_index(choices, struct choice, i);
		struct import_record r = { .at = { import->file, line, 1 } };

		if (c->column >= tokens->len) {
			import_error(&r.at, error,
				     "the line has %u columns, no column %u",
				     tokens->len, c->column + 1);
			return false;
		}
		r.at.column = token_at(tokens, c->column)->column;
		r.text[AB_IMPORT_METRIC] = c->name;
		if (!import_number(&r.at, token_at(tokens, c->column)->text,
				   &r.value, error) ||
		    !import_take(import, &r, error))
			return false;
	}
	return true;
}

static bool parse(struct ab_import *import, const char *text, GError **error)
{
	g_autoptr(GArray) names = tokens_new();
	g_autoptr(GArray) tokens = tokens_new();
	g_autoptr(GArray) choices = NULL;
	bool header;
	char *line;

	find_names(text, names, &header);
	choices = choose(import, names, error);
	if (!choices)
		return false;
	for (guint n = 1; (line = ab_text_next_line(&text)); n++) {
		split(line, tokens);
		g_free(line);
		if (!tokens->len)
			continue;
		if (!header && !take_line(import, choices, tokens, n, error))
			return false;
		header = false;
	}
	return true;
}

static bool recognise(const char *text)
{
	(void)text;
	return true;
}

const struct import_format import_column = {
	.name = "columns divided by blanks",
	.recognise = recognise,
	.parse = parse,
};
