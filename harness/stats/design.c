// SPDX-License-Identifier: GPL-3.0-or-later
/* What a design of blocks and runs can show, and what it costs. */
#include "noise.h"

#include <abrig/stats_design.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

#define HOUR_S 3600.0
#define MAX_BLOCKS 1e6

static struct noise noise_of(const struct ab_components *c, double runs)
{
	/* Without runs of one boot to compare, more of them promise nothing. */
	double run = isfinite(c->run) ? c->run / runs : 0;
	/* The variances are the mean of both variants'. */
	double both = (1 + noise_at(c->growth, c->ratio)) / 2;

	return (struct noise){
		.mean = c->mean,
		/* MAX() would make a number of NAN. */
		.arm = isnan(c->boot) ? NAN : (MAX(c->boot, 0) + run) / both,
		.block = c->block,
		.growth = c->growth,
	};
}

double ab_stats_block_sd(const struct ab_components *c, double runs,
			 double effect)
{
	struct noise noise = noise_of(c, runs);

	return noise_sd(&noise, effect);
}

double ab_stats_design_power(const struct ab_components *c,
			     struct ab_design design, double effect,
			     double level)
{
	double sd = ab_stats_block_sd(c, design.runs, effect);

	return ab_stats_pairs_power(design.blocks, effect / sd, level);
}

double ab_stats_design_detectable(const struct ab_components *c,
				  struct ab_design design, double level,
				  double power, bool fall)
{
	struct noise noise = noise_of(c, design.runs);

	return noise_effect(
		&noise, ab_stats_pairs_detectable(design.blocks, level, power),
		fall);
}

double ab_stats_design_blocks(const struct ab_components *c, double runs,
			      double effect, double level, double power)
{
	return ab_stats_pairs_needed(effect, ab_stats_block_sd(c, runs, effect),
				     level, power);
}

double ab_stats_design_hours(struct ab_design design,
			     const struct ab_costs *costs)
{
	return 2 * design.blocks *
	       (costs->boot_s + design.runs * costs->run_s) / HOUR_S;
}

double ab_stats_best_runs(const struct ab_components *c,
			  const struct ab_costs *costs)
{
	double boot = MAX(c->boot, 0);
	double runs = sqrt(costs->boot_s / costs->run_s * c->run / boot);

	if (!isfinite(c->run) || !isfinite(c->boot) || c->run <= 0)
		return 1;
	return MAX(runs, 1);
}

bool ab_stats_design_cheapest(const struct ab_components *c,
			      const struct ab_costs *costs, double effect,
			      double level, double power, double min_blocks,
			      struct ab_design *design_out)
{
	double least = INFINITY;

	for (int runs = 1; runs <= AB_DESIGN_MAX_RUNS; runs++) {
		double blocks =
			ab_stats_design_blocks(c, runs, effect, level, power);
		struct ab_design design = { MAX(blocks, min_blocks), runs };
		double hours = ab_stats_design_hours(design, costs);

		if (!isfinite(blocks) || blocks > MAX_BLOCKS || hours >= least)
			continue;
		least = hours;
		*design_out = design;
	}
	return isfinite(least);
}

bool ab_stats_design_within(const struct ab_components *c,
			    const struct ab_costs *costs, double hours,
			    double level, double power, bool fall,
			    struct ab_design *design_out)
{
	double least = INFINITY;

	for (int runs = 1; runs <= AB_DESIGN_MAX_RUNS; runs++) {
		struct ab_design design = { 1, runs };
		double shown;

		design.blocks =
			floor(hours / ab_stats_design_hours(design, costs));
		design.blocks = MIN(design.blocks, MAX_BLOCKS);
		shown = ab_stats_design_detectable(c, design, level, power,
						   fall);
		if (!(shown < least))
			continue;
		least = shown;
		*design_out = design;
	}
	return isfinite(least);
}

/* ---- permutation ---- */

double ab_stats_permutation_floor(double blocks)
{
	return MIN(2 / exp2(blocks), 1);
}

double ab_stats_permutation_blocks(double alpha)
{
	return ceil(log2(2 / alpha) - 1e-9);
}

/* ---- rates ---- */

static double quantiles(double level, double power)
{
	return gsl_cdf_ugaussian_Pinv(0.5 + level / 2) +
	       gsl_cdf_ugaussian_Pinv(power);
}

double ab_stats_rates_needed(double l1, double l2, double phi, double level,
			     double power)
{
	double z = quantiles(level, power);

	if (!(l1 >= 0 && l2 >= 0 && phi > 0) || l1 == l2)
		return NAN;
	return phi * z * z * (l1 + l2) / ((l1 - l2) * (l1 - l2));
}

double ab_stats_poisson_runs(double l1, double l2)
{
	return ab_stats_rates_needed(l1, l2, 1, 0.95, 0.8);
}

double ab_stats_rates_power(double l1, double l2, double phi, double exposure,
			    double level)
{
	double se = sqrt(phi * (l1 + l2) / exposure);

	if (!(l1 >= 0 && l2 >= 0 && phi > 0 && exposure > 0) || l1 + l2 == 0)
		return NAN;
	return gsl_cdf_ugaussian_P(fabs(l1 - l2) / se -
				   gsl_cdf_ugaussian_Pinv(0.5 + level / 2));
}

double ab_stats_rates_detectable(double l1, double phi, double exposure,
				 double level, double power)
{
	double z = quantiles(level, power);
	double k = phi * z * z / (l1 * exposure);

	if (!(l1 > 0 && phi > 0 && exposure > 0))
		return NAN;
	/* k (2 - d) = d^2 */
	return (sqrt(k * k + 8 * k) - k) / 2;
}
