// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Values as dots, plain ASCII.  A character holds two dots, so that bands stay
 * low; where they would not, a dot stands for several values, and it is said.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

#define CELLS 68 /* 72 columns less an indent of 2 and the frame */
#define MOST_LINES 8
#define DOTS 2 /* per character */

struct scale {
	double lo, hi;
	int decimals;
	guint per_dot;
};

static void widen(struct scale *scale, double x)
{
	if (!isfinite(x))
		return;
	scale->lo = fmin(scale->lo, x);
	scale->hi = fmax(scale->hi, x);
}

static size_t cell_of(const struct scale *scale, double x)
{
	/* Halves: the range of doubles is no double. */
	double span = scale->hi / 2 - scale->lo / 2;
	double at = (x / 2 - scale->lo / 2) / span * (CELLS - 1);

	return (size_t)CLAMP(at + 0.5, 0, CELLS - 1);
}

static void count_cells(const struct scale *scale,
			const struct ab_plot_series *s, guint *counts)
{
	memset(counts, 0, CELLS * sizeof(*counts));
	for (size_t i = 0; i < s->n; i++)
		counts[cell_of(scale, s->values[i])]++;
}

static guint most(const guint *counts)
{
	guint n = 0;

	for (size_t i = 0; i < CELLS; i++)
		n = MAX(n, counts[i]);
	return n;
}

static struct scale make_scale(const struct ab_plot_series *series, size_t n)
{
	struct scale scale = { INFINITY, -INFINITY, 0, 1 };
	guint counts[CELLS], highest = 0;

	for (size_t i = 0; i < n; i++) {
		if (series[i].n > 0) {
			widen(&scale, series[i].values[0]);
			widen(&scale, series[i].values[series[i].n - 1]);
		}
		widen(&scale, series[i].lo);
		widen(&scale, series[i].hi);
	}
	if (!(scale.hi > scale.lo)) {
		double pad = fmax(fabs(scale.lo) / 20, 1e-9);

		scale.lo -= pad;
		scale.hi += pad;
	}
	scale.decimals = number_decimals(scale.lo, scale.hi);
	/* The ends of the scale must not read alike. */
	while (scale.decimals < 9 &&
	       (scale.hi - scale.lo) * pow(10, scale.decimals) < 10)
		scale.decimals++;
	for (size_t i = 0; i < n; i++) {
		count_cells(&scale, &series[i], counts);
		highest = MAX(highest, most(counts));
	}
	scale.per_dot =
		MAX(1, (highest + MOST_LINES * DOTS - 1) / (MOST_LINES * DOTS));
	return scale;
}

static void add_framed(const char *cells, GString *out)
{
	g_string_append_printf(out, "  |%.*s|\n", CELLS, cells);
}

static void add_dots(const struct scale *scale, const struct ab_plot_series *s,
		     GString *out)
{
	guint counts[CELLS];
	guint lines;

	count_cells(scale, s, counts);
	for (size_t i = 0; i < CELLS; i++)
		counts[i] = (counts[i] + scale->per_dot - 1) / scale->per_dot;
	lines = (most(counts) + DOTS - 1) / DOTS;
	for (guint line = lines; line-- > 0;) {
		char cells[CELLS];

		for (size_t i = 0; i < CELLS; i++)
			cells[i] = counts[i] >= (line + 1) * DOTS ? ':'
				   : counts[i] > line * DOTS	  ? '.'
								  : ' ';
		add_framed(cells, out);
	}
}

static double median_of(const struct ab_plot_series *s)
{
	return ab_stats_quantile(s->values, s->n, 0.5);
}

static void add_bar(const struct scale *scale, const struct ab_plot_series *s,
		    GString *out)
{
	char cells[CELLS];
	size_t mean = cell_of(scale, s->mean);
	double median = median_of(s);

	memset(cells, ' ', CELLS);
	if (isfinite(s->lo) && isfinite(s->hi)) {
		size_t lo = cell_of(scale, s->lo), hi = cell_of(scale, s->hi);

		memset(cells + lo, '-', hi - lo + 1);
		cells[lo] = '[';
		cells[hi] = ']';
	}
	cells[mean] = '+';
	if (isfinite(median)) {
		size_t at = cell_of(scale, median);

		cells[at] = at == mean ? 'M' : 'm';
	}
	add_framed(cells, out);
}

static void add_name(const struct scale *scale, const struct ab_plot_series *s,
		     GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *mean = number_text(s->mean, scale->decimals);
	g_autofree char *lo = number_text(s->lo, scale->decimals);
	g_autofree char *hi = number_text(s->hi, scale->decimals);
	g_autofree char *median = NULL;

	text_item(text, "%s:", s->name);
	if (s->n == 0) {
		text_item(text, "no values");
		text_wrap(out, text->str, 2, 4);
		return;
	}
	median = number_text(median_of(s), scale->decimals);
	text_item(text, "n %zu,", s->n);
	text_item(text, "mean %s", mean);
	if (isfinite(s->lo) && isfinite(s->hi))
		text_item(text, "[%s,%s],", lo, hi);
	else
		text_item(text, "(no interval),");
	text_item(text, "median %s", median);
	text_wrap(out, text->str, 2, 4);
}

static void add_axis(const struct scale *scale, GString *out)
{
	char rule[CELLS + 1];
	g_autofree char *lo = number_text(scale->lo, scale->decimals);
	g_autofree char *hi = number_text(scale->hi, scale->decimals);
	g_autofree char *middle =
		number_text(scale->lo / 2 + scale->hi / 2, scale->decimals);
	size_t used = strlen(lo) + strlen(middle) + strlen(hi);
	int left, right;

	memset(rule, '-', CELLS);
	rule[CELLS / 2] = '+';
	rule[CELLS] = '\0';
	g_string_append_printf(out, "  +%s+\n", rule);
	if (used + 2 > CELLS + 2) {
		g_string_append_printf(out, "  %s to %s\n", lo, hi);
		return;
	}
	left = CELLS / 2 + 2 - (int)strlen(lo) - (int)strlen(middle) / 2;
	right = CELLS + 2 - (int)used - MAX(left, 1);
	g_string_append_printf(out, "  %s%*s%s%*s%s\n", lo, MAX(left, 1), "",
			       middle, MAX(right, 1), "", hi);
}

void ab_report_plot(const char *title, const struct ab_plot_series *series,
		    size_t n_series, GString *out)
{
	struct scale scale = make_scale(series, n_series);

	text_heading(out, title);
	for (size_t i = 0; i < n_series; i++) {
		add_name(&scale, &series[i], out);
		if (series[i].n == 0)
			continue;
		add_dots(&scale, &series[i], out);
		add_bar(&scale, &series[i], out);
	}
	add_axis(&scale, out);
	if (scale.per_dot > 1)
		g_string_append_printf(out, "  one dot: up to %u values\n",
				       scale.per_dot);
	g_string_append_c(out, '\n');
}
