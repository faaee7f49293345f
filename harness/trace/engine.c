// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine.h"

#include "chains.h"
#include "quality.h"
#include "window.h"

/* Which analyses want which kind of event. */
struct route {
	guint8 n;
	guint8 analysis[AB_ANALYSES];
};

struct engine {
	struct ab_sched sched;
	struct route routes[AB_EV_KINDS];
	struct ab_batch batch;
};

static void learn_thread(struct ab_threads *threads, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(threads, ev->proc.tid);

	struct ab_thread *th = ab_thread(threads, index);

	if (!index)
		return;
	if (ev->proc.tgid >= 0)
		th->tgid = ev->proc.tgid;
	th->kernel |= ev->proc.kernel;
	ab_thread_name(th, ev->proc.name, AB_NAME_PROC);
}

static void learn_process(struct ab_trace *trace, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(trace->threads, ev->proc.tid);

	if (index)
		ab_thread(trace->threads, index)->tgid = ev->proc.tid;
	if (ev->proc.name)
		g_hash_table_insert(trace->processes,
				    GINT_TO_POINTER(ev->proc.tid),
				    GUINT_TO_POINTER(ev->proc.name));
}

static void rename_task(struct ab_threads *threads, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(threads, ev->task.tid);

	ab_thread_name(ab_thread(threads, index), ev->task.comm, AB_NAME_EVENT);
}

static void apply_rare(struct ab_sched *sched, const struct ab_event *ev)
{
	switch (ev->kind) {
	case AB_EV_BLOCKED:
		sched->trace->blocked_resolved += ev->blocked.function != 0;
		ab_sched_blocked(sched, ev);
		break;
	case AB_EV_TASK_NEW:
		ab_sched_task_new(sched, ev);
		break;
	case AB_EV_TASK_RENAME:
		rename_task(sched->threads, ev);
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
static inline void check_task(struct ab_sched *sched, const struct ab_event *ev)
{
	guint32 current = ab_sched_current(sched, ev->cpu);

	if (ev->tid != AB_TID_UNKNOWN && current != AB_NO_THREAD &&
	    ab_thread(sched->threads, current)->tid != ev->tid)
		sched->trace->quality.switch_mismatch++;
}

/* Nearly all are of two kinds: no table of jumps. */
static void apply(struct ab_sched *sched, const struct ab_event *ev)
{
	if (ev->kind == AB_EV_SWITCH) {
		ab_sched_switch(sched, ev);
	} else if (ev->kind == AB_EV_WAKING) {
		check_task(sched, ev);
		ab_sched_waking(sched, ev);
	} else {
		check_task(sched, ev);
		apply_rare(sched, ev);
	}
}

static void route(struct engine *e, const struct ab_event *ev)
{
	const struct route *r = &e->routes[ev->kind];
	guint i;

	for (i = 0; i < r->n; i++) {
		guint n = r->analysis[i];

		ab_analyses[n]->event(e->sched.trace->states[n], &e->sched, ev);
	}
}

static void take(struct engine *e, const struct ab_event *ev)
{
	struct ab_sched *sched = &e->sched;

	if (G_UNLIKELY(sched->watch && sched->watch->event))
		sched->watch->event(sched->watch->user, ev);
	if (G_UNLIKELY(ev->flags & AB_EVENT_CROPPED)) {
		sched->trace->quality.events -= ev->kind >= AB_EV_PROCESS;
		if (ev->kind == AB_EV_SWITCH)
			ab_sched_switch_early(sched, ev);
		return;
	}
	sched->trace->seen[ev->kind]++;
	apply(sched, ev);
	if (G_UNLIKELY(e->routes[ev->kind].n))
		route(e, ev);
}

/* Events from /proc count neither as events nor as the trace's extent. */
static void note_extent(struct ab_trace *trace,
			const struct ab_event *const *events, guint n)
{
	guint first = 0, last = n;

	while (first < n && events[first]->kind >= AB_EV_PROCESS)
		first++;
	while (last > first && events[last - 1]->kind >= AB_EV_PROCESS)
		last--;
	if (first == last)
		return;
	ab_trace_extend(trace, events[first]->ts);
	ab_trace_extend(trace, events[last - 1]->ts);
}

static void begin(struct engine *e, struct ab_trace *trace,
		  const struct ab_sched_watch *watch)
{
	guint i, kind;

	ab_sched_init(&e->sched, trace, watch);
	for (i = 0; i < AB_BATCH; i++)
		e->batch.order[i] = &e->batch.room[i];
	for (i = 0; i < AB_ANALYSES; i++) {
		const struct ab_analysis_ops *ops = ab_analyses[i];

		if (ops->begin)
			trace->states[i] = ops->begin(trace);
		for (kind = 0; kind < AB_EV_KINDS; kind++)
			if (ops->kinds & AB_KIND(kind))
				e->routes[kind].analysis[e->routes[kind].n++] =
					(guint8)i;
	}
}

void ab_engine_run(struct ab_trace *trace, const struct ab_source_ops *ops,
		   struct ab_source *source, const struct ab_sched_watch *watch)
{
	struct engine *e = g_new0(struct engine, 1);
	guint n, i;
	bool chains;

	begin(e, trace, watch);
	while ((n = ops->next(source, &e->batch, AB_BATCH))) {
		note_extent(trace, e->batch.order, n);
		trace->quality.events += n;
		chains = ab_chains_want(trace->chains, e->batch.order[0]->ts,
					e->batch.order[n - 1]->ts);
		for (i = 0; i < n; i++) {
			if (G_UNLIKELY(chains))
				ab_chains_event(trace->chains, &e->sched,
						e->batch.order[i]);
			take(e, e->batch.order[i]);
		}
	}
	/* What /proc says is none; see take() for what was cropped. */
	trace->quality.events -=
		trace->seen[AB_EV_PROCESS] + trace->seen[AB_EV_THREAD];
	ab_sched_finish(&e->sched);
	ab_sched_clear(&e->sched);
	g_free(e);
	ops->close(source);
	ab_window_finish(trace);
	ab_quality_finish(trace);
}
