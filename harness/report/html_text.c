// SPDX-License-Identifier: GPL-3.0-or-later
/* All text of a page comes from a device, a plan or a trace: it is escaped. */
#include "html.h"

#include <string.h>

/* Controls, and what turns the direction of the text that follows. */
static bool is_invisible(gunichar c)
{
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
		return c != '\n' && c != '\t';
	case G_UNICODE_FORMAT:
	case G_UNICODE_PRIVATE_USE:
		return true;
	default:
		return false;
	}
}

void html_text(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autoptr(GString) shown = g_string_new(NULL);
	g_autofree char *escaped = NULL;

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		g_string_append_unichar(shown, is_invisible(c) ? 0xfffd : c);
	}
	escaped = g_markup_escape_text(shown->str, (gssize)shown->len);
	g_string_append(out, escaped);
}

/* One conversion; returns how long it is. */
static size_t convert(GString *out, const char *at, va_list *ap)
{
	if (at[1] == '%')
		g_string_append_c(out, '%');
	else if (at[1] == 's')
		html_text(out, va_arg(*ap, const char *));
	else if (at[1] == 'd')
		g_string_append_printf(out, "%d", va_arg(*ap, int));
	else if (at[1] == 'z' && at[2] == 'u')
		g_string_append_printf(out, "%zu", va_arg(*ap, size_t));
	else
		g_assert_not_reached();
	return at[1] == 'z' ? 3 : 2;
}

void html_add(GString *out, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	while (*format) {
		size_t n = strcspn(format, "%");

		g_string_append_len(out, format, (gssize)n);
		format += n;
		if (*format)
			format += convert(out, format, &ap);
	}
	va_end(ap);
}

void html_json(GString *out, const char *json)
{
	for (const char *p = json; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		/* They occur in strings only, where they may be escaped. */
		if (c == '<' || c == '>' || c == '&' || c == 0x2028 ||
		    c == 0x2029)
			g_string_append_printf(out, "\\u%04x", (unsigned int)c);
		else
			g_string_append_unichar(out, c);
	}
}

char *html_hash(const char *script)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize n = sizeof(digest);
	g_autofree char *base64 = NULL;

	g_checksum_update(sum, (const guchar *)script, -1);
	g_checksum_get_digest(sum, digest, &n);
	base64 = g_base64_encode(digest, n);
	return g_strconcat("sha256-", base64, NULL);
}
