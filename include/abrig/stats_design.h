/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planning: where the variation of a metric comes from, how large a change a
 * design can show, and the cheapest design that shows a given change.
 *
 * The model is that of the comparison: a run's value is its variant's, plus
 * what its block, its boot and the run itself add.  A design is a number of
 * blocks (pairs of boots, one of each variant) and of runs per boot.
 */
#ifndef ABRIG_STATS_DESIGN_H
#define ABRIG_STATS_DESIGN_H

#include <abrig/stats.h>

/* ---- variance components ---- */

/*
 * Sums of squares of one or several campaigns, each with its own difference
 * between the variants, and what they estimate; start with all zeros.
 */
struct ab_squares {
	double run, boot, block;	  /* sums of squares */
	double run_df, boot_df, block_df; /* what s2_run counts in each */
	double boot_in_boot;		  /* what s2_boot counts in @boot */
	double boot_in_block;		  /* and in @block */
	double block_in_block;		  /* what s2_block counts in it */
	double base_sum;		  /* of the baseline's run values */
	double variant_sum;		  /* and of the variant's */
	double logs; /* ln likelihood: noise in proportion over constant */
	bool signs;  /* a value is below 0: noise is constant */
	double size_squares;   /* of the boots' numbers of runs */
	int runs[2], boots[2]; /* baseline, variant */
	int blocks;
	const char *reason; /* static: why a campaign gave nothing; or NULL */
};

struct ab_components {
	double mean;  /* of the baseline's runs, in the metric's unit */
	double ratio; /* the variant's mean by that */
	/*
	 * How the variances follow the mean: with its power @growth, from 0,
	 * constant, to 2, in proportion.  ab_stats_squares_add() has why.
	 */
	double growth;
	/*
	 * Variances in the square of that unit, unbiased, hence below 0 now
	 * and then.  @boot is what differs between boots of one block beyond
	 * variant and block.  Where no boot has two runs, @run is NAN and
	 * @boot holds both.  NAN: the data cannot tell.
	 */
	double run, boot, block;
	double icc;	/* boot / (boot + run), with 0 for what is below */
	bool truncated; /* @boot was below 0 */
	double runs_per_boot; /* size-weighted mean */
	double design_effect; /* 1 + (runs_per_boot - 1) icc */
	double effective[2];  /* runs / design_effect, per variant */
	int runs[2], boots[2];
	int blocks;
	const char *reason; /* static: why values are NAN; or NULL */
};

/*
 * Add the sums of squares of @metric over the blocks of @obs that hold both
 * variant 0 and variant @b.
 *
 * Run values: the run's own for means, counts and run values; for a ratio
 * R + (num - R den) / mean(den); for a quantile q the same of the share of
 * samples above the arm's pooled quantile, divided by the density there (a
 * difference quotient, bandwidth after Hall and Sheather 1988).  None for a
 * maximum.
 *
 * Sums of squares by fitting variant, then blocks, then boots, then runs
 * (Henderson 1953, method 3); boots and runs per boot may be unequal.
 * Assumption: effects are independent and alike for both variants, but for
 * @growth.
 *
 * Growth: 1 for events (Poisson), 0 when a value is below 0.  Else noise is
 * either constant or in proportion, like that of log-normal values; both are
 * as likely beforehand, and the likelihoods of the run values and of their
 * logarithms (Box and Cox 1964, residual) decide: 2 P(in proportion).  Few
 * data leave it near 1.  It is 1 where logarithms say nothing: ratios,
 * quantiles, values of 0.
 */
void ab_stats_squares_add(struct ab_squares *squares,
			  const struct ab_metric *metric,
			  const struct ab_obs *obs, size_t n_obs, int b);
/* Set the sums equal to their expectations and solve for the variances. */
void ab_stats_components_of(const struct ab_squares *squares,
			    struct ab_components *components_out);
/* Both, for one campaign. */
void ab_stats_components(const struct ab_metric *metric,
			 const struct ab_obs *obs, size_t n_obs, int b,
			 struct ab_components *components_out);

/* ---- power of paired boots ---- */

/*
 * Power of the two-sided paired t test at 1 - @level with @pairs pairs for a
 * mean difference of @ratio standard deviations, in its direction; noncentral
 * t distribution.  0 below two pairs; @pairs need not be whole.
 */
double ab_stats_pairs_power(double pairs, double ratio, double level);
/*
 * The mean difference, in standard deviations, that @pairs pairs show with
 * @power; NAN below two pairs.
 */
double ab_stats_pairs_detectable(double pairs, double level, double power);

struct ab_design {
	double blocks; /* pairs of boots, over all devices */
	double runs;   /* per boot */
};
struct ab_costs {
	double boot_s; /* flash, boot, prepare, warm up */
	double run_s;  /* one run with all around it */
};

/*
 * Standard deviation of a block's difference with @runs runs per boot, when
 * the mean difference is @effect: the noise of a variant with R times the mean
 * has R^growth times the variance.
 */
double ab_stats_block_sd(const struct ab_components *c, double runs,
			 double effect);
/* Power of @design to show the mean difference @effect. */
double ab_stats_design_power(const struct ab_components *c,
			     struct ab_design design, double effect,
			     double level);
/*
 * The size of the mean difference that @design shows with @power; NAN: none.
 * Where noise follows the mean, a fall is seen sooner than a rise.
 */
double ab_stats_design_detectable(const struct ab_components *c,
				  struct ab_design design, double level,
				  double power, bool fall);
/* Blocks of @runs runs per boot for @power to show @effect; NAN: none do. */
double ab_stats_design_blocks(const struct ab_components *c, double runs,
			      double effect, double level, double power);
/* One device, two variants, in hours. */
double ab_stats_design_hours(struct ab_design design,
			     const struct ab_costs *costs);
/*
 * Runs per boot that give the smallest standard error for the cost, at least
 * 1: sqrt(boot_s / run_s * s2_run / s2_boot) (Kalibera and Jones 2013).
 * INFINITY when boots do not differ.
 */
double ab_stats_best_runs(const struct ab_components *c,
			  const struct ab_costs *costs);
/*
 * The cheapest whole design of at least @min_blocks blocks and at most
 * AB_DESIGN_MAX_RUNS runs per boot that shows @effect with @power.  False when
 * there is none.
 */
#define AB_DESIGN_MAX_RUNS 100
bool ab_stats_design_cheapest(const struct ab_components *c,
			      const struct ab_costs *costs, double effect,
			      double level, double power, double min_blocks,
			      struct ab_design *design_out);
/*
 * The whole design that shows the smallest difference within @hours.  False
 * when not even two blocks of one run fit, or nothing is known.
 */
bool ab_stats_design_within(const struct ab_components *c,
			    const struct ab_costs *costs, double hours,
			    double level, double power, bool fall,
			    struct ab_design *design_out);

/* ---- limits of the permutation within blocks ---- */

/* The smallest two-sided p that @blocks blocks can give: 2 / 2^blocks. */
double ab_stats_permutation_floor(double blocks);
/* Blocks from which on p can reach @alpha. */
double ab_stats_permutation_blocks(double alpha);

/* ---- counts, without boots: two Poisson rates ---- */

/*
 * Exposure (runs) per variant to tell the rates @l1 and @l2 apart with @power:
 * phi z^2 (l1 + l2) / (l1 - l2)^2, normal approximation; @phi is the
 * over-dispersion (1: Poisson).  NAN for equal rates.
 */
double ab_stats_rates_needed(double l1, double l2, double phi, double level,
			     double power);
/* Power of @exposure per variant for them. */
double ab_stats_rates_power(double l1, double l2, double phi, double exposure,
			    double level);
/*
 * The smallest share (0.2: -20 %) by which rate @l1 must fall for @exposure
 * per variant to show it with @power; above 1: no fall is large enough.
 */
double ab_stats_rates_detectable(double l1, double phi, double exposure,
				 double level, double power);
/*
 * Over-dispersion of the counts of @metric: Pearson's chi-squared over boots,
 * with a rate per variant, over its degrees of freedom; NAN when the metric
 * counts no events or none was seen.
 */
double ab_stats_dispersion(const struct ab_metric *metric,
			   const struct ab_obs *obs, size_t n_obs, int b);

#endif
