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

#define AB_WAITS_MAX (64 * 1024)
#define AB_WAITS_STEPS 16384

struct ab_wait_entry {
	gint64 begin_ns, end_ns;
	guint32 previous; /* of the same thread, number + 1; 0: none */
};

struct ab_waits {
	struct ab_wait_entry *log; /* a ring of AB_WAITS_MAX */
	guint32 count;	   /* of all ever added: numbers count up from 0 */
	gint64 horizon_ns; /* before it, waits may be forgotten */
};

void ab_waits_init(struct ab_waits *waits);
void ab_waits_clear(struct ab_waits *waits);
/* The thread's last wait; in the log, too, while someone may ask for it. */
static inline void ab_waits_add(struct ab_waits *waits,
				struct ab_thread *thread, gint64 begin_ns,
				gint64 end_ns, bool log)
{
	struct ab_wait_entry *e = &waits->log[waits->count % AB_WAITS_MAX];

	thread->wait_begin_ns = begin_ns;
	thread->wait_end_ns = end_ns;
	if (!log || G_UNLIKELY(waits->count == G_MAXUINT32))
		return;
	if (waits->count >= AB_WAITS_MAX)
		waits->horizon_ns = MAX(waits->horizon_ns, e->end_ns);
	*e = (struct ab_wait_entry){ begin_ns, end_ns, thread->waits };
	thread->waits = ++waits->count;
}
/*
 * How long @thread, which runs now, waited in the interval, in ns; -1 when
 * unknown.  All waits that end after @begin_ns must have been logged.
 */
gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns);

#endif
