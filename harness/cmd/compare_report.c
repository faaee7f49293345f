// SPDX-License-Identifier: GPL-3.0-or-later
/* From observations to a report, as a campaign's results become one. */
#include "compare.h"

#include <math.h>
#include <string.h>

#define RESAMPLES 2000
#define MOST_NAMED 12 /* in a note */
#define SHORT_HASH 12

/* ---- one row ---- */

bool compare_is(const struct ab_metric *m, const char *name)
{
	return !strcmp(m->label, name) || !strcmp(m->id, name);
}

static bool is_primary(const struct compare_request *request,
		       const struct ab_metric *m)
{
	for (const char *const *p = request->primary; p && *p; p++)
		if (compare_is(m, *p))
			return true;
	return false;
}

static double margin_of(const struct compare_request *request,
			const struct ab_metric *m)
{
	double pct = NAN;

	for (guint i = 0; i < request->margins->len; i++) {
		const struct compare_margin *margin = &g_array_index(
			request->margins, struct compare_margin, i);

		if (!margin->metric || compare_is(m, margin->metric))
			pct = margin->pct;
	}
	return pct;
}

static void take_row(const struct ab_import_metric *m,
		     const struct ab_metric *shown,
		     const struct compare_request *request,
		     struct ab_report_row *row)
{
	const struct ab_stats_options options = {
		.level = request->level,
		.margin_pct = margin_of(request, &m->metric),
		.resamples = RESAMPLES,
	};
	row->metric = shown;
	row->primary = is_primary(request, &m->metric);
	ab_report_take(row, &m->metric,
		       (const struct ab_obs *)(const void *)m->obs->data,
		       m->obs->len, &options);
}

/* ---- the order of rows ---- */

/* What there are fewer of heads the groups: workloads or names of metrics. */
static bool group_by_name(const GPtrArray *metrics)
{
	g_autoptr(GHashTable) workloads =
		g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < metrics->len; i++) {
		struct ab_import_metric *m = metrics->pdata[i];

		g_hash_table_add(workloads, m->workload);
		g_hash_table_add(names, (char *)m->metric.label);
	}
	return g_hash_table_size(workloads) > g_hash_table_size(names);
}

struct place {
	guint group, index;
};

static int compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Groups in the order in which they come, and so within them. */
static struct place *order_rows(const GPtrArray *metrics, bool by_name)
{
	g_autoptr(GHashTable) groups =
		g_hash_table_new(g_str_hash, g_str_equal);
	struct place *places = g_new(struct place, metrics->len);

	for (guint i = 0; i < metrics->len; i++) {
		struct ab_import_metric *m = metrics->pdata[i];
		const char *group = by_name ? m->metric.label : m->workload;
		guint n = g_hash_table_size(groups);

		if (!g_hash_table_contains(groups, group))
			g_hash_table_insert(groups, (char *)group,
					    GUINT_TO_POINTER(n));
		places[i].group =
			GPOINTER_TO_UINT(g_hash_table_lookup(groups, group));
		places[i].index = i;
	}
	qsort(places, metrics->len, sizeof(*places), compare_places);
	return places;
}

/* ---- the table ---- */

/* What heads the table are the usual counts; other rows say theirs. */
static void count(struct ab_report_table *t, size_t n_variants, bool boots)
{
	t->runs = g_new0(int, n_variants);
	t->boots = g_new0(int, n_variants);
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t v = 0; v < n_variants; v++) {
			struct ab_comparison *c =
				v ? &t->rows[i].versus[v - 1] : NULL;
			struct ab_estimate *e = c ? &c->b : &t->rows[i].base;

			if (!boots)
				e->boots = 0;
			if (!boots && c)
				c->a.boots = 0;
			t->runs[v] = MAX(t->runs[v], e->runs);
			t->boots[v] = MAX(t->boots[v], e->boots);
		}
}

static void fill_table(struct compare_report *r, const struct ab_import *import,
		       const struct compare_request *request)
{
	const GPtrArray *metrics = ab_import_metrics(import);
	bool by_name = group_by_name(metrics);
	g_autofree struct place *places = order_rows(metrics, by_name);

	r->metrics = g_new0(struct ab_metric, metrics->len);
	r->table.rows = g_new0(struct ab_report_row, metrics->len);
	r->table.n_rows = metrics->len;
	for (guint i = 0; i < metrics->len; i++) {
		struct ab_import_metric *m = metrics->pdata[places[i].index];

		r->metrics[i] = m->metric;
		if (by_name) {
			r->metrics[i].group = m->metric.label;
			r->metrics[i].label = m->workload;
		}
		take_row(m, &r->metrics[i], request, &r->table.rows[i]);
	}
	ab_report_fill_rows(r->table.rows, r->table.n_rows,
			    r->report.n_variants, request->seed);
	count(&r->table, r->report.n_variants, ab_import_has_boots(import));
}

/* ---- better or worse ---- */

#define N_SIDES (AB_SIDE_UNKNOWN + 1)

static void add_side(const struct compare_report *r, size_t variant,
		     enum ab_side side, GString *text)
{
	static const char *const words[N_SIDES] = {
		"better", "worse",
		("changed, and neither better nor worse is "
		 "told (--higher, --lower)")
	};
	guint n = 0;

	for (size_t i = 0; i < r->table.n_rows; i++) {
		const struct ab_comparison *c =
			&r->table.rows[i].versus[variant - 1];

		if (c->verdict != AB_DIFFERENT ||
		    ab_stats_side(&r->metrics[i], c) != side)
			continue;
		if (n < MOST_NAMED)
			g_string_append_printf(text, "%s%s",
					       n	   ? ", "
					       : text->len ? "; "
							   : "",
					       n ? "" : words[side]);
		if (n < MOST_NAMED)
			g_string_append_printf(text, "%s%s", n ? "" : ": ",
					       r->metrics[i].id);
		n++;
	}
	if (n > MOST_NAMED)
		g_string_append_printf(text, " and %u more", n - MOST_NAMED);
}

static char *side_note(const struct compare_report *r, size_t variant)
{
	GString *text = g_string_new(NULL);

	for (int side = 0; side < N_SIDES; side++)
		add_side(r, variant, (enum ab_side)side, text);
	if (text->len && r->report.n_variants > 2) {
		g_string_prepend(text, ": ");
		g_string_prepend(text, r->report.variants[variant]);
	}
	return g_string_free(text, FALSE);
}

static void fill_notes(struct compare_report *r, const struct ab_import *import)
{
	g_autoptr(GStrvBuilder) notes = g_strv_builder_new();

	for (size_t v = 1; v < r->report.n_variants; v++) {
		g_autofree char *note = side_note(r, v);

		if (*note)
			g_strv_builder_add(notes, note);
	}
	g_strv_builder_addv(notes, (const char **)ab_import_notes(import));
	r->notes = g_strv_builder_end(notes);
}

/* ---- the whole ---- */

static char **provenance(const GPtrArray *files, const char *command)
{
	g_autoptr(GStrvBuilder) lines = g_strv_builder_new();

	for (guint i = 0; i < files->len; i++) {
		const struct compare_file *f = files->pdata[i];
		g_autofree char *line =
			g_strdup_printf("file: %s (sha256 %.*s)", f->path,
					SHORT_HASH, f->sha256);

		g_strv_builder_add(lines, line);
	}
	g_strv_builder_add(lines, command);
	return g_strv_builder_end(lines);
}

void compare_report_fill(struct compare_report *r,
			 const struct ab_import *import, const GPtrArray *files,
			 const struct compare_request *request)
{
	*r = (struct compare_report){ 0 };
	r->report = (struct ab_report){
		.tool = "abrig " AB_VERSION,
		.seed = request->seed,
		.with_effects = request->effects,
		.variants = (char **)ab_import_variants(import),
		.n_variants =
			g_strv_length((char **)ab_import_variants(import)),
		.tables = &r->table,
		.n_tables = 1,
	};
	fill_table(r, import, request);
	ab_report_decide(&r->report, request->level, request->level);
	fill_notes(r, import);
	r->report.notes = r->notes;
	r->report.provenance = provenance(files, request->command);
}

void compare_report_clear(struct compare_report *r)
{
	for (size_t i = 0; i < r->table.n_rows; i++) {
		ab_report_clear_row(&r->table.rows[i]);
	}
	g_free(r->table.rows);
	g_free(r->table.runs);
	g_free(r->table.boots);
	g_free(r->metrics);
	g_strfreev(r->notes);
	g_strfreev(r->report.provenance);
	*r = (struct compare_report){ 0 };
}
