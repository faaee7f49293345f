// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail.h"

#include <string.h>

#define MOST_FIELDS 1000
#define LONGEST_VALUE (64 << 10)

/* What gets into a header again must be one line without control characters. */
static void append_clean(GString *value, const char *text, gsize len)
{
	for (gsize i = 0; i < len && value->len < LONGEST_VALUE; i++)
		g_string_append_c(value,
				  g_ascii_iscntrl(text[i]) ? ' ' : text[i]);
}

static gsize line_end(const char *data, gsize len)
{
	const char *end = memchr(data, '\n', len);

	return end ? (gsize)(end - data) + 1 : len;
}

static bool is_empty(const char *line, gsize n)
{
	return n == 0 || *line == '\n' || (*line == '\r' && n == 2);
}

/* The field in the @n bytes at @line, of which the first line ends at @first. */
static void add_field(struct mail_headers *h, const char *line, gsize n)
{
	const char *colon = memchr(line, ':', n);
	g_autoptr(GString) value = g_string_new(NULL);
	gsize name;

	if (!colon || h->names->len == MOST_FIELDS)
		return;
	name = (gsize)(colon - line);
	append_clean(value, colon + 1, n - name - 1);
	g_ptr_array_add(h->names, g_strstrip(g_strndup(line, name)));
	g_ptr_array_add(h->values,
			g_utf8_make_valid(g_strstrip(value->str), -1));
}

gsize mail_headers_read(struct mail_headers *h, const char *data, gsize len)
{
	gsize at = 0, n;

	h->names = g_ptr_array_new_with_free_func(g_free);
	h->values = g_ptr_array_new_with_free_func(g_free);
	while (at < len) {
		n = line_end(data + at, len - at);
		if (is_empty(data + at, n))
			return at + n;
		/* A line that begins with a blank goes on with the field. */
		while (at + n < len &&
		       (data[at + n] == ' ' || data[at + n] == '\t'))
			n += line_end(data + at + n, len - at - n);
		add_field(h, data + at, n);
		at += n;
	}
	return len;
}

void mail_headers_clear(struct mail_headers *h)
{
	g_ptr_array_unref(h->names);
	g_ptr_array_unref(h->values);
}

const char *mail_header(const struct mail_headers *h, const char *name)
{
	for (guint i = 0; i < h->names->len; i++)
		if (!g_ascii_strcasecmp(h->names->pdata[i], name))
			return h->values->pdata[i];
	return NULL;
}

char *mail_parameter(const char *value, const char *name)
{
	gsize n = strlen(name);

	for (const char *at = strchr(value, ';'); at; at = strchr(at, ';')) {
		at++;
		at += strspn(at, " ");
		if (g_ascii_strncasecmp(at, name, n) != 0 || at[n] != '=')
			continue;
		at += n + 1;
		if (*at == '"')
			return g_strndup(at + 1, strcspn(at + 1, "\""));
		return g_strndup(at, strcspn(at, "; "));
	}
	return NULL;
}
