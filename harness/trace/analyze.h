/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analyses: tables and window in, samples and run values out. */
#ifndef TRACE_ANALYZE_H
#define TRACE_ANALYZE_H

#include "table.h"

struct ab_analysis {
	const struct ab_trace *trace;
	const char *const *ui_processes;
	gint64 begin_ns, end_ns; /* of the measured window */
	guint64 unresolved, unknown_waits;
	struct ab_run_data *data;
};

static inline bool ab_in_window(const struct ab_analysis *a, gint64 ts)
{
	return ts >= a->begin_ns && ts <= a->end_ns;
}

void ab_analyze_work(struct ab_analysis *a);
void ab_analyze_rpm_waits(struct ab_analysis *a);
void ab_analyze_frames(struct ab_analysis *a);
void ab_analyze_rails(struct ab_analysis *a);

/*
 * Withhold @names (NULL-terminated) when events of the window are missing by
 * @lost; true when so.
 */
bool ab_withhold_lost(struct ab_analysis *a, const GArray *lost,
		      const char *const *names);
void ab_withhold_all(struct ab_analysis *a, const char *const *names,
		     const char *reason);

/* ui.c: the processes and threads that draw. */
bool ab_ui_process(const struct ab_analysis *a, gint32 pid);
bool ab_ui_thread(const struct ab_analysis *a, guint32 thread);

/* frames.c: counts over distinct tokens of a process. */
struct ab_frame_counts {
	guint64 total, app_missed, sf_missed;
	guint64 dropped;      /* by jank type, as Perfetto's metric counts */
	guint64 not_shown;    /* dropped by jank type or by present type */
	guint64 unclassified; /* unspecified, unknown or a new jank type */
	guint64 open;	      /* without an end */
};

typedef bool (*ab_frame_filter)(const struct ab_frame *frame, const void *user);
void ab_frames_count(const struct ab_trace *trace, ab_frame_filter filter,
		     const void *user, struct ab_frame_counts *counts_out);

#endif
