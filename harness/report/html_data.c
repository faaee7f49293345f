// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the charts are drawn from, as one JSON document.  Long lists of numbers
 * are strings, "1.5 2 -": a third of the size of JSON's own.
 */
#include "html.h"

#include <math.h>

#define DIGITS "%.6g" /* more than a screen has pixels */

static void add_number(GString *list, double value)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	if (list->len)
		g_string_append_c(list, ' ');
	g_string_append(list, isfinite(value)
				      ? g_ascii_formatd(buf, sizeof(buf),
							DIGITS, value)
				      : "-");
}

static void add_list(JsonBuilder *b, const char *key, GString *list)
{
	json_text(b, key, list->str);
	g_string_free(list, TRUE);
}

static void add_doubles(JsonBuilder *b, const char *key, const double *values,
			size_t n)
{
	GString *list = g_string_new(NULL);

	for (size_t i = 0; i < n; i++)
		add_number(list, values[i]);
	add_list(b, key, list);
}

/* ---- the runs of one table ---- */

/* All runs that any of its rows observed; rows name them by their index. */
struct runs {
	GHashTable *index; /* "session.position.nth" -> index + 1 */
	GPtrArray *obs;	   /* const struct ab_obs *, by index */
};

/* Runs of others may be alike in all that identifies them. */
static char *run_key(GHashTable *seen, const struct ab_obs *o)
{
	g_autofree char *key =
		g_strdup_printf("%d.%d", o->session, o->position);
	guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(seen, key));
	char *whole = g_strdup_printf("%s.%u", key, nth);

	g_hash_table_replace(seen, g_steal_pointer(&key),
			     GUINT_TO_POINTER(nth + 1));
	return whole;
}

static guint run_index(struct runs *runs, GHashTable *seen,
		       const struct ab_obs *o)
{
	g_autofree char *key = run_key(seen, o);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(runs->index, key));

	if (known)
		return known - 1;
	g_ptr_array_add(runs->obs, (gpointer)o);
	g_hash_table_insert(runs->index, g_steal_pointer(&key),
			    GUINT_TO_POINTER(runs->obs->len));
	return runs->obs->len - 1;
}

/* Where each number of a run is. */
typedef double (*run_number)(const struct ab_obs *o);

static double run_variant(const struct ab_obs *o)
{
	return o->variant;
}

static double run_block(const struct ab_obs *o)
{
	return o->block + 1;
}

static double run_at(const struct ab_obs *o)
{
	return o->at;
}

static double run_skin(const struct ab_obs *o)
{
	return o->skin_c;
}

static void add_column(JsonBuilder *b, const char *key, const struct runs *runs,
		       run_number number)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < runs->obs->len; i++)
		add_number(list, number(runs->obs->pdata[i]));
	add_list(b, key, list);
}

/* Seconds since the first run have fewer digits. */
static void add_times(JsonBuilder *b, const struct runs *runs)
{
	GString *list = g_string_new(NULL);
	double first = INFINITY;

	for (guint i = 0; i < runs->obs->len; i++)
		first = fmin(first, run_at(runs->obs->pdata[i]));
	for (guint i = 0; i < runs->obs->len; i++)
		add_number(list, run_at(runs->obs->pdata[i]) - first);
	add_list(b, "at", list);
}

static void add_devices(JsonBuilder *b, const struct ab_report *report,
			const struct runs *runs)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
	GString *list = g_string_new(NULL);

	json_begin(b, "devices", true);
	for (guint i = 0; i < runs->obs->len; i++) {
		const struct ab_obs *o = runs->obs->pdata[i];
		gpointer id = GINT_TO_POINTER(o->device);

		if (!g_hash_table_contains(known, id)) {
			guint n = g_hash_table_size(known);

			g_hash_table_insert(known, id, GUINT_TO_POINTER(n));
			json_string(b, html_device(report, o));
		}
		add_number(list,
			   GPOINTER_TO_UINT(g_hash_table_lookup(known, id)));
	}
	json_builder_end_array(b);
	add_list(b, "device", list);
}

static void add_runs(JsonBuilder *b, const struct ab_report *report,
		     const struct runs *runs)
{
	add_devices(b, report, runs);
	add_column(b, "variant", runs, run_variant);
	add_column(b, "block", runs, run_block);
	add_column(b, "skin", runs, run_skin);
	add_times(b, runs);
}

/* ---- rows ---- */

static void add_values(JsonBuilder *b, const struct ab_report_row *row,
		       struct runs *runs)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GString *values = g_string_new(NULL), *indices = g_string_new(NULL);
	bool all = true;

	for (guint i = 0; i < row->n_obs; i++) {
		guint index = run_index(runs, seen, &row->obs[i]);

		all = all && index == i;
		add_number(indices, index);
		add_number(values, html_run_value(row->metric, &row->obs[i]));
	}
	/* The usual case: of all runs, in their order. */
	if (all)
		g_string_truncate(indices, 0);
	add_list(b, "runs", indices);
	add_list(b, "values", values);
}

static void add_versus(JsonBuilder *b, const struct ab_report_row *row,
		       size_t variant)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	struct html_cells cells;

	html_cells(row, variant, &cells);
	json_begin(b, NULL, false);
	json_number(b, "pct", part_has_percent(c) ? c->pct : NAN);
	json_number(b, "lo", c->pct_lo);
	json_number(b, "hi", c->pct_hi);
	/* JSON has no infinity. */
	json_bool(b, "open", isinf(c->pct_hi));
	json_text(b, "class", html_class(row->metric, c));
	json_text(b, "verdict", cells.verdict);
	json_text(b, "reason", part_reason(c));
	json_builder_end_object(b);
	html_cells_clear(&cells);
}

static void add_row(JsonBuilder *b, const struct ab_report_row *row,
		    struct runs *runs)
{
	json_begin(b, NULL, false);
	json_text(b, "id", row->metric->id);
	json_text(b, "group", row->metric->group);
	json_text(b, "label", row->metric->label);
	json_text(b, "unit", row->metric->unit);
	json_bool(b, "primary", row->primary);
	json_text(b, "source",
		  html_over_samples(row->metric) ? row->metric->source : NULL);
	json_text(b, "sampleUnit", html_sample_unit(row->metric));
	json_begin(b, "versus", true);
	for (size_t v = 1; v <= row->n_versus; v++)
		add_versus(b, row, v);
	json_builder_end_array(b);
	add_values(b, row, runs);
	json_builder_end_object(b);
}

/* ---- distributions ---- */

static void add_dist(JsonBuilder *b, const struct html_dist *dist, size_t n)
{
	for (size_t v = 0; v < n; v++) {
		json_begin(b, NULL, false);
		add_doubles(b, "x", dist[v].x, dist[v].n_points);
		add_doubles(b, "p", dist[v].p, dist[v].n_points);
		json_builder_end_object(b);
	}
}

static void add_dists(JsonBuilder *b, const struct ab_report *report,
		      const struct ab_report_table *table,
		      const struct html_dists *dists)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	json_begin(b, "samples", false);
	for (size_t k = 0; k < table->n_rows; k++) {
		const struct ab_report_row *row = &table->rows[k];

		if (!html_over_samples(row->metric) ||
		    !g_hash_table_add(seen, (gpointer)row->metric->source))
			continue;
		json_begin(b, row->metric->source, true);
		add_dist(b, html_dists_find(dists, table, row),
			 report->n_variants);
		json_builder_end_array(b);
	}
	json_builder_end_object(b);
}

static void add_table(JsonBuilder *b, const struct ab_report *report,
		      const struct ab_report_table *table,
		      const struct html_dists *dists)
{
	struct runs runs = {
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		g_ptr_array_new(),
	};
	g_autofree char *title = html_title(table);

	json_begin(b, NULL, false);
	json_text(b, "title", title);
	json_begin(b, "rows", true);
	for (size_t k = 0; k < table->n_rows; k++)
		add_row(b, &table->rows[k], &runs);
	json_builder_end_array(b);
	add_dists(b, report, table, dists);
	add_runs(b, report, &runs);
	json_builder_end_object(b);
	g_hash_table_unref(runs.index);
	g_ptr_array_unref(runs.obs);
}

void html_data(const struct ab_report *report, const struct html_dists *dists,
	       GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(GString) text = g_string_new(NULL);

	json_begin(b, NULL, false);
	json_begin(b, "variants", true);
	for (size_t v = 0; v < report->n_variants; v++)
		json_string(b, report->variants[v]);
	json_builder_end_array(b);
	json_begin(b, "tables", true);
	for (size_t i = 0; i < report->n_tables; i++)
		add_table(b, report, &report->tables[i], dists);
	json_builder_end_array(b);
	json_builder_end_object(b);
	json_finish(b, false, text);
	g_string_append(out, "<script type=\"application/json\" id=\"data\">");
	html_json(out, text->str);
	g_string_append(out, "</script>\n");
}
