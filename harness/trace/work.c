// SPDX-License-Identifier: GPL-3.0-or-later
#include "work.h"

/*
 * The wait belongs to the first item that the worker starts after it got the
 * CPU; what it starts afterwards did not wait for a CPU.
 */
static gint64 cpu_wait(const struct ab_sched *sched, const struct ab_event *ev,
		       struct ab_thread *th, guint32 index)
{
	if (ab_sched_current(sched, ev->cpu) != index ||
	    th->run_state != AB_RUNNING)
		return -1;
	if (th->item_ran)
		return 0;
	return th->wait_known ? th->wait_ns : -1;
}

void ab_work_start(struct ab_sched *sched, const struct ab_event *ev)
{
	struct ab_trace *trace = sched->trace;
	guint32 index = ab_threads_get(sched->threads, ev->tid);
	struct ab_thread *th = ab_thread(sched->threads, index);
	struct ab_work_item item = {
		.start_ns = ev->ts,
		.end_ns = -1,
		.wait_ns = cpu_wait(sched, ev, th, index),
		.function = ev->work.function,
		.raw_function = ev->work.raw_function,
		.thread = index,
		.outer = th->item,
	};

	g_array_append_val(trace->work, item);
	th->item = trace->work->len;
	th->item_ran = true;
}

void ab_work_end(struct ab_sched *sched, const struct ab_event *ev)
{
	struct ab_trace *trace = sched->trace;
	guint32 index = ab_threads_get(sched->threads, ev->tid);
	struct ab_thread *th = ab_thread(sched->threads, index);
	struct ab_work_item *item;

	if (!th->item) {
		trace->quality.unpaired++;
		return;
	}
	item = &g_array_index(trace->work, struct ab_work_item, th->item - 1);
	item->end_ns = ev->ts;
	th->item = item->outer;
}
