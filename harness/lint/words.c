// SPDX-License-Identifier: GPL-3.0-or-later
/* How people say units and numbers of runs. */
#include "lint.h"

#include <string.h>

#define LONGEST_UNIT 16

/* Without those of one capital letter, which head lists, too. */
static const char *const units[] = {
	"ns",	 "us",	  "ms",	    "s",     "sec",    "seconds", "min",
	"uW",	 "mW",	  "W",	    "uJ",    "mJ",     "J",	  "kJ",
	"uA",	 "mA",	  "mAh",    "uAh",   "mV",     "V",	  "Hz",
	"kHz",	 "MHz",	  "GHz",    "fps",   "FPS",    "kB",	  "KB",
	"MB",	 "GB",	  "KiB",    "MiB",   "GiB",    "B/s",	  "MB/s",
	"mC",	 "%",	  "ops/s",  "pages", "cycles", "percent", "percentage",
	"ratio", "score", "points", NULL
};

/* Parts of names of what is counted or is a share. */
static const char *const counts[] = { "/run",  "missed",   "count", "number",
				      "num_",  "-num-",	   "perc",  "score",
				      "times", "worst of", NULL };

static const char *const exposures[] = { "run",		"runs",	 "iteration",
					 "iterations",	"boots", "samples",
					 "repetitions", NULL };

static bool contains(const char *const *parts, const char *text)
{
	g_autofree char *lower = g_ascii_strdown(text, -1);

	for (; *parts; parts++)
		if (strstr(lower, *parts))
			return true;
	return false;
}

static bool is_count(const char *word)
{
	return g_ascii_isdigit(*word) &&
	       strspn(word, "0123456789,") == strlen(word);
}

/* "[mA*h]": by convention, whatever it is. */
static bool has_brackets(const char *text)
{
	for (const char *at = strchr(text, '['); at; at = strchr(at + 1, '['))
		if ((g_ascii_isalpha(at[1]) || at[1] == '%') &&
		    strcspn(at, "]") <= LONGEST_UNIT && strchr(at, ']'))
			return true;
	return false;
}

bool lint_has_unit(const char *text, bool title)
{
	g_auto(GStrv) words = g_strsplit_set(text, " []()|,;:", -1);
	const char *before = "";

	for (char **word = words; *word; word++) {
		/* "half-life 32 ms" is no unit of what is below it. */
		bool told = title && is_count(before);

		if (**word && !told && g_strv_contains(units, *word))
			return true;
		before = *word;
	}
	return has_brackets(text) || contains(counts, text);
}

/* "x10", "n=10", "N=10" */
static bool is_times(const char *word)
{
	if (*word == 'x' || *word == 'X')
		return is_count(word + 1);
	return (*word == 'n' || *word == 'N') && word[1] == '=' &&
	       is_count(word + 2);
}

bool lint_tells_n(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " ().;:", -1);
	const char *before = "";

	for (char **word = words; *word; word++) {
		size_t n = strcspn(*word, ",");
		g_autofree char *plain = g_strndup(*word, n);

		if (!**word)
			continue;
		if (is_times(*word) ||
		    (is_count(before) && g_strv_contains(exposures, plain)))
			return true;
		before = *word;
	}
	return false;
}
