// SPDX-License-Identifier: GPL-3.0-or-later
#include "waits.h"

void ab_waits_init(struct ab_waits *waits)
{
	/* Pages that are not reached cost nothing. */
	waits->log = g_new(struct ab_wait_entry, AB_WAITS_MAX);
	waits->count = 0;
	waits->horizon_ns = G_MININT64;
}

void ab_waits_clear(struct ab_waits *waits)
{
	g_free(waits->log);
}

/* What is logged, from the newest back. */
static gint64 sum_logged(const struct ab_waits *waits,
			 const struct ab_thread *thread, gint64 begin_ns,
			 gint64 end_ns)
{
	guint32 at = thread->waits, steps;
	gint64 sum = 0;

	if (begin_ns < waits->horizon_ns || waits->count == G_MAXUINT32)
		return -1;
	for (steps = 0; at && waits->count - at < AB_WAITS_MAX; steps++) {
		const struct ab_wait_entry *e =
			&waits->log[(at - 1) % AB_WAITS_MAX];

		if (e->end_ns <= begin_ns)
			break;
		if (steps == AB_WAITS_STEPS)
			return -1;
		if (e->begin_ns < end_ns)
			sum += MIN(e->end_ns, end_ns) -
			       MAX(e->begin_ns, begin_ns);
		at = e->previous;
	}
	return sum;
}

gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns)
{
	/* The last wait mostly tells all: those before it end before it. */
	if (thread->wait_end_ns <= begin_ns)
		return 0;
	if (thread->wait_begin_ns <= begin_ns)
		return MIN(thread->wait_end_ns, end_ns) - begin_ns;
	return sum_logged(waits, thread, begin_ns, end_ns);
}
