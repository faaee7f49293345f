/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk back from the end of a missed frame, along what it waited for. */
#ifndef TRACE_CHAIN_WALK_H
#define TRACE_CHAIN_WALK_H

#include <abrig/why.h>

#include "chain_past.h"

/* A step, before its names are texts; see struct ab_why_step. */
struct ab_link {
	gint64 begin_ns, end_ns;
	guint32 thread;
	guint32 waker;	   /* AB_NO_THREAD: not known; 0: an interrupt */
	guint32 function;  /* text */
	guint32 workqueue; /* text */
	guint32 device;	   /* text */
	guint32 other;	   /* thread that ran on the CPU longest; or 0 */
	gint64 other_ns;
	guint16 others; /* how many threads ran there */
	guint16 cpu;
	gint16 prio, other_prio;
	guint8 state; /* enum ab_step_state */
	guint8 depth;
};

/* A missed frame, and where to begin. */
struct ab_walk_frame {
	gint64 begin_ns, end_ns, deadline_ns;
	guint32 thread;	 /* whose end the frame's was */
	bool until_next; /* it ends where that thread got a CPU for the next */
};

/*
 * The links of @frame's chain, the latest first, into @links (struct ab_link);
 * those of a sleep's waker follow it, one deeper.  False when something in it
 * was not kept, or when it is longer than AB_WHY_STEPS.  Visits at most
 * *@budget kept states and events, which are taken off it.
 */
bool ab_chain_walk(const struct ab_past *past,
		   const struct ab_walk_frame *frame, GArray *links,
		   guint64 *budget);

#endif
