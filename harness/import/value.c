// SPDX-License-Identifier: GPL-3.0-or-later
/* What a number is, and which way of it is better. */
#include "import.h"

#include <abrig/text.h>

#include <math.h>
#include <string.h>

#define SHOWN 40 /* of what is no number, in messages */

static bool is_missing(const char *text)
{
	static const char *const words[] = { "",    "-",    "na",   "n/a",
					     "nan", "null", "none", NULL };

	for (const char *const *w = words; *w; w++)
		if (!g_ascii_strcasecmp(*w, text))
			return true;
	return false;
}

bool import_number(const struct import_place *at, const char *text,
		   double *value_out, GError **error)
{
	g_autofree char *plain = g_strstrip(g_strdup(text));
	g_autofree char *shown = NULL;

	*value_out = NAN;
	if (is_missing(plain) || ab_text_to_double(plain, value_out))
		return true;
	shown = g_strndup(plain, SHOWN);
	g_strcanon(shown,
		   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		   "0123456789.,;:+-_/%'\"()[] ",
		   '?');
	if (strspn(plain, "0123456789.,+-eE") == strlen(plain) &&
	    strchr(plain, ','))
		import_error(at, error,
			     "'%s' has a comma: numbers are written with a "
			     "decimal point, without separators",
			     shown);
	else
		import_error(at, error, "'%s' is no number", shown);
	return false;
}

/* Of units that say it; others are left to --higher and --lower. */
enum ab_direction import_unit_direction(const char *unit)
{
	static const char *const lower[] = { "ns",
					     "us",
					     "ms",
					     "s",
					     "sec",
					     "seconds",
					     "sec/op",
					     "ns/op",
					     "us/op",
					     "ms/op",
					     "s/op",
					     "B/op",
					     "bytes/op",
					     "allocs/op",
					     "J",
					     "mJ",
					     "uJ",
					     "joules",
					     "W",
					     "mW",
					     "watts",
					     "milliseconds",
					     "microseconds",
					     "nanoseconds",
					     NULL };
	static const char *const higher[] = { "fps", "FPS", NULL };

	if (import_listed(lower, unit))
		return AB_LOWER_IS_BETTER;
	if (import_listed(higher, unit) || g_str_has_suffix(unit, "/s") ||
	    g_str_has_suffix(unit, "/sec"))
		return AB_HIGHER_IS_BETTER;
	return AB_DIRECTION_UNKNOWN;
}
