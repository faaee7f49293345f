// SPDX-License-Identifier: GPL-3.0-or-later
#include "chain_past.h"

void ab_past_init(struct ab_past *past, const struct ab_threads *threads)
{
	*past = (struct ab_past){
		.threads = threads,
		.last = g_array_new(FALSE, TRUE, sizeof(guint64)),
	};
}

void ab_past_clear(struct ab_past *past)
{
	g_free(past->states);
	g_free(past->works);
	g_array_unref(past->last);
}

void ab_past_resume(struct ab_past *past)
{
	guint i;

	/* Pages that are not reached cost nothing. */
	if (!past->states) {
		past->states = g_new(struct ab_past_state, AB_PAST_STATES);
		past->works = g_new(struct ab_past_work, AB_PAST_WORKS);
	}
	/* What ran or was queued meanwhile was not seen. */
	past->works_from = past->n_works;
	for (i = 0; i < AB_MAX_CPUS; i++)
		past->prio[i] = AB_PRIO_UNKNOWN;
}

guint64 ab_past_first(const struct ab_past *past)
{
	return past->n_states > AB_PAST_STATES ? past->n_states - AB_PAST_STATES
					       : 0;
}

guint64 ab_past_first_work(const struct ab_past *past)
{
	guint64 first = past->n_works > AB_PAST_WORKS
				? past->n_works - AB_PAST_WORKS
				: 0;

	return MAX(first, past->works_from);
}

static guint64 *last_of(const struct ab_past *past, guint32 thread)
{
	if (thread >= past->last->len)
		g_array_set_size(past->last, thread + 1);
	return &g_array_index(past->last, guint64, thread);
}

/* @thread's state ends at @end_ns. */
static void add_state(struct ab_past *past, guint32 thread,
		      const struct ab_thread *th, gint64 end_ns, guint32 waker,
		      guint16 cpu, gint16 prio)
{
	guint64 *last = last_of(past, thread);
	guint64 n = past->n_states++;
	guint64 before = *last ? n + 1 - *last : 0;

	past->states[n % AB_PAST_STATES] = (struct ab_past_state){
		.begin_ns = th->since_ns,
		.end_ns = end_ns,
		.thread = thread,
		.waker = waker,
		.before = before < AB_PAST_STATES ? (guint32)before : 0,
		.function = th->has_blocked ? th->blocked.function : 0,
		.cpu = cpu,
		.prio = prio,
		.sum = th->sum,
	};
	*last = n + 1;
}

static void add_switch(struct ab_past *past, struct ab_sched *sched,
		       const struct ab_event *ev)
{
	guint32 prev = sched->cpus[ev->cpu].current;
	guint32 next = ab_threads_get(sched->threads, ev->sw.next_tid);
	gint16 prio = ev->sw.next_prio < 0
			      ? AB_PRIO_UNKNOWN
			      : (gint16)MIN(ev->sw.next_prio, G_MAXINT16);
	const struct ab_thread *th;

	if (!(ev->flags & AB_EVENT_COMPACT))
		prev = ab_threads_get(sched->threads, ev->sw.prev_tid);
	if (prev && prev != AB_NO_THREAD) {
		th = ab_thread(sched->threads, prev);
		if (th->run_state == AB_RUNNING)
			add_state(past, prev, th, ev->ts, AB_NO_THREAD, ev->cpu,
				  past->prio[ev->cpu]);
	}
	th = ab_thread(sched->threads, next);
	if (next && th->run_state != AB_STATE_NONE &&
	    th->run_state != AB_RUNNING)
		add_state(past, next, th, ev->ts, AB_NO_THREAD, ev->cpu, prio);
	past->prio[ev->cpu] = prio;
}

static void add_waking(struct ab_past *past, struct ab_sched *sched,
		       const struct ab_event *ev)
{
	bool irq = ev->waking.flags & (AB_FLAG_HARDIRQ | AB_FLAG_SOFTIRQ);
	guint32 thread = ab_threads_get(sched->threads, ev->waking.tid);
	guint32 waker = ev->flags & AB_EVENT_COMPACT
				? sched->cpus[ev->cpu].current
				: ab_threads_get(sched->threads, ev->tid);
	const struct ab_thread *th = ab_thread(sched->threads, thread);

	if (thread && waker != AB_NO_THREAD && th->run_state == AB_BLOCKED)
		add_state(past, thread, th, ev->ts, irq ? 0 : waker, th->cpu,
			  AB_PRIO_UNKNOWN);
}

/* The reason comes behind the waking that ended the sleep. */
static void add_reason(struct ab_past *past, struct ab_sched *sched,
		       const struct ab_event *ev)
{
	guint32 thread = ab_threads_get(sched->threads, ev->blocked.tid);
	guint64 last = *last_of(past, thread);
	struct ab_past_state *s;

	if (!last || last - 1 < ab_past_first(past))
		return;
	s = &past->states[(last - 1) % AB_PAST_STATES];
	if (s->sum == AB_SUM_D_STATE &&
	    ab_thread(sched->threads, thread)->run_state != AB_BLOCKED)
		s->function = ev->blocked.function;
}

static void add_work(struct ab_past *past, struct ab_sched *sched,
		     const struct ab_event *ev)
{
	struct ab_past_work *w;

	if (ev->tid == AB_TID_UNKNOWN)
		return;
	w = &past->works[past->n_works++ % AB_PAST_WORKS];
	*w = (struct ab_past_work){
		.ts = ev->ts,
		.thread = ab_threads_get(sched->threads, ev->tid),
		.kind = ev->kind,
		.unresolved = (ev->flags & AB_EVENT_UNRESOLVED) != 0,
	};
	if (ev->kind == AB_EV_RPM_STATUS) {
		w->function = ev->rpm.device;
		return;
	}
	w->work = ev->work.work;
	w->generation = ev->work.generation;
	w->function = ev->work.function;
	w->workqueue = ev->work.workqueue;
}

void ab_past_event(struct ab_past *past, struct ab_sched *sched,
		   const struct ab_event *ev)
{
	switch (ev->kind) {
	case AB_EV_SWITCH:
		add_switch(past, sched, ev);
		break;
	case AB_EV_WAKING:
		add_waking(past, sched, ev);
		break;
	case AB_EV_BLOCKED:
		add_reason(past, sched, ev);
		break;
	case AB_EV_WORK_QUEUE:
	case AB_EV_WORK_START:
	case AB_EV_WORK_END:
	case AB_EV_RPM_STATUS:
		add_work(past, sched, ev);
		break;
	default:
		break;
	}
}

/* The state that @thread is in, if it began before @ts. */
static bool open_state(const struct ab_past *past, guint32 thread, gint64 ts,
		       struct ab_past_state *state_out)
{
	const struct ab_thread *th = ab_thread(past->threads, thread);

	if (th->run_state == AB_STATE_NONE || th->since_ns >= ts)
		return false;
	*state_out = (struct ab_past_state){
		.begin_ns = th->since_ns,
		.end_ns = G_MAXINT64,
		.thread = thread,
		.waker = AB_NO_THREAD,
		.function = th->has_blocked ? th->blocked.function : 0,
		.cpu = th->cpu,
		.prio = th->run_state == AB_RUNNING ? past->prio[th->cpu]
						    : AB_PRIO_UNKNOWN,
		.sum = th->sum,
	};
	return true;
}

bool ab_past_at(const struct ab_past *past, guint32 thread, gint64 ts,
		struct ab_past_state *state_out)
{
	guint64 first = ab_past_first(past), n;

	if (!past->states || thread >= past->threads->all->len)
		return false;
	if (open_state(past, thread, ts, state_out))
		return true;
	for (n = *last_of(past, thread); n > first;) {
		const struct ab_past_state *s = ab_past_state(past, n - 1);

		if (s->begin_ns < ts) {
			*state_out = *s;
			return s->end_ns >= ts;
		}
		if (!s->before)
			break;
		n -= s->before;
	}
	return false;
}

guint64 ab_past_after(const struct ab_past *past, gint64 ts)
{
	guint64 low = ab_past_first(past), high = past->n_states;

	while (low < high) {
		guint64 mid = low + (high - low) / 2;

		if (ab_past_state(past, mid)->end_ns > ts)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}
