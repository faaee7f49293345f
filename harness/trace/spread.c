// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

#include <abrig/stats.h>
#include <math.h>

static int by_value(gconstpointer a, gconstpointer b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return x < y ? -1 : x > y;
}

void ab_spread_of(GArray *values, struct ab_spread *spread_out)
{
	guint n = values->len, i;
	g_autofree double *us = g_new(double, MAX(n, 1));
	double sum = 0;

	*spread_out = (struct ab_spread){ 0, NAN, NAN, NAN, NAN, NAN };
	if (!n)
		return;
	g_array_sort(values, by_value);
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
