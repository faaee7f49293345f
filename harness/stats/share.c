// SPDX-License-Identifier: GPL-3.0-or-later
/* Shares: how many of n. */
#include <abrig/stats_methods.h>

#include <gsl/gsl_cdf.h>
#include <limits.h>
#include <math.h>

static double share_of(double odds)
{
	return isfinite(odds) ? odds / (1 + odds) : 1;
}

/* Of events that one of two equal exposures saw. */
struct ab_bounds ab_stats_share_interval(double k, double n, double level)
{
	struct ab_bounds odds;

	if (!(k >= 0 && k <= n && n > 0 && level > 0 && level < 1))
		return (struct ab_bounds){ NAN, NAN };
	odds = ab_stats_rate_ratio_exact(n - k, 1, k, 1, 1, level);
	return (struct ab_bounds){ share_of(odds.lo), share_of(odds.hi) };
}

double ab_stats_binomial_tail(double k, double n, double share)
{
	if (!(k >= 0 && k <= n && n <= UINT_MAX && share >= 0 && share <= 1))
		return NAN;
	if (k < 1)
		return 1;
	return gsl_cdf_binomial_Q((unsigned int)k - 1, share, (unsigned int)n);
}
