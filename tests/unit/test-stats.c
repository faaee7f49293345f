// SPDX-License-Identifier: GPL-3.0-or-later
/* Statistics against published and hand-computed values, and odd inputs. */
#include "../../harness/stats/interval.h"
#include "stats_data.h"

#include <math.h>
#include <string.h>

static void test_quantile(void)
{
	static const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

	/* R: quantile(1:10, c(.25, .9, .99)), type 7 is its default */
	assert_near(ab_stats_quantile(x, 10, 0.25), 3.25, 1e-12);
	assert_near(ab_stats_quantile(x, 10, 0.9), 9.1, 1e-12);
	assert_near(ab_stats_quantile(x, 10, 0.99), 9.91, 1e-12);
	g_assert_cmpfloat(ab_stats_quantile(x, 10, 0), ==, 1);
	g_assert_cmpfloat(ab_stats_quantile(x, 10, 1), ==, 10);
	g_assert_cmpfloat(ab_stats_quantile(x, 1, 0.9), ==, 1);
	g_assert_true(isnan(ab_stats_quantile(x, 0, 0.5)));
	g_assert_true(isnan(ab_stats_quantile(x, 10, NAN)));
}

/* Student's sleep data; R: t.test(paired = TRUE). */
static void test_paired_t(void)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1,
				    3.4, 3.7,  0.8,  0.0,  2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1,
				    4.4, 5.5, 1.6, 4.6, 3.4 };
	struct ab_comparison r = compare_pairs(&run_mean, a, b, 10);

	g_assert_cmpint(r.method, ==, AB_METHOD_PAIRED_T);
	assert_near(r.diff, 1.58, 1e-12);
	assert_near(r.diff_lo, 0.7001142, 1e-7);
	assert_near(r.diff_hi, 2.4598858, 1e-7);
	g_assert_cmpint(r.verdict, ==, AB_DIFFERENT);
	/* No difference is negative, one is 0: 4 of 1,024. */
	assert_near(r.p, 4 / 1024.0, 1e-12);
	g_assert_true(r.p_exact);
	/* The baseline's own interval is 0.75 +- 1.28. */
	g_assert_true(isnan(r.pct));
	g_assert_cmpstr(r.pct_reason, ==, "the baseline's interval includes 0");
	g_assert_cmpint(r.a.boots, ==, 10);
	g_assert_cmpint(r.blocks, ==, 10);
}

static void test_percent(void)
{
	static const double a[] = { 100, 110, 90, 100 };
	static const double b[] = { 80, 92, 70, 78 };
	struct ab_comparison r = compare_pairs(&run_mean, a, b, 4);
	double t = 3.182446305284263; /* qt(.975, 3) */
	/* Sums of squares 200 and 248, of products 220, over 3 and 4. */
	double p = 10000 - t * t * 200 / 12, half = 8000 - t * t * 220 / 12;
	double root = sqrt(half * half - p * (6400 - t * t * 248 / 12));

	assert_near(r.pct, -20, 1e-9);
	assert_near(r.pct_lo, 100 * ((half - root) / p - 1), 1e-9);
	assert_near(r.pct_hi, 100 * ((half + root) / p - 1), 1e-9);
	/* It ends where the test of such a change begins to reject. */
	assert_near(change_tail(&r.moments, r.pct_lo, true), 0.025, 1e-9);
	assert_near(change_tail(&r.moments, r.pct_hi, false), 0.025, 1e-9);
	assert_near(r.p_change, 2 * change_tail(&r.moments, 0, false), 1e-12);
}

/*
 * A baseline of 4 +- 5.5: no change is too large for the test.  R:
 * t.test(b - 1.03594381378 * a) has a p of 0.05.
 */
static void test_no_upper_end(void)
{
	static const double a[] = { 1, 1, 7, 7 }, minus[] = { -1, 1, 7, 7 };
	static const double b[] = { 9, 11, 10, 10 }, small[] = { 0, 1, 3, 1 };
	struct ab_comparison r = compare_pairs(&run_mean, a, b, 4);

	assert_near(r.pct, 150, 1e-9);
	assert_near(r.pct_lo, 3.594381378, 1e-8);
	g_assert_true(isinf(r.pct_hi));
	assert_near(r.p_change, 0.0433560269, 1e-9);
	g_assert_cmpint(r.verdict, ==, AB_DIFFERENT);
	g_assert_cmpfloat(r.diff_lo, >, 0);
	/* Not different from 0 either: it may be all of it. */
	r = compare_pairs(&run_mean, a, small, 4);
	g_assert_cmpfloat(r.pct_lo, ==, -100);
	g_assert_true(isinf(r.pct_hi));
	/* What can be negative has no end at all. */
	r = compare_pairs(&run_mean, minus, b, 4);
	g_assert_true(isnan(r.pct) && isnan(r.pct_lo) && isnan(r.pct_hi));
	g_assert_cmpstr(r.pct_reason, ==, "the baseline's interval includes 0");
}

static void test_fieller(void)
{
	double lo, hi;

	/* (120 -+ sqrt(120^2 - 96 * 140)) / 96 */
	g_assert_true(ab_stats_fieller(10, 12, 1, 1, 0, 2, &lo, &hi));
	assert_near(lo, (120 - sqrt(960)) / 96, 1e-12);
	assert_near(hi, (120 + sqrt(960)) / 96, 1e-12);
	g_assert_false(ab_stats_fieller(1, 12, 1, 1, 0, 2, &lo, &hi));
	g_assert_true(ab_stats_fieller(10, 12, 0, 0, 0, 2, &lo, &hi));
	g_assert_cmpfloat(lo, ==, hi);
}

static void test_sign_flip(void)
{
	static const double d[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
				    1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const double mixed[] = { 3, -1, 2 };

	for (size_t n = 1; n <= 12; n++)
		assert_near(ab_stats_sign_flip(d, n, 1, rng), 2 / pow(2, n),
			    1e-15);
	/* |sums| of the 8: 4 6 0 2 2 0 6 4, observed 4 */
	assert_near(ab_stats_sign_flip(mixed, 3, 1, rng), 0.5, 1e-15);
	assert_near(ab_stats_sign_flip(d, 20, 999, rng), 0.001, 1e-15);
	g_assert_true(isnan(ab_stats_sign_flip(d, 0, 1, rng)));
}

/* The table of the 2026 mail again, from its own rates and run counts. */
static void test_published(void)
{
	assert_near(ab_stats_poisson_test(50, 245, 42, 245), 0.47, 0.005);
	assert_near(ab_stats_poisson_test(266, 245, 263, 245), 0.93, 0.005);
	assert_near(ab_stats_poisson_test(108, 196, 130, 245), 0.79, 0.005);
	g_assert_cmpfloat(ab_stats_poisson_test(112, 245, 2, 245), <, 1e-4);
	g_assert_cmpfloat(ab_stats_poisson_test(37, 196, 0, 245), <, 1e-4);
	assert_near(ab_stats_poisson_runs(0.204, 0.171), 2703, 0.5);
	assert_near(ab_stats_poisson_runs(1.086, 1.074), 117733, 0.5);
	assert_near(ab_stats_poisson_runs(0.551, 0.531), 21231, 2);
	assert_near(ab_stats_poisson_runs(0.457, 0.008), 18.0, 0.2);
	assert_near(ab_stats_poisson_runs(0.189, 0), 42, 0.5);
	assert_near(ab_stats_zero_bound(245, 0.95), 0.0122, 0.00005);
	/* Two-sided: 3.689 / 245 */
	assert_near(ab_stats_zero_bound(245, 0.975), 0.0151, 0.00005);
}

static void test_poisson_odd(void)
{
	assert_near(ab_stats_poisson_test(0, 1, 0, 1), 1, 1e-12);
	/* binom.test(2, 10): 112 / 1024 */
	assert_near(ab_stats_poisson_test(2, 1, 8, 1), 112 / 1024.0, 1e-12);
	assert_near(ab_stats_poisson_test(8, 1, 2, 1), 112 / 1024.0, 1e-12);
	assert_near(ab_stats_poisson_test(5, 1, 5, 1), 1, 1e-12);
	g_assert_true(isnan(ab_stats_poisson_test(-1, 1, 2, 1)));
	g_assert_true(isnan(ab_stats_poisson_test(1, 0, 2, 1)));
	g_assert_true(isnan(ab_stats_poisson_test(NAN, 1, 2, 1)));
	g_assert_true(isnan(ab_stats_poisson_runs(1, 1)));
	g_assert_true(isnan(ab_stats_zero_bound(0, 0.95)));
}

/* R: power.t.test(delta =, sd = 1, power = .8, type = "paired") */
static void test_power(void)
{
	/* 9.937795, 33.36713, 3.8 or less */
	g_assert_cmpfloat(ab_stats_pairs_needed(1, 1, 0.95, 0.8), ==, 10);
	g_assert_cmpfloat(ab_stats_pairs_needed(-0.5, 1, 0.95, 0.8), ==, 34);
	g_assert_cmpfloat(ab_stats_pairs_needed(1, 0, 0.95, 0.8), ==, 2);
	/* (1.959964 + 0.841621)^2 / 0.001^2 and a little */
	assert_near(ab_stats_pairs_needed(0.001, 1, 0.95, 0.8), 7848880, 10);
	g_assert_true(isnan(ab_stats_pairs_needed(0, 1, 0.95, 0.8)));
	g_assert_true(isnan(ab_stats_pairs_needed(1, NAN, 0.95, 0.8)));
	g_assert_true(isnan(ab_stats_pairs_needed(NAN, 1, 0.95, 0.8)));
	g_assert_true(isnan(ab_stats_pairs_needed(1e-9, 1e9, 0.95, 0.8)));
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Weighted ranks against repeating each sample as often as it weighs. */
static void check_pool(size_t clusters, size_t per_cluster, double q_lo,
		       double q_hi)
{
	struct pool *pool = pool_new();
	g_autoptr(GArray) copies = g_array_new(FALSE, FALSE, sizeof(double));
	unsigned int weights[8];
	double x[8][200];

	for (size_t c = 0; c < clusters; c++) {
		weights[c] = (unsigned int)gsl_rng_uniform_int(rng, 4);
		for (size_t i = 0; i < per_cluster; i++) {
			/* Ties, not sorted, and clusters that differ. */
			x[c][i] =
				(double)(gsl_rng_uniform_int(rng, 50) + 5 * c);
			for (unsigned int k = 0; k < weights[c]; k++)
				g_array_append_val(copies, x[c][i]);
		}
		pool_add(pool, x[c], per_cluster, c);
	}
	pool_sort(pool, clusters, q_lo, q_hi);
	g_array_sort(copies, compare_doubles);
	g_assert_cmpuint(pool_size(pool, weights), ==, copies->len);
	for (int i = 0; i <= 16; i++) {
		double q = q_lo + (q_hi - q_lo) * i / 16;
		double expected = ab_stats_quantile(
			(const double *)(void *)copies->data, copies->len, q);
		double got = pool_quantile(pool, weights, q);

		if (copies->len == 0)
			g_assert_true(isnan(got));
		else
			assert_near(got, expected, 1e-9);
	}
	pool_free(pool);
}

static void test_pool(void)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 31, 32, 63, 64, 65, 200 };
	static const double ranges[][2] = {
		{ 0, 1 },     { 0, 0 },	      { 0.1, 0.1 },   { 0.3, 0.5 },
		{ 0.9, 0.9 }, { 0.95, 0.95 }, { 0.99, 0.99 }, { 1, 1 },
	};

	gsl_rng_set(rng, 1);
	for (size_t clusters = 1; clusters <= 8; clusters++)
		for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
			for (size_t k = 0; k < G_N_ELEMENTS(ranges); k++)
				check_pool(clusters, sizes[i], ranges[k][0],
					   ranges[k][1]);
}

static void test_estimates(void)
{
	static const double one[] = { 1, 2, 3, 4 }, two[] = { 5, 5, 9 };
	static const double three[] = { 5 };
	/* Boot 0 has two runs, boot 1 has one, boot 2 saw nothing. */
	const struct ab_obs obs[] = {
		{ .session = 0,
		  .value = 2,
		  .per = 10,
		  .samples = one,
		  .n_samples = 4 },
		{ .session = 0,
		  .value = 4,
		  .per = 20,
		  .samples = two,
		  .n_samples = 3 },
		{ .block = 1,
		  .session = 1,
		  .value = 9,
		  .per = 70,
		  .samples = three,
		  .n_samples = 1 },
		{ .block = 2, .session = 2, .value = NAN, .per = NAN },
	};
	static const struct {
		const struct ab_metric *metric;
		double value;
		int runs, boots;
		double total, variance; /* the latter between runs */
	} cases[] = {
		/* 2 4 9 */
		{ &run_mean, (3 + 9) / 2.0, 3, 2, NAN, 13 },
		{ &events, 15 / 3.0, 3, 2, 15, 13 },
		/* 15/6 38/6 30/6 */
		{ &mean, (29 / 7.0 + 5) / 2, 3, 2, NAN, 409 / 108.0 },
		/* 4 9 5 */
		{ &maximum, 9, 3, 2, NAN, 7 },
		/* 0 3 1 0 */
		{ &ge5, 4 / 4.0, 4, 3, 4, 2 },
		/* 20 20 90/7 */
		{ &ratio, 100 * 15 / 100.0, 3, 2, 15, 2500 / 147.0 },
		/* 1 2 3 4 5 5 5 9: rank 6.3; runs: 3.7 8.2 5 */
		{ &p90, 5 + 0.3 * 4, 3, 2, NAN, 1609 / 300.0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct ab_estimate e;

		ab_stats_estimate(cases[i].metric, obs, 4, 0, 0.95, &e);
		assert_near(e.value, cases[i].value, 1e-9);
		assert_near(e.sd * e.sd, cases[i].variance, 1e-9);
		g_assert_cmpint(e.runs, ==, cases[i].runs);
		g_assert_cmpint(e.boots, ==, cases[i].boots);
		if (isnan(cases[i].total))
			g_assert_true(isnan(e.total));
		else
			g_assert_cmpfloat(e.total, ==, cases[i].total);
		ab_stats_estimate(cases[i].metric, obs, 4, 7, 0.95, &e);
		g_assert_true(isnan(e.value));
		g_assert_true(isnan(e.sd));
		g_assert_cmpint(e.runs + e.boots, ==, 0);
	}
}

/* One boot per variant; R: t.test(b, a), Welch. */
static void test_run_t(void)
{
	static const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0 };
	static const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5 };
	struct ab_obs obs[11];
	struct ab_comparison r;
	double var = 16.972 / 5 + 4.468 / 6;
	double df =
		var * var / (pow(16.972 / 5, 2) / 4 + pow(4.468 / 6, 2) / 5);

	for (int i = 0; i < 5; i++)
		obs[i] = (struct ab_obs){ .value = a[i] };
	for (int i = 0; i < 6; i++)
		obs[5 + i] = (struct ab_obs){ .variant = 1,
					      .session = 1,
					      .value = b[i] };
	r = compare(&run_mean, obs, 11);
	g_assert_cmpint(r.method, ==, AB_METHOD_RUN_T);
	assert_near(r.diff, 23.3666667 - 21.62, 1e-6);
	/* df 5.69: the t quantile is between those of 5 and 6. */
	g_assert_cmpfloat(df, >, 5);
	g_assert_cmpfloat(df, <, 6);
	g_assert_cmpfloat(r.diff_hi - r.diff, <, 2.5706 * sqrt(var));
	g_assert_cmpfloat(r.diff_hi - r.diff, >, 2.4469 * sqrt(var));
	g_assert_true(isnan(r.p));
	g_assert_true(isnan(r.boots_needed));
	/* One run each leaves nothing to compare with. */
	r = compare(&run_mean, obs + 4, 2);
	g_assert_cmpint(r.method, ==, AB_METHOD_NONE);
	g_assert_cmpstr(r.reason, ==, "one run per variant");
	assert_near(r.diff, 27.1 - 17, 1e-12);
}

static void test_incomplete_blocks(void)
{
	static const double a[] = { 10, 11, 12, 13, 1000 };
	static const double b[] = { 11, 13, 13, 15, 0 };
	struct ab_obs obs[10];
	struct ab_comparison r;

	pair_up(a, b, 5, obs);
	/* The last block has no B: the rest is compared, the boot counted. */
	r = compare(&run_mean, obs, 9);
	assert_near(r.a.value, 11.5, 1e-12);
	assert_near(r.diff, 1.5, 1e-12);
	g_assert_cmpint(r.blocks, ==, 4);
	g_assert_cmpint(r.a_left, ==, 1);
	g_assert_cmpint(r.b_left, ==, 0);
	/* The same number on another device is another block. */
	obs[9].device = 1;
	r = compare(&run_mean, obs, 10);
	g_assert_cmpint(r.blocks, ==, 4);
	g_assert_cmpint(r.a_left + r.b_left, ==, 2);
	/* No pair at all. */
	r = compare(&run_mean, obs + 8, 2);
	g_assert_cmpint(r.method, ==, AB_METHOD_NONE);
	g_assert_cmpstr(r.reason, ==, "no block holds both variants");
	/* Nothing measured. */
	r = compare(&run_mean, NULL, 0);
	g_assert_true(isnan(r.diff));
	g_assert_cmpint(r.verdict, ==, AB_NOT_ENOUGH_DATA);
}

#define N_RANDOM 128

/* 8 blocks, 4 runs a boot, 16 samples a run, whole numbers. */
static size_t random_data(struct ab_obs *obs, double *samples)
{
	for (int i = 0; i < N_RANDOM; i++) {
		double *x = samples + (size_t)16 * i;

		for (int k = 0; k < 16; k++)
			x[k] = 1 + (double)gsl_rng_uniform_int(rng, 9);
		qsort(x, 16, sizeof(*x), compare_doubles);
		obs[i] = (struct ab_obs){
			.variant = i / 4 % 2,
			.block = i / 8,
			.session = i / 4,
			.value = (double)gsl_rng_uniform_int(rng, 20),
			.per = 20 + (double)gsl_rng_uniform_int(rng, 20),
			.samples = x,
			.n_samples = 16,
		};
	}
	return N_RANDOM;
}

static void assert_same(const struct ab_comparison *x,
			const struct ab_comparison *y)
{
	assert_near(x->diff, y->diff, 1e-9);
	if (x->method == AB_METHOD_NONE)
		return;
	assert_near(x->diff_lo, y->diff_lo, 1e-9);
	assert_near(x->pct_hi, y->pct_hi, 1e-9);
	g_assert_cmpfloat(x->p, ==, y->p);
}

/* The order of the observations and other variants do not matter. */
static void test_any_order(void)
{
	struct ab_obs obs[N_RANDOM + 8], mixed[N_RANDOM + 8];
	double samples[16 * N_RANDOM];
	size_t n;

	gsl_rng_set(rng, 3);
	n = random_data(obs, samples);
	for (size_t m = 0; m < G_N_ELEMENTS(all_metrics); m++) {
		struct ab_comparison x = compare(all_metrics[m], obs, n), y;

		for (size_t i = 0; i < n; i++)
			mixed[(i * 37) % n] = obs[i];
		for (size_t i = 0; i < 8; i++) {
			mixed[n + i] = obs[i];
			mixed[n + i].variant = 2;
		}
		y = compare(all_metrics[m], mixed, n + 8);
		assert_same(&x, &y);
	}
}

static void test_quantile_interval(void)
{
	struct ab_obs obs[N_RANDOM];
	double samples[16 * N_RANDOM];
	struct ab_comparison r;
	size_t n;

	gsl_rng_set(rng, 5);
	n = random_data(obs, samples);
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < 16 && obs[i].variant; k++)
			samples[16 * i + (size_t)k] *= 10;
	r = compare(&p90, obs, n);
	g_assert_cmpint(r.method, ==, AB_METHOD_BLOCK_BOOTSTRAP);
	g_assert_cmpint(r.verdict, ==, AB_DIFFERENT);
	g_assert_cmpfloat(r.p, <, 0.001);
	g_assert_cmpfloat(r.p, >=, 2 / pow(2, 16));
	g_assert_cmpfloat(r.pct_lo, <, r.pct);
	g_assert_cmpfloat(r.pct, <, r.pct_hi);
	g_assert_cmpuint(r.a.samples, ==, 1024);
	/* 6 runs of 16: 9.6 samples lie beyond P90. */
	r = compare(&p90, obs + 2, 4);
	g_assert_cmpint(r.method, ==, AB_METHOD_NONE);
	g_assert_nonnull(r.reason);
}

static double odd_number(void)
{
	static const double odd[] = { 0,   0, 1,	1,	   -1,
				      NAN, 5, INFINITY, -INFINITY, 1e300 };

	return odd[gsl_rng_uniform_int(rng, G_N_ELEMENTS(odd))];
}

static size_t odd_data(struct ab_obs *obs, double *samples, size_t most)
{
	size_t n = gsl_rng_uniform_int(rng, most + 1);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 16; k++)
			samples[16 * i + k] = odd_number();
		obs[i] = (struct ab_obs){
			.variant = (int)gsl_rng_uniform_int(rng, 2),
			.device = (int)gsl_rng_uniform_int(rng, 2),
			.block = (int)gsl_rng_uniform_int(rng, 3),
			.session = (int)gsl_rng_uniform_int(rng, 6),
			.value = odd_number(),
			.per = odd_number(),
			.samples = samples + 16 * i,
			.n_samples = gsl_rng_uniform_int(rng, 17),
		};
	}
	return n;
}

/* Whatever goes in: a verdict needs an interval, an interval is in order. */
static void test_odd_inputs(void)
{
	struct ab_obs obs[N_RANDOM];
	double samples[16 * N_RANDOM];

	options.resamples = 10;
	options.margin_pct = 5;
	for (unsigned long seed = 1; seed < 500; seed++) {
		size_t n;

		gsl_rng_set(rng, seed);
		n = odd_data(obs, samples, seed % N_RANDOM);
		for (size_t m = 0; m < G_N_ELEMENTS(all_metrics); m++) {
			struct ab_comparison r =
				compare(all_metrics[m], obs, n);

			g_assert_false(r.diff_lo > r.diff_hi);
			g_assert_false(r.pct_lo > r.pct_hi);
			if (isnan(r.diff_lo))
				g_assert_cmpint(r.verdict, ==,
						AB_NOT_ENOUGH_DATA);
			if (r.method == AB_METHOD_NONE)
				g_assert_nonnull(r.reason);
			g_assert_false(r.p_change < 0 || r.p_change > 1);
			g_assert_true(isnan(r.p_equal) || r.margin_pct == 5);
			g_assert_false(r.p < 0 || r.p > 1);
		}
	}
	options.resamples = 500;
	options.margin_pct = NAN;
}

static void test_words(void)
{
	g_assert_cmpstr(ab_verdict_word(AB_NOT_ENOUGH_DATA), ==,
			"not enough data");
	g_assert_cmpstr(ab_verdict_word(AB_EQUIVALENT), ==, "equivalent");
	g_assert_cmpstr(ab_method_name(AB_METHOD_ZERO_BOUND), ==, "zero-bound");
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	g_test_add_func("/stats/quantile", test_quantile);
	g_test_add_func("/stats/paired-t", test_paired_t);
	g_test_add_func("/stats/percent", test_percent);
	g_test_add_func("/stats/no-upper-end", test_no_upper_end);
	g_test_add_func("/stats/fieller", test_fieller);
	g_test_add_func("/stats/sign-flip", test_sign_flip);
	g_test_add_func("/stats/published", test_published);
	g_test_add_func("/stats/poisson-odd", test_poisson_odd);
	g_test_add_func("/stats/power", test_power);
	g_test_add_func("/stats/pool", test_pool);
	g_test_add_func("/stats/estimates", test_estimates);
	g_test_add_func("/stats/run-t", test_run_t);
	g_test_add_func("/stats/incomplete-blocks", test_incomplete_blocks);
	g_test_add_func("/stats/any-order", test_any_order);
	g_test_add_func("/stats/quantile-interval", test_quantile_interval);
	g_test_add_func("/stats/odd-inputs", test_odd_inputs);
	g_test_add_func("/stats/words", test_words);
	status = g_test_run();
	gsl_rng_free(rng);
	return status;
}
