// SPDX-License-Identifier: GPL-3.0-or-later
/* From campaigns that ran, or numbers by hand, to the tables of abrig power. */
#include "power.h"

#include <abrig/campaign.h>
#include <abrig/error.h>
#include <math.h>
#include <string.h>

#define CHANGE_PCT 5
#define BOOT_S 240 /* assumed: flash, two boots' worth of waiting, prepare */
#define RUN_S 60

/* Campaigns, and what one table takes of each. */
struct source {
	const struct ab_history *history;
	int variant; /* its index there */
};

/* ---- costs ---- */

static void set_costs(const struct power_request *request,
		      struct ab_costs measured, struct ab_power_table *t)
{
	bool given = isfinite(request->costs.boot_s) ||
		     isfinite(request->costs.run_s);
	bool known = measured.boot_s > 0 && measured.run_s > 0;

	t->costs = known ? measured : (struct ab_costs){ BOOT_S, RUN_S };
	t->costs_from = given ? "given" : known ? "measured" : "assumed";
	if (isfinite(request->costs.boot_s))
		t->costs.boot_s = request->costs.boot_s;
	if (isfinite(request->costs.run_s))
		t->costs.run_s = request->costs.run_s;
}

/* The mean over campaigns that measured them. */
static struct ab_costs mean_costs(const GArray *sources, const char *platform)
{
	struct ab_costs sum = { 0 };
	int n = 0;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *s =
			&g_array_index(sources, struct source, i);
		struct ab_costs one = ab_history_costs(s->history, platform);

		if (!(one.boot_s > 0 && one.run_s > 0))
			continue;
		sum.boot_s += one.boot_s;
		sum.run_s += one.run_s;
		n++;
	}
	return (struct ab_costs){ sum.boot_s / n, sum.run_s / n };
}

/* ---- rows ---- */

static int find_scenario(const struct ab_history *h, const char *name)
{
	for (guint i = 0; i < h->scenarios->len; i++) {
		const struct ab_scenario *s = h->scenarios->pdata[i];

		if (!strcmp(s->name, name))
			return (int)i;
	}
	return -1;
}

/* Adds what one campaign says; false when it did not measure @m. */
static bool add_source(const struct source *s, const struct ab_power_table *t,
		       const struct ab_metric *m, struct ab_squares *squares,
		       struct ab_power_row *row)
{
	int scenario = find_scenario(s->history, t->scenario);
	g_autoptr(GArray) all = NULL;
	const struct ab_obs *obs;
	double margin;

	if (scenario < 0)
		return false;
	all = ab_history_observations(s->history, t->platform, (guint)scenario,
				      m);
	if (!all->len)
		return false;
	obs = (const struct ab_obs *)(const void *)all->data;
	ab_stats_squares_add(squares, m, obs, all->len, s->variant);
	/* The last campaign's plan is the one that will be changed. */
	row->dispersion = ab_stats_dispersion(m, obs, all->len, s->variant);
	row->primary = g_strv_contains((const char *const *)s->history->primary,
				       m->id);
	margin = ab_history_margin(s->history, m->id);
	row->margin = isfinite(margin);
	row->change_pct = margin;
	return true;
}

static void set_change(const struct ab_power_question *q,
		       struct ab_power_row *row)
{
	row->margin &= isnan(q->change_pct);
	if (isfinite(q->change_pct))
		row->change_pct = q->change_pct;
	else if (!row->margin)
		row->change_pct = CHANGE_PCT;
}

static void add_row(const struct power_request *request,
		    const struct ab_metric *m, const GArray *sources,
		    struct ab_power_table *t)
{
	struct ab_squares squares = { 0 };
	struct ab_power_row row = { .metric = m };
	double alpha = 1 - request->question.level;
	bool any = false;

	for (guint i = 0; i < sources->len; i++)
		any |= add_source(&g_array_index(sources, struct source, i), t,
				  m, &squares, &row);
	if (!any)
		return;
	ab_stats_components_of(&squares, &row.c);
	set_change(&request->question, &row);
	row.level = 1 - (row.primary ? alpha / t->primaries : alpha);
	ab_power_answer(&request->question, &t->costs, &row);
	g_array_append_val(t->rows, row);
}

/* ---- tables ---- */

static struct ab_power_table *new_table(void)
{
	struct ab_power_table *t = g_new0(struct ab_power_table, 1);

	t->rows = g_array_new(FALSE, TRUE, sizeof(struct ab_power_row));
	return t;
}

/* A maximum cannot be planned; who asks for one is told. */
static bool is_wanted(const struct power_request *request,
		      const struct ab_metric *m)
{
	if (!request->metrics)
		return m->stat != AB_STAT_MAX;
	return g_strv_contains((const char *const *)request->metrics, m->id);
}

static void add_table(const struct power_request *request,
		      const GArray *sources, const char *platform,
		      const char *scenario, GPtrArray *tables)
{
	const struct source *last =
		&g_array_index(sources, struct source, sources->len - 1);
	struct ab_power_table *t = new_table();

	t->platform = g_strdup(platform);
	t->scenario = g_strdup(scenario);
	t->base = g_strdup(last->history->variants[0]);
	t->variant = g_strdup(last->history->variants[last->variant]);
	t->primaries = (int)g_strv_length(last->history->primary);
	for (guint i = 0; i < sources->len; i++) {
		const struct source *s =
			&g_array_index(sources, struct source, i);

		t->campaigns +=
			find_scenario(s->history, scenario) >= 0 &&
			g_ptr_array_find_with_equal_func(s->history->platforms,
							 platform, g_str_equal,
							 NULL);
	}
	set_costs(request, mean_costs(sources, platform), t);
	for (const struct ab_metric *m = ab_metrics; m->id; m++)
		if (is_wanted(request, m))
			add_row(request, m, sources, t);
	if (t->rows->len)
		g_ptr_array_add(tables, t);
	else
		ab_power_table_free(t);
}

static bool has_table(const GPtrArray *tables, const char *platform,
		      const char *scenario)
{
	for (guint i = 0; i < tables->len; i++) {
		const struct ab_power_table *t = tables->pdata[i];

		if (!strcmp(t->platform, platform) &&
		    !strcmp(t->scenario, scenario))
			return true;
	}
	return false;
}

static void add_tables(const struct power_request *request,
		       const GArray *sources, const struct ab_history *h,
		       GPtrArray *tables)
{
	for (guint p = 0; p < h->platforms->len; p++)
		for (guint i = 0; i < h->scenarios->len; i++) {
			const struct ab_scenario *s = h->scenarios->pdata[i];

			if (!has_table(tables, h->platforms->pdata[p], s->name))
				add_table(request, sources,
					  h->platforms->pdata[p], s->name,
					  tables);
		}
}

static int find_variant(const struct power_request *request,
			const struct ab_history *h)
{
	if (!request->variant)
		return 1;
	for (int i = 1; h->variants[0] && h->variants[i]; i++)
		if (!strcmp(h->variants[i], request->variant))
			return i;
	return 0;
}

static bool load_all(const struct power_request *request, GPtrArray *histories,
		     GArray *sources, GError **error)
{
	for (char **dir = request->dirs; *dir; dir++) {
		struct ab_history *h = ab_history_load(*dir, error);
		struct source source = { .history = h };

		if (!h)
			return false;
		g_ptr_array_add(histories, h);
		source.variant = find_variant(request, h);
		if (source.variant > 0)
			g_array_append_val(sources, source);
	}
	if (sources->len)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "no campaign compares a variant '%s'", request->variant);
	return false;
}

static void free_history(gpointer h)
{
	ab_history_free(h);
}

bool power_from_campaigns(const struct power_request *request,
			  GPtrArray *tables, GError **error)
{
	g_autoptr(GPtrArray) histories =
		g_ptr_array_new_with_free_func(free_history);
	g_autoptr(GArray) sources =
		g_array_new(FALSE, FALSE, sizeof(struct source));

	if (!load_all(request, histories, sources, error))
		return false;
	for (guint i = 0; i < sources->len; i++)
		add_tables(request, sources,
			   g_array_index(sources, struct source, i).history,
			   tables);
	if (tables->len)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
		    "nothing was measured yet: no accepted run has %s",
		    request->metrics ? "these metrics" : "a metric");
	return false;
}

struct ab_power_table *power_by_hand(const struct power_request *request)
{
	struct ab_power_table *t = new_table();
	struct ab_power_row row = {
		.level = request->question.level,
		.dispersion = NAN,
		.c = { .mean = 100,
		       .ratio = 1,
		       .growth = 0,
		       .boot = request->cv_boot * request->cv_boot,
		       .run = request->cv_run * request->cv_run,
		       .block = NAN,
		       .icc = NAN,
		       .runs_per_boot = NAN,
		       .design_effect = NAN,
		       .effective = { NAN, NAN } },
	};

	if (row.c.boot + row.c.run > 0)
		row.c.icc = row.c.boot / (row.c.boot + row.c.run);
	set_costs(request, (struct ab_costs){ NAN, NAN }, t);
	set_change(&request->question, &row);
	ab_power_answer(&request->question, &t->costs, &row);
	g_array_append_val(t->rows, row);
	return t;
}
