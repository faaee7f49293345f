/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What remains of a trace when its events have been read once.
 *
 * Scheduler events are not kept: the thread-state machine turns them into
 * work items and sleeps while they pass.  All that is kept is stamped with its
 * time, so that the measured window can be applied afterwards.
 */
#ifndef TRACE_TABLE_H
#define TRACE_TABLE_H

#include <abrig/trace.h>

#include "proto.h"
#include "threads.h"

/* An executed work item. */
struct ab_work_item {
	gint64 start_ns, end_ns; /* -1: did not end within the trace */
	gint64 wait_ns;		 /* CPU wait of its worker, -1: unknown */
	const char *function;	 /* NULL: no symbol for @raw_function */
	guint64 raw_function;
	guint32 thread;
	guint32 outer; /* index + 1 of the item that it interrupted */
};

/* A sleep in D state, from switch to wakeup. */
struct ab_sleep {
	gint64 begin_ns, end_ns;
	gint64 waker_wait_ns; /* -1: unknown */
	const char *function; /* it sleeps in */
	guint32 thread, waker;
};

enum ab_frame_kind {
	AB_FRAME_EXPECTED_DISPLAY = 1,
	AB_FRAME_ACTUAL_DISPLAY,
	AB_FRAME_EXPECTED_SURFACE,
	AB_FRAME_ACTUAL_SURFACE,
};

struct ab_frame {
	gint64 begin_ns, end_ns; /* -1: open */
	gint64 token, display_token;
	const char *layer; /* NULL: none given */
	gint32 pid;
	guint32 jank; /* bit mask */
	guint8 kind;
	guint8 present, prediction;
	bool on_time, gpu;
};

struct ab_rail {
	guint64 session;
	guint32 index;
	const char *name, *subsystem;
};

struct ab_rail_sample {
	gint64 ts;
	guint32 rail; /* index in rails */
	guint64 energy_uws;
};

/* A time in which events are missing. */
struct ab_lost {
	gint64 begin_ns, end_ns;
	int cpu; /* -1: any */
	const char *what;
};

struct ab_trace {
	struct ab_trace_quality quality;
	struct ab_trace_facts facts;
	GStringChunk *strings;
	struct ab_threads *threads;
	GHashTable *processes; /* pid -> interned name */

	GArray *work;	      /* struct ab_work_item, by start */
	GArray *sleeps;	      /* struct ab_sleep, by end */
	GArray *frames;	      /* struct ab_frame, by begin */
	GArray *rails;	      /* struct ab_rail */
	GArray *rail_samples; /* struct ab_rail_sample, by time */
	GArray *lost_events;  /* struct ab_lost: scheduler, work items, ... */
	GArray *lost_frames;  /* struct ab_lost: FrameTimeline */

	guint64 seen[32];	  /* events by enum ab_event_kind */
	guint64 blocked_resolved; /* blocked reasons with a symbol */
	gint64 first_ns, last_ns; /* of all events */
	gint64 crop_ns;		  /* before it not all CPUs are covered */
	gint64 marker_begin_ns, marker_end_ns;
	bool end_missing; /* data may be missing at the end */
};

/* @bytes up to a NUL, as valid UTF-8, once per text; lives with @trace. */
const char *ab_trace_intern(struct ab_trace *trace, struct ab_bytes bytes);

/* Something happened at @ts: the trace reaches from there or to there. */
static inline void ab_trace_extend(struct ab_trace *trace, gint64 ts)
{
	trace->first_ns = MIN(trace->first_ns, ts);
	trace->last_ns = MAX(trace->last_ns, ts);
}

/* @symbol is the function @name, perhaps with a compiler's suffix. */
bool ab_symbol_is(const char *symbol, const char *name);

struct ab_trace *ab_trace_new(void);
/* As ab_trace_open(), of @bytes; @watch may be NULL. */
struct ab_sched_watch;
bool ab_trace_read(struct ab_trace *trace, struct ab_bytes bytes,
		   const struct ab_sched_watch *watch, GError **error);

#endif
