/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces with one frame by markers whose chain is known.  Thread 100 on CPU 0
 * is the app's; times are in us since the frame's begin.
 */
#ifndef UNIT_WHY_TRACE_H
#define UNIT_WHY_TRACE_H

#include <abrig/why.h>

#include "trace_tables.h"
#include "trace_writer.h"

#define APP 100
#define WORKER 40
#define QUEUER 30
#define OTHER 50

#define WORK_QUEUE 59
#define RPM_STATUS 489

/* More than are recorded before the first marker is known. */
#define LEAD 300
#define BEGIN_NS 1000000

static inline guint64 at(double us)
{
	return (guint64)(BEGIN_NS + (gint64)(us * 1000));
}

struct why_trace {
	GByteArray *cpus[3];
	bool lost; /* events of CPU 2, at the end */
};

/* A switch to a thread with a name and a priority. */
static inline void run_as(struct why_trace *w, int cpu, double us, int prev,
			  int state, int next, const char *comm, int prio)
{
	GByteArray *b = g_byte_array_new();

	put(b, 2, (guint64)prev);
	put(b, 4, (guint64)state);
	put_text(b, 5, comm);
	put(b, 6, (guint64)next);
	put(b, 7, (guint64)prio);
	event(w->cpus[cpu], at(us), prev, SWITCH, b);
}

static inline void run(struct why_trace *w, int cpu, double us, int prev,
		       int state, int next)
{
	const char *comm = next == WORKER ? "kworker/u16:3" : "thread";

	run_as(w, cpu, us, prev, state, next, next ? comm : "swapper", 120);
}

static inline void wake(struct why_trace *w, int cpu, double us, int waker,
			int thread)
{
	waking(w->cpus[cpu], at(us), waker, thread);
}

static inline void reason(struct why_trace *w, int cpu, double us, int thread,
			  guint64 function)
{
	blocked(w->cpus[cpu], at(us), thread, function);
}

static inline void item(struct why_trace *w, int cpu, double us, int tid,
			guint no, guint64 number, guint64 function)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, number);
	put(b, 2, function);
	if (no == WORK_QUEUE)
		put_text(b, 6, "pm");
	event(w->cpus[cpu], at(us), tid, no, b);
}

static inline void device(struct why_trace *w, int cpu, double us, int tid,
			  const char *name)
{
	GByteArray *b = g_byte_array_new();

	put_text(b, 1, name);
	put(b, 2, 2);
	event(w->cpus[cpu], at(us), tid, RPM_STATUS, b);
}

static inline void frame_mark(struct why_trace *w, double us, int cookie,
			      bool begin)
{
	g_autofree char *text = g_strdup_printf("%c|%d|abrig:frame:4000|%d",
						begin ? 'S' : 'F', APP, cookie);

	print(w->cpus[0], at(us), APP, text);
}

/* The app runs on CPU 0, idle on the others; the frame begins at 0. */
static inline void why_trace_init(struct why_trace *w)
{
	guint i;

	w->lost = false;
	for (i = 0; i < G_N_ELEMENTS(w->cpus); i++)
		w->cpus[i] = new_bundle((int)i);
	run_as(w, 0, -900, 0, 0, APP, "ndroid.systemui", 110);
	run(w, 1, -900, 60, 1, 0);
	run(w, 2, -900, 61, 1, 0);
	wake(w, 1, -895, 0, WORKER);
	run(w, 1, -890, 0, 0, WORKER);
	run(w, 1, -880, WORKER, 0x402, 0);
	frame_mark(w, -800, 0, true);
	frame_mark(w, -700, 0, false);
	for (i = 0; i < LEAD; i++)
		print(w->cpus[0], at(-600 + (double)i / 1000), APP, "x");
	frame_mark(w, 0, 1, true);
}

/* Of the same pass over the kernel's buffers as the packet before. */
static inline void more_packet(GByteArray *trace, GByteArray *bundle)
{
	GByteArray *p = g_byte_array_new();

	put(p, 10, 7);
	put_message(p, 1, bundle);
	put_message(trace, 1, p);
}

/* The frame ends at @us, and the trace with it; @w is used up. */
static inline struct analysed why_trace_end(struct why_trace *w, double us)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	guint i;

	frame_mark(w, us, 1, false);
	run(w, 0, us + 10, APP, 1, 0);
	process(trace, APP, "com.android.systemui");
	bundle_packet(trace, w->cpus[0], "pm_runtime_work", false);
	for (i = 1; i < G_N_ELEMENTS(w->cpus); i++)
		more_packet(trace, w->cpus[i]);
	if (w->lost) {
		GByteArray *b = new_bundle(2);

		put(b, 3, 1);
		sched_switch(b, at(us + 20), 0, 0, 61);
		more_packet(trace, b);
	}
	return analyse(trace);
}

/* What is expected of a step; times in us. */
struct expected_step {
	enum ab_step_state state;
	guint depth;
	int tid;
	double begin_us, end_us;
};

static inline const struct ab_why_step *step_of(const struct ab_why_frame *f,
						guint i)
{
	g_assert_cmpuint(i, <, f->steps->len);
	return &g_array_index(f->steps, struct ab_why_step, i);
}

static inline void expect_steps(const struct ab_why_frame *f,
				const struct expected_step *expected, guint n)
{
	guint i;

	g_assert_null(f->not_explained);
	for (i = 0; i < MIN(n, f->steps->len); i++) {
		const struct ab_why_step *s = step_of(f, i);

		g_test_message("%u: %s depth %u tid %d %g..%g us", i,
			       ab_step_word(s->state), s->depth, s->thread.tid,
			       (double)(s->begin_ns - BEGIN_NS) / 1000,
			       (double)(s->end_ns - BEGIN_NS) / 1000);
		g_assert_cmpint(s->state, ==, expected[i].state);
		g_assert_cmpuint(s->depth, ==, expected[i].depth);
		g_assert_cmpint(s->thread.tid, ==, expected[i].tid);
		g_assert_cmpint(s->begin_ns, ==,
				(gint64)at(expected[i].begin_us));
		g_assert_cmpint(s->end_ns, ==, (gint64)at(expected[i].end_us));
	}
	g_assert_cmpuint(f->steps->len, ==, n);
}

/* The only missed frame. */
static inline const struct ab_why_frame *only_frame(const struct ab_why *why)
{
	g_assert_cmpstr(why->withheld, ==, NULL);
	g_assert_cmpuint(why->frames->len, ==, 1);
	return why->frames->pdata[0];
}

static inline const struct ab_mechanism *mechanism(const struct ab_why *why,
						   const char *id)
{
	guint i;

	for (i = 0; i < why->mechanisms->len; i++) {
		const struct ab_mechanism *m =
			&g_array_index(why->mechanisms, struct ab_mechanism, i);

		if (!strcmp(m->id, id))
			return m;
	}
	g_test_message("no mechanism %s", id);
	g_assert_not_reached();
}

#endif
