// SPDX-License-Identifier: GPL-3.0-or-later
#include "waits.h"

#include "huge.h"

#include <stdlib.h>

/* So large a trace mostly has waits to fill the ring. */
#define FILLS_RING ((gsize)8 << 20)

void ab_waits_init(struct ab_waits *waits, gsize trace_size)
{
	gsize ring = AB_WAITS_CHUNKS * sizeof(struct ab_waits_chunk);

	/* Pages that are not reached cost nothing; where most are, one huge
	 * page costs less. */
	waits->chunks = aligned_alloc(AB_HUGE_PAGE, ring);
	if (!waits->chunks)
		g_error("no memory for the waits of threads");
	if (trace_size >= FILLS_RING)
		madvise(waits->chunks, ring, MADV_HUGEPAGE);
	waits->count = 0;
}

void ab_waits_clear(struct ab_waits *waits)
{
	free(waits->chunks);
}

void ab_waits_begin_chunk(struct ab_waits *waits, struct ab_thread *thread)
{
	waits->chunks[waits->count % AB_WAITS_CHUNKS] =
		(struct ab_waits_chunk){ .previous = thread->waits,
					 .before_ns = thread->waited_ns };
	thread->waits = ++waits->count;
	thread->waits_room = AB_WAITS_CHUNK;
}

/* What was waited before @ns, of @chunk's. */
static guint64 sum_before(const struct ab_waits_chunk *chunk, gint64 ns)
{
	guint64 sum = 0;
	guint i;

	for (i = 0; i < AB_WAITS_CHUNK; i++) {
		const struct ab_wait *w = &chunk->waits[i];

		sum += (guint64)(MIN(w->end_ns, ns) - MIN(w->begin_ns, ns));
	}
	return sum;
}

/* What was logged since @begin_ns. */
static gint64 sum_logged(const struct ab_waits *waits,
			 const struct ab_thread *thread, gint64 begin_ns)
{
	guint64 at = thread->waits;
	guint steps;

	for (steps = 0; at && waits->count - at < AB_WAITS_CHUNKS &&
			steps < AB_WAITS_STEPS;
	     steps++) {
		const struct ab_waits_chunk *chunk =
			&waits->chunks[(at - 1) % AB_WAITS_CHUNKS];

		if (chunk->waits[0].begin_ns <= begin_ns || !chunk->previous)
			return (gint64)(thread->waited_ns - chunk->before_ns -
					sum_before(chunk, begin_ns));
		at = chunk->previous;
	}
	return at ? -1 : 0;
}

gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns)
{
	gint64 sum;

	/* The last wait mostly tells all: those before it end before it. */
	if (thread->wait_end_ns <= begin_ns)
		return 0;
	if (thread->wait_begin_ns <= begin_ns)
		return MIN(thread->wait_end_ns, end_ns) - begin_ns;
	sum = sum_logged(waits, thread, begin_ns);
	/* More than there was time for: the time stamps go back. */
	return sum > end_ns - begin_ns ? -1 : sum;
}
