// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_design.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define NODES 512
#define MAX_DF 1e6
#define MAX_PAIRS 1e9

/*
 * P(T > t) for T noncentral t: the mean of Phi(ncp - t s) over the
 * distribution of s = sqrt(chi2 / df), by Gauss and Legendre's rule.
 */
static double noncentral_t_upper(double t, double df, double ncp)
{
	gsl_integration_glfixed_table *table;
	double reach = 9 / sqrt(2 * df); /* standard deviations of s */
	double low = MAX(1 - reach, 0), sum = 0;

	if (df > MAX_DF)
		return gsl_cdf_ugaussian_P(ncp - t);
	table = gsl_integration_glfixed_table_alloc(NODES);
	for (size_t i = 0; i < NODES; i++) {
		double s, weight;

		gsl_integration_glfixed_point(low, 1 + reach, i, &s, &weight,
					      table);
		sum += weight * 2 * df * s * gsl_ran_chisq_pdf(df * s * s, df) *
		       gsl_cdf_ugaussian_P(ncp - t * s);
	}
	gsl_integration_glfixed_table_free(table);
	return MIN(sum, 1);
}

double ab_stats_pairs_power(double pairs, double ratio, double level)
{
	double df = pairs - 1;

	if (!(pairs >= 2) || isnan(ratio))
		return 0;
	return noncentral_t_upper(gsl_cdf_tdist_Pinv(0.5 + level / 2, df), df,
				  fabs(ratio) * sqrt(pairs));
}

double ab_stats_pairs_needed(double effect, double sd, double level,
			     double power)
{
	double ratio = fabs(effect) / sd, pairs;
	double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2) +
		   gsl_cdf_ugaussian_Pinv(power);

	if (!isfinite(effect) || !isfinite(sd) || effect == 0)
		return NAN;
	if (sd <= 0)
		return 2;
	/* The normal distribution needs a few pairs fewer than t does. */
	pairs = MAX(floor(z / ratio * (z / ratio)), 2);
	while (pairs < MAX_PAIRS &&
	       ab_stats_pairs_power(pairs, ratio, level) < power)
		pairs++;
	return pairs < MAX_PAIRS ? pairs : NAN;
}

double ab_stats_pairs_detectable(double pairs, double level, double power)
{
	double low = 0, high = 1;

	if (!(pairs >= 2))
		return NAN;
	while (ab_stats_pairs_power(pairs, high, level) < power)
		high *= 2;
	/* To the last digit: the function is smooth and grows. */
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (ab_stats_pairs_power(pairs, middle, level) < power)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
