// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Do plans keep their promises?  Simulated campaigns: how often a change is
 * shown that abrig power says is shown with 80 %; and with looks while the
 * campaign runs, how often a difference is claimed that is not there, and how
 * many blocks are saved.  docs/STATISTICS.md has the tables.
 */
#include <abrig/stats_design.h>
#include <abrig/stats_sequential.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define LEVEL 0.95
#define POWER 0.8
#define MEAN 100
#define CV 0.1	     /* of boots and runs together */
#define BLOCK_CV 0.1 /* both variants alike */
#define RUNS 5
#define MAX_BLOCKS 32

static const struct ab_metric metric = { .id = "bench.value",
					 .unit = "mW",
					 .stat = AB_STAT_RUN_MEAN };

/* ---- power ---- */

struct cell {
	bool lognormal;
	double icc;
	int blocks;
};

/* Variances of the values, given those of what is drawn. */
static struct ab_components truth(const struct cell *cell)
{
	double boot = CV * CV * cell->icc, run = CV * CV * (1 - cell->icc);
	double block = BLOCK_CV * BLOCK_CV;
	struct ab_components c = { .mean = MEAN };

	if (cell->lognormal) {
		c.mean *= exp((block + boot + run) / 2);
		run = exp(block + boot) * (exp(run) - 1);
		boot = exp(block) * (exp(boot) - 1);
	}
	c.boot = c.mean * c.mean * boot;
	c.run = c.mean * c.mean * run;
	return c;
}

static double value(const struct cell *cell, double effects, double factor)
{
	return MEAN *
	       (cell->lognormal ? factor * exp(effects) : factor + effects);
}

static size_t simulate(const struct cell *cell, double factor, gsl_rng *rng,
		       struct ab_obs *obs)
{
	double boot_sd = CV * sqrt(cell->icc),
	       run_sd = CV * sqrt(1 - cell->icc);
	size_t n = 0;

	for (int block = 0; block < cell->blocks; block++) {
		double in_block = gsl_ran_gaussian(rng, BLOCK_CV);

		for (int boot = 0; boot < 2; boot++) {
			double in_boot =
				in_block + gsl_ran_gaussian(rng, boot_sd);

			for (int i = 0; i < RUNS; i++)
				obs[n++] = (struct ab_obs){
					.variant = boot,
					.block = block,
					.session = 2 * block + boot,
					.value = value(
						cell,
						in_boot + gsl_ran_gaussian(
								  rng, run_sd),
						boot ? factor : 1),
				};
		}
	}
	return n;
}

/* How often the comparison shows the change that the design promises. */
static double shown(const struct cell *cell, double factor, int campaigns,
		    gsl_rng *rng)
{
	const struct ab_stats_options options = { .level = LEVEL,
						  .margin_pct = NAN,
						  .resamples = 100 };
	struct ab_obs obs[MAX_BLOCKS * 2 * RUNS];
	int different = 0;

	for (int i = 0; i < campaigns; i++) {
		size_t n = simulate(cell, factor, rng, obs);
		struct ab_comparison r;

		ab_stats_compare(&metric, obs, n, 1, &options, rng, &r);
		different += r.verdict == AB_DIFFERENT;
	}
	return 100.0 * different / campaigns;
}

/* The true power of what is planned after a pilot of the cell's size. */
static double after_pilot(const struct cell *cell, double effect, int campaigns,
			  gsl_rng *rng)
{
	struct ab_components c, real = truth(cell);
	struct ab_obs obs[MAX_BLOCKS * 2 * RUNS];
	double sum = 0;

	for (int i = 0; i < campaigns; i++) {
		size_t n = simulate(cell, 1, rng, obs);
		struct ab_design d = { .runs = RUNS };

		ab_stats_components(&metric, obs, n, 1, &c);
		d.blocks =
			ab_stats_design_blocks(&c, RUNS, effect, LEVEL, POWER);
		sum += ab_stats_design_power(&real, d, effect, LEVEL);
	}
	return 100 * sum / campaigns;
}

static void print_power(int campaigns, gsl_rng *rng)
{
	static const int blocks[] = { 4, 6, 8, 12, 16 };
	static const double iccs[] = { 0, 0.2, 0.5 };

	g_print("# power of 80 %% promised; %d campaigns a cell, %d runs a "
		"boot\n%-11s %4s %6s %8s %7s %7s %12s\n",
		campaigns, RUNS, "values", "ICC", "blocks", "change %", "fall",
		"rise", "after pilot");
	for (int k = 0; k < 2 * 3 * 5; k++) {
		struct cell cell = { k / 15, iccs[k / 5 % 3], blocks[k % 5] };
		struct ab_components c = truth(&cell);
		struct ab_design d = { cell.blocks, RUNS };
		double effect = ab_stats_design_detectable(&c, d, LEVEL, POWER);
		double factor = effect / c.mean;

		g_print("%-11s %4.1f %6d %8.1f %7.1f %7.1f %12.1f\n",
			cell.lognormal ? "log-normal" : "normal", cell.icc,
			cell.blocks, 100 * factor,
			shown(&cell, 1 - factor, campaigns, rng),
			shown(&cell, 1 + factor, campaigns, rng),
			after_pilot(&cell, effect, campaigns, rng));
	}
}

/* ---- looks ---- */

#define MAX_LOOKS 32

struct rule {
	struct ab_looks looks;
	struct ab_look at[MAX_LOOKS];
	double margin; /* in standard deviations of a block; NAN: none */
	bool futility;
};

struct tally {
	int different, equivalent, futile, covered;
	double blocks;
};

static void prepare(struct rule *rule)
{
	for (int i = 0; i < ab_stats_looks(&rule->looks); i++)
		ab_stats_look(&rule->looks, 1 - LEVEL, i + 1, &rule->at[i]);
}

/* The paired t interval of the first @n differences, in a comparison. */
static struct ab_comparison interval(const double *x, int n, double nominal)
{
	struct ab_comparison c = { .level = 1 - nominal,
				   .margin_pct = NAN,
				   .blocks = n };
	double mean = 0, square = 0, half;

	for (int i = 0; i < n; i++)
		mean += x[i] / n;
	for (int i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	half = gsl_cdf_tdist_Qinv(nominal / 2, n - 1) *
	       sqrt(square / (n - 1) / n);
	c.a.value = 100;
	c.diff = mean;
	c.diff_lo = mean - half;
	c.diff_hi = mean + half;
	return c;
}

static bool inside(const struct ab_comparison *c, double nominal, double margin)
{
	double half = (c->diff_hi - c->diff_lo) / 2 /
		      gsl_cdf_tdist_Qinv(nominal / 2, c->blocks - 1) *
		      gsl_cdf_tdist_Qinv(nominal, c->blocks - 1);

	return c->diff - half > -margin && c->diff + half < margin;
}

/* True when the campaign ends at this look. */
static bool ends(const struct rule *rule, int number, struct ab_comparison *c,
		 struct tally *t)
{
	double nominal = rule->at[number - 1].nominal;

	c->margin_pct = rule->margin;
	if (c->diff_lo > 0 || c->diff_hi < 0)
		t->different++;
	else if (inside(c, nominal, rule->margin))
		t->equivalent++;
	else if (rule->futility && number < rule->at[0].of &&
		 ab_stats_chance(&rule->looks, 1 - LEVEL, number, c) <
			 AB_FUTILE)
		t->futile++;
	else
		return number == rule->at[0].of;
	return true;
}

static void one_campaign(const struct rule *rule, double effect, bool skewed,
			 gsl_rng *rng, struct tally *t)
{
	double x[MAX_BLOCKS] = { 0 };
	int number = 0;
	struct ab_comparison c;

	/* The difference of two log-normal boots is symmetric, its tails are
	 * heavy; one of log-normal shape is worse than any metric's. */
	for (int i = 0; i < rule->looks.blocks; i++)
		x[i] = effect + (skewed ? gsl_ran_lognormal(rng, 0, 1) -
						  gsl_ran_lognormal(rng, 0, 1)
					: gsl_ran_gaussian(rng, 1));
	do {
		number++;
		c = interval(x, rule->at[number - 1].blocks,
			     rule->at[number - 1].nominal);
	} while (!ends(rule, number, &c, t));
	t->blocks += rule->at[number - 1].blocks;
	t->covered += c.diff_lo <= effect && effect <= c.diff_hi;
}

static void print_rule(const struct rule *rule, double effect, bool skewed,
		       int campaigns, gsl_rng *rng)
{
	struct tally t = { 0 };
	double n = campaigns;

	for (int i = 0; i < campaigns; i++)
		one_campaign(rule, effect, skewed, rng, &t);
	g_print("%-7s %2d/%d/%-2d %-7s %6.2f %9.2f %9.2f %7.2f %9.2f %6.1f\n",
		rule->looks.spending == AB_SPEND_POCOCK ? "Pocock" : "O'B-F",
		rule->looks.first, rule->looks.every, rule->looks.blocks,
		skewed ? "heavy" : "normal", effect, 100 * t.different / n,
		100 * t.equivalent / n, 100 * t.futile / n, 100 * t.covered / n,
		t.blocks / n);
}

static void print_looks(int campaigns, gsl_rng *rng)
{
	static const int shapes[][3] = { { 3, 2, 8 },  { 3, 1, 8 },
					 { 4, 1, 8 },  { 4, 2, 12 },
					 { 4, 1, 16 }, { 6, 2, 16 },
					 { 6, 1, 16 }, { 8, 4, 32 } };

	g_print("\n# looks after first/every/all blocks, 5 %%; %d campaigns a "
		"line; effect in standard deviations of a block\n"
		"%-7s %-7s %-7s %6s %9s %9s %7s %9s %6s\n",
		campaigns, "spent", "looks", "values", "effect", "different",
		"equival.", "futile", "coverage", "blocks");
	for (int k = 0; k < 2 * 8; k++) {
		const int *s = shapes[k % 8];
		struct rule rule = { .looks = { k / 8 ? AB_SPEND_POCOCK
						      : AB_SPEND_OBRIEN_FLEMING,
						s[0], s[1], s[2] },
				     .margin = NAN };

		prepare(&rule);
		print_rule(&rule, 0, false, campaigns, rng);
		print_rule(&rule, 0, true, campaigns, rng);
	}
}

/* What is saved: with no effect, the one of 80 % power, and twice that. */
static void print_saved(int campaigns, gsl_rng *rng)
{
	static const double margins[] = { NAN, 1 };

	g_print("\n# the same with stops for equivalence (margin 1 in the "
		"second half) and futility\n");
	for (int k = 0; k < 4; k++) {
		struct rule rule = { .looks = { k % 2 ? AB_SPEND_POCOCK
						      : AB_SPEND_OBRIEN_FLEMING,
						6, 2, 16 },
				     .margin = margins[k / 2],
				     .futility = true };
		double effect = ab_stats_pairs_detectable(16, LEVEL, POWER);

		prepare(&rule);
		for (int i = 0; i < 3; i++)
			print_rule(&rule, effect * i, false, campaigns, rng);
		if (k / 2) /* at the margin: equivalence is the error */
			print_rule(&rule, 1, false, campaigns, rng);
	}
}

int main(int argc, char **argv)
{
	int campaigns = argc > 1 ? atoi(argv[1]) : 200;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	print_power(campaigns, rng);
	print_looks(20 * campaigns, rng);
	print_saved(2 * campaigns, rng);
	gsl_rng_free(rng);
	return 0;
}
