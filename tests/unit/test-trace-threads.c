// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where threads spend their time, by class: answers worked out by hand, all
 * times in ns; and the sums over the oracle's thread states.
 */
#include <abrig/trace.h>

#include "../../harness/trace/thread_rules.h"
#include "../../harness/trace/threads.h"
#include "../../harness/trace/trace.h"
#include "shared.h"
#include "trace_rows.h"
#include "trace_writer.h"

#define WORK_QUEUE 59
#define TASK_NEWTASK 235

/* ---- writing ---- */

static void release(GByteArray *trace, const char *text)
{
	GByteArray *p = g_byte_array_new();
	GByteArray *info = g_byte_array_new(), *name = g_byte_array_new();

	put_text(name, 3, text);
	put_message(info, 1, name);
	put_message(p, 45, info);
	put_message(trace, 1, p);
}

/* A switch that tells the next task's comm. */
static void named_switch(GByteArray *bundle, guint64 ts, int prev, int state,
			 int next, const char *comm)
{
	GByteArray *b = g_byte_array_new();

	put(b, 2, (guint64)prev);
	put(b, 4, (guint64)state);
	put_text(b, 5, comm);
	put(b, 6, (guint64)next);
	event(bundle, ts, prev, SWITCH, b);
}

/* A process of the tree, with a parent and one more thread. */
static void family(GByteArray *trace, int pid, int parent, const char *command,
		   int tid)
{
	GByteArray *p = g_byte_array_new(), *tree = g_byte_array_new();
	GByteArray *proc = g_byte_array_new(), *thread = g_byte_array_new();

	put(proc, 1, (guint64)pid);
	put(proc, 2, (guint64)parent);
	put_text(proc, 3, command);
	put_message(tree, 1, proc);
	put(thread, 1, (guint64)tid);
	put(thread, 3, (guint64)pid);
	put_message(tree, 2, thread);
	put(p, 8, 1);
	put(p, 10, 5);
	put_message(p, 2, tree);
	put_message(trace, 1, p);
}

static void new_task(GByteArray *bundle, guint64 ts, int creator, int tid,
		     const char *comm)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, (guint64)tid);
	put_text(b, 2, comm);
	event(bundle, ts, creator, TASK_NEWTASK, b);
}

/* ---- sums ---- */

/*
 * Thread 100:
 *	      1000   1200     1500 1600   2000    2600 2650 2700 3000 3100 3300
 *	CPU 0	 |//R//|=======|
 *	CPU 1		       |/R+/|=======|---S---|/R/|===|-D--|/R/|====|
 */
static void add_thread(GByteArray *trace)
{
	GByteArray *b = new_bundle(0), *c = new_bundle(1);

	release(trace, "6.12.0");
	sched_switch(b, 500, 0, 0, 10);
	waking(b, 1000, 10, 100);
	named_switch(b, 1200, 10, 1, 100, "worker");
	sched_switch(b, 1500, 100, 0x100, 50);
	waking(b, 2600, 50, 100);
	waking(b, 3000, 50, 100);
	blocked(b, 3010, 100, RPM_RESUME);
	sched_switch(b, 3300, 50, 1, 0);
	sched_switch(c, 1600, 0, 0, 100);
	sched_switch(c, 2000, 100, 1, 0);
	sched_switch(c, 2650, 0, 0, 100);
	sched_switch(c, 2700, 100, 2, 0);
	sched_switch(c, 3100, 0, 0, 100);
	bundle_packet(trace, b, "pm_runtime_work", false);
	bundle_packet(trace, c, "pm_runtime_work", false);
}

static void expect_waits(const struct ab_table *t, guint row, const char *kind,
			 gint64 n, double total_ns, double max_ns)
{
	g_autofree char *count = g_strdup_printf("%s_waits", kind);
	g_autofree char *total = g_strdup_printf("%s_wait_ms", kind);
	g_autofree char *mean = g_strdup_printf("%s_wait_mean_us", kind);
	g_autofree char *max = g_strdup_printf("%s_wait_max_us", kind);

	expect_count(t, row, count, n);
	expect_number(t, row, total, total_ns / 1e6);
	expect_number(t, row, mean, n ? total_ns / 1e3 / (double)n : NAN);
	expect_number(t, row, max, max_ns / 1e3);
}

static void test_times(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed r;
	guint row;

	add_thread(trace);
	r = analyse(trace);
	t = table_of(&r, "threads");
	row = row_named(t, "worker", NULL);
	expect_count(t, row, "tid", 100);
	expect_text(t, row, "process", "(not told)");
	expect_text(t, row, "class", "other");
	expect_number(t, row, "running_ms", (300 + 400 + 50 + 200) / 1e6);
	expect_waits(t, row, "wakeup", 3, 200 + 50 + 100, 200);
	expect_waits(t, row, "preempted", 1, 100, 100);
	expect_number(t, row, "s_state_ms", 600 / 1e6);
	expect_number(t, row, "d_state_ms", 300 / 1e6);
	expect_count(t, row, "migrations", 1);
	analysed_clear(&r);
}

/*
 * From 1100 to 1650: of the first wait only the end, which is in the sum and
 * is no wait of its own; the thread runs when the window ends.
 */
static void test_window(void)
{
	const struct ab_trace_window window = { 600, 1150 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed r;
	guint row;

	add_thread(trace);
	r = analyse_with(trace, &window, NULL);
	t = table_of(&r, "threads");
	row = row_named(t, "worker", NULL);
	expect_number(t, row, "running_ms", (300 + 50) / 1e6);
	expect_waits(t, row, "wakeup", 0, 100, NAN);
	expect_waits(t, row, "preempted", 1, 100, 100);
	expect_number(t, row, "s_state_ms", 0);
	expect_count(t, row, "migrations", 1);
	t = table_of(&r, "classes");
	expect_count(t, row_named(t, "other", NULL), "threads", 3);
	t = table_of(&r, "processes");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	expect_count(t, 0, "pid", -1);
	expect_number(t, 0, "running_ms",
		      (300 + 50 + /* 10 */ 100 + /* 50 */ 150) / 1e6);
	expect_run_value(&r, "sched.other.wait", (100 + 100) / 1e6);
	expect_run_value(&r, "sched.other.waits", 1);
	expect_run_value(&r, "sched.other.waits_ge_2ms", 0);
	expect_run_value(&r, "sched.other.wait_mean", 100 / 1e3);
	expect_run_value(&r, "sched.other.wait_p99", 100 / 1e3);
	analysed_clear(&r);
}

/*
 * kworker 40, on CPU 0, works for "pm" and then wakes for nothing:
 *
 *	1000   1300    1400 1600   1650    1900 2000     2150    3000 3100 3200
 *	  |//R//|=[item ..|/R+/|= .. |--- D ---|/R/|= ..]===|- I --|/R/|===|
 */
static void add_worker(GByteArray *trace)
{
	GByteArray *b = new_bundle(0), *q = g_byte_array_new();

	release(trace, "6.12.0");
	sched_switch(b, 500, 0, 0, 10);
	put(q, 1, 77);
	put(q, 2, PM_RUNTIME_WORK);
	put_text(q, 6, "pm");
	event(b, 900, 10, WORK_QUEUE, q);
	waking(b, 1000, 10, 40);
	named_switch(b, 1300, 10, 1, 40, "kworker/0:1");
	work(b, 1310, 40, WORK_START, PM_RUNTIME_WORK);
	sched_switch(b, 1400, 40, 0x100, 50);
	sched_switch(b, 1600, 50, 1, 40);
	sched_switch(b, 1650, 40, 2, 50);
	waking(b, 1900, 50, 40);
	sched_switch(b, 2000, 50, 1, 40);
	work(b, 2100, 40, WORK_END, PM_RUNTIME_WORK);
	sched_switch(b, 2150, 40, 0x80, 50);
	waking(b, 3000, 50, 40);
	sched_switch(b, 3100, 50, 1, 40);
	sched_switch(b, 3200, 40, 0x80, 0);
	bundle_packet(trace, b, "pm_runtime_work", false);
}

static void test_workqueue(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed r;
	guint row;

	add_worker(trace);
	r = analyse(trace);
	t = table_of(&r, "classes");
	row = row_named(t, "kworker.pm", NULL);
	expect_count(t, row, "threads", 1);
	expect_number(t, row, "running_ms", (100 + 50 + 150) / 1e6);
	expect_waits(t, row, "wakeup", 2, 300 + 100, 300);
	expect_waits(t, row, "preempted", 1, 200, 200);
	expect_number(t, row, "d_state_ms", 250 / 1e6);
	expect_number(t, row, "s_state_ms", 0);
	/* What is left; its longest is at most 300, which is not told. */
	row = row_named(t, "kworker.other", NULL);
	expect_number(t, row, "running_ms", 100 / 1e6);
	expect_waits(t, row, "wakeup", 1, 100, NAN);
	expect_waits(t, row, "preempted", 0, 0, NAN);
	expect_number(t, row, "d_state_ms", 0);
	expect_number(t, row, "s_state_ms", 850 / 1e6);
	t = table_of(&r, "threads");
	row = row_named(t, "kworker/0:1", NULL);
	expect_number(t, row, "running_ms", 400 / 1e6);
	expect_waits(t, row, "wakeup", 3, 500, 300);
	expect_run_value(&r, "sched.kworker.pm.wait", 600 / 1e6);
	expect_run_value(&r, "sched.kworker.pm.waits", 3);
	expect_run_value(&r, "sched.kworker.pm.running", 300 / 1e6);
	/* Of 100, 200 and 300. */
	expect_run_value(&r, "sched.kworker.pm.wait_mean", 200 / 1e3);
	expect_run_value(&r, "sched.kworker.pm.wait_p99", 298 / 1e3);
	expect_run_value(&r, "sched.kworker.other.wait_p99", 100 / 1e3);
	analysed_clear(&r);
}

/* ---- sleeps ---- */

static void test_sleeps(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	ab_autoptr(ab_table) samples = NULL;
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed r;
	guint row;

	release(trace, "6.12.0");
	process(trace, 100, "com.android.systemui");
	process(trace, 200, "com.android.settings");
	sched_switch(b, 500, 0, 0, 100);
	sched_switch(b, 1000, 100, 2, 10);
	waking(b, 1500, 10, 100);
	blocked(b, 1510, 100, RPM_RESUME);
	sched_switch(b, 1600, 10, 1, 100);
	sched_switch(b, 2000, 100, 1, 200);
	sched_switch(b, 3000, 200, 2, 0);
	waking(b, 3100, 0, 200);
	blocked(b, 3110, 200, RPM_RESUME);
	sched_switch(b, 3200, 0, 0, 200);
	/* Nobody says where this one slept. */
	sched_switch(b, 4000, 200, 2, 10);
	waking(b, 4700, 10, 200);
	sched_switch(b, 4800, 10, 1, 200);
	/* Preempted on its way to sleep: it does not sleep. */
	sched_switch(b, 5000, 200, 0x102, 10);
	sched_switch(b, 5900, 10, 1, 200);
	sched_switch(b, 6000, 200, 1, 0);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	t = table_of(&r, "waits");
	g_assert_cmpuint(ab_table_rows(t), ==, 3);
	row = row_named(t, "(not told)", "all");
	expect_count(t, row, "sleeps", 1);
	expect_number(t, row, "length_mean_us", 0.7);
	expect_number(t, row, "length_p50_us", NAN);
	expect_number(t, row, "length_max_us", 0.7);
	row = row_named(t, "rpm_resume", "all");
	expect_count(t, row, "sleeps", 2);
	expect_number(t, row, "total_ms", 600 / 1e6);
	expect_number(t, row, "length_p50_us", 0.3);
	expect_text(t, row, "waker", "(interrupt)");
	expect_number(t, row, "waker_percent", 50);
	row = row_named(t, "rpm_resume", "UI");
	expect_count(t, row, "sleeps", 1);
	expect_number(t, row, "length_max_us", 0.5);
	expect_number(t, row, "waker_percent", 100);
	g_assert_true(ab_trace_samples(r.trace, NULL, 1, &samples));
	g_assert_cmpuint(ab_table_rows(samples), ==, 2);
	expect_count(samples, 0, "begin_ns", 1000);
	expect_text(samples, 0, "process", "com.android.systemui");
	expect_text(samples, 1, "waker", "(interrupt)");
	analysed_clear(&r);
}

/* ---- classes ---- */

static void add_cast(GByteArray *trace)
{
	static const struct {
		int tid;
		const char *comm;
	} cast[] = {
		{ 11, "rcu_preempt" },	   { 12, "irq/9-acpi" },
		{ 13, "ksoftirqd/0" },	   { 14, "f2fs_gc-8:1" },
		{ 15, "migration/3" },	   { 300, "ndroid.systemui" },
		{ 301, "RenderThread" },   { 400, "surfaceflinger" },
		{ 401, "binder:400_1" },   { 500, "composer-servic" },
		{ 501, "HwBinder:500_2" }, { 600, "sh" },
		{ 601, "rcu_fake" },	   { 700, "logd" },
		{ 701, "binder:700_1" },   { 800, "kworker/u16:1" },
		{ 900, "nothing known" },  { 901, "ksoftirqd/9" },
		{ 950, "created" },
	};
	GByteArray *b = new_bundle(0);
	int prev = 0;
	guint i;

	family(trace, 2, 0, "kthreadd", 2);
	for (i = 0; i < 5; i++)
		family(trace, cast[i].tid, 2, cast[i].comm, cast[i].tid);
	family(trace, 300, 1, "com.android.systemui", 301);
	family(trace, 400, 1, "/system/bin/surfaceflinger", 401);
	family(trace, 500, 1,
	       "/vendor/bin/hw/android.hardware.graphics.composer@2.4-service",
	       501);
	family(trace, 600, 1, "sh", 601);
	family(trace, 700, 1, "/system/bin/logd", 701);
	for (i = 0; i < G_N_ELEMENTS(cast); i++) {
		if (cast[i].tid == 950)
			new_task(b, 1000 + 10 * i, 2, 950, "created");
		named_switch(b, 1001 + 10 * i, prev, 1, cast[i].tid,
			     cast[i].comm);
		prev = cast[i].tid;
	}
	bundle_packet(trace, b, "pm_runtime_work", false);
}

static void expect_class(const struct ab_thread_rules *rules,
			 const struct ab_trace *trace, gint32 tid,
			 const char *expected)
{
	char name[AB_CLASS_MAX];

	ab_thread_class(rules, trace,
			ab_thread(trace->threads,
				  ab_threads_get(trace->threads, tid)),
			0, name);
	g_assert_cmpstr(name, ==, expected);
}

static void test_classes(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct analysed r;

	add_cast(bytes);
	r = analyse(bytes);
	expect_class(NULL, r.trace, 11, "rcu");
	expect_class(NULL, r.trace, 12, "irq");
	expect_class(NULL, r.trace, 13, "softirq");
	expect_class(NULL, r.trace, 14, "kernel");
	expect_class(NULL, r.trace, 15, "migration");
	expect_class(NULL, r.trace, 300, "app.main");
	expect_class(NULL, r.trace, 301, "RenderThread");
	expect_class(NULL, r.trace, 400, "surfaceflinger");
	expect_class(NULL, r.trace, 401, "surfaceflinger");
	expect_class(NULL, r.trace, 500, "composer");
	expect_class(NULL, r.trace, 501, "composer");
	expect_class(NULL, r.trace, 600, "service");
	/* A user's thread may call itself what it wants. */
	expect_class(NULL, r.trace, 601, "service");
	expect_class(NULL, r.trace, 700, "service");
	expect_class(NULL, r.trace, 701, "binder");
	expect_class(NULL, r.trace, 800, "kworker.other");
	expect_class(NULL, r.trace, 900, "other");
	/* Not in the tree: by its name, or by its creator. */
	expect_class(NULL, r.trace, 901, "softirq");
	expect_class(NULL, r.trace, 950, "kernel");
	analysed_clear(&r);
}

static void test_rules(void)
{
	static const char text[] = "- { class: main, main: true }\n"
				   "- { class: a.b, comm: [x*, \"*Thread\"] }\n"
				   "- { class: c, process: \"*.systemui\" }\n"
				   "- { class: d, process: /vendor/*,\n"
				   "    main: false }\n"
				   "- { class: e, kernel: false }\n"
				   "- { class: rest }\n"
				   "- { class: never }\n";
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	GError *error = NULL;
	ab_autoptr(ab_thread_rules) rules =
		ab_thread_rules_parse(text, "rules", &error);
	struct analysed r;

	g_assert_no_error(error);
	add_cast(bytes);
	r = analyse(bytes);
	expect_class(rules, r.trace, 300, "main");
	expect_class(rules, r.trace, 301, "a.b");
	expect_class(rules, r.trace, 401, "e");
	expect_class(rules, r.trace, 501, "d");
	expect_class(rules, r.trace, 901, "rest");
	/* Its own main thread, but not told to be. */
	expect_class(rules, r.trace, 900, "e");
	analysed_clear(&r);
}

/* "kworker.{workqueue}", of a name that run values cannot have as it is. */
static void test_placeholder(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	ab_autoptr(ab_thread_rules) rules = ab_thread_rules_parse(
		"- { class: \"w.{workqueue}.x\", workqueue: [pm, \"*/1\"] }",
		"rules", NULL);
	char name[AB_CLASS_MAX];
	struct analysed r;
	guint32 pm, odd;

	add_worker(bytes);
	r = analyse(bytes);
	pm = ab_trace_intern(r.trace,
			     (struct ab_bytes){ (const guint8 *)"pm", 2 });
	odd = ab_trace_intern(r.trace,
			      (struct ab_bytes){ (const guint8 *)"a b/1", 5 });
	ab_thread_class(rules, r.trace, ab_thread(r.trace->threads, 1), pm,
			name);
	g_assert_cmpstr(name, ==, "w.pm.x");
	ab_thread_class(rules, r.trace, ab_thread(r.trace->threads, 1), odd,
			name);
	g_assert_cmpstr(name, ==, "w.a_b_1.x");
	analysed_clear(&r);
}

static void test_bad_rules(void)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "class: x", "r.yaml:1:1: expected a list of rules" },
		{ "- x\n", "r.yaml:1:3: expected keys and their values" },
		{ "- { comm: x }\n", "r.yaml:1:3: missing key 'class'" },
		{ "- { class: x, com: y }\n",
		  "r.yaml:1:15: unknown key 'com', did you mean 'comm'?" },
		{ "- { class: x }\n- { class: y,\n    main: maybe }\n",
		  "r.yaml:3:11: 'main' must be true or false" },
		{ "- { class: a b }\n", "r.yaml:1:12: 'a b' cannot be" },
		{ "- { class: \"k.{workqueue}\", comm: k }\n",
		  "r.yaml:1:12: 'k.{workqueue}' needs the condition" },
		{ "- { class: x, comm: { y: z } }\n", "r.yaml:1:21: 'comm'" },
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(
			ab_thread_rules_parse(bad[i].text, "r.yaml", &error));
		g_assert_nonnull(error);
		if (!g_str_has_prefix(error->message, bad[i].message)) {
			g_test_message("'%s', not '%s'", error->message,
				       bad[i].message);
			g_test_fail();
		}
	}
	g_assert_null(ab_thread_rules_load("/nonexistent", NULL));
}

/* A rule makes UI threads of others than the scenario's processes. */
static void test_ui_rule(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	ab_autoptr(ab_thread_rules) rules = ab_thread_rules_parse(
		"- { class: mine, comm: worker, ui: true }", "rules", NULL);
	const struct ab_trace_options options = { .rules = rules };
	const struct ab_table *t;
	struct analysed r;

	add_thread(trace);
	r = analyse(trace);
	t = table_of(&r, "waits");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	expect_text(t, 0, "threads", "all");
	analysed_clear(&r);
	r = analyse_with(trace, NULL, &options);
	t = table_of(&r, "waits");
	g_assert_cmpuint(ab_table_rows(t), ==, 2);
	expect_count(t, row_named(t, "rpm_resume", "UI"), "sleeps", 1);
	t = table_of(&r, "classes");
	expect_count(t, row_named(t, "mine", NULL), "threads", 1);
	analysed_clear(&r);
}

/* ---- the oracle ---- */

struct sums {
	gint64 running, after_wakeup, after_preemption, d_state, s_state;
};

static struct sums *sums_of(GHashTable *all, gint64 tid)
{
	struct sums *sums =
		g_hash_table_lookup(all, GINT_TO_POINTER((gint)tid));

	if (!sums) {
		sums = g_new0(struct sums, 1);
		g_hash_table_insert(all, GINT_TO_POINTER((gint)tid), sums);
	}
	return sums;
}

static void add_state(struct sums *s, const char *state, bool woken,
		      gint64 length_ns)
{
	if (!strcmp(state, "Running"))
		s->running += length_ns;
	else if (!strcmp(state, "R") && woken)
		s->after_wakeup += length_ns;
	else if (!strcmp(state, "R") || !strcmp(state, "R+"))
		s->after_preemption += length_ns;
	else if (strchr(state, 'D'))
		s->d_state += length_ns;
	else if (strpbrk(state, "SI"))
		s->s_state += length_ns;
}

/* One row; an open one reaches to the end, unless another follows it. */
static void add_row(GHashTable *all, GHashTable *open, char **cells,
		    gint64 end_ns)
{
	gint64 ts = g_ascii_strtoll(cells[0], NULL, 10);
	gint64 length = g_ascii_strtoll(cells[1], NULL, 10);
	gint64 tid = g_ascii_strtoll(cells[3], NULL, 10);
	bool woken = strcmp(cells[7], "\"[NULL]\"") != 0;
	g_autofree char *state = g_strndup(cells[4] + 1, strlen(cells[4]) - 2);

	/* A state whose end is missing, in the middle, is not counted. */
	if (length < 0 &&
	    g_hash_table_lookup(open, GINT_TO_POINTER((gint)tid)) != cells)
		return;
	add_state(sums_of(all, tid), state, woken,
		  length < 0 ? end_ns - ts : length);
}

static GPtrArray *read_rows(const char *path)
{
	GPtrArray *rows =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint i;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (i = 1; lines[i]; i++)
		if (*g_strchomp(lines[i]))
			g_ptr_array_add(rows, g_strsplit(lines[i], ",", -1));
	return rows;
}

/* Of each thread its last row. */
static GHashTable *last_rows(const GPtrArray *rows)
{
	GHashTable *last = g_hash_table_new(NULL, NULL);
	guint i;

	for (i = 0; i < rows->len; i++) {
		char **cells = rows->pdata[i];
		gpointer tid = GINT_TO_POINTER(
			(gint)g_ascii_strtoll(cells[3], NULL, 10));
		char **other = g_hash_table_lookup(last, tid);

		if (!other || g_ascii_strtoll(cells[0], NULL, 10) >=
				      g_ascii_strtoll(other[0], NULL, 10))
			g_hash_table_insert(last, tid, cells);
	}
	return last;
}

static GHashTable *oracle_sums(const char *path, gint64 end_ns)
{
	GHashTable *all = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_autoptr(GPtrArray) rows = read_rows(path);
	g_autoptr(GHashTable) last = last_rows(rows);
	guint i;

	for (i = 0; i < rows->len; i++)
		add_row(all, last, rows->pdata[i], end_ns);
	return all;
}

/* A tid may have been used by several threads. */
static GHashTable *our_sums(const struct ab_trace *trace)
{
	GHashTable *all = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	guint i;

	for (i = 1; i < trace->threads->all->len; i++) {
		const struct ab_thread *th = ab_thread(trace->threads, i);
		struct sums *s = sums_of(all, th->tid);

		s->running += th->times.running.ns;
		s->after_wakeup += th->times.after_wakeup.ns;
		s->after_preemption += th->times.after_preemption.ns;
		s->d_state += th->times.d_state.ns;
		s->s_state += th->times.s_state.ns;
	}
	return all;
}

static void compare_sums(GHashTable *ours, GHashTable *theirs)
{
	GHashTableIter iter;
	gpointer tid, value;
	guint n = 0;

	g_hash_table_iter_init(&iter, theirs);
	while (g_hash_table_iter_next(&iter, &tid, &value)) {
		const struct sums *o = value;
		const struct sums *s = g_hash_table_lookup(ours, tid);

		n++;
		if (s && !memcmp(s, o, sizeof(*s)))
			continue;
		g_test_message("thread %d: the sums differ",
			       GPOINTER_TO_INT(tid));
		g_test_fail();
	}
	g_assert_cmpuint(n, >, 30);
}

/* All parts and what is left of them make the whole again. */
static void compare_classes(const struct analysed *r)
{
	static const char *const columns[] = { "running_ms", "wakeup_wait_ms",
					       "preempted_wait_ms",
					       "d_state_ms", "s_state_ms" };
	const struct ab_table *classes = table_of(r, "classes");
	const struct ab_table *threads = table_of(r, "threads");
	const struct ab_table *processes = table_of(r, "processes");
	guint i, row;

	for (i = 0; i < G_N_ELEMENTS(columns); i++) {
		double by_class = 0, by_thread = 0, by_process = 0;

		for (row = 0; row < ab_table_rows(classes); row++)
			by_class += number_at(classes, row, columns[i]);
		for (row = 0; row < ab_table_rows(threads); row++)
			by_thread += number_at(threads, row, columns[i]);
		for (row = 0; row < ab_table_rows(processes); row++)
			by_process += number_at(processes, row, columns[i]);
		g_assert_cmpfloat_with_epsilon(by_class, by_thread, 1e-6);
		g_assert_cmpfloat_with_epsilon(by_process, by_thread, 1e-6);
	}
}

static const struct capture {
	const char *name, *trace, *answers;
} captures[] = {
	{ "androidx",
	  "data/perfetto/androidx-api32_startup_warm.perfetto-trace",
	  "data/oracle/real/androidx-api32_startup_warm/thread_state.csv" },
	{ "a1", "data/kernel-ab/a1.pftrace",
	  "data/kernel-ab/oracle/a1/thread_state.csv" },
	{ "b1", "data/kernel-ab/b1.pftrace",
	  "data/kernel-ab/oracle/b1/thread_state.csv" },
};

static void test_oracle(gconstpointer data)
{
	const struct capture *c = data;
	g_autofree char *path = shared_path(c->trace);
	g_autofree char *answers = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GByteArray) bytes = NULL;
	g_autoptr(GHashTable) theirs = NULL;
	g_autoptr(GHashTable) ours = NULL;
	struct analysed r;
	gsize n;

	if (!path)
		return;
	answers = shared_path(c->answers);
	g_assert_nonnull(answers);
	g_assert_true(g_file_get_contents(path, &text, &n, NULL));
	bytes = g_byte_array_new_take((guint8 *)g_steal_pointer(&text), n);
	r = analyse(bytes);
	theirs = oracle_sums(answers, r.trace->last_ns);
	ours = our_sums(r.trace);
	compare_sums(ours, theirs);
	compare_classes(&r);
	analysed_clear(&r);
}

int main(int argc, char **argv)
{
	guint i;

	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/threads/times", test_times);
	g_test_add_func("/trace/threads/window", test_window);
	g_test_add_func("/trace/threads/workqueue", test_workqueue);
	g_test_add_func("/trace/threads/sleeps", test_sleeps);
	g_test_add_func("/trace/threads/classes", test_classes);
	g_test_add_func("/trace/threads/rules", test_rules);
	g_test_add_func("/trace/threads/placeholder", test_placeholder);
	g_test_add_func("/trace/threads/bad-rules", test_bad_rules);
	g_test_add_func("/trace/threads/ui-rule", test_ui_rule);
	for (i = 0; i < G_N_ELEMENTS(captures); i++) {
		g_autofree char *name = g_strdup_printf(
			"/trace/threads/oracle/%s", captures[i].name);

		g_test_add_data_func(name, &captures[i], test_oracle);
	}
	return g_test_run();
}
