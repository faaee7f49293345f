// SPDX-License-Identifier: GPL-3.0-or-later
/* Jankbench's arithmetic, and Java's way to write its outcome. */
#include "jankbench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_MS 16.0 /* AOSP's constant, whatever the panel does */
#define BAD_MS (0.75 * PERIOD_MS)

void vp_bench_result_free(struct vp_bench_result *result)
{
	g_free(result->total_ms);
	g_free(result->jank);
	g_free(result);
}

/* After a late frame one more buffer is queued: the next may take two. */
void vp_bench_flag_jank(struct vp_bench_result *result)
{
	bool triple = false;

	for (size_t i = 0; i < result->n; i++) {
		double ms = result->total_ms[i];

		result->jank[i] = triple ? ms > 2 * PERIOD_MS : ms > PERIOD_MS;
		if (result->jank[i])
			triple = !triple;
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double percentile95(const struct vp_bench_result *result)
{
	g_autofree double *sorted = NULL;

	if (!result->n)
		return NAN;
	sorted = g_memdup2(result->total_ms, result->n * sizeof(double));
	qsort(sorted, result->n, sizeof(double), by_value);
	return sorted[(result->n - 1) * 95 / 100];
}

struct vp_bench_score vp_bench_score(const struct vp_bench_result *result)
{
	struct vp_bench_score s = { 0 };
	double sum = 0, squares = 0;

	for (size_t i = 0; i < result->n; i++) {
		double ms = result->total_ms[i];

		s.jank += result->jank[i];
		if (ms < BAD_MS)
			continue;
		s.bad++;
		sum += ms;
		squares += ms * ms;
	}
	s.mean_bad = s.bad ? sum / s.bad : NAN;
	s.sd_bad =
		s.bad ? sqrt(MAX(squares / s.bad - s.mean_bad * s.mean_bad, 0))
		      : NAN;
	s.jank_percent = result->n ? 100.0 * s.jank / (double)result->n : NAN;
	s.p95 = percentile95(result);
	return s;
}

/* The fewest digits that read back as the same number. */
static void shortest(double value, char *digits_out, int *exponent_out)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
	char *e, *out = digits_out;

	for (int precision = 0; precision < 17; precision++) {
		g_snprintf(format, sizeof(format), "%%.%de", precision);
		g_ascii_formatd(text, sizeof(text), format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	e = strchr(text, 'e');
	*exponent_out = atoi(e + 1);
	for (const char *c = text; c < e; c++)
		if (g_ascii_isdigit(*c))
			*out++ = *c;
	*out = '\0';
}

static char *java_positive(double value)
{
	char digits[32];
	int exponent, n;

	shortest(value, digits, &exponent);
	n = (int)strlen(digits);
	if (exponent < -3 || exponent >= 7)
		return g_strdup_printf("%c.%sE%d", digits[0],
				       n > 1 ? digits + 1 : "0", exponent);
	if (exponent < 0)
		return g_strdup_printf("0.%.*s%s", -exponent - 1, "000",
				       digits);
	if (n <= exponent + 1)
		return g_strdup_printf("%s%.*s.0", digits, exponent + 1 - n,
				       "0000000");
	return g_strdup_printf("%.*s.%s", exponent + 1, digits,
			       digits + exponent + 1);
}

char *vp_java_double(double value)
{
	g_autofree char *text = NULL;

	if (isnan(value))
		return g_strdup("NaN");
	if (isinf(value))
		return g_strdup(value > 0 ? "Infinity" : "-Infinity");
	if (value == 0)
		return g_strdup("0.0");
	text = java_positive(fabs(value));
	return g_strconcat(value < 0 ? "-" : "", text, NULL);
}

gint32 vp_java_hash(const char *text)
{
	guint32 hash = 0;

	for (; *text; text++)
		hash = hash * 31 + (guchar)*text;
	return (gint32)hash;
}
