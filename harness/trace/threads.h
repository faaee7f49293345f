/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The threads of a trace.  A tid that is used again makes a new thread; all
 * references are indexes into one array.  Thread 0 is the idle task.
 */
#ifndef TRACE_THREADS_H
#define TRACE_THREADS_H

#include "event.h"

#define AB_COMM_SIZE 16
#define AB_NO_THREAD G_MAXUINT32

enum ab_run_state { AB_STATE_NONE, AB_RUNNING, AB_RUNNABLE, AB_BLOCKED };

/* Who said a thread's name; a later word of equal or higher rank wins. */
enum ab_name_rank { AB_NAME_NONE, AB_NAME_EVENT, AB_NAME_PROC };

/* An interval off the CPU that is not plain runnable, until it runs again. */
struct ab_blocked {
	gint64 begin_ns, end_ns; /* -1: not known (yet) */
	gint64 waker_wait_ns;
	guint32 function; /* text */
	guint32 waker;
	guint16 state; /* the kernel's prev_state */
	gint8 io_wait; /* -1: not told */
};

/* Intervals of one kind within the window; those that reach beyond it are in
 * the sum with the part that is inside, and not in @n and @max_ns. */
struct ab_interval_sum {
	gint64 ns;
	gint64 max_ns;
	guint64 n;
};

enum ab_sum {
	AB_SUM_RUNNING,
	AB_SUM_AFTER_WAKEUP,
	AB_SUM_AFTER_PREEMPTION,
	AB_SUM_D_STATE,
	AB_SUM_S_STATE,
	AB_SUMS, /* stopped, dead and the like: not summed up */
};

/* Where a thread's time in the window went. */
struct ab_times {
	union {
		struct {
			struct ab_interval_sum running;
			/* Runnable, not running: */
			struct ab_interval_sum after_wakeup;
			struct ab_interval_sum after_preemption;
			struct ab_interval_sum d_state, s_state;
		};
		struct ab_interval_sum sums[AB_SUMS]; /* by enum ab_sum */
	};
	guint64 migrations; /* runs that began on another CPU than the last */
};

/* What each switch and each waking look at comes first: a cache line. */
struct ab_thread {
	gint32 tid;
	guint32 comm; /* text */
	guint8 name_rank;
	bool kernel; /* told to be a thread of the kernel */

	/* The thread-state machine; see sched.c. */
	guint8 run_state;
	guint8 sum; /* enum ab_sum: where the time in this state counts */
	gint8 irq_wake;
	bool wait_known; /* @wait_ns holds for this running interval */
	bool item_ran;	 /* a work item was started in this running interval */
	bool preempted;	 /* runnable (before it ran) for being preempted */
	bool migrated;	 /* in the window, it began to run on another CPU */
	bool has_run;
	bool has_blocked;  /* @blocked is kept, and may learn more */
	guint8 waits_room; /* of the newest chunk of the log of waits */
	guint16 cpu;	   /* that it runs or ran on last */
	guint32 workqueue; /* text: of the item that was open when this run
			      began, or that it started first; 0: none */
	guint32 waker;
	gint64 since_ns;
	gint64 runnable_ns; /* since when, without a break; -1: is not */
	gint64 wait_ns;
	gint64 ran_ns; /* finished running intervals of the whole trace */

	gint64 wait_begin_ns, wait_end_ns; /* the last wait for a CPU */
	guint64 waits;	   /* newest chunk of the log of waits, number + 1 */
	guint64 waited_ns; /* all that were logged */
	guint32 item;	   /* innermost open work item, index + 1 */
	gint32 tgid;	   /* -1: unknown */
	struct ab_times times;
	struct ab_blocked blocked;
};

#define AB_TID_PAGE 1024

/* A trace with more is hostile: what they do counts as the idle task's, which
 * is not looked at. */
#define AB_MAX_THREADS (1024 * 1024)

struct ab_threads {
	GArray *all;	 /* struct ab_thread */
	guint64 refused; /* beyond the ceiling */
	/* By tid: index + 1, in pages that exist when they are used. */
	guint32 *pages[AB_MAX_TID / AB_TID_PAGE];
};

struct ab_threads *ab_threads_new(void);
void ab_threads_free(struct ab_threads *threads);

static inline struct ab_thread *ab_thread(const struct ab_threads *threads,
					  guint32 index)
{
	return &g_array_index(threads->all, struct ab_thread, index);
}

/* A new thread in the place of the one that had @tid. */
guint32 ab_threads_add(struct ab_threads *threads, gint32 tid);
/* The living thread @tid, made when absent. 0 <= @tid < AB_MAX_TID. */
static inline guint32 ab_threads_get(struct ab_threads *threads, gint32 tid)
{
	/* Unsigned: a division is a shift then. */
	guint32 at = (guint32)tid % AB_TID_PAGE;
	const guint32 *page = threads->pages[(guint32)tid / AB_TID_PAGE];

	if (G_LIKELY(page && page[at]))
		return page[at] - 1;
	return ab_threads_add(threads, tid);
}
/* The next user of @tid is another thread. */
void ab_threads_end(struct ab_threads *threads, gint32 tid);
/* @comm is a text number; 0 says nothing. */
static inline void ab_thread_name(struct ab_thread *thread, guint32 comm,
				  enum ab_name_rank rank)
{
	/* No branch: who named a thread that comes next cannot be predicted. */
	bool take = (comm != 0) & (rank >= thread->name_rank);
	guint32 mask = -(guint32)take;

	thread->comm ^= (thread->comm ^ comm) & mask;
	thread->name_rank ^= (thread->name_rank ^ (guint8)rank) & mask;
}

#endif
