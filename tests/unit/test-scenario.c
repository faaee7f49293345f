// SPDX-License-Identifier: GPL-3.0-or-later
/* Scenarios, and what their steps understand of a phone's words. */
#include "../../harness/scenario/step_internal.h"

#include <abrig/capture.h>
#include <abrig/error.h>

#include <string.h>

static struct ab_scenario *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct ab_scenario *s = ab_scenario_parse(text, "s.yaml", &error);

	g_assert_no_error(error);
	return s;
}

static void refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(ab_scenario_parse(text, "s.yaml", &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	g_assert_cmpstr(error->message, ==, message);
}

static void test_minimal(void)
{
	ab_autoptr(ab_scenario) s = parse("scenario: s\nsteps: [home]\n");
	const struct ab_step *step = g_ptr_array_index(s->steps, 0);

	g_assert_cmpstr(s->name, ==, "s");
	g_assert_cmpstr(s->summary, ==, "");
	g_assert_cmpint(g_strv_length(s->processes), ==, 0);
	g_assert_cmpint(s->setup->len, ==, 0);
	g_assert_cmpint(s->recorders->len, ==, 0);
	g_assert_true(step->ops == &step_home);
	g_assert_cmpint(step->where->line, ==, 2);
	g_assert_cmpint(s->estimate_ms, ==, 1000);
}

static void test_full(void)
{
	ab_autoptr(ab_scenario) s =
		parse("scenario: s\n"
		      "summary: Does things.\n"
		      "params: { n: 3, t: [list_view] }\n"
		      "processes: [a.b, c]\n"
		      "expect: { frames: 7, work_items: 8 }\n"
		      "estimate: 20s\n"
		      "recorders: { odpm: { interval: 2s } }\n"
		      "setup: [wake]\n"
		      "steps:\n"
		      "  - repeat:\n"
		      "      times: $n\n"
		      "      steps: [pause: { time: 10s }]\n"
		      "  - jankbench: { tests: $t }\n"
		      "teardown: [home]\n");
	const struct ab_recorder_use *use = g_ptr_array_index(s->recorders, 0);

	g_assert_cmpstr(s->processes[1], ==, "c");
	g_assert_cmpint(s->min_frames, ==, 7);
	g_assert_cmpint(s->min_work_items, ==, 8);
	g_assert_cmpstr(use->ops->name, ==, "odpm");
	/* wake, 3 * 10 s, Jankbench's 10 s and 5 * 10 s, home */
	g_assert_cmpint(s->estimate_ms, ==, 1000 + 30000 + 60000 + 1000);
}

static void test_params(void)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_node) three =
		ab_yaml_parse("{ swipes: 3 }", -1, "plan.yaml", NULL);
	ab_autoptr(ab_node) wrong =
		ab_yaml_parse("{ swips: 3 }", -1, "plan.yaml", NULL);
	ab_autoptr(ab_node) map =
		ab_yaml_parse("{ swipes: { a: 1 } }", -1, "plan.yaml", NULL);
	ab_autoptr(ab_scenario) whole =
		ab_scenario_load("notification-shade", NULL, &error);
	ab_autoptr(ab_scenario) less =
		ab_scenario_load("notification-shade", three, &error);

	g_assert_no_error(error);
	g_assert_cmpint(less->estimate_ms, <, whole->estimate_ms);
	g_assert_null(ab_scenario_load("notification-shade", wrong, &error));
	g_assert_cmpstr(error->message, ==,
			"plan.yaml:1:3: unknown parameter 'swips', did you "
			"mean 'swipes'?");
	g_clear_error(&error);
	g_assert_null(ab_scenario_load("notification-shade", map, &error));
	g_assert_cmpstr(error->message, ==,
			"plan.yaml:1:11: parameter 'swipes' must be a value or "
			"a list of values, not a map");
}

static void test_shipped(void)
{
	g_auto(GStrv) names = ab_scenario_names();
	char **name;

	g_assert_true(g_strv_contains((const char *const *)names,
				      "notification-shade"));
	g_assert_true(g_strv_contains((const char *const *)names, "jankbench"));
	for (name = names; *name; name++) {
		g_autoptr(GError) error = NULL;
		ab_autoptr(ab_scenario) s =
			ab_scenario_load(*name, NULL, &error);

		g_assert_no_error(error);
		g_assert_cmpstr(s->name, ==, *name);
		g_assert_cmpint(strlen(s->summary), >, 0);
		g_assert_cmpint(s->teardown->len, >, 0);
	}
}

/* What a campaign keeps is the tree; it must mean the same again. */
static void test_kept(void)
{
	ab_autoptr(ab_scenario) s =
		ab_scenario_load("notification-shade", NULL, NULL);
	g_autofree char *json = ab_node_to_json(s->tree);
	ab_autoptr(ab_scenario) again = parse(json);

	g_assert_cmpint(again->estimate_ms, ==, s->estimate_ms);
	g_assert_cmpint(again->min_frames, ==, s->min_frames);
	g_assert_cmpint(again->steps->len, ==, s->steps->len);
}

static void test_errors(void)
{
	refused("scenario: s\nsteps: []\n",
		"s.yaml:2:8: 'steps' is empty: nothing to measure");
	refused("scenario: s\nsteps: home\n",
		"s.yaml:2:8: steps are a list of at most 1000, each on a line "
		"that begins with '- '");
	refused("scenario: s\nsteps:\n  - swip: { from: [0, 0] }\n",
		"s.yaml:3:5: unknown step 'swip', did you mean 'swipe'?");
	refused("scenario: s\nsteps:\n  - swipe\n",
		"s.yaml:3:5: step 'swipe': missing key 'from': Where the "
		"finger goes down.");
	refused("scenario: s\nsteps:\n  - swipe: { from: [0, 0] }\n",
		"s.yaml:3:12: missing key 'to': Where it is lifted.");
	refused("scenario: s\nsteps: [{ home: {}, wake: {} }]\n",
		"s.yaml:2:9: a step is a name, or a map with one name and its "
		"arguments, such as swipe: { from: [0.5, 0], to: [0.5, 0.9] }");
	refused("scenario: s\nsteps: [home: { x: 1 }]\n",
		"s.yaml:2:17: unknown key 'x': none are known here");
	refused("scenario: s\nsteps: [repeat: { times: 2, steps: [hom] }]\n",
		"s.yaml:2:37: unknown step 'hom', did you mean 'home'?");
	refused("scenario: s\nsteps: [repeat: { times: 2, steps: }]\n",
		"s.yaml:2:36: no steps to repeat");
	refused("scenario: s\nsteps: [shade: { state: opened }]\n",
		"s.yaml:2:25: unknown value for 'state': 'opened', did you "
		"mean 'open'?");
	refused("scenario: s\nsteps: [notifications: { count: 21 }]\n",
		"s.yaml:2:33: 'count' must be in 1..20, not 21");
	refused("scenario: s\nsteps: [notifications: { tag: 'a|b' }]\n",
		"s.yaml:2:24: 'tag' must be 1 to 32 letters, digits, '.', '_' "
		"or '-', a letter or digit first");
	refused("scenario: s\nsteps: [force_stop: { package: 'a;b' }]\n",
		"s.yaml:2:21: 'a;b' is not the name of a package, such as "
		"com.example.app");
	refused("scenario: s\nsteps: [start_app: { component: a.b }]\n",
		"s.yaml:2:20: 'a.b' is not the name of a component, such as "
		"com.example.app/.MainActivity");
	refused("scenario: s\nsteps: [jankbench: { tests: [list_vew] }]\n",
		"s.yaml:2:29: unknown test 'list_vew', did you mean "
		"'list_view'?");
	refused("scenario: s\nsteps: [jankbench: { tests: [7] }]\n",
		"s.yaml:2:29: unknown test '7'; known are: list_view, "
		"image_list_view, shadow_grid, high_hitrate_text, "
		"low_hitrate_text, edit_text, overdraw");
	refused("scenario: s\nsteps: [jankbench: { tests: [] }]\n",
		"s.yaml:2:29: 'tests' must name 1 to 7 tests");
}

static void test_file_errors(void)
{
	refused("scenario: a/b\nsteps: [home]\n",
		"s.yaml:1:11: 'a/b' cannot be the name of a scenario: use 1 to "
		"32 letters, digits, '.', '_' or '-', a letter or digit first");
	refused("scenario: s\nsteps: [home]\nrecorders: { perfeto: {} }\n",
		"s.yaml:3:14: unknown recorder 'perfeto', did you mean "
		"'perfetto'?");
	refused("scenario: s\nsteps: [home]\n"
		"recorders: { odpm: { intervall: 1s } }\n",
		"s.yaml:3:22: unknown key 'intervall', did you mean "
		"'interval'?");
	refused("scenario: s\nsteps: [home]\nexpect: { frames: 5 }\n",
		"s.yaml:1:1: expect.frames needs 'processes': whose frames?");
	refused("scenario: s\nsteps: [home]\nprocesses: ['a b']\n",
		"s.yaml:3:12: 'a b' cannot be the name of a process; names are "
		"as in `ps -A` on the phone");
	refused("scenario: s\nsteps: [pause: { time: $t }]\n",
		"s.yaml:2:24: unknown parameter 't': none are known here");
	refused("scenario: s\nparams: [a]\nsteps: [home]\n",
		"s.yaml:2:9: parameters are a map from names to values, such "
		"as { swipes: 10 }");
}

static void test_find(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(ab_scenario_find("jankbnch", &error));
	g_assert_cmpstr(error->message, ==,
			"unknown scenario 'jankbnch', did you mean "
			"'jankbench'?");
	g_clear_error(&error);
	g_assert_null(ab_scenario_find("xxxxxxxxxxxxxxxxxxxxx", &error));
	g_assert_nonnull(strstr(error->message, "jankbench, "));
	g_assert_nonnull(strstr(error->message, "(looked in scenarios, "));
	g_clear_error(&error);
	g_assert_null(ab_scenario_find("no/such.yaml", &error));
	g_assert_cmpstr(error->message, ==,
			"there is no scenario file 'no/such.yaml'; check the "
			"path");
}

/* ---- the words of a phone ---- */

static void test_notifications(void)
{
	g_assert_cmphex(
		notify_parse_list(
			"0|com.android.shell|2020|abrig-1|2000\n"
			"0|com.android.shell|1138|abrig-3|2000\r\n"
			"0|com.android.shell|2020|abrig-4|2000|g:group\n"
			"0|com.android.shell|2147483647|ranker_group|2000|"
			"ranker_group\n"
			"0|com.android.shell|2020|other-2|2000\n"
			"0|root|2020|abrig-5|0\n"
			"-1|android|26|null|1000\n"
			"0|com.x|1|a|com.android.shell|2020|abrig-6|1\n"
			"0|com.android.shell|2020|abrig-0|2000\n"
			"0|com.android.shell|2020|abrig-21|2000\n"
			"0|com.android.shell|2020|abrig-7x|2000\n"
			"0|com.android.shell|2020|abrig-20|2000\n"
			"garbage\n||||\n|com.android.shell|\n",
			"abrig"),
		==, 0x8000d);
	g_assert_cmphex(notify_parse_list("", "abrig"), ==, 0);
	/* A tag with bars is not taken apart wrongly. */
	g_assert_cmphex(
		notify_parse_list("0|com.android.shell|2020|x|abrig-1|2000\n",
				  "abrig"),
		==, 0);
}

static void problem(const char *text, bool front_ok, const char *expected)
{
	g_autofree char *found = am_problem(text, front_ok);

	g_assert_cmpstr(found, ==, expected);
}

static void test_am(void)
{
#define STARTING "Starting: Intent { cmp=a/.b }\n"
#define FRONT                                                               \
	"Warning: Activity not started, its current task has been brought " \
	"to the front"
	problem(STARTING "Status: ok\nLaunchState: COLD\nActivity: a/.b\n"
			 "TotalTime: 300\nWaitTime: 302\nComplete\n",
		false, NULL);
	problem(STARTING FRONT "\nStatus: ok\nComplete\n", true, NULL);
	problem(STARTING FRONT "\nStatus: ok\nComplete\n", false, FRONT);
	problem(STARTING "Status: timeout\n", true, "Status: timeout");
	problem(STARTING "Status: null\n", true, "Status: null");
	problem(STARTING "Error type 3\nError: Activity class {a/.b} does not "
			 "exist.\n",
		true, "Error type 3");
	problem("Exception occurred while executing 'start':\n"
		"java.lang.SecurityException: no\n",
		true, "Exception occurred while executing 'start':");
	problem(STARTING "FAILURE\nStatus: ok\n", true, "FAILURE");
	problem(STARTING, true, "it printed no 'Status: ok'");
	problem("", true, "it printed no 'Status: ok'");
}

#define LOG(tag, text) "11-30 12:00:00.000  1234  1240 I " tag ": " text

static void test_bench_log(void)
{
	struct bench_log log = { .token = "token-1" };

	g_assert_cmpint(bench_log_line(&log, LOG("BENCH   ", "BenchmarkDone!")),
			==, BENCH_OTHER);
	g_assert_cmpint(bench_log_line(&log, LOG("abrig   ", "token-1")), ==,
			BENCH_BEGIN);
	g_assert_cmpint(bench_log_line(&log, LOG("System.out", "iteration: 0")),
			==, BENCH_OTHER);
	g_assert_cmpint(bench_log_line(&log, LOG("System.out", "Mean: NaN")),
			==, BENCH_OTHER);
	g_assert_cmpint(log.iterations, ==, 1);
	g_assert_cmpint(bench_log_line(&log, LOG("MYBENCH ", "BenchmarkDone!")),
			==, BENCH_OTHER);
	g_assert_cmpint(bench_log_line(&log, LOG("BENCH   ", "BenchmarkDone!")),
			==, BENCH_DONE);
}

static void test_bench_crash(void)
{
	struct bench_log log = { .token = "t", .begun = true };

	bench_log_line(&log, LOG("AndroidRuntime", "FATAL EXCEPTION: main"));
	g_assert_cmpint(bench_log_line(&log, LOG("AndroidRuntime",
						 "Process: com.other, PID: "
						 "7")),
			==, BENCH_OTHER);
	g_assert_cmpint(bench_log_line(&log,
				       LOG("AndroidRuntime", "java.lang.X: y")),
			==, BENCH_OTHER);
	bench_log_line(&log, LOG("AndroidRuntime", "FATAL EXCEPTION: main"));
	g_assert_cmpint(bench_log_line(&log,
				       LOG("AndroidRuntime",
					   "Process: com.android.benchmark, "
					   "PID: 8")),
			==, BENCH_CRASHED);
	bench_log_line(&log, LOG("AndroidRuntime", "FATAL EXCEPTION: main"));
	g_assert_cmpint(bench_log_line(&log,
				       LOG("AndroidRuntime", "java.lang.X: y")),
			==, BENCH_CRASHED);
}

static void test_pixels(void)
{
	g_assert_cmpint(swipe_pixel(0, 1080), ==, 0);
	g_assert_cmpint(swipe_pixel(1, 1080), ==, 1079);
	g_assert_cmpint(swipe_pixel(0.5, 1080), ==, 540);
	g_assert_cmpint(swipe_pixel(0.002, 2400), ==, 5);
	g_assert_cmpint(swipe_pixel(0.5, 0), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/scenario/minimal", test_minimal);
	g_test_add_func("/scenario/full", test_full);
	g_test_add_func("/scenario/params", test_params);
	g_test_add_func("/scenario/shipped", test_shipped);
	g_test_add_func("/scenario/kept", test_kept);
	g_test_add_func("/scenario/errors", test_errors);
	g_test_add_func("/scenario/file-errors", test_file_errors);
	g_test_add_func("/scenario/find", test_find);
	g_test_add_func("/scenario/notifications", test_notifications);
	g_test_add_func("/scenario/am", test_am);
	g_test_add_func("/scenario/bench-log", test_bench_log);
	g_test_add_func("/scenario/bench-crash", test_bench_crash);
	g_test_add_func("/scenario/pixels", test_pixels);
	return g_test_run();
}
