// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers as they are printed, and what can be computed from them. */
#include "lint.h"

#include <math.h>
#include <string.h>

#define MOST_DIGITS 40

/* Where a number may begin: not within a word, a version or a path. */
static bool begins(const char *text, const char *at)
{
	char before = at > text ? at[-1] : ' ';

	return before == ' ' || before == '(' || before == '<' ||
	       before == '>' || before == '|' || before == '+' ||
	       before == '-' || before == '~';
}

static bool ends(const char *at)
{
	return !*at || strchr(" )|%,;:", *at);
}

/* Digits with commas between thousands, one point; @end_out is behind it. */
static bool read_digits(const char *at, struct lint_number *number)
{
	char digits[MOST_DIGITS + 1];
	size_t n = 0;
	int decimals = -1;

	for (; n < MOST_DIGITS; at++) {
		if (*at == ',' && decimals < 0 && g_ascii_isdigit(at[1]) && n)
			continue;
		if (*at == '.' && decimals < 0 && g_ascii_isdigit(at[1]))
			decimals = 0;
		else if (g_ascii_isdigit(*at))
			decimals += decimals >= 0;
		else
			break;
		digits[n++] = *at;
	}
	digits[n] = '\0';
	number->end = at;
	number->value = g_ascii_strtod(digits, NULL);
	/* A little more, for what doubles cannot hold. */
	number->half = 0.5 * pow(10, -MAX(decimals, 0)) * (1 + 1e-9);
	return n > 0 && n < MOST_DIGITS;
}

static bool number_at(const char *text, const char *at,
		      struct lint_number *number)
{
	const char *digits = at + (*at == '-' || *at == '+');
	const char *before = at;

	if (!begins(text, at) || !read_digits(digits, number) ||
	    !ends(number->end))
		return false;
	if (*at == '-')
		number->value = -number->value;
	while (before > text && before[-1] == ' ')
		before--;
	number->at = at;
	number->bound = before > text &&
			(before[-1] == '<' || before[-1] == '>') &&
			!(before > text + 1 && before[-2] == '-');
	number->percent = *number->end == '%';
	return true;
}

bool lint_next_number(const char *text, struct lint_number *number_out)
{
	int depth = 0;

	for (const char *at = text; *at; at++) {
		depth += *at == '[';
		depth -= *at == ']' && depth > 0;
		if (depth == 0 && number_at(text, at, number_out))
			return true;
	}
	return false;
}

bool lint_is_number(const char *text, struct lint_number *number_out)
{
	const char *end = text + strlen(text);

	if (!lint_next_number(text, number_out))
		return false;
	while (end > text && g_ascii_isspace(end[-1]))
		end--;
	return number_out->at == text + strspn(text, " <") &&
	       number_out->end + number_out->percent == end;
}

void lint_change(struct lint *l, guint line, const struct lint_number *base,
		 const struct lint_number *value,
		 const struct lint_number *percent)
{
	double lo, hi;

	/* Of 0 and of what may be 0 there is no percentage to compare with. */
	if (base->bound || value->bound || percent->bound ||
	    base->value - base->half <= 0 || value->value < 0)
		return;
	lo = 100 *
	     ((value->value - value->half) / (base->value + base->half) - 1);
	hi = 100 *
	     ((value->value + value->half) / (base->value - base->half) - 1);
	if (percent->value + percent->half >= lo &&
	    percent->value - percent->half <= hi)
		return;
	lint_add(l, line, percent->at, false,
		 "from the printed digits the change is %.4g %% to %.4g %%", lo,
		 hi);
}
