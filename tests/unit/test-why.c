// SPDX-License-Identifier: GPL-3.0-or-later
/* Chains of missed frames: one trace for each branch of the walk. */
#include "why_trace.h"

#define STEPS(f, ...)                                                        \
	expect_steps(f, (const struct expected_step[]){ __VA_ARGS__ },       \
		     sizeof((const struct expected_step[]){ __VA_ARGS__ }) / \
			     sizeof(struct expected_step))

/*
 *	app   === 0..1000 |/// RT thread 50 ///| 4000 === 5000
 */
static void test_preempted(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	const struct ab_why_step *s;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	run_as(&w, 0, 1000, APP, 0, OTHER, "rt-task", 49);
	run_as(&w, 0, 4000, OTHER, 1, APP, "ndroid.systemui", 110);
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	STEPS(f, { AB_STEP_RUNNING, 0, APP, 4000, 5000 },
	      { AB_STEP_RUNNABLE, 0, APP, 1000, 4000 },
	      { AB_STEP_RUNNING, 0, APP, 0, 1000 });
	g_assert_false(f->cut);
	g_assert_cmpint(f->deadline_ns, ==, (gint64)at(4000));
	s = step_of(f, 1);
	g_assert_cmpstr(s->other.comm, ==, "rt-task");
	g_assert_cmpint(s->other.prio, ==, 49);
	g_assert_cmpint(s->thread.prio, ==, 110);
	g_assert_cmpint(s->other_ns, ==, 3000000);
	g_assert_cmpuint(s->others, ==, 1);
	g_assert_cmpint(s->cpu, ==, 0);
	g_assert_cmpuint(mechanism(why, "cpu_wait.app.main")->frames, ==, 1);
	g_assert_cmpint(mechanism(why, "cpu_wait.app.main")->waits, ==, 1);
	g_assert_cmpint(mechanism(why, "cpu_wait.app.main")->elsewhere, ==, 0);
	g_assert_cmpstr(mechanism(why, "cpu_wait.app.main")->text, ==,
			"app.main waited >= 2 ms for a CPU");
	expect_run_value(&r, "why.frames", 1);
	expect_run_value(&r, "why.none.frames", 0);
	expect_run_value(&r, "why.cpu_wait.app.main.frames", 1);
	expect_run_value(&r, "why.cpu_wait.kworker.pm.frames", 0);
	expect_run_value(&r, "why.split.running", 2);
	expect_run_value(&r, "why.split.runnable", 3);
	analysed_clear(&r);
}

/*
 *	app      === 0..500 |---------- D: rpm_resume -----------| 3720 ===
 *	queuer          ===* 590 queues
 *	kworker              600 |//// other thread 60 ////| 3600 [ item* ]
 */
static void test_kworker(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	run(&w, 2, 100, 0, 0, QUEUER);
	run(&w, 0, 500, APP, 2, 0);
	run(&w, 1, 550, 0, 0, OTHER);
	item(&w, 2, 590, QUEUER, WORK_QUEUE, 5, PM_RUNTIME_WORK);
	wake(&w, 2, 600, QUEUER, WORKER);
	run(&w, 2, 650, QUEUER, 1, 0);
	run(&w, 1, 3600, OTHER, 0, WORKER);
	item(&w, 1, 3610, WORKER, WORK_START, 5, PM_RUNTIME_WORK);
	device(&w, 1, 3690, WORKER, "28000000.mali");
	wake(&w, 1, 3700, WORKER, APP);
	reason(&w, 0, 3715, APP, RPM_RESUME);
	item(&w, 1, 3710, WORKER, WORK_END, 5, PM_RUNTIME_WORK);
	run_as(&w, 0, 3720, 0, 0, APP, "ndroid.systemui", 110);
	run(&w, 1, 3730, WORKER, 0x402, OTHER);
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	STEPS(f, { AB_STEP_RUNNING, 0, APP, 3720, 5000 },
	      { AB_STEP_RUNNABLE, 0, APP, 3700, 3720 },
	      { AB_STEP_D, 0, APP, 500, 3700 },
	      { AB_STEP_RUNNING, 1, WORKER, 3610, 3700 },
	      { AB_STEP_QUEUED, 1, WORKER, 3600, 3610 },
	      { AB_STEP_RUNNABLE, 1, WORKER, 600, 3600 },
	      { AB_STEP_QUEUED, 1, WORKER, 590, 600 },
	      { AB_STEP_RUNNING, 1, QUEUER, 500, 590 },
	      { AB_STEP_RUNNING, 0, APP, 0, 500 });
	g_assert_cmpstr(step_of(f, 2)->function, ==, "rpm_resume");
	g_assert_cmpstr(step_of(f, 2)->device, ==, "28000000.mali");
	g_assert_cmpint(step_of(f, 2)->waker.tid, ==, WORKER);
	g_assert_cmpstr(step_of(f, 3)->function, ==, "pm_runtime_work");
	g_assert_cmpstr(step_of(f, 5)->workqueue, ==, "pm");
	g_assert_cmpstr(step_of(f, 5)->thread.class_name, ==, "kworker.pm");
	g_assert_cmpint(step_of(f, 5)->other.tid, ==, OTHER);
	expect_run_value(&r, "why.cpu_wait.kworker.pm.frames", 1);
	expect_run_value(&r, "why.cpu_wait.kworker.pm.waits", 1);
	expect_run_value(&r, "why.cpu_wait.kworker.pm.off_chain", 0);
	expect_run_value(&r, "why.ui_d_state.rpm_resume.frames", 1);
	expect_run_value(&r, "why.ui_d_state.rpm_resume.waits", 1);
	expect_run_value(&r, "why.split.d_state.rpm_resume", 3.2);
	expect_run_value(&r, "why.split.running", 1.78);
	expect_run_value(&r, "why.split.runnable", 0.02);
	analysed_clear(&r);
}

/*
 *	app      === 0..500 |------ D: rpm_resume -------| 3720 ===
 *	queuer          ===* 800 queues
 *	kworker     700 [ other item ........ ] 3600 [ item* ]
 */
static void test_queue_wait(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	run(&w, 2, 100, 0, 0, QUEUER);
	run(&w, 0, 500, APP, 2, 0);
	wake(&w, 2, 690, QUEUER, WORKER);
	run(&w, 1, 700, 0, 0, WORKER);
	item(&w, 1, 710, WORKER, WORK_START, 4, OTHER_FUNCTION);
	item(&w, 2, 800, QUEUER, WORK_QUEUE, 5, PM_RUNTIME_WORK);
	item(&w, 1, 3600, WORKER, WORK_END, 4, OTHER_FUNCTION);
	item(&w, 1, 3610, WORKER, WORK_START, 5, PM_RUNTIME_WORK);
	wake(&w, 1, 3700, WORKER, APP);
	reason(&w, 0, 3715, APP, RPM_RESUME);
	item(&w, 1, 3710, WORKER, WORK_END, 5, PM_RUNTIME_WORK);
	run_as(&w, 0, 3720, 0, 0, APP, "ndroid.systemui", 110);
	run(&w, 1, 3730, WORKER, 0x402, 0);
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	STEPS(f, { AB_STEP_RUNNING, 0, APP, 3720, 5000 },
	      { AB_STEP_RUNNABLE, 0, APP, 3700, 3720 },
	      { AB_STEP_D, 0, APP, 500, 3700 },
	      { AB_STEP_RUNNING, 1, WORKER, 3610, 3700 },
	      { AB_STEP_QUEUED, 1, WORKER, 800, 3610 },
	      { AB_STEP_RUNNING, 1, QUEUER, 500, 800 },
	      { AB_STEP_RUNNING, 0, APP, 0, 500 });
	g_assert_cmpstr(step_of(f, 4)->function, ==, "other_function");
	expect_run_value(&r, "why.queue_wait.pm.frames", 1);
	expect_run_value(&r, "why.queue_wait.pm.waits", 1);
	expect_run_value(&r, "why.queue_wait.pm.off_chain", 0);
	analysed_clear(&r);
}

/* A server of another process answers; it was woken by nobody known. */
static void test_binder(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	run_as(&w, 1, 100, 0, 0, 70, "binder:900_2", 120);
	run(&w, 1, 200, 70, 1, 0);
	run(&w, 0, 500, APP, 1, 0);
	run_as(&w, 1, 1000, 0, 0, 70, "binder:900_2", 120);
	wake(&w, 1, 4000, 70, APP);
	run_as(&w, 0, 4010, 0, 0, APP, "ndroid.systemui", 110);
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	STEPS(f, { AB_STEP_RUNNING, 0, APP, 4010, 5000 },
	      { AB_STEP_RUNNABLE, 0, APP, 4000, 4010 },
	      { AB_STEP_S, 0, APP, 500, 4000 },
	      { AB_STEP_RUNNING, 1, 70, 1000, 4000 },
	      { AB_STEP_S, 1, 70, 500, 1000 },
	      { AB_STEP_RUNNING, 0, APP, 0, 500 });
	g_assert_cmpstr(step_of(f, 2)->waker.class_name, ==, "binder");
	g_assert_null(step_of(f, 4)->waker.comm);
	expect_run_value(&r, "why.s_state.binder.frames", 1);
	expect_run_value(&r, "why.split.s_state.binder", 3.5);
	analysed_clear(&r);
}

/* Two threads hand over to each other more often than a chain may be long. */
static void test_guard(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;
	int i;

	why_trace_init(&w);
	for (i = 0; i < 100; i++) {
		double us = 100 + i * 40;

		run(&w, 0, us, APP, 1, 0);
		run(&w, 1, us + 1, 0, 0, 70);
		wake(&w, 1, us + 10, 70, APP);
		run(&w, 1, us + 12, 70, 1, 0);
		run_as(&w, 0, us + 15, 0, 0, APP, "ndroid.systemui", 110);
	}
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	g_assert_null(f->not_explained);
	g_assert_true(f->cut);
	g_assert_cmpuint(f->steps->len, ==, AB_WHY_STEPS);
	expect_run_value(&r, "why.none.frames", 1);
	analysed_clear(&r);
}

/* Each sleeps until the next one wakes it: a dozen deep. */
static void test_depth(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;
	guint deepest = 0, i;

	why_trace_init(&w);
	run(&w, 0, 500, APP, 1, 0);
	for (i = 0; i < 12; i++) {
		run(&w, 1, 100 + i * 10, i ? 69 + (int)i : 0, 1, 70 + (int)i);
		/* Backwards: 81 wakes 80, which wakes 79, ... */
		run(&w, 2, 1000 + i * 100, i ? 82 - (int)i : 0, 1, 81 - (int)i);
		wake(&w, 2, 1050 + i * 100, 81 - (int)i,
		     i == 11 ? APP : 80 - (int)i);
	}
	run(&w, 1, 400, 81, 1, 0);
	run_as(&w, 0, 2200, 0, 0, APP, "ndroid.systemui", 110);
	r = why_trace_end(&w, 5000);
	why = ab_trace_why(r.trace, NULL, 0);
	f = only_frame(why);
	for (i = 0; i < f->steps->len; i++)
		deepest = MAX(deepest, step_of(f, i)->depth);
	g_assert_cmpuint(deepest, ==, AB_WHY_DEPTH - 1);
	g_assert_true(f->cut);
	analysed_clear(&r);
}

/* Events are lost in the window: nothing is said. */
static void test_lost(void)
{
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *f;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	w.lost = true;
	r = why_trace_end(&w, 5000);
	expect_reason(&r, "why.frames", "lost");
	g_assert_false(ab_run_data_get(r.data, "why.frames", &(double){ 0 }));
	why = ab_trace_why(r.trace, NULL, 0);
	g_assert_nonnull(why->withheld);
	g_assert_cmpuint(why->frames->len, ==, 1);
	f = why->frames->pdata[0];
	g_assert_nonnull(f->not_explained);
	analysed_clear(&r);
}

/* A threshold counts what is longer only. */
static void test_threshold(void)
{
	ab_autoptr(ab_why) short_waits = NULL;
	ab_autoptr(ab_why) long_waits = NULL;
	struct why_trace w;
	struct analysed r;

	why_trace_init(&w);
	run_as(&w, 0, 1000, APP, 0, OTHER, "rt-task", 49);
	run_as(&w, 0, 2500, OTHER, 1, APP, "ndroid.systemui", 110);
	wake(&w, 1, 3000, 0, WORKER);
	r = why_trace_end(&w, 5000);
	short_waits = ab_trace_why(r.trace, NULL, 1500000);
	long_waits = ab_trace_why(r.trace, NULL, 1500001);
	g_assert_cmpuint(mechanism(short_waits, "cpu_wait.app.main")->frames,
			 ==, 1);
	g_assert_cmpstr(mechanism(short_waits, "cpu_wait.app.main")->text, ==,
			"app.main waited >= 1.5 ms for a CPU");
	g_assert_cmpuint(mechanism(long_waits, "cpu_wait.app.main")->frames, ==,
			 0);
	g_assert_cmpuint(long_waits->none, ==, 1);
	analysed_clear(&r);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/why/preempted", test_preempted);
	g_test_add_func("/why/kworker", test_kworker);
	g_test_add_func("/why/queue-wait", test_queue_wait);
	g_test_add_func("/why/binder", test_binder);
	g_test_add_func("/why/guard", test_guard);
	g_test_add_func("/why/depth", test_depth);
	g_test_add_func("/why/lost", test_lost);
	g_test_add_func("/why/threshold", test_threshold);
	return g_test_run();
}
