// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/text.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_WORD 64

bool ab_text_to_int(const char *s, gint64 *value_out)
{
	return g_ascii_string_to_signed(s, 10, G_MININT64, G_MAXINT64,
					value_out, NULL);
}

bool ab_text_to_double(const char *s, double *value_out)
{
	char *end;
	double value;

	if (!*s || g_ascii_isspace(*s))
		return false;
	errno = 0;
	value = g_ascii_strtod(s, &end);
	if (*end || errno || !isfinite(value))
		return false;
	*value_out = value;
	return true;
}

/* Levenshtein distance; both words at most MAX_WORD bytes. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[MAX_WORD + 1];
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > MAX_WORD || lb > MAX_WORD)
		return G_MAXUINT;
	for (j = 0; j <= lb; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= la; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (j = 1; j <= lb; j++) {
			unsigned int up = row[j];
			unsigned int swap = diagonal + (a[i - 1] != b[j - 1]);

			row[j] = MIN(swap, MIN(up, row[j - 1]) + 1);
			diagonal = up;
		}
	}
	return row[lb];
}

const char *ab_text_closest(const char *s, const char *const *names)
{
	unsigned int best = (unsigned int)strlen(s) / 3 + 2;
	const char *closest = NULL;

	for (; *names; names++) {
		unsigned int d = edit_distance(s, *names);

		if (d < best) {
			best = d;
			closest = *names;
		}
	}
	return closest;
}

char *ab_text_shell_quote(const char *s)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_@%+:,./-";

	if (*s && strspn(s, plain) == strlen(s))
		return g_strdup(s);
	return g_shell_quote(s);
}

char *ab_text_next_line(const char **cursor)
{
	const char *line = *cursor;
	const char *end;
	size_t len;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	len = end ? (size_t)(end - line) : strlen(line);
	*cursor = line + len + (end ? 1 : 0);
	if (len && line[len - 1] == '\r')
		len--;
	return g_strndup(line, len);
}
