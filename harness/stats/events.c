// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Few events: given how many there are, those of the variant are binomial.
 */
#include "events.h"
#include "set.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define FEW 12 /* in both variants together */

/* Pearson's chi-squared of splitting each block's events at the ratio. */
static double chi2_of_blocks(const struct stats_set *set, double ratio,
			     double *df_out)
{
	double chi2 = 0, blocks = 0;

	for (size_t i = 0; i + 1 < set->n; i += 2) {
		const struct cluster *a = &set->clusters[i], *b = a + 1;
		double n = a->events + b->events;
		double share = ratio * b->exposure /
			       (a->exposure + ratio * b->exposure);
		double off = b->events - n * share;

		if (!(n > 0))
			continue;
		blocks++;
		chi2 += off * off / (n * share * (1 - share));
	}
	*df_out = blocks - 1;
	return chi2;
}

/* The same of each run's events about the rate of its variant. */
static double chi2_of_runs(const struct stats_set *set,
			   const struct ab_moments *s, double *df_out)
{
	double rate[2] = { s->events_a / s->exposure_a,
			   s->events_b / s->exposure_b };
	double chi2 = 0;

	*df_out = (double)set->n - 2;
	for (size_t i = 0; i < set->n; i++) {
		const struct cluster *c = &set->clusters[i];
		double expected = rate[c->arm] * c->exposure;
		double off = c->events - expected;

		if (expected > 0)
			chi2 += off * off / expected;
	}
	return chi2;
}

static double dispersion(const struct stats_set *set,
			 const struct ab_moments *s)
{
	double ratio =
		s->events_b / s->exposure_b / (s->events_a / s->exposure_a);
	double chi2, df;

	/* All in one variant: nothing splits them, blocks say nothing. */
	if (set->paired && !(s->events_a > 0 && s->events_b > 0))
		return 1;
	chi2 = set->paired ? chi2_of_blocks(set, ratio, &df)
			   : chi2_of_runs(set, s, &df);
	return df > 0 && chi2 > df ? chi2 / df : 1;
}

bool moments_few_events(const struct stats_set *set, struct ab_moments *s)
{
	double events[2] = { 0, 0 }, exposure[2] = { 0, 0 };

	s->phi = NAN;
	if (!set->events)
		return false;
	for (size_t i = 0; i < set->n; i++) {
		const struct cluster *c = &set->clusters[i];

		events[c->arm] += c->events;
		exposure[c->arm] += c->exposure;
	}
	if (!(exposure[0] > 0 && exposure[1] > 0) ||
	    (events[0] + events[1] > FEW && events[0] > 0 && events[1] > 0))
		return false;
	s->events_a = events[0];
	s->events_b = events[1];
	s->exposure_a = exposure[0];
	s->exposure_b = exposure[1];
	s->phi = dispersion(set, s);
	return true;
}

double events_tail(const struct ab_moments *s, double ratio, bool above)
{
	double a = s->events_a / s->phi, b = s->events_b / s->phi;
	double to_a = s->exposure_a / (s->exposure_a + ratio * s->exposure_b);

	if (above)
		return b > 0 ? gsl_cdf_beta_P(1 - to_a, b, a + 1) : 1;
	return a > 0 ? gsl_cdf_beta_P(to_a, a, b + 1) : 1;
}

static double odds(double share)
{
	return share / (1 - share);
}

void events_ratio(const struct ab_moments *s, double level, double *lo_out,
		  double *hi_out)
{
	double a = s->events_a / s->phi, b = s->events_b / s->phi;
	double tail = (1 - level) / 2, scale = s->exposure_a / s->exposure_b;

	*lo_out = b > 0 ? scale * odds(gsl_cdf_beta_Pinv(tail, b, a + 1)) : 0;
	*hi_out = a > 0 ? scale / odds(gsl_cdf_beta_Pinv(tail, a, b + 1))
			: INFINITY;
}

/* Limits of a count (Garwood 1936). */
static void count_limits(double count, double phi, double tail, double *lo_out,
			 double *hi_out)
{
	double n = count / phi;

	*lo_out = n > 0 ? phi * gsl_cdf_gamma_Pinv(tail, n, 1) : 0;
	*hi_out = phi * gsl_cdf_gamma_Qinv(tail, n + 1, 1);
}

void events_difference(const struct ab_moments *s, double level, double *lo_out,
		       double *hi_out)
{
	double tail = (1 - level) / 2, a_lo, a_hi, b_lo, b_hi;
	/* Counts to the metric's unit: a ratio is per hundred, or so. */
	double in_a = 1 / s->exposure_a, in_b = 1 / s->exposure_b;
	double diff = s->b - s->a;

	count_limits(s->events_a, s->phi, tail, &a_lo, &a_hi);
	count_limits(s->events_b, s->phi, tail, &b_lo, &b_hi);
	*lo_out = diff - hypot(s->b - b_lo * in_b, a_hi * in_a - s->a);
	*hi_out = diff + hypot(b_hi * in_b - s->b, s->a - a_lo * in_a);
}
