// SPDX-License-Identifier: GPL-3.0-or-later
/* trace-cmd's files: written here with answers worked out by hand, and real. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../harness/trace/dat.h"
#include "../../harness/trace/sched.h"
#include "dat_file.h"
#include "shared.h"
#include "trace_result.h"

#define WAIT "pm_runtime_work.cpu_wait"
#define D_STATE "ui.rpm_resume.d_state"
#define WAKER "ui.rpm_resume.waker_wait"

#define PM_RUNTIME_WORK 0xffffffc010101000
#define RPM_RESUME 0xffffffc010102000
#define RPM_RESUME_INSIDE (RPM_RESUME + 0x124)
#define BEHIND_ALL 0xffffffc020000000
#define WORK 0xffffff8801234500

static const char kallsyms[] = "ffffffc010101000 t pm_runtime_work\n"
			       "ffffffc010102000 T rpm_resume\n"
			       "ffffffc010103000 T behind\n";

/* A sanitizer makes processes that are slow to begin. */
#ifdef __SANITIZE_ADDRESS__
#define MUTATIONS 100
#else
#define MUTATIONS 600
#endif

/* No child may be left. */
static void expect_no_child(void)
{
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
}

/* ---- events ---- */

static const char *comm_of(int tid)
{
	if (!tid)
		return "swapper/0";
	return tid == 100 ? "surfaceflinger" : "task";
}

static void add_switch(struct dat_file *f, int cpu, guint64 ts, int prev,
		       guint64 state, int next)
{
	GByteArray *b = dat_fields();

	dat_comm(b, comm_of(prev));
	dat_le(b, (guint64)prev, 4);
	dat_le(b, 120, 4);
	dat_le(b, state, 8);
	dat_comm(b, comm_of(next));
	dat_le(b, (guint64)next, 4);
	dat_le(b, 120, 4);
	dat_add(f, cpu, ts, DAT_SWITCH_ID, 0, prev, b);
}

static void add_waking(struct dat_file *f, int cpu, guint64 ts, int flags,
		       int tid, int wakee, int id)
{
	GByteArray *b = dat_fields();

	dat_comm(b, comm_of(wakee));
	dat_le(b, (guint64)wakee, 4);
	dat_add(f, cpu, ts, id, flags, tid, b);
}

static void add_work(struct dat_file *f, int cpu, guint64 ts, int tid, int id,
		     guint64 function)
{
	GByteArray *b = dat_fields();

	dat_le(b, WORK, 8);
	if (id != DAT_ACTIVATE_ID)
		dat_le(b, function, 8);
	if (id == DAT_QUEUE_ID) {
		dat_le(b, 28 | 3 << 16, 4);
		g_byte_array_append(b, (const guint8 *)"pm\0", 4);
	}
	dat_add(f, cpu, ts, id, 0, tid, b);
}

static void add_blocked(struct dat_file *f, int cpu, guint64 ts, int tid,
			guint64 caller)
{
	GByteArray *b = dat_fields();

	dat_le(b, (guint64)tid, 8);
	dat_le(b, caller, 8);
	dat_le(b, 0, 8);
	dat_add(f, cpu, ts, DAT_BLOCKED_ID, 0, 0, b);
}

static void add_print(struct dat_file *f, int cpu, guint64 ts, int tid,
		      const char *text)
{
	GByteArray *b = dat_fields();

	dat_le(b, 0, 8);
	g_byte_array_append(b, (const guint8 *)text, (guint)strlen(text) + 1);
	dat_add(f, cpu, ts, DAT_PRINT_ID, 0, tid, b);
}

/* ---- reading ---- */

static struct result analyze(GByteArray *bytes)
{
	struct result r = result_of(bytes->data, bytes->len);

	expect_no_child();
	return r;
}

/*
 * Worker 40 on CPU 0: its item is queued at 900 on CPU 1, it is woken at 1000,
 * runs at 1300 (waited 300) and starts the item; is preempted from 1400 to
 * 1600 (waits 200), ends the item and starts another.
 */
static void put_worker(struct dat_file *f)
{
	f->kallsyms = kallsyms;
	add_switch(f, 0, 500, 0, 0, 10);
	add_work(f, 1, 900, 60, DAT_QUEUE_ID, PM_RUNTIME_WORK);
	add_work(f, 1, 910, 60, DAT_ACTIVATE_ID, 0);
	add_waking(f, 1, 1000, 0, 60, 40, DAT_WAKING_ID);
	add_waking(f, 0, 1100, 0, 10, 40, DAT_WAKEUP_ID);
	add_switch(f, 0, 1300, 10, 1, 40);
	add_work(f, 0, 1310, 40, DAT_START_ID, PM_RUNTIME_WORK);
	add_switch(f, 0, 1400, 40, 0, 50);
	add_switch(f, 0, 1600, 50, 1, 40);
	add_work(f, 0, 1650, 40, DAT_END_ID, PM_RUNTIME_WORK);
	add_work(f, 0, 1660, 40, DAT_START_ID, PM_RUNTIME_WORK);
	add_work(f, 0, 1700, 40, DAT_END_ID, PM_RUNTIME_WORK);
	add_switch(f, 0, 1800, 40, 0x80, 0);
}

static void test_cpu_wait(void)
{
	g_autoptr(GByteArray) bytes = NULL;
	const struct ab_trace_quality *q;
	const struct ab_trace_facts *facts;
	struct dat_file f;
	struct result r;

	dat_init(&f);
	f.uname = "Linux phone 6.1.23-android14 #1 SMP PREEMPT aarch64";
	put_worker(&f);
	bytes = dat_finish(&f);
	r = analyze(bytes);
	EXPECT(&r, WAIT, 0.3, 0.2);
	q = ab_trace_quality(r.trace);
	g_assert_false(q->loss_in_window);
	g_assert_cmpuint(q->events, ==, 13);
	g_assert_cmpuint(q->damaged_packets + q->damaged_events, ==, 0);
	g_assert_cmpuint(q->unresolved, ==, 0);
	facts = ab_trace_facts(r.trace);
	g_assert_cmpstr(facts->format, ==, "trace-cmd v6");
	g_assert_cmpint(facts->cpus, ==, 2);
	g_assert_cmpstr(facts->uname_release, ==, "6.1.23-android14");
	g_assert_cmpstr(facts->uname_version, ==, "#1 SMP PREEMPT");
	/* The wakeup is the end of a waking, not another one. */
	g_assert_cmpuint(r.trace->seen[AB_EV_WAKING], ==, 1);
	done(&r);
}

/*
 * Thread 100, surfaceflinger's, sleeps in rpm_resume from 2000 to 2800; its
 * waker 40 is woken at 2100, runs at 2500, is preempted from 2600 to 2700: it
 * waited 400 + 100.  Then from 4000 to 4100, woken by an interrupt.
 */
static void test_waker_wait(void)
{
	g_autoptr(GByteArray) bytes = NULL;
	struct dat_file f;
	struct result r;

	dat_init(&f);
	f.kallsyms = kallsyms;
	add_switch(&f, 0, 1000, 0, 0, 50);
	add_waking(&f, 0, 2100, 0, 50, 40, DAT_WAKING_ID);
	add_switch(&f, 0, 2500, 50, 0, 40);
	add_switch(&f, 0, 2600, 40, 0, 50);
	add_switch(&f, 0, 2700, 50, 0, 40);
	add_waking(&f, 0, 2800, 0, 40, 100, DAT_WAKING_ID);
	add_switch(&f, 0, 2850, 40, 0x80, 50);
	add_waking(&f, 0, 4100, AB_FLAG_HARDIRQ, 50, 100, DAT_WAKING_ID);
	add_switch(&f, 1, 1000, 0, 0, 100);
	add_switch(&f, 1, 2000, 100, 2, 0);
	add_blocked(&f, 1, 2810, 100, RPM_RESUME_INSIDE);
	add_switch(&f, 1, 2820, 0, 0, 100);
	add_switch(&f, 1, 4000, 100, 2, 0);
	add_blocked(&f, 1, 4110, 100, RPM_RESUME_INSIDE);
	add_switch(&f, 1, 4120, 0, 0, 100);
	/* A caller that no symbol can be near to. */
	add_switch(&f, 1, 5000, 100, 2, 0);
	add_blocked(&f, 1, 5010, 100, BEHIND_ALL);
	bytes = dat_finish(&f);
	r = analyze(bytes);
	EXPECT(&r, D_STATE, 0.8, 0.1);
	EXPECT(&r, WAKER, 0.5, 0);
	g_assert_cmpuint(r.trace->blocked_resolved, ==, 2);
	done(&r);
}

/* Without any sched_waking, sched_wakeup is all there is. */
static void test_wakeup_only(void)
{
	g_autoptr(GByteArray) bytes = NULL;
	struct dat_file f;
	struct result r;

	dat_init(&f);
	f.kallsyms = kallsyms;
	add_switch(&f, 0, 500, 0, 0, 10);
	add_waking(&f, 0, 1000, 0, 10, 40, DAT_WAKEUP_ID);
	add_switch(&f, 0, 1300, 10, 1, 40);
	add_work(&f, 0, 1310, 40, DAT_START_ID, PM_RUNTIME_WORK);
	add_work(&f, 0, 1320, 40, DAT_END_ID, PM_RUNTIME_WORK);
	bytes = dat_finish(&f);
	r = analyze(bytes);
	EXPECT(&r, WAIT, 0.3);
	done(&r);
}

/* Only what lies between the markers counts. */
static void test_window(void)
{
	g_autoptr(GByteArray) bytes = NULL;
	struct dat_file f;
	struct result r;

	dat_init(&f);
	add_print(&f, 1, 400, 70, "S|70|abrig:run|1\n");
	put_worker(&f);
	add_print(&f, 1, 1630, 71, "F|70|abrig:run|1\n");
	bytes = dat_finish(&f);
	r = analyze(bytes);
	g_assert_true(ab_trace_facts(r.trace)->window_marked);
	g_assert_cmpint(ab_trace_facts(r.trace)->begin_ns, ==, 400);
	g_assert_cmpint(ab_trace_facts(r.trace)->end_ns, ==, 1630);
	EXPECT(&r, WAIT, 0.3);
	g_assert_cmpuint(r.trace->seen[AB_EV_PRINT], ==, 2);
	done(&r);
}

/* ---- each event as it is decoded ---- */

static void copy_event(void *user, const struct ab_event *ev)
{
	g_array_append_val((GArray *)user, *ev);
}

static void no_slice(void *user, const struct ab_slice *slice)
{
	(void)user;
	(void)slice;
}

static void no_state(void *user, const struct ab_state_row *row)
{
	(void)user;
	(void)row;
}

static GArray *read_events(struct ab_trace *trace, struct ab_bytes bytes)
{
	GArray *events = g_array_new(FALSE, FALSE, sizeof(struct ab_event));
	const struct ab_sched_watch watch = {
		.slice = no_slice,
		.state = no_state,
		.event = copy_event,
		.user = events,
	};
	GError *error = NULL;

	ab_trace_read(trace, bytes, NULL, &watch, &error);
	g_assert_no_error(error);
	expect_no_child();
	return events;
}

static const struct ab_event *at(const GArray *events, guint i)
{
	g_assert_cmpuint(i, <, events->len);
	return &g_array_index(events, struct ab_event, i);
}

static void add_pair(struct dat_file *f, guint64 ts, int id, guint32 a,
		     guint32 b)
{
	GByteArray *body = dat_fields();

	dat_le(body, a, 4);
	dat_le(body, b, 4);
	dat_add(f, 0, ts, id, 0, 5, body);
}

static void put_other_kinds(struct dat_file *f)
{
	GByteArray *b = dat_fields();

	dat_le(b, 77, 4);
	dat_comm(b, "child");
	dat_le(b, 0, 4);
	dat_le(b, AB_CLONE_THREAD, 8);
	dat_add(f, 0, 100, DAT_NEWTASK_ID, 0, 5, b);
	b = dat_fields();
	dat_le(b, 77, 4);
	dat_comm(b, "child");
	dat_comm(b, "renamed");
	dat_add(f, 0, 110, DAT_RENAME_ID, 0, 5, b);
	b = dat_fields();
	dat_comm(b, "renamed");
	dat_le(b, 77, 4);
	dat_add(f, 0, 120, DAT_FREE_ID, 0, 5, b);
	add_pair(f, 130, DAT_FREQUENCY_ID, 850000, 1);
	add_pair(f, 140, DAT_IDLE_ID, AB_IDLE_EXIT, 0);
	b = dat_fields();
	dat_le(b, 16 | 5 << 16, 4);
	dat_le(b, 2, 4);
	g_byte_array_append(b, (const guint8 *)"0:usb", 5);
	dat_add(f, 0, 150, DAT_RPM_ID, 0, 5, b);
	b = dat_fields();
	dat_le(b, 1, 4);
	dat_add(f, 0, 160, DAT_OTHER_ID, 0, 6, b);
	add_work(f, 0, 170, 5, DAT_QUEUE_ID, BEHIND_ALL);
	/* A pid and a CPU that cannot be. */
	add_switch(f, 0, 180, AB_MAX_TID, 0, 1);
	add_pair(f, 190, DAT_IDLE_ID, 0, AB_MAX_CPUS);
}

#define EXPECT_TEXT(trace, text, expected) \
	g_assert_cmpstr(ab_trace_text(trace, text), ==, expected)

static void test_kinds(void)
{
	struct ab_trace *t = ab_trace_new();
	g_autoptr(GByteArray) bytes = NULL;
	g_autoptr(GArray) events = NULL;
	struct dat_file f;

	dat_init(&f);
	f.cmdlines = "6 saved name\n77 stale\n9 unseen\n";
	put_other_kinds(&f);
	bytes = dat_finish(&f);
	events = read_events(t, (struct ab_bytes){ bytes->data, bytes->len });
	g_assert_cmpint(at(events, 0)->kind, ==, AB_EV_TASK_NEW);
	g_assert_cmpint(at(events, 0)->task.tid, ==, 77);
	g_assert_cmphex(at(events, 0)->task.clone_flags, ==, AB_CLONE_THREAD);
	EXPECT_TEXT(t, at(events, 0)->task.comm, "child");
	EXPECT_TEXT(t, at(events, 1)->task.comm, "renamed");
	g_assert_cmpint(at(events, 2)->kind, ==, AB_EV_TASK_FREE);
	g_assert_cmpint(at(events, 2)->task.tid, ==, 77);
	g_assert_cmpuint(at(events, 3)->counter.value, ==, 850000);
	g_assert_cmpuint(at(events, 3)->counter.cpu, ==, 1);
	g_assert_cmpuint(at(events, 4)->counter.value, ==, AB_IDLE_EXIT);
	EXPECT_TEXT(t, at(events, 5)->rpm.device, "0:usb");
	g_assert_cmpint(at(events, 5)->rpm.status, ==, 2);
	g_assert_cmpint(at(events, 6)->kind, ==, AB_EV_OTHER);
	g_assert_cmpint(at(events, 6)->tid, ==, 6);
	EXPECT_TEXT(t, at(events, 7)->work.function, "0xffffffc020000000");
	g_assert_cmpint(at(events, 7)->flags, ==, AB_EVENT_UNRESOLVED);
	EXPECT_TEXT(t, at(events, 7)->work.workqueue, "pm");
	g_assert_cmphex(at(events, 7)->work.work, ==, WORK);
	/* Names that no event told, of those that were seen. */
	g_assert_cmpint(at(events, 8)->kind, ==, AB_EV_THREAD);
	g_assert_cmpint(at(events, 8)->proc.tid, ==, 6);
	EXPECT_TEXT(t, at(events, 8)->proc.name, "saved name");
	g_assert_cmpuint(events->len, ==, 9);
	g_assert_cmpuint(t->quality.damaged_events, ==, 2);
	ab_trace_free(t);
}

/* ---- loss ---- */

static void test_lost(void)
{
	const char stats[] = "CPU: 0\nentries: 0\noverrun: 12\n"
			     "commit overrun: 0\n\nCPU: 1\noverrun: 5\n"
			     "dropped events: 3\n";
	g_autoptr(GByteArray) bytes = NULL;
	struct ab_trace *t = ab_trace_new();
	g_autoptr(GArray) events = NULL;
	const struct ab_lost *lost;
	struct dat_file f;

	dat_init(&f);
	f.cpustat = stats;
	/* The buffer of CPU 1 wrapped: what it has begins at 1000. */
	dat_lost_page(&f, 1, 1000, 5);
	add_pair(&f, 500, DAT_IDLE_ID, 0, 0);
	add_waking(&f, 1, 1000, 0, 1, 2, DAT_WAKING_ID);
	add_pair(&f, 2000, DAT_IDLE_ID, 0, 0);
	dat_lost_page(&f, 0, 3000, 12);
	add_pair(&f, 3000, DAT_IDLE_ID, 1, 0);
	bytes = dat_finish(&f);
	events = read_events(t, (struct ab_bytes){ bytes->data, bytes->len });
	g_assert_cmpint(t->crop_ns, ==, 1000);
	g_assert_cmpint(at(events, 0)->flags, ==, AB_EVENT_CROPPED);
	g_assert_cmpint(at(events, 1)->flags, ==, 0);
	g_assert_cmpuint(t->quality.lost_bundles, ==, 1);
	g_assert_cmpuint(t->quality.overrun, ==, 12 + 3);
	lost = &g_array_index(t->lost_events, struct ab_lost, 0);
	g_assert_cmpint(lost->begin_ns, ==, 2000);
	g_assert_cmpint(lost->end_ns, ==, 3000);
	g_assert_cmpint(lost->cpu, ==, 0);
	g_assert_true(t->quality.loss_in_window);
	ab_trace_free(t);
}

/* What is in the buffer of an instance is not read, and this is told. */
static void test_instance(void)
{
	g_autoptr(GByteArray) bytes = NULL;
	struct ab_trace *t = ab_trace_new();
	g_autoptr(GArray) events = NULL;
	struct dat_file f;

	dat_init(&f);
	f.instance = "other";
	add_pair(&f, 500, DAT_IDLE_ID, 0, 0);
	bytes = dat_finish(&f);
	events = read_events(t, (struct ab_bytes){ bytes->data, bytes->len });
	g_assert_cmpuint(events->len, ==, 1);
	g_assert_cmpuint(t->quality.buffers_ignored, ==, 1);
	g_assert_false(t->quality.loss_in_window);
	ab_trace_free(t);
}

/* ---- damage ---- */

static GByteArray *worker_file(void)
{
	struct dat_file f;

	dat_init(&f);
	put_worker(&f);
	return dat_finish(&f);
}

/* Read what may be damaged; NULL: nothing could be recognised. */
static struct ab_trace *survive(const guint8 *data, gsize size)
{
	gint64 begin = g_get_monotonic_time();
	struct ab_run_data *values = ab_run_data_new();
	struct ab_trace *trace = ab_trace_open_bytes(data, size, NULL, NULL);

	if (trace)
		ab_trace_analyze(trace, NULL, values);
	ab_run_data_free(values);
	expect_no_child();
	g_assert_cmpint(g_get_monotonic_time() - begin, <,
			120 * G_USEC_PER_SEC);
	return trace;
}

/* What is whole in front of the cut is used. */
static void test_truncated(void)
{
	g_autoptr(GByteArray) bytes = worker_file();
	struct ab_trace *trace;
	gsize size;

	/* Without the page of CPU 1. */
	trace = survive(bytes->data, bytes->len - 100);
	g_assert_nonnull(trace);
	g_assert_cmpuint(ab_trace_quality(trace)->events, ==, 10);
	g_assert_cmpuint(ab_trace_quality(trace)->damaged_packets, ==, 1);
	g_assert_true(ab_trace_quality(trace)->loss_in_window);
	ab_trace_free(trace);
	for (size = 1; size < bytes->len; size += 97) {
		trace = survive(bytes->data, size);
		if (trace)
			ab_trace_free(trace);
	}
}

/* @n copies with some bytes changed; how many made the child die? */
static guint mutate(const guint8 *data, gsize size, guint n)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(20260321);
	g_autofree guint8 *copy = g_malloc(size);
	guint i, j, damaged = 0;

	for (i = 0; i < n; i++) {
		guint changes = 1U << g_rand_int_range(rand, 0, 8);
		struct ab_trace *trace;

		memcpy(copy, data, size);
		for (j = 0; j < changes; j++)
			copy[g_rand_int_range(rand, 12, (gint32)size)] =
				(guint8)g_rand_int(rand);
		trace = survive(copy, size);
		damaged +=
			!trace || ab_trace_quality(trace)->damaged_packets > 0;
		if (trace)
			ab_trace_free(trace);
	}
	return damaged;
}

static void test_mutated(void)
{
	g_autoptr(GByteArray) bytes = worker_file();

	g_assert_cmpuint(mutate(bytes->data, bytes->len, MUTATIONS), >, 0);
}

/* ---- what the parent believes of a child ---- */

static guint feed(struct dat_reader *r, const guint8 *data, gsize size)
{
	struct ab_event events[16];
	guint total = 0, n;

	while (size && !r->bad && !r->done) {
		gsize room;
		guint8 *to = dat_reader_room(r, &room);
		gsize part = MIN(size, room);

		memcpy(to, data, part);
		r->n += part;
		data += part;
		size -= part;
		while ((n = dat_reader_events(r, events, 16)))
			total += n;
	}
	return total;
}

static guint feed_event(const struct ab_event *ev, bool *bad_out)
{
	g_autoptr(GByteArray) b = g_byte_array_new();
	const struct dat_record text = { DAT_COMM, 4 };
	const struct dat_record event = { DAT_EVENT, sizeof(*ev) };
	struct ab_trace *trace = ab_trace_new();
	struct dat_reader r;
	guint n;

	g_byte_array_append(b, (const guint8 *)&text, sizeof(text));
	g_byte_array_append(b, (const guint8 *)"comm\0\0\0", 8);
	g_byte_array_append(b, (const guint8 *)&event, sizeof(event));
	g_byte_array_append(b, (const guint8 *)ev, sizeof(*ev));
	dat_reader_init(&r, trace);
	n = feed(&r, b->data, b->len);
	*bad_out = r.bad;
	dat_reader_clear(&r);
	ab_trace_free(trace);
	return n;
}

static void expect_event(struct ab_event ev, bool good)
{
	bool bad;

	g_assert_cmpuint(feed_event(&ev, &bad), ==, good);
	g_assert_true(bad == !good);
}

static void test_hostile_events(void)
{
	const struct ab_event ok = { .ts = 5, .kind = AB_EV_WAKING, .tid = 3 };
	struct ab_event ev = ok;

	ev.waking.comm = 1;
	expect_event(ev, true);
	ev.waking.comm = 2;
	expect_event(ev, false);
	ev = ok;
	ev.waking.tid = -1;
	expect_event(ev, false);
	ev = ok;
	ev.tid = AB_MAX_TID;
	expect_event(ev, false);
	ev.tid = AB_TID_UNKNOWN;
	expect_event(ev, false);
	ev = ok;
	ev.cpu = AB_MAX_CPUS;
	expect_event(ev, false);
	ev = ok;
	ev.ts = -1;
	expect_event(ev, false);
	ev = ok;
	ev.flags = AB_EVENT_COMPACT;
	expect_event(ev, false);
	ev = ok;
	ev.kind = AB_EV_PROCESS;
	expect_event(ev, false);
	ev.kind = AB_EV_KINDS;
	expect_event(ev, false);
	ev = (struct ab_event){ .kind = AB_EV_CPU_IDLE };
	ev.counter.cpu = AB_MAX_CPUS;
	expect_event(ev, false);
}

/* Records of every kind with sizes and contents by chance. */
static void test_hostile_records(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	guint i, j;

	for (i = 0; i < 20000; i++) {
		struct ab_trace *trace = ab_trace_new();
		struct dat_reader r;
		guint64 words[64];
		struct dat_record record = {
			(guint32)g_rand_int_range(rand, 0, DAT_DONE + 2),
			(guint32)g_rand_int_range(rand, 0, 64),
		};

		for (j = 0; j < G_N_ELEMENTS(words); j++)
			words[j] = g_rand_int(rand) >>
				   g_rand_int_range(rand, 0, 32);
		memcpy(words, &record, sizeof(record));
		dat_reader_init(&r, trace);
		feed(&r, (const guint8 *)words, sizeof(words));
		dat_reader_clear(&r);
		ab_trace_free(trace);
	}
}

static bool die(int file, int out, const struct dat_info *info)
{
	(void)info;
	if (write(out, &file, sizeof(file)) != sizeof(file))
		return false;
	abort();
}

static bool spin(int file G_GNUC_UNUSED, int out G_GNUC_UNUSED,
		 const struct dat_info *info G_GNUC_UNUSED)
{
	volatile bool forever = true;

	while (forever)
		;
	return false;
}

static bool eat(int file, int out, const struct dat_info *info)
{
	gsize size = 1UL << 30;

	(void)file;
	(void)info;
	/* More than the child may have: no room, or its death. */
	return !mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, out, 0);
}

/* Whatever becomes of the child, the parent reads to an end. */
static void test_child_dies(void)
{
	static dat_child_body *const bodies[] = { die, spin, eat };
	g_autoptr(GByteArray) bytes = worker_file();
	int file = dat_file_new((struct ab_bytes){ bytes->data, bytes->len });
	guint8 buf[64];
	guint i;

	g_assert_cmpint(file, >=, 0);
	for (i = 0; i < G_N_ELEMENTS(bodies); i++) {
		struct dat_child child;

		g_assert_true(dat_child_start(&child, file, bytes->len,
					      bodies[i], NULL));
		while (dat_child_read(&child, buf, sizeof(buf)))
			;
		dat_child_finish(&child);
		expect_no_child();
	}
	close(file);
}

/* ---- a real file ---- */

#define REAL "data/ftrace/lisa-sched_load.dat"

static char *real_file(gsize *size_out)
{
	g_autofree char *path = shared_path(REAL);
	char *data = NULL;

	if (path)
		g_assert_true(g_file_get_contents(path, &data, size_out, NULL));
	return data;
}

static const struct ab_event *nth(const GArray *events, guint8 kind, guint n)
{
	guint i;

	for (i = 0; i < events->len; i++)
		if (at(events, i)->kind == kind && !n--)
			return at(events, i);
	g_assert_not_reached();
}

/* What "trace-cmd report -t" says of it. */
static void test_real(void)
{
	struct ab_trace *t = ab_trace_new();
	g_autoptr(GArray) events = NULL;
	g_autofree char *data = NULL;
	const struct ab_event *ev;
	gsize size = 0;

	data = real_file(&size);
	if (!data) {
		ab_trace_free(t);
		return;
	}
	events =
		read_events(t, (struct ab_bytes){ (const guint8 *)data, size });
	g_assert_cmpuint(t->quality.events, ==, 3724);
	g_assert_cmpuint(t->seen[AB_EV_SWITCH], ==, 399);
	g_assert_cmpuint(t->seen[AB_EV_CPU_IDLE], ==, 474);
	g_assert_cmpuint(t->seen[AB_EV_CPU_FREQUENCY], ==, 16);
	g_assert_cmpuint(t->seen[AB_EV_PRINT], ==, 6);
	g_assert_cmpuint(t->seen[AB_EV_OTHER], ==, 2437 + 364 + 28);
	g_assert_cmpuint(t->quality.damaged_events, ==, 0);
	g_assert_cmpuint(t->quality.damaged_packets, ==, 0);
	g_assert_cmpint(t->facts.cpus, ==, 6);
	ev = nth(events, AB_EV_SWITCH, 99);
	g_assert_cmpint(ev->ts, ==, 2084204778920);
	g_assert_cmpint(ev->cpu, ==, 3);
	g_assert_cmpint(ev->sw.prev_tid, ==, 2926);
	g_assert_cmpint(ev->sw.next_tid, ==, 2930);
	g_assert_cmpuint(ev->sw.prev_state, ==, 1);
	EXPECT_TEXT(t, ev->sw.prev_comm, "kworker/u12:0");
	EXPECT_TEXT(t, ev->sw.next_comm, "bash");
	ev = nth(events, AB_EV_CPU_FREQUENCY, 0);
	g_assert_cmpint(ev->ts, ==, 2084143679940);
	g_assert_cmpuint(ev->counter.value, ==, 850000);
	g_assert_cmpint(ev->tid, ==, 1842);
	ev = nth(events, AB_EV_CPU_IDLE, 473);
	g_assert_cmpint(ev->ts, ==, 2084449525380);
	g_assert_cmpuint(ev->counter.value, ==, 2);
	ab_trace_free(t);
}

static void test_real_damaged(void)
{
	g_autofree char *data = NULL;
	guint step, i;
	gsize size = 0;

	data = real_file(&size);
	if (!data)
		return;
	/* libtracecmd dies of some of them. */
	g_assert_cmpuint(mutate((const guint8 *)data, size,
				g_test_slow() ? MUTATIONS : MUTATIONS / 10),
			 >, 0);
	step = (guint)(size / 20);
	for (i = 1; i < 20; i++) {
		struct ab_trace *trace =
			survive((const guint8 *)data, i * step);

		if (trace)
			ab_trace_free(trace);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-dat/cpu-wait", test_cpu_wait);
	g_test_add_func("/trace-dat/waker-wait", test_waker_wait);
	g_test_add_func("/trace-dat/wakeup-only", test_wakeup_only);
	g_test_add_func("/trace-dat/window", test_window);
	g_test_add_func("/trace-dat/kinds", test_kinds);
	g_test_add_func("/trace-dat/lost", test_lost);
	g_test_add_func("/trace-dat/instance", test_instance);
	g_test_add_func("/trace-dat/truncated", test_truncated);
	g_test_add_func("/trace-dat/mutated", test_mutated);
	g_test_add_func("/trace-dat/hostile-events", test_hostile_events);
	g_test_add_func("/trace-dat/hostile-records", test_hostile_records);
	g_test_add_func("/trace-dat/child-dies", test_child_dies);
	g_test_add_func("/trace-dat/real", test_real);
	g_test_add_func("/trace-dat/real-damaged", test_real_damaged);
	return g_test_run();
}
