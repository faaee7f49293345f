// SPDX-License-Identifier: GPL-3.0-or-later
/* The comparison where R has one, and where the variation comes from. */
#include "oracle.h"

#include <abrig/stats_design.h>
#include <math.h>

#define MOST 200
#define DRAWS 20000

static const struct ab_metric power = { .id = "oracle.power",
					.unit = "mW",
					.stat = AB_STAT_RUN_MEAN };
static const struct ab_stats_options options = { 0.95, NAN, DRAWS };

static void print_change(const struct ab_comparison *r)
{
	oracle_out("diff", r->diff);
	oracle_out("lo", r->diff_lo);
	oracle_out("hi", r->diff_hi);
	oracle_out("p_change", r->p_change);
}

/* One boot of each variant per block, one run per boot. */
static void paired(gsl_rng *rng, enum shape shape, size_t blocks)
{
	double a[MOST], b[MOST];
	struct ab_obs obs[2 * MOST];
	struct ab_comparison r;

	oracle_fill(rng, shape, 50, a, blocks);
	oracle_fill(rng, shape, 51, b, blocks);
	for (size_t i = 0; i < 2 * blocks; i++)
		obs[i] = (struct ab_obs){
			.variant = (int)(i % 2),
			.block = (int)(i / 2),
			.session = (int)i,
			.value = i % 2 ? b[i / 2] : a[i / 2],
		};
	ab_stats_compare(&power, obs, 2 * blocks, 1, &options, rng, &r);
	if (r.method != AB_METHOD_PAIRED_T)
		return;
	oracle_case("paired-t");
	oracle_in("a", a, blocks);
	oracle_in("b", b, blocks);
	oracle_in1("draws", DRAWS);
	print_change(&r);
	oracle_out("pct_lo", r.pct_lo);
	oracle_out("pct_hi", r.pct_hi);
	oracle_out("permutation", r.p);
	oracle_end();
}

/* One boot per variant: its runs are all there is. */
static void unpaired(gsl_rng *rng, enum shape shape, size_t n_a, size_t n_b)
{
	double x[MOST];
	struct ab_obs obs[MOST];
	struct ab_comparison r;

	oracle_fill(rng, shape, 50, x, n_a + n_b);
	for (size_t i = 0; i < n_a + n_b; i++)
		obs[i] = (struct ab_obs){ .variant = i >= n_a,
					  .session = i >= n_a,
					  .value = x[i] };
	ab_stats_compare(&power, obs, n_a + n_b, 1, &options, rng, &r);
	oracle_case("welch");
	oracle_in("a", x, n_a);
	oracle_in("b", x + n_a, n_b);
	oracle_out("diff", r.diff);
	oracle_out("lo", r.diff_lo);
	oracle_out("hi", r.diff_hi);
	oracle_end();
}

struct layout {
	size_t blocks, runs;
	double block_sd, boot_sd;
	bool uneven; /* some boots lost runs */
};

static size_t draw_nested(gsl_rng *rng, const struct layout *l,
			  struct ab_obs *obs)
{
	double of_block = 0;
	size_t n = 0;

	for (size_t boot = 0; boot < 2 * l->blocks; boot++) {
		size_t runs = l->runs - (l->uneven && boot % 3 == 1);
		double z[3];

		oracle_fill(rng, NORMAL, 0, z, 3);
		if (boot % 2 == 0)
			of_block = l->block_sd * z[0];
		for (size_t run = 0; run < runs; run++) {
			oracle_fill(rng, NORMAL, 0, z + 2, 1);
			obs[n++] = (struct ab_obs){
				.variant = (int)(boot % 2),
				.block = (int)(boot / 2),
				.session = (int)boot,
				.value = 100 + of_block + l->boot_sd * z[1] +
					 z[2] + (double)(boot % 2),
			};
		}
	}
	return n;
}

static void components(gsl_rng *rng, const struct layout *l)
{
	struct ab_obs obs[MOST];
	double value[MOST], block[MOST], boot[MOST], variant[MOST];
	size_t n = draw_nested(rng, l, obs);
	struct ab_components c;

	for (size_t i = 0; i < n; i++) {
		value[i] = obs[i].value;
		block[i] = obs[i].block;
		boot[i] = obs[i].session;
		variant[i] = obs[i].variant;
	}
	ab_stats_components(&power, obs, n, 1, &c);
	oracle_case("components");
	oracle_in("value", value, n);
	oracle_in("block", block, n);
	oracle_in("boot", boot, n);
	oracle_in("variant", variant, n);
	oracle_in1("uneven", l->uneven);
	oracle_out("run", c.run);
	oracle_out("boot", c.boot);
	oracle_out("block", c.block);
	/* REML is the same where all is even and nothing below 0. */
	if (!l->uneven && c.boot > 0.01 && c.block > 0.01) {
		oracle_out("reml_run", c.run);
		oracle_out("reml_boot", c.boot);
		oracle_out("reml_block", c.block);
	}
	oracle_end();
}

static void pairs_power(double pairs, double ratio, double level)
{
	double detectable = ab_stats_pairs_detectable(pairs, level, 0.8);

	oracle_case("pairs-power");
	oracle_in1("pairs", pairs);
	oracle_in1("ratio", ratio);
	oracle_in1("level", level);
	oracle_out("power", ab_stats_pairs_power(pairs, ratio, level));
	/* R's noncentral t is an approximation beyond. */
	if (detectable * sqrt(pairs) < 37.6)
		oracle_out("detectable", detectable);
	oracle_end();
}

static void rates_power(double l1, double l2, double phi, double exposure)
{
	oracle_case("rates-power");
	oracle_in1("l1", l1);
	oracle_in1("l2", l2);
	oracle_in1("phi", phi);
	oracle_in1("exposure", exposure);
	oracle_out("needed", ab_stats_rates_needed(l1, l2, phi, 0.95, 0.8));
	oracle_out("power", ab_stats_rates_power(l1, l2, phi, exposure, 0.95));
	oracle_out("detectable",
		   ab_stats_rates_detectable(l1, phi, exposure, 0.95, 0.8));
	oracle_end();
}

void oracle_compare(gsl_rng *rng)
{
	static const struct layout layouts[] = {
		{ 4, 3, 0, 0, false },	{ 8, 5, 1, 1, false },
		{ 12, 4, 2, 1, false }, { 6, 2, 3, 0.5, false },
		{ 16, 6, 1, 2, false }, { 8, 5, 1, 1, true },
		{ 5, 2, 0, 1, true },
	};

	for (int shape = 0; shape < SHAPES; shape++) {
		for (size_t blocks = 2; blocks <= 32; blocks *= 2)
			paired(rng, (enum shape)shape, blocks);
		unpaired(rng, (enum shape)shape, 2, 2);
		unpaired(rng, (enum shape)shape, 5, 30);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++)
		components(rng, &layouts[i]);
	for (int pairs = 2; pairs <= 64; pairs *= 2)
		for (int eighths = 2; eighths <= 16; eighths *= 2) {
			pairs_power(pairs, eighths / 8.0, 0.95);
			pairs_power(pairs, eighths / 8.0, 0.99);
		}
	rates_power(0.204, 0.171, 1, 245);
	rates_power(3, 4, 2.5, 40);
	rates_power(0.1, 0, 1, 100);
}
