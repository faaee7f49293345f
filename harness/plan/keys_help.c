// SPDX-License-Identifier: GPL-3.0-or-later
#include "keys_internal.h"

#include <string.h>

#define WIDTH 76

/* "NUMBER (1..1000; default 5)" */
static char *describe(const struct ab_key *key)
{
	g_autofree char *range = key_range(key);
	g_autofree char *choices =
		key->choices ? g_strjoinv("|", (char **)key->choices) : NULL;
	GString *text = g_string_new(
		choices ? choices : key_type(key->type)->placeholder);
	const char *separator = " (";

	if (choices && key->type == AB_KEY_STRINGS)
		g_string_printf(text, "[%s, ...]", choices);
	if (range) {
		g_string_append_printf(text, "%s%s", separator, range);
		separator = "; ";
	}
	if (key->required)
		g_string_append_printf(text, "%srequired", separator);
	else if (key->dflt)
		g_string_append_printf(text, "%sdefault %s", separator,
				       key->dflt);
	if (range || key->required || key->dflt)
		g_string_append_c(text, ')');
	return g_string_free(text, FALSE);
}

void ab_keys_wrap(const char *text, const char *indent, GString *out)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = 0;
	char **word;

	for (word = words; *word; word++) {
		size_t len = strlen(*word);

		if (column && column + 1 + len > WIDTH) {
			g_string_append_c(out, '\n');
			column = 0;
		}
		g_string_append(out, column ? " " : indent);
		g_string_append(out, *word);
		column += len + (column ? 1 : strlen(indent));
	}
	g_string_append_c(out, '\n');
}

void ab_keys_help(const struct ab_key *table, const char *indent, GString *out)
{
	g_autofree char *deeper = g_strconcat(indent, "    ", NULL);

	for (; table && table->name; table++) {
		g_autofree char *value = describe(table);

		g_string_append_printf(out, "%s%s: %s\n", indent, table->name,
				       value);
		ab_keys_wrap(table->help, deeper, out);
	}
}

void ab_keys_man_text(const char *text, GString *out)
{
	if (*text == '.' || *text == '\'')
		g_string_append(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			g_string_append(out, "\\e");
		else if (*text == '-')
			g_string_append(out, "\\-");
		else
			g_string_append_c(out, *text);
	}
}

void ab_keys_man(const struct ab_key *table, GString *out)
{
	for (; table && table->name; table++) {
		g_autofree char *value = describe(table);

		g_string_append(out, ".TP\n\\fB");
		ab_keys_man_text(table->name, out);
		g_string_append(out, "\\fR: ");
		ab_keys_man_text(value, out);
		g_string_append_c(out, '\n');
		ab_keys_man_text(table->help, out);
		g_string_append_c(out, '\n');
	}
}
