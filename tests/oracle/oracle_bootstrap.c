// SPDX-License-Identifier: GPL-3.0-or-later
/* Quantiles, and intervals from replicates. */
#include "oracle.h"

#include <math.h>

#define MOST 40
#define REPLICATES 1999

static void quantiles(gsl_rng *rng)
{
	static const size_t lengths[] = { 1, 2, 3, 10, 39 };
	static const double at[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 1 };
	double x[MOST];

	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++)
		for (int shape = 0; shape < SHAPES; shape++)
			for (size_t k = 0; k < G_N_ELEMENTS(at); k++) {
				size_t n = lengths[i];

				oracle_fill(rng, (enum shape)shape, 1, x, n);
				oracle_sort(x, n);
				oracle_case("quantile");
				oracle_in("x", x, n);
				oracle_in1("at", at[k]);
				oracle_out("value",
					   ab_stats_quantile(x, n, at[k]));
				oracle_end();
			}
}

static double mean_without(const double *x, size_t n, size_t left_out)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += i == left_out ? 0 : x[i];
	return sum / (double)(left_out < n ? n - 1 : n);
}

static void resample(gsl_rng *rng, const double *x, size_t n,
		     double *replicates, size_t n_replicates)
{
	for (size_t i = 0; i < n_replicates; i++) {
		double sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += x[gsl_rng_uniform_int(rng, n)];
		replicates[i] = sum / (double)n;
	}
	oracle_sort(replicates, n_replicates);
}

static void bca(gsl_rng *rng, enum shape shape, size_t n, size_t n_replicates,
		double level)
{
	double x[MOST], jackknife[MOST], replicates[REPLICATES];
	double value;
	struct ab_bounds percentile;
	struct ab_bca bca;

	oracle_fill(rng, shape, 5, x, n);
	for (size_t i = 0; i < n; i++)
		jackknife[i] = mean_without(x, n, i);
	value = mean_without(x, n, n);
	resample(rng, x, n, replicates, n_replicates);
	percentile = ab_stats_percentile(replicates, n_replicates, level);
	ab_stats_bca(value, replicates, n_replicates, jackknife, n, level,
		     &bca);
	oracle_case("bca");
	oracle_in1("value", value);
	oracle_in("replicates", replicates, n_replicates);
	oracle_in("jackknife", jackknife, n);
	oracle_in1("level", level);
	oracle_out("perc_lo", percentile.lo);
	oracle_out("perc_hi", percentile.hi);
	oracle_out("lo", bca.lo);
	oracle_out("hi", bca.hi);
	oracle_out("skew", bca.skew);
	oracle_end();
}

void oracle_bootstrap(gsl_rng *rng)
{
	static const size_t replicates[] = { 99, 200, 999, REPLICATES };

	quantiles(rng);
	for (int shape = 0; shape < SHAPES; shape++)
		for (size_t i = 0; i < G_N_ELEMENTS(replicates); i++) {
			bca(rng, (enum shape)shape, 8, replicates[i], 0.95);
			bca(rng, (enum shape)shape, 30, replicates[i], 0.9);
		}
}
