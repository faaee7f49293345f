// SPDX-License-Identifier: GPL-3.0-or-later
/* Lists of addresses: RFC 5322, 3.4, without groups. */
#include "mail.h"

#include <string.h>

#define MOST_ADDRESSES 500

/* Where the address at @at ends: a comma that nothing encloses. */
static const char *address_end(const char *at)
{
	bool quoted = false;
	int depth = 0; /* of comments and angles */

	for (; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (!quoted && (*at == '(' || *at == '<'))
			depth++;
		else if (!quoted && (*at == ')' || *at == '>'))
			depth -= depth > 0;
		else if (!quoted && depth == 0 && *at == ',')
			break;
	}
	return at;
}

GPtrArray *mail_addresses(const char *value)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	while (value && *value && all->len < MOST_ADDRESSES) {
		const char *end = address_end(value);
		char *one = g_strstrip(g_strndup(value, (gsize)(end - value)));

		if (*one)
			g_ptr_array_add(all, one);
		else
			g_free(one);
		value = *end ? end + 1 : end;
	}
	return all;
}

char *mail_address(const char *text)
{
	const char *open = strrchr(text, '<');
	const char *from = open ? open + 1 : text;
	gsize n = strcspn(from, open ? ">" : " (");
	const char *at = memchr(from, '@', n);
	g_autofree char *address = g_strndup(from, n);

	/* Only what needs no quotes; nobody on the lists has another one. */
	if (!at || at == from || at == from + n - 1 || (open && from[n] != '>'))
		return NULL;
	for (const char *p = address; *p; p++)
		if (!g_ascii_isgraph(*p) || strchr("<>(),;:\\\"", *p))
			return NULL;
	return g_ascii_strdown(address, -1);
}
