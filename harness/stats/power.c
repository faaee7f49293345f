// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define STEPS 200
#define MAX_PAIRS 1e9

/*
 * P(T > t) for T noncentral t: the mean of Phi(ncp - t s) over the
 * distribution of s = sqrt(chi2 / df), by the midpoint rule.
 */
static double noncentral_t_upper(double t, double df, double ncp)
{
	double reach = 9 / sqrt(2 * df); /* standard deviations of s */
	double low = MAX(1 - reach, 0), step = (1 + reach - low) / STEPS;
	double sum = 0;

	if (df > 1000)
		return gsl_cdf_ugaussian_P(ncp - t);
	for (int i = 0; i < STEPS; i++) {
		double s = low + (i + 0.5) * step;

		sum += 2 * df * s * gsl_ran_chisq_pdf(df * s * s, df) *
		       gsl_cdf_ugaussian_P(ncp - t * s);
	}
	return sum * step;
}

static double power_of(double pairs, double ratio, double level)
{
	double df = pairs - 1;
	double t = gsl_cdf_tdist_Pinv(0.5 + level / 2, df);

	return noncentral_t_upper(t, df, ratio * sqrt(pairs));
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
	while (pairs < MAX_PAIRS && power_of(pairs, ratio, level) < power)
		pairs++;
	return pairs < MAX_PAIRS ? pairs : NAN;
}
