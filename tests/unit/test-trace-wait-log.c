// SPDX-License-Identifier: GPL-3.0-or-later
/* Percentiles of the log of waits: against sorting, and the oracle's states. */
#include <abrig/stats.h>
#include <abrig/trace.h>
#include <math.h>

#include "../../harness/trace/thread_rules.h"
#include "../../harness/trace/wait_log.h"
#include "shared.h"
#include "trace_rows.h"
#include "trace_writer.h"

#define OWNERS 40
#define SETS 5 /* the last stays empty */

static void expect_sum(const struct ab_waited *w, GArray *ns)
{
	double sum = 0;
	guint n_long = 0;

	ab_samples_sort(ns);
	for (guint i = 0; i < ns->len; i++) {
		sum += g_array_index(ns, double, i);
		n_long += g_array_index(ns, double, i) >= 2e6;
	}
	g_assert_cmpuint(w->n, ==, ns->len);
	g_assert_cmpuint(w->n_long, ==, n_long);
	g_assert_cmpfloat((double)w->ns, ==, sum);
	if (!ns->len)
		g_assert_true(isnan(w->p99_ns));
	else
		g_assert_cmpfloat_with_epsilon(
			w->p99_ns,
			ab_stats_quantile((const double *)(void *)ns->data,
					  ns->len, 0.99),
			1e-6 * w->p99_ns);
}

/* Waits of any length, more of the short ones. */
static gint64 any_wait(GRand *rand)
{
	return (gint64)(g_rand_int(rand) >> g_rand_int_range(rand, 0, 32));
}

static void check_logged(GRand *rand, guint n)
{
	guint32 set_of[OWNERS];
	GArray *expected[SETS];
	struct ab_waited out[SETS];
	struct ab_wait_log log;

	ab_wait_log_init(&log, 0);
	for (guint i = 0; i < OWNERS; i++)
		set_of[i] = i % (SETS - 1);
	for (guint i = 0; i < SETS; i++)
		expected[i] = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < n; i++) {
		/* Most are of set 1; owners beyond the map are of none. */
		guint32 owner = g_rand_int_range(rand, 0, 4)
					? 1
					: g_rand_int(rand) % (OWNERS + 1);
		gint64 ns = any_wait(rand);
		double value = (double)ns;

		g_assert_nonnull(ab_wait_log_add(&log, owner, ns).ns);
		if (owner < OWNERS)
			g_array_append_val(expected[set_of[owner]], value);
	}
	ab_wait_log_sum(&log, set_of, OWNERS, SETS, out);
	for (guint i = 0; i < SETS; i++) {
		expect_sum(&out[i], expected[i]);
		g_array_unref(expected[i]);
	}
	g_assert_false(log.full);
	ab_wait_log_clear(&log);
}

/* Few, as many as change the method, several blocks of the log. */
static void test_sums(void)
{
	static const guint sizes[] = { 0,    1,	   2,	 100,	101,
				       4096, 5400, 6000, 16384, 60000 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
		check_logged(rand, sizes[i]);
}

/* The ends of the range, and a wait that goes to another owner. */
static void test_ends(void)
{
	static const guint32 set_of[] = { 0, 1 };
	struct ab_waited out[2];
	struct ab_wait_log log;
	struct ab_wait_at wait;

	ab_wait_log_init(&log, 0);
	wait = ab_wait_log_add(&log, 0, G_MAXINT64);
	ab_wait_log_add(&log, 0, 0);
	ab_wait_log_give(&log, &wait, 1);
	ab_wait_log_give(&log, &wait, 1);
	for (guint i = 0; i < 5000; i++)
		ab_wait_log_add(&log, 1, G_MAXINT64);
	ab_wait_log_sum(&log, set_of, 2, 2, out);
	g_assert_cmpuint(out[0].n, ==, 1);
	g_assert_cmpfloat(out[0].p99_ns, ==, 0);
	g_assert_cmpuint(out[1].n, ==, 5001);
	g_assert_cmpuint(out[1].n_long, ==, 5001);
	g_assert_cmpfloat(out[1].p99_ns, ==, (double)AB_WAIT_NS_MAX);
	ab_wait_log_clear(&log);
}

/* ---- the oracle ---- */

/* All waits that trace processor sees whole: states R and R+. */
static GArray *oracle_waits(const char *path)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(double));
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 1; lines[i] && *lines[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(lines[i], ",", -1);
		double ns = g_ascii_strtod(cells[1], NULL);

		if (g_str_has_prefix(cells[4], "\"R") &&
		    !g_str_has_prefix(cells[4], "\"Run") && ns >= 0)
			g_array_append_val(waits, ns);
	}
	return waits;
}

static double run_value(const struct ab_run_data *data, const char *name)
{
	double value = NAN;

	g_assert_true(ab_run_data_get(data, name, &value));
	return value;
}

static void test_oracle(gconstpointer name)
{
	g_autofree char *file = g_strdup_printf("data/kernel-ab/%s.pftrace",
						(const char *)name);
	g_autofree char *csv =
		g_strdup_printf("data/kernel-ab/oracle/%s/thread_state.csv",
				(const char *)name);
	ab_autoptr(ab_thread_rules) rules = ab_thread_rules_parse(
		"- { class: all, comm: \"*\" }", "rules", NULL);
	const struct ab_trace_options options = { .rules = rules };
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	g_autofree char *path = shared_path(file);
	g_autofree char *states = shared_path(csv);
	ab_autoptr(ab_trace) trace = NULL;
	g_autoptr(GArray) waits = NULL;
	guint n_long = 0;

	if (!path || !states)
		return;
	trace = ab_trace_open(path, NULL, NULL, NULL);
	g_assert_nonnull(trace);
	ab_trace_analyze(trace, &options, data);
	waits = oracle_waits(states);
	ab_samples_sort(waits);
	for (guint i = 0; i < waits->len; i++)
		n_long += g_array_index(waits, double, i) >= 2e6;
	g_assert_cmpfloat(run_value(data, "sched.all.waits"), ==, waits->len);
	g_assert_cmpfloat(run_value(data, "sched.all.waits_ge_2ms"), ==,
			  n_long);
	g_assert_cmpfloat_with_epsilon(
		run_value(data, "sched.all.wait_p99"),
		ab_stats_quantile((const double *)(void *)waits->data,
				  waits->len, 0.99) /
			1e3,
		1e-6);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/wait-log/sums", test_sums);
	g_test_add_func("/trace/wait-log/ends", test_ends);
	g_test_add_data_func("/trace/wait-log/oracle/a1", "a1", test_oracle);
	g_test_add_data_func("/trace/wait-log/oracle/b1", "b1", test_oracle);
	return g_test_run();
}
