// SPDX-License-Identifier: GPL-3.0-or-later
#include "interval.h"
#include "events.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double t_quantile(double level, double df)
{
	return gsl_cdf_tdist_Pinv(0.5 + level / 2, df);
}

static bool few_events(const struct ab_moments *s)
{
	return !isnan(s->phi);
}

void difference_interval(const struct ab_moments *s, double level,
			 double *lo_out, double *hi_out)
{
	double half;

	if (few_events(s)) {
		events_difference(s, level, lo_out, hi_out);
		return;
	}
	half = t_quantile(level, s->df) * sqrt(moments_var_diff(s));
	*lo_out = s->b - s->a - half;
	*hi_out = s->b - s->a + half;
}

/* Variance of B - ratio * A. */
static double contrast_var(const struct ab_moments *s, double ratio)
{
	double var = s->var_b + ratio * ratio * s->var_a - 2 * ratio * s->cov;

	return MAX(var, 0);
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

/*
 * The least ratio from 0 up that a t test cannot refute, of a baseline that is
 * not different from 0: no ratio is too large then.
 */
static double least_ratio(const struct ab_moments *s, double t)
{
	double p = s->a * s->a - t * t * s->var_a;
	double half = s->a * s->b - t * t * s->cov;
	double c = s->b * s->b - t * t * s->var_b;

	/* Refuted are those between the roots: 0 among them, if c is above 0. */
	if (!(p < 0 && c > 0))
		return 0;
	return (half - sqrt(half * half - p * c)) / p;
}

/*
 * Fieller's interval is the change that a t test cannot refute: it agrees with
 * the interval of the difference, and holds for skewed values.  With a baseline
 * that is not different from 0 it has no upper end, and no lower one either
 * where values can be negative.
 */
static bool ratio_interval(const struct ab_moments *s, double level,
			   double *lo_out, double *hi_out)
{
	double t = t_quantile(level, s->df);

	if (few_events(s)) {
		events_ratio(s, level, lo_out, hi_out);
		return true;
	}
	if (ab_stats_fieller(s->a, s->b, s->var_a, s->var_b, s->cov, t, lo_out,
			     hi_out))
		return true;
	*lo_out = least_ratio(s, t);
	*hi_out = INFINITY;
	return s->floor;
}

bool percent_interval(const struct ab_moments *s, double level, double *lo_out,
		      double *hi_out, const char **reason_out)
{
	double lo, hi;

	if (s->a == 0) {
		*reason_out = "the baseline is 0";
		return false;
	}
	if (s->a < 0) {
		*reason_out = "the baseline is negative";
		return false;
	}
	if (!ratio_interval(s, level, &lo, &hi)) {
		*reason_out = "the baseline's interval includes 0";
		return false;
	}
	if (s->floor)
		lo = MAX(lo, 0);
	*lo_out = 100 * (lo - 1);
	*hi_out = 100 * (hi - 1);
	return true;
}

double change_tail(const struct ab_moments *s, double pct, bool above)
{
	double ratio = 1 + pct / 100, off, sd;

	if (few_events(s))
		return events_tail(s, ratio, above);
	off = s->b - ratio * s->a;
	sd = sqrt(contrast_var(s, ratio));
	/* Without spread, equal stays untested. */
	if (sd <= 0)
		return off == 0 ? 0.5 : (off > 0) == above ? 0 : 1;
	return gsl_cdf_tdist_Q(above ? off / sd : -off / sd, s->df);
}
