// SPDX-License-Identifier: GPL-3.0-or-later
/* Multiplicity, equivalence, ratios of means, size of a paired design. */
#include "oracle.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MOST 40

static void adjust(const double *p, size_t n)
{
	double holm[MOST], bh[MOST];
	char name[32];

	ab_stats_holm(p, n, holm);
	ab_stats_benjamini_hochberg(p, n, bh);
	oracle_case("adjust");
	oracle_in("p", p, n);
	for (size_t i = 0; i < n; i++) {
		g_snprintf(name, sizeof(name), "holm%zu", i + 1);
		oracle_out(name, holm[i]);
		g_snprintf(name, sizeof(name), "bh%zu", i + 1);
		oracle_out(name, bh[i]);
	}
	oracle_end();
}

static void families(gsl_rng *rng)
{
	static const size_t lengths[] = { 1, 2, 5, 12, 40 };
	double p[MOST];

	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++)
		for (int kind = 0; kind < 3; kind++) {
			for (size_t k = 0; k < lengths[i]; k++) {
				p[k] = pow(gsl_rng_uniform(rng), 3);
				if (kind == 1)
					p[k] = floor(p[k] * 8) / 8;
				if (kind == 2 && k % 3 == 1)
					p[k] = NAN;
			}
			adjust(p, lengths[i]);
		}
}

static void tost(gsl_rng *rng, size_t n, double low, double high)
{
	double d[MOST], mean = 0, squares = 0;

	oracle_fill(rng, NORMAL, 0.1, d, n);
	for (size_t i = 0; i < n; i++)
		mean += d[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (d[i] - mean) * (d[i] - mean);
	oracle_case("tost");
	oracle_in("d", d, n);
	oracle_in1("low", low);
	oracle_in1("high", high);
	oracle_out("p",
		   ab_stats_tost(mean,
				 sqrt(squares / (double)(n - 1) / (double)n),
				 (double)n - 1, low, high));
	oracle_end();
}

static void fieller(double a, double b, double var_a, double var_b, double cov,
		    double t)
{
	double lo = NAN, hi = NAN;

	ab_stats_fieller(a, b, var_a, var_b, cov, t, &lo, &hi);
	oracle_case("fieller");
	oracle_in1("a", a);
	oracle_in1("b", b);
	oracle_in1("var_a", var_a);
	oracle_in1("var_b", var_b);
	oracle_in1("cov", cov);
	oracle_in1("t", t);
	oracle_out("lo", lo);
	oracle_out("hi", hi);
	oracle_end();
}

static void pairs(double effect, double sd, double level, double power)
{
	oracle_case("pairs");
	oracle_in1("effect", effect);
	oracle_in1("sd", sd);
	oracle_in1("level", level);
	oracle_in1("power", power);
	oracle_out("pairs", ab_stats_pairs_needed(effect, sd, level, power));
	oracle_end();
}

void oracle_decisions(gsl_rng *rng)
{
	static const double ratios[] = { 0.05, 0.2, 0.5, 0.8, 1, 1.7, 3 };

	families(rng);
	for (size_t n = 2; n <= 32; n *= 2) {
		tost(rng, n, -1, 1);
		tost(rng, n, -0.2, 0.5);
		tost(rng, n, 1, 3);
	}
	fieller(10, 12, 1, 1, 0, 2);
	fieller(10, 12, 2, 1, 0.7, 2.3);
	fieller(10, -3, 2, 4, -0.7, 2.3);
	fieller(1, 12, 1, 1, 0, 2);
	for (size_t i = 0; i < G_N_ELEMENTS(ratios); i++) {
		pairs(ratios[i] * 2, 2, 0.95, 0.8);
		pairs(ratios[i], 1, 0.99, 0.9);
	}
}
