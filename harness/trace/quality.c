// SPDX-License-Identifier: GPL-3.0-or-later
#include "quality.h"

const struct ab_lost *ab_lost_in(const GArray *lost, gint64 begin_ns,
				 gint64 end_ns)
{
	guint i;

	for (i = 0; i < lost->len; i++) {
		const struct ab_lost *l =
			&g_array_index(lost, struct ab_lost, i);

		if (l->begin_ns < end_ns && l->end_ns > begin_ns)
			return l;
	}
	return NULL;
}

static void lose(GArray *list, gint64 begin_ns, gint64 end_ns, const char *what)
{
	struct ab_lost lost = { begin_ns, end_ns, -1, what };

	g_array_append_val(list, lost);
}

void ab_quality_damaged(struct ab_trace *trace)
{
	static const char what[] = "the compressed file is damaged";

	lose(trace->lost_events, G_MININT64, G_MAXINT64, what);
	lose(trace->lost_frames, G_MININT64, G_MAXINT64, what);
}

void ab_quality_finish(struct ab_trace *trace)
{
	struct ab_trace_quality *q = &trace->quality;
	gint64 begin = trace->facts.begin_ns, end = trace->facts.end_ns;

	/* Sums that do not say when: it may have been in the window. */
	if (q->overrun && !q->lost_bundles)
		lose(trace->lost_events, G_MININT64, G_MAXINT64,
		     "the kernel's buffers overflowed");
	if (begin < trace->crop_ns)
		lose(trace->lost_events, G_MININT64, trace->crop_ns,
		     "not all CPUs are covered yet when the window begins");
	if (trace->end_missing) {
		lose(trace->lost_events, end - 1, G_MAXINT64,
		     "the end of the trace is missing");
		lose(trace->lost_frames, end - 1, G_MAXINT64,
		     "the end of the trace is missing");
	}
	q->loss_in_window = ab_lost_in(trace->lost_events, begin, end) ||
			    ab_lost_in(trace->lost_frames, begin, end);
}
