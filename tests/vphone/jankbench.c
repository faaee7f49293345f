// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The Jankbench app: runs its list in phone time while it is in front.  What
 * takes it from the front cancels the iteration, whose rows never appear.
 */
#include "jankbench.h"
#include "android.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_NS (50 * VP_MSEC)
#define START_DELAY_NS VP_NSEC /* onResume posts "run next" */
#define ITERATION_NS (VP_NSEC * 5 / 2)
#define ITERATIONS_MAX 1000

struct vp_bench {
	struct vphone *vp;
	GThread *thread;
	int boot_number;
	int *requested;
	size_t n_requested;
	int tests[64];
	size_t n_tests;
	int iterations;
	bool finish, silent, empty;
	gint32 run_id;
	guint64 run_seed;
	sqlite3 *db;
	GPtrArray *results;
	bool stop; /* guarded by vp->lock */
};

static const char *const activities[VP_BENCH_TESTS] = {
	"ListViewScrollActivity",     "ImageListViewScrollActivity",
	"ShadowGridActivity",	      "TextScrollActivity",
	"TextScrollActivity",	      "EditTextInputActivity",
	"FullScreenOverdrawActivity",
};

/* ---- time ---- */

/* [lock] */
static bool ended(const struct vp_bench *b)
{
	return b->stop || b->vp->mode != VP_ANDROID ||
	       b->vp->boot_number != b->boot_number;
}

/* [lock] Sleep at most @ns of phone time; false when the app is to end. */
static bool nap(struct vp_bench *b, gint64 ns)
{
	gint64 until_us = g_get_monotonic_time() +
			  MAX(ns / 1000 / MAX(b->vp->speed, 1), 200);

	while (!ended(b) &&
	       g_cond_wait_until(&b->vp->changed, &b->vp->lock, until_us))
		;
	return !ended(b);
}

/* [lock] */
static bool in_front(const struct vp_bench *b)
{
	return vp_app_resumed(b->vp) && b->vp->focus &&
	       g_str_has_prefix(b->vp->focus, VP_BENCHMARK "/");
}

/* Wait until the app has been in front for @ns; false when it is to end. */
static bool wait_in_front(struct vp_bench *b, gint64 ns)
{
	gint64 since_ns;

	VP_LOCKED(b->vp);
	since_ns = vp_now_ns(b->vp);
	while (vp_now_ns(b->vp) < since_ns + ns) {
		if (!nap(b, LOOK_NS))
			return false;
		vp_android_settle(b->vp);
		if (!in_front(b))
			since_ns = vp_now_ns(b->vp);
	}
	return true;
}

/* ---- one iteration ---- */

static guint act_begin(struct vp_bench *b, int test, int iteration)
{
	g_autofree char *activity =
		g_strdup_printf(VP_BENCHMARK "/.ui.%s", activities[test]);
	struct vp_act act = { .kind = VP_ACT_BENCH,
			      .test = test,
			      .iteration = iteration };

	VP_LOCKED(b->vp);
	vp_app_front(b->vp, activity);
	act.begin_ns = vp_now_ns(b->vp);
	act.end_ns = act.begin_ns + ITERATION_NS;
	g_array_append_val(b->vp->acts, act);
	return b->vp->acts->len - 1;
}

/* True when the whole iteration went by with the app in front. */
static bool act_wait(struct vp_bench *b, guint index)
{
	struct vphone *vp = b->vp;
	gint64 end_ns;

	VP_LOCKED(vp);
	end_ns = g_array_index(vp->acts, struct vp_act, index).end_ns;
	while (vp_now_ns(vp) < end_ns) {
		bool on = nap(b, MIN(LOOK_NS, end_ns - vp_now_ns(vp)));

		if (on) {
			vp_android_settle(vp);
			on = in_front(b);
		}
		if (on)
			continue;
		if (index < vp->acts->len)
			g_array_index(vp->acts, struct vp_act, index).end_ns =
				MIN(end_ns, vp_now_ns(vp));
		return false;
	}
	return true;
}

static struct vp_bench_result *measure(struct vp_bench *b, int test,
				       int iteration)
{
	struct vp_bench_result *r = g_new0(struct vp_bench_result, 1);
	struct vphone *vp = b->vp;
	int hot = 0, skin_mc;

	{
		VP_LOCKED(vp);
		vp_fault_on(vp, VP_FAULT_HOT, &hot);
		skin_mc =
			vp_skin_mc(&vp->boot,
				   (const struct vp_act *)vp->acts->data,
				   vp->acts->len, vp->start_mc, vp_now_ns(vp)) +
			hot * 1000;
		r->total_ms = g_new(double, VP_BENCH_FRAMES_MAX);
		r->n = vp_bench_frames(&vp->boot, test, iteration, b->run_seed,
				       skin_mc, r->total_ms,
				       VP_BENCH_FRAMES_MAX);
	}
	r->test = test;
	r->iteration = iteration;
	r->jank = g_new0(bool, r->n);
	vp_bench_flag_jank(r);
	return r;
}

static void log_score(struct vphone *vp, const struct vp_bench_result *r)
{
	struct vp_bench_score s = vp_bench_score(r);
	g_autofree char *p95 = vp_java_double(s.p95);
	g_autofree char *mean = vp_java_double(s.mean_bad);
	g_autofree char *jank = vp_java_double(s.jank_percent);
	g_autofree char *sd = vp_java_double(s.sd_bad);

	vp_log(vp, "System.out", 'I', "95: %s", p95);
	vp_log(vp, "System.out", 'I',
	       "Mean: %s JankP: %s StdDev: %s Count Bad: %d Count Jank: %d",
	       mean, jank, sd, s.bad, s.jank);
}

static void finish_iteration(struct vp_bench *b, int test, int iteration)
{
	struct vp_bench_result *r = measure(b, test, iteration);
	struct vp_bench_score s = vp_bench_score(r);
	g_autofree char *percent = vp_java_double(s.jank_percent);

	vp_log(b->vp, "System.out", 'I', "Jank Percentage: %s%%", percent);
	if (!b->empty &&
	    !vp_bench_db_store(b->db, r, b->run_id, vp_realtime_ns(b->vp)))
		vp_log(b->vp, "SQLiteDatabase", 'E', "Error inserting: %s",
		       sqlite3_errmsg(b->db));
	log_score(b->vp, r);
	g_ptr_array_add(b->results, r);
}

/* False when the app is to end. */
static bool run_iteration(struct vp_bench *b, int test, int iteration)
{
	guint act;
	bool whole;

	if (!wait_in_front(b, START_DELAY_NS))
		return false;
	vp_log(b->vp, "System.out", 'I', "iteration: %d", iteration);
	act = act_begin(b, test, iteration);
	whole = act_wait(b, act);
	if (whole)
		finish_iteration(b, test, iteration);
	VP_LOCKED(b->vp);
	return !ended(b);
}

/* ---- the app's life ---- */

/* False when nothing is left to run: the app dies of it. */
static bool consider(struct vp_bench *b)
{
	for (size_t i = 0; i < b->n_requested; i++) {
		int id = b->requested[i];

		vp_log(b->vp, "System.out", 'I', "considering %d", id);
		if (id >= 0 && id < VP_BENCH_TESTS)
			b->tests[b->n_tests++] = id;
		else
			vp_log(b->vp, "System.out", 'I', "not valid %d", id);
	}
	return b->n_tests > 0;
}

static void crash(struct vp_bench *b)
{
	vp_log(b->vp, "AndroidRuntime", 'E', "FATAL EXCEPTION: main");
	vp_log(b->vp, "AndroidRuntime", 'E',
	       "java.lang.IndexOutOfBoundsException: Index: 0, Size: 0");
	VP_LOCKED(b->vp);
	g_hash_table_remove(b->vp->android->running, VP_BENCHMARK);
	vp_app_front(b->vp, VP_LAUNCHER_ACTIVITY);
}

static bool run_all(struct vp_bench *b)
{
	for (size_t t = 0; t < b->n_tests; t++)
		for (int i = 0; i < b->iterations; i++)
			if (!run_iteration(b, b->tests[t], i))
				return false;
	return true;
}

/* The overall score goes through all results once per test. */
static void log_overall(struct vp_bench *b)
{
	for (size_t t = 0; t < b->n_tests; t++)
		for (guint i = 0; i < b->results->len; i++)
			log_score(b->vp, g_ptr_array_index(b->results, i));
}

/* Wait until the app has left the front; false when it is to end. */
static bool wait_left(struct vp_bench *b)
{
	VP_LOCKED(b->vp);
	for (;;) {
		if (!nap(b, LOOK_NS))
			return false;
		vp_android_settle(b->vp);
		if (!in_front(b))
			return true;
	}
}

/* The marker, again each time the finished app returns to the front. */
static void report_done(struct vp_bench *b)
{
	do {
		if (!wait_in_front(b, START_DELAY_NS))
			return;
		if (!b->silent)
			vp_log(b->vp, "BENCH", 'I', "BenchmarkDone!");
		log_overall(b);
	} while (wait_left(b));
}

static void leave(struct vp_bench *b)
{
	VP_LOCKED(b->vp);
	vp_app_front(b->vp, VP_LAUNCHER_ACTIVITY);
}

static gpointer app_main(gpointer data)
{
	struct vp_bench *b = data;

	if (!consider(b)) {
		if (wait_in_front(b, START_DELAY_NS))
			crash(b);
		return NULL;
	}
	b->db = vp_bench_db_open(b->vp);
	if (!b->db)
		return NULL;
	if (run_all(b)) {
		{
			VP_LOCKED(b->vp);
			if (in_front(b))
				vp_app_front(
					b->vp, VP_BENCHMARK
					"/.app.RunLocalBenchmarksActivity");
		}
		if (b->finish)
			leave(b);
		else
			report_done(b);
	}
	return NULL;
}

static void bench_free(struct vp_bench *b)
{
	g_thread_join(b->thread);
	sqlite3_close(b->db);
	g_ptr_array_free(b->results, true);
	g_free(b->requested);
	g_free(b);
}

static gint32 make_run_id(struct vphone *vp, const struct vp_bench *b)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "%d%" G_GINT64_FORMAT, b->iterations,
			       vp_realtime_ns(vp) / VP_MSEC);
	for (size_t i = 0; i < b->n_requested; i++)
		g_string_append_printf(text, "%d", b->requested[i]);
	return vp_java_hash(text->str);
}

bool vp_jankbench_start(struct vphone *vp, const int *tests, size_t n_tests,
			int iterations, bool finish)
{
	struct vp_bench *b = g_new0(struct vp_bench, 1);

	vp_jankbench_stop(vp);
	b->vp = vp;
	b->requested = g_memdup2(tests, n_tests * sizeof(*tests));
	b->n_requested = MIN(n_tests, G_N_ELEMENTS(b->tests));
	b->iterations = CLAMP(iterations, 0, ITERATIONS_MAX);
	b->finish = finish;
	b->results = g_ptr_array_new_with_free_func(
		(GDestroyNotify)vp_bench_result_free);
	b->run_id = make_run_id(vp, b);
	VP_LOCKED(vp);
	b->boot_number = vp->boot_number;
	b->run_seed = vp->boot.seed + ++vp->android->bench_runs;
	b->silent = vp_fault_take(vp, VP_FAULT_JANKBENCH_SILENT, NULL);
	b->empty = vp_fault_take(vp, VP_FAULT_JANKBENCH_EMPTY, NULL);
	vp->android->bench = b;
	b->thread = g_thread_new("jankbench", app_main, b);
	return true;
}

void vp_jankbench_stop(struct vphone *vp)
{
	struct vp_bench *b;

	{
		VP_LOCKED(vp);
		b = vp->android ? vp->android->bench : NULL;
		if (!b)
			return;
		vp->android->bench = NULL;
		b->stop = true;
		g_cond_broadcast(&vp->changed);
	}
	bench_free(b);
}
