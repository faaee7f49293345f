// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static double upper_tail(double t, double df)
{
	if (isinf(t))
		return t > 0 ? 0 : 1;
	return isinf(df) ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, df);
}

double ab_stats_tost(double estimate, double se, double df, double low,
		     double high)
{
	double above, below;

	if (!isfinite(estimate) || !(se >= 0) || !(df > 0) || !(low < high))
		return NAN;
	if (se == 0)
		return estimate > low && estimate < high ? 0 : 1;
	above = upper_tail((estimate - low) / se, df);
	below = upper_tail((high - estimate) / se, df);
	return MAX(above, below);
}
