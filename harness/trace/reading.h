/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a trace is read, for whoever waits for it. */
#ifndef TRACE_READING_H
#define TRACE_READING_H

#include <abrig/trace.h>

struct ab_reading {
	const struct ab_trace_progress *progress; /* NULL: nobody waits */
	guint64 size;	     /* of the file: what is told adds up to it */
	double begin, share; /* the stage at hand, as parts of the whole */
	double at;	     /* part of the whole that is done */
};

/* A stage begins, which takes @share of the time that is left. */
void ab_reading_stage(struct ab_reading *reading, double share);
/* Of the stage @done of @total is done: not for every event. */
void ab_reading_at(struct ab_reading *reading, guint64 done, guint64 total);
/* All is done, and nobody is told any more. */
void ab_reading_end(struct ab_reading *reading);

#endif
