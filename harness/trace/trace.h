/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What remains of a trace when its events have been read once.
 *
 * Scheduler events are not kept: the thread-state machine turns them into
 * sums, work items and sleeps while they pass.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <abrig/trace.h>

#include "proto.h"
#include "reading.h"
#include "threads.h"

/* A sleep in D state, from switch to wakeup. */
struct ab_sleep {
	gint64 begin_ns, end_ns;
	gint64 waker_wait_ns;  /* -1: unknown */
	guint32 function;      /* text: it sleeps in */
	guint32 thread, waker; /* waker: AB_NO_THREAD: unknown, 0: an interrupt
				  or an idle CPU */
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
	guint32 layer; /* text; 0: none given */
	gint32 pid;
	guint32 jank; /* bit mask */
	guint8 kind;
	guint8 present, prediction;
	bool on_time, gpu;
};

struct ab_rail {
	guint64 session;
	guint32 index;
	guint32 name, subsystem; /* texts */
};

struct ab_rail_sample {
	gint64 ts;
	guint32 rail; /* index in rails */
	guint64 energy_uws;
};

/* What a battery sample holds. */
#define AB_BATTERY_CHARGE 1
#define AB_BATTERY_CAPACITY 2
#define AB_BATTERY_CURRENT 4
#define AB_BATTERY_CURRENT_AVG 8
#define AB_BATTERY_VOLTAGE 16
#define AB_BATTERY_ENERGY 32

struct ab_battery_sample {
	gint64 ts;
	gint64 charge_uah, current_ua, current_avg_ua, voltage_uv, energy_uwh;
	float capacity_percent;
	guint32 name; /* text; 0: the only battery */
	guint32 has;  /* AB_BATTERY_* */
};

/* What the trace says of a CPU's kind: CpuInfo. */
struct ab_cpu_info {
	guint32 capacity; /* 0: not told */
	guint32 max_khz;  /* 0: not told */
};

/* A time in which events are missing. */
struct ab_lost {
	gint64 begin_ns, end_ns;
	int cpu; /* -1: any */
	const char *what;
};

/* analyze.c holds the table of analyses. */
#define AB_ANALYSES 7

#define AB_RECENT_TEXT_BITS 10

struct ab_recent_text {
	guint64 word[2]; /* of its bytes */
	guint32 n;	 /* how many bytes it has */
	guint32 text;
};

struct ab_trace {
	struct ab_trace_quality quality;
	struct ab_trace_facts facts;
	GHashTable *text_ids; /* text -> its number */
	GPtrArray *texts;     /* by number */
	struct ab_recent_text recent[1 << AB_RECENT_TEXT_BITS];
	struct ab_threads *threads;
	GHashTable *processes; /* pid -> text number of its name */

	GArray *frames;	      /* struct ab_frame, by begin */
	GArray *rails;	      /* struct ab_rail */
	GArray *rail_samples; /* struct ab_rail_sample, by time */
	GArray *battery;      /* struct ab_battery_sample, by time */
	GArray *cpu_info;     /* struct ab_cpu_info, by CPU; may be empty */
	GArray *lost_events;  /* struct ab_lost: scheduler, work items, ... */
	GArray *lost_frames;  /* struct ab_lost: FrameTimeline */

	struct ab_reading reading;
	gsize size;		   /* bytes that are decoded */
	guint64 seen[AB_EV_KINDS]; /* events by kind */
	guint64 blocked_resolved;  /* blocked reasons with a symbol */
	gint64 first_ns, last_ns;  /* of all events */
	gint64 crop_ns;		   /* before it not all CPUs are covered */
	gint64 marker_begin_ns, marker_end_ns;
	gint64 begin_ns, end_ns; /* of the window; as far as can be while the
				    events are read, when it is unmarked */
	bool end_missing;	 /* data may be missing at the end */
	bool generations; /* a work item's address holds within a generation */
	bool watched;	  /* somebody looks at every scheduling slice */
	bool prios;	  /* switches are wanted with priorities, from now on */
	struct ab_chains *chains; /* of missed frames */

	GArray *marks; /* struct ab_mark: window.c */
	void *states[AB_ANALYSES];
};

/* The number of @bytes up to a NUL, as valid UTF-8; 0 when empty. */
guint32 ab_trace_intern(struct ab_trace *trace, struct ab_bytes bytes);
/* The same of a kernel's comm: at most 15 bytes. */
guint32 ab_trace_comm(struct ab_trace *trace, struct ab_bytes bytes);
/* Number 0 is "". */
static inline const char *ab_trace_text(const struct ab_trace *trace,
					guint32 text)
{
	return trace->texts->pdata[text];
}

/* Something happened at @ts: the trace reaches from there or to there. */
static inline void ab_trace_extend(struct ab_trace *trace, gint64 ts)
{
	trace->first_ns = MIN(trace->first_ns, ts);
	trace->last_ns = MAX(trace->last_ns, ts);
}

static inline bool ab_in_window(const struct ab_trace *trace, gint64 ts)
{
	return ts >= trace->begin_ns && ts <= trace->end_ns;
}

/* The part of an interval that lies in the window; 0 when none does. */
static inline gint64 ab_clip(const struct ab_trace *trace, gint64 begin_ns,
			     gint64 end_ns)
{
	gint64 begin = MAX(begin_ns, trace->begin_ns);
	gint64 end = MIN(end_ns, trace->end_ns);

	return end > begin ? end - begin : 0;
}

/* Add an interval to a sum over the window. */
static inline void ab_interval_add(const struct ab_trace *trace,
				   struct ab_interval_sum *sum, gint64 begin_ns,
				   gint64 end_ns)
{
	if (G_UNLIKELY(begin_ns < trace->begin_ns || end_ns > trace->end_ns)) {
		sum->ns += ab_clip(trace, begin_ns, end_ns);
		return;
	}
	sum->ns += end_ns - begin_ns;
	sum->n++;
	sum->max_ns = MAX(sum->max_ns, end_ns - begin_ns);
}

/*
 * For hash tables with 64-bit keys; every bit of the key counts.  (GLib's own
 * folds the halves: pairs of small numbers all collide.)
 */
guint ab_key_hash(gconstpointer key);

/* @symbol is the function @name, perhaps with a compiler's suffix. */
bool ab_symbol_is(const char *symbol, const char *name);

struct ab_trace *ab_trace_new(void);
struct ab_sched_watch;
/* As ab_trace_open(), of @bytes; @watch may be NULL. */
bool ab_trace_read(struct ab_trace *trace, struct ab_bytes bytes,
		   const struct ab_trace_window *window,
		   const struct ab_sched_watch *watch, GError **error);

#endif
