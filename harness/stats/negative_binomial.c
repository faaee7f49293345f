// SPDX-License-Identifier: GPL-3.0-or-later
#include "rate.h"

#include <glib.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

#define MOST_SUMMED 1000
#define MAX_THETA 1e7

/* Both arms' counts, and their rates at the theta last tried. */
struct model {
	const struct ab_counts *arms[2];
	double rates[2];
};

static double mean_of(const struct model *m, int arm, size_t i)
{
	return m->rates[arm] * m->arms[arm]->exposures[i];
}

/* d log likelihood / d log rate, and its expected information. */
static double rate_score(const struct model *m, int arm, double theta,
			 double *information_out)
{
	const struct ab_counts *c = m->arms[arm];
	double score = 0, information = 0;

	for (size_t i = 0; i < c->n; i++) {
		double mu = mean_of(m, arm, i), weight;

		if (!rate_usable(c, i))
			continue;
		weight = 1 / (1 + mu / theta);
		score += (c->events[i] - mu) * weight;
		information += mu * weight;
	}
	*information_out = information;
	return score;
}

/* Fisher scoring from the pooled rate, on the log scale. */
static double fit_rate(struct model *m, int arm, double theta)
{
	struct rate_total t = rate_total(m->arms[arm]);
	double information;

	m->rates[arm] = t.events / t.exposure;
	for (int i = 0; i < 200; i++) {
		double step = rate_score(m, arm, theta, &information);

		step /= information;
		m->rates[arm] *= exp(CLAMP(step, -2, 2));
		if (fabs(step) < 1e-14)
			break;
	}
	rate_score(m, arm, theta, &information);
	return information;
}

/* psi(theta + y) - psi(theta) */
static double psi_step(double theta, double y)
{
	double sum = 0;

	if (y > MOST_SUMMED || y != floor(y))
		return gsl_sf_psi(theta + y) - gsl_sf_psi(theta);
	/* Term by term: large values of psi() would cancel. */
	for (int k = 0; k < (int)y; k++)
		sum += 1 / (theta + k);
	return sum;
}

/* d log likelihood / d theta, at the best rates for it. */
static double theta_score(struct model *m, double theta)
{
	double score = 0;

	for (int arm = 0; arm < 2; arm++) {
		const struct ab_counts *c = m->arms[arm];

		fit_rate(m, arm, theta);
		for (size_t i = 0; i < c->n; i++) {
			double mu = mean_of(m, arm, i);

			if (rate_usable(c, i))
				score += psi_step(theta, c->events[i]) -
					 log1p(mu / theta) +
					 (mu - c->events[i]) / (mu + theta);
		}
	}
	return score;
}

/* Whether a little variance beyond Poisson's makes the counts likelier. */
static bool over_dispersed(struct model *m)
{
	double excess = 0;

	for (int arm = 0; arm < 2; arm++) {
		const struct ab_counts *c = m->arms[arm];

		fit_rate(m, arm, INFINITY);
		for (size_t i = 0; i < c->n; i++) {
			double off = c->events[i] - mean_of(m, arm, i);

			if (rate_usable(c, i))
				excess += off * off - c->events[i];
		}
	}
	return excess > 0;
}

/* The score falls through 0: bisect on the log scale. */
static double fit_theta(struct model *m)
{
	double low = log(1e-8), high = log(MAX_THETA);

	if (!over_dispersed(m) || theta_score(m, MAX_THETA) > 0)
		return INFINITY;
	for (int i = 0; i < 100 && high - low > 1e-14; i++) {
		double middle = (low + high) / 2;

		if (theta_score(m, exp(middle)) > 0)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}

void ab_stats_negative_binomial(const struct ab_counts *a,
				const struct ab_counts *b, double level,
				struct ab_rate_ratio *ratio_out)
{
	struct model m = { .arms = { a, b } };
	struct rate_total x = rate_total(a), y = rate_total(b);
	double information[2];

	*ratio_out = rate_ratio_none("no event in one of the two");
	if (!(x.events > 0 && y.events > 0) || !(level > 0 && level < 1))
		return;
	if (x.n + y.n < 3) {
		ratio_out->reason = "too few counts for a dispersion";
		return;
	}
	ratio_out->theta = fit_theta(&m);
	for (int arm = 0; arm < 2; arm++)
		information[arm] = fit_rate(&m, arm, ratio_out->theta);
	rate_ratio_wald(log(m.rates[1] / m.rates[0]),
			sqrt(1 / information[0] + 1 / information[1]), INFINITY,
			level, ratio_out);
	ratio_out->reason = NULL;
}
