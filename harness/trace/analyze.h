/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The analyses: events and what the decoder left in the trace in; run values,
 * samples and tables out.  docs/METRICS.md defines each number.
 */
#ifndef TRACE_ANALYZE_H
#define TRACE_ANALYZE_H

#include <abrig/table.h>

#include "sched.h"
#include "trace.h"

struct ab_analysis {
	struct ab_trace *trace;
	const char *const *ui_processes;
	const struct ab_thread_rules *rules;
	guint64 unresolved, unknown_waits;
	struct ab_run_data *data; /* for measure() */
};

/*
 * One analysis.  It may keep a state while the events pass; afterwards it is
 * asked for what it found.  The window is known before the first event
 * (ab_in_window(), ab_clip()); an unmarked window's bounds are wide while the
 * events pass and exact afterwards.
 */
struct ab_analysis_ops {
	const char *name;
	guint32 kinds; /* AB_KIND(...) of the events that event() wants */
	/* The state at the beginning; NULL slot: no state. */
	void *(*begin)(struct ab_trace *trace);
	/* An event of those kinds, after @sched has applied it; not cropped. */
	void (*event)(void *state, struct ab_sched *sched,
		      const struct ab_event *event);
	/* A sleep in D state has ended; may be NULL. */
	void (*sleep)(void *state, const struct ab_sleep *sleep);
	/*
	 * A thread leaves the CPU on which it ran since @begin_ns for
	 * th->workqueue (see th->wait_ns, preempted, migrated); may be NULL.
	 */
	void (*worked)(void *state, const struct ab_thread *th, gint64 begin_ns,
		       gint64 end_ns);
	/* Run values, samples and what is withheld, into a->data; may be
	 * NULL. */
	void (*measure)(struct ab_analysis *a, const void *state);
	/* Append struct ab_table * to @tables; may be NULL. */
	void (*tabulate)(struct ab_analysis *a, const void *state,
			 GPtrArray *tables);
	/* A table with one row per sample; NULL slot: has none. */
	struct ab_table *(*samples)(struct ab_analysis *a, const void *state);
	void (*end)(void *state); /* free it; NULL when there is none */
};

#define AB_KIND(kind) (1u << (kind))

extern const struct ab_analysis_ops ab_analysis_work;	 /* work.c */
extern const struct ab_analysis_ops ab_analysis_sleeps;	 /* sleeps.c */
extern const struct ab_analysis_ops ab_analysis_frames;	 /* frames.c */
extern const struct ab_analysis_ops ab_analysis_threads; /* thread_times.c */
extern const struct ab_analysis_ops ab_analysis_cpus;	 /* cpus.c */
extern const struct ab_analysis_ops ab_analysis_power;	 /* power.c */
extern const struct ab_analysis_ops ab_analysis_why;	 /* why.c */

/* All of them, in the order of their tables; AB_ANALYSES. */
extern const struct ab_analysis_ops *const ab_analyses[AB_ANALYSES];

/*
 * Why what is made of @lost's events is not known (they are missing in the
 * window); to be freed.  NULL when nothing is lost.
 */
char *ab_lost_reason(const struct ab_trace *trace, const GArray *lost);
/* Withhold @names (NULL-terminated) for that reason; true when so. */
bool ab_withhold_lost(struct ab_analysis *a, const GArray *lost,
		      const char *const *names);
/* Why nothing is known of waits for a CPU, or NULL. */
const char *ab_no_waits_reason(const struct ab_trace *trace);
/* The same of what is made of the scheduler's events; or because of @absent,
 * when that is not NULL. */
bool ab_withhold_events(struct ab_analysis *a, const char *absent,
			const char *const *names);
void ab_withhold_all(struct ab_analysis *a, const char *const *names,
		     const char *reason);

/* ui.c: the processes and threads that draw. */
bool ab_ui_process(const struct ab_analysis *a, gint32 pid);
bool ab_ui_thread(const struct ab_analysis *a, guint32 thread);
/* The same of every thread, a byte for each; to be freed. */
guint8 *ab_ui_threads(const struct ab_analysis *a);
/* The name of process @pid, or NULL; -1 has none. */
const char *ab_process_name(const struct ab_trace *trace, gint32 pid);

/* What tables say of a set of times in ns; sorts @values (gint64). */
struct ab_spread {
	guint n;
	double mean_us, p50_us, p90_us, p99_us, max_us; /* NAN when n is 0 */
};
void ab_spread_of(GArray *values, struct ab_spread *spread_out);
/* Append mean, P50, P90, P99 and max to @table, as its next five cells. */
void ab_spread_cells(struct ab_table *table, const struct ab_spread *spread);

#endif
