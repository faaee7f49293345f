// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

static void drop(struct ab_bytes *in, gsize n)
{
	in->p += n;
	in->n -= n;
}

static bool is_blank(guint8 c)
{
	return c == ' ' || c == '\t';
}

bool tx_equal(struct ab_bytes text, const char *literal)
{
	gsize n = strlen(literal);

	return text.n == n && !memcmp(text.p, literal, n);
}

bool tx_skip(struct ab_bytes *in, const char *literal)
{
	gsize n = strlen(literal);

	if (in->n < n || memcmp(in->p, literal, n) != 0)
		return false;
	drop(in, n);
	return true;
}

void tx_skip_blanks(struct ab_bytes *in)
{
	while (in->n && is_blank(*in->p))
		drop(in, 1);
}

bool tx_uint(struct ab_bytes *in, guint64 max, guint64 *value_out)
{
	guint64 value = 0;
	gsize i;

	for (i = 0; i < in->n && g_ascii_isdigit(in->p[i]); i++) {
		guint8 digit = in->p[i] - '0';

		if (digit > max || value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (!i)
		return false;
	drop(in, i);
	*value_out = value;
	return true;
}

bool tx_hex(struct ab_bytes *in, guint64 *value_out)
{
	struct ab_bytes digits = *in;
	guint64 value = 0;
	gsize i;

	tx_skip(&digits, "0x");
	for (i = 0; i < digits.n && g_ascii_isxdigit(digits.p[i]); i++) {
		if (value >> 60)
			return false;
		value = value << 4 | (guint64)g_ascii_xdigit_value(digits.p[i]);
	}
	if (!i)
		return false;
	drop(&digits, i);
	*in = digits;
	*value_out = value;
	return true;
}

bool tx_int(struct ab_bytes *in, gint32 *value_out)
{
	struct ab_bytes digits = *in;
	bool negative = tx_skip(&digits, "-");
	guint64 value;

	if (!tx_uint(&digits, G_MAXINT32, &value))
		return false;
	*value_out = negative ? -(gint32)value : (gint32)value;
	*in = digits;
	return true;
}

bool tx_address(struct ab_bytes *in, guint64 *value_out)
{
	struct ab_bytes rest = *in;
	gsize n;

	if (!tx_hex(&rest, value_out))
		return false;
	n = in->n - rest.n;
	if (n != 8 && n != 16 && !(n > 2 && in->p[1] == 'x'))
		return false;
	*in = rest;
	return true;
}

bool tx_tid(struct ab_bytes *in, gint32 *tid_out)
{
	guint64 tid;

	if (!tx_uint(in, AB_MAX_TID - 1, &tid))
		return false;
	*tid_out = (gint32)tid;
	return true;
}

struct ab_bytes tx_word(struct ab_bytes *in)
{
	struct ab_bytes word = *in;
	gsize i = 0;

	while (i < in->n && !is_blank(in->p[i]))
		i++;
	word.n = i;
	drop(in, i);
	return word;
}

struct ab_bytes tx_trim_end(struct ab_bytes text)
{
	while (text.n && is_blank(text.p[text.n - 1]))
		text.n--;
	return text;
}

/*
 * Pages of 2012 hold the trace as a string of JavaScript, whose lines end in
 * an escaped line feed and a backslash.
 */
static struct ab_bytes strip_line_end(struct ab_bytes line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (line.n >= 3 && !memcmp(line.p + line.n - 3, "\\n\\", 3))
		line.n -= 3;
	return line;
}

bool tx_next_line(struct ab_bytes *in, struct ab_bytes *line_out,
		  bool *ended_out)
{
	struct ab_bytes line = *in;
	const guint8 *end;

	if (!in->n)
		return false;
	end = memchr(in->p, '\n', in->n);
	*ended_out = end != NULL;
	if (end)
		line.n = (gsize)(end - in->p);
	drop(in, line.n + (end ? 1 : 0));
	*line_out = strip_line_end(line);
	return true;
}

struct ab_bytes tx_after(struct ab_bytes text, const char *literal)
{
	gsize n = strlen(literal);
	const guint8 *at = NULL;

	if (text.n)
		at = memmem(text.p, text.n, literal, n);
	if (!at)
		return (struct ab_bytes){ NULL, 0 };
	drop(&text, (gsize)(at - text.p) + n);
	return text;
}
