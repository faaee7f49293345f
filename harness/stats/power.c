// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

#define CHI_STEPS 400
#define MAX_PAIRS 1e9

/*
 * P(T > t) for T noncentral t: the mean of Phi(ncp - t s) over the
 * distribution of s = sqrt(chi2 / df), taken at equally likely points.
 */
static double noncentral_t_upper(double t, double df, double ncp)
{
	double sum = 0;

	if (df > 1000)
		return gsl_cdf_ugaussian_P(ncp - t);
	for (int i = 0; i < CHI_STEPS; i++) {
		double q = (i + 0.5) / CHI_STEPS;
		double s = sqrt(gsl_cdf_chisq_Pinv(q, df) / df);

		sum += gsl_cdf_ugaussian_P(ncp - t * s);
	}
	return sum / CHI_STEPS;
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
	double ratio = fabs(effect) / sd, low = 1, high = 2;

	if (!isfinite(effect) || !isfinite(sd) || effect == 0)
		return NAN;
	if (sd <= 0)
		return 2;
	while (power_of(high, ratio, level) < power) {
		low = high;
		high *= 2;
		if (high > MAX_PAIRS)
			return NAN;
	}
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (power_of(middle, ratio, level) < power)
			low = middle;
		else
			high = middle;
	}
	return high;
}
