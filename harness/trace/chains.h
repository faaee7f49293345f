/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The chains of missed frames, walked while the events pass: once those up to
 * a frame's end are known, its chain is all that is kept.
 */
#ifndef TRACE_CHAINS_H
#define TRACE_CHAINS_H

#include "analyze.h"
#include "chain_walk.h"
#include "frames.h"

/* Recording begins so long before a frame. */
#define AB_CHAIN_LEAD_NS (20 * G_GINT64_CONSTANT(1000000))
/* Longer waits for a CPU are kept one by one, at most so many. */
#define AB_LONG_WAITS (1u << 17)

struct ab_chain {
	struct ab_made_frame made; /* made.frame == &frame */
	struct ab_frame frame;	   /* of all layers of its token */
	bool by_sf;
	gint32 pid; /* whose thread was late: the app's or SurfaceFlinger's */
	struct ab_walk_frame walk; /* where it begins and ends */
	GArray *links;		   /* struct ab_link; NULL: none */
	bool whole;
	const char *problem; /* why there are no links */
};

/* A wait for a CPU of at least AB_WHY_LEAST_NS. */
struct ab_long_wait {
	gint64 begin_ns, end_ns;
	guint32 thread;
	guint32 workqueue; /* for which a kworker waited; 0: none */
};

struct ab_chains {
	struct ab_trace *trace;
	struct ab_past past;
	GPtrArray *chains;  /* struct ab_chain *, by the frame's end */
	GArray *waits;	    /* struct ab_long_wait */
	GArray *sleeps;	    /* struct ab_sleep, as long */
	guint64 not_kept;   /* missed frames beyond AB_WHY_FRAMES */
	guint64 waits_lost; /* waits and sleeps beyond AB_LONG_WAITS */

	guint next;	/* chain to walk next */
	guint64 budget; /* of walking */
	bool marked;	/* frames come as markers: any may be missed */
	bool recording;
};

struct ab_chains *ab_chains_new(struct ab_trace *trace);
void ab_chains_free(struct ab_chains *chains);
/* Walk those whose end lies before @ts: all events up to there are applied. */
void ab_chains_walk(struct ab_chains *chains, gint64 ts);

/* chain_frames.c: FrameTimeline's missed frames, not walked yet. */
void ab_chains_list(struct ab_chains *chains);

/*
 * The next events are those between the two times: shall ab_chains_event()
 * see them?  All before are applied.
 */
bool ab_chains_want(struct ab_chains *chains, gint64 from_ns, gint64 to_ns);
/* One of them, of any kind, which @sched has not yet applied. */
void ab_chains_event(struct ab_chains *chains, struct ab_sched *sched,
		     const struct ab_event *ev);
/* A thread waited for a CPU, AB_WHY_LEAST_NS or longer. */
void ab_chains_waited(struct ab_chains *chains, guint32 thread,
		      guint32 workqueue, gint64 begin_ns, gint64 end_ns);
/* A long sleep in D state has ended. */
void ab_chains_slept(struct ab_chains *chains, const struct ab_sleep *sleep);

/* Frames by markers will follow. */
void ab_chains_marked(struct ab_chains *chains);
/* Such a frame has ended now, too late, as @tid says. */
void ab_chains_missed(struct ab_chains *chains, const struct ab_frame *frame,
		      gint64 deadline_ns, gint32 tid);

/* why.c: for the window and the UI processes of @a. */
struct ab_why *ab_why_make(struct ab_analysis *a, gint64 threshold_ns);

#endif
