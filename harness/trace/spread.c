// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

#include <abrig/stats.h>
#include <math.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

/* Stable, by one digit. */
static void sort_digit(const guint64 *from, guint64 *to, guint n, guint shift)
{
	guint at[DIGITS] = { 0 }, next = 0, i;

	for (i = 0; i < n; i++)
		at[from[i] >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		guint count = at[i];

		at[i] = next;
		next += count;
	}
	for (i = 0; i < n; i++)
		to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/*
 * By digits, from the lowest: comparing would take longer than all else that
 * is done with a work item.
 */
static void sort_values(gint64 *values, guint n)
{
	g_autofree guint64 *buffer = g_new(guint64, 2 * (gsize)n);
	guint64 *from = buffer, *to = buffer + n, *swap, all = 0;
	gint64 least = values[0];
	guint shift, i;

	for (i = 1; i < n; i++)
		least = MIN(least, values[i]);
	for (i = 0; i < n; i++) {
		from[i] = (guint64)values[i] - (guint64)least;
		all |= from[i];
	}
	for (shift = 0; shift < 64 && all >> shift; shift += DIGIT_BITS) {
		sort_digit(from, to, n, shift);
		swap = from;
		from = to;
		to = swap;
	}
	for (i = 0; i < n; i++)
		values[i] = (gint64)(from[i] + (guint64)least);
}

void ab_spread_of(GArray *values, struct ab_spread *spread_out)
{
	guint n = values->len, i;
	g_autofree double *us = g_new(double, MAX(n, 1));
	double sum = 0;

	*spread_out = (struct ab_spread){ 0, NAN, NAN, NAN, NAN, NAN };
	if (!n)
		return;
	sort_values((gint64 *)(void *)values->data, n);
	for (i = 0; i < n; i++) {
		us[i] = (double)g_array_index(values, gint64, i) / 1e3;
		sum += us[i];
	}
	*spread_out = (struct ab_spread){
		.n = n,
		.mean_us = sum / n,
		.p50_us = ab_stats_quantile(us, n, 0.50),
		.p90_us = ab_stats_quantile(us, n, 0.90),
		.p99_us = ab_stats_quantile(us, n, 0.99),
		.max_us = us[n - 1],
	};
}

void ab_spread_cells(struct ab_table *table, const struct ab_spread *spread)
{
	ab_table_number(table, spread->mean_us);
	ab_table_number(table, spread->p50_us);
	ab_table_number(table, spread->p90_us);
	ab_table_number(table, spread->p99_us);
	ab_table_number(table, spread->max_us);
}
