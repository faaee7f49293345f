/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces: bytes -> events -> samples.  This module knows nothing of devices.
 *
 * A source turns a file into one stream of events, ordered in time; analyses
 * take what they need while it passes, and yield run values, samples and
 * tables.  docs/METRICS.md defines each number.
 */
#ifndef ABRIG_TRACE_H
#define ABRIG_TRACE_H

#include <abrig/metric.h>
#include <abrig/table.h>

struct ab_trace; /* a decoded trace; see harness/trace/ for its inside */

/* A window that the user names: ns since the first event of the trace. */
struct ab_trace_window {
	gint64 begin_ns, end_ns;
};

/* Who wants to know how far the reading of a trace is. */
struct ab_trace_progress {
	/*
	 * @done of the file's @size bytes; never less than before, and @size
	 * at last.  May be called a thousand times; not in a failed reading's
	 * rest.
	 */
	void (*tell)(void *user, guint64 done, guint64 size);
	void *user;
};

/*
 * Decode @path (recognised by content).  A damaged file yields what is whole,
 * and the damage in the quality record; only a file that cannot be read, or
 * in which nothing is recognised, fails (AB_ERROR_DATA, or _ENV for I/O).
 * @window NULL: as the trace's markers say, see AB_TRACE_WINDOW_NAME.
 * @progress may be NULL.
 */
struct ab_trace *ab_trace_open(const char *path,
			       const struct ab_trace_window *window,
			       const struct ab_trace_progress *progress,
			       GError **error);
/* The same of @size bytes at @data, which are not needed afterwards. */
struct ab_trace *ab_trace_open_bytes(const guint8 *data, gsize size,
				     const struct ab_trace_window *window,
				     GError **error);
void ab_trace_free(struct ab_trace *trace);
AB_DEFINE_AUTO(ab_trace, ab_trace_free)

/* Everything that makes a trace less than whole. */
struct ab_trace_quality {
	guint64 packets, events; /* decoded */
	guint64 bytes_ignored;	 /* incomplete tail, unknown top-level data */
	guint64 damaged_packets; /* packets that do not parse */
	guint64 lost_bundles;	 /* ftrace bundles with lost_events */
	guint64 overrun;	 /* events the kernel overwrote or dropped
				    during the trace */
	guint64 packet_loss;	 /* previous_packet_dropped after the first */
	guint64 state_dropped;	 /* packets dropped for want of state */
	guint64 buffer_loss;	 /* chunks overwritten or discarded, writer
				    packet loss */
	guint64 switch_mismatch; /* an event's pid is not the running task */
	guint64 unpaired;	 /* ends without begin, and so on */
	guint64 unknown_enums;
	guint64 damaged_events;	   /* events that do not parse or cannot be */
	guint64 clock_failures;	   /* time stamps that no snapshot converts */
	guint64 foreign_packets;   /* of another machine (a guest) */
	guint64 unresolved;	   /* work items whose function has no symbol */
	guint64 unknown_waits;	   /* items and sleeps whose wait is unknown */
	guint64 sentinel_times;	   /* FrameTimeline's "unset" and "never" */
	guint64 buffers_ignored;   /* of trace-cmd's instances */
	GPtrArray *unknown_events; /* char *: events asked for, not traced */
	bool loss_in_window; /* any loss that can touch the measured window */
};
const struct ab_trace_quality *ab_trace_quality(const struct ab_trace *trace);

/* Facts the trace itself states; strings are NULL when absent. */
struct ab_trace_facts {
	const char *format; /* "Perfetto" */
	const char *uname_release, *uname_version, *fingerprint;
	int cpus;		 /* 0: unknown */
	gint64 begin_ns, end_ns; /* of the measured window, trace clock */
	bool window_marked;	 /* window from the rig's markers */
	bool window_given;	 /* window from the caller */
};
const struct ab_trace_facts *ab_trace_facts(const struct ab_trace *trace);

/*
 * Classes of threads, for "who pays": rules in YAML, the first that fits
 * counts.  docs/METRICS.md has the grammar.  NULL with @error (file, line,
 * column).
 */
struct ab_thread_rules *ab_thread_rules_load(const char *path, GError **error);
void ab_thread_rules_free(struct ab_thread_rules *rules);
AB_DEFINE_AUTO(ab_thread_rules, ab_thread_rules_free)
/* The rules that hold when none are given, as a file's text. */
extern const char ab_thread_rules_default[];

struct ab_trace_options {
	/* NULL-terminated process names whose main thread and RenderThread
	 * count as UI threads, and whose frames count as the app's; NULL for
	 * the default: com.android.systemui, surfaceflinger and composer (of
	 * which every thread counts, as it works in its binder threads).
	 * A name may hold * and ?; it is compared with what follows the last
	 * slash of the process's command. */
	const char *const *ui_processes;
	const struct ab_thread_rules *rules; /* NULL: the default */
};

/*
 * The measured window lies between the trace_marker texts
 * "S|<pid>|abrig:run|<cookie>" and "F|<pid>|abrig:run|<cookie>" (atrace's
 * asynchronous form: two shells write them, so no thread has both).  The last
 * complete pair wins; without one the window is the whole trace.
 */
#define AB_TRACE_WINDOW_NAME "abrig:run"

/* All analyses over the measured window, into @data. */
void ab_trace_analyze(struct ab_trace *trace,
		      const struct ab_trace_options *options,
		      struct ab_run_data *data);

/* The tables of all analyses: struct ab_table *, owned by the array. */
GPtrArray *ab_trace_tables(struct ab_trace *trace,
			   const struct ab_trace_options *options);

/*
 * The samples of analysis number @i (from 0), one row each, into @table_out;
 * NULL there when that analysis has none.  False when there is no number @i.
 */
bool ab_trace_samples(struct ab_trace *trace,
		      const struct ab_trace_options *options, guint i,
		      struct ab_table **table_out);

#endif
