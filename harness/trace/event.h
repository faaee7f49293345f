/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event stream that analyses see, whatever the trace's format.
 *
 * A source hands out batches of events in the order of their time stamps, all
 * CPUs merged; of equal stamps, those of one CPU keep the order of the file.
 * Texts are interned: numbers of ab_trace_text(), 0 when there is none.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "proto.h"

/* Ceilings: what the kernel itself allows. */
#define AB_MAX_CPUS 1024
#define AB_MAX_TID 4194304
/* A later time stamp is damage: two of them can be added. */
#define AB_TS_MAX (G_MAXINT64 / 2)

#define AB_TID_UNKNOWN (-1)
/* kthreadd, the parent of all kernel threads. */
#define AB_TID_KTHREADD 2
#define AB_NO_GENERATION G_MAXUINT32

static inline bool ab_tid_ok(gint32 tid)
{
	return tid >= 0 && tid < AB_MAX_TID;
}

/* A sum over threads or CPUs; of a hostile trace it ends at the largest. */
static inline gint64 ab_ns_add(gint64 a, gint64 b)
{
	gint64 sum;

	return __builtin_add_overflow(a, b, &sum) ? G_MAXINT64 : sum;
}

enum ab_event_kind {
	AB_EV_OTHER, /* an event of which only CPU and task are of interest */
	AB_EV_SWITCH,
	AB_EV_WAKING,
	AB_EV_BLOCKED,
	AB_EV_WORK_QUEUE,
	AB_EV_WORK_ACTIVATE,
	AB_EV_WORK_START,
	AB_EV_WORK_END,
	AB_EV_TASK_NEW,
	AB_EV_TASK_RENAME,
	AB_EV_TASK_FREE,
	AB_EV_PRINT, /* trace_marker */
	AB_EV_CPU_FREQUENCY,
	AB_EV_CPU_IDLE,
	AB_EV_OVERUTILIZED,
	AB_EV_RPM_STATUS,
	AB_EV_PROCESS, /* from /proc, not from the kernel's trace */
	AB_EV_THREAD,
	AB_EV_KINDS,
};

/* ab_event.flags */
#define AB_EVENT_CROPPED 1    /* before the instant that all CPUs cover */
#define AB_EVENT_COMPACT 2    /* the record does not name the running task */
#define AB_EVENT_UNRESOLVED 4 /* the function has no symbol: it is a number */

/* Bits of common_flags: the wakeup came from an interrupt, so the current task
 * is not the waker. */
#define AB_FLAG_HARDIRQ 0x08
#define AB_FLAG_SOFTIRQ 0x10
/* The new task is a thread of its creator's process. */
#define AB_CLONE_THREAD 0x10000
/* cpu_idle's value when the CPU leaves the idle state. */
#define AB_IDLE_EXIT G_MAXUINT32

struct ab_event {
	gint64 ts; /* ns, trace clock */
	guint8 kind;
	guint8 flags;
	guint16 cpu;
	gint32 tid; /* of the running task, or AB_TID_UNKNOWN */
	union {
		struct {
			gint32 prev_tid, next_tid; /* prev: not if COMPACT */
			gint32 next_prio;   /* -1: not told, as nobody asked */
			guint32 prev_state; /* the kernel's bits */
			guint32 prev_comm, next_comm; /* texts */
		} sw;
		/* Its members lie where a switch has its own of that kind: a
		 * decoder fills both without asking which it is. */
		struct {
			gint32 unused;
			gint32 tid;
			gint32 unused_prio;
			guint32 flags; /* common_flags */
			guint32 unused_comm;
			guint32 comm; /* text */
		} waking;
		struct {
			gint32 tid;
			guint32 function; /* text; 0: no symbol */
			bool io_wait;
		} blocked;
		struct {
			guint64 work;	    /* address or index of the item */
			guint32 generation; /* within which @work is unique;
					       AB_NO_GENERATION: nowhere */
			guint32 function;   /* text; UNRESOLVED: "0x12" */
			guint32 workqueue;  /* text; of WORK_QUEUE, or 0 */
		} work;
		struct {
			gint32 tid;
			guint32 comm; /* text */
			guint64 clone_flags;
		} task;
		struct ab_bytes print; /* valid until the next batch */
		struct {
			guint32 cpu, value;
		} counter; /* kHz; idle state; 1: overutilised */
		struct {
			guint32 device; /* text */
			gint32 status;
		} rpm;
		struct {
			gint32 tid, tgid;
			guint32 name; /* text; 0: not told */
			bool kernel;  /* a child of kthreadd, or that */
		} proc;
	};
};

G_STATIC_ASSERT(sizeof(struct ab_event) == 40);

/* So that a batch stays in the first-level cache. */
#define AB_BATCH 256

/* Events, in order, until the next are asked for. */
struct ab_batch {
	/* Where they are: in the source, or where this points at first. */
	const struct ab_event *order[AB_BATCH];
	struct ab_event room[AB_BATCH];
};

struct ab_trace;
struct ab_source;
struct ab_spool;

/* One trace format. */
struct ab_source_ops {
	const char *name;
	double open_share; /* of the time that open() and next() take: open()'s */
	/* Do @bytes look like this format?  Mandatory, must be cheap. */
	bool (*recognise)(struct ab_bytes bytes);
	/*
	 * @bytes with what is compressed in them unpacked, into @plain, which
	 * is then read in their place; nothing when nothing is.  False as
	 * ab_spool_append().  Optional.
	 */
	bool (*unpack)(struct ab_trace *trace, struct ab_bytes bytes,
		       struct ab_spool *plain, GError **error);
	/*
	 * Read all that is not part of the event stream (facts, clocks,
	 * frames, rails, statistics) into @trace, and all trace_marker texts
	 * that hold AB_TRACE_WINDOW_NAME into ab_window_mark(): the window
	 * must be known before the first event.  NULL when nothing of the
	 * format is found.  @bytes stay valid until close.  Mandatory.
	 */
	struct ab_source *(*open)(struct ab_trace *trace,
				  struct ab_bytes bytes);
	/*
	 * Up to @max next events, @max being at most AB_BATCH; how many, 0 at
	 * the end.  Mandatory.
	 */
	guint (*next)(struct ab_source *source, struct ab_batch *batch,
		      guint max);
	/*
	 * After the last event: state in @trace which stretches were lost,
	 * and free the source.  Mandatory.
	 */
	void (*close)(struct ab_source *source);
};

extern const struct ab_source_ops ab_source_perfetto;
extern const struct ab_source_ops ab_source_text;
extern const struct ab_source_ops ab_source_dat;

#endif
