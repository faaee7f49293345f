/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event stream that analyses see, whatever the trace's format.
 *
 * A source hands out events in the order of their time stamps, all CPUs
 * merged.  An event is valid until the next one is asked for; its texts point
 * into the trace and are not terminated.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "proto.h"

/* Ceilings: what the kernel itself allows. */
#define AB_MAX_CPUS 1024
#define AB_MAX_TID 4194304

#define AB_TID_UNKNOWN (-1)

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
	AB_EV_PRINT,
	AB_EV_CPU_FREQUENCY,
	AB_EV_CPU_IDLE,
	AB_EV_RPM_STATUS,
	AB_EV_PROCESS, /* from /proc, not from the kernel's trace */
	AB_EV_THREAD,
};

/* The wakeup came from an interrupt: the current task is not the waker. */
#define AB_FLAG_HARDIRQ 0x08
#define AB_FLAG_SOFTIRQ 0x10
/* The new task is a thread of its creator's process. */
#define AB_CLONE_THREAD 0x10000

struct ab_event {
	gint64 ts; /* ns, trace clock */
	guint8 kind;
	bool cropped; /* before the first instant that all CPUs cover */
	bool compact; /* the record does not name the running task */
	guint16 cpu;
	gint32 tid; /* of the running task, or AB_TID_UNKNOWN */
	union {
		struct {
			gint32 prev_tid, next_tid, next_prio;
			guint32 prev_state;
			struct ab_bytes prev_comm, next_comm;
		} sw;
		struct {
			gint32 tid;
			guint32 flags;
			struct ab_bytes comm;
		} waking;
		struct {
			gint32 tid;
			bool io_wait;
			const char *function; /* interned, or NULL */
		} blocked;
		struct {
			guint64 work, raw_function;
			const char *function; /* interned, or NULL */
			guint32 generation;   /* within which @work is unique */
		} work;
		struct {
			gint32 tid;
			struct ab_bytes comm;
			guint64 clone_flags;
		} task;
		struct ab_bytes print;
		struct {
			guint32 cpu, value;
		} counter;
		struct {
			struct ab_bytes device;
			gint32 status;
		} rpm;
		struct {
			gint32 tid, tgid;
			const char *name; /* interned, or NULL */
		} proc;
	};
};

struct ab_trace;
struct ab_source;

/* One trace format. */
struct ab_source_ops {
	const char *name;
	/* Do @bytes look like this format?  Mandatory, must be cheap. */
	bool (*recognise)(struct ab_bytes bytes);
	/*
	 * Read all that is not part of the event stream (facts, clocks,
	 * frames, rails, statistics) into @trace.  NULL when nothing of the
	 * format is found.  @bytes stay valid until close.  Mandatory.
	 */
	struct ab_source *(*open)(struct ab_trace *trace,
				  struct ab_bytes bytes);
	/* The next event; false at the end.  Mandatory. */
	bool (*next)(struct ab_source *source, struct ab_event *event);
	/*
	 * After the last event: state in @trace which stretches were lost,
	 * and free the source.  Mandatory.
	 */
	void (*close)(struct ab_source *source);
};

extern const struct ab_source_ops ab_source_perfetto;

#endif
