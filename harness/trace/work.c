// SPDX-License-Identifier: GPL-3.0-or-later
#include "huge.h"
#include "work_items.h"

#define FUNCTION "pm_runtime_work"
#define CPU_WAIT "pm_runtime_work.cpu_wait"
#define QUEUE_WAIT "pm_runtime_work.queue_wait"
#define ITEMS "work_items"

/* Of a trace, at least, for each of its work items. */
#define BYTES_PER_ITEM 256

static const char *const names[] = { CPU_WAIT, QUEUE_WAIT, ITEMS, NULL };
static const char *const queue_names[] = { QUEUE_WAIT, NULL };

static void *begin(struct ab_trace *trace)
{
	struct ab_work *work = g_new0(struct ab_work, 1);
	gsize room = MIN(trace->size / BYTES_PER_ITEM, G_MAXINT32);

	work->trace = trace;
	/* Room that most traces stay within: memory that is not reached costs
	 * nothing, moving what has grown does. */
	work->items = g_array_sized_new(
		FALSE, FALSE, sizeof(struct ab_work_item), (guint)room);
	ab_huge_pages(work->items->data, room * sizeof(struct ab_work_item),
		      trace->size);
	ab_work_queue_init(&work->queue);
	return work;
}

static void end(void *state)
{
	struct ab_work *work = state;

	g_array_unref(work->items);
	ab_work_queue_clear(&work->queue);
	g_free(work);
}

/* How long @th has been on a CPU until @ts; -1 when it is not seen to run. */
static gint64 ran_until(const struct ab_thread *th, gint64 ts)
{
	return th->run_state == AB_RUNNING ? th->ran_ns + ts - th->since_ns
					   : -1;
}

/*
 * The wait belongs to the first item that the worker starts after it got the
 * CPU; what it starts afterwards did not wait for a CPU.
 */
static gint64 cpu_wait(const struct ab_sched *sched, const struct ab_event *ev,
		       const struct ab_thread *th, guint32 index)
{
	if (ab_sched_current(sched, ev->cpu) != index ||
	    th->run_state != AB_RUNNING)
		return -1;
	if (th->item_ran)
		return 0;
	return th->wait_known ? th->wait_ns : -1;
}

static void start(struct ab_work *work, const struct ab_sched *sched,
		  const struct ab_event *ev)
{
	guint32 index = ab_threads_get(sched->threads, ev->tid);
	struct ab_thread *th = ab_thread(sched->threads, index);
	struct ab_work_item item = {
		.start_ns = ev->ts,
		.end_ns = -1,
		.queued_ns = -1,
		.activated_ns = -1,
		.wait_ns = cpu_wait(sched, ev, th, index),
		.on_cpu_ns = ran_until(th, ev->ts),
		.function = ev->work.function,
		.thread = index,
		.outer = th->item & G_MAXINT32,
		.unresolved = ev->flags & AB_EVENT_UNRESOLVED ? 1 : 0,
	};
	struct ab_pending pending;

	if (work->trace->generations &&
	    ab_work_dequeue(&work->queue, ev, &pending)) {
		item.queued_ns = pending.queued_ns;
		item.activated_ns = pending.activated_ns;
		item.workqueue = pending.workqueue;
	}
	if (!th->item_ran && !th->workqueue)
		th->workqueue = ab_work_workqueue(work, &item);
	g_array_append_val(work->items, item);
	th->item = work->items->len;
	th->item_ran = true;
}

static void finish(struct ab_work *work, const struct ab_sched *sched,
		   const struct ab_event *ev)
{
	guint32 index = ab_threads_get(sched->threads, ev->tid);
	struct ab_thread *th = ab_thread(sched->threads, index);
	struct ab_work_item *item;
	gint64 ran = ran_until(th, ev->ts);

	if (!th->item) {
		work->trace->quality.unpaired++;
		return;
	}
	item = &g_array_index(work->items, struct ab_work_item, th->item - 1);
	item->end_ns = ev->ts;
	item->on_cpu_ns =
		item->on_cpu_ns < 0 || ran < 0 ? -1 : ran - item->on_cpu_ns;
	th->item = item->outer;
}

static void event(void *state, struct ab_sched *sched,
		  const struct ab_event *ev)
{
	struct ab_work *work = state;
	bool known = ev->tid != AB_TID_UNKNOWN;

	switch (ev->kind) {
	case AB_EV_WORK_START:
		if (known)
			start(work, sched, ev);
		break;
	case AB_EV_WORK_END:
		if (known)
			finish(work, sched, ev);
		break;
	case AB_EV_WORK_QUEUE:
		if (work->trace->generations)
			ab_work_queued(&work->queue, ev);
		break;
	default:
		if (work->trace->generations)
			ab_work_activated(&work->queue, ev);
		break;
	}
}

const GArray *ab_work_items(const struct ab_trace *trace)
{
	guint i = 0;

	while (ab_analyses[i] != &ab_analysis_work)
		i++;
	return ((const struct ab_work *)trace->states[i])->items;
}

/* ---- run values and samples ---- */

static bool any_resolved(const struct ab_work *work)
{
	guint i;

	for (i = 0; i < work->items->len; i++)
		if (!g_array_index(work->items, struct ab_work_item, i)
			     .unresolved)
			return true;
	return false;
}

static const char *why_absent(const struct ab_work *work)
{
	const char *no_waits = ab_no_waits_reason(work->trace);

	if (no_waits)
		return no_waits;
	if (!work->trace->seen[AB_EV_WORK_START])
		return "no workqueue_execute_start events in the trace";
	if (!any_resolved(work))
		return "no work function has a kernel symbol: the trace "
		       "needs symbolize_ksyms and a readable /proc/kallsyms";
	return NULL;
}

static const char *why_no_queue_wait(const struct ab_trace *trace)
{
	if (!trace->seen[AB_EV_WORK_QUEUE])
		return "no workqueue_queue_work events in the trace";
	if (!trace->generations)
		return "work items cannot be told apart: the trace needs "
		       "symbolize_ksyms";
	return NULL;
}

static void add_us(GArray *samples, gint64 ns)
{
	double us = (double)ns / 1e3;

	g_array_append_val(samples, us);
}

/* Items of one function come by the thousand: what it is called is looked at
 * when it is another than before. */
struct functions {
	guint32 measured, other; /* texts: the latest of both */
};

static bool is_measured(const struct ab_trace *trace, struct functions *f,
			guint32 function)
{
	if (function == f->measured || function == f->other)
		return function == f->measured;
	if (!ab_symbol_is(ab_trace_text(trace, function), FUNCTION))
		f->other = function;
	else
		f->measured = function;
	return function == f->measured;
}

static void measure_items(struct ab_analysis *a, const struct ab_work *work,
			  GArray *cpu_waits, GArray *queue_waits)
{
	/* No text is none of both. */
	struct functions functions = { .measured = G_MAXUINT32, .other = 0 };
	guint64 items = 0;
	guint i;

	for (i = 0; i < work->items->len; i++) {
		const struct ab_work_item *item =
			&g_array_index(work->items, struct ab_work_item, i);

		if (!ab_in_window(a->trace, item->start_ns))
			continue;
		a->unresolved += item->unresolved;
		if (item->unresolved ||
		    !is_measured(a->trace, &functions, item->function))
			continue;
		items++;
		if (item->wait_ns < 0)
			a->unknown_waits++;
		else
			add_us(cpu_waits, item->wait_ns);
		if (queue_waits && item->queued_ns >= 0)
			add_us(queue_waits, item->start_ns - item->queued_ns);
	}
	ab_run_data_set(a->data, ITEMS, (double)items);
}

static void measure(struct ab_analysis *a, const void *state)
{
	const struct ab_work *work = state;
	const char *no_queue = why_no_queue_wait(a->trace);
	GArray *cpu_waits, *queue_waits = NULL;

	if (ab_withhold_events(a, why_absent(work), names))
		return;
	/* Measured, even when there was no such item. */
	cpu_waits = ab_run_data_samples(a->data, CPU_WAIT);
	if (no_queue)
		ab_withhold_all(a, queue_names, no_queue);
	else
		queue_waits = ab_run_data_samples(a->data, QUEUE_WAIT);
	measure_items(a, work, cpu_waits, queue_waits);
}

const struct ab_analysis_ops ab_analysis_work = {
	.name = "work",
	.kinds = AB_KIND(AB_EV_WORK_QUEUE) | AB_KIND(AB_EV_WORK_ACTIVATE) |
		 AB_KIND(AB_EV_WORK_START) | AB_KIND(AB_EV_WORK_END),
	.begin = begin,
	.event = event,
	.measure = measure,
	.tabulate = ab_work_tabulate,
	.samples = ab_work_samples,
	.end = end,
};
