// SPDX-License-Identifier: GPL-3.0-or-later
#include "rate.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

/* GSL's own inverses give up on some arguments: bisect to the last digit. */
static double beta_quantile(double p, double a, double b)
{
	double low = 0, high = 1;

	for (int i = 0; i < 1100; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (gsl_cdf_beta_P(middle, a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double gamma_quantile(double p, double a)
{
	double low = 0, high = 1;

	while (gsl_cdf_gamma_P(high, a, 1) < p)
		high *= 2;
	for (int i = 0; i < 1100; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (gsl_cdf_gamma_P(middle, a, 1) < p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static bool is_level(double level)
{
	return level > 0 && level < 1;
}

struct ab_bounds ab_stats_rate_interval(double x, double exposure, double level)
{
	struct ab_bounds b = { NAN, NAN };
	double tail = (1 - level) / 2;

	if (!(x >= 0 && isfinite(x) && exposure > 0 && is_level(level)))
		return b;
	b.lo = x > 0 ? gamma_quantile(tail, x) / exposure : 0;
	b.hi = gamma_quantile(1 - tail, x + 1) / exposure;
	return b;
}

struct ab_bounds ab_stats_rate_ratio_exact(double x1, double t1, double x2,
					   double t2, double phi, double level)
{
	struct ab_bounds b = { NAN, NAN };
	double tail = (1 - level) / 2, share;

	if (!(x1 >= 0 && x2 >= 0 && isfinite(x1 + x2) && t1 > 0 && t2 > 0 &&
	      phi > 0 && isfinite(phi) && is_level(level)))
		return b;
	b.lo = 0;
	b.hi = INFINITY;
	x1 /= phi;
	x2 /= phi;
	if (x2 > 0) {
		share = beta_quantile(tail, x2, x1 + 1);
		b.lo = share / (1 - share) * (t1 / t2);
	}
	if (x1 > 0) {
		/* From the other side: a share near 1 loses digits. */
		share = beta_quantile(tail, x1, x2 + 1);
		b.hi = (1 - share) / share * (t1 / t2);
	}
	return b;
}

void rate_ratio_wald(double log_ratio, double se, double df, double level,
		     struct ab_rate_ratio *ratio)
{
	double p = 0.5 + level / 2;
	double half = se * (isinf(df) ? gsl_cdf_ugaussian_Pinv(p)
				      : gsl_cdf_tdist_Pinv(p, df));

	ratio->ratio = exp(log_ratio);
	ratio->lo = exp(log_ratio - half);
	ratio->hi = exp(log_ratio + half);
	ratio->df = df;
}

void ab_stats_rate_ratio(double x1, double t1, double x2, double t2, double phi,
			 double df, double level,
			 struct ab_rate_ratio *ratio_out)
{
	struct ab_rate_ratio *r = ratio_out;

	*r = rate_ratio_none("not a count, an exposure or a dispersion");
	if (!(x1 >= 0 && x2 >= 0 && isfinite(x1 + x2) && t1 > 0 && t2 > 0 &&
	      phi >= 0 && isfinite(phi) && df > 0 && is_level(level)))
		return;
	r->reason = "no event in one of the two";
	r->ratio = x2 / t2 / (x1 / t1);
	if (x1 == 0 || x2 == 0)
		return;
	rate_ratio_wald(log(r->ratio), sqrt(phi * (1 / x1 + 1 / x2)), df, level,
			r);
	r->phi = phi;
	r->reason = NULL;
}

bool rate_usable(const struct ab_counts *c, size_t i)
{
	return isfinite(c->events[i]) && c->events[i] >= 0 &&
	       isfinite(c->exposures[i]) && c->exposures[i] > 0;
}

struct rate_total rate_total(const struct ab_counts *c)
{
	struct rate_total t = { 0 };

	for (size_t i = 0; i < c->n; i++)
		if (rate_usable(c, i)) {
			t.events += c->events[i];
			t.exposure += c->exposures[i];
			t.n++;
		}
	return t;
}

/* Pearson's chi-squared of one group about its own rate. */
static double chi2_of(const struct ab_counts *c, const struct rate_total *t)
{
	double rate = t->events / t->exposure, chi2 = 0;

	for (size_t i = 0; i < c->n; i++) {
		double expected = rate * c->exposures[i], off;

		if (!rate_usable(c, i) || !(expected > 0))
			continue;
		off = c->events[i] - expected;
		chi2 += off * off / expected;
	}
	return chi2;
}

double ab_stats_counts_dispersion(const struct ab_counts *arms, size_t n_arms,
				  double *df_out)
{
	double chi2 = 0, df = 0;

	for (size_t i = 0; i < n_arms; i++) {
		struct rate_total t = rate_total(&arms[i]);

		/* Without events there is nothing to disperse. */
		if (!(t.events > 0))
			continue;
		chi2 += chi2_of(&arms[i], &t);
		df += (double)t.n - 1;
	}
	*df_out = df > 0 ? df : NAN;
	return df > 0 ? chi2 / df : NAN;
}

void ab_stats_quasi_poisson(const struct ab_counts *a,
			    const struct ab_counts *b, double level,
			    struct ab_rate_ratio *ratio_out)
{
	struct ab_counts arms[] = { *a, *b };
	struct rate_total x = rate_total(a), y = rate_total(b);
	double df, phi = ab_stats_counts_dispersion(arms, 2, &df);

	if (isnan(phi)) {
		*ratio_out = rate_ratio_none("too few counts for a dispersion");
		return;
	}
	ab_stats_rate_ratio(x.events, x.exposure, y.events, y.exposure, phi, df,
			    level, ratio_out);
}
