// SPDX-License-Identifier: GPL-3.0-or-later
/* What the missed frames of a campaign's variants have in common. */
#include "parts.h"

#include <abrig/why_report.h>
#include <string.h>

#define FRAMES "why.frames"
#define PREFIX "why."
#define SUFFIX ".frames"
#define MOST 20

struct sums {
	GHashTable *ids; /* mechanism -> double[variants] */
	double *frames;	 /* explained, by variant */
	guint *runs;
	size_t n;
};

/* The mechanism that @name counts the frames of, to be freed; or NULL. */
static char *mechanism_of(const char *name)
{
	gsize n = strlen(name);

	if (!g_str_has_prefix(name, PREFIX) ||
	    !g_str_has_suffix(name, SUFFIX) ||
	    n <= strlen(PREFIX) + strlen(SUFFIX))
		return NULL;
	return g_strndup(name + strlen(PREFIX),
			 n - strlen(PREFIX) - strlen(SUFFIX));
}

static void add_value(struct sums *s, int variant, const struct ab_run_value *v)
{
	g_autofree char *id = mechanism_of(v->name);
	double *sums;

	if (!id || v->value <= 0)
		return;
	sums = g_hash_table_lookup(s->ids, id);
	if (!sums) {
		sums = g_new0(double, s->n);
		g_hash_table_insert(s->ids, g_steal_pointer(&id), sums);
	}
	sums[variant] += v->value;
}

static bool has_why(const struct ab_report_run *run, double *frames_out)
{
	return run->accepted && !run->warmup && run->data &&
	       ab_run_data_get(run->data, FRAMES, frames_out);
}

static void add_run(struct sums *s, const struct ab_report_run *run)
{
	double frames;
	guint i;

	if (!has_why(run, &frames))
		return;
	s->frames[run->variant] += frames;
	s->runs[run->variant]++;
	for (i = 0; i < run->data->values->len; i++)
		add_value(s, run->variant, run->data->values->pdata[i]);
}

static int by_first(gconstpointer a, gconstpointer b, gpointer ids)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	const double *p = g_hash_table_lookup(ids, x);
	const double *q = g_hash_table_lookup(ids, y);

	if (*p < *q || *p > *q)
		return *p < *q ? 1 : -1;
	return strcmp(x, y);
}

static void put_row(const struct sums *s, const double *values,
		    const char *text, GString *out)
{
	size_t v;

	for (v = 0; v < s->n; v++) {
		g_autofree char *n = number_text(values[v], 0);

		g_string_append_printf(out, "%12s", n);
	}
	g_string_append_printf(out, "  %s\n", text);
}

static void put_table(const struct ab_report *report, const struct sums *s,
		      GString *out)
{
	g_autofree gpointer *ids = g_hash_table_get_keys_as_array(s->ids, NULL);
	guint n = g_hash_table_size(s->ids), i;
	size_t v;

	g_qsort_with_data(ids, (gint)n, sizeof(*ids), by_first, s->ids);
	for (v = 0; v < s->n; v++) {
		g_autofree char *name = part_short_name(report, v);

		g_string_append_printf(out, "%12s", name);
	}
	g_string_append(out, "\n");
	put_row(s, s->frames, "missed frames explained", out);
	for (i = 0; i < MIN(n, MOST); i++)
		put_row(s, g_hash_table_lookup(s->ids, ids[i]), ids[i], out);
	part_legend(report, out);
}

static int by_frames(const void *a, const void *b)
{
	const struct ab_report_run *x = *(const struct ab_report_run *const *)a;
	const struct ab_report_run *y = *(const struct ab_report_run *const *)b;
	double p = 0, q = 0;

	has_why(x, &p);
	has_why(y, &q);
	if (p < q || p > q)
		return p < q ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

static void put_runs(const struct ab_report *report, const char *dir,
		     GString *out)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	double frames = 0;
	size_t i;

	for (i = 0; i < report->n_runs; i++)
		if (has_why(&report->runs[i], &frames) && frames > 0)
			g_ptr_array_add(list, &report->runs[i]);
	g_ptr_array_sort(list, by_frames);
	if (list->len)
		g_string_append(out, "\nmissed  in the run\n");
	for (i = 0; i < MIN(list->len, MOST); i++) {
		const struct ab_report_run *run = list->pdata[i];

		has_why(run, &frames);
		g_string_append_printf(out, "%6.0f  %s/%s (%s)\n", frames, dir,
				       run->dir,
				       report->variants[run->variant]);
	}
}

void ab_why_campaign(const struct ab_report *report, const char *dir,
		     GString *out)
{
	g_autoptr(GHashTable) ids =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree double *frames = g_new0(double, report->n_variants);
	g_autofree guint *runs = g_new0(guint, report->n_variants);
	struct sums s = { ids, frames, runs, report->n_variants };
	size_t i;

	for (i = 0; i < report->n_runs; i++)
		add_run(&s, &report->runs[i]);
	g_string_append_printf(out,
			       "%s: missed frames by what is on their "
			       "chain (wait >= 2 ms)\n\n",
			       dir);
	put_table(report, &s, out);
	put_runs(report, dir, out);
	g_string_append(out, "\nabrig explain RUN lists a run's frames.\n");
}
