// SPDX-License-Identifier: GPL-3.0-or-later
#include "power.h"

#include <math.h>

#include "analyze.h"
#include "columns.h"

/* A rail while its samples pass. */
struct meter {
	struct ab_rail_sum sum;
	gint64 last_ns;
	guint64 last_uws;
	bool seen;
};

/* The step from the sample before to @s: as much of it as is in the window. */
static void add_step(const struct ab_trace *trace, struct meter *m,
		     const struct ab_rail_sample *s)
{
	gint64 inside = ab_clip(trace, m->last_ns, s->ts);
	double energy;

	if (s->energy_uws < m->last_uws) {
		/* It began anew: what this step used is not known. */
		m->sum.resets += inside > 0;
		return;
	}
	energy = (double)(s->energy_uws - m->last_uws);
	m->sum.covered_ns += inside;
	m->sum.energy_uws +=
		energy * ((double)inside / (double)(s->ts - m->last_ns));
}

static void add_sample(const struct ab_trace *trace, struct meter *m,
		       const struct ab_rail_sample *s)
{
	/* A read between two refreshes of the meter says nothing new. */
	if (m->seen && s->ts == m->last_ns)
		return;
	if (m->seen)
		add_step(trace, m, s);
	m->sum.samples += ab_in_window(trace, s->ts);
	m->seen = true;
	m->last_ns = s->ts;
	m->last_uws = s->energy_uws;
}

/*
 * A meter for each name: two sessions that record at once read the same
 * meters.  Which meter each rail has goes to @which, by rail.
 */
static GArray *list_meters(const struct ab_trace *trace, guint *which)
{
	GArray *meters = g_array_new(FALSE, FALSE, sizeof(struct meter));
	g_autoptr(GHashTable) by_name = g_hash_table_new(NULL, NULL);
	guint i;

	for (i = 0; i < trace->rails->len; i++) {
		const struct ab_rail *rail =
			&g_array_index(trace->rails, struct ab_rail, i);
		gpointer key = GUINT_TO_POINTER(rail->name);
		guint at = GPOINTER_TO_UINT(g_hash_table_lookup(by_name, key));
		struct meter m = { .sum = { .name = rail->name,
					    .subsystem = rail->subsystem } };

		if (!at) {
			g_array_append_val(meters, m);
			at = meters->len;
			g_hash_table_insert(by_name, key, GUINT_TO_POINTER(at));
		}
		which[i] = at - 1;
	}
	return meters;
}

GArray *ab_rail_sums(const struct ab_trace *trace)
{
	g_autofree guint *which = g_new(guint, trace->rails->len);
	g_autoptr(GArray) meters = list_meters(trace, which);
	GArray *sums = g_array_new(FALSE, FALSE, sizeof(struct ab_rail_sum));
	guint i;

	for (i = 0; i < trace->rail_samples->len; i++) {
		const struct ab_rail_sample *s = &g_array_index(
			trace->rail_samples, struct ab_rail_sample, i);

		add_sample(trace,
			   &g_array_index(meters, struct meter, which[s->rail]),
			   s);
	}
	for (i = 0; i < meters->len; i++)
		g_array_append_val(sums,
				   g_array_index(meters, struct meter, i).sum);
	return sums;
}

double ab_rail_mw(const struct ab_rail_sum *sum)
{
	/* uWs / ms is mW. */
	return sum->covered_ns
		       ? sum->energy_uws / ((double)sum->covered_ns / 1e6)
		       : NAN;
}

static void measure(struct ab_analysis *a, const void *state)
{
	g_autoptr(GArray) sums = ab_rail_sums(a->trace);
	guint i;

	(void)state;
	for (i = 0; i < sums->len; i++) {
		const struct ab_rail_sum *sum =
			&g_array_index(sums, struct ab_rail_sum, i);
		g_autofree char *name = g_strdup_printf(
			"trace_power.%s", ab_trace_text(a->trace, sum->name));

		if (sum->covered_ns)
			ab_run_data_set(a->data, name, ab_rail_mw(sum));
	}
}

static const struct ab_column rail_columns[] = {
	AB_TEXT_COLUMN("rail", "rail"),
	AB_TEXT_COLUMN("subsystem", "subsystem"),
	AB_NUMBER_COLUMN("energy_mj", "energy", "mJ", 3),
	AB_NUMBER_COLUMN("mean_mw", "mean power", "mW", 3),
	AB_NUMBER_COLUMN("covered_s", "covered", "s", 3),
	AB_COUNT_COLUMN("samples", "samples"),
	AB_COUNT_COLUMN("resets", "resets"),
};

static void put_rail(struct ab_table *t, const struct ab_trace *trace,
		     const struct ab_rail_sum *sum)
{
	ab_table_text(t, ab_trace_text(trace, sum->name));
	ab_table_text(t, ab_trace_text(trace, sum->subsystem));
	ab_table_number(t, sum->covered_ns ? sum->energy_uws / 1e3 : NAN);
	ab_table_number(t, ab_rail_mw(sum));
	ab_table_number(t, (double)sum->covered_ns / 1e9);
	ab_table_count(t, (gint64)sum->samples);
	ab_table_count(t, (gint64)sum->resets);
}

static void tabulate(struct ab_analysis *a, const void *state,
		     GPtrArray *tables)
{
	g_autoptr(GArray) sums = ab_rail_sums(a->trace);
	struct ab_table *t;
	guint i;

	(void)state;
	if (sums->len) {
		t = AB_NEW_TABLE("rails", "Power rails", rail_columns);
		for (i = 0; i < sums->len; i++)
			put_rail(t, a->trace,
				 &g_array_index(sums, struct ab_rail_sum, i));
		g_ptr_array_add(tables, t);
	}
	ab_battery_tables(a->trace, tables);
}

const struct ab_analysis_ops ab_analysis_power = {
	.name = "power",
	.measure = measure,
	.tabulate = tabulate,
};
