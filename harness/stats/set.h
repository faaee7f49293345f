/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of one comparison, reduced to clusters: what one block (or, with
 * one block only, one run) holds of one arm.  Every statistic is a function of
 * weights on clusters, so estimating, resampling and permuting are one call.
 */
#ifndef STATS_SET_H
#define STATS_SET_H

#include <abrig/stats.h>

/* Observations of interest, by device, block, variant and session. */
struct obs_list {
	const struct ab_obs **obs;
	size_t n;
};

/* The usable runs of variants @a and @b (the same for one variant). */
struct obs_list obs_list_new(const struct ab_metric *metric,
			     const struct ab_obs *obs, size_t n_obs, int a,
			     int b);
void obs_list_clear(struct obs_list *list);
bool obs_same_block(const struct ab_obs *a, const struct ab_obs *b);
/* How many sessions of @variant the list holds. */
int obs_list_boots(const struct obs_list *list, int variant);
/*
 * Drop blocks without both variants; returns how many blocks remain.  Without
 * any such block nothing is dropped: all is shown, and nothing claimed.
 */
int obs_list_keep_pairs(struct obs_list *list, int a, int b);

/* What the runs of a cluster add up to: the value is num / den. */
struct cluster {
	double num, den;
	double events, exposure; /* stats_set.events: what it counts */
	int arm;		 /* 0: baseline, 1: the variant */
};
struct cluster cluster_sum(const struct ab_metric *metric,
			   const struct ab_obs *const *obs, size_t n);
/* Whether what @metric adds up over @list are events. */
bool obs_list_counts(const struct ab_metric *metric,
		     const struct obs_list *list);
/* Events counted over @list; NAN when the metric does not count events. */
double obs_list_events(const struct ab_metric *metric,
		       const struct obs_list *list, double *exposure_out);
/* The events of @c; a ratio of 2 per 100 frames is 2 in 1 exposure. */
double cluster_events(const struct ab_metric *metric, const struct cluster *c,
		      double *exposure_out);

/* Sorted samples of all clusters, for quantiles under integer weights. */
struct pool;
struct pool *pool_new(void);
void pool_free(struct pool *pool);
/*
 * Append a run's samples, which must stay as long as the pool; they need not
 * be sorted or finite.
 */
void pool_add(struct pool *pool, const double *samples, size_t n,
	      size_t cluster);
/*
 * After the last pool_add(); every cluster is below @n_clusters, every quantile
 * asked for between @q_lo and @q_hi.
 */
void pool_sort(struct pool *pool, size_t n_clusters, double q_lo, double q_hi);
/* Quantile of the samples, each repeated as often as its cluster weighs. */
double pool_quantile(const struct pool *pool, const unsigned int *weights,
		     double q);
/* Samples of clusters with a weight, weights counted. */
guint64 pool_size(const struct pool *pool, const unsigned int *weights);

/*
 * Paired: clusters 2k and 2k + 1 are the baseline and the variant of block k.
 * Not paired: one cluster per run, those of the baseline first.
 */
struct stats_set {
	const struct ab_metric *metric;
	struct cluster *clusters;
	size_t n, n_base;
	bool paired;
	bool events;	   /* counted by all clusters */
	struct pool *pool; /* quantiles only */
};
void stats_set_init(struct stats_set *set, const struct ab_metric *metric,
		    const struct obs_list *list, bool paired);
void stats_set_clear(struct stats_set *set);
/* The statistic over all clusters, each as often as it weighs. */
double stats_set_eval(const struct stats_set *set, const unsigned int *weights);
/* Weights that select the arm. */
unsigned int *stats_set_arm(const struct stats_set *set, int arm);

double moments_var_diff(const struct ab_moments *s);
/* False when there are too few clusters of an arm. */
bool moments_linear(const struct stats_set *set, struct ab_moments *s_out);
bool moments_bootstrap(const struct stats_set *set, int resamples, gsl_rng *rng,
		       struct ab_moments *s_out);
/* Add what is needed for few events; false when the set has not few. */
bool moments_few_events(const struct stats_set *set, struct ab_moments *s);

/*
 * The p of flipping a set of @n signs: the share of arrangements for which
 * |statistic(flips)| reaches that without flips.
 */
typedef double (*flip_statistic)(const bool *flips, void *context);
double permute(size_t n, flip_statistic statistic, void *context, int resamples,
	       gsl_rng *rng, bool *exact_out);
/* p of swapping the variants within blocks, for any statistic. */
double permute_blocks(const struct stats_set *set, int resamples, gsl_rng *rng,
		      bool *exact_out);

#endif
