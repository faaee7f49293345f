// SPDX-License-Identifier: GPL-3.0-or-later
/* Encoded words of headers: RFC 2047. */
#include "mail.h"

#include <string.h>

#define LONGEST_WORD 1000 /* the RFC says 75 */

/* "=?CHARSET?B?TEXT?=": the parts point into it. */
struct word {
	const char *charset, *text, *end; /* behind the word */
	gsize charset_len, text_len;
	char encoding; /* 'b' or 'q' */
};

static bool find_word(const char *at, struct word *w)
{
	const char *encoding, *end;

	if (strncmp(at, "=?", 2) != 0)
		return false;
	w->charset = at + 2;
	w->charset_len = strcspn(w->charset, "? ");
	encoding = w->charset + w->charset_len;
	if (encoding[0] != '?' || !encoding[1] || encoding[2] != '?')
		return false;
	w->encoding = g_ascii_tolower(encoding[1]);
	w->text = encoding + 3;
	end = g_strstr_len(w->text, LONGEST_WORD, "?=");
	if (!end || (w->encoding != 'b' && w->encoding != 'q'))
		return false;
	w->text_len = (gsize)(end - w->text);
	w->end = end + 2;
	return true;
}

static char *word_text(const struct word *w)
{
	g_autofree char *text = g_strndup(w->text, w->text_len);
	/* "UTF-8*en": a language may follow. */
	g_autofree char *charset = g_strndup(
		w->charset, MIN(strcspn(w->charset, "*"), w->charset_len));
	gsize n = w->text_len;

	if (w->encoding == 'q')
		n = mail_unquote(text, n, true);
	else if (n > 0)
		g_base64_decode_inplace(text, &n);
	return mail_utf8(text, n, charset);
}

char *ab_mail_decode_words(const char *value)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const char *at = value;
	struct word w;

	while (*at) {
		g_autofree char *text = NULL;
		const char *next;

		if (!find_word(at, &w)) {
			g_string_append_c(out, *at++);
			continue;
		}
		text = word_text(&w);
		g_string_append(out, text);
		at = w.end;
		/* Blanks between two encoded words are not meant. */
		next = at + strspn(at, " ");
		if (find_word(next, &w))
			at = next;
	}
	/* What was encoded may hold anything. */
	for (gsize i = 0; i < out->len; i++)
		if (g_ascii_iscntrl(out->str[i]))
			out->str[i] = ' ';
	return g_utf8_make_valid(out->str, (gssize)out->len);
}
