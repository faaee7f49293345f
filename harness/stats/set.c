// SPDX-License-Identifier: GPL-3.0-or-later
#include "set.h"

#include <math.h>
#include <stdlib.h>

static bool any_finite(const struct ab_obs *obs)
{
	for (size_t i = 0; i < obs->n_samples; i++)
		if (isfinite(obs->samples[i]))
			return true;
	return false;
}

static bool usable(const struct ab_metric *metric, const struct ab_obs *obs)
{
	switch (metric->stat) {
	case AB_STAT_COUNT_GE:
		return true;
	case AB_STAT_RUN_MEAN:
		return isfinite(obs->value);
	case AB_STAT_RATIO:
		return isfinite(obs->value) && isfinite(obs->per);
	default:
		return any_finite(obs);
	}
}

static int compare_obs(const void *a, const void *b)
{
	const struct ab_obs *x = *(const struct ab_obs *const *)a;
	const struct ab_obs *y = *(const struct ab_obs *const *)b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->variant != y->variant)
		return x->variant < y->variant ? -1 : 1;
	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	/* The order of the input: results must not depend on qsort(). */
	return (x > y) - (x < y);
}

struct obs_list obs_list_new(const struct ab_metric *metric,
			     const struct ab_obs *obs, size_t n_obs, int a,
			     int b)
{
	struct obs_list list = { .obs = g_new(const struct ab_obs *,
					      n_obs + 1) };

	for (size_t i = 0; i < n_obs; i++)
		if ((obs[i].variant == a || obs[i].variant == b) &&
		    usable(metric, &obs[i]))
			list.obs[list.n++] = &obs[i];
	qsort(list.obs, list.n, sizeof(gpointer), compare_obs);
	return list;
}

void obs_list_clear(struct obs_list *list)
{
	g_free(list->obs);
	*list = (struct obs_list){ 0 };
}

bool obs_same_block(const struct ab_obs *a, const struct ab_obs *b)
{
	return a->device == b->device && a->block == b->block;
}

int obs_list_boots(const struct obs_list *list, int variant)
{
	const struct ab_obs *last = NULL;
	int boots = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->obs[i]->variant != variant)
			continue;
		if (!last || last->session != list->obs[i]->session)
			boots++;
		last = list->obs[i];
	}
	return boots;
}

int obs_list_keep_pairs(struct obs_list *list, int a, int b)
{
	size_t kept = 0, end;
	int blocks = 0;

	for (size_t i = 0; i < list->n; i = end) {
		bool has_a = false, has_b = false;

		for (end = i; end < list->n &&
			      obs_same_block(list->obs[i], list->obs[end]);
		     end++) {
			has_a |= list->obs[end]->variant == a;
			has_b |= list->obs[end]->variant == b;
		}
		if (!has_a || !has_b)
			continue;
		blocks++;
		for (size_t j = i; j < end; j++)
			list->obs[kept++] = list->obs[j];
	}
	if (blocks > 0)
		list->n = kept;
	return blocks;
}

static void add_samples(struct cluster *c, const struct ab_obs *obs)
{
	for (size_t i = 0; i < obs->n_samples; i++)
		if (isfinite(obs->samples[i])) {
			c->num += obs->samples[i];
			c->den++;
		}
}

static double count_ge(const struct ab_obs *obs, double threshold)
{
	size_t n = 0;

	for (size_t i = 0; i < obs->n_samples; i++)
		n += isfinite(obs->samples[i]) && obs->samples[i] >= threshold;
	return (double)n;
}

static void add_run(struct cluster *c, const struct ab_metric *metric,
		    const struct ab_obs *obs)
{
	switch (metric->stat) {
	case AB_STAT_MEAN:
		add_samples(c, obs);
		break;
	case AB_STAT_COUNT_GE:
		c->num += count_ge(obs, metric->arg);
		c->den++;
		break;
	case AB_STAT_RATIO:
		c->num += metric->arg * obs->value;
		c->den += obs->per;
		break;
	case AB_STAT_RUN_MEAN:
		c->num += obs->value;
		c->den++;
		break;
	case AB_STAT_QUANTILE:
	case AB_STAT_MAX:
		c->den += (double)obs->n_samples;
		break;
	}
}

struct cluster cluster_sum(const struct ab_metric *metric,
			   const struct ab_obs *const *obs, size_t n)
{
	struct cluster c = { 0 };

	for (size_t i = 0; i < n; i++)
		add_run(&c, metric, obs[i]);
	return c;
}

bool obs_list_counts(const struct ab_metric *metric,
		     const struct obs_list *list)
{
	if (metric->stat == AB_STAT_COUNT_GE)
		return list->n > 0;
	if (metric->continuous)
		return false;
	/* A number without unit per run, or a share: events if whole. */
	if (metric->stat != AB_STAT_RATIO &&
	    (metric->stat != AB_STAT_RUN_MEAN || *metric->unit))
		return false;
	for (size_t i = 0; i < list->n; i++)
		if (list->obs[i]->value < 0 ||
		    list->obs[i]->value != floor(list->obs[i]->value))
			return false;
	return list->n > 0;
}

double cluster_events(const struct ab_metric *metric, const struct cluster *c,
		      double *exposure_out)
{
	double scale = metric->stat == AB_STAT_RATIO ? metric->arg : 1;

	*exposure_out = c->den / scale;
	return c->num / scale;
}

double obs_list_events(const struct ab_metric *metric,
		       const struct obs_list *list, double *exposure_out)
{
	struct cluster sum = cluster_sum(metric, list->obs, list->n);
	double events = cluster_events(metric, &sum, exposure_out);

	return obs_list_counts(metric, list) ? events : NAN;
}

/*
 * Each block weighs the same in a mean; runs of a single boot, rates and
 * ratios weigh by what is below the line.
 */
static void weigh_alike(struct cluster *c)
{
	c->num = c->num / c->den; /* NAN when nothing was measured */
	c->den = 1;
}

static void add_cluster(struct stats_set *set, const struct obs_list *list,
			size_t begin, size_t end, int arm)
{
	struct cluster c =
		cluster_sum(set->metric, list->obs + begin, end - begin);

	if (set->events)
		c.events = cluster_events(set->metric, &c, &c.exposure);
	else if (set->paired && set->metric->stat != AB_STAT_RATIO &&
		 !set->pool)
		weigh_alike(&c);
	c.arm = arm;
	for (size_t i = begin; set->pool && i < end; i++)
		pool_add(set->pool, list->obs[i]->samples,
			 list->obs[i]->n_samples, set->n);
	set->clusters[set->n++] = c;
}

static void add_arm_of_runs(struct stats_set *set, const struct obs_list *list,
			    int arm)
{
	for (size_t i = 0; i < list->n; i++)
		if ((list->obs[i]->variant != 0) == arm)
			add_cluster(set, list, i, i + 1, arm);
}

static void add_blocks(struct stats_set *set, const struct obs_list *list)
{
	size_t end;

	for (size_t i = 0; i < list->n; i = end) {
		for (end = i; end < list->n &&
			      obs_same_block(list->obs[i], list->obs[end]) &&
			      list->obs[i]->variant == list->obs[end]->variant;
		     end++)
			;
		add_cluster(set, list, i, end, list->obs[i]->variant != 0);
	}
}

void stats_set_init(struct stats_set *set, const struct ab_metric *metric,
		    const struct obs_list *list, bool paired)
{
	*set = (struct stats_set){
		.metric = metric,
		.clusters = g_new0(struct cluster, list->n + 1),
		.paired = paired,
		.events = obs_list_counts(metric, list),
	};
	if (metric->stat == AB_STAT_QUANTILE)
		set->pool = pool_new();
	if (paired) {
		add_blocks(set, list);
		set->n_base = set->n / 2;
	} else {
		add_arm_of_runs(set, list, 0);
		set->n_base = set->n;
		add_arm_of_runs(set, list, 1);
	}
	if (set->pool)
		pool_sort(set->pool, set->n, metric->arg, metric->arg);
}

void stats_set_clear(struct stats_set *set)
{
	g_free(set->clusters);
	pool_free(set->pool);
	*set = (struct stats_set){ 0 };
}

double stats_set_eval(const struct stats_set *set, const unsigned int *weights)
{
	double num = 0, den = 0;

	if (set->pool)
		return pool_quantile(set->pool, weights, set->metric->arg);
	for (size_t i = 0; i < set->n; i++) {
		if (weights[i] == 0)
			continue;
		num += weights[i] * set->clusters[i].num;
		den += weights[i] * set->clusters[i].den;
	}
	return den > 0 ? num / den : NAN;
}

unsigned int *stats_set_arm(const struct stats_set *set, int arm)
{
	unsigned int *weights = g_new0(unsigned int, set->n + 1);

	for (size_t i = 0; i < set->n; i++)
		weights[i] = set->clusters[i].arm == arm;
	return weights;
}
