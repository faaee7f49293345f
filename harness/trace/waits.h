/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recent past of runnable-but-not-running time, per thread: how long had
 * a thread waited for a CPU between two instants?
 *
 * Only the latest AB_WAITS_MAX waits of all threads are kept, and at most
 * AB_WAITS_STEPS are added up; what lies further back is unknown.
 */
#ifndef TRACE_WAITS_H
#define TRACE_WAITS_H

#include "threads.h"

#define AB_WAITS_MAX (256 * 1024)
#define AB_WAITS_STEPS 16384

struct ab_wait_entry {
	gint64 begin_ns, end_ns;
	guint32 previous; /* of the same thread, number + 1; 0: none */
};

struct ab_waits {
	GArray *log;	   /* struct ab_wait_entry; a ring once it is full */
	guint32 count;	   /* of all ever added: numbers count up from 0 */
	gint64 horizon_ns; /* before it, waits may be forgotten */
};

void ab_waits_init(struct ab_waits *waits);
void ab_waits_clear(struct ab_waits *waits);
void ab_waits_add(struct ab_waits *waits, struct ab_thread *thread,
		  gint64 begin_ns, gint64 end_ns);
/* Nanoseconds, or -1 when unknown. */
gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns);

#endif
