// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <math.h>
#include <string.h>

#define MS_FROM_US 10000
#define LONGEST_NAME 16 /* with a longer one tables would be too wide */

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

static void add_device(const struct ab_report_table *table, GString *text)
{
	if (table->platform)
		text_item(text, "Platform %s:", table->platform);
	else
		text_item(text, "Numbers:");
	if (table->devices > 1)
		text_item(text, "%d devices,", table->devices);
	if (table->cpus > 0)
		text_item(text, "%d CPUs,", table->cpus);
	if (table->refresh_hz > 0)
		text_item(text, "%d Hz,", table->refresh_hz);
}

static void add_exposure(const struct ab_report_table *table, size_t variant,
			 GString *text)
{
	g_autofree char *a = number_count(table->exposure[0]);
	g_autofree char *b = number_count(table->exposure[variant]);

	text_item(text, "(%s vs. %s %s)", a, b, table->exposure_name);
}

void part_header(const struct ab_report *report,
		 const struct ab_report_table *table, size_t variant,
		 GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	add_device(table, text);
	if (table->scenario)
		text_item(text, "%s,", table->scenario);
	if (report->n_variants > 2)
		text_item(text, "%s -> %s,", report->variants[0],
			  report->variants[variant]);
	text_item(text, "%d vs. %d runs%s", table->runs[0],
		  table->runs[variant], table->boots[0] ? "," : "");
	if (table->boots[0])
		text_item(text, "%d vs. %d boots", table->boots[0],
			  table->boots[variant]);
	if (table->exposure && table->exposure_name)
		add_exposure(table, variant, text);
	text_wrap(out, text->str, 0, 2);
}

static bool long_names(const struct ab_report *report)
{
	for (size_t v = 0; v < report->n_variants; v++)
		if (strlen(report->variants[v]) > LONGEST_NAME)
			return true;
	return false;
}

char *part_short_name(const struct ab_report *report, size_t variant)
{
	if (long_names(report))
		return g_strdup_printf("v%zu", variant);
	return text_ascii(report->variants[variant]);
}

void part_legend(const struct ab_report *report, GString *out)
{
	if (!long_names(report))
		return;
	for (size_t v = 0; v < report->n_variants; v++) {
		g_autofree char *line =
			g_strdup_printf("v%zu: %s", v, report->variants[v]);

		text_wrap(out, line, 0, 4);
	}
	g_string_append_c(out, '\n');
}
