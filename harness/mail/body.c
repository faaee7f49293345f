// SPDX-License-Identifier: GPL-3.0-or-later
/* The text of a mail: parts, transfer encodings, character sets. */
#include "mail.h"

#include <string.h>

#define DEEPEST 4 /* parts within parts */

/* Decoders of others come with libc, and not all of them are harmless. */
static const char *const charsets[] = {
	"iso-8859-1", "iso-8859-2", "iso-8859-15", "windows-1252", "koi8-r",
	"gb2312",     "gbk",	    "gb18030",	   "big5",	   "euc-jp",
	"shift_jis",  "euc-kr",	    NULL
};

char *mail_utf8(const char *data, gsize len, const char *charset)
{
	for (const char *const *c = charsets; charset && *c; c++)
		if (!g_ascii_strcasecmp(charset, *c)) {
			char *text = g_convert(data, (gssize)len, "UTF-8", *c,
					       NULL, NULL, NULL);

			if (text)
				return text;
		}
	return g_utf8_make_valid(data, (gssize)len);
}

gsize mail_unquote(char *data, gsize len, bool word)
{
	gsize out = 0;

	for (gsize i = 0; i < len; i++) {
		bool hex = data[i] == '=' && len - i > 2 &&
			   g_ascii_isxdigit(data[i + 1]) &&
			   g_ascii_isxdigit(data[i + 2]);

		if (hex) {
			data[out++] =
				(char)(g_ascii_xdigit_value(data[i + 1]) << 4 |
				       g_ascii_xdigit_value(data[i + 2]));
			i += 2;
		} else if (!word && data[i] == '=' && len - i > 1 &&
			   data[i + 1] == '\n') {
			i++; /* the line goes on */
		} else {
			data[out++] =
				(char)(word && data[i] == '_' ? ' ' : data[i]);
		}
	}
	return out;
}

/* @data with '\n' for each line end. */
static char *with_newlines(const char *data, gsize len, gsize *len_out)
{
	char *text = g_malloc(len + 1);
	gsize n = 0;

	for (gsize i = 0; i < len; i++)
		if (data[i] != '\r' || i + 1 == len || data[i + 1] != '\n')
			text[n++] = data[i];
	text[n] = '\0';
	*len_out = n;
	return text;
}

static char *decode(const struct mail_headers *h, const char *data, gsize len)
{
	const char *encoding = mail_header(h, "Content-Transfer-Encoding");
	const char *type = mail_header(h, "Content-Type");
	g_autofree char *charset =
		type ? mail_parameter(type, "charset") : NULL;
	gsize n;
	g_autofree char *text = with_newlines(data, len, &n);
	g_autofree char *utf8 = NULL;

	if (encoding && !g_ascii_strcasecmp(encoding, "base64") && n > 0)
		g_base64_decode_inplace(text, &n);
	else if (encoding && !g_ascii_strcasecmp(encoding, "quoted-printable"))
		n = mail_unquote(text, n, false);
	utf8 = mail_utf8(text, n, charset);
	return with_newlines(utf8, strlen(utf8), &n);
}

static char *text_of(const struct mail_headers *h, const char *data, gsize len,
		     int depth);

static char *text_of_part(const char *data, gsize len, int depth)
{
	struct mail_headers h;
	gsize head = mail_headers_read(&h, data, len);
	char *text = text_of(&h, data + head, len - head, depth);

	mail_headers_clear(&h);
	return text;
}

/* Where the next line "--BOUNDARY" begins; @len: nowhere. */
static gsize next_boundary(const char *data, gsize len, gsize from,
			   const char *boundary)
{
	gsize n = strlen(boundary);

	while (from < len) {
		const char *end;

		if (len - from >= n + 2 && !memcmp(data + from, "--", 2) &&
		    !memcmp(data + from + 2, boundary, n))
			return from;
		end = memchr(data + from, '\n', len - from);
		from = end ? (gsize)(end - data) + 1 : len;
	}
	return len;
}

static char *text_of_parts(const char *data, gsize len, const char *boundary,
			   int depth)
{
	gsize at = next_boundary(data, len, 0, boundary);

	while (at < len) {
		const char *end = memchr(data + at, '\n', len - at);
		gsize begin = end ? (gsize)(end - data) + 1 : len;
		char *text;

		at = next_boundary(data, len, begin, boundary);
		text = text_of_part(data + begin, at - begin, depth + 1);
		if (text)
			return text;
	}
	return NULL;
}

static char *text_of(const struct mail_headers *h, const char *data, gsize len,
		     int depth)
{
	const char *type = mail_header(h, "Content-Type");
	g_autofree char *boundary = NULL;

	if (!type || !g_ascii_strncasecmp(type, "text/plain", 10))
		return decode(h, data, len);
	if (g_ascii_strncasecmp(type, "multipart/", 10) != 0 ||
	    depth == DEEPEST)
		return NULL;
	boundary = mail_parameter(type, "boundary");
	return boundary && *boundary ? text_of_parts(data, len, boundary, depth)
				     : NULL;
}

char *mail_text(const struct mail_headers *h, const char *data, gsize len)
{
	return text_of(h, data, len, 0);
}
