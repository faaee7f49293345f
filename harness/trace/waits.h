/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recent past of runnable-but-not-running time, per thread: how long had
 * a thread waited for a CPU between two instants?
 *
 * A thread's waits lie side by side in chunks, so that few cache lines tell
 * of many.  Only the latest AB_WAITS_CHUNKS chunks of all threads are kept,
 * and at most AB_WAITS_STEPS are looked at; what lies further back is unknown.
 */
#ifndef TRACE_WAITS_H
#define TRACE_WAITS_H

#include "threads.h"

#define AB_WAITS_CHUNK 15
#define AB_WAITS_CHUNKS 8192
#define AB_WAITS_STEPS 1024

struct ab_wait {
	gint64 begin_ns, end_ns;
};

struct ab_waits_chunk {
	guint64 previous;  /* of the same thread, number + 1; 0: none */
	guint64 before_ns; /* what the thread had waited before this chunk */
	struct ab_wait waits[AB_WAITS_CHUNK]; /* those to come: 0 */
};

G_STATIC_ASSERT(sizeof(struct ab_waits_chunk) == 256);

struct ab_waits {
	struct ab_waits_chunk *chunks; /* a ring of AB_WAITS_CHUNKS */
	guint64 count; /* of all ever begun: numbers count up from 0 */
};

void ab_waits_init(struct ab_waits *waits, gsize trace_size);
void ab_waits_clear(struct ab_waits *waits);
/* The thread's next waits go to a new chunk. */
void ab_waits_begin_chunk(struct ab_waits *waits, struct ab_thread *thread);

/* The thread's last wait; logged, too, while someone may ask for it. */
static inline void ab_waits_add(struct ab_waits *waits,
				struct ab_thread *thread, gint64 begin_ns,
				gint64 end_ns, bool log)
{
	struct ab_waits_chunk *chunk;

	thread->wait_begin_ns = begin_ns;
	thread->wait_end_ns = end_ns;
	if (!log)
		return;
	/* Nothing is added to a chunk that will soon be used again. */
	if (G_UNLIKELY(!thread->waits_room ||
		       waits->count - thread->waits > AB_WAITS_CHUNKS / 2))
		ab_waits_begin_chunk(waits, thread);
	chunk = &waits->chunks[(thread->waits - 1) % AB_WAITS_CHUNKS];
	chunk->waits[AB_WAITS_CHUNK - thread->waits_room--] =
		(struct ab_wait){ begin_ns, end_ns };
	thread->waited_ns += (guint64)(end_ns - begin_ns);
}

/*
 * How long @thread, which runs now, at @end_ns, waited since @begin_ns, in ns;
 * -1 when unknown.  All waits that end after @begin_ns must have been logged.
 */
gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns);

#endif
