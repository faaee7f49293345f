/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The thread-state machine: switches, wakings and blocked reasons in, states
 * out.  It follows Perfetto's trace processor row by row (that is tested), and
 * keeps beside it what the analyses need: since when a thread has been
 * runnable without a break, and how much its waker waited.
 */
#ifndef TRACE_SCHED_H
#define TRACE_SCHED_H

#include "trace.h"
#include "waits.h"

struct ab_slice {
	gint64 begin_ns, end_ns; /* -1: open */
	guint32 thread;
	guint32 end_state; /* valid when it has an end */
	gint32 prio;
	guint16 cpu;
};

struct ab_state_row {
	gint64 begin_ns, end_ns;
	guint32 thread, waker; /* waker AB_NO_THREAD: not known */
	guint8 run_state;
	guint16 state; /* prev_state of a thread that does not run */
	guint16 cpu;
	gint8 io_wait, irq; /* -1: not told */
	guint32 function;   /* text */
};

/* Who wants to see each slice and state, in no particular order. */
struct ab_sched_watch {
	void (*slice)(void *user, const struct ab_slice *slice);
	void (*state)(void *user, const struct ab_state_row *row);
	/* Each event before it is applied; may be NULL. */
	void (*event)(void *user, const struct ab_event *event);
	void *user;
};

struct ab_cpu {
	guint32 current; /* thread, or AB_NO_THREAD */
	bool has_slice;
	struct ab_slice slice;
};

struct ab_sched {
	struct ab_trace *trace;
	struct ab_threads *threads;
	const struct ab_sched_watch *watch;
	struct ab_waits waits;
	guint32 d_sleeps;  /* threads that sleep in D state now */
	guint32 preempted; /* the bits of prev_state: preempted, */
	guint32 idle;	   /* and TASK_IDLE */
	struct ab_cpu cpus[AB_MAX_CPUS];
};

void ab_sched_init(struct ab_sched *sched, struct ab_trace *trace,
		   const struct ab_sched_watch *watch);
/* Hand out what is still open. */
void ab_sched_finish(struct ab_sched *sched);
void ab_sched_clear(struct ab_sched *sched);

void ab_sched_switch(struct ab_sched *sched, const struct ab_event *ev);
/* The same before all CPUs are covered: only who runs afterwards counts. */
void ab_sched_switch_early(struct ab_sched *sched, const struct ab_event *ev);
void ab_sched_waking(struct ab_sched *sched, const struct ab_event *ev);
void ab_sched_blocked(struct ab_sched *sched, const struct ab_event *ev);
void ab_sched_task_new(struct ab_sched *sched, const struct ab_event *ev);

/* The running thread of @cpu, or AB_NO_THREAD. */
static inline guint32 ab_sched_current(const struct ab_sched *sched,
				       guint16 cpu)
{
	return sched->cpus[cpu].current;
}

/* The bit of prev_state that says "preempted", by kernel release; 4.4's when
 * @release is NULL or strange. */
guint32 ab_task_preempted_bit(const char *release);
/*
 * @state in letters as trace processor prints it ("S", "D", "R+"), in a
 * kernel with that bit; NULL when a bit is not known.
 */
const char *ab_task_state_text(guint32 state, guint32 preempted, char *buf,
			       gsize size);

#endif
