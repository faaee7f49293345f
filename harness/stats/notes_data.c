// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate.h"
#include "notes.h"

#include <math.h>
#include <stdlib.h>

#define HOUR 3600.0
#define ROUNDING 1e-9

bool note_is_flat(double spread, double scale)
{
	return !(spread > ROUNDING * fabs(scale));
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double note_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
	return ab_stats_quantile(values, n, 0.5);
}

static double value_over(const struct ab_metric *metric,
			 const struct ab_obs **obs, size_t n)
{
	struct obs_list list = { obs, n };
	struct ab_estimate estimate;

	estimate_of(metric, &list, 0.95, &estimate);
	return estimate.value;
}

/* ---- runs ---- */

static void set_events(struct note_data *d, struct note_run *run)
{
	struct cluster c = cluster_sum(d->metric, &run->obs, 1);

	run->events = cluster_events(d->metric, &c, &run->exposure);
}

static void add_runs(struct note_data *d, const struct obs_list *list)
{
	size_t n = 0;

	d->counts = obs_list_counts(d->metric, list);
	d->positive = list->n > 0;
	d->runs = g_new0(struct note_run, list->n + 1);
	for (size_t i = 0; i < list->n; i++) {
		struct note_run *run = &d->runs[n];

		run->obs = list->obs[i];
		run->value = value_over(d->metric, &list->obs[i], 1);
		if (!isfinite(run->value))
			continue;
		if (d->counts)
			set_events(d, run);
		d->positive &= run->value > 0;
		n++;
	}
	d->n_runs = n;
}

/* ---- boots ---- */

static int compare_positions(const void *a, const void *b)
{
	const struct note_run *x = a, *y = b;

	if (x->obs->position != y->obs->position)
		return x->obs->position < y->obs->position ? -1 : 1;
	return (x->obs > y->obs) - (x->obs < y->obs);
}

static struct note_boot boot_of(const struct ab_metric *metric,
				struct note_run *runs, size_t n)
{
	const struct ab_obs *obs = runs->obs;
	g_autofree const struct ab_obs **all = g_new(const struct ab_obs *, n);

	qsort(runs, n, sizeof(*runs), compare_positions);
	for (size_t i = 0; i < n; i++)
		all[i] = runs[i].obs;
	return (struct note_boot){
		.runs = runs,
		.n = n,
		.variant = obs->variant,
		.device = obs->device,
		.block = obs->block,
		.session = obs->session,
		.value = n > 1 ? value_over(metric, all, n) : runs->value,
	};
}

static void add_boots(struct note_data *d)
{
	size_t end;

	d->boots = g_new0(struct note_boot, d->n_runs + 1);
	for (size_t i = 0; i < d->n_runs; i = end) {
		for (end = i + 1;
		     end < d->n_runs &&
		     d->runs[i].obs->session == d->runs[end].obs->session;
		     end++)
			;
		d->boots[d->n_boots++] =
			boot_of(d->metric, d->runs + i, end - i);
	}
}

/* ---- blocks ---- */

static double covariate_of(const struct ab_obs *obs, enum note_covariate c)
{
	switch (c) {
	case NOTE_TIME:
		return obs->at / HOUR;
	case NOTE_SKIN:
		return obs->skin_c;
	default:
		return obs->battery;
	}
}

/* One arm of a block: its value and the means of what may explain it. */
static void set_arm(const struct note_data *d, const struct ab_obs **obs,
		    size_t n, struct note_block *block)
{
	int arm = obs[0]->variant != 0;

	for (int c = 0; c < NOTE_COVARIATES; c++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += covariate_of(obs[i], c);
		block->x[c][arm] = sum / (double)n;
	}
	block->device = obs[0]->device;
	block->value[arm] = value_over(d->metric, obs, n);
	if (d->linear) {
		struct cluster sum = cluster_sum(d->metric, obs, n);

		/* Until linearise(): what is above and below the line. */
		block->value[arm] = sum.num - d->arm[arm] * sum.den;
	}
}

static void set_arms(struct note_data *d, const struct obs_list *list)
{
	for (int arm = 0; arm < 2; arm++) {
		g_autofree const struct ab_obs **obs =
			g_new(const struct ab_obs *, list->n + 1);
		size_t n = 0;

		for (size_t i = 0; i < list->n; i++)
			if ((list->obs[i]->variant != 0) == arm)
				obs[n++] = list->obs[i];
		d->arm[arm] = value_over(d->metric, obs, n);
	}
}

/* (num - R den) / mean(den) + R, whose mean is R; as in spread_linear(). */
static void linearise(struct note_data *d, const struct obs_list *list)
{
	double den[2] = { 0 };

	for (size_t i = 0; i < list->n; i++)
		den[list->obs[i]->variant != 0] +=
			cluster_sum(d->metric, &list->obs[i], 1).den;
	for (size_t i = 0; i < d->n_blocks; i++)
		for (int arm = 0; arm < 2; arm++)
			d->blocks[i].value[arm] = d->blocks[i].value[arm] *
							  (double)d->n_blocks /
							  den[arm] +
						  d->arm[arm];
}

static void add_blocks(struct note_data *d, const struct obs_list *list)
{
	size_t end;
	int arms = 0;

	d->linear = d->counts || d->metric->stat == AB_STAT_RATIO;
	set_arms(d, list);
	d->blocks = g_new0(struct note_block, list->n + 1);
	for (size_t i = 0; i < list->n; i = end) {
		for (end = i + 1;
		     end < list->n &&
		     obs_same_block(list->obs[i], list->obs[end]) &&
		     list->obs[i]->variant == list->obs[end]->variant;
		     end++)
			;
		set_arm(d, list->obs + i, end - i, &d->blocks[arms++ / 2]);
	}
	d->n_blocks = (size_t)arms / 2;
	if (d->linear)
		linearise(d, list);
}

void note_data_init(struct note_data *d, const struct ab_metric *metric,
		    const struct ab_obs *obs, size_t n_obs, int b)
{
	struct obs_list list = obs_list_new(metric, obs, n_obs, 0, b);

	*d = (struct note_data){ .metric = metric, .b = b };
	add_runs(d, &list);
	add_boots(d);
	if (obs_list_keep_pairs(&list, 0, b) > 0)
		add_blocks(d, &list);
	obs_list_clear(&list);
}

void note_data_clear(struct note_data *d)
{
	g_free(d->runs);
	g_free(d->boots);
	g_free(d->blocks);
	*d = (struct note_data){ 0 };
}
