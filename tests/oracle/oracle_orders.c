// SPDX-License-Identifier: GPL-3.0-or-later
/* What is tested by arrangements: signs within pairs, order within boots. */
#include "oracle.h"

#include <math.h>

#define MOST 40
#define DRAWS 20000

static void sign_flip(gsl_rng *rng, enum shape shape, size_t n, double shift)
{
	double a[MOST], b[MOST], d[MOST];

	oracle_fill(rng, shape, 10, a, n);
	oracle_fill(rng, shape, 10 + shift, b, n);
	for (size_t i = 0; i < n; i++)
		d[i] = b[i] - a[i];
	oracle_case("sign-flip");
	oracle_in("a", a, n);
	oracle_in("b", b, n);
	oracle_in1("draws", DRAWS);
	oracle_out("p", ab_stats_sign_flip(d, n, DRAWS, rng));
	oracle_end();
}

/* Short enough for R to go through all orders. */
static void autocorrelation(gsl_rng *rng, enum shape shape, size_t per_group,
			    size_t n)
{
	double x[MOST], group_numbers[MOST];
	int groups[MOST];
	struct ab_autocorrelation r;

	oracle_fill(rng, shape, 10, x, n);
	for (size_t i = 0; i < n; i++) {
		groups[i] = (int)(i / per_group);
		group_numbers[i] = groups[i];
		if (i % per_group > 0)
			x[i] += 0.4 * x[i - 1];
	}
	ab_stats_autocorrelation(x, groups, n, DRAWS, rng, &r);
	oracle_case("autocorrelation");
	oracle_in("x", x, n);
	oracle_in("groups", group_numbers, n);
	oracle_in1("draws", DRAWS);
	oracle_out("r", r.r);
	oracle_out("expected", r.expected);
	oracle_out("p", r.p);
	oracle_end();
}

void oracle_orders(gsl_rng *rng)
{
	static const size_t lengths[] = { 1, 2, 4, 6, 9, 16, 20, 40 };

	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		sign_flip(rng, COARSE, lengths[i], 1);
		if (lengths[i] <= 9)
			sign_flip(rng, HEAVY, lengths[i], 1);
	}
	for (int shape = 0; shape < SHAPES; shape++) {
		autocorrelation(rng, (enum shape)shape, 6, 6);
		autocorrelation(rng, (enum shape)shape, 4, 8);
		autocorrelation(rng, (enum shape)shape, 4, 11);
		autocorrelation(rng, (enum shape)shape, 3, 15);
	}
}
