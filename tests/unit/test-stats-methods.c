// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Single methods: values worked out by hand, and inputs that R does not define.
 * "make check-oracle" has the rest.
 */
#include <abrig/stats_methods.h>

#include <glib.h>
#include <math.h>

static gsl_rng *rng;

#define assert_near(x, y, tolerance) \
	g_assert_cmpfloat_with_epsilon(x, y, tolerance)

/* ---- ranks ---- */

static void test_mann_whitney(void)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6, 7 };
	static const double mixed[] = { 0, 2.5, 8, 9 };
	struct ab_rank_test t;

	/* All above: one of 35 arrangements on either side. */
	ab_stats_mann_whitney(a, 3, b, 4, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.statistic, ==, 12);
	assert_near(t.p, 2 / 35.0, 1e-15);
	g_assert_true(t.exact && !t.ties);
	ab_stats_mann_whitney(b, 4, a, 3, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.statistic, ==, 0);
	assert_near(t.p, 2 / 35.0, 1e-15);
	/* Pairs above: none, 2, 3 and 3 of 3. */
	ab_stats_mann_whitney(a, 3, mixed, 4, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.statistic, ==, 8);
	/* Normal: (12 - 6 - 0.5) / sqrt(12 * 8 / 12) */
	ab_stats_mann_whitney(a, 3, b, 4, AB_RANK_NORMAL, &t);
	assert_near(t.p, erfc(5.5 / sqrt(8) / sqrt(2)), 1e-14);
	g_assert_false(t.exact);
}

static void test_mann_whitney_odd(void)
{
	static const double same[] = { 5, 5, 5, 5, 5 };
	static const double odd[] = { NAN, 1, INFINITY, -INFINITY, NAN };
	static const double tied[] = { 1, 1, 2 }, one[] = { 1 };
	struct ab_rank_test t;

	ab_stats_mann_whitney(same, 3, same, 5, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.p, ==, 1);
	g_assert_true(t.ties && !t.exact);
	ab_stats_mann_whitney(same, 0, same, 5, AB_RANK_EXACT, &t);
	g_assert_true(isnan(t.p));
	ab_stats_mann_whitney(odd, 1, same, 5, AB_RANK_EXACT, &t);
	g_assert_true(isnan(t.p));
	g_assert_cmpuint(t.n_a, ==, 0);
	ab_stats_mann_whitney(same, 1, odd, 5, AB_RANK_EXACT, &t);
	g_assert_cmpuint(t.n_b, ==, 3);
	g_assert_cmpfloat(t.statistic, ==, 1);
	ab_stats_mann_whitney(one, 1, tied, 3, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.statistic, ==, 2);
	ab_stats_mann_whitney(one, 1, same, 1, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.p, ==, 1);
}

static void test_signed_rank(void)
{
	static const double d[] = { 3, -1, 2, 4, 5 };
	static const double zeros[] = { 0, 0, 0 }, with_zero[] = { 0, 2, 1 };
	static const double odd[] = { NAN, INFINITY, -3, 2 };
	struct ab_rank_test t;

	/* Ranks 3 2 4 5 are positive; V >= 14 has 2 of 32 arrangements. */
	ab_stats_signed_rank(d, 5, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.statistic, ==, 14);
	assert_near(t.p, 4 / 32.0, 1e-15);
	g_assert_true(t.exact);
	ab_stats_signed_rank(zeros, 3, AB_RANK_EXACT, &t);
	g_assert_cmpfloat(t.p, ==, 1);
	ab_stats_signed_rank(zeros, 0, AB_RANK_EXACT, &t);
	g_assert_true(isnan(t.p));
	ab_stats_signed_rank(with_zero, 3, AB_RANK_EXACT, &t);
	g_assert_cmpuint(t.n_a, ==, 2);
	g_assert_true(t.ties && !t.exact);
	/* Sizes 2, 3 and infinity: ranks 1 and 3 are positive. */
	ab_stats_signed_rank(odd, 4, AB_RANK_EXACT, &t);
	g_assert_cmpuint(t.n_a, ==, 3);
	g_assert_cmpfloat(t.statistic, ==, 4);
}

static void test_shift(void)
{
	static const double a[] = { 1, 2, 4, 8 }, b[] = { 11, 12, 14, 19 };
	struct ab_shift s;

	/*
	 * Differences 3 4 6 7 8 9 10 10 10 11 11 12 13 15 17 18: the ends
	 * are the smallest and the largest, at 1 - 2 / 70.
	 */
	ab_stats_shift(a, 4, b, 4, 0.95, &s);
	assert_near(s.estimate, 10, 1e-15);
	g_assert_cmpfloat(s.lo, ==, 3);
	g_assert_cmpfloat(s.hi, ==, 18);
	assert_near(s.level, 1 - 2 / 70.0, 1e-14);
	g_assert_true(s.exact);
	/* Adding to one side moves all of it. */
	ab_stats_shift(a, 4, a, 4, 0.95, &s);
	g_assert_cmpfloat(s.estimate, ==, 0);
	assert_near(s.lo + s.hi, 0, 1e-15);
}

static void test_paired_shift(void)
{
	static const double d[] = { 1, 2, 4, 10 }, one[] = { -3 };
	static const double odd[] = { 1, NAN, INFINITY };
	struct ab_shift s;

	/* Means 1 1.5 2 2.5 3 4 5.5 6 7 10 */
	ab_stats_paired_shift(d, 4, 0.8, &s);
	assert_near(s.estimate, 3.5, 1e-15);
	/* P(V <= 0) is 1 of 16, P(V <= 1) 2: the first and the last. */
	g_assert_cmpfloat(s.lo, ==, 1);
	g_assert_cmpfloat(s.hi, ==, 10);
	assert_near(s.level, 1 - 2 / 16.0, 1e-15);
	/* One value: there is no interval, whatever the level. */
	ab_stats_paired_shift(one, 1, 0.95, &s);
	g_assert_cmpfloat(s.estimate, ==, -3);
	g_assert_cmpfloat(s.lo, ==, -3);
	g_assert_cmpfloat(s.hi, ==, -3);
	g_assert_cmpfloat(s.level, ==, 0);
	ab_stats_paired_shift(odd, 2, 0.95, &s);
	g_assert_cmpfloat(s.estimate, ==, 1);
	ab_stats_paired_shift(odd, 3, 0.95, &s);
	g_assert_true(isnan(s.estimate) && isnan(s.lo) && isnan(s.level));
	ab_stats_paired_shift(NULL, 0, 0.95, &s);
	g_assert_true(isnan(s.estimate));
	ab_stats_paired_shift(d, 4, 1, &s);
	g_assert_true(isnan(s.estimate));
}

/* 4e10 pairs, of which none is stored. */
static void test_shift_of_many(void)
{
	const size_t n = 200000;
	g_autofree double *a = g_new(double, n), *b = g_new(double, n);
	struct ab_shift s;

	for (size_t i = 0; i < n; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 1000;
	}
	ab_stats_shift(a, n, b, n, 0.95, &s);
	g_assert_cmpfloat(s.estimate, ==, 1000);
	g_assert_cmpfloat(s.lo, <, 1000);
	assert_near(s.level, 0.95, 1e-6);
	g_assert_false(s.exact);
	ab_stats_paired_shift(b, n, 0.95, &s);
	g_assert_cmpfloat(s.estimate, ==, 1000 + (double)(n - 1) / 2);
}

static void test_cliff(void)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 2, 4 };

	/* 2 is above 1, ties 2, below 3; 4 is above all: (4 - 1) / 6 */
	assert_near(ab_stats_cliff(a, 3, b, 2), 0.5, 1e-15);
	assert_near(ab_stats_cliff(b, 2, a, 3), -0.5, 1e-15);
	g_assert_cmpfloat(ab_stats_cliff(a, 3, a, 3), ==, 0);
	g_assert_true(isnan(ab_stats_cliff(a, 0, b, 2)));
}

/* ---- bootstrap ---- */

static void test_bca(void)
{
	double sorted[999], jackknife[] = { 1, 1, 1, 1 },
			    skewed[] = { 0, 0, 3 };
	struct ab_bca bca;

	for (int i = 0; i < 999; i++)
		sorted[i] = i + 1;
	/* 500 of 999 below, no skew: all but the percentile interval. */
	ab_stats_bca(500.5, sorted, 999, jackknife, 4, 0.95, &bca);
	g_assert_null(bca.reason);
	g_assert_cmpfloat(bca.skew, ==, 0);
	assert_near(bca.bias, 0.0012545, 1e-6);
	assert_near(bca.lo, 25, 0.5);
	assert_near(bca.hi, 975, 0.5);
	/* Off the mean: 1, 1, -2: cubes -6, squares 6 */
	ab_stats_bca(500.5, sorted, 999, skewed, 3, 0.95, &bca);
	assert_near(bca.skew, -1 / pow(6, 1.5), 1e-15);
	ab_stats_bca(0, sorted, 999, jackknife, 4, 0.95, &bca);
	g_assert_nonnull(bca.reason);
	g_assert_true(isnan(bca.lo) && isnan(bca.hi));
	ab_stats_bca(1, NULL, 0, jackknife, 4, 0.95, &bca);
	g_assert_nonnull(bca.reason);
	jackknife[0] = NAN;
	ab_stats_bca(500.5, sorted, 999, jackknife, 4, 0.95, &bca);
	g_assert_nonnull(bca.reason);
}

static void test_percentile(void)
{
	double sorted[99];
	struct ab_bounds b;

	for (int i = 0; i < 99; i++)
		sorted[i] = i + 1;
	/* Ranks 5 and 95 of 100: but for the rounding of 1 - 0.9. */
	b = ab_stats_percentile(sorted, 99, 0.9);
	assert_near(b.lo, 5, 1e-12);
	assert_near(b.hi, 95, 1e-12);
	/* Beyond both ends. */
	b = ab_stats_percentile(sorted, 99, 0.999);
	g_assert_cmpfloat(b.lo, ==, 1);
	g_assert_cmpfloat(b.hi, ==, 99);
	b = ab_stats_percentile(sorted, 1, 0.9);
	g_assert_cmpfloat(b.lo, ==, 1);
	g_assert_cmpfloat(b.hi, ==, 1);
	g_assert_true(isnan(ab_stats_percentile(sorted, 0, 0.9).lo));
	g_assert_true(isnan(ab_stats_replicate_quantile(sorted, 9, NAN)));
}

/* ---- decisions ---- */

static void assert_all(const double *got, const double *expected, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(expected[i]))
			g_assert_true(isnan(got[i]));
		else
			assert_near(got[i], expected[i], 1e-15);
}

static void test_multiple(void)
{
	static const double p[] = { 0.01, NAN, 0.04, 0.03, 0.5, 2 };
	/* times 4, then 3, 2 and 1; the third is raised to the second */
	static const double holm[] = { 0.04, NAN, 0.09, 0.09, 0.5, NAN };
	/* times 4 / 1, 4 / 2, 4 / 3 and 1; the second falls to the third */
	static const double bh[] = { 0.04, NAN, 0.16 / 3, 0.16 / 3, 0.5, NAN };
	double adjusted[6];

	g_assert_cmpuint(ab_stats_holm(p, 6, adjusted), ==, 4);
	assert_all(adjusted, holm, 6);
	g_assert_cmpuint(ab_stats_benjamini_hochberg(p, 6, adjusted), ==, 4);
	assert_all(adjusted, bh, 6);
	g_assert_cmpuint(ab_stats_holm(p + 1, 1, adjusted), ==, 0);
	g_assert_true(isnan(adjusted[0]));
	g_assert_cmpuint(ab_stats_holm(NULL, 0, NULL), ==, 0);
	/* In place. */
	adjusted[0] = adjusted[1] = 0.7;
	g_assert_cmpuint(ab_stats_holm(adjusted, 2, adjusted), ==, 2);
	g_assert_cmpfloat(adjusted[0], ==, 1);
	g_assert_cmpfloat(adjusted[1], ==, 1);
}

static void test_tost(void)
{
	/* Half a margin from the nearer one, one error: Q(1) */
	assert_near(ab_stats_tost(0.5, 0.5, INFINITY, -1, 1),
		    0.5 * erfc(1 / sqrt(2)), 1e-15);
	/* t(1) is Cauchy's: 1/2 - atan(2) / pi */
	assert_near(ab_stats_tost(0, 0.5, 1, -1, 1), 0.5 - atan(2) / G_PI,
		    1e-14);
	assert_near(ab_stats_tost(1, 3, 4, -1, 1), 0.5, 1e-15);
	g_assert_cmpfloat(ab_stats_tost(3, 0.1, 9, -1, 1), >, 0.99);
	g_assert_cmpfloat(ab_stats_tost(0, 0, 9, -1, 1), ==, 0);
	g_assert_cmpfloat(ab_stats_tost(1, 0, 9, -1, 1), ==, 1);
	assert_near(ab_stats_tost(0, INFINITY, 9, -1, 1), 0.5, 1e-15);
	g_assert_true(isnan(ab_stats_tost(NAN, 1, 9, -1, 1)));
	g_assert_true(isnan(ab_stats_tost(0, NAN, 9, -1, 1)));
	g_assert_true(isnan(ab_stats_tost(0, 1, 0, -1, 1)));
	g_assert_true(isnan(ab_stats_tost(0, 1, 9, 1, -1)));
	g_assert_true(isnan(ab_stats_tost(0, 1, 9, -1, NAN)));
}

/* ---- counts ---- */

static void test_rate_interval(void)
{
	struct ab_bounds b = ab_stats_rate_interval(0, 10, 0.95);

	g_assert_cmpfloat(b.lo, ==, 0);
	assert_near(b.hi, -log(0.025) / 10, 1e-12);
	/* exp(-lo) = 0.975; (1 + hi) exp(-hi) = 0.025 */
	b = ab_stats_rate_interval(1, 1, 0.95);
	assert_near(b.lo, -log(0.975), 1e-12);
	assert_near((1 + b.hi) * exp(-b.hi), 0.025, 1e-12);
	g_assert_true(isnan(ab_stats_rate_interval(-1, 1, 0.95).lo));
	g_assert_true(isnan(ab_stats_rate_interval(NAN, 1, 0.95).lo));
	g_assert_true(isnan(ab_stats_rate_interval(INFINITY, 1, 0.95).lo));
	g_assert_true(isnan(ab_stats_rate_interval(1, 0, 0.95).lo));
	g_assert_true(isnan(ab_stats_rate_interval(1, 1, 1).lo));
}

static void test_rate_ratio_exact(void)
{
	struct ab_bounds b = ab_stats_rate_ratio_exact(3, 1, 0, 1, 1, 0.95);

	/* None of 3: the share's upper end is 1 - 0.025^(1/3). */
	g_assert_cmpfloat(b.lo, ==, 0);
	assert_near(b.hi, pow(0.025, -1 / 3.0) - 1, 1e-9);
	b = ab_stats_rate_ratio_exact(0, 1, 3, 1, 1, 0.95);
	assert_near(1 / b.lo, pow(0.025, -1 / 3.0) - 1, 1e-9);
	g_assert_true(isinf(b.hi));
	b = ab_stats_rate_ratio_exact(0, 1, 0, 1, 1, 0.95);
	g_assert_cmpfloat(b.lo, ==, 0);
	g_assert_true(isinf(b.hi));
	/* Half as many events, each worth two. */
	b = ab_stats_rate_ratio_exact(12, 4, 20, 2, 2, 0.95);
	assert_near(b.lo, ab_stats_rate_ratio_exact(6, 4, 10, 2, 1, 0.95).lo,
		    1e-14);
	/* Next to no event at all: no library error. */
	b = ab_stats_rate_ratio_exact(1, 1, 1, 1, 1e6, 0.95);
	g_assert_cmpfloat(b.lo, >=, 0);
	g_assert_cmpfloat(b.hi, >, 1e6);
	g_assert_true(isnan(ab_stats_rate_ratio_exact(1, 0, 1, 1, 1, 0.95).lo));
	g_assert_true(isnan(ab_stats_rate_ratio_exact(1, 1, 1, 1, 0, 0.95).lo));
	g_assert_true(
		isnan(ab_stats_rate_ratio_exact(NAN, 1, 1, 1, 1, 0.95).lo));
}

static void test_rate_ratio(void)
{
	struct ab_rate_ratio r;
	double half;

	ab_stats_rate_ratio(4, 2, 16, 4, 1, INFINITY, 0.95, &r);
	half = 1.959963984540054 * sqrt(1 / 4.0 + 1 / 16.0);
	assert_near(r.ratio, 2, 1e-15);
	assert_near(r.lo, 2 * exp(-half), 1e-12);
	assert_near(r.hi, 2 * exp(half), 1e-12);
	ab_stats_rate_ratio(4, 2, 0, 4, 1, INFINITY, 0.95, &r);
	g_assert_cmpfloat(r.ratio, ==, 0);
	g_assert_true(isnan(r.lo));
	g_assert_nonnull(r.reason);
	ab_stats_rate_ratio(4, 2, 1, 4, NAN, INFINITY, 0.95, &r);
	g_assert_nonnull(r.reason);
}

static void test_dispersion(void)
{
	static const double y[] = { 2, 4, 6, 1 }, t[] = { 1, 1, 1, 0 };
	static const double same[] = { 3, 3, 3 }, none[] = { 0, 0, 0 };
	struct ab_counts arms[] = { { y, t, 4 }, { same, t, 3 } };
	struct ab_rate_ratio r;
	double df;

	/* (4 + 0 + 4) / 4 about a rate of 4; the fourth has no exposure. */
	assert_near(ab_stats_counts_dispersion(arms, 1, &df), 1, 1e-15);
	g_assert_cmpfloat(df, ==, 2);
	assert_near(ab_stats_counts_dispersion(arms, 2, &df), 0.5, 1e-15);
	g_assert_cmpfloat(df, ==, 4);
	ab_stats_quasi_poisson(&arms[0], &arms[1], 0.95, &r);
	g_assert_null(r.reason);
	assert_near(r.ratio, 0.75, 1e-15);
	/* qt(0.975, 4) sqrt(0.5 (1 / 12 + 1 / 9)) */
	assert_near(log(r.hi / r.ratio), 2.776445105 * sqrt(0.5 * 7 / 36.0),
		    1e-8);
	arms[1].events = none;
	ab_stats_quasi_poisson(&arms[0], &arms[1], 0.95, &r);
	g_assert_nonnull(r.reason);
	arms[0].n = arms[1].n = 1;
	g_assert_true(isnan(ab_stats_counts_dispersion(arms, 2, &df)));
	g_assert_true(isnan(df));
	ab_stats_quasi_poisson(&arms[0], &arms[1], 0.95, &r);
	g_assert_nonnull(r.reason);
}

static void test_negative_binomial(void)
{
	static const double y[] = { 2, 4, 6 }, u[] = { 0, 30, 3 };
	static const double t[] = { 1, 1, 1 }, none[] = { 0, 0, 0 };
	struct ab_counts a = { y, t, 3 }, b = { y, t, 3 };
	struct ab_rate_ratio r;

	/* No more variance than Poisson's: the same as Poisson. */
	ab_stats_negative_binomial(&a, &b, 0.95, &r);
	g_assert_null(r.reason);
	g_assert_true(isinf(r.theta));
	assert_near(r.ratio, 1, 1e-12);
	assert_near(log(r.hi), 1.959963984540054 * sqrt(2 / 12.0), 1e-9);
	/* Much more. */
	b.events = u;
	ab_stats_negative_binomial(&a, &b, 0.95, &r);
	g_assert_null(r.reason);
	g_assert_cmpfloat(r.theta, <, 5);
	assert_near(r.ratio, 11 / 4.0, 1e-9);
	g_assert_cmpfloat(log(r.hi / r.ratio), >,
			  1.96 * sqrt(1 / 12. + 1 / 33.));
	b.events = none;
	ab_stats_negative_binomial(&a, &b, 0.95, &r);
	g_assert_nonnull(r.reason);
	b.n = 0;
	ab_stats_negative_binomial(&a, &b, 0.95, &r);
	g_assert_nonnull(r.reason);
}

/* ---- other ---- */

static void test_gmean(void)
{
	static const double x[] = { 1, 10, 100 };
	static const double hazards[] = { 1, 0, -2, NAN, INFINITY, 0 };
	struct ab_gmean g;

	ab_stats_gmean(x, 3, &g);
	assert_near(g.value, 10, 1e-13);
	g_assert_null(g.reason);
	ab_stats_gmean(hazards, 6, &g);
	g_assert_true(isnan(g.value));
	g_assert_cmpstr(g.reason, ==, "a value is not finite");
	g_assert_cmpuint(g.zero, ==, 2);
	g_assert_cmpuint(g.negative, ==, 1);
	g_assert_cmpuint(g.not_finite, ==, 2);
	g_assert_cmpuint(g.n, ==, 1);
	ab_stats_gmean(hazards, 2, &g);
	g_assert_cmpstr(g.reason, ==, "a value is 0");
	ab_stats_gmean(x, 0, &g);
	g_assert_cmpstr(g.reason, ==, "no value");
}

static void test_autocorrelation(void)
{
	static const double x[] = { 1, 3, 2, 10, NAN, 14 };
	static const int groups[] = { 0, 0, 0, 1, 1, 1 };
	static const double flat[] = { 5, 5, 5 };
	double trend[40];
	int one[40] = { 0 };
	struct ab_autocorrelation r;

	/* -1 1 0 and -2 2: products -1 0 -4, squares 2 + 8 */
	gsl_rng_set(rng, 1);
	ab_stats_autocorrelation(x, groups, 6, 99, rng, &r);
	assert_near(r.r, -0.5, 1e-15);
	assert_near(r.expected, -(2 / 3.0 + 8 / 2.0) / 10, 1e-15);
	g_assert_cmpuint(r.n, ==, 5);
	g_assert_cmpfloat(r.p, >, 0.5);
	for (int i = 0; i < 40; i++)
		trend[i] = i;
	ab_stats_autocorrelation(trend, one, 40, 999, rng, &r);
	assert_near(r.p, 0.001, 1e-15);
	g_assert_cmpfloat(r.r, >, 0.8);
	ab_stats_autocorrelation(flat, one, 3, 99, rng, &r);
	g_assert_true(isnan(r.r) && isnan(r.p));
	ab_stats_autocorrelation(flat, one, 0, 99, rng, &r);
	g_assert_true(isnan(r.r));
	g_assert_cmpuint(r.n, ==, 0);
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	g_test_add_func("/methods/mann-whitney", test_mann_whitney);
	g_test_add_func("/methods/mann-whitney-odd", test_mann_whitney_odd);
	g_test_add_func("/methods/signed-rank", test_signed_rank);
	g_test_add_func("/methods/shift", test_shift);
	g_test_add_func("/methods/paired-shift", test_paired_shift);
	g_test_add_func("/methods/shift-of-many", test_shift_of_many);
	g_test_add_func("/methods/cliff", test_cliff);
	g_test_add_func("/methods/bca", test_bca);
	g_test_add_func("/methods/percentile", test_percentile);
	g_test_add_func("/methods/multiple", test_multiple);
	g_test_add_func("/methods/tost", test_tost);
	g_test_add_func("/methods/rate-interval", test_rate_interval);
	g_test_add_func("/methods/rate-ratio-exact", test_rate_ratio_exact);
	g_test_add_func("/methods/rate-ratio", test_rate_ratio);
	g_test_add_func("/methods/dispersion", test_dispersion);
	g_test_add_func("/methods/negative-binomial", test_negative_binomial);
	g_test_add_func("/methods/gmean", test_gmean);
	g_test_add_func("/methods/autocorrelation", test_autocorrelation);
	status = g_test_run();
	gsl_rng_free(rng);
	return status;
}
