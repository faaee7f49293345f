// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <math.h>
#include <string.h>

#define DIGITS 4
#define MAX_DECIMALS 3
#define MOST_DECIMALS 6
#define UNREADABLE 1e15 /* digits would not be counted by anybody */

static char *plain(double value, int decimals)
{
	char format[16], buf[G_ASCII_DTOSTR_BUF_SIZE + 320];

	if (fabs(value) < UNREADABLE)
		g_snprintf(format, sizeof(format), "%%.%df", decimals);
	else
		g_snprintf(format, sizeof(format), "%%.%dg", DIGITS);
	g_ascii_formatd(buf, sizeof(buf), format, value);
	return g_strdup(buf);
}

/* Thousands separated by commas. */
static char *grouped(const char *text)
{
	size_t begin = *text == '-', end = strcspn(text, ".e");
	GString *out = g_string_new_len(text, (gssize)begin);

	for (size_t i = begin; i < end; i++) {
		if (i > begin && (end - i) % 3 == 0)
			g_string_append_c(out, ',');
		g_string_append_c(out, text[i]);
	}
	g_string_append(out, text + end);
	return g_string_free(out, FALSE);
}

char *number_text(double value, int decimals)
{
	g_autofree char *text = NULL;

	if (!isfinite(value))
		return g_strdup("n/a");
	text = plain(value, decimals);
	return grouped(text);
}

char *number_plain(double value, int decimals)
{
	return isfinite(value) ? plain(value, decimals) : g_strdup("n/a");
}

char *number_count(guint64 n)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, n);

	return grouped(text);
}

char *number_int(gint64 n)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, n);

	return grouped(text);
}

/* Digits before the point: 3 for 151.0, 0 for 0.457, -1 for 0.0457. */
static int magnitude(double value)
{
	return value == 0 ? 0 : (int)floor(log10(fabs(value))) + 1;
}

char *number_bound(double value)
{
	return number_text(value, MAX(3 - magnitude(value), 0));
}

int number_decimals(double a, double b)
{
	double x = isfinite(a) ? fabs(a) : 0, y = isfinite(b) ? fabs(b) : 0;
	double smaller = fmin(x, y);
	int before = magnitude(fmax(x, y));
	int decimals = CLAMP(DIGITS - before, 0, MAX_DECIMALS);

	/* Below 0.1 three decimals would be fewer than three digits. */
	if (before < 0)
		decimals = MAX_DECIMALS - before;
	/* What is not 0 must not read as 0. */
	while (smaller > 0 && decimals < MOST_DECIMALS &&
	       smaller < 0.5 * pow(10, -decimals))
		decimals++;
	return decimals;
}

/* A change of nearly all must not read as one of all. */
static char *not_all(double pct, int decimals)
{
	char *text = number_text(pct, decimals);

	while (pct > -100 && decimals < MOST_DECIMALS &&
	       g_str_has_prefix(text, "-100")) {
		g_free(text);
		text = number_text(pct, ++decimals);
	}
	return text;
}

static bool is_negative_zero(const char *text)
{
	return *text == '-' && strspn(text, "-0.") == strlen(text);
}

static char *with_sign(const char *text)
{
	if (is_negative_zero(text))
		return g_strdup_printf("+%s", text + 1);
	return g_strconcat(*text == '-' ? "" : "+", text, NULL);
}

char *number_signed(double value, int decimals)
{
	g_autofree char *text = number_text(value, decimals);

	return with_sign(text);
}

static char *signed_percent(double pct)
{
	g_autofree char *text = not_all(pct, fabs(pct) < 999.95 ? 1 : 0);

	return with_sign(text);
}

/* Ten times as much: more digits would say no more. */
#define FAR 999

/* The end of an interval; -100 is where a percentage of a count ends. */
static char *end_text(double pct)
{
	if (fabs(pct) >= FAR + 0.5)
		return g_strdup(pct > 0 ? ">999" : "<-999");
	return fabs(pct + 100) < 1e-9 ? g_strdup("-100") : signed_percent(pct);
}

char *number_perc_diff(double pct)
{
	g_autofree char *text = NULL;
	size_t n;

	if (!isfinite(pct))
		return g_strdup("n/a");
	text = not_all(pct, 2);
	n = strlen(text);
	while (text[n - 1] == '0' && text[n - 2] != '.')
		text[--n] = '\0';
	return g_strconcat(is_negative_zero(text) ? text + 1 : text, "%", NULL);
}

char *number_percent(double pct)
{
	g_autofree char *text = NULL;

	if (!isfinite(pct))
		return g_strdup("n/a");
	text = signed_percent(pct);
	return g_strconcat(text, "%", NULL);
}

char *number_percent_interval(double lo, double hi)
{
	g_autofree char *low = end_text(lo);
	g_autofree char *high = end_text(hi);

	return g_strdup_printf("[%s,%s]", low, high);
}
