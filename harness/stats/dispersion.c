// SPDX-License-Identifier: GPL-3.0-or-later
#include "set.h"

#include <abrig/stats_design.h>
#include <math.h>

struct counts {
	double chi2, rate;
	int boots;
};

static void add_boot(struct counts *counts, const struct ab_metric *metric,
		     const struct obs_list *boot)
{
	double exposure, events = obs_list_events(metric, boot, &exposure);
	double wanted = counts->rate * exposure;

	if (!(wanted > 0))
		return;
	counts->chi2 += (events - wanted) * (events - wanted) / wanted;
	counts->boots++;
}

/* Adds Pearson's chi-squared of one variant; the degrees of freedom. */
static int add_variant(const struct ab_metric *metric, const struct ab_obs *obs,
		       size_t n_obs, int variant, double *chi2)
{
	struct obs_list list =
		obs_list_new(metric, obs, n_obs, variant, variant);
	struct counts counts = { 0 };
	double exposure, events = obs_list_events(metric, &list, &exposure);
	size_t end;

	counts.rate = events / exposure;
	for (size_t i = 0; events > 0 && i < list.n; i = end) {
		struct obs_list boot = { .obs = list.obs + i };

		for (end = i; end < list.n &&
			      list.obs[i]->session == list.obs[end]->session;
		     end++)
			;
		boot.n = end - i;
		add_boot(&counts, metric, &boot);
	}
	obs_list_clear(&list);
	*chi2 += counts.chi2;
	return MAX(counts.boots - 1, 0);
}

double ab_stats_dispersion(const struct ab_metric *metric,
			   const struct ab_obs *obs, size_t n_obs, int b)
{
	double chi2 = 0;
	int df = add_variant(metric, obs, n_obs, 0, &chi2) +
		 add_variant(metric, obs, n_obs, b, &chi2);

	return df > 0 ? chi2 / df : NAN;
}
