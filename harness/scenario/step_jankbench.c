// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/jankbench.h>
#include <abrig/text.h>

#include <string.h>

#define ACTIVITY AB_JANKBENCH_PACKAGE "/.app.RunLocalBenchmarksActivity"
#define EXTRA_IDS AB_JANKBENCH_PACKAGE ".EXTRA_ENABLED_BENCHMARK_IDS"
#define EXTRA_RUNS AB_JANKBENCH_PACKAGE ".EXTRA_RUN_COUNT"
#define LOG_TAG "abrig"
#define BEGIN_MS 10000
#define START_MS 30000
#define PER_ITERATION_MS 30000 /* several times what a slow phone needs */

struct args {
	char **tests;
	gint64 iterations, timeout_ms;
	GArray *ids; /* int */
};

static const struct ab_key keys[] = {
	{ .name = "tests",
	  .type = AB_KEY_STRINGS,
	  .offset = offsetof(struct args, tests),
	  .dflt = "[list_view, image_list_view]",
	  .help = "Tests by name or number: 0 list_view, 1 image_list_view, "
		  "2 shadow_grid, 3 high_hitrate_text, 4 low_hitrate_text, "
		  "5 edit_text, 6 overdraw." },
	{ .name = "iterations",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct args, iterations),
	  .dflt = "5",
	  .min = 1,
	  .max = 1000,
	  .help = "Iterations of each test." },
	{ .name = "timeout",
	  .type = AB_KEY_DURATION,
	  .offset = offsetof(struct args, timeout_ms),
	  .dflt = "0",
	  .max = 24 * 3600e3,
	  .help = "How long it may take; 0 stands for 30 s per iteration and "
		  "30 s more." },
	AB_KEYS_END
};

/* ---- arguments ---- */

static bool unknown_test(const struct ab_node *node, const char *text,
			 GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	int i;

	for (i = 0; ab_jankbench_tests[i].id; i++)
		g_ptr_array_add(names, (char *)ab_jankbench_tests[i].id);
	g_ptr_array_add(names, NULL);
	return ab_node_unknown(node, "test", text,
			       (const char *const *)names->pdata, error);
}

static bool check(void *data, const struct ab_node *node, GError **error)
{
	struct args *args = data;
	const struct ab_node *where = ab_node_get(node, "tests");
	char **test;

	args->ids = g_array_new(FALSE, FALSE, sizeof(int));
	for (test = args->tests; *test; test++) {
		int id = ab_jankbench_find(*test);

		if (id < 0)
			return unknown_test(where ? where : node, *test, error);
		g_array_append_val(args->ids, id);
	}
	if (args->ids->len && args->ids->len <= (guint)ab_jankbench_count())
		return true;
	return ab_node_error(where ? where : node, error,
			     "'tests' must name 1 to %d tests",
			     ab_jankbench_count());
}

static void clear(void *data)
{
	struct args *args = data;

	g_clear_pointer(&args->ids, g_array_unref);
}

static gint64 iterations_of(const struct args *args)
{
	return (gint64)args->ids->len * args->iterations;
}

static gint64 timeout_of(const struct args *args)
{
	return args->timeout_ms
		       ? args->timeout_ms
		       : START_MS + iterations_of(args) * PER_ITERATION_MS;
}

static gint64 estimate(const void *data)
{
	return 10000 + iterations_of(data) * PER_ITERATION_MS / 3;
}

/* ---- the run ---- */

/*
 * The log with a line of our own in it: what stands before that line is old,
 * and once it is read the log is known to be live.
 */
static struct ab_adb_stream *open_log(struct ab_scenario_run *run,
				      struct bench_log *log, GError **error)
{
	struct ab_phone *phone = run->phone;
	struct ab_wait w = ab_wait_sub(&run->wait, BEGIN_MS);
	ab_autoptr(ab_adb_stream) stream =
		ab_adb_shell_stream(phone->adb, &run->wait, phone->serial,
				    "logcat -v threadtime -T 1 " LOG_TAG
				    ":I BENCH:I System.out:I "
				    "AndroidRuntime:E '*:S'",
				    error);

	if (!stream ||
	    !ab_phone_do(phone, &w, error, "log -t " LOG_TAG " %s", log->token))
		return NULL;
	while (!log->begun) {
		g_autofree char *line = ab_adb_stream_line(stream, &w, error);

		if (!line) {
			g_prefix_error(error, "logcat does not show what `log` "
					      "wrote: ");
			return NULL;
		}
		bench_log_line(log, line);
	}
	return g_steal_pointer(&stream);
}

static bool start(struct ab_scenario_run *run, const struct args *args,
		  GError **error)
{
	g_autoptr(GString) ids = g_string_new(NULL);
	g_autofree char *text = NULL, *problem = NULL;
	guint i;

	for (i = 0; i < args->ids->len; i++)
		g_string_append_printf(ids, "%s%d", i ? "," : "",
				       g_array_index(args->ids, int, i));
	text = ab_phone_text(run->phone, &run->wait, error,
			     "am start -W -S -n " ACTIVITY " --eia " EXTRA_IDS
			     " %s --ei " EXTRA_RUNS " %" G_GINT64_FORMAT
			     " 2>&1 || true",
			     ids->str, args->iterations);
	if (!text)
		return false;
	problem = am_problem(text, false);
	if (!problem)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: Jankbench does not start: %s; try to start it on the "
		    "phone by hand",
		    run->phone->serial, problem);
	return false;
}

static bool fail_crashed(const struct ab_scenario_run *run, const char *line,
			 GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: Jankbench crashed: '%.200s'; `adb logcat -b crash` "
		    "has the rest",
		    run->phone->serial, line);
	return false;
}

static bool fail_stuck(const struct bench_log *log, const struct args *args,
		       GError **error)
{
	g_prefix_error(error,
		       "Jankbench did not finish (%d of %" G_GINT64_FORMAT
		       " iterations began); did the screen go off, or a dialog "
		       "or the shade come over it? ",
		       log->iterations, iterations_of(args));
	return false;
}

static bool wait_done(struct ab_scenario_run *run, const struct args *args,
		      struct ab_adb_stream *stream, struct bench_log *log,
		      GError **error)
{
	struct ab_wait w = ab_wait_sub(&run->wait, timeout_of(args));

	for (;;) {
		g_autofree char *line = ab_adb_stream_line(stream, &w, error);
		enum bench_line kind;

		if (!line)
			return fail_stuck(log, args, error);
		kind = bench_log_line(log, line);
		if (kind == BENCH_CRASHED)
			return fail_crashed(run, line, error);
		if (kind == BENCH_DONE)
			return true;
	}
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *args = data;
	g_autofree char *token = g_strdup_printf(
		"jankbench-%08x%08x", g_random_int(), g_random_int());
	struct bench_log log = { .token = token };
	ab_autoptr(ab_adb_stream) stream = NULL;

	if (!am_check_installed(run, AB_JANKBENCH_PACKAGE,
				"build it from AOSP (frameworks/base/tests/"
				"JankBench) and `adb install` it",
				error))
		return false;
	stream = open_log(run, &log, error);
	return stream && start(run, args, error) &&
	       wait_done(run, args, stream, &log, error);
}

const struct ab_step_ops step_jankbench = {
	.name = "jankbench",
	.help = "Run Jankbench's tests to their end.",
	.keys = keys,
	.size = sizeof(struct args),
	.check = check,
	.estimate = estimate,
	.run = run_step,
	.clear = clear,
};
