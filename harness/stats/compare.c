// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate.h"
#include "interval.h"
#include "noise.h"

#include <abrig/stats_design.h>

#include <math.h>

#define MIN_BEYOND 10 /* samples that a quantile must leave on each side */
#define POWER 0.8

const char *ab_verdict_word(enum ab_verdict v)
{
	static const char *const words[] = {
		[AB_DIFFERENT] = "different",
		[AB_EQUIVALENT] = "equivalent",
		[AB_NOT_ENOUGH_DATA] = "not enough data",
	};

	return words[v];
}

const char *ab_method_name(enum ab_method m)
{
	static const char *const names[] = {
		[AB_METHOD_NONE] = "none",
		[AB_METHOD_PAIRED_T] = "paired-t",
		[AB_METHOD_BLOCK_BOOTSTRAP] = "block-bootstrap",
		[AB_METHOD_RUN_T] = "run-t",
		[AB_METHOD_EXACT] = "exact-events",
		[AB_METHOD_ZERO_BOUND] = "zero-bound",
	};

	return names[m];
}

static void clear_result(struct ab_comparison *r,
			 const struct ab_stats_options *options)
{
	*r = (struct ab_comparison){
		.diff = NAN,
		.diff_lo = NAN,
		.diff_hi = NAN,
		.pct = NAN,
		.pct_lo = NAN,
		.pct_hi = NAN,
		.b_upper = NAN,
		.p = NAN,
		.p_change = NAN,
		.p_equal = NAN,
		.p_adjusted = NAN,
		.p_equal_adjusted = NAN,
		.level = options->level,
		.margin_pct = options->margin_pct,
		.verdict = AB_NOT_ENOUGH_DATA,
		.boots_needed = NAN,
		.boots_margin = NAN,
		.detectable = NAN,
		.runs_needed = NAN,
	};
}

static void split(const struct obs_list *list, int variant,
		  struct obs_list *arm_out)
{
	arm_out->obs = g_new(const struct ab_obs *, list->n + 1);
	arm_out->n = 0;
	for (size_t i = 0; i < list->n; i++)
		if (list->obs[i]->variant == variant)
			arm_out->obs[arm_out->n++] = list->obs[i];
}

static void estimate_arms(const struct ab_metric *metric,
			  const struct obs_list *list, int b,
			  struct ab_comparison *r)
{
	struct obs_list arm;

	split(list, 0, &arm);
	estimate_of(metric, &arm, r->level, &r->a);
	obs_list_clear(&arm);
	split(list, b, &arm);
	estimate_of(metric, &arm, r->level, &r->b);
	obs_list_clear(&arm);
	r->diff = r->b.value - r->a.value;
	/* Zeros are no events where the other arm's values are not. */
	if (isnan(r->a.total) || isnan(r->b.total))
		r->a.total = r->b.total = r->a.upper = r->b.upper = NAN;
}

/* Why the data cannot carry an interval, or NULL. */
static const char *why_none(const struct ab_metric *metric,
			    const struct ab_comparison *r)
{
	double share = MIN(metric->arg, 1 - metric->arg);

	if (!isfinite(r->a.value) || !isfinite(r->b.value))
		return "not measured with both variants";
	if (metric->stat == AB_STAT_MAX)
		return "a maximum has no interval";
	if (r->blocks == 0)
		return "no block holds both variants";
	if (metric->stat == AB_STAT_QUANTILE &&
	    (double)MIN(r->a.samples, r->b.samples) * share < MIN_BEYOND)
		return "fewer than 10 samples beyond the quantile";
	if (r->blocks == 1 && MIN(r->a.runs, r->b.runs) < 2)
		return "one run per variant";
	return NULL;
}

/* ---- what depends on the level ---- */

static void set_percent(struct ab_comparison *r)
{
	const struct ab_moments *s = &r->moments;

	r->pct = r->pct_lo = r->pct_hi = NAN;
	r->pct_reason = NULL;
	if (!percent_interval(s, r->level, &r->pct_lo, &r->pct_hi,
			      &r->pct_reason))
		return;
	if (r->method == AB_METHOD_ZERO_BOUND)
		r->pct_reason = "no event in the variant";
	else
		r->pct = 100 * (s->b / s->a - 1);
}

/* Runs as independent as one boot lets them be. */
static void set_runs_needed(struct ab_comparison *r)
{
	double var =
		r->moments.var_a * r->a.runs + r->moments.var_b * r->b.runs;

	/* Events: by Poisson. */
	if (r->method == AB_METHOD_RUN_T && isnan(r->a.total))
		r->runs_needed = ab_stats_pairs_needed(r->diff, sqrt(var),
						       r->level, POWER);
}

/* At another change than that which was seen. */
static struct noise noise_of(const struct ab_comparison *r, double var)
{
	const struct ab_moments *s = &r->moments;

	return (struct noise){
		.mean = s->a,
		.arm = var / (1 + noise_at(s->growth, s->b / s->a)),
		.block = s->cov * r->blocks,
		.growth = s->growth,
	};
}

static void set_needed(struct ab_comparison *r)
{
	double var = moments_var_diff(&r->moments) * r->blocks, effect;
	struct noise noise = noise_of(r, var);

	if (r->blocks < 2) {
		set_runs_needed(r);
		return;
	}
	r->detectable = noise_effect(
		&noise, ab_stats_pairs_detectable(r->blocks, r->level, POWER),
		false);
	r->boots_needed =
		ab_stats_pairs_needed(r->diff, sqrt(var), r->level, POWER);
	if (!(r->a.value > 0))
		return;
	effect = r->margin_pct / 100 * r->a.value;
	r->boots_margin = ab_stats_pairs_needed(
		effect, noise_sd(&noise, effect), r->level, POWER);
}

void ab_stats_set_level(struct ab_comparison *r, double level)
{
	r->level = level;
	if (r->method == AB_METHOD_NONE)
		return;
	difference_interval(&r->moments, level, &r->diff_lo, &r->diff_hi);
	set_percent(r);
	set_needed(r);
}

/* ---- what does not ---- */

static void test_change(struct ab_comparison *r)
{
	const struct ab_moments *s = &r->moments;
	double below = change_tail(s, 0, false), above;

	r->p_change = 2 * change_tail(s, 0, true);
	r->p_change = MIN(r->p_change, 2 * below);
	r->p_change = MIN(r->p_change, 1);
	if (!isfinite(r->margin_pct) || !isfinite(r->pct))
		return;
	below = change_tail(s, r->margin_pct, false);
	above = change_tail(s, -r->margin_pct, true);
	r->p_equal = MAX(below, above);
}

static void decide(struct ab_comparison *r)
{
	double alpha = 1 - r->level;

	if (r->p_change <= alpha)
		r->verdict = AB_DIFFERENT;
	else if (r->p_equal <= alpha)
		r->verdict = AB_EQUIVALENT;
}

static enum ab_method take_moments(const struct stats_set *set,
				   const struct ab_stats_options *options,
				   gsl_rng *rng, struct ab_moments *s_out)
{
	bool ok = set->pool ? moments_bootstrap(set, options->resamples, rng,
						s_out)
			    : moments_linear(set, s_out);

	if (!ok)
		return AB_METHOD_NONE;
	if (moments_few_events(set, s_out))
		return s_out->events_b > 0 ? AB_METHOD_EXACT
					   : AB_METHOD_ZERO_BOUND;
	if (!set->paired)
		return AB_METHOD_RUN_T;
	return set->pool ? AB_METHOD_BLOCK_BOOTSTRAP : AB_METHOD_PAIRED_T;
}

static void use_poisson(const struct ab_metric *metric, struct ab_comparison *r)
{
	if (!isfinite(r->a.total) || !isfinite(r->b.total))
		return;
	r->p = ab_stats_poisson_test(r->a.total, r->a.exposure, r->b.total,
				     r->b.exposure);
	/* The exposure of a ratio is not runs. */
	if (metric->stat != AB_STAT_RATIO)
		r->runs_needed = ab_stats_poisson_runs(r->a.value, r->b.value);
}

/* No spread at all: equal is equal, but a difference cannot be tested. */
static bool no_spread(struct ab_comparison *r)
{
	double scale = MAX(fabs(r->a.value), fabs(r->b.value));

	if (!isnan(r->moments.phi) ||
	    sqrt(moments_var_diff(&r->moments)) > 1e-12 * scale ||
	    fabs(r->diff) <= 1e-12 * scale)
		return false;
	r->method = AB_METHOD_NONE;
	r->reason = "no variation between boots: it cannot be tested";
	if (r->a.value > 0)
		r->pct = 100 * (r->b.value / r->a.value - 1);
	return true;
}

static void infer(const struct stats_set *set, const struct obs_list *list,
		  const struct ab_stats_options *options, gsl_rng *rng,
		  struct ab_comparison *r)
{
	r->method = take_moments(set, options, rng, &r->moments);
	if (r->method == AB_METHOD_NONE) {
		r->reason = "values too few or too large";
		return;
	}
	if (set->paired)
		r->p = permute_blocks(set, options->resamples, rng,
				      &r->p_exact);
	else
		use_poisson(set->metric, r);
	if (no_spread(r))
		return;
	if (r->method == AB_METHOD_ZERO_BOUND)
		r->b_upper = r->b.upper;
	r->moments.growth = components_growth(set->metric, list);
	ab_stats_set_level(r, r->level);
	test_change(r);
	decide(r);
}

void ab_stats_compare(const struct ab_metric *metric, const struct ab_obs *obs,
		      size_t n_obs, int b,
		      const struct ab_stats_options *options, gsl_rng *rng,
		      struct ab_comparison *result_out)
{
	struct ab_comparison *r = result_out;
	struct obs_list list = obs_list_new(metric, obs, n_obs, 0, b);
	int boots_a = obs_list_boots(&list, 0);
	int boots_b = obs_list_boots(&list, b);
	struct stats_set set;

	clear_result(r, options);
	r->blocks = obs_list_keep_pairs(&list, 0, b);
	r->a_left = boots_a - obs_list_boots(&list, 0);
	r->b_left = boots_b - obs_list_boots(&list, b);
	estimate_arms(metric, &list, b, r);
	r->reason = why_none(metric, r);
	if (!r->reason) {
		stats_set_init(&set, metric, &list, r->blocks > 1);
		infer(&set, &list, options, rng, r);
		stats_set_clear(&set);
	}
	obs_list_clear(&list);
}
