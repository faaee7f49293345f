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
static double phi_of_runs(const struct stats_set *set)
{
	g_autofree double *events = g_new(double, set->n);
	g_autofree double *exposures = g_new(double, set->n);
	struct ab_counts arms[2] = {
		{ events, exposures, set->n_base },
		{ events + set->n_base, exposures + set->n_base,
		  set->n - set->n_base },
	};
	double df;

	for (size_t i = 0; i < set->n; i++) {
		events[i] = set->clusters[i].events;
		exposures[i] = set->clusters[i].exposure;
	}
	return ab_stats_counts_dispersion(arms, 2, &df);
}

static double phi_of_blocks(const struct stats_set *set,
			    const struct ab_moments *s)
{
	double ratio =
		s->events_b / s->exposure_b / (s->events_a / s->exposure_a);
	double df, chi2;

	/* All in one variant: nothing splits them, blocks say nothing. */
	if (!(s->events_a > 0 && s->events_b > 0))
		return NAN;
	chi2 = chi2_of_blocks(set, ratio, &df);
	return df > 0 ? chi2 / df : NAN;
}

static double dispersion(const struct stats_set *set,
			 const struct ab_moments *s)
{
	double phi = set->paired ? phi_of_blocks(set, s) : phi_of_runs(set);

	return phi > 1 ? phi : 1;
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

void events_ratio(const struct ab_moments *s, double level, double *lo_out,
		  double *hi_out)
{
	struct ab_bounds b =
		ab_stats_rate_ratio_exact(s->events_a, s->exposure_a,
					  s->events_b, s->exposure_b, s->phi,
					  level);

	*lo_out = b.lo;
	*hi_out = b.hi;
}

void events_difference(const struct ab_moments *s, double level, double *lo_out,
		       double *hi_out)
{
	/* Both in the metric's unit: a ratio's exposure is a hundred, or so. */
	struct ab_bounds a = ab_stats_rate_interval(
		s->events_a / s->phi, s->exposure_a / s->phi, level);
	struct ab_bounds b = ab_stats_rate_interval(
		s->events_b / s->phi, s->exposure_b / s->phi, level);
	double diff = s->b - s->a;

	*lo_out = diff - hypot(s->b - b.lo, a.hi - s->a);
	*hi_out = diff + hypot(b.hi - s->b, s->a - a.lo);
}
