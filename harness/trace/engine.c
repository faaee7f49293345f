// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine.h"

#include "quality.h"
#include "window.h"
#include "work.h"

static void task_rename(struct ab_threads *threads, const struct ab_event *ev)
{
	ab_threads_name(threads, ab_threads_get(threads, ev->task.tid),
			ev->task.comm, AB_NAME_EVENT);
}

static void learn_thread(struct ab_threads *threads, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(threads, ev->proc.tid);
	const char *name = ev->proc.name ? ev->proc.name : "";

	if (index)
		ab_thread(threads, index)->tgid = ev->proc.tgid;
	ab_threads_name(threads, index,
			(struct ab_bytes){ (const guint8 *)name, strlen(name) },
			AB_NAME_PROC);
}

static void learn_process(struct ab_trace *trace, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(trace->threads, ev->proc.tid);

	if (index)
		ab_thread(trace->threads, index)->tgid = ev->proc.tid;
	if (ev->proc.name)
		g_hash_table_insert(trace->processes,
				    GINT_TO_POINTER(ev->proc.tid),
				    (gpointer)ev->proc.name);
}

static void apply(struct ab_sched *sched, const struct ab_event *ev)
{
	switch (ev->kind) {
	case AB_EV_SWITCH:
		ab_sched_switch(sched, ev);
		break;
	case AB_EV_WAKING:
		ab_sched_waking(sched, ev);
		break;
	case AB_EV_BLOCKED:
		sched->trace->blocked_resolved += ev->blocked.function != NULL;
		ab_sched_blocked(sched, ev);
		break;
	case AB_EV_WORK_START:
		ab_work_start(sched, ev);
		break;
	case AB_EV_WORK_END:
		ab_work_end(sched, ev);
		break;
	case AB_EV_TASK_NEW:
		ab_sched_task_new(sched, ev);
		break;
	case AB_EV_TASK_RENAME:
		task_rename(sched->threads, ev);
		break;
	case AB_EV_TASK_FREE:
		ab_threads_end(sched->threads, ev->task.tid);
		break;
	case AB_EV_PROCESS:
		learn_process(sched->trace, ev);
		break;
	case AB_EV_THREAD:
		learn_thread(sched->threads, ev);
		break;
	default:
		break;
	}
}

/*
 * The record says which task ran; the switches so far say so, too.  Where they
 * disagree a switch is missing, though no loss may be flagged.
 */
static void check_task(struct ab_sched *sched, const struct ab_event *ev)
{
	guint32 current = ab_sched_current(sched, ev->cpu);

	if (current != AB_NO_THREAD &&
	    ab_thread(sched->threads, current)->tid != ev->tid)
		sched->trace->quality.switch_mismatch++;
}

static void take(struct ab_sched *sched, struct ab_window_search *search,
		 const struct ab_event *ev)
{
	struct ab_trace *trace = sched->trace;

	if (sched->watch && sched->watch->event)
		sched->watch->event(sched->watch->user, ev);
	if (ev->kind < AB_EV_PROCESS) {
		trace->quality.events++;
		ab_trace_extend(trace, ev->ts);
	}
	if (ev->kind == AB_EV_PRINT)
		ab_window_print(trace, search, ev);
	if (ev->cropped) {
		if (ev->kind == AB_EV_SWITCH)
			ab_sched_switch_early(sched, ev);
		return;
	}
	trace->seen[ev->kind]++;
	if (ev->tid != AB_TID_UNKNOWN && ev->kind != AB_EV_SWITCH)
		check_task(sched, ev);
	apply(sched, ev);
}

void ab_engine_run(struct ab_trace *trace, const struct ab_source_ops *ops,
		   struct ab_source *source, const struct ab_sched_watch *watch)
{
	struct ab_sched *sched = g_new(struct ab_sched, 1);
	struct ab_window_search search = { .begin_ns = -1 };
	struct ab_event ev;

	ab_sched_init(sched, trace, watch);
	while (ops->next(source, &ev))
		take(sched, &search, &ev);
	ab_sched_finish(sched);
	ab_sched_clear(sched);
	g_free(sched);
	ops->close(source);
	ab_window_finish(trace);
	ab_quality_finish(trace);
}
