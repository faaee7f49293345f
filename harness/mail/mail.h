/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the mail module share. */
#ifndef MAIL_MAIL_H
#define MAIL_MAIL_H

#include <abrig/mail.h>

/* ---- headers.c ---- */

/* Unfolded fields; a ceiling bounds their number. */
struct mail_headers {
	GPtrArray *names, *values; /* char * */
};
/*
 * Read the fields at @data up to the empty line; returns how many bytes they
 * and that line take.
 */
gsize mail_headers_read(struct mail_headers *h, const char *data, gsize len);
void mail_headers_clear(struct mail_headers *h);
/* The first field of that name, in any case; or NULL. */
const char *mail_header(const struct mail_headers *h, const char *name);
/* The parameter of a field's value, as of a Content-Type (caller frees). */
char *mail_parameter(const char *value, const char *name);

/* ---- body.c ---- */

/* The first text in @data, the body that @h heads, as UTF-8; or NULL. */
char *mail_text(const struct mail_headers *h, const char *data, gsize len);
/* UTF-8 from @len bytes in @charset, NULL: not said (caller frees). */
char *mail_utf8(const char *data, gsize len, const char *charset);
/* In place; @word: '_' is a blank, as in encoded words.  The new length. */
gsize mail_unquote(char *data, gsize len, bool word);

/* ---- addresses.c ---- */

/* Those of a To or Cc, each trimmed (g_ptr_array_unref()). */
GPtrArray *mail_addresses(const char *value);
/* "user@host" of "Name <user@host>", in lower case; NULL when it is none. */
char *mail_address(const char *text);

#endif
