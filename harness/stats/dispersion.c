// SPDX-License-Identifier: GPL-3.0-or-later
#include "set.h"

#include <abrig/stats_design.h>
#include <math.h>

/* The events of each boot of @variant; room for @n_obs. */
static size_t count_boots(const struct ab_metric *metric,
			  const struct ab_obs *obs, size_t n_obs, int variant,
			  double *events, double *exposures)
{
	struct obs_list list =
		obs_list_new(metric, obs, n_obs, variant, variant);
	size_t boots = 0, end;

	for (size_t i = 0; i < list.n; i = end, boots++) {
		struct obs_list boot = { .obs = list.obs + i };

		for (end = i; end < list.n &&
			      list.obs[i]->session == list.obs[end]->session;
		     end++)
			;
		boot.n = end - i;
		events[boots] =
			obs_list_events(metric, &boot, &exposures[boots]);
	}
	obs_list_clear(&list);
	return boots;
}

double ab_stats_dispersion(const struct ab_metric *metric,
			   const struct ab_obs *obs, size_t n_obs, int b)
{
	g_autofree double *events = g_new(double, 2 * n_obs + 1);
	g_autofree double *exposures = g_new(double, 2 * n_obs + 1);
	size_t n = count_boots(metric, obs, n_obs, 0, events, exposures);
	struct ab_counts arms[2] = { { events, exposures, n },
				     { events + n, exposures + n, 0 } };
	double df;

	arms[1].n =
		count_boots(metric, obs, n_obs, b, events + n, exposures + n);
	return ab_stats_counts_dispersion(arms, 2, &df);
}
