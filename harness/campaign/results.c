// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * From the store to a report: observations of the accepted runs, statistics,
 * counts.  Needs neither plan file nor phone.
 */
#include "results.h"
#include "stop.h"

#include "aa_facts.h"

#include <abrig/error.h>
#include <abrig/text.h>
#include <math.h>
#include <string.h>

#define LEVEL 0.95
#define RESAMPLES 2000

static void free_scenario(gpointer scenario)
{
	ab_scenario_free(scenario);
}

/* A fact split at line ends; NULL with @error when there is none. */
static char **fact_lines(struct ab_store *store, const char *key,
			 GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text = ab_store_fact(store, key, &why);

	if (text)
		return *text ? g_strsplit(text, "\n", -1) : g_new0(char *, 1);
	if (why)
		g_propagate_error(error, g_steal_pointer(&why));
	else
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "the campaign's database lacks '%s'", key);
	return NULL;
}

GPtrArray *results_scenarios(struct ab_store *store, GError **error)
{
	g_autoptr(GPtrArray) list =
		g_ptr_array_new_with_free_func(free_scenario);

	for (;;) {
		g_autofree char *key =
			g_strdup_printf("scenario.%u", list->len);
		g_autoptr(GError) why = NULL;
		g_autofree char *text = ab_store_fact(store, key, &why);
		struct ab_scenario *s;

		if (!text && why) {
			g_propagate_error(error, g_steal_pointer(&why));
			return NULL;
		}
		if (!text)
			return g_steal_pointer(&list);
		s = ab_scenario_parse(text, key, error);
		if (!s)
			return NULL;
		g_ptr_array_add(list, s);
	}
}

/* ---- loading ---- */

static bool load_runs(struct results *r, GError **error)
{
	guint i, j;

	for (i = 0; i < r->sessions->len; i++) {
		struct ab_session_row *s = r->sessions->pdata[i];
		g_autoptr(GPtrArray) runs =
			ab_store_runs(r->store, s->id, error);

		if (!runs)
			return false;
		for (j = 0; j < runs->len; j++) {
			struct ab_run_row *row = runs->pdata[j];
			struct result_run *run = g_new0(struct result_run, 1);

			run->session = s;
			run->row = row;
			g_ptr_array_add(r->runs, run);
			if (row->state != AB_RUN_ACCEPTED || row->warmup ||
			    (r->blocks > 0 && s->block >= r->blocks))
				continue;
			run->data = ab_store_data(r->store, row->id, error);
			if (!run->data)
				return false;
		}
		g_ptr_array_set_free_func(runs, NULL);
	}
	return true;
}

static bool load(struct results *r, GError **error)
{
	r->variants = fact_lines(r->store, "variants", error);
	if (!r->variants)
		return false;
	r->margins = fact_lines(r->store, "margins", error);
	if (!r->margins)
		return false;
	r->primary = fact_lines(r->store, "primary", error);
	if (!r->primary)
		return false;
	r->scenarios = results_scenarios(r->store, error);
	r->devices = r->scenarios ? ab_store_devices(r->store, error) : NULL;
	r->sessions = r->devices ? ab_store_sessions(r->store, 0, error) : NULL;
	return r->sessions && load_runs(r, error);
}

const struct ab_device_row *results_device(const struct results *r,
					   const struct result_run *run)
{
	guint i;

	for (i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];

		if (d->id == run->session->device)
			return d;
	}
	g_assert_not_reached();
}

/* ---- one metric ---- */

double results_margin(const struct results *r, const char *metric)
{
	char **line;

	for (line = r->margins; *line; line++) {
		g_auto(GStrv) f = g_strsplit(*line, "\t", 2);
		double pct;

		if (f[0] && f[1] && !strcmp(f[0], metric) &&
		    ab_text_to_double(f[1], &pct))
			return pct;
	}
	return NAN;
}

static bool is_primary(const struct results *r, const struct ab_metric *m)
{
	return g_strv_contains((const char *const *)r->primary, m->id);
}

static void take_row(const struct results *r, const struct ab_metric *m,
		     const GArray *obs, struct ab_report_row *row)
{
	const struct ab_stats_options options = {
		.level = LEVEL,
		.margin_pct = results_margin(r, m->id),
		.resamples = RESAMPLES,
	};

	row->metric = m;
	row->primary = is_primary(r, m);
	ab_report_take(row, m, (const struct ab_obs *)(const void *)obs->data,
		       obs->len, &options);
}

static void fill_payers(const struct results *r, const char *platform,
			int scenario, struct ab_report_table *t)
{
	const struct ab_stats_options options = {
		.level = LEVEL,
		.margin_pct = NAN,
		.resamples = RESAMPLES,
	};
	g_autoptr(GArray) runs = results_measured(r, platform, scenario);

	ab_report_fill_payers(
		t, (const struct ab_report_measured *)(const void *)runs->data,
		runs->len, r->report.n_variants, &options, r->report.seed);
}

static void fill_rows(const struct results *r, const char *platform,
		      int scenario, bool primaries,
		      struct ab_report_table *table)
{
	g_autoptr(GArray) rows =
		g_array_new(FALSE, TRUE, sizeof(struct ab_report_row));
	const struct ab_metric *m;

	for (m = ab_metrics; m->id; m++) {
		g_autoptr(GArray) obs =
			results_observations(r, platform, scenario, m);
		struct ab_report_row row = { 0 };

		if (!obs->len || (primaries && !is_primary(r, m)))
			continue;
		take_row(r, m, obs, &row);
		g_array_append_val(rows, row);
	}
	table->n_rows = rows->len;
	table->rows = (void *)g_array_free(g_steal_pointer(&rows), FALSE);
	ab_report_fill_rows(table->rows, table->n_rows, r->report.n_variants,
			    r->report.seed);
}

/* ---- one table ---- */

static void count_table(const struct results *r, const char *platform,
			int scenario, struct ab_report_table *t)
{
	g_autoptr(GHashTable) boots = g_hash_table_new(NULL, NULL);
	guint i;

	for (i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		double work = 0;
		int v = run->session->variant;

		if (!run->data || run->row->scenario != scenario ||
		    strcmp(results_device(r, run)->platform, platform))
			continue;
		t->runs[v]++;
		if (g_hash_table_add(boots, (gpointer)run->session))
			t->boots[v]++;
		ab_run_data_get(run->data, "work_items", &work);
		t->exposure[v] += (guint64)work;
	}
}

static void fill_table(const struct results *r, const char *platform,
		       int scenario, bool primaries, struct ab_report_table *t)
{
	const struct ab_scenario *s = r->scenarios->pdata[scenario];
	size_t n = r->report.n_variants, v;
	guint64 work = 0;
	guint i;

	t->platform = platform;
	t->scenario = s->name;
	for (i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];

		if (strcmp(d->platform, platform))
			continue;
		t->devices++;
		t->cpus = MAX(t->cpus, d->cpus);
		t->refresh_hz = MAX(t->refresh_hz, d->refresh_hz);
	}
	t->runs = g_new0(int, n);
	t->boots = g_new0(int, n);
	t->exposure = g_new0(guint64, n);
	t->exposure_name = "work items";
	count_table(r, platform, scenario, t);
	for (v = 0; v < n; v++)
		work += t->exposure[v];
	if (!work)
		g_clear_pointer(&t->exposure, g_free);
	fill_rows(r, platform, scenario, primaries, t);
	if (!primaries)
		fill_payers(r, platform, scenario, t);
}

GPtrArray *results_platforms(const struct results *r)
{
	GPtrArray *names = g_ptr_array_new();
	guint i;

	for (i = 0; i < r->devices->len; i++) {
		struct ab_device_row *d = r->devices->pdata[i];

		if (!g_ptr_array_find_with_equal_func(names, d->platform,
						      g_str_equal, NULL))
			g_ptr_array_add(names, d->platform);
	}
	return names;
}

static void fill_tables(struct results *r, bool primaries)
{
	g_autoptr(GPtrArray) names = results_platforms(r);
	guint n = names->len * r->scenarios->len, i;

	r->report.tables = g_new0(struct ab_report_table, n);
	r->report.n_tables = n;
	for (i = 0; i < n; i++)
		fill_table(r, names->pdata[i / r->scenarios->len],
			   (int)(i % r->scenarios->len), primaries,
			   &r->report.tables[i]);
}

/* ---- counts ---- */

static bool same_exclusion(const struct ab_report_exclusion *a,
			   const struct ab_report_exclusion *b)
{
	return !strcmp(a->platform, b->platform) &&
	       !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->variant, b->variant) && !strcmp(a->reason, b->reason);
}

static void add_exclusion(GArray *all, const struct ab_report_exclusion *one)
{
	guint i;

	for (i = 0; i < all->len; i++) {
		struct ab_report_exclusion *e =
			&g_array_index(all, struct ab_report_exclusion, i);

		if (same_exclusion(e, one)) {
			e->count++;
			return;
		}
	}
	g_array_append_val(all, *one);
}

/* A planned run and its repeats have this in common. */
static char *planned_key(const struct result_run *run)
{
	return g_strdup_printf("%" G_GINT64_FORMAT ".%d.%d.%d",
			       run->session->device, run->session->block,
			       run->session->variant, run->row->slot);
}

static void note_warmups(struct results *r, int count)
{
	g_autoptr(GStrvBuilder) notes = g_strv_builder_new();
	g_autofree char *text = g_strdup_printf(
		"%d warm-up runs were kept and not analysed", count);

	if (!count)
		return;
	g_strv_builder_addv(notes, (const char **)r->report.notes);
	g_strv_builder_add(notes, text);
	g_strfreev(r->report.notes);
	r->report.notes = g_strv_builder_end(notes);
}

/* Planned runs, but for blocks that a rule left out, without an accepted one. */
static int count_missing(const struct results *r)
{
	g_autoptr(GHashTable) missing =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint pass = 0; pass < 2; pass++)
		for (guint i = 0; i < r->runs->len; i++) {
			const struct result_run *run = r->runs->pdata[i];
			g_autofree char *key = planned_key(run);

			if (run->row->warmup ||
			    (r->blocks > 0 && run->session->block >= r->blocks))
				continue;
			if (pass == 0)
				g_hash_table_add(missing,
						 g_steal_pointer(&key));
			else if (run->data)
				g_hash_table_remove(missing, key);
		}
	return (int)g_hash_table_size(missing);
}

static void fill_counts(struct results *r)
{
	g_autoptr(GArray) all =
		g_array_new(FALSE, TRUE, sizeof(struct ab_report_exclusion));
	g_autoptr(GHashTable) planned =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int warmups = 0;
	guint i;

	for (i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		const struct ab_scenario *s =
			r->scenarios->pdata[run->row->scenario];
		const struct ab_report_exclusion e = {
			.platform = results_device(r, run)->platform,
			.scenario = s->name,
			.variant = r->variants[run->session->variant],
			.reason = run->row->gate ? run->row->gate : "",
			.count = 1,
		};

		if (!run->row->warmup)
			g_hash_table_add(planned, planned_key(run));
		if (run->row->state != AB_RUN_PLANNED)
			++*(run->row->warmup ? &warmups
					     : &r->report.runs_started);
		r->report.runs_accepted += run->data != NULL;
		if (run->row->state == AB_RUN_REJECTED)
			add_exclusion(all, &e);
	}
	r->report.runs_planned = (int)g_hash_table_size(planned);
	r->report.runs_missing = count_missing(r);
	note_warmups(r, warmups);
	r->report.n_exclusions = all->len;
	r->report.exclusions =
		(void *)g_array_free(g_steal_pointer(&all), FALSE);
}

/* ---- the whole ---- */

static bool fill_head(struct results *r, const char *dir, GError **error)
{
	struct ab_report *rep = &r->report;
	g_autofree char *seed = ab_store_fact(r->store, "seed", error);
	gint64 number = 0;

	if (!seed)
		return false;
	ab_text_to_int(seed, &number);
	rep->seed = (guint64)number;
	rep->plan = ab_store_fact(r->store, "plan", error);
	rep->plan_sha256 = ab_store_fact(r->store, "plan_sha256", error);
	rep->tool = ab_store_fact(r->store, "tool", error);
	rep->began = ab_store_fact(r->store, "began", error);
	rep->ended = ab_store_fact(r->store, "ended", NULL);
	rep->notes = ab_store_notes(r->store, error);
	rep->plan_file = ab_store_fact(r->store, "plan_file", NULL);
	rep->plan_text = ab_store_fact(r->store, "plan_text", NULL);
	rep->directory = g_strdup(dir);
	rep->variants = r->variants;
	rep->n_variants = g_strv_length(r->variants);
	if (rep->plan && rep->plan_sha256 && rep->tool && rep->began &&
	    rep->notes)
		return true;
	if (error && !*error)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: the campaign's database lacks its facts", dir);
	return false;
}

static void free_run(gpointer data)
{
	struct result_run *run = data;

	ab_run_row_free(run->row);
	ab_run_data_free(run->data);
	g_free(run);
}

struct results *results_open(const char *dir, GError **error)
{
	return results_open_blocks(dir, 0, error);
}

struct results *results_open_blocks(const char *dir, int blocks, GError **error)
{
	struct results *r = g_new0(struct results, 1);
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);

	r->runs = g_ptr_array_new_with_free_func(free_run);
	r->store = ab_store_open(path, error);
	if (r->store)
		r->blocks = blocks > 0 ? blocks : stop_blocks(r->store);
	if (r->store && load(r, error) && fill_head(r, dir, error))
		return r;
	ab_results_free(&r->report);
	return NULL;
}

struct ab_report *ab_results_load(const char *dir, GError **error)
{
	struct results *r = results_open(dir, error);

	if (!r)
		return NULL;
	fill_tables(r, false);
	stop_decide(r, LEVEL);
	fill_counts(r);
	results_fill_runs(r);
	results_fill_devices(r);
	results_fill_gates(r);
	r->report.provenance = results_provenance(r);
	aa_take_facts(r);
	return &r->report;
}

void results_fill_primaries(struct results *r)
{
	fill_tables(r, true);
}

static void free_table(struct ab_report_table *t)
{
	size_t i;

	for (i = 0; i < t->n_rows; i++)
		ab_report_clear_row(&t->rows[i]);
	ab_report_clear_payers(t);
	g_free(t->rows);
	g_free(t->runs);
	g_free(t->boots);
	g_free(t->exposure);
}

void ab_results_free(struct ab_report *report)
{
	struct results *r = (struct results *)report;
	size_t i;

	if (!r)
		return;
	g_clear_pointer(&report->aa, g_ptr_array_unref);
	for (i = 0; i < report->n_tables; i++)
		free_table(&report->tables[i]);
	g_free(report->tables);
	g_free(report->runs);
	g_free(report->devices);
	g_free(report->gates);
	g_free(report->exclusions);
	g_strfreev(report->notes);
	g_strfreev(report->provenance);
	g_free((char *)report->plan);
	g_free((char *)report->plan_sha256);
	g_free((char *)report->tool);
	g_free((char *)report->began);
	g_free((char *)report->ended);
	g_free((char *)report->directory);
	g_free((char *)report->plan_file);
	g_free((char *)report->plan_text);
	g_ptr_array_unref(r->runs);
	g_clear_pointer(&r->sessions, g_ptr_array_unref);
	g_clear_pointer(&r->devices, g_ptr_array_unref);
	g_clear_pointer(&r->scenarios, g_ptr_array_unref);
	g_strfreev(r->variants);
	g_strfreev(r->margins);
	g_strfreev(r->primary);
	ab_store_close(r->store);
	g_free(r);
}
