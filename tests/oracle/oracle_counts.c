// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#define MOST 40

static void two_totals(double x1, double t1, double x2, double t2, double level)
{
	struct ab_bounds exact =
		ab_stats_rate_ratio_exact(x1, t1, x2, t2, 1, level);
	struct ab_bounds one = ab_stats_rate_interval(x1, t1, level);
	struct ab_rate_ratio wald;

	ab_stats_rate_ratio(x1, t1, x2, t2, 1, INFINITY, level, &wald);
	oracle_case("rates");
	oracle_in1("x1", x1);
	oracle_in1("t1", t1);
	oracle_in1("x2", x2);
	oracle_in1("t2", t2);
	oracle_in1("level", level);
	oracle_out("p", ab_stats_poisson_test(x1, t1, x2, t2));
	oracle_out("exact_lo", exact.lo);
	oracle_out("exact_hi", exact.hi);
	oracle_out("one_lo", one.lo);
	oracle_out("one_hi", one.hi);
	if (!wald.reason) {
		oracle_out("wald_lo", wald.lo);
		oracle_out("wald_hi", wald.hi);
	}
	oracle_end();
}

static void dispersed_totals(double x1, double t1, double x2, double t2,
			     double phi)
{
	struct ab_bounds b =
		ab_stats_rate_ratio_exact(x1, t1, x2, t2, phi, 0.95);

	oracle_case("rates-phi");
	oracle_in1("x1", x1);
	oracle_in1("t1", t1);
	oracle_in1("x2", x2);
	oracle_in1("t2", t2);
	oracle_in1("phi", phi);
	oracle_out("lo", b.lo);
	oracle_out("hi", b.hi);
	oracle_end();
}

static void zero_bound(double exposure, double level)
{
	oracle_case("zero-bound");
	oracle_in1("exposure", exposure);
	oracle_in1("level", level);
	oracle_out("upper", ab_stats_zero_bound(exposure, level));
	oracle_end();
}

/* Gamma-mixed Poisson counts; @theta infinite: Poisson. */
static void draw_counts(gsl_rng *rng, double rate, double theta, double *events,
			double *exposures, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double mu;

		exposures[i] = 1 + floor(5 * gsl_rng_uniform(rng));
		mu = rate * exposures[i];
		if (isfinite(theta))
			mu *= gsl_ran_gamma(rng, theta, 1 / theta);
		events[i] = gsl_ran_poisson(rng, mu);
	}
}

static void print_arms(const struct ab_counts *a, const struct ab_counts *b)
{
	oracle_in("a", a->events, a->n);
	oracle_in("a_exposure", a->exposures, a->n);
	oracle_in("b", b->events, b->n);
	oracle_in("b_exposure", b->exposures, b->n);
}

static void print_ratio(const struct ab_rate_ratio *r)
{
	oracle_out("ratio", r->ratio);
	oracle_out("lo", r->lo);
	oracle_out("hi", r->hi);
}

static void two_arms(gsl_rng *rng, size_t n_a, size_t n_b, double rate,
		     double theta)
{
	double x[MOST], t[MOST], y[MOST], u[MOST];
	struct ab_counts a = { x, t, n_a }, b = { y, u, n_b };
	struct ab_rate_ratio r;

	draw_counts(rng, rate, theta, x, t, n_a);
	draw_counts(rng, 0.7 * rate, theta, y, u, n_b);
	ab_stats_quasi_poisson(&a, &b, 0.95, &r);
	oracle_case("quasi-poisson");
	print_arms(&a, &b);
	print_ratio(&r);
	oracle_out("phi", r.phi);
	oracle_end();
	ab_stats_negative_binomial(&a, &b, 0.95, &r);
	/* Where theta is infinite R's iterations end somewhere. */
	if (!isfinite(r.theta))
		return;
	oracle_case("negative-binomial");
	print_arms(&a, &b);
	print_ratio(&r);
	oracle_out("theta", r.theta);
	oracle_end();
}

static void gmean(gsl_rng *rng, size_t n)
{
	double x[MOST];
	struct ab_gmean g;

	oracle_fill(rng, SKEWED, 0, x, n);
	ab_stats_gmean(x, n, &g);
	oracle_case("gmean");
	oracle_in("x", x, n);
	oracle_out("value", g.value);
	oracle_end();
}

void oracle_counts(gsl_rng *rng)
{
	static const double totals[][4] = {
		{ 50, 245, 42, 245 },
		{ 266, 245, 263, 245 },
		{ 108, 196, 130, 245 },
		{ 112, 245, 2, 245 },
		{ 37, 196, 0, 245 },
		{ 0, 10, 4, 3 },
		{ 0, 10, 0, 20 },
		{ 1, 1, 1, 1 },
		{ 3, 0.5, 12, 7.25 },
		{ 10, 1, 2, 1 },
		{ 220524, 245, 217954, 245 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(totals); i++) {
		const double *x = totals[i];

		two_totals(x[0], x[1], x[2], x[3], 0.95);
		two_totals(x[0], x[1], x[2], x[3], 0.9);
		dispersed_totals(x[0], x[1], x[2], x[3], 1.7);
	}
	zero_bound(245, 0.95);
	zero_bound(0.1, 0.975);
	for (size_t n = 3; n <= 24; n *= 2) {
		two_arms(rng, n, n, 3, INFINITY);
		two_arms(rng, n, n + 3, 3, 2);
		two_arms(rng, n + 1, n, 20, 5);
		two_arms(rng, n, n, 200, 1);
		gmean(rng, n);
	}
}
