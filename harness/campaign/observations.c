// SPDX-License-Identifier: GPL-3.0-or-later
/* What the accepted runs of a campaign say about one metric. */
#include "results.h"

#include <math.h>
#include <string.h>

static bool withheld(const struct ab_run_data *data, const char *name)
{
	guint i;

	for (i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		if (!strcmp(w->name, name))
			return true;
	}
	return false;
}

static bool over_samples(const struct ab_metric *m)
{
	return m->stat != AB_STAT_RUN_MEAN && m->stat != AB_STAT_RATIO;
}

double results_seconds(const char *text)
{
	g_autoptr(GDateTime) t =
		text ? g_date_time_new_from_iso8601(text, NULL) : NULL;

	return t ? (double)g_date_time_to_unix(t) : NAN;
}

/* What its observations have in common. */
static struct ab_obs obs_of(const struct result_run *run)
{
	return (struct ab_obs){
		.variant = run->session->variant,
		.device = (int)run->session->device,
		.block = run->session->block,
		.session = (int)run->session->id,
		.value = NAN,
		.per = NAN,
		.at = results_seconds(run->row->began),
		.skin_c = run->row->skin_c,
		.battery = run->row->battery < 0 ? NAN : run->row->battery,
		.position = run->row->position,
	};
}

/* What @run says about @m; false when it says nothing. */
static bool observe(const struct ab_metric *m, const struct result_run *run,
		    struct ab_obs *obs)
{
	const GArray *samples;

	*obs = obs_of(run);
	if (withheld(run->data, m->source))
		return false;
	if (!over_samples(m))
		return ab_run_data_get(run->data, m->source, &obs->value) &&
		       (!m->per ||
			ab_run_data_get(run->data, m->per, &obs->per));
	samples = ab_run_data_find(run->data, m->source);
	if (!samples)
		return false;
	obs->samples = (const double *)(const void *)samples->data;
	obs->n_samples = samples->len;
	return true;
}

static bool is_in(const struct results *r, const struct result_run *run,
		  const char *platform, int scenario)
{
	return run->data && run->row->scenario == scenario &&
	       !strcmp(results_device(r, run)->platform, platform);
}

GArray *results_measured(const struct results *r, const char *platform,
			 int scenario)
{
	GArray *all =
		g_array_new(FALSE, FALSE, sizeof(struct ab_report_measured));
	guint i;

	for (i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		struct ab_report_measured one = { .data = run->data };

		if (!is_in(r, run, platform, scenario))
			continue;
		one.obs = obs_of(run);
		g_array_append_val(all, one);
	}
	return all;
}

GArray *results_observations(const struct results *r, const char *platform,
			     int scenario, const struct ab_metric *m)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct ab_obs));
	guint i;

	for (i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		struct ab_obs obs;

		if (is_in(r, run, platform, scenario) && observe(m, run, &obs))
			g_array_append_val(all, obs);
	}
	return all;
}
