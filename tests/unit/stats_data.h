/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics and small campaigns for the tests of statistics. */
#ifndef UNIT_STATS_DATA_H
#define UNIT_STATS_DATA_H

#include <abrig/stats.h>
#include <math.h>

static const struct ab_metric run_mean = { .id = "test.run_mean",
					   .unit = "mW",
					   .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric events = { .id = "test.events",
					 .unit = "",
					 .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric mean = { .id = "test.mean",
				       .unit = "us",
				       .stat = AB_STAT_MEAN };
static const struct ab_metric p90 = {
	.id = "test.p90", .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9
};
static const struct ab_metric maximum = { .id = "test.max",
					  .unit = "us",
					  .stat = AB_STAT_MAX };
static const struct ab_metric ge5 = {
	.id = "test.ge5", .unit = "", .stat = AB_STAT_COUNT_GE, .arg = 5
};
static const struct ab_metric ratio = {
	.id = "test.ratio", .unit = "%", .stat = AB_STAT_RATIO, .arg = 100
};
static const struct ab_metric *const all_metrics[] = {
	&run_mean, &events, &mean, &p90, &maximum, &ge5, &ratio
};

static struct ab_stats_options options = { 0.95, NAN, 500 };
static gsl_rng *rng;

#define assert_near(x, y, tolerance) \
	g_assert_cmpfloat_with_epsilon(x, y, tolerance)

/* One run per boot: @a and @b are the boot values of @n blocks. */
static inline size_t pair_up(const double *a, const double *b, size_t n,
			     struct ab_obs *obs)
{
	for (size_t i = 0; i < n; i++) {
		int block = (int)i;

		obs[2 * i] = (struct ab_obs){ .block = block,
					      .session = 2 * block,
					      .value = a[i],
					      .per = 100 };
		obs[2 * i + 1] = (struct ab_obs){ .variant = 1,
						  .block = block,
						  .session = 2 * block + 1,
						  .value = b[i],
						  .per = 100 };
	}
	return 2 * n;
}

static inline struct ab_comparison compare(const struct ab_metric *metric,
					   const struct ab_obs *obs, size_t n)
{
	struct ab_comparison r;

	gsl_rng_set(rng, 42);
	ab_stats_compare(metric, obs, n, 1, &options, rng, &r);
	return r;
}

static inline struct ab_comparison compare_pairs(const struct ab_metric *metric,
						 const double *a,
						 const double *b, size_t n)
{
	struct ab_obs obs[64];

	g_assert_cmpuint(n, <=, 32);
	return compare(metric, obs, pair_up(a, b, n, obs));
}

#endif
