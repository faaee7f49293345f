// SPDX-License-Identifier: GPL-3.0-or-later
/* Effect sizes of values that are as independent as they come. */
#include "estimate.h"

#include <abrig/stats_methods.h>

#include <math.h>

static double *values_of(const struct ab_metric *metric,
			 const struct obs_list *list, int variant, bool blocks,
			 size_t *n_out)
{
	double *values = g_new(double, list->n + 1);
	size_t end;

	*n_out = 0;
	for (size_t i = 0; i < list->n; i = end) {
		struct obs_list unit = { .obs = list->obs + i };

		for (end = i + 1;
		     blocks && end < list->n &&
		     obs_same_block(list->obs[i], list->obs[end]) &&
		     list->obs[i]->variant == list->obs[end]->variant;
		     end++)
			;
		unit.n = end - i;
		if (list->obs[i]->variant == variant)
			values[(*n_out)++] = estimate_value(metric, &unit);
	}
	return values;
}

void ab_stats_units(const struct ab_metric *metric, const struct ab_obs *obs,
		    size_t n_obs, int a, int b, struct ab_units *units_out)
{
	struct obs_list list = obs_list_new(metric, obs, n_obs, a, b);
	bool blocks = obs_list_keep_pairs(&list, a, b) > 1;

	*units_out = (struct ab_units){ .paired = blocks };
	units_out->a = values_of(metric, &list, a, blocks, &units_out->n_a);
	units_out->b = values_of(metric, &list, b, blocks, &units_out->n_b);
	obs_list_clear(&list);
}

void ab_units_clear(struct ab_units *units)
{
	g_free(units->a);
	g_free(units->b);
	*units = (struct ab_units){ 0 };
}

void ab_stats_effect(const struct ab_units *units, double level,
		     struct ab_effect *effect_out)
{
	const struct ab_units *u = units;
	g_autofree double *diff = g_new(double, u->n_a + 1);
	struct ab_rank_test test;

	*effect_out = (struct ab_effect){
		.paired = u->paired,
		.n_a = (int)u->n_a,
		.n_b = (int)u->n_b,
		.cliff = ab_stats_cliff(u->a, u->n_a, u->b, u->n_b),
	};
	if (u->paired) {
		for (size_t i = 0; i < u->n_a; i++)
			diff[i] = u->b[i] - u->a[i];
		ab_stats_signed_rank(diff, u->n_a, AB_RANK_EXACT, &test);
		ab_stats_paired_shift(diff, u->n_a, level, &effect_out->shift);
	} else {
		ab_stats_mann_whitney(u->a, u->n_a, u->b, u->n_b, AB_RANK_EXACT,
				      &test);
		ab_stats_shift(u->a, u->n_a, u->b, u->n_b, level,
			       &effect_out->shift);
	}
	effect_out->p = test.p;
	effect_out->p_exact = test.exact;
}
