// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

static guint64 count_samples(const struct obs_list *list)
{
	guint64 n = 0;

	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < list->obs[i]->n_samples; k++)
			n += isfinite(list->obs[i]->samples[k]) != 0;
	return n;
}

static double largest(const struct obs_list *list)
{
	double max = NAN;

	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < list->obs[i]->n_samples; k++) {
			double x = list->obs[i]->samples[k];

			if (isfinite(x) && !(x <= max))
				max = x;
		}
	return max;
}

static double pooled_quantile(const struct ab_metric *metric,
			      const struct obs_list *list)
{
	struct pool *pool = pool_new();
	unsigned int weight = 1;
	double value;

	for (size_t i = 0; i < list->n; i++)
		pool_add(pool, list->obs[i]->samples, list->obs[i]->n_samples,
			 0);
	pool_sort(pool, 1, metric->arg, metric->arg);
	value = pool_quantile(pool, &weight, metric->arg);
	pool_free(pool);
	return value;
}

static double mean_of_blocks(const struct ab_metric *metric,
			     const struct obs_list *list)
{
	double sum = 0;
	size_t n = 0, end;

	for (size_t i = 0; i < list->n; i = end, n++) {
		struct cluster c;

		for (end = i; end < list->n &&
			      obs_same_block(list->obs[i], list->obs[end]);
		     end++)
			;
		c = cluster_sum(metric, list->obs + i, end - i);
		sum += c.num / c.den;
	}
	return n > 0 ? sum / (double)n : NAN;
}

double estimate_value(const struct ab_metric *metric,
		      const struct obs_list *list)
{
	struct cluster c;

	switch (metric->stat) {
	case AB_STAT_MAX:
		return largest(list);
	case AB_STAT_QUANTILE:
		return pooled_quantile(metric, list);
	default:
		if (metric->stat != AB_STAT_RATIO &&
		    !obs_list_counts(metric, list))
			return mean_of_blocks(metric, list);
		c = cluster_sum(metric, list->obs, list->n);
		return c.den > 0 ? c.num / c.den : NAN;
	}
}

static double spread_of_runs(const struct ab_metric *metric,
			     const struct obs_list *list)
{
	g_autofree double *values = g_new(double, list->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct obs_list run = { list->obs + i, 1 };

		values[n] = estimate_value(metric, &run);
		n += isfinite(values[n]) != 0;
	}
	return n > 1 ? gsl_stats_sd(values, 1, n) : NAN;
}

void estimate_of(const struct ab_metric *metric, const struct obs_list *list,
		 double level, struct ab_estimate *estimate_out)
{
	*estimate_out = (struct ab_estimate){
		.value = estimate_value(metric, list),
		.runs = (int)list->n,
		.samples = count_samples(list),
		.upper = NAN,
		.sd = spread_of_runs(metric, list),
	};
	estimate_out->total =
		obs_list_events(metric, list, &estimate_out->exposure);
	if (estimate_out->total == 0)
		estimate_out->upper =
			ab_stats_zero_bound(estimate_out->exposure, level);
	if (list->n > 0)
		estimate_out->boots =
			obs_list_boots(list, list->obs[0]->variant);
}

void ab_stats_estimate(const struct ab_metric *metric, const struct ab_obs *obs,
		       size_t n_obs, int variant, double level,
		       struct ab_estimate *estimate_out)
{
	struct obs_list list =
		obs_list_new(metric, obs, n_obs, variant, variant);

	estimate_of(metric, &list, level, estimate_out);
	obs_list_clear(&list);
}
