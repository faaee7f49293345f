// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle.h"

#include <math.h>

#define MOST 80

static const size_t sizes[][2] = {
	{ 1, 1 },   { 1, 4 },	{ 3, 2 },   { 4, 4 },	{ 5, 8 },   { 9, 6 },
	{ 12, 12 }, { 20, 31 }, { 49, 49 }, { 50, 12 }, { 60, 80 },
};

static void two_samples(const double *a, size_t n_a, const double *b,
			size_t n_b, enum ab_rank_p how)
{
	struct ab_rank_test test;

	ab_stats_mann_whitney(a, n_a, b, n_b, how, &test);
	oracle_case("mann-whitney");
	oracle_in("a", a, n_a);
	oracle_in("b", b, n_b);
	oracle_in1("exact", how == AB_RANK_EXACT);
	oracle_out("statistic", test.statistic);
	oracle_out("p", test.p);
	oracle_out("cliff", ab_stats_cliff(a, n_a, b, n_b));
	oracle_end();
}

static void print_shift(const struct ab_shift *shift)
{
	oracle_out("estimate", shift->estimate);
	oracle_out("lo", shift->lo);
	oracle_out("hi", shift->hi);
	oracle_out("level", shift->level);
	oracle_end();
}

static void shift_of(const double *a, size_t n_a, const double *b, size_t n_b,
		     double level)
{
	struct ab_shift shift;

	ab_stats_shift(a, n_a, b, n_b, level, &shift);
	oracle_case("shift");
	oracle_in("a", a, n_a);
	oracle_in("b", b, n_b);
	oracle_in1("wanted", level);
	print_shift(&shift);
}

static void differences(const double *d, size_t n, enum ab_rank_p how)
{
	struct ab_rank_test test;

	ab_stats_signed_rank(d, n, how, &test);
	oracle_case("signed-rank");
	oracle_in("d", d, n);
	oracle_in1("exact", how == AB_RANK_EXACT);
	oracle_out("statistic", test.statistic);
	oracle_out("p", test.p);
	oracle_end();
}

static void paired_shift_of(const double *d, size_t n, double level)
{
	struct ab_shift shift;

	ab_stats_paired_shift(d, n, level, &shift);
	oracle_case("paired-shift");
	oracle_in("d", d, n);
	oracle_in1("wanted", level);
	print_shift(&shift);
}

static void samples_of(gsl_rng *rng, enum shape shape, size_t n_a, size_t n_b)
{
	double a[MOST], b[MOST];

	oracle_fill(rng, shape, 3, a, n_a);
	oracle_fill(rng, shape, 3.7, b, n_b);
	two_samples(a, n_a, b, n_b, AB_RANK_EXACT);
	two_samples(a, n_a, b, n_b, AB_RANK_NORMAL);
	shift_of(a, n_a, b, n_b, 0.95);
	shift_of(a, n_a, b, n_b, 0.9);
}

static void differences_of(gsl_rng *rng, enum shape shape, size_t n)
{
	double d[MOST];

	oracle_fill(rng, shape, 0.5, d, n);
	differences(d, n, AB_RANK_EXACT);
	differences(d, n, AB_RANK_NORMAL);
	paired_shift_of(d, n, 0.95);
	paired_shift_of(d, n, 0.99);
}

static void infinities(void)
{
	static const double a[] = { 1, 2, -INFINITY, 4.5, INFINITY };
	static const double b[] = { 3, NAN, 7, 6, 5 };

	two_samples(a, 4, b, 5, AB_RANK_EXACT);
	two_samples(a, 5, b, 5, AB_RANK_NORMAL);
	differences(a + 1, 4, AB_RANK_NORMAL);
}

void oracle_ranks(gsl_rng *rng)
{
	static const size_t lengths[] = { 1, 2, 5, 6, 9, 16, 30, 49, 50, 80 };

	for (int shape = 0; shape < SHAPES; shape++) {
		for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
			samples_of(rng, (enum shape)shape, sizes[i][0],
				   sizes[i][1]);
		for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++)
			differences_of(rng, (enum shape)shape, lengths[i]);
	}
	infinities();
}
