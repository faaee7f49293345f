/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all threads did lately: the ended states of the recent past, and the
 * events of work items and devices, in rings of a fixed size.  It is written
 * only where a missed frame may lie, so that other traces pay nothing.
 */
#ifndef TRACE_CHAIN_PAST_H
#define TRACE_CHAIN_PAST_H

#include "sched.h"

/* At 100,000 states per second two thirds of one; 3 MiB. */
#define AB_PAST_STATES (1u << 16)
#define AB_PAST_WORKS (1u << 14)
/* Of CPUs that have not switched since recording began. */
#define AB_PRIO_UNKNOWN G_MININT16

/* A state that a thread was in; its end is known. */
struct ab_past_state {
	gint64 begin_ns, end_ns;
	guint32 thread;
	guint32 waker;	  /* that ended a sleep; 0: an interrupt or idle CPU */
	guint32 before;	  /* how many places back the thread's last one is;
			     0: there is none */
	guint32 function; /* text: it sleeps in */
	guint16 cpu;	  /* that it ran on, or got afterwards */
	gint16 prio;	  /* of a thread that ran, or ran afterwards */
	guint8 sum;	  /* enum ab_sum: which state */
};

/* An event of a work item, or of a device. */
struct ab_past_work {
	gint64 ts;
	guint64 work;
	guint32 generation;
	guint32 function; /* text; the device of RPM_STATUS */
	guint32 workqueue;
	guint32 thread; /* that ran */
	guint8 kind;	/* enum ab_event_kind */
	bool unresolved;
};

struct ab_past {
	const struct ab_threads *threads;
	struct ab_past_state *states; /* a ring; NULL until recording begins */
	struct ab_past_work *works;
	guint64 n_states, n_works; /* of all ever written */
	guint64 works_from;	   /* those before it may lack their ends */
	GArray *last; /* guint64, by thread: number of its newest state, + 1 */
	gint16 prio[AB_MAX_CPUS]; /* of who runs there */
};

void ab_past_init(struct ab_past *past, const struct ab_threads *threads);
void ab_past_clear(struct ab_past *past);
/* Recording begins, or goes on after events that were not told. */
void ab_past_resume(struct ab_past *past);

/* An event of any kind, which @sched has not yet applied. */
void ab_past_event(struct ab_past *past, struct ab_sched *sched,
		   const struct ab_event *ev);

/*
 * The state that @thread was in just before @ts; false when it is not known
 * (any more).  One that has not ended has end_ns G_MAXINT64.
 */
bool ab_past_at(const struct ab_past *past, guint32 thread, gint64 ts,
		struct ab_past_state *state_out);

/* Of those that are kept, by number: from here up to n_states. */
guint64 ab_past_first(const struct ab_past *past);
static inline const struct ab_past_state *
ab_past_state(const struct ab_past *past, guint64 n)
{
	return &past->states[n % AB_PAST_STATES];
}
/* The number of the first that ended after @ts. */
guint64 ab_past_after(const struct ab_past *past, gint64 ts);

guint64 ab_past_first_work(const struct ab_past *past);
static inline const struct ab_past_work *
ab_past_work(const struct ab_past *past, guint64 n)
{
	return &past->works[n % AB_PAST_WORKS];
}

#endif
