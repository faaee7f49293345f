// SPDX-License-Identifier: GPL-3.0-or-later
#include "interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double t_quantile(double level, double df)
{
	return gsl_cdf_tdist_Pinv(0.5 + level / 2, df);
}

bool ab_stats_fieller(double a, double b, double var_a, double var_b,
		      double cov, double t, double *lo_out, double *hi_out)
{
	/* The ratios r for which |b - r a| <= t se(b - r a). */
	double p = a * a - t * t * var_a;
	double half = a * b - t * t * cov;
	double c = b * b - t * t * var_b;
	double root = half * half - p * c;

	if (!(p > 0))
		return false;
	root = sqrt(MAX(root, 0));
	*lo_out = (half - root) / p;
	*hi_out = (half + root) / p;
	return true;
}

static void log_ratio_interval(const struct moments *m, double t,
			       double *lo_out, double *hi_out)
{
	double var = m->var_a / (m->a * m->a) + m->var_b / (m->b * m->b) -
		     2 * m->cov / (m->a * m->b);
	double half = t * sqrt(MAX(var, 0));

	*lo_out = m->b / m->a * exp(-half);
	*hi_out = m->b / m->a * exp(half);
}

bool percent_interval(const struct moments *m, double level, double *lo_out,
		      double *hi_out, const char **reason_out)
{
	double t = t_quantile(level, m->df), lo, hi;

	if (m->a == 0) {
		*reason_out = "the baseline is 0";
		return false;
	}
	if (m->a < 0) {
		*reason_out = "the baseline is negative";
		return false;
	}
	if (m->positive) {
		log_ratio_interval(m, t, &lo, &hi);
	} else if (!ab_stats_fieller(m->a, m->b, m->var_a, m->var_b, m->cov, t,
				     &lo, &hi)) {
		*reason_out = "the baseline's interval includes 0";
		return false;
	}
	if (m->floor)
		lo = MAX(lo, 0);
	*lo_out = 100 * (lo - 1);
	*hi_out = 100 * (hi - 1);
	return true;
}
