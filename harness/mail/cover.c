// SPDX-License-Identifier: GPL-3.0-or-later
/* A cover letter with a block that can be filled again. */
#include <abrig/error.h>
#include <abrig/mail.h>

#include <string.h>

#define NONE ((gsize)-1)

/* Offsets into the letter of the lines that matter; NONE: there is none. */
struct places {
	gsize begin, inside; /* the first marker, and behind it */
	gsize end;	     /* the last marker */
	gsize insert;	     /* where a block may be put */
	int begins, ends;
	bool crlf;
};

static bool is_line(const char *line, gsize len, const char *text)
{
	while (len && g_ascii_isspace(line[len - 1]))
		len--;
	return len == strlen(text) && !memcmp(line, text, len);
}

/* " kernel/power/main.c | 2 +-" */
static bool is_diffstat(const char *line, gsize len)
{
	const char *bar = memchr(line, '|', len);
	gsize at;

	if (!bar || *line != ' ' || bar == line || bar[-1] != ' ')
		return false;
	for (at = (gsize)(bar - line) + 1; at < len && line[at] == ' '; at++)
		;
	return at < len && (g_ascii_isdigit(line[at]) ||
			    (len - at > 3 && !memcmp(line + at, "Bin", 3)));
}

/* "A Developer (2):", with a patch below it */
static bool heads_patches(const char *line, gsize len, const char *next,
			  gsize left)
{
	gsize digits = 0;

	while (len && g_ascii_isspace(line[len - 1]))
		len--;
	if (len < 5 || memcmp(line + len - 2, "):", 2) != 0 || left < 3 ||
	    memcmp(next, "  ", 2) != 0)
		return false;
	len -= 2;
	while (len && g_ascii_isdigit(line[len - 1])) {
		len--;
		digits++;
	}
	return digits && len > 2 && line[len - 1] == '(' &&
	       line[len - 2] == ' ';
}

static bool is_signature(const char *line, gsize len)
{
	return len >= 3 && !memcmp(line, "-- ", 3) && is_line(line, len, "--");
}

static gsize line_length(const char *text, gsize len)
{
	const char *end = memchr(text, '\n', len);

	return end ? (gsize)(end - text) + 1 : len;
}

static void look_at_line(const char *letter, gsize at, gsize n, gsize len,
			 struct places *p)
{
	const char *line = letter + at;

	if (is_line(line, n, AB_COVER_BEGIN) && p->begins++ == 0) {
		p->begin = at;
		p->inside = at + n;
	}
	if (is_line(line, n, AB_COVER_END) && p->ends++ == 0)
		p->end = at;
	if (p->insert == NONE &&
	    (is_diffstat(line, n) || is_signature(line, n) ||
	     heads_patches(line, n, line + n, len - at - n)))
		p->insert = at;
}

static struct places look_at(const char *letter, gsize len)
{
	struct places p = { NONE, NONE, NONE, NONE, 0, 0, false };
	gsize first = line_length(letter, len), n;

	p.crlf = first > 1 && letter[first - 2] == '\r';
	for (gsize at = 0; at < len; at += n) {
		n = line_length(letter + at, len - at);
		look_at_line(letter, at, n, len, &p);
	}
	return p;
}

static bool check(const char *name, const struct places *p, GError **error)
{
	if (p->begins != p->ends || p->begins > 1 ||
	    (p->begins && p->end < p->begin))
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: found %d times '" AB_COVER_BEGIN
			    "' and %d times '" AB_COVER_END
			    "'; there must be one of each, in this order",
			    name, p->begins, p->ends);
	else if (!p->begins && p->insert == NONE)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: no place for the report: add the lines "
			    "'" AB_COVER_BEGIN "' and '" AB_COVER_END "'",
			    name);
	else
		return true;
	return false;
}

static void add_text(GString *out, const char *text, bool crlf)
{
	for (const char *p = text; *p; p++) {
		if (*p == '\n' && crlf)
			g_string_append_c(out, '\r');
		g_string_append_c(out, *p);
	}
}

bool ab_cover_fill(const char *name, const char *letter, gsize len,
		   const char *text, GString *out, GError **error)
{
	struct places p = look_at(letter, len);
	gsize before, after;

	if (!check(name, &p, error))
		return false;
	before = p.begins ? p.inside : p.insert;
	after = p.begins ? p.end : p.insert;
	g_string_append_len(out, letter, (gssize)before);
	if (!p.begins)
		add_text(out, AB_COVER_BEGIN "\n", p.crlf);
	add_text(out, text, p.crlf);
	if (*text && !g_str_has_suffix(text, "\n"))
		add_text(out, "\n", p.crlf);
	if (!p.begins)
		add_text(out, AB_COVER_END "\n\n", p.crlf);
	g_string_append_len(out, letter + after, (gssize)(len - after));
	return true;
}
