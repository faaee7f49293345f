// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Order statistics over all pairs of values without making the pairs: values
 * are sorted, so the pairs that are at most v are counted in one walk, and v is
 * bisected over the representable numbers, which takes at most 64 walks.
 */
#include "ranks.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* Pairs of sorted values: b - a, or (d + d) / 2 when there is no a. */
struct pairs {
	const double *a, *b;
	size_t n_a, n_b;
	guint64 n;
};

static guint64 count_differences(const struct pairs *p, double v)
{
	guint64 count = 0;
	size_t i = p->n_a;

	/* b[j] - a[i] <= v for all i from some one on, fewer as j grows. */
	for (size_t j = p->n_b; j-- > 0;) {
		while (i > 0 && p->b[j] - p->a[i - 1] <= v)
			i--;
		count += p->n_a - i;
		if (i == 0)
			return count + (guint64)j * p->n_a;
	}
	return count;
}

static guint64 count_means(const struct pairs *p, double v)
{
	guint64 count = 0;
	size_t i = 0;

	for (size_t j = p->n_b; j-- > 0;) {
		while (i < p->n_b && 0.5 * p->b[i] + 0.5 * p->b[j] <= v)
			i++;
		/* Each pair once: partners up to j itself. */
		count += MIN(i, j + 1);
	}
	return count;
}

static guint64 count_upto(const struct pairs *p, double v)
{
	return p->a ? count_differences(p, v) : count_means(p, v);
}

/* Numbers in the order of their values. */
static double number_at(guint64 code)
{
	guint64 sign = (guint64)1 << 63;
	guint64 bits = code & sign ? code & ~sign : ~code;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static guint64 code_of(double x)
{
	guint64 sign = (guint64)1 << 63, bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

/* The pair value of rank @rank, from 1. */
static double pair_at(const struct pairs *p, guint64 rank)
{
	guint64 low = code_of(-INFINITY), high = code_of(INFINITY);

	while (low < high) {
		guint64 middle = low + (high - low) / 2;

		if (count_upto(p, number_at(middle)) >= rank)
			high = middle;
		else
			low = middle + 1;
	}
	return number_at(low) + 0.0; /* no -0 */
}

static double pair_median(const struct pairs *p)
{
	double low = pair_at(p, (p->n + 1) / 2);

	if (p->n % 2 == 1)
		return low;
	return 0.5 * low + 0.5 * pair_at(p, p->n / 2 + 1);
}

/*
 * The largest rank k with P(statistic < k) below @tail, at least 1: the interval
 * reaches from the k-th pair to the k-th from above.
 */
static guint64 exact_rank(const double *distribution, double tail,
			  double *level_out)
{
	guint64 k = 0;
	double below = 0, p = distribution[0];

	while (p < tail - 10 * DBL_EPSILON) {
		below = p;
		p += distribution[++k];
	}
	if (k == 0) {
		below = p;
		k = 1;
	}
	*level_out = 1 - 2 * below;
	return k;
}

static guint64 normal_rank(double mean, double sigma, double level,
			   double *level_out)
{
	double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
	double k = floor(mean - z * sigma + 0.5);

	k = MAX(k, 1);
	*level_out = 1 - 2 * gsl_cdf_ugaussian_P((k - 0.5 - mean) / sigma);
	return (guint64)k;
}

static guint64 rank_of_differences(const struct pairs *p, double level,
				   struct ab_shift *shift)
{
	double pairs = (double)p->n, n = (double)(p->n_a + p->n_b);
	g_autofree double *distribution = NULL;

	shift->exact =
		p->n_a < AB_RANK_EXACT_BELOW && p->n_b < AB_RANK_EXACT_BELOW;
	if (!shift->exact)
		return normal_rank(pairs / 2, sqrt(pairs * (n + 1) / 12), level,
				   &shift->level);
	distribution = ranks_u_distribution(p->n_a, p->n_b);
	return exact_rank(distribution, (1 - level) / 2, &shift->level);
}

static guint64 rank_of_means(const struct pairs *p, double level,
			     struct ab_shift *shift)
{
	double n = (double)p->n_b;
	g_autofree double *distribution = NULL;

	shift->exact = p->n_b < AB_RANK_EXACT_BELOW;
	if (!shift->exact)
		return normal_rank((double)p->n / 2,
				   sqrt(n * (n + 1) * (2 * n + 1) / 24), level,
				   &shift->level);
	distribution = ranks_v_distribution(p->n_b);
	return exact_rank(distribution, (1 - level) / 2, &shift->level);
}

static void set_shift(const struct pairs *p, double level,
		      struct ab_shift *shift)
{
	guint64 rank = p->a ? rank_of_differences(p, level, shift)
			    : rank_of_means(p, level, shift);

	shift->estimate = pair_median(p);
	shift->lo = pair_at(p, rank);
	shift->hi = pair_at(p, p->n + 1 - rank);
}

static const struct ab_shift no_shift = {
	.estimate = NAN, .lo = NAN, .hi = NAN, .level = NAN
};

static bool usable(const double *sorted, size_t n)
{
	return n > 0 && n < G_MAXUINT32 && isfinite(sorted[0]) &&
	       isfinite(sorted[n - 1]);
}

void ab_stats_shift(const double *a, size_t n_a, const double *b, size_t n_b,
		    double level, struct ab_shift *shift_out)
{
	struct pairs p = { 0 };
	g_autofree double *x = ranks_sorted(a, n_a, &p.n_a);
	g_autofree double *y = ranks_sorted(b, n_b, &p.n_b);

	*shift_out = no_shift;
	if (!usable(x, p.n_a) || !usable(y, p.n_b) || !(level > 0 && level < 1))
		return;
	p.a = x;
	p.b = y;
	p.n = (guint64)p.n_a * p.n_b;
	set_shift(&p, level, shift_out);
}

void ab_stats_paired_shift(const double *differences, size_t n, double level,
			   struct ab_shift *shift_out)
{
	struct pairs p = { 0 };
	g_autofree double *d = ranks_sorted(differences, n, &p.n_b);

	*shift_out = no_shift;
	if (!usable(d, p.n_b) || !(level > 0 && level < 1))
		return;
	p.b = d;
	p.n = (guint64)p.n_b * (p.n_b + 1) / 2;
	set_shift(&p, level, shift_out);
}

double ab_stats_cliff(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct ab_rank_test test;
	double pairs;

	ab_stats_mann_whitney(a, n_a, b, n_b, AB_RANK_NORMAL, &test);
	pairs = (double)test.n_a * (double)test.n_b;
	return pairs > 0 ? 2 * test.statistic / pairs - 1 : NAN;
}
