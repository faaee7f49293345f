// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <string.h>

char *text_ascii(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		/* One '?' for a character, not for each of its bytes. */
		if (((guchar)*p & 0xc0) == 0x80)
			continue;
		g_string_append_c(out, g_ascii_isprint(*p)   ? *p
				       : g_ascii_isspace(*p) ? ' '
							     : '?');
	}
	return g_string_free(out, FALSE);
}

char *text_word(const char *text, const char *allowed)
{
	char *word = g_strdup(text);

	for (char *p = word; *p; p++)
		if (!g_ascii_isalnum(*p) && !strchr(allowed, *p))
			*p = '_';
	return word;
}

static void indent(GString *out, int width)
{
	for (int i = 0; i < width; i++)
		g_string_append_c(out, ' ');
}

/* A word longer than a line is broken: the width counts more. */
static void add_word(GString *out, const char *word, int rest, size_t *column)
{
	size_t left = strlen(word);

	while (left > REPORT_WIDTH - *column) {
		size_t part = REPORT_WIDTH - *column;

		g_string_append_len(out, word, (gssize)part);
		g_string_append_c(out, '\n');
		indent(out, rest);
		*column = (size_t)rest;
		word += part;
		left -= part;
	}
	g_string_append(out, word);
	*column += left;
}

/* @word, printable, with the blanks that it must keep. */
static char *word_text(const char *word)
{
	g_autofree char *kept = g_strdup(word);

	g_strdelimit(kept, TEXT_KEEP, ' ');
	return text_ascii(kept);
}

void text_wrap(GString *out, const char *text, int first, int rest)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n\v\f", -1);
	size_t column = (size_t)first;
	bool begin = true;

	indent(out, first);
	for (char **next = words; *next; next++) {
		g_autofree char *word = word_text(*next);

		if (!*word)
			continue;
		if (!begin && column + 1 + strlen(word) > REPORT_WIDTH) {
			g_string_append_c(out, '\n');
			indent(out, rest);
			column = (size_t)rest;
		} else if (!begin) {
			g_string_append_c(out, ' ');
			column++;
		}
		add_word(out, word, rest, &column);
		begin = false;
	}
	g_string_append_c(out, '\n');
}

void text_heading(GString *out, const char *text)
{
	bool mistaken = *text == '-' || g_str_has_prefix(text, "From ") ||
			g_str_has_prefix(text, "diff ");

	text_wrap(out, text, mistaken ? 2 : 0, 2);
}

void text_item(GString *out, const char *format, ...)
{
	g_autofree char *item = NULL;
	va_list ap;

	va_start(ap, format);
	item = g_strdup_vprintf(format, ap);
	va_end(ap);
	/* An item that no line holds is broken where it can be. */
	if (strlen(item) <= REPORT_WIDTH / 2)
		g_strdelimit(item, " ", *TEXT_KEEP);
	if (out->len)
		g_string_append_c(out, ' ');
	g_string_append(out, item);
}
