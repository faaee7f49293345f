// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the child that decodes a trace-cmd file may say.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... LIBRARY
 */
#include "../../harness/trace/dat.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void check(const struct ab_trace *trace, const struct ab_event *ev)
{
	bool has_task = ev->tid >= 0 && ev->tid < AB_MAX_TID;

	if (ev->ts < 0 || ev->cpu >= AB_MAX_CPUS || ev->kind >= AB_EV_KINDS ||
	    has_task == (ev->kind == AB_EV_THREAD))
		g_error("an event that cannot be");
	if (ev->kind == AB_EV_WAKING && !ab_trace_text(trace, ev->waking.comm))
		g_error("a text that is not there");
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	struct ab_trace *trace = ab_trace_new();
	struct dat_reader r;
	struct ab_event events[8];
	guint n, i;

	dat_reader_init(&r, trace);
	while (size && !r.bad && !r.done) {
		gsize room;
		guint8 *to = dat_reader_room(&r, &room);
		gsize part = MIN(size, room);

		memcpy(to, data, part);
		r.n += part;
		data += part;
		size -= part;
		while ((n = dat_reader_events(&r, events, 8)))
			for (i = 0; i < n; i++)
				check(trace, &events[i]);
	}
	dat_reader_clear(&r);
	ab_trace_free(trace);
	return 0;
}
