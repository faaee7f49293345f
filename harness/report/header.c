// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <math.h>
#include <string.h>

#define MS_FROM_US 10000

const char *part_unit(const struct ab_metric *metric, double a, double b,
		      double *scale_out)
{
	bool large =
		fmax(isfinite(a) ? a : 0, isfinite(b) ? b : 0) >= MS_FROM_US;

	*scale_out = 1;
	if (!large || strcmp(metric->unit, "us") != 0)
		return metric->unit;
	*scale_out = 1e-3;
	return "ms";
}

void part_header(const struct ab_report *report,
		 const struct ab_report_table *table, size_t variant,
		 GString *out)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "Platform %s:", table->platform);
	if (table->devices > 1)
		g_string_append_printf(text, " %d devices,", table->devices);
	if (table->cpus > 0)
		g_string_append_printf(text, " %d CPUs,", table->cpus);
	if (table->refresh_hz > 0)
		g_string_append_printf(text, " %d Hz,", table->refresh_hz);
	g_string_append_printf(text, " %s,", table->scenario);
	if (report->n_variants > 2)
		g_string_append_printf(text, " %s -> %s,", report->variants[0],
				       report->variants[variant]);
	g_string_append_printf(text, " %d vs. %d runs, %d vs. %d boots",
			       table->runs[0], table->runs[variant],
			       table->boots[0], table->boots[variant]);
	if (table->exposure && table->exposure_name) {
		g_autofree char *a = number_count(table->exposure[0]);
		g_autofree char *b = number_count(table->exposure[variant]);

		g_string_append_printf(text, " (%s vs. %s %s)", a, b,
				       table->exposure_name);
	}
	text_wrap(out, text->str, 0, 2);
	g_string_free(text, TRUE);
}
