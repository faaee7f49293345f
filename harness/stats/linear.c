// SPDX-License-Identifier: GPL-3.0-or-later
/* Run values whose mean varies as the metric's estimate does. */
#include "linear.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* R + (num - R den) / mean(den) of the runs of one arm. */
static const char *linearise(const struct cluster *runs, size_t n, int arm,
			     double scale, double centre, double *values_out)
{
	double num = 0, den = 0, count = 0;

	for (size_t i = 0; i < n; i++)
		if (runs[i].arm == arm) {
			num += runs[i].num;
			den += runs[i].den;
			count++;
		}
	if (!(den > 0))
		return "nothing to divide by";
	for (size_t i = 0; i < n; i++)
		if (runs[i].arm == arm)
			values_out[i] =
				centre + scale *
						 (runs[i].num -
						  num / den * runs[i].den) /
						 (den / count);
	return NULL;
}

static double ratio_of(const struct cluster *runs, size_t n, int arm)
{
	double num = 0, den = 0;

	for (size_t i = 0; i < n; i++)
		if (runs[i].arm == arm) {
			num += runs[i].num;
			den += runs[i].den;
		}
	return num / den;
}

static struct cluster *clusters_of(const struct ab_metric *metric,
				   const struct obs_list *list)
{
	struct cluster *runs = g_new(struct cluster, list->n + 1);

	for (size_t i = 0; i < list->n; i++) {
		runs[i] = cluster_sum(metric, list->obs + i, 1);
		runs[i].arm = list->obs[i]->variant != 0;
	}
	return runs;
}

static const char *ratio_values(const struct ab_metric *metric,
				const struct obs_list *list, double *values_out)
{
	g_autofree struct cluster *runs = clusters_of(metric, list);
	const char *reason = NULL;

	for (int arm = 0; arm < 2 && !reason; arm++)
		reason = linearise(runs, list->n, arm, 1,
				   ratio_of(runs, list->n, arm), values_out);
	return reason;
}

/* ---- quantiles ---- */

/* How far from quantile @q the density may be looked at. */
static double reach(double q)
{
	return MIN(q, 1 - q) / 2;
}

static struct pool *pool_of(const struct obs_list *list, int arm, double q)
{
	struct pool *pool = pool_new();

	for (size_t i = 0; i < list->n; i++)
		if ((list->obs[i]->variant != 0) == arm)
			pool_add(pool, list->obs[i]->samples,
				 list->obs[i]->n_samples, 0);
	pool_sort(pool, 1, q - reach(q), q + reach(q));
	return pool;
}

/* Half the width over which the density at quantile @q is looked at. */
static double bandwidth(double q, double n)
{
	double z = gsl_cdf_ugaussian_Pinv(q);
	double pdf = gsl_ran_ugaussian_pdf(z);
	double level = gsl_cdf_ugaussian_Pinv(0.975);
	double h = cbrt(level * level / n * 1.5 * pdf * pdf / (2 * z * z + 1));

	return fmin(h, reach(q));
}

static struct cluster above(const struct ab_obs *obs, double value)
{
	struct cluster c = { .arm = obs->variant != 0 };

	for (size_t i = 0; i < obs->n_samples; i++)
		if (isfinite(obs->samples[i])) {
			c.num += obs->samples[i] > value;
			c.den++;
		}
	return c;
}

static const char *quantile_arm(const struct ab_metric *metric,
				const struct obs_list *list, int arm,
				double *values_out)
{
	struct pool *pool = pool_of(list, arm, metric->arg);
	g_autofree struct cluster *runs = g_new(struct cluster, list->n + 1);
	unsigned int weight = 1;
	double h = bandwidth(metric->arg, (double)pool_size(pool, &weight));
	double q = pool_quantile(pool, &weight, metric->arg);
	double width = pool_quantile(pool, &weight, metric->arg + h) -
		       pool_quantile(pool, &weight, metric->arg - h);

	pool_free(pool);
	if (!(width > 0))
		return "too many equal samples around the quantile";
	for (size_t i = 0; i < list->n; i++)
		runs[i] = above(list->obs[i], q);
	return linearise(runs, list->n, arm, width / (2 * h), q, values_out);
}

/* ---- all metrics ---- */

static const char *own_values(const struct ab_metric *metric,
			      const struct obs_list *list, double *values_out)
{
	for (size_t i = 0; i < list->n; i++) {
		struct cluster c = cluster_sum(metric, list->obs + i, 1);

		values_out[i] = c.num / c.den;
	}
	return NULL;
}

const char *linear_run_values(const struct ab_metric *metric,
			      const struct obs_list *list, double *values_out)
{
	const char *reason;

	switch (metric->stat) {
	case AB_STAT_MAX:
		return "a maximum has no variance components";
	case AB_STAT_RATIO:
		return ratio_values(metric, list, values_out);
	case AB_STAT_QUANTILE:
		reason = quantile_arm(metric, list, 0, values_out);
		return reason ? reason
			      : quantile_arm(metric, list, 1, values_out);
	default:
		return own_values(metric, list, values_out);
	}
}
