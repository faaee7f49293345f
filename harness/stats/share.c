// SPDX-License-Identifier: GPL-3.0-or-later
/* Shares: how many of n. */
#include <abrig/stats_methods.h>

#include <gsl/gsl_cdf.h>
#include <limits.h>
#include <math.h>

struct ab_bounds ab_stats_share_interval(double k, double n, double level)
{
	double tail = (1 - level) / 2;

	if (!(k >= 0 && k <= n && n > 0 && level > 0 && level < 1))
		return (struct ab_bounds){ NAN, NAN };
	return (struct ab_bounds){
		k > 0 ? gsl_cdf_beta_Pinv(tail, k, n - k + 1) : 0,
		k < n ? gsl_cdf_beta_Qinv(tail, k + 1, n - k) : 1,
	};
}

double ab_stats_binomial_tail(double k, double n, double share)
{
	if (!(k >= 0 && k <= n && n <= UINT_MAX && share >= 0 && share <= 1))
		return NAN;
	if (k < 1)
		return 1;
	return gsl_cdf_binomial_Q((unsigned int)k - 1, share, (unsigned int)n);
}
