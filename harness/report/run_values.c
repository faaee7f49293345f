// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINUX_VERSION "Linux version "

/* ---- collect ---- */

static double value_of(const struct ab_report_row *row,
		       const struct ab_obs *obs, double level)
{
	struct ab_estimate e;

	ab_stats_estimate(row->metric, obs, 1, obs->variant, level, &e);
	return e.value;
}

static void collect(GArray *values, const struct ab_report *report)
{
	double level = part_level(report);

	for (size_t t = 0; t < report->n_tables; t++) {
		const struct ab_report_table *table = &report->tables[t];

		for (size_t k = 0; k < table->n_rows; k++) {
			const struct ab_report_row *row = &table->rows[k];

			for (size_t i = 0; i < row->n_obs; i++) {
				const struct run_value v = {
					.table = table,
					.row = row,
					.obs = &row->obs[i],
					.value = value_of(row, &row->obs[i],
							  level),
				};

				g_array_append_val(values, v);
			}
		}
	}
}

/* ---- sort ---- */

static int compare_runs(const struct run_value *a, const struct run_value *b)
{
	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->obs->device != b->obs->device)
		return a->obs->device < b->obs->device ? -1 : 1;
	if (a->obs->block != b->obs->block)
		return a->obs->block < b->obs->block ? -1 : 1;
	if (a->obs->session != b->obs->session)
		return a->obs->session < b->obs->session ? -1 : 1;
	return (a->obs->position > b->obs->position) -
	       (a->obs->position < b->obs->position);
}

static int compare_values(const void *x, const void *y)
{
	const struct run_value *a = x, *b = y;
	int order = compare_runs(a, b);

	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* ---- by run ---- */

/* Values of one run are one after the other. */
static void group(struct run_values *v)
{
	guint end;

	for (guint begin = 0; begin < v->values->len; begin = end) {
		const struct run_value *first = run_values_at(v, begin);
		struct run_group g = { .table = first->table,
				       .obs = first->obs,
				       .begin = begin };

		for (end = begin + 1; end < v->values->len; end++)
			if (compare_runs(run_values_at(v, end), first))
				break;
		g.end = end;
		g_array_append_val(v->groups, g);
	}
}

static gint64 *run_key(gint64 session, int position)
{
	gint64 key = session * 1000003 + position;

	return g_memdup2(&key, sizeof(key));
}

/* Every run of the report, with its values, if it has any. */
static void join_runs(struct run_values *v, const struct ab_report *report)
{
	g_autoptr(GHashTable) by_key = g_hash_table_new_full(
		g_int64_hash, g_int64_equal, g_free, NULL);
	GArray *groups = g_array_new(FALSE, TRUE, sizeof(struct run_group));

	for (guint i = 0; i < v->groups->len; i++) {
		const struct run_group *g = run_values_group(v, i);

		g_hash_table_insert(by_key,
				    run_key(g->obs->session, g->obs->position),
				    (gpointer)g);
	}
	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_run *run = &report->runs[i];
		g_autofree gint64 *key = run_key(run->session, run->position);
		const struct run_group *known =
			g_hash_table_lookup(by_key, key);
		struct run_group g = known ? *known : (struct run_group){ 0 };

		g.run = run;
		g_array_append_val(groups, g);
	}
	g_array_unref(v->groups);
	v->groups = groups;
}

void run_values_init(struct run_values *v, const struct ab_report *report)
{
	v->values = g_array_new(FALSE, FALSE, sizeof(struct run_value));
	v->groups = g_array_new(FALSE, TRUE, sizeof(struct run_group));
	collect(v->values, report);
	if (v->values->len > 0)
		qsort(v->values->data, v->values->len, sizeof(struct run_value),
		      compare_values);
	group(v);
	if (report->n_runs > 0)
		join_runs(v, report);
}

void run_values_clear(struct run_values *v)
{
	g_array_unref(v->values);
	g_array_unref(v->groups);
}

const struct run_value *run_values_at(const struct run_values *v, guint i)
{
	return &g_array_index(v->values, struct run_value, i);
}

const struct run_group *run_values_group(const struct run_values *v, guint i)
{
	return &g_array_index(v->groups, struct run_group, i);
}

/* ---- words ---- */

const char *run_status(const struct ab_report_run *run)
{
	if (run->gate)
		return "rejected";
	if (!run->accepted)
		return "unfinished";
	return run->warmup ? "warm-up" : "accepted";
}

const struct ab_report_device *run_device(const struct ab_report *report,
					  const struct ab_report_run *run)
{
	for (size_t i = 0; i < report->n_devices; i++)
		if (!strcmp(report->devices[i].serial, run->device))
			return &report->devices[i];
	return NULL;
}

char *run_kernel(const struct ab_report_run *run)
{
	const char *at = run->banner;

	if (!at)
		return NULL;
	if (g_str_has_prefix(at, LINUX_VERSION))
		at += strlen(LINUX_VERSION);
	return g_strndup(at, strcspn(at, " \n"));
}
