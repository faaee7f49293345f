// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate.h"
#include "interval.h"

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
		.level = options->level,
		.margin_pct = options->margin_pct,
		.verdict = AB_NOT_ENOUGH_DATA,
		.boots_needed = NAN,
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

static void set_percent(struct ab_comparison *r, const struct moments *m)
{
	if (percent_interval(m, r->level, &r->pct_lo, &r->pct_hi,
			     &r->pct_reason))
		r->pct = 100 * (r->b.value / r->a.value - 1);
}

/* TOST: both one-sided tests at 1 - level. */
static bool inside_margin(const struct ab_comparison *r,
			  const struct moments *m)
{
	const char *reason;
	double lo, hi;

	if (!isfinite(r->margin_pct) || !isfinite(r->pct) ||
	    !percent_interval(m, 1 - 2 * (1 - r->level), &lo, &hi, &reason))
		return false;
	return lo > -r->margin_pct && hi < r->margin_pct;
}

/*
 * By the interval that a report prints: that of the percent change, where
 * there is one.  Both cover, but with few blocks one may exclude 0 alone.
 */
static bool excludes_zero(const struct ab_comparison *r)
{
	if (isfinite(r->pct) && isfinite(r->pct_lo) && isfinite(r->pct_hi))
		return r->pct_lo > 0 || r->pct_hi < 0;
	return r->diff_lo > 0 || r->diff_hi < 0;
}

static void decide(struct ab_comparison *r, const struct moments *m)
{
	if (excludes_zero(r))
		r->verdict = AB_DIFFERENT;
	else if (inside_margin(r, m))
		r->verdict = AB_EQUIVALENT;
}

static void set_boots_needed(struct ab_comparison *r, const struct moments *m)
{
	double sd = sqrt(moments_var_diff(m) * r->blocks);
	double effect = r->diff;

	if (isfinite(r->margin_pct) && r->a.value > 0)
		effect = r->margin_pct / 100 * r->a.value;
	r->boots_needed = ab_stats_pairs_needed(effect, sd, r->level, POWER);
}

/*
 * With no event in B, the Poisson bound of the rate, and of the rate ratio:
 * the largest ratio at which none of the x events falls into B's exposure with
 * a probability of 1 - level.
 */
static void use_zero_bound(struct ab_comparison *r)
{
	double tail = 1 - r->level;

	r->method = AB_METHOD_ZERO_BOUND;
	r->b_upper = r->b.upper;
	r->pct = NAN;
	if (r->a.total == 0) {
		r->diff_lo = -r->a.upper;
		r->diff_hi = r->b.upper;
		r->pct_lo = r->pct_hi = NAN;
		r->pct_reason = "no event in either variant";
		return;
	}
	r->pct_reason = "no event in the variant";
	r->pct_lo = -100;
	r->pct_hi = 100 * ((pow(tail, -1 / r->a.total) - 1) * r->a.exposure /
				   r->b.exposure -
			   1);
}

static enum ab_method take_moments(const struct stats_set *set,
				   const struct ab_stats_options *options,
				   gsl_rng *rng, struct moments *m_out)
{
	bool ok = set->pool ? moments_bootstrap(set, options->resamples, rng,
						m_out)
			    : moments_linear(set, m_out);

	if (!ok)
		return AB_METHOD_NONE;
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
static bool no_spread(struct ab_comparison *r, const struct moments *m)
{
	double scale = MAX(fabs(r->a.value), fabs(r->b.value));

	if (sqrt(moments_var_diff(m)) > 1e-12 * scale)
		return false;
	if (fabs(r->diff) <= 1e-12 * scale)
		return false;
	r->method = AB_METHOD_NONE;
	r->reason = "no variation between boots: it cannot be tested";
	if (r->b.total == 0)
		use_zero_bound(r); /* never "-100 %" */
	else if (r->a.value > 0)
		r->pct = 100 * (r->b.value / r->a.value - 1);
	return true;
}

static void infer(const struct stats_set *set,
		  const struct ab_stats_options *options, gsl_rng *rng,
		  struct ab_comparison *r)
{
	struct moments m;
	double half;

	r->method = take_moments(set, options, rng, &m);
	if (r->method == AB_METHOD_NONE) {
		r->reason = "values too few or too large";
		return;
	}
	if (set->paired)
		r->p = permute_blocks(set, options->resamples, rng,
				      &r->p_exact);
	else
		use_poisson(set->metric, r);
	if (no_spread(r, &m))
		return;
	half = t_quantile(r->level, m.df) * sqrt(moments_var_diff(&m));
	r->diff_lo = r->diff - half;
	r->diff_hi = r->diff + half;
	set_percent(r, &m);
	decide(r, &m);
	if (set->paired)
		set_boots_needed(r, &m);
	if (r->b.total == 0)
		use_zero_bound(r);
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
		infer(&set, options, rng, r);
		stats_set_clear(&set);
	}
	obs_list_clear(&list);
}
