// SPDX-License-Identifier: GPL-3.0-or-later
#include "waits.h"

void ab_waits_init(struct ab_waits *waits)
{
	waits->log = g_array_new(FALSE, FALSE, sizeof(struct ab_wait_entry));
	waits->count = 0;
	waits->horizon_ns = G_MININT64;
}

void ab_waits_clear(struct ab_waits *waits)
{
	g_array_unref(waits->log);
}

static struct ab_wait_entry *entry(const struct ab_waits *waits, guint32 number)
{
	return &g_array_index(waits->log, struct ab_wait_entry,
			      number % AB_WAITS_MAX);
}

void ab_waits_add(struct ab_waits *waits, struct ab_thread *thread,
		  gint64 begin_ns, gint64 end_ns)
{
	struct ab_wait_entry e = { begin_ns, end_ns, thread->waits };

	if (G_UNLIKELY(waits->count == G_MAXUINT32))
		return;
	if (waits->log->len < AB_WAITS_MAX) {
		g_array_append_val(waits->log, e);
	} else {
		struct ab_wait_entry *old = entry(waits, waits->count);

		waits->horizon_ns = MAX(waits->horizon_ns, old->end_ns);
		*old = e;
	}
	thread->waits = ++waits->count;
}

gint64 ab_waits_sum(const struct ab_waits *waits,
		    const struct ab_thread *thread, gint64 begin_ns,
		    gint64 end_ns)
{
	guint32 at = thread->waits, steps;
	gint64 sum = 0;

	if (begin_ns < waits->horizon_ns || waits->count == G_MAXUINT32)
		return -1;
	for (steps = 0; at && waits->count - at < AB_WAITS_MAX; steps++) {
		const struct ab_wait_entry *e = entry(waits, at - 1);

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
