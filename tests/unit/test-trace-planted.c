// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Traces of a simulated scheduler, whose sums are known to the nanosecond,
 * read through the public interface.
 */
#include <abrig/trace.h>
#include <math.h>
#include <stdlib.h>

#include "../bench/gen/gen.h"

#define SEEDS 3

static const char *const ui_processes[] = { "com.example.app",
					    "com.android.systemui",
					    "surfaceflinger", "*composer*",
					    NULL };
static const struct ab_trace_options options = { .ui_processes = ui_processes };

struct result {
	struct gen_truth truth;
	char *bytes;
	struct ab_trace *trace;
	struct ab_run_data *data;
	GPtrArray *tables;
};

static void result_clear(struct result *r)
{
	g_ptr_array_unref(r->tables);
	ab_run_data_free(r->data);
	ab_trace_free(r->trace);
	free(r->bytes);
}

static void analyze(struct result *r, enum gen_mix mix, guint64 seed)
{
	struct gen_spec spec = { mix, seed, 1000000 };
	GError *error = NULL;
	gsize size;
	FILE *out = open_memstream(&r->bytes, &size);

	g_assert_nonnull(out);
	g_assert_true(gen_write(&spec, out, &r->truth));
	g_assert_cmpint(fclose(out), ==, 0);
	g_assert_cmpuint(r->truth.bytes, ==, size);
	r->trace = ab_trace_open_bytes((const guint8 *)r->bytes, size, NULL,
				       &error);
	g_assert_no_error(error);
	r->data = ab_run_data_new();
	ab_trace_analyze(r->trace, &options, r->data);
	r->tables = ab_trace_tables(r->trace, &options);
}

/* ---- what is expected ---- */

static void expect_whole(const struct result *r)
{
	const struct ab_trace_quality *q = ab_trace_quality(r->trace);
	const guint64 faults[] = {
		q->bytes_ignored,   q->damaged_packets, q->lost_bundles,
		q->overrun,	    q->packet_loss,	q->state_dropped,
		q->buffer_loss,	    q->switch_mismatch, q->unpaired,
		q->unknown_enums,   q->damaged_events,	q->clock_failures,
		q->foreign_packets, q->unresolved,	q->unknown_waits,
		q->sentinel_times,  q->buffers_ignored, q->unknown_events->len,
	};

	for (guint i = 0; i < G_N_ELEMENTS(faults); i++)
		if (faults[i])
			g_error("fault %u: %" G_GUINT64_FORMAT, i, faults[i]);
	g_assert_false(q->loss_in_window);
}

static void expect_window(const struct result *r)
{
	const struct ab_trace_facts *facts = ab_trace_facts(r->trace);

	g_assert_true(facts->window_marked);
	g_assert_cmpint(facts->begin_ns, ==, r->truth.begin_ns);
	g_assert_cmpint(facts->end_ns, ==, r->truth.end_ns);
}

static const struct ab_table *table(const struct result *r, const char *id)
{
	for (guint i = 0; i < r->tables->len; i++) {
		const struct ab_table *t = r->tables->pdata[i];

		if (g_str_equal(t->id, id))
			return t;
	}
	g_error("no table '%s'", id);
}

static guint column(const struct ab_table *t, const char *id)
{
	for (guint i = 0; i < t->n_columns; i++)
		if (g_str_equal(t->columns[i].id, id))
			return i;
	g_error("no column '%s' in table '%s'", id, t->id);
}

static gint64 sum_count(const struct ab_table *t, const char *id)
{
	guint c = column(t, id);
	gint64 sum = 0;

	for (guint i = 0; i < ab_table_rows(t); i++)
		sum += ab_table_cell(t, i, c)->count;
	return sum;
}

/* Of a column in ms, in ns. */
static gint64 sum_ns(const struct ab_table *t, const char *id)
{
	guint c = column(t, id);
	gint64 sum = 0;

	for (guint i = 0; i < ab_table_rows(t); i++)
		sum += llround(ab_table_cell(t, i, c)->number * 1e6);
	return sum;
}

/* Of a column in us, in ns. */
static gint64 largest_ns(const struct ab_table *t, const char *id)
{
	guint c = column(t, id);
	double most = 0;

	for (guint i = 0; i < ab_table_rows(t); i++)
		most = fmax(most, ab_table_cell(t, i, c)->number);
	return llround(most * 1e3);
}

static void expect_scheduling(const struct result *r)
{
	const struct ab_table *t = table(r, "classes");
	const struct gen_truth *truth = &r->truth;

	g_assert_cmpint(sum_ns(t, "running_ms"), ==, truth->running.ns);
	g_assert_cmpint(sum_count(t, "wakeup_waits"), ==,
			truth->after_wakeup.n);
	g_assert_cmpint(sum_ns(t, "wakeup_wait_ms"), ==,
			truth->after_wakeup.ns);
	g_assert_cmpint(largest_ns(t, "wakeup_wait_max_us"), ==,
			truth->after_wakeup.max_ns);
	g_assert_cmpint(sum_count(t, "preempted_waits"), ==,
			truth->after_preemption.n);
	g_assert_cmpint(sum_ns(t, "preempted_wait_ms"), ==,
			truth->after_preemption.ns);
	g_assert_cmpint(largest_ns(t, "preempted_wait_max_us"), ==,
			truth->after_preemption.max_ns);
	g_assert_cmpint(sum_count(t, "migrations"), ==, truth->migrations);
}

/* A sample set in us. */
static void expect_samples(const struct result *r, const char *name,
			   const struct gen_sum *expected)
{
	const GArray *samples = ab_run_data_find(r->data, name);
	gint64 sum = 0, most = 0;

	g_assert_nonnull(samples);
	g_assert_cmpuint(samples->len, ==, expected->n);
	for (guint i = 0; i < samples->len; i++) {
		gint64 ns = llround(g_array_index(samples, double, i) * 1e3);

		sum += ns;
		most = MAX(most, ns);
	}
	g_assert_cmpint(sum, ==, expected->ns);
	g_assert_cmpint(most, ==, expected->max_ns);
}

static void expect_value(const struct result *r, const char *name,
			 double expected)
{
	double value = NAN;

	g_assert_true(ab_run_data_get(r->data, name, &value));
	g_assert_cmpfloat_with_epsilon(value, expected, 1e-9);
}

static void expect_rails(const struct result *r)
{
	for (int i = 0; i < GEN_RAILS; i++) {
		g_autofree char *name =
			g_strdup_printf("trace_power.%s", gen_rail_name(i));

		expect_value(r, name, (double)r->truth.rail_mw[i]);
	}
}

/* ---- the tests ---- */

static void test_compact(void)
{
	for (guint64 seed = 1; seed <= SEEDS; seed++) {
		struct result r = { .bytes = NULL };

		analyze(&r, GEN_COMPACT, seed);
		expect_whole(&r);
		expect_window(&r);
		g_assert_cmpuint(ab_trace_quality(r.trace)->events, ==,
				 r.truth.switches + r.truth.wakings +
					 r.truth.events);
		expect_scheduling(&r);
		result_clear(&r);
	}
}

static void test_full(void)
{
	for (guint64 seed = 1; seed <= SEEDS; seed++) {
		struct result r = { .bytes = NULL };

		analyze(&r, GEN_FULL, seed);
		expect_whole(&r);
		expect_window(&r);
		expect_scheduling(&r);
		expect_value(&r, "work_items", (double)r.truth.pm_wait.n);
		expect_samples(&r, "pm_runtime_work.cpu_wait",
			       &r.truth.pm_wait);
		expect_samples(&r, "ui.rpm_resume.d_state", &r.truth.ui_rpm);
		expect_value(&r, "frames.total", (double)r.truth.frames);
		expect_value(&r, "frames.app_missed",
			     (double)r.truth.app_missed);
		expect_value(&r, "frames.sf_missed", (double)r.truth.sf_missed);
		expect_rails(&r);
		result_clear(&r);
	}
}

/* ---- what values are ---- */

static bool is_metric_source(const char *name)
{
	for (const struct ab_metric *m = ab_metrics; m->id; m++)
		if (g_str_equal(m->source, name))
			return true;
	return false;
}

static void note_used(GHashTable *used, const char *name)
{
	struct ab_definition d;

	if (!ab_definition_find(name, &d))
		g_error("'%s' has no unit, direction and definition: add it "
			"to ab_definitions",
			name);
	g_assert_nonnull(d.unit);
	g_assert_true(*d.definition);
	g_hash_table_add(used, (gpointer)d.name);
}

/* All that a trace yields is described, and all that is described occurs. */
static void test_described(void)
{
	g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
	struct result r;

	analyze(&r, GEN_FULL, 1);
	for (guint i = 0; i < r.data->values->len; i++) {
		const struct ab_run_value *v = r.data->values->pdata[i];

		note_used(used, v->name);
	}
	for (guint i = 0; i < r.data->samples->len; i++) {
		const struct ab_sample_set *s = r.data->samples->pdata[i];

		if (!is_metric_source(s->name))
			note_used(used, s->name);
	}
	for (const struct ab_definition *d = ab_definitions; d->name; d++) {
		g_assert_null(ab_metric_find(d->name));
		/*
		 * No frame is missed in so short a trace, and the others come
		 * from other recorders.
		 */
		if (!g_str_has_prefix(d->name, "jankbench.") &&
		    !g_str_has_prefix(d->name, "rail_energy.") &&
		    !g_str_has_prefix(d->name, "why.split.") &&
		    !g_hash_table_contains(used, d->name))
			g_error("'%s' is described, but was not measured",
				d->name);
	}
	result_clear(&r);
}

static void expect_definition(const char *name, const char *expected)
{
	struct ab_definition d = { .name = NULL };

	g_assert_true(ab_definition_find(name, &d) == (expected != NULL));
	g_assert_cmpstr(d.name, ==, expected);
}

static void test_names(void)
{
	expect_definition("work_items", "work_items");
	expect_definition("work_items.x", NULL);
	expect_definition("sched.kworker.pm.wait", "sched.<class>.wait");
	expect_definition("sched.wait.waits", "sched.<class>.waits");
	expect_definition("sched.x.migrations", NULL);
	expect_definition("sched.wait", NULL);
	expect_definition("sched..wait", NULL);
	expect_definition("trace_power.<rail>", "trace_power.<rail>");
	expect_definition("trace_power.", NULL);
	/* Metrics describe the run values of their name, and only these. */
	expect_definition("cpu.busy", "cpu.busy");
	expect_definition("jankbench.jank", NULL);
	expect_definition("", NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/planted/compact", test_compact);
	g_test_add_func("/trace/planted/full", test_full);
	g_test_add_func("/trace/planted/described", test_described);
	g_test_add_func("/trace/planted/names", test_names);
	return g_test_run();
}
