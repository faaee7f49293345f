// SPDX-License-Identifier: GPL-3.0-or-later
/* Distributions: metrics that are made of the same samples share one. */
#include "html.h"

#include <math.h>
#include <string.h>

const double html_quantiles[HTML_QUANTILES] = { 0.05, 0.25, 0.5,  0.75,
						0.9,  0.95, 0.99, 0.999 };

/* One table's source of samples, or one row. */
struct entry {
	const struct ab_report_table *table;
	const struct ab_report_row *row;
	struct html_dist *variants;
};

struct html_dists {
	GArray *entries;
	size_t n_variants;
};

bool html_over_samples(const struct ab_metric *metric)
{
	return metric->stat != AB_STAT_RUN_MEAN &&
	       metric->stat != AB_STAT_RATIO;
}

const char *html_sample_unit(const struct ab_metric *metric)
{
	if (metric->stat != AB_STAT_COUNT_GE)
		return metric->unit;
	for (const struct ab_metric *m = ab_metrics; m->id; m++)
		if (!strcmp(m->source, metric->source) &&
		    m->stat != AB_STAT_COUNT_GE)
			return m->unit;
	return metric->unit;
}

double html_run_value(const struct ab_metric *metric, const struct ab_obs *obs)
{
	struct ab_estimate e;

	if (metric->stat == AB_STAT_RUN_MEAN)
		return obs->value;
	ab_stats_estimate(metric, obs, 1, obs->variant, 0.95, &e);
	return e.value;
}

/* ---- pooling ---- */

static void add_value(GArray *pool, double value)
{
	if (isfinite(value))
		g_array_append_val(pool, value);
}

static GArray *pool_values(const struct ab_report_row *row, int variant)
{
	GArray *pool = g_array_new(FALSE, FALSE, sizeof(double));
	bool samples = html_over_samples(row->metric);

	for (size_t i = 0; i < row->n_obs; i++) {
		const struct ab_obs *o = &row->obs[i];

		if (o->variant != variant)
			continue;
		if (!samples)
			add_value(pool, html_run_value(row->metric, o));
		for (size_t k = 0; samples && k < o->n_samples; k++)
			add_value(pool, o->samples[k]);
	}
	ab_samples_sort(pool);
	return pool;
}

/*
 * Which of @n sorted values is the @k-th of @points: half of the points are
 * spread over all, half over the upper 2 %, which is what is looked at.
 */
#define TAIL 0.02
static size_t point_rank(size_t k, size_t points, size_t n)
{
	size_t half = points / 2;
	double share = k < half ? (1 - TAIL) * (double)k / (double)half
				: 1 - TAIL * (double)(points - 1 - k) /
						  (double)(points - 1 - half);

	return (size_t)floor(share * (double)(n - 1));
}

/* Every point lies on the empirical distribution function. */
static void thin(const double *sorted, size_t n, struct html_dist *dist)
{
	size_t points = MIN(n, HTML_POINTS), last = n;

	dist->x = g_new(double, points);
	dist->p = g_new(double, points);
	for (size_t k = 0; k < points; k++) {
		size_t rank = n <= HTML_POINTS ? k : point_rank(k, points, n);

		/* Of equal values the last is where the function is. */
		while (rank + 1 < n && sorted[rank + 1] == sorted[rank])
			rank++;
		if (rank == last)
			continue;
		last = rank;
		dist->x[dist->n_points] = sorted[rank];
		dist->p[dist->n_points++] = (double)(rank + 1) / (double)n;
	}
}

static void fill(const struct ab_report_row *row, int variant,
		 struct html_dist *dist)
{
	g_autoptr(GArray) pool = pool_values(row, variant);
	const double *sorted = (const double *)(const void *)pool->data;
	size_t n = pool->len;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += sorted[i];
	dist->n = n;
	dist->mean = n ? sum / (double)n : NAN;
	dist->max = n ? sorted[n - 1] : NAN;
	for (size_t q = 0; q < HTML_QUANTILES; q++)
		dist->quantiles[q] =
			ab_stats_quantile(sorted, n, html_quantiles[q]);
	thin(sorted, n, dist);
}

/* ---- all of a report ---- */

static bool shares(const struct entry *e, const struct ab_report_table *table,
		   const struct ab_report_row *row)
{
	if (e->table != table)
		return false;
	if (e->row == row)
		return true;
	return html_over_samples(row->metric) &&
	       html_over_samples(e->row->metric) &&
	       !strcmp(e->row->metric->source, row->metric->source);
}

const struct html_dist *html_dists_find(const struct html_dists *dists,
					const struct ab_report_table *table,
					const struct ab_report_row *row)
{
	for (guint i = 0; i < dists->entries->len; i++) {
		const struct entry *e =
			&g_array_index(dists->entries, struct entry, i);

		if (shares(e, table, row))
			return e->variants;
	}
	return NULL;
}

static void add_row(struct html_dists *dists,
		    const struct ab_report_table *table,
		    const struct ab_report_row *row)
{
	guint n = dists->entries->len;
	struct entry *e;

	if (html_dists_find(dists, table, row))
		return;
	g_array_set_size(dists->entries, n + 1);
	e = &g_array_index(dists->entries, struct entry, n);
	e->table = table;
	e->row = row;
	e->variants = g_new0(struct html_dist, dists->n_variants);
	for (size_t v = 0; v < dists->n_variants; v++)
		fill(row, (int)v, &e->variants[v]);
}

struct html_dists *html_dists_new(const struct ab_report *report)
{
	struct html_dists *dists = g_new0(struct html_dists, 1);

	dists->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
	dists->n_variants = report->n_variants;
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			add_row(dists, &report->tables[i],
				&report->tables[i].rows[k]);
	return dists;
}

void html_dists_free(struct html_dists *dists)
{
	for (guint i = 0; i < dists->entries->len; i++) {
		struct entry *e =
			&g_array_index(dists->entries, struct entry, i);

		for (size_t v = 0; v < dists->n_variants; v++) {
			g_free(e->variants[v].x);
			g_free(e->variants[v].p);
		}
		g_free(e->variants);
	}
	g_array_unref(dists->entries);
	g_free(dists);
}
