// SPDX-License-Identifier: GPL-3.0-or-later
#include "keys_internal.h"

#include <abrig/text.h>

#include <math.h>
#include <string.h>

#define MAX_EXACT (G_GINT64_CONSTANT(1) << 53) /* doubles skip above it */

struct unit {
	const char *name;
	double factor;
};

/* From the largest to the smallest, as key_number_format() tries them. */
static const struct unit duration_units[] = {
	{ "d", 86400e3 }, { "h", 3600e3 }, { "min", 60e3 },
	{ "s", 1e3 },	  { "ms", 1 },	   { NULL, 0 },
};

static const struct unit size_units[] = {
	{ "TiB", 1024.0 * 1024 * 1024 * 1024 },
	{ "GiB", 1024.0 * 1024 * 1024 },
	{ "MiB", 1024.0 * 1024 },
	{ "KiB", 1024 },
	{ "B", 1 },
	{ "TB", 1e12 },
	{ "GB", 1e9 },
	{ "MB", 1e6 },
	{ "kB", 1e3 },
	{ NULL, 0 },
};

static const struct unit percent_units[] = {
	{ "%", 1 },
	{ NULL, 0 },
};

static const struct unit *units_of(enum ab_key_type type)
{
	switch (type) {
	case AB_KEY_DURATION:
		return duration_units;
	case AB_KEY_SIZE:
		return size_units;
	case AB_KEY_PERCENT:
		return percent_units;
	default:
		return NULL;
	}
}

/* A bare 0 needs no unit, and sizes are bytes without one. */
static bool unit_factor(enum ab_key_type type, const char *name, double value,
			double *factor_out)
{
	const struct unit *unit;

	*factor_out = 1;
	if (!*name)
		return type == AB_KEY_SIZE || value == 0;
	for (unit = units_of(type); unit->name; unit++) {
		if (strcmp(unit->name, name) != 0)
			continue;
		*factor_out = unit->factor;
		return true;
	}
	return false;
}

static bool parse_with_unit(enum ab_key_type type, const char *text,
			    double *value_out)
{
	size_t digits = strspn(text, "0123456789.");
	g_autofree char *number = g_strndup(text, digits);
	const char *unit = text + digits + strspn(text + digits, " ");
	double value, factor;

	if (!ab_text_to_double(number, &value) ||
	    !unit_factor(type, unit, value, &factor))
		return false;
	value *= factor;
	*value_out = type == AB_KEY_PERCENT ? value : round(value);
	return *value_out <= (double)MAX_EXACT;
}

bool key_number_parse(enum ab_key_type type, const char *text,
		      double *value_out)
{
	gint64 whole;

	if (type == AB_KEY_DOUBLE)
		return strspn(text, "+-.0123456789eE") == strlen(text) &&
		       ab_text_to_double(text, value_out);
	if (type != AB_KEY_INT)
		return parse_with_unit(type, text, value_out);
	if (!ab_text_to_int(text, &whole) || whole > MAX_EXACT ||
	    whole < -MAX_EXACT)
		return false;
	*value_out = (double)whole;
	return true;
}

static char *format_double(double value)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(g_ascii_formatd(buf, sizeof(buf), "%.15g", value));
}

char *key_number_format(enum ab_key_type type, double value)
{
	const struct unit *unit = units_of(type);
	g_autofree char *number = NULL;

	if (!unit || value == 0)
		return format_double(value);
	while (unit[1].factor < unit->factor && unit[1].name &&
	       fmod(value, unit->factor) != 0)
		unit++;
	number = format_double(value / unit->factor);
	return g_strconcat(number, unit->name, NULL);
}

char *key_range(const struct ab_key *key)
{
	g_autofree char *min = NULL, *max = NULL;

	if (key->min == 0 && key->max == 0)
		return NULL;
	min = key_number_format(key->type, key->min);
	max = key_number_format(key->type, key->max);
	return g_strconcat(min, "..", max, NULL);
}
