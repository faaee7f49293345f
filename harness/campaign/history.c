// SPDX-License-Identifier: GPL-3.0-or-later
/* A campaign that ran, for planning the next. */
#include "results.h"

#include <abrig/error.h>
#include <math.h>
#include <string.h>

struct ab_history *ab_history_load(const char *dir, GError **error)
{
	ab_autoptr(ab_history) h = g_new0(struct ab_history, 1);
	g_autofree char *primary = NULL;

	h->results = results_open(dir, error);
	if (!h->results)
		return NULL;
	primary = ab_store_fact(h->results->store, "primary", error);
	if (!primary) {
		if (error && !*error)
			g_set_error(error, AB_ERROR, AB_ERROR_DATA,
				    "%s: the campaign's database lacks "
				    "'primary'",
				    dir);
		return NULL;
	}
	h->primary =
		*primary ? g_strsplit(primary, "\n", -1) : g_new0(char *, 1);
	h->plan = h->results->report.plan;
	h->variants = h->results->variants;
	h->platforms = results_platforms(h->results);
	h->scenarios = h->results->scenarios;
	return g_steal_pointer(&h);
}

void ab_history_free(struct ab_history *h)
{
	if (!h)
		return;
	g_strfreev(h->primary);
	g_clear_pointer(&h->platforms, g_ptr_array_unref);
	if (h->results)
		ab_results_free(&h->results->report);
	g_free(h);
}

GArray *ab_history_observations(const struct ab_history *h,
				const char *platform, guint scenario,
				const struct ab_metric *metric)
{
	return results_observations(h->results, platform, (int)scenario,
				    metric);
}

double ab_history_margin(const struct ab_history *h, const char *metric)
{
	return results_margin(h->results, metric);
}

/* ---- costs ---- */

static bool on_platform(const struct results *r, const struct result_run *run,
			const char *platform)
{
	return !strcmp(results_device(r, run)->platform, platform);
}

static double run_cost(const struct results *r, const char *platform)
{
	double sum = 0;
	int accepted = 0;

	for (guint i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		double took = results_seconds(run->row->ended) -
			      results_seconds(run->row->began);

		if (run->row->warmup || !isfinite(took) ||
		    !on_platform(r, run, platform))
			continue;
		sum += MAX(took, 0);
		accepted += run->row->state == AB_RUN_ACCEPTED;
	}
	return accepted ? sum / accepted * r->scenarios->len : NAN;
}

static double first_run(const struct results *r,
			const struct ab_session_row *session)
{
	for (guint i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];

		if (run->session == session && !run->row->warmup &&
		    run->row->began)
			return results_seconds(run->row->began);
	}
	return NAN;
}

static bool has_device(const struct results *r, gint64 id, const char *platform)
{
	for (guint i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];

		if (d->id == id)
			return !strcmp(d->platform, platform);
	}
	return false;
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A night between two sessions must not count: the median. */
static double boot_cost(const struct results *r, const char *platform)
{
	g_autoptr(GArray) gaps = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 1; i < r->sessions->len; i++) {
		const struct ab_session_row *last = r->sessions->pdata[i - 1];
		const struct ab_session_row *s = r->sessions->pdata[i];
		double gap = first_run(r, s) - results_seconds(last->ended);

		if (last->device == s->device && gap >= 0 &&
		    has_device(r, s->device, platform))
			g_array_append_val(gaps, gap);
	}
	g_array_sort(gaps, compare_doubles);
	return ab_stats_quantile((const double *)(const void *)gaps->data,
				 gaps->len, 0.5);
}

struct ab_costs ab_history_costs(const struct ab_history *h,
				 const char *platform)
{
	return (struct ab_costs){
		.boot_s = boot_cost(h->results, platform),
		.run_s = run_cost(h->results, platform),
	};
}
