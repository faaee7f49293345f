// SPDX-License-Identifier: GPL-3.0-or-later
/* Traces written here, with answers worked out by hand.  All times in ns. */
#include <string.h>

#include "trace_result.h"
#include "trace_writer.h"
#include "zlib_pack.h"

/* ---- reading it ---- */

static struct result analyze(GByteArray *trace)
{
	return result_of(trace->data, trace->len);
}

static void expect_value(const struct result *r, const char *name,
			 double expected)
{
	double value = -1;

	g_assert_true(ab_run_data_get(r->data, name, &value));
	g_assert_cmpfloat(value, ==, expected);
}

#define WAIT "pm_runtime_work.cpu_wait"
#define D_STATE "ui.rpm_resume.d_state"
#define WAKER "ui.rpm_resume.waker_wait"

/*
 * Worker 40 on CPU 0:	woken 1000, runs 1300 (waited 300) and starts an item;
 * is preempted 1400 to 1600 (waits 200), ends the item, starts another, and a
 * third at once; sleeps 1800.
 */
static void add_preempted_worker(GByteArray *b)
{
	sched_switch(b, 500, 0, 0, 10);
	waking(b, 1000, 10, 40);
	sched_switch(b, 1300, 10, 1, 40);
	work(b, 1310, 40, WORK_START, PM_RUNTIME_WORK);
	sched_switch(b, 1400, 40, 0, 50);
	sched_switch(b, 1600, 50, 1, 40);
	work(b, 1650, 40, WORK_END, PM_RUNTIME_WORK);
	work(b, 1660, 40, WORK_START, PM_RUNTIME_WORK);
	work(b, 1700, 40, WORK_END, PM_RUNTIME_WORK);
	work(b, 1710, 40, WORK_START, PM_RUNTIME_WORK);
	work(b, 1720, 40, WORK_END, PM_RUNTIME_WORK);
	sched_switch(b, 1800, 40, 0x80, 0);
}

static void test_cpu_wait(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;

	add_preempted_worker(b);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	EXPECT(&r, WAIT, 0.3, 0.2, 0);
	expect_value(&r, "work_items", 3);
	g_assert_false(ab_trace_quality(r.trace)->loss_in_window);
	expect_withheld(r.data, D_STATE, "sched_blocked_reason");
	done(&r);
}

/* Another function's item starts first: nothing waited for the CPU. */
static void test_item_ran_first(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;

	sched_switch(b, 500, 0, 0, 10);
	waking(b, 1000, 10, 40);
	sched_switch(b, 1300, 10, 1, 40);
	work(b, 1310, 40, WORK_START, OTHER_FUNCTION);
	work(b, 1320, 40, WORK_END, OTHER_FUNCTION);
	work(b, 1330, 40, WORK_START, NO_SYMBOL);
	work(b, 1340, 40, WORK_END, NO_SYMBOL);
	work(b, 1350, 40, WORK_START, PM_RUNTIME_WORK);
	work(b, 1360, 40, WORK_END, PM_RUNTIME_WORK);
	/* Runs again without having been seen to wait: not known. */
	sched_switch(b, 1400, 40, 0x80, 0);
	sched_switch(b, 1500, 0, 0, 40);
	work(b, 1510, 40, WORK_START, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work.cfi_jt", false);
	r = analyze(trace);
	EXPECT(&r, WAIT, 0);
	expect_value(&r, "work_items", 2);
	g_assert_cmpuint(ab_trace_quality(r.trace)->unresolved, ==, 1);
	g_assert_cmpuint(ab_trace_quality(r.trace)->unknown_waits, ==, 1);
	done(&r);
}

/*
 * A task that has set its state to sleep is preempted and then woken: it waits
 * on, but the wait for what the wakeup brings begins with the wakeup.
 */
static void test_woken_while_preempted(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0), *p = g_byte_array_new();
	GByteArray *info = g_byte_array_new(), *name = g_byte_array_new();
	struct result r;

	put_text(name, 3, "6.12.0");
	put_message(info, 1, name);
	put_message(p, 45, info);
	put_message(trace, 1, p);
	sched_switch(b, 500, 0, 0, 40);
	sched_switch(b, 1000, 40, 0x100, 10);
	waking(b, 1600, 10, 40);
	sched_switch(b, 2000, 10, 1, 40);
	work(b, 2010, 40, WORK_START, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	EXPECT(&r, WAIT, 0.4);
	g_assert_cmpstr(ab_trace_facts(r.trace)->uname_release, ==, "6.12.0");
	done(&r);
}

/*
 * Thread 100 sleeps in rpm_resume from 2000 to 2800.  Its waker 40 is woken at
 * 2100, runs at 2500, is preempted from 2600 to 2700, and wakes it: it waited
 * 400 + 100.  Then from 3000 to 3200; 40 is runnable since 2900 and runs at
 * 3100: 100 of that wait lie within the sleep.  Then from 4000 to 4100, woken
 * by an interrupt of the idle CPU: no thread was the waker.
 */
static void add_sleeps(GByteArray *trace)
{
	GByteArray *b = new_bundle(0), *ui = new_bundle(1);

	sched_switch(b, 1000, 0, 0, 50);
	waking(b, 2100, 50, 40);
	sched_switch(b, 2500, 50, 0, 40);
	sched_switch(b, 2600, 40, 0, 50);
	sched_switch(b, 2700, 50, 0, 40);
	waking(b, 2800, 40, 100);
	sched_switch(b, 2850, 40, 0x80, 50);
	waking(b, 2900, 50, 40);
	sched_switch(b, 3100, 50, 0, 40);
	waking(b, 3200, 40, 100);
	sched_switch(b, 3300, 40, 0x80, 0);
	waking(b, 4100, 0, 100);

	sched_switch(ui, 1000, 0, 0, 100);
	sched_switch(ui, 2000, 100, 2, 0);
	blocked(ui, 2810, 100, RPM_RESUME);
	sched_switch(ui, 2820, 0, 0, 100);
	sched_switch(ui, 3000, 100, 2, 0);
	blocked(ui, 3210, 100, RPM_RESUME);
	sched_switch(ui, 3220, 0, 0, 100);
	sched_switch(ui, 4000, 100, 2, 0);
	blocked(ui, 4110, 100, RPM_RESUME);
	sched_switch(ui, 4120, 0, 0, 100);
	/* Not in rpm_resume, and not asleep but interruptible. */
	sched_switch(ui, 5000, 100, 2, 0);
	blocked(ui, 5010, 100, OTHER_FUNCTION);
	bundle_packet(trace, b, "pm_runtime_work", false);
	bundle_packet(trace, ui, "pm_runtime_work", false);
}

static void test_waker_wait(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct result r;

	process(trace, 100, "com.android.systemui");
	add_sleeps(trace);
	r = analyze(trace);
	EXPECT(&r, D_STATE, 0.8, 0.2, 0.1);
	EXPECT(&r, WAKER, 0.5, 0.1, 0);
	done(&r);
}

/* The same thread, of a process that does not draw. */
static void test_not_ui(void)
{
	const char *const settings[] = { "com.android.settings", NULL };
	const struct ab_trace_options options = { .ui_processes = settings };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	struct result r;

	process(trace, 100, "com.android.settings");
	add_sleeps(trace);
	r = analyze(trace);
	g_assert_cmpuint(ab_run_data_find(r.data, D_STATE)->len, ==, 0);
	ab_trace_analyze(r.trace, &options, data);
	g_assert_cmpuint(ab_run_data_find(data, D_STATE)->len, ==, 3);
	done(&r);
}

/* Only what lies between the last complete pair of markers counts. */
static void test_window(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;
	guint i;

	sched_switch(b, 500, 0, 0, 10);
	print(b, 600, 10, "S|1|abrig:run|1\n");
	print(b, 700, 10, "F|1|abrig:run|1\n");
	print(b, 2000, 10, "S|1|abrig:run|2\n");
	for (i = 0; i < 4; i++) {
		guint64 t = 1000 + i * 1000;

		waking(b, t + 100, 10, 40);
		sched_switch(b, t + 200 + i, 10, 0, 40);
		work(b, t + 300, 40, WORK_START, PM_RUNTIME_WORK);
		work(b, t + 400, 40, WORK_END, PM_RUNTIME_WORK);
		sched_switch(b, t + 500, 40, 1, 10);
		if (i == 2)
			print(b, 3900, 11, "F|1|abrig:run|2");
	}
	print(b, 6000, 10, "S|1|abrig:run|3\n");
	print(b, 6100, 10, "F|1|abrig:runs|3\n");
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	g_assert_true(ab_trace_facts(r.trace)->window_marked);
	g_assert_cmpint(ab_trace_facts(r.trace)->begin_ns, ==, 2000);
	g_assert_cmpint(ab_trace_facts(r.trace)->end_ns, ==, 3900);
	EXPECT(&r, WAIT, 0.101, 0.102);
	expect_value(&r, "work_items", 2);
	/* One print said that task 11 ran, when 10 did. */
	g_assert_cmpuint(ab_trace_quality(r.trace)->switch_mismatch, ==, 1);
	done(&r);
}

/* Worker as above in a second bundle, which says that events were lost. */
static void lost_trace(GByteArray *trace, guint64 begin, bool lost,
		       bool dropped)
{
	GByteArray *b = new_bundle(0);

	sched_switch(b, 100, 0, 0, 10);
	sched_switch(b, 200, 10, 1, 0);
	bundle_packet(trace, b, "pm_runtime_work", true);
	b = new_bundle(0);
	if (lost)
		put(b, 3, 1);
	add_preempted_worker(b);
	bundle_packet(trace, b, "pm_runtime_work", dropped);
	b = new_bundle(1);
	print(b, begin, 0, "S|1|abrig:run|1");
	print(b, 1900, 0, "F|1|abrig:run|1");
	bundle_packet(trace, b, "pm_runtime_work", false);
}

static void test_lost(void)
{
	g_autoptr(GByteArray) inside = g_byte_array_new();
	g_autoptr(GByteArray) before = g_byte_array_new();
	g_autoptr(GByteArray) dropped = g_byte_array_new();
	struct result r;

	lost_trace(inside, 400, true, false);
	r = analyze(inside);
	g_assert_cmpuint(ab_trace_quality(r.trace)->lost_bundles, ==, 1);
	g_assert_true(ab_trace_quality(r.trace)->loss_in_window);
	expect_withheld(r.data, WAIT, "kernel events were lost on CPU 0");
	g_assert_nonnull(withheld(r.data, "work_items"));
	done(&r);
	/* The gap, from 200 to 500, lies before the window. */
	lost_trace(before, 600, true, false);
	r = analyze(before);
	g_assert_false(ab_trace_quality(r.trace)->loss_in_window);
	EXPECT(&r, WAIT, 0.3, 0.2, 0);
	done(&r);
	/* The service lost packets; on the first packet that means nothing. */
	lost_trace(dropped, 400, false, true);
	r = analyze(dropped);
	g_assert_cmpuint(ab_trace_quality(r.trace)->packet_loss, ==, 1);
	expect_withheld(r.data, WAIT, "packets with kernel events were lost");
	done(&r);
}

/* Number 1 is another function in the next generation. */
static void test_generations(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;

	add_preempted_worker(b);
	bundle_packet(trace, b, "pm_runtime_work", false);
	b = new_bundle(0);
	work(b, 2000, 0, WORK_START, PM_RUNTIME_WORK);
	work(b, 2100, 0, WORK_END, PM_RUNTIME_WORK);
	bundle_packet(trace, b, "vmstat_update", false);
	r = analyze(trace);
	expect_value(&r, "work_items", 3);
	done(&r);
}

/* compact_sched says whether a wakeup came from an interrupt. */
static void test_compact_irq(void)
{
	static const guint8 ts[] = { 100, 100, 100 }, state[] = { 0, 0, 2 };
	static const guint8 tid[] = { 40, 100, 40 }, zero[] = { 0, 0, 0 };
	static const guint8 wts[] = { 0xc8, 0x03 }, wtid[] = { 100 };
	static const guint8 flags[] = { 8 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0), *c = g_byte_array_new();
	struct result r;

	put_bytes(c, 1, ts, 3);
	put_bytes(c, 2, state, 3);
	put_bytes(c, 3, tid, 3);
	put_bytes(c, 4, zero, 3);
	put_text(c, 5, "x");
	put_bytes(c, 6, zero, 3);
	put_bytes(c, 7, wts, 2); /* at 456 */
	put_bytes(c, 8, wtid, 1);
	put_bytes(c, 9, zero, 1);
	put_bytes(c, 10, zero, 1);
	put_bytes(c, 11, zero, 1);
	put_bytes(c, 12, flags, 1);
	put_message(b, 4, c);
	blocked(b, 460, 100, RPM_RESUME);
	process(trace, 100, "/system/bin/surfaceflinger");
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	/* 40 waited from 200 to 300, before the sleep: and is not the waker. */
	EXPECT(&r, D_STATE, 0.156);
	EXPECT(&r, WAKER, 0);
	done(&r);
}

/* The wire format allows a column in parts, and numbers one by one. */
static void test_compact_parts(void)
{
	static const guint8 ts[] = { 100, 100, 100 }, state[] = { 0, 0, 2 };
	static const guint8 tid[] = { 40, 100, 40 }, zero[] = { 0, 0, 0 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0), *c = g_byte_array_new();
	struct result r;

	put_bytes(c, 1, ts, 1);
	put_bytes(c, 1, ts + 1, 2);
	put_bytes(c, 2, state, 2);
	put(c, 2, state[2]);
	put_bytes(c, 3, tid, 3);
	put_bytes(c, 4, zero, 3);
	put_text(c, 5, "x");
	put_bytes(c, 6, zero, 3);
	put_message(b, 4, c);
	waking(b, 456, 40, 100);
	blocked(b, 460, 100, RPM_RESUME);
	process(trace, 100, "/system/bin/surfaceflinger");
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	EXPECT(&r, D_STATE, 0.156);
	g_assert_cmpuint(ab_trace_quality(r.trace)->damaged_events, ==, 0);
	done(&r);
}

/* The stretch that a bundle without events reports ends with the next event. */
static void test_lost_empty(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;

	sched_switch(b, 100, 0, 0, 10);
	bundle_packet(trace, b, "pm_runtime_work", false);
	b = new_bundle(0);
	put(b, 3, 1);
	bundle_packet(trace, b, "pm_runtime_work", false);
	b = new_bundle(0);
	sched_switch(b, 1000, 0, 0, 10);
	print(b, 2000, 10, "S|1|abrig:run|1\n");
	print(b, 3000, 10, "F|1|abrig:run|1\n");
	sched_switch(b, 4000, 10, 1, 0);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	g_assert_cmpuint(ab_trace_quality(r.trace)->lost_bundles, ==, 1);
	g_assert_false(ab_trace_quality(r.trace)->loss_in_window);
	done(&r);
}

static void tracing_started(GByteArray *trace, guint64 ts)
{
	GByteArray *p = g_byte_array_new(), *e = g_byte_array_new();

	put(e, 2, 1);
	put(p, 8, ts);
	put_message(p, 69, e);
	put_message(trace, 1, p);
}

/* What an earlier trace left in the buffer is not of this one. */
static void test_before_start(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct result r;

	tracing_started(trace, 5000);
	print(b, 500, 10, "S|1|abrig:run|1\n");
	print(b, 900, 10, "F|1|abrig:run|1\n");
	sched_switch(b, 6000, 0, 0, 10);
	sched_switch(b, 8000, 10, 1, 0);
	bundle_packet(trace, b, "pm_runtime_work", false);
	r = analyze(trace);
	g_assert_false(ab_trace_facts(r.trace)->window_marked);
	g_assert_cmpint(ab_trace_facts(r.trace)->begin_ns, ==, 5000);
	g_assert_cmpint(ab_trace_facts(r.trace)->end_ns, ==, 8000);
	done(&r);
}

/* ---- frames ---- */

struct frame {
	guint64 cookie, token, jank, present;
	int pid;
	bool open;
};

static void frame_packet(GByteArray *trace, guint64 ts, guint no,
			 GByteArray *body)
{
	GByteArray *p = g_byte_array_new(), *e = g_byte_array_new();

	put_message(e, no, body);
	put(p, 8, ts);
	put(p, 10, 21);
	put_message(p, 76, e);
	put_message(trace, 1, p);
}

static void add_frame(GByteArray *trace, guint64 ts, const struct frame *f,
		      const char *layer)
{
	GByteArray *b = g_byte_array_new(), *end = g_byte_array_new();

	put(b, 1, f->cookie);
	put(b, 2, f->token);
	put(b, 3, f->token + 1000);
	put(b, 4, (guint64)f->pid);
	put_text(b, 5, layer);
	put(b, 6, f->present);
	put(b, 9, f->jank);
	frame_packet(trace, ts, 4, b);
	put(end, 1, f->cookie);
	if (f->open)
		g_byte_array_unref(end);
	else
		frame_packet(trace, ts + 5, 5, end);
}

static const struct frame frames[] = {
	{ 1, 1, 1, 1, 100, false },    /* fine */
	{ 2, 2, 64, 2, 100, false },   /* app deadline ... */
	{ 3, 2, 1, 1, 100, false },    /* ... of one layer: one token */
	{ 4, 3, 4096, 2, 100, false }, /* app resynced jitter */
	{ 5, 4, 16, 2, 100, false },   /* SF CPU deadline */
	{ 6, 5, 4, 2, 100, false },    /* prediction error */
	{ 7, 6, 1024, 4, 100, false }, /* dropped */
	{ 8, 7, 1, 4, 100, false },    /* not shown, but not called dropped */
	{ 9, 8, 0, 1, 100, false },    /* not classified */
	{ 10, 9, 1 << 20, 1, 100, false }, /* a bit from the future */
	{ 11, 10, 1, 1, 100, true },	   /* without an end */
	{ 12, 11, 66, 2, 100, false },	   /* app and SF */
	{ 13, 12, 64, 2, 200, false },	   /* another process's */
};

static void test_frames(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct result r;
	guint i;

	process(trace, 100, "com.android.systemui");
	process(trace, 200, "com.android.settings");
	for (i = 0; i < G_N_ELEMENTS(frames); i++)
		add_frame(trace, 1000 + 10 * i, &frames[i], "TX - Shade#1");
	r = analyze(trace);
	expect_value(&r, "frames.total", 11);
	expect_value(&r, "frames.app_missed", 3);
	expect_value(&r, "frames.sf_missed", 3);
	expect_value(&r, "frames.dropped", 2);
	expect_value(&r, "frames.unclassified", 2);
	expect_value(&r, "frames.open", 1);
	g_assert_cmpuint(ab_trace_quality(r.trace)->unknown_enums, ==, 1);
	expect_withheld(r.data, WAIT, "no scheduler events");
	done(&r);
}

/* Asked for an app that did not draw: say which layers there are. */
static void test_frames_absent(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct result r;

	process(trace, 200, "com.android.settings");
	add_frame(trace, 1000, &frames[12], "TX - Settings#4");
	r = analyze(trace);
	expect_withheld(r.data, "frames.total", "TX - Settings#4");
	done(&r);
}

/* ---- rails ---- */

static void rail_packet(GByteArray *trace, guint64 ms, guint64 energy)
{
	GByteArray *p = g_byte_array_new(), *rails = g_byte_array_new();
	GByteArray *d = g_byte_array_new(), *e = g_byte_array_new();

	put_text(d, 2, "VSYS_PWR_DISPLAY"); /* index absent: 0 */
	put(e, 2, ms);
	put(e, 3, energy);
	put_message(rails, 2, e);
	put_message(rails, 1, d);
	put(p, 8, 1);
	put(p, 10, 3);
	put_message(p, 40, rails);
	put_message(trace, 1, p);
}

/* 200 mW for a second; then the counter starts again, at 100 mW. */
static void test_rails(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct result r;

	rail_packet(trace, 1000, 5000000);
	rail_packet(trace, 2000, 5200000);
	r = analyze(trace);
	expect_value(&r, "trace_power.VSYS_PWR_DISPLAY", 200);
	done(&r);
	/* The step over the reset is not known: neither energy nor time. */
	rail_packet(trace, 3000, 70000);
	rail_packet(trace, 4000, 170000);
	r = analyze(trace);
	expect_value(&r, "trace_power.VSYS_PWR_DISPLAY", 150);
	done(&r);
}

/* ---- files ---- */

static GByteArray *packed_packet(const GByteArray *plain)
{
	GByteArray *trace = g_byte_array_new(), *p = g_byte_array_new();

	put_message(p, 50, zlib_pack(plain, ZLIB));
	put_message(trace, 1, p);
	return trace;
}

static void test_compressed(void)
{
	g_autoptr(GByteArray) plain = g_byte_array_new();
	g_autoptr(GByteArray) packet = NULL;
	g_autoptr(GByteArray) gzip = NULL;
	g_autoptr(GByteArray) nested = NULL;
	GByteArray *b = new_bundle(0);
	struct result r;

	add_preempted_worker(b);
	bundle_packet(plain, b, "pm_runtime_work", false);
	packet = packed_packet(plain);
	r = analyze(packet);
	EXPECT(&r, WAIT, 0.3, 0.2, 0);
	done(&r);
	gzip = zlib_pack(packet, GZIP);
	r = analyze(gzip);
	EXPECT(&r, WAIT, 0.3, 0.2, 0);
	done(&r);
	nested = packed_packet(packet);
	r = analyze(nested);
	g_assert_cmpuint(ab_trace_quality(r.trace)->damaged_packets, ==, 1);
	expect_withheld(r.data, WAIT, "no scheduler events");
	done(&r);
}

/* 64 MB of nothing in 64 kB. */
static void test_bomb(void)
{
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	g_autoptr(GByteArray) gzip = NULL;
	g_autoptr(GByteArray) packet = NULL;
	GError *error = NULL;
	struct result r;

	g_byte_array_set_size(zeros, 64 << 20);
	memset(zeros->data, 0, zeros->len);
	gzip = zlib_pack(zeros, GZIP);
	g_assert_null(ab_trace_open_bytes(gzip->data, gzip->len, NULL, &error));
	g_assert_nonnull(error);
	g_clear_error(&error);
	packet = packed_packet(zeros);
	r = analyze(packet);
	g_assert_cmpuint(ab_trace_quality(r.trace)->damaged_packets, ==, 1);
	done(&r);
}

/* Cut anywhere: what is whole is used, the rest is counted, nothing crashes. */
static void test_truncated(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	gsize n;

	process(trace, 100, "com.android.systemui");
	add_sleeps(trace);
	add_frame(trace, 1000, &frames[1], "TX - Shade#1");
	for (n = 1; n < trace->len; n++) {
		ab_autoptr(ab_run_data) data = ab_run_data_new();
		ab_autoptr(ab_trace) t =
			ab_trace_open_bytes(trace->data, n, NULL, NULL);

		if (!t)
			continue;
		ab_trace_analyze(t, NULL, data);
		g_assert_true(ab_trace_quality(t)->loss_in_window ||
			      !ab_trace_quality(t)->bytes_ignored);
	}
}

static void test_not_a_trace(void)
{
	static const char *const texts[] = { "", "\n", "hello\n",
					     "\x1f\x8b\x08" };
	guint i;

	for (i = 0; i < G_N_ELEMENTS(texts); i++) {
		GError *error = NULL;

		g_assert_null(ab_trace_open_bytes((const guint8 *)texts[i],
						  strlen(texts[i]), NULL,
						  &error));
		g_assert_nonnull(error);
		g_clear_error(&error);
	}
	g_assert_null(ab_trace_open("/nonexistent/trace", NULL, NULL, NULL));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/cpu-wait", test_cpu_wait);
	g_test_add_func("/trace/item-ran-first", test_item_ran_first);
	g_test_add_func("/trace/woken-while-preempted",
			test_woken_while_preempted);
	g_test_add_func("/trace/waker-wait", test_waker_wait);
	g_test_add_func("/trace/not-ui", test_not_ui);
	g_test_add_func("/trace/window", test_window);
	g_test_add_func("/trace/lost", test_lost);
	g_test_add_func("/trace/generations", test_generations);
	g_test_add_func("/trace/compact-irq", test_compact_irq);
	g_test_add_func("/trace/compact-parts", test_compact_parts);
	g_test_add_func("/trace/lost-empty", test_lost_empty);
	g_test_add_func("/trace/before-start", test_before_start);
	g_test_add_func("/trace/frames", test_frames);
	g_test_add_func("/trace/frames-absent", test_frames_absent);
	g_test_add_func("/trace/rails", test_rails);
	g_test_add_func("/trace/compressed", test_compressed);
	g_test_add_func("/trace/bomb", test_bomb);
	g_test_add_func("/trace/truncated", test_truncated);
	g_test_add_func("/trace/not-a-trace", test_not_a_trace);
	return g_test_run();
}
