// SPDX-License-Identifier: GPL-3.0-or-later
/* What an A/A campaign says about each of its devices. */
#include "results.h"

#include <abrig/aa.h>
#include <abrig/error.h>
#include <math.h>
#include <string.h>

#define LEVEL 0.95
#define RESAMPLES 2000

/* @all without what other devices saw. */
static GArray *of_device(const GArray *all, gint64 device)
{
	GArray *own = g_array_new(FALSE, FALSE, sizeof(struct ab_obs));

	for (guint i = 0; i < all->len; i++) {
		const struct ab_obs *obs =
			&g_array_index(all, struct ab_obs, i);

		if (obs->device == (int)device)
			g_array_append_vals(own, obs, 1);
	}
	return own;
}

static bool tested(const struct ab_comparison *c)
{
	return c->blocks >= AB_AA_MIN_BLOCKS && isfinite(c->p_change) &&
	       c->diff_hi > c->diff_lo;
}

/*
 * One test for the metric: with several variants that of the smallest p, by
 * Bonferroni, and the widest interval.
 */
static void add_test(struct ab_aa_night *night, const char *scenario,
		     const struct ab_metric *m, const struct ab_comparison *all,
		     size_t n)
{
	struct ab_aa_test *test = NULL;
	int tests = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ab_comparison *c = &all[i];
		double pct = (c->pct_hi - c->pct_lo) / 2;

		if (!tested(c))
			continue;
		if (tests++ == 0)
			test = ab_aa_night_add(night, scenario, m->id, 1);
		test->p = fmin(test->p, c->p_change);
		test->floor = fmax(test->floor, (c->diff_hi - c->diff_lo) / 2);
		if (isfinite(pct))
			test->floor_pct = fmax(test->floor_pct, pct);
		night->blocks = MAX(night->blocks, c->blocks);
		night->boots = MAX(night->boots, c->a.boots);
		night->runs = MAX(night->runs, c->a.runs);
	}
	if (test)
		test->p = fmin(1, tests * test->p);
}

static void test_metric(const struct results *r, const struct ab_device_row *d,
			int scenario, const struct ab_metric *m,
			struct ab_aa_night *night)
{
	const struct ab_stats_options options = { .level = LEVEL,
						  .margin_pct = NAN,
						  .resamples = RESAMPLES };
	const struct ab_scenario *s = r->scenarios->pdata[scenario];
	size_t n = r->report.n_variants - 1;
	g_autoptr(GArray) all =
		results_observations(r, d->platform, scenario, m);
	g_autoptr(GArray) own = of_device(all, d->id);
	const struct ab_obs *o = (const struct ab_obs *)(const void *)own->data;
	g_autofree struct ab_comparison *c = g_new0(struct ab_comparison, n);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, (unsigned long)r->report.seed);
	for (size_t i = 0; i < n; i++)
		ab_stats_compare(m, o, own->len, (int)i + 1, &options, rng,
				 &c[i]);
	gsl_rng_free(rng);
	add_test(night, s->name, m, c, n);
}

static struct ab_aa_night *night_of(const struct results *r,
				    const struct ab_device_row *d)
{
	struct ab_aa_night *night = ab_aa_night_new();

	night->serial = g_strdup(d->serial);
	night->plan = g_strdup(r->report.plan);
	night->plan_sha256 = g_strdup(r->report.plan_sha256);
	night->tool = g_strdup(r->report.tool);
	night->began = g_strdup(r->report.began);
	for (guint i = 0; i < r->scenarios->len; i++)
		for (const struct ab_metric *m = ab_metrics; m->id; m++)
			test_metric(r, d, (int)i, m, night);
	return night;
}

static bool check_declared(const struct results *r, const char *dir,
			   GError **error)
{
	g_autofree char *same = ab_store_fact(r->store, "same", NULL);
	g_autofree char *stopped = ab_store_fact(r->store, "stop.blocks", NULL);

	if (g_strcmp0(same, "yes") != 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "%s: its plan does not declare an A/A campaign: "
			    "its variants are meant to differ. abrig aa PLAN "
			    "runs the plan's baseline against itself",
			    dir);
		return false;
	}
	if (stopped) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "%s: it stopped early, where it had found a "
			    "difference: that is no measure of false alarms. "
			    "Run the A/A without schedule.stop",
			    dir);
		return false;
	}
	if (r->report.n_variants >= 2 && r->report.ended)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
		    "%s: the campaign has not ended yet", dir);
	return false;
}

static void free_night(gpointer night)
{
	ab_aa_night_free(night);
}

GPtrArray *ab_aa_evaluate(const char *dir, GError **error)
{
	struct results *r = results_open(dir, error);
	GPtrArray *nights = NULL;

	if (!r)
		return NULL;
	if (check_declared(r, dir, error)) {
		nights = g_ptr_array_new_with_free_func(free_night);
		for (guint i = 0; i < r->devices->len; i++)
			g_ptr_array_add(nights,
					night_of(r, r->devices->pdata[i]));
	}
	ab_results_free(&r->report);
	return nights;
}
