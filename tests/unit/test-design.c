// SPDX-License-Identifier: GPL-3.0-or-later
/* Variance components, power, boundaries: published and hand-computed. */
#include <abrig/stats_design.h>
#include <abrig/stats_sequential.h>

#include <gsl/gsl_sort.h>
#include <math.h>

static const struct ab_metric run_mean = { .id = "test.run_mean",
					   .unit = "mW",
					   .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric counts = { .id = "test.counts",
					 .unit = "",
					 .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric mean = { .id = "test.mean",
				       .unit = "us",
				       .stat = AB_STAT_MEAN };
static const struct ab_metric median = {
	.id = "test.median", .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.5
};
static const struct ab_metric maximum = { .id = "test.max",
					  .unit = "us",
					  .stat = AB_STAT_MAX };
static const struct ab_metric ratio = {
	.id = "test.ratio", .unit = "%", .stat = AB_STAT_RATIO, .arg = 1
};

#define assert_near(x, y, tolerance) \
	g_assert_cmpfloat_with_epsilon(x, y, tolerance)

/* ---- components ---- */

/* One run of block @block, session 2 * block + variant. */
static struct ab_obs run_of(int block, int variant, double value)
{
	return (struct ab_obs){ .variant = variant,
				.block = block,
				.session = 2 * block + variant,
				.value = value,
				.per = 1 };
}

/* Two blocks, two runs a boot. */
static size_t balanced(struct ab_obs *obs)
{
	static const double values[2][2][2] = { { { 10, 12 }, { 20, 22 } },
						{ { 14, 16 }, { 18, 20 } } };
	size_t n = 0;

	for (int block = 0; block < 2; block++)
		for (int variant = 0; variant < 2; variant++)
			for (int run = 0; run < 2; run++)
				obs[n++] = run_of(block, variant,
						  values[block][variant][run]);
	return n;
}

/*
 * Boot means 11, 21, 15, 19.  Runs: 4 x (1 + 1) = 8 on 4 df, so s2_run 2.
 * Variant x block: interaction (11 - 21 - 15 + 19)^2 / 4 = 9, times 2 runs 18
 * on 1 df: (18 - 2) / 2 = 8.  Blocks: means 16, 17: 4 x (0.25 + 0.25) = 2 on
 * 1 df, of which s2_run + 2 s2_boot + 4 s2_block: (2 - 18) / 4 = -4.
 */
static void test_balanced(void)
{
	struct ab_obs obs[8];
	struct ab_components c;

	ab_stats_components(&run_mean, obs, balanced(obs), 1, &c);
	g_assert_null(c.reason);
	assert_near(c.run, 2, 1e-12);
	assert_near(c.boot, 8, 1e-12);
	assert_near(c.block, -4, 1e-12);
	assert_near(c.icc, 0.8, 1e-12);
	assert_near(c.mean, 13, 1e-12);
	assert_near(c.runs_per_boot, 2, 1e-12);
	assert_near(c.design_effect, 1.8, 1e-12);
	assert_near(c.effective[1], 4 / 1.8, 1e-12);
	g_assert_false(c.truncated);
	g_assert_cmpint(c.blocks, ==, 2);
	g_assert_cmpint(c.boots[1], ==, 2);
}

/* The same runs seen twice: two campaigns, each with an effect of its own. */
static void test_two_campaigns(void)
{
	struct ab_squares squares = { 0 };
	struct ab_components c;
	struct ab_obs obs[8];
	size_t n = balanced(obs);

	ab_stats_squares_add(&squares, &run_mean, obs, n, 1);
	for (size_t i = 0; i < n; i++)
		obs[i].value += obs[i].variant ? 1000 : 0;
	ab_stats_squares_add(&squares, &run_mean, obs, n, 1);
	ab_stats_components_of(&squares, &c);
	assert_near(c.run, 2, 1e-9);
	assert_near(c.boot, 8, 1e-9);
	assert_near(c.block, -4, 1e-9);
	g_assert_cmpint(c.blocks, ==, 4);
}

/*
 * Unequal: the means over many draws are the true variances.  A fixed
 * congruential sequence is enough: sums of 12 uniforms.
 */
static double gaussian(guint32 *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*state = *state * 1664525U + 1013904223U;
		sum += *state / 4294967296.0;
	}
	return sum;
}

static size_t unequal(struct ab_obs *obs, guint32 *state)
{
	static const int runs[4][2] = {
		{ 1, 4 }, { 3, 2 }, { 5, 1 }, { 2, 2 }
	};
	size_t n = 0;

	for (int block = 0; block < 4; block++) {
		double in_block = 3 * gaussian(state);

		for (int variant = 0; variant < 2; variant++) {
			double in_boot =
				in_block + 2 * gaussian(state) + 7 * variant;

			for (int i = 0; i < runs[block][variant]; i++)
				obs[n++] = run_of(block, variant,
						  in_boot + gaussian(state));
		}
	}
	return n;
}

static void test_unbiased(void)
{
	double run = 0, boot = 0, block = 0;
	guint32 state = 1;
	int draws = 20000;

	for (int i = 0; i < draws; i++) {
		struct ab_obs obs[20];
		struct ab_components c;

		ab_stats_components(&run_mean, obs, unequal(obs, &state), 1,
				    &c);
		run += c.run / draws;
		boot += c.boot / draws;
		block += c.block / draws;
	}
	assert_near(run, 1, 0.02);
	assert_near(boot, 4, 0.1);
	assert_near(block, 9, 0.3);
}

/* A boot that was lost and repeated is two boots of one block and variant. */
static void test_repeated_boot(void)
{
	struct ab_obs obs[9];
	size_t n = balanced(obs);
	struct ab_components c;

	obs[n] = run_of(1, 1, 19);
	obs[n++].session = 9;
	ab_stats_components(&run_mean, obs, n, 1, &c);
	g_assert_cmpint(c.boots[1], ==, 3);
	assert_near(c.run, 2, 1e-12);
}

static void test_unknown(void)
{
	struct ab_obs obs[8];
	struct ab_components c;
	size_t n = balanced(obs);

	ab_stats_components(&run_mean, obs, 4, 1, &c); /* one block */
	g_assert_nonnull(c.reason);
	g_assert_true(isnan(c.boot) && isnan(c.icc));
	assert_near(c.run, 2, 1e-12);
	ab_stats_components(&run_mean, obs, 0, 1, &c);
	g_assert_true(isnan(c.run) && isnan(c.mean));
	ab_stats_components(&run_mean, obs, n, 2, &c); /* no such variant */
	g_assert_cmpstr(c.reason, ==, "no block holds both variants");
	for (size_t i = 0; i < n / 2; i++) /* one run a boot */
		obs[i] = obs[2 * i];
	ab_stats_components(&run_mean, obs, n / 2, 1, &c);
	g_assert_nonnull(c.reason);
	g_assert_true(isnan(c.run) && isnan(c.icc));
	/* (10 - 20 - 14 + 18)^2 / 4 */
	assert_near(c.boot, 9, 1e-12);
}

static void test_odd(void)
{
	struct ab_obs obs[8];
	struct ab_components c;
	size_t n = balanced(obs);

	for (size_t i = 0; i < n; i++)
		obs[i].value = 5;
	ab_stats_components(&run_mean, obs, n, 1, &c);
	g_assert_cmpfloat(c.run, ==, 0);
	g_assert_cmpfloat(c.boot, ==, 0);
	g_assert_cmpfloat(c.icc, ==, 0);
	for (size_t i = 0; i < n; i++)
		obs[i].value = i % 2 ? 1e308 : -1e308;
	ab_stats_components(&run_mean, obs, n, 1, &c);
	n = balanced(obs);
	obs[0].value = NAN; /* left out */
	ab_stats_components(&run_mean, obs, n, 1, &c);
	g_assert_cmpint(c.runs[0], ==, 3);
	assert_near(c.run, 2, 1e-12);
	ab_stats_components(&maximum, obs, n, 1, &c);
	g_assert_cmpint(c.blocks, ==, 0);
}

/* With equal parts below the line a ratio is the mean of what is above. */
static void test_ratio(void)
{
	struct ab_obs obs[8];
	struct ab_components c;
	size_t n = balanced(obs);

	for (size_t i = 0; i < n; i++)
		obs[i].per = 2;
	ab_stats_components(&ratio, obs, n, 1, &c);
	assert_near(c.run, 0.5, 1e-12);
	assert_near(c.boot, 2, 1e-12);
	assert_near(c.mean, 6.5, 1e-12);
}

#define SAMPLES 400

/*
 * Samples spread evenly over 100 about a run's own centre: their median moves
 * as their mean does, and so do its components.
 */
static void test_median(void)
{
	g_autofree double *samples = g_new(double, 8 * SAMPLES);
	struct ab_components of_median, of_mean;
	struct ab_obs obs[8];
	size_t n = balanced(obs);

	for (size_t i = 0; i < n; i++) {
		double *x = samples + i * SAMPLES;

		for (size_t k = 0; k < SAMPLES; k++)
			x[k] = obs[i].value +
			       ((double)k + 0.5) / SAMPLES * 100 - 50;
		obs[i].samples = x;
		obs[i].n_samples = SAMPLES;
	}
	ab_stats_components(&mean, obs, n, 1, &of_mean);
	ab_stats_components(&median, obs, n, 1, &of_median);
	assert_near(of_mean.boot, 8, 1e-9);
	assert_near(of_median.boot, 8, 0.2);
	assert_near(of_median.run, 2, 0.1);
	assert_near(of_median.mean, 13, 0.3);
	for (size_t i = 0; i < 8 * (size_t)SAMPLES; i++)
		samples[i] = 1;
	ab_stats_components(&median, obs, n, 1, &of_median);
	g_assert_nonnull(of_median.reason);
}

/* ---- power ---- */

/* R: power.t.test(n =, delta =, sd = 1, type = "paired")$power */
static void test_pairs_power(void)
{
	assert_near(ab_stats_pairs_power(10, 1, 0.95), 0.8030969, 1e-6);
	/* Without an effect: the half of 5 % on one side. */
	for (int n = 2; n < 100000; n *= 7)
		assert_near(ab_stats_pairs_power(n, 0, 0.95), 0.025, 1e-7);
	g_assert_cmpfloat(ab_stats_pairs_power(1, 1, 0.95), ==, 0);
	g_assert_cmpfloat(ab_stats_pairs_power(10, NAN, 0.95), ==, 0);
	assert_near(ab_stats_pairs_power(8, INFINITY, 0.95), 1, 1e-9);
	for (int n = 2; n < 10000; n *= 3)
		assert_near(ab_stats_pairs_power(
				    n, ab_stats_pairs_detectable(n, 0.95, 0.8),
				    0.95),
			    0.8, 1e-9);
	g_assert_true(isnan(ab_stats_pairs_detectable(1, 0.95, 0.8)));
}

static const struct ab_components pilot = {
	.mean = 100, .run = 9, .boot = 4, .block = 1
};

static void test_design(void)
{
	const struct ab_costs costs = { .boot_s = 400, .run_s = 25 };
	struct ab_design d = { 10, 3 };
	double sd = sqrt(2 * (4 + 9 / 3.0));

	assert_near(ab_stats_block_sd(&pilot, 3, 0), sd, 1e-12);
	assert_near(ab_stats_design_power(&pilot, d, sd, 0.95), 0.8030969,
		    1e-6);
	g_assert_cmpfloat(ab_stats_design_blocks(&pilot, 3, sd, 0.95, 0.8), ==,
			  10);
	/* 20 boots of 400 s + 3 x 25 s */
	assert_near(ab_stats_design_hours(d, &costs), 20 * 475 / 3600.0, 1e-12);
	/* sqrt(400 / 25 * 9 / 4) */
	assert_near(ab_stats_best_runs(&pilot, &costs), 6, 1e-12);
}

/* No other whole design is cheaper, or shows less. */
static void test_search(void)
{
	const struct ab_costs costs = { .boot_s = 400, .run_s = 25 };
	struct ab_design best, other;
	double hours, shown;

	g_assert_true(ab_stats_design_cheapest(&pilot, &costs, 3, 0.95, 0.8, 2,
					       &best));
	hours = ab_stats_design_hours(best, &costs);
	g_assert_cmpfloat(ab_stats_design_power(&pilot, best, 3, 0.95), >=,
			  0.8);
	for (other.runs = 1; other.runs < 30; other.runs++)
		for (other.blocks = 2; other.blocks < 40; other.blocks++)
			g_assert_true(
				ab_stats_design_hours(other, &costs) >= hours ||
				ab_stats_design_power(&pilot, other, 3, 0.95) <
					0.8);
	g_assert_true(ab_stats_design_within(&pilot, &costs, hours, 0.95, 0.8,
					     false, &other));
	shown = ab_stats_design_detectable(&pilot, other, 0.95, 0.8, false);
	g_assert_cmpfloat(shown, <=, 3);
	g_assert_cmpfloat(ab_stats_design_hours(other, &costs), <=,
			  hours + 1e-9);
	g_assert_false(ab_stats_design_within(&pilot, &costs, 0.3, 0.95, 0.8,
					      false, &other));
	g_assert_false(ab_stats_design_cheapest(&pilot, &costs, 0, 0.95, 0.8, 2,
						&other));
}

static void test_best_runs(void)
{
	const struct ab_costs costs = { .boot_s = 100, .run_s = 100 };
	struct ab_components c = { .run = 1, .boot = 4 };

	g_assert_cmpfloat(ab_stats_best_runs(&c, &costs), ==, 1);
	c.boot = -1; /* boots alike: as many as one likes */
	g_assert_true(isinf(ab_stats_best_runs(&c, &costs)));
	c.run = NAN;
	g_assert_cmpfloat(ab_stats_best_runs(&c, &costs), ==, 1);
	c.boot = NAN;
	g_assert_true(isnan(ab_stats_design_blocks(&c, 1, 1, 0.95, 0.8)));
	g_assert_cmpfloat(ab_stats_design_power(&c, (struct ab_design){ 9, 1 },
						1, 0.95),
			  ==, 0);
}

static void test_permutation(void)
{
	assert_near(ab_stats_permutation_floor(4), 0.125, 1e-15);
	assert_near(ab_stats_permutation_floor(6), 0.03125, 1e-15);
	g_assert_cmpfloat(ab_stats_permutation_floor(0), ==, 1);
	g_assert_cmpfloat(ab_stats_permutation_blocks(0.05), ==, 6);
	g_assert_cmpfloat(ab_stats_permutation_blocks(0.125), ==, 4);
	/* Five primary metrics under Holm: 2 / 2^8 <= 0.01 */
	g_assert_cmpfloat(ab_stats_permutation_blocks(0.05 / 5), ==, 8);
}

/* The public table's rows: rates, and what 245 runs could have shown. */
static void test_rates(void)
{
	assert_near(ab_stats_rates_needed(0.204, 0.171, 1, 0.95, 0.8), 2703,
		    0.5);
	assert_near(ab_stats_rates_needed(0.204, 0.171, 1.5, 0.95, 0.8),
		    1.5 * 2703, 1);
	assert_near(ab_stats_rates_power(0.204, 0.171, 1, 2703, 0.95), 0.8,
		    1e-4);
	assert_near(ab_stats_rates_detectable(0.204, 1, 245, 0.95, 0.8), 0.49,
		    0.005);
	assert_near(ab_stats_rates_detectable(1.086, 1, 245, 0.95, 0.8), 0.23,
		    0.005);
	assert_near(ab_stats_rates_detectable(0.457, 1, 245, 0.95, 0.8), 0.34,
		    0.005);
	g_assert_true(isnan(ab_stats_rates_needed(1, 1, 1, 0.95, 0.8)));
	g_assert_true(isnan(ab_stats_rates_needed(-1, 1, 1, 0.95, 0.8)));
	g_assert_true(isnan(ab_stats_rates_power(0, 0, 1, 10, 0.95)));
	g_assert_true(isnan(ab_stats_rates_detectable(0, 1, 245, 0.95, 0.8)));
}

/*
 * Boots of 2 runs.  Baseline 4 and 8 events, 6 wanted: 4/6 + 4/6; variant 3
 * and 3: 0.  On 2 degrees of freedom: 2/3.
 */
static void test_dispersion(void)
{
	static const double values[] = { 1, 3, 4, 4, 1, 2, 3, 0 };
	struct ab_obs obs[8];

	for (int i = 0; i < 8; i++)
		obs[i] = run_of(i / 2 % 2, i / 4, values[i]);
	assert_near(ab_stats_dispersion(&counts, obs, 8, 1), 2 / 3.0, 1e-12);
	g_assert_true(isnan(ab_stats_dispersion(&run_mean, obs, 8, 1)));
	g_assert_true(isnan(ab_stats_dispersion(&counts, obs, 0, 1)));
}

/* ---- sequential ---- */

static void check_bounds(enum ab_spending spending, size_t n,
			 const double *wanted)
{
	double t[8] = { 0 }, z[8];

	for (size_t i = 0; i < n; i++)
		t[i] = (double)(i + 1) / (double)n;
	g_assert_true(ab_stats_sequential_bounds(spending, 0.05, t, n, z));
	for (size_t i = 0; i < n; i++)
		assert_near(z[i], wanted[i], 0.00051);
}

/* Published boundaries for alpha = 0.05, two-sided. */
static void test_bounds(void)
{
	static const double obf5[] = { 4.877, 3.357, 2.680, 2.290, 2.031 };
	static const double pocock5[] = { 2.438, 2.427, 2.410, 2.397, 2.386 };
	static const double obf2[] = { 2.963, 1.969 };
	static const double one[] = { 1.960 };

	check_bounds(AB_SPEND_OBRIEN_FLEMING, 5, obf5);
	check_bounds(AB_SPEND_POCOCK, 5, pocock5);
	check_bounds(AB_SPEND_OBRIEN_FLEMING, 2, obf2);
	check_bounds(AB_SPEND_OBRIEN_FLEMING, 1, one);
	check_bounds(AB_SPEND_POCOCK, 1, one);
}

static void test_bounds_odd(void)
{
	static const double falling[] = { 0.5, 0.4 }, beyond[] = { 0.5, 1.1 };
	static const double zero[] = { 0 }, early[] = { 1e-3, 0.5, 1 };
	double z[3];

	g_assert_false(ab_stats_sequential_bounds(AB_SPEND_POCOCK, 0.05,
						  falling, 2, z));
	g_assert_false(ab_stats_sequential_bounds(AB_SPEND_POCOCK, 0.05, beyond,
						  2, z));
	g_assert_false(
		ab_stats_sequential_bounds(AB_SPEND_POCOCK, 0.05, zero, 1, z));
	g_assert_false(
		ab_stats_sequential_bounds(AB_SPEND_POCOCK, 1.5, early, 3, z));
	/* Nothing is spent so early: the rest is as with two looks. */
	g_assert_true(ab_stats_sequential_bounds(AB_SPEND_OBRIEN_FLEMING, 0.05,
						 early, 3, z));
	g_assert_cmpfloat(z[0], >, 30);
	assert_near(z[1], 2.963, 0.00051);
}

/* In the limit of looks |B(t)| crosses c with 4 Phi(-c): c = 2.2414. */
static void test_many_looks(void)
{
	g_autofree double *t = g_new(double, 200);
	g_autofree double *z = g_new(double, 200);

	for (size_t i = 0; i < 200; i++)
		t[i] = (double)(i + 1) / 200;
	g_assert_true(ab_stats_sequential_bounds(AB_SPEND_OBRIEN_FLEMING, 0.05,
						 t, 200, z));
	g_assert_cmpfloat(z[199], >, 2.17);
	g_assert_cmpfloat(z[199], <, 2.2414);
}

static void test_looks(void)
{
	const struct ab_looks looks = { AB_SPEND_OBRIEN_FLEMING, 6, 4, 16 };
	struct ab_look look;

	g_assert_cmpint(ab_stats_looks(&looks), ==, 4); /* 6 10 14 16 */
	g_assert_true(ab_stats_look(&looks, 0.05, 3, &look));
	g_assert_cmpint(look.blocks, ==, 14);
	g_assert_cmpint(look.of, ==, 4);
	assert_near(look.fraction, 14 / 16.0, 1e-15);
	g_assert_true(ab_stats_look(&looks, 0.05, 4, &look));
	g_assert_cmpint(look.blocks, ==, 16);
	assert_near(look.spent, 0.05, 1e-15);
	g_assert_cmpfloat(look.nominal, <, 0.05);
	g_assert_false(ab_stats_look(&looks, 0.05, 5, &look));
	g_assert_false(ab_stats_look(&looks, 0.05, 0, &look));
}

static void test_chance(void)
{
	const struct ab_looks looks = { AB_SPEND_OBRIEN_FLEMING, 10, 6, 16 };
	struct ab_comparison c = { .a.value = 100,
				   .diff = 0,
				   .diff_lo = -10,
				   .diff_hi = 10,
				   .level = 0.99,
				   .margin_pct = NAN,
				   .blocks = 10 };

	/* Nothing to be seen, and little time left. */
	g_assert_cmpfloat(ab_stats_chance(&looks, 0.05, 1, &c), <, AB_FUTILE);
	c.margin_pct = 20; /* but sure to be equivalent */
	g_assert_cmpfloat(ab_stats_chance(&looks, 0.05, 1, &c), >, 0.99);
	c.margin_pct = NAN;
	c.diff = 9;
	g_assert_cmpfloat(ab_stats_chance(&looks, 0.05, 1, &c), >, 0.9);
	c.diff_lo = NAN;
	g_assert_true(isnan(ab_stats_chance(&looks, 0.05, 1, &c)));
}

/* ---- noise that follows the mean ---- */

/* Blocks of 100, 200, 400, ...; noise in proportion to that @power. */
static size_t scaled(struct ab_obs *obs, int blocks, double power)
{
	static const double noise[2][3] = { { -1, 0.5, 0.7 }, { 0, 0.8, -1 } };
	size_t n = 0;

	for (int block = 0; block < blocks; block++)
		for (int variant = 0; variant < 2; variant++)
			for (int run = 0; run < 3; run++) {
				double base = 100 * exp2(block);
				double add = noise[(variant + block) % 2][run];

				obs[n++] =
					run_of(block, variant,
					       base + add * pow(base, power));
			}
	return n;
}

static double growth(const struct ab_metric *metric, double power)
{
	struct ab_components c;
	struct ab_obs obs[24];

	ab_stats_components(metric, obs, scaled(obs, 4, power), 1, &c);
	return c.growth;
}

static void test_growth(void)
{
	struct ab_obs obs[8];
	struct ab_components c;
	size_t n = balanced(obs);

	/* Noise in proportion, and constant, over a range of eight. */
	g_assert_cmpfloat(growth(&run_mean, 0.7), >, 1.9);
	g_assert_cmpfloat(growth(&run_mean, -0.5), <, 0.1);
	/* What logarithms say nothing of. */
	assert_near(growth(&ratio, 0.7), 1, 1e-12);
	/* Whole numbers without a unit are events. */
	ab_stats_components(&counts, obs, n, 1, &c);
	g_assert_cmpfloat(c.growth, ==, 1);
	/* What can be negative has no proportion. */
	for (size_t i = 0; i < n; i++)
		obs[i].value -= 15;
	ab_stats_components(&run_mean, obs, n, 1, &c);
	g_assert_cmpfloat(c.growth, ==, 0);
}

/*
 * Variance 3 of a variant at no change and noise in proportion: a fall by a
 * half leaves 3 (1 + 1 / 4), a rise by a half 3 (1 + 9 / 4); what blocks share
 * adds 16 / 4.  Seen in a pilot at twice the mean it was (1 + 4) / 2 as much.
 */
static void test_follows_mean(void)
{
	struct ab_components c = { .mean = 100,
				   .ratio = 1,
				   .growth = 2,
				   .boot = 1,
				   .run = 4,
				   .block = 16 };
	struct ab_design d = { 8, 2 };
	double fall, rise;

	assert_near(ab_stats_block_sd(&c, 2, -50), sqrt(3.75 + 4), 1e-12);
	assert_near(ab_stats_block_sd(&c, 2, 50), sqrt(9.75 + 4), 1e-12);
	fall = ab_stats_design_detectable(&c, d, 0.95, 0.8, true);
	rise = ab_stats_design_detectable(&c, d, 0.95, 0.8, false);
	g_assert_cmpfloat(fall, <, rise);
	assert_near(ab_stats_design_power(&c, d, -fall, 0.95), 0.8, 1e-6);
	assert_near(ab_stats_design_power(&c, d, rise, 0.95), 0.8, 1e-6);
	c.ratio = 2;
	assert_near(ab_stats_block_sd(&c, 2, 0), sqrt(6 / 2.5), 1e-12);
	/* A noise of ten times the mean hides any change. */
	c.boot = 1e6;
	g_assert_true(
		isnan(ab_stats_design_detectable(&c, d, 0.95, 0.8, false)));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/components/balanced", test_balanced);
	g_test_add_func("/design/growth", test_growth);
	g_test_add_func("/design/follows-mean", test_follows_mean);
	g_test_add_func("/components/two-campaigns", test_two_campaigns);
	g_test_add_func("/components/unbiased", test_unbiased);
	g_test_add_func("/components/repeated-boot", test_repeated_boot);
	g_test_add_func("/components/unknown", test_unknown);
	g_test_add_func("/components/odd", test_odd);
	g_test_add_func("/components/ratio", test_ratio);
	g_test_add_func("/components/median", test_median);
	g_test_add_func("/design/pairs", test_pairs_power);
	g_test_add_func("/design/power", test_design);
	g_test_add_func("/design/search", test_search);
	g_test_add_func("/design/best-runs", test_best_runs);
	g_test_add_func("/design/permutation", test_permutation);
	g_test_add_func("/design/rates", test_rates);
	g_test_add_func("/design/dispersion", test_dispersion);
	g_test_add_func("/sequential/bounds", test_bounds);
	g_test_add_func("/sequential/odd", test_bounds_odd);
	g_test_add_func("/sequential/many", test_many_looks);
	g_test_add_func("/sequential/looks", test_looks);
	g_test_add_func("/sequential/chance", test_chance);
	return g_test_run();
}
