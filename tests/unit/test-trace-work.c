// SPDX-License-Identifier: GPL-3.0-or-later
/* Work items: answers worked out by hand.  All times in ns. */
#include <abrig/trace.h>

#include "../../harness/trace/work_items.h"
#include "trace_rows.h"
#include "trace_writer.h"

#define WORK_QUEUE 59
#define WORK_ACTIVATE 56
#define QUEUE_WAIT "pm_runtime_work.queue_wait"

static void queue(GByteArray *bundle, guint64 ts, guint64 item,
		  guint64 function, const char *workqueue)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, item);
	put(b, 2, function);
	put_text(b, 6, workqueue);
	event(bundle, ts, 10, WORK_QUEUE, b);
}

static void item(GByteArray *bundle, guint64 ts, int tid, guint no,
		 guint64 number, guint64 function)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, number);
	put(b, 2, function);
	event(bundle, ts, tid, no, b);
}

/* Worker 40 runs an item from @ts to @ts + 10, having got the CPU 5 before. */
static void run(GByteArray *b, guint64 ts, guint64 number, guint64 function)
{
	waking(b, ts - 20, 10, 40);
	sched_switch(b, ts - 5, 10, 1, 40);
	item(b, ts, 40, WORK_START, number, function);
	item(b, ts + 10, 40, WORK_END, number, function);
	sched_switch(b, ts + 15, 40, 0x80, 10);
}

/* Start minus queue of all items in their order; -1: not known. */
static void expect_queue_waits(const struct analysed *r, guint n,
			       const gint64 *waits)
{
	const GArray *items = ab_work_items(r->trace);
	guint i;

	g_assert_cmpuint(items->len, ==, n);
	for (i = 0; i < n; i++) {
		const struct ab_work_item *w =
			&g_array_index(items, struct ab_work_item, i);

		g_assert_cmpint(w->queued_ns < 0 ? -1
						 : w->start_ns - w->queued_ns,
				==, waits[i]);
	}
}

#define EXPECT_QUEUE_WAITS(r, ...)                                       \
	expect_queue_waits(r, G_N_ELEMENTS(((gint64[]){ __VA_ARGS__ })), \
			   (const gint64[]){ __VA_ARGS__ })

/*
 *	queue 1000, activated 1050, worker woken 1060, on the CPU 1300 to 1400
 *	and 1600 to 1800, item from 1310 to 1650: ran 90 + 50 of it.
 */
static void test_phases(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	queue(b, 1000, 5, PM_RUNTIME_WORK, "pm");
	item(b, 1050, 10, WORK_ACTIVATE, 5, PM_RUNTIME_WORK);
	waking(b, 1060, 10, 40);
	sched_switch(b, 1300, 10, 1, 40);
	item(b, 1310, 40, WORK_START, 5, PM_RUNTIME_WORK);
	sched_switch(b, 1400, 40, 0, 50);
	sched_switch(b, 1600, 50, 1, 40);
	item(b, 1650, 40, WORK_END, 5, PM_RUNTIME_WORK);
	sched_switch(b, 1800, 40, 0x80, 0);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	t = table_of(&r, "work");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	expect_text(t, 0, "function", "pm_runtime_work");
	expect_text(t, 0, "workqueue", "pm");
	expect_count(t, 0, "items", 1);
	expect_number(t, 0, "cpu_wait_p99_us", 0.240);
	expect_count(t, 0, "cpu_wait_unknown", 0);
	t = table_of(&r, "work_times");
	expect_count(t, 0, "queue_waits", 1);
	expect_number(t, 0, "queue_wait_mean_us", 0.310);
	expect_number(t, 0, "activation_max_us", 0.050);
	expect_number(t, 0, "run_max_us", 0.340);
	expect_number(t, 0, "on_cpu_max_us", 0.140);
	expect_count(t, 0, "open", 0);
	analysed_clear(&r);
}

/* Queued again while it runs; and cancelled and queued again. */
static void test_requeue(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const GArray *waits;
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	queue(b, 1000, 5, PM_RUNTIME_WORK, "pm");
	waking(b, 1010, 10, 40);
	sched_switch(b, 1100, 10, 1, 40);
	item(b, 1110, 40, WORK_START, 5, PM_RUNTIME_WORK);
	queue(b, 1120, 5, PM_RUNTIME_WORK, "pm");
	item(b, 1130, 40, WORK_END, 5, PM_RUNTIME_WORK);
	item(b, 1140, 40, WORK_START, 5, PM_RUNTIME_WORK);
	item(b, 1150, 40, WORK_END, 5, PM_RUNTIME_WORK);
	sched_switch(b, 1200, 40, 0x80, 10);
	queue(b, 2000, 5, PM_RUNTIME_WORK, "pm");
	queue(b, 2100, 5, PM_RUNTIME_WORK, "pm");
	run(b, 2200, 5, PM_RUNTIME_WORK);
	/* Was not queued again: nothing is guessed. */
	run(b, 2300, 5, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	EXPECT_QUEUE_WAITS(&r, 110, 20, 100, -1);
	waits = ab_run_data_find(r.data, QUEUE_WAIT);
	g_assert_cmpuint(waits->len, ==, 3);
	g_assert_cmpfloat_with_epsilon(g_array_index(waits, double, 2), 0.1,
				       1e-9);
	analysed_clear(&r);
}

/*
 * Number 5 is another item in each generation.  That of CPU 1 begins before
 * that of CPU 0 has ended: the pass reads one CPU after the other.
 */
static void test_generations(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	queue(b, 600, 6, PM_RUNTIME_WORK, "pm");
	queue(b, 700, 5, PM_RUNTIME_WORK, "pm");
	run(b, 950, 5, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work", false);
	b = new_bundle(1);
	sched_switch(b, 800, 0, 0, 10);
	queue(b, 900, 5, PM_RUNTIME_WORK, "pm");
	run(b, 1100, 5, PM_RUNTIME_WORK);
	/* Queued in the generation before, as 6. */
	run(b, 1200, 6, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work", false);
	b = new_bundle(1);
	run(b, 1300, 5, PM_RUNTIME_WORK);
	queue(b, 1350, 5, OTHER_FUNCTION, "pm");
	run(b, 1400, 5, OTHER_FUNCTION);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	EXPECT_QUEUE_WAITS(&r, 250, 200, -1, -1, 50);
	analysed_clear(&r);
}

/* The memory of an item was given to another function's. */
static void test_other_item(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	queue(b, 600, 5, PM_RUNTIME_WORK, "pm");
	run(b, 700, 5, OTHER_FUNCTION);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	EXPECT_QUEUE_WAITS(&r, -1);
	analysed_clear(&r);
}

/* An item whose queue event is missing: the function's only workqueue. */
static void test_workqueue(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	run(b, 600, 1, PM_RUNTIME_WORK);
	queue(b, 700, 2, PM_RUNTIME_WORK, "pm");
	run(b, 800, 2, PM_RUNTIME_WORK);
	queue(b, 900, 3, OTHER_FUNCTION, "events");
	run(b, 1000, 3, OTHER_FUNCTION);
	queue(b, 1100, 4, OTHER_FUNCTION, "events_unbound");
	run(b, 1200, 5, OTHER_FUNCTION);
	run(b, 1300, 6, NO_SYMBOL);
	run(b, 1400, 7, NO_SYMBOL + 1);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	t = table_of(&r, "work");
	g_assert_cmpuint(ab_table_rows(t), ==, 4);
	expect_count(t, row_named(t, "pm_runtime_work", "pm"), "items", 2);
	expect_count(t, row_named(t, "other_function", "events"), "items", 1);
	expect_count(t, row_named(t, "other_function", ""), "items", 1);
	expect_count(t, row_named(t, "(no symbol)", ""), "items", 2);
	g_assert_cmpuint(ab_trace_quality(r.trace)->unresolved, ==, 2);
	analysed_clear(&r);
}

/* Without symbols the passes cannot be told apart: no wait is made up. */
static void test_no_generations(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0), *p = g_byte_array_new();
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	queue(b, 600, 5, PM_RUNTIME_WORK, "pm");
	run(b, 700, 5, PM_RUNTIME_WORK);
	put(p, 10, 7);
	put_message(p, 1, b);
	put_message(trace, 1, p);
	r = analyse(trace);
	EXPECT_QUEUE_WAITS(&r, -1);
	expect_reason(&r, QUEUE_WAIT, "symbolize_ksyms");
	g_assert_null(ab_run_data_find(r.data, QUEUE_WAIT));
	analysed_clear(&r);
	/* Before the first pass with symbols no number holds. */
	b = new_bundle(0);
	run(b, 900, 5, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	EXPECT_QUEUE_WAITS(&r, -1, -1);
	analysed_clear(&r);
}

/* Three items, one before the window; the longest total wait comes first. */
static void test_window(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	ab_autoptr(ab_table) samples = NULL;
	const struct ab_table *t;
	struct analysed r;

	sched_switch(b, 500, 0, 0, 10);
	run(b, 600, 1, PM_RUNTIME_WORK);
	print(b, 700, 10, "S|1|abrig:run|1");
	run(b, 800, 1, PM_RUNTIME_WORK);
	queue(b, 900, 2, OTHER_FUNCTION, "events");
	waking(b, 910, 10, 40);
	sched_switch(b, 990, 10, 1, 40);
	item(b, 1000, 40, WORK_START, 2, OTHER_FUNCTION);
	print(b, 1100, 40, "F|1|abrig:run|1");
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	t = table_of(&r, "work");
	g_assert_cmpuint(ab_table_rows(t), ==, 2);
	expect_text(t, 0, "function", "other_function");
	expect_number(t, 0, "cpu_wait_max_us", 0.080);
	expect_text(t, 1, "function", "pm_runtime_work");
	expect_count(t, 1, "items", 1);
	t = table_of(&r, "work_times");
	expect_count(t, 0, "open", 1);
	expect_number(t, 0, "run_mean_us", NAN);
	expect_number(t, 0, "on_cpu_mean_us", NAN);
	g_assert_true(ab_trace_samples(r.trace, NULL, 0, &samples));
	g_assert_cmpuint(ab_table_rows(samples), ==, 2);
	expect_count(samples, 1, "start_ns", 1000);
	expect_count(samples, 1, "tid", 40);
	expect_number(samples, 1, "queue_wait_us", 0.1);
	expect_number(samples, 1, "run_us", NAN);
	expect_number(samples, 0, "run_us", 0.01);
	analysed_clear(&r);
}

/* >= 2 ms and >= 5 ms hold at the bound; quantiles between two of three. */
static void test_spread(void)
{
	static const guint64 waits[] = { 1999999, 2000000, 5000000 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed r;
	guint i;

	sched_switch(b, 500, 0, 0, 10);
	for (i = 0; i < G_N_ELEMENTS(waits); i++) {
		guint64 ts = (i + 1) * 10000000;

		waking(b, ts, 10, 40);
		sched_switch(b, ts + waits[i], 10, 1, 40);
		item(b, ts + waits[i], 40, WORK_START, 1, PM_RUNTIME_WORK);
		item(b, ts + waits[i] + 9, 40, WORK_END, 1, PM_RUNTIME_WORK);
		sched_switch(b, ts + waits[i] + 9, 40, 0x80, 10);
	}
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyse(trace);
	t = table_of(&r, "work");
	expect_count(t, 0, "cpu_wait_ge_2ms", 2);
	expect_count(t, 0, "cpu_wait_ge_5ms", 1);
	expect_number(t, 0, "cpu_wait_mean_us", 8999.999 / 3);
	expect_number(t, 0, "cpu_wait_p50_us", 2000);
	expect_number(t, 0, "cpu_wait_p90_us", 2000 + 0.8 * 3000);
	expect_number(t, 0, "cpu_wait_p99_us", 2000 + 0.98 * 3000);
	expect_number(t, 0, "cpu_wait_max_us", 5000);
	analysed_clear(&r);
}

/* Any numbers, also negative and far apart, come out in order. */
static void test_order(void)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	struct ab_spread spread;
	double sum = 0;
	guint i;

	ab_spread_of(values, &spread);
	g_assert_cmpuint(spread.n, ==, 0);
	g_assert_true(isnan(spread.mean_us) && isnan(spread.max_us));
	for (i = 0; i < 5000; i++) {
		gint64 value = g_rand_int_range(rand, -1000, 100000);

		if (i % 7 == 0)
			value *= G_GINT64_CONSTANT(10000000000);
		sum += (double)value / 1e3;
		g_array_append_val(values, value);
	}
	ab_spread_of(values, &spread);
	for (i = 1; i < values->len; i++)
		g_assert_cmpint(g_array_index(values, gint64, i - 1), <=,
				g_array_index(values, gint64, i));
	g_assert_cmpfloat_with_epsilon(spread.mean_us, sum / 5000, 1);
	g_assert_cmpfloat(spread.max_us, ==,
			  (double)g_array_index(values, gint64, 4999) / 1e3);
}

/* More than are remembered: all are forgotten, and the next is known again. */
static void test_ceiling(void)
{
	struct ab_work_queue q;
	struct ab_event ev = { .work = { .function = 1 } };
	struct ab_pending pending;

	ab_work_queue_init(&q);
	for (ev.work.work = 1; ev.work.work <= AB_PENDING_MAX + 1;
	     ev.work.work++)
		ab_work_queued(&q, &ev);
	ev.work.work = 1;
	g_assert_false(ab_work_dequeue(&q, &ev, &pending));
	ev.work.work = AB_PENDING_MAX + 1;
	g_assert_true(ab_work_dequeue(&q, &ev, &pending));
	/* Two generations at most, and none that is older than both. */
	for (ev.work.generation = 1; ev.work.generation < 4;
	     ev.work.generation++)
		ab_work_queued(&q, &ev);
	ev.work.generation = 1;
	ab_work_queued(&q, &ev);
	g_assert_false(ab_work_dequeue(&q, &ev, &pending));
	ev.work.generation = 2;
	g_assert_true(ab_work_dequeue(&q, &ev, &pending));
	g_assert_false(ab_work_dequeue(&q, &ev, &pending));
	ab_work_queue_clear(&q);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/work/phases", test_phases);
	g_test_add_func("/trace/work/requeue", test_requeue);
	g_test_add_func("/trace/work/generations", test_generations);
	g_test_add_func("/trace/work/other-item", test_other_item);
	g_test_add_func("/trace/work/workqueue", test_workqueue);
	g_test_add_func("/trace/work/no-generations", test_no_generations);
	g_test_add_func("/trace/work/window", test_window);
	g_test_add_func("/trace/work/spread", test_spread);
	g_test_add_func("/trace/work/order", test_order);
	g_test_add_func("/trace/work/ceiling", test_ceiling);
	return g_test_run();
}
