/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames, from whichever source a target has: SurfaceFlinger's FrameTimeline,
 * or trace markers of a workload that draws without SurfaceFlinger.
 */
#ifndef TRACE_FRAMES_H
#define TRACE_FRAMES_H

#include "event.h"
#include "jank.h"
#include "trace.h"

/* A frame that was made: an actual one. */
struct ab_made_frame {
	const struct ab_frame *frame;
	gint64 deadline_ns; /* -1: not known */
	const struct ab_frame_source_ops *source;
};

/* One source of frames. */
struct ab_frame_source_ops {
	const char *name; /* in the tables */
	/* Does it tell of SurfaceFlinger, and of dropped frames? */
	bool tells_sf;
	/* The state at the beginning of the events; NULL slot: none. */
	void *(*begin)(struct ab_trace *trace);
	/* A trace_marker text; NULL slot: wants none. */
	void (*print)(void *state, const struct ab_event *event);
	/* Append the struct ab_made_frame that begin in the window, by begin;
	 * they point into @trace or @state.  Mandatory. */
	void (*collect)(const struct ab_trace *trace, const void *state,
			GArray *frames);
	void (*end)(void *state); /* free it; NULL when there is none */
};

extern const struct ab_frame_source_ops ab_frames_timeline, ab_frames_marks;

/* frame_counts.c: counts over distinct tokens of a process. */
struct ab_frame_counts {
	guint64 total, app_missed, sf_missed;
	guint64 missed;	      /* by the app, by SurfaceFlinger or dropped */
	guint64 dropped;      /* by jank type, as Perfetto's metric counts */
	guint64 not_shown;    /* dropped by jank type or by present type */
	guint64 unclassified; /* unspecified, unknown or a new jank type */
	guint64 open;	      /* without an end */
	/* From one frame's begin to the next one's, while frames are drawn. */
	guint64 intervals;
	gint64 active_ns;
};

typedef bool (*ab_frame_filter)(const struct ab_frame *frame, const void *user);
void ab_frames_count(const struct ab_trace *trace, ab_frame_filter filter,
		     const void *user, struct ab_frame_counts *counts_out);
/* The same of @n frames at @frames. */
void ab_frames_count_made(const struct ab_made_frame *frames, guint n,
			  struct ab_frame_counts *counts_out);
/* Frames per second while frames are drawn; NAN: fewer than two. */
double ab_frames_rate(const struct ab_frame_counts *counts);

/* In ns; false when the frame has none: it is open, or was dropped. */
bool ab_frame_duration(const struct ab_frame *frame, gint64 *ns_out);
/* Its end past its deadline, negative when it was early; likewise. */
bool ab_frame_overrun(const struct ab_made_frame *made, gint64 *ns_out);

/* The display's rate in Hz, by the expected display frames of the window;
 * NAN: not known. */
double ab_frames_refresh(const struct ab_trace *trace);

struct ab_analysis;
/* Is it a frame of a UI process?  @ui: ab_ui_threads(). */
bool ab_frame_is_ui(const struct ab_analysis *a, const guint8 *ui,
		    const struct ab_made_frame *made);
/* The source of the UI processes' frames in the window; NULL: has none. */
const struct ab_frame_source_ops *
ab_frames_ui_source(const struct ab_analysis *a);

/* "S|<pid>|abrig:frame:<budget_us>|<cookie>", or F| for its end. */
#define AB_FRAME_MARK "abrig:frame:"
struct ab_frame_mark {
	gint64 budget_us, cookie;
	gint32 pid;
	bool begin;
};
enum ab_frame_mark_kind { AB_MARK_NONE, AB_MARK_BAD, AB_MARK_FRAME };
enum ab_frame_mark_kind ab_frame_mark_parse(struct ab_bytes text,
					    struct ab_frame_mark *mark_out);

#endif
