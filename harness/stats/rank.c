// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranks.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Two-sided p of a symmetric distribution over 0 .. @most. */
static double exact_p(const double *distribution, size_t most, double statistic)
{
	size_t k = (size_t)MIN(statistic, (double)most - statistic);
	double p = 0;

	for (size_t i = 0; i <= k; i++)
		p += distribution[i];
	return MIN(2 * p, 1);
}

static double normal_p(double off, double sigma)
{
	double corrected = fabs(off) - 0.5;

	if (sigma <= 0 || corrected <= 0)
		return 1;
	return 2 * gsl_cdf_ugaussian_Q(corrected / sigma);
}

/* Pairs in which b is larger, and half of those that are equal. */
static double count_above(const double *a, size_t n_a, const double *b,
			  size_t n_b)
{
	size_t below = 0, upto = 0;
	double sum = 0;

	for (size_t j = 0; j < n_b; j++) {
		while (below < n_a && a[below] < b[j])
			below++;
		upto = MAX(upto, below);
		while (upto < n_a && a[upto] <= b[j])
			upto++;
		sum += 0.5 * (double)(below + upto);
	}
	return sum;
}

static double tie_sum_of_both(const double *a, size_t n_a, const double *b,
			      size_t n_b)
{
	g_autofree double *both = g_new(double, n_a + n_b + 1);
	g_autofree double *sorted = NULL;
	size_t n;

	for (size_t i = 0; i < n_a; i++)
		both[i] = a[i];
	for (size_t j = 0; j < n_b; j++)
		both[n_a + j] = b[j];
	sorted = ranks_sorted(both, n_a + n_b, &n);
	return ranks_tie_sum(sorted, n);
}

static double u_p(const struct ab_rank_test *test, double tie_sum)
{
	double pairs = (double)test->n_a * (double)test->n_b;
	double n = (double)test->n_a + (double)test->n_b;
	g_autofree double *distribution = NULL;

	if (!test->exact)
		return normal_p(
			test->statistic - pairs / 2,
			sqrt(pairs / 12 * (n + 1 - tie_sum / (n * (n - 1)))));
	distribution = ranks_u_distribution(test->n_a, test->n_b);
	return exact_p(distribution, test->n_a * test->n_b, test->statistic);
}

void ab_stats_mann_whitney(const double *a, size_t n_a, const double *b,
			   size_t n_b, enum ab_rank_p how,
			   struct ab_rank_test *test_out)
{
	struct ab_rank_test *t = test_out;
	g_autofree double *x = NULL, *y = NULL;
	double tie_sum;

	*t = (struct ab_rank_test){ .p = NAN };
	x = ranks_sorted(a, n_a, &t->n_a);
	y = ranks_sorted(b, n_b, &t->n_b);
	t->statistic = count_above(x, t->n_a, y, t->n_b);
	if (t->n_a == 0 || t->n_b == 0)
		return;
	tie_sum = tie_sum_of_both(x, t->n_a, y, t->n_b);
	t->ties = tie_sum > 0;
	t->exact = how == AB_RANK_EXACT && !t->ties &&
		   t->n_a < AB_RANK_EXACT_BELOW && t->n_b < AB_RANK_EXACT_BELOW;
	t->p = u_p(t, tie_sum);
}

static int compare_sizes(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Ranks of positive differences; @d is in the order of its sizes. */
static double sum_positive_ranks(const double *d, size_t n, double *tie_sum_out)
{
	double sum = 0;

	*tie_sum_out = 0;
	for (size_t i = 0, end; i < n; i = end) {
		size_t positive = 0;
		double t;

		for (end = i; end < n && fabs(d[end]) == fabs(d[i]); end++)
			positive += d[end] > 0;
		t = (double)(end - i);
		sum += (double)positive * ((double)i + (t + 1) / 2);
		*tie_sum_out += t * t * t - t;
	}
	return sum;
}

static double v_p(const struct ab_rank_test *test, double tie_sum)
{
	double n = (double)test->n_a;
	g_autofree double *distribution = NULL;

	if (!test->exact)
		return normal_p(
			test->statistic - n * (n + 1) / 4,
			sqrt(n * (n + 1) * (2 * n + 1) / 24 - tie_sum / 48));
	distribution = ranks_v_distribution(test->n_a);
	return exact_p(distribution, test->n_a * (test->n_a + 1) / 2,
		       test->statistic);
}

void ab_stats_signed_rank(const double *differences, size_t n,
			  enum ab_rank_p how, struct ab_rank_test *test_out)
{
	struct ab_rank_test *t = test_out;
	g_autofree double *d = g_new(double, n + 1);
	double tie_sum;
	bool zeros = false;

	*t = (struct ab_rank_test){ .p = NAN };
	for (size_t i = 0; i < n; i++) {
		zeros |= differences[i] == 0;
		if (!isnan(differences[i]) && differences[i] != 0)
			d[t->n_a++] = differences[i];
	}
	qsort(d, t->n_a, sizeof(*d), compare_sizes);
	t->statistic = sum_positive_ranks(d, t->n_a, &tie_sum);
	t->ties = zeros || tie_sum > 0;
	t->exact = how == AB_RANK_EXACT && !t->ties &&
		   t->n_a < AB_RANK_EXACT_BELOW;
	if (t->n_a > 0)
		t->p = v_p(t, tie_sum);
	else if (zeros)
		t->p = 1;
}
