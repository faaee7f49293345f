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
#define BLOCK_CV 0.1 /* both variants alike */
#define RUNS 5
#define MAX_BLOCKS 32

static const struct ab_metric metric = { .id = "bench.value",
					 .unit = "mW",
					 .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric events = { .id = "bench.events",
					 .unit = "",
					 .stat = AB_STAT_RUN_MEAN };

/* ---- power ---- */

enum values { CONSTANT, LOGNORMAL, EVENTS, KINDS };
static const char *const value_names[] = { "constant", "log-normal", "events" };

struct cell {
	enum values values;
	double icc, cv;
	int blocks;
};

static const struct ab_metric *metric_of(const struct cell *cell)
{
	return cell->values == EVENTS ? &events : &metric;
}

/* Variances of the values, given those of what is drawn. */
static struct ab_components truth(const struct cell *cell)
{
	double all = cell->cv * cell->cv, block = BLOCK_CV * BLOCK_CV;
	double boot = all * cell->icc, run = all * (1 - cell->icc);
	struct ab_components c = { .mean = MEAN, .ratio = 1 };

	c.growth = cell->values == CONSTANT ? 0 : 2;
	if (cell->values == LOGNORMAL) {
		c.mean *= exp((block + boot + run) / 2);
		run = exp(block + boot) * (exp(run) - 1);
		boot = exp(block) * (exp(boot) - 1);
		block = exp(block) - 1;
	}
	if (cell->values == EVENTS) {
		c.growth = 1;
		c.mean *= exp((block + boot) / 2);
		run = 1 / c.mean;
		boot = exp(block) * (exp(boot) - 1);
		block = exp(block) - 1;
	}
	c.block = c.mean * c.mean * block;
	c.boot = c.mean * c.mean * boot;
	c.run = c.mean * c.mean * run;
	return c;
}

static double value(const struct cell *cell, double in_boot, double factor,
		    gsl_rng *rng)
{
	double run_sd = cell->cv * sqrt(1 - cell->icc);

	if (cell->values == EVENTS)
		return gsl_ran_poisson(rng, MEAN * factor * exp(in_boot));
	in_boot += gsl_ran_gaussian(rng, run_sd);
	return MEAN * (cell->values == CONSTANT ? factor + in_boot
						: factor * exp(in_boot));
}

static size_t simulate(const struct cell *cell, double factor, gsl_rng *rng,
		       struct ab_obs *obs)
{
	double boot_sd = cell->cv * sqrt(cell->icc);
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
					.value = value(cell, in_boot,
						       boot ? factor : 1, rng),
				};
		}
	}
	return n;
}

/* How often the comparison shows the change that the design promises. */
static double shown(const struct cell *cell, double change, int campaigns,
		    gsl_rng *rng)
{
	const struct ab_stats_options options = { .level = LEVEL,
						  .margin_pct = NAN,
						  .resamples = 100 };
	struct ab_obs obs[MAX_BLOCKS * 2 * RUNS];
	int different = 0;

	for (int i = 0; isfinite(change) && i < campaigns; i++) {
		size_t n = simulate(cell, 1 + change, rng, obs);
		struct ab_comparison r;

		ab_stats_compare(metric_of(cell), obs, n, 1, &options, rng, &r);
		different += r.verdict == AB_DIFFERENT;
	}
	return isfinite(change) ? 100.0 * different / campaigns : NAN;
}

/* What pilots of the cell's size lead to; percent. */
struct after {
	double growth;	   /* mean of what was found */
	double fall, rise; /* true power of what is promised with it alone */
	double all;	   /* of what is planned with all that was found */
};

static double planned(const struct ab_components *c,
		      const struct ab_components *real, double effect)
{
	struct ab_design d = { .runs = RUNS };

	d.blocks = ab_stats_design_blocks(c, RUNS, effect, LEVEL, POWER);
	return 100 * ab_stats_design_power(real, d, effect, LEVEL);
}

static double promised(const struct cell *cell,
		       const struct ab_components *real, double growth,
		       bool fall)
{
	struct ab_components c = *real;
	struct ab_design d = { cell->blocks, RUNS };
	double effect;

	c.growth = growth;
	effect = ab_stats_design_detectable(&c, d, LEVEL, POWER, fall);
	return 100 *
	       ab_stats_design_power(real, d, fall ? -effect : effect, LEVEL);
}

static struct after after_pilot(const struct cell *cell, int campaigns,
				gsl_rng *rng)
{
	struct ab_components c, real = truth(cell);
	struct ab_obs obs[MAX_BLOCKS * 2 * RUNS];
	struct ab_design d = { cell->blocks, RUNS };
	double effect =
		ab_stats_design_detectable(&real, d, LEVEL, POWER, false);
	struct after a = { 0 };

	for (int i = 0; i < campaigns; i++) {
		size_t n = simulate(cell, 1, rng, obs);

		ab_stats_components(metric_of(cell), obs, n, 1, &c);
		a.growth += c.growth / campaigns;
		a.fall += promised(cell, &real, c.growth, true) / campaigns;
		a.rise += promised(cell, &real, c.growth, false) / campaigns;
		a.all += planned(&c, &real, effect) / campaigns;
	}
	return a;
}

static void print_cell(const struct cell *cell, int campaigns, gsl_rng *rng)
{
	struct ab_components c = truth(cell);
	struct ab_design d = { cell->blocks, RUNS };
	double fall = ab_stats_design_detectable(&c, d, LEVEL, POWER, true);
	double rise = ab_stats_design_detectable(&c, d, LEVEL, POWER, false);
	/* A tenth of them: a pilot costs a hundred integrals. */
	struct after a = after_pilot(cell, MAX(campaigns / 10, 10), rng);

	g_print("%-11s %3.0f %4.1f %6d %6.1f %6.1f %6.1f %6.1f %6.2f %6.1f "
		"%6.1f %6.1f\n",
		value_names[cell->values], 100 * cell->cv, cell->icc,
		cell->blocks, 100 * fall / c.mean, 100 * rise / c.mean,
		shown(cell, -fall / c.mean, campaigns, rng),
		shown(cell, rise / c.mean, campaigns, rng), a.growth, a.fall,
		a.rise, a.all);
}

static void print_power(int campaigns, gsl_rng *rng)
{
	static const int blocks[] = { 4, 6, 8, 16 };
	static const double iccs[] = { 0, 0.2, 0.5 }, cvs[] = { 0.1, 0.2 };

	g_print("# power of 80 %% promised; %d campaigns a cell, %d runs a "
		"boot; changes, their power,\n# and after a pilot: the "
		"exponent found, power with it, power with all found\n"
		"%-11s %3s %4s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n",
		campaigns, RUNS, "noise", "CV", "ICC", "blocks", "fall", "rise",
		"fall", "rise", "growth", "fall", "rise", "all");
	for (int k = 0; k < KINDS * 2 * 3 * 4; k++) {
		struct cell cell = { .values = k / 24,
				     .cv = cvs[k / 12 % 2],
				     .icc = iccs[k / 4 % 3],
				     .blocks = blocks[k % 4] };

		print_cell(&cell, campaigns, rng);
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
