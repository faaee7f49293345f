// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Back from the frame's end: what a thread did is a row of links without
 * gaps.  Where it slept, what its waker did meanwhile explains the sleep, one
 * level deeper; a kworker's item is followed to when it was queued, and on in
 * the thread that queued it.
 */
#include "chain_walk.h"

struct walk {
	const struct ab_past *past;
	GArray *links;
	guint64 *budget;
	bool whole;
};

static void walk_thread(struct walk *w, guint32 thread, gint64 from, gint64 to,
			guint depth);

static bool spend(struct walk *w, guint64 n)
{
	if (*w->budget >= n) {
		*w->budget -= n;
		return true;
	}
	*w->budget = 0;
	w->whole = false;
	return false;
}

/* A link in @state; NULL when there is no room. */
static struct ab_link *add(struct walk *w, enum ab_step_state state,
			   guint32 thread, gint64 begin_ns, gint64 end_ns,
			   guint depth)
{
	struct ab_link link = {
		.begin_ns = begin_ns,
		.end_ns = end_ns,
		.thread = thread,
		.waker = AB_NO_THREAD,
		.prio = AB_PRIO_UNKNOWN,
		.other_prio = AB_PRIO_UNKNOWN,
		.state = (guint8)state,
		.depth = (guint8)depth,
	};

	if (w->links->len == AB_WHY_STEPS) {
		w->whole = false;
		return NULL;
	}
	g_array_append_val(w->links, link);
	return &g_array_index(w->links, struct ab_link, w->links->len - 1);
}

static void add_unknown(struct walk *w, guint32 thread, gint64 from, gint64 to,
			guint depth)
{
	if (to > from)
		add(w, AB_STEP_UNKNOWN, thread, from, to, depth);
	w->whole = false;
}

static enum ab_step_state step_state(const struct ab_past_state *s)
{
	switch (s->sum) {
	case AB_SUM_RUNNING:
		return AB_STEP_RUNNING;
	case AB_SUM_AFTER_WAKEUP:
	case AB_SUM_AFTER_PREEMPTION:
		return AB_STEP_RUNNABLE;
	case AB_SUM_D_STATE:
		return AB_STEP_D;
	default:
		return AB_STEP_S;
	}
}

/* ---- who had the CPU ---- */

struct runner {
	guint32 thread;
	gint16 prio;
	gint64 ns;
};

#define MAX_RUNNERS 64

static void count_run(struct runner *runners, guint *n,
		      const struct ab_past_state *s, gint64 ns)
{
	guint i;

	for (i = 0; i < *n && runners[i].thread != s->thread; i++)
		;
	if (i == MAX_RUNNERS)
		return;
	if (i == *n)
		runners[(*n)++] = (struct runner){ s->thread, s->prio, 0 };
	runners[i].ns += ns;
}

/* All that ran there ended by @until_ns: @link's thread got the CPU. */
static void find_others(struct walk *w, struct ab_link *link, gint64 until_ns)
{
	struct runner runners[MAX_RUNNERS];
	guint64 n = ab_past_after(w->past, link->begin_ns);
	guint count = 0, i, most = 0;

	for (; n < w->past->n_states && spend(w, 1); n++) {
		const struct ab_past_state *s = ab_past_state(w->past, n);
		gint64 end = MIN(s->end_ns, link->end_ns);
		gint64 begin = MAX(s->begin_ns, link->begin_ns);

		if (s->sum == AB_SUM_RUNNING && s->cpu == link->cpu &&
		    end > begin)
			count_run(runners, &count, s, end - begin);
		if (s->end_ns > until_ns)
			break;
	}
	for (i = 1; i < count; i++)
		if (runners[i].ns > runners[most].ns)
			most = i;
	if (!count)
		return;
	link->other = runners[most].thread;
	link->other_prio = runners[most].prio;
	link->other_ns = runners[most].ns;
	link->others = (guint16)count;
}

/* ---- work items ---- */

/* The start of the item that @thread executes just before @ts. */
static const struct ab_past_work *item_at(struct walk *w, guint32 thread,
					  gint64 ts)
{
	guint64 first = ab_past_first_work(w->past), n;
	guint ended = 0;

	for (n = w->past->n_works; n > first && spend(w, 1); n--) {
		const struct ab_past_work *e = ab_past_work(w->past, n - 1);

		if (e->thread != thread || e->ts > ts)
			continue;
		if (e->kind == AB_EV_WORK_END)
			ended++;
		else if (e->kind == AB_EV_WORK_START && ended)
			ended--;
		else if (e->kind == AB_EV_WORK_START)
			return e;
	}
	return NULL;
}

/* The last item that @thread started between the two. */
static const struct ab_past_work *started_in(struct walk *w, guint32 thread,
					     gint64 from, gint64 to)
{
	guint64 first = ab_past_first_work(w->past), n;

	for (n = w->past->n_works; n > first && spend(w, 1); n--) {
		const struct ab_past_work *e = ab_past_work(w->past, n - 1);

		if (e->ts < from)
			break;
		if (e->thread == thread && e->ts < to &&
		    e->kind == AB_EV_WORK_START)
			return e;
	}
	return NULL;
}

/* The last time before its start that it was queued. */
static const struct ab_past_work *queued(struct walk *w,
					 const struct ab_past_work *start)
{
	guint64 first = ab_past_first_work(w->past), n;

	if (start->generation == AB_NO_GENERATION)
		return NULL;
	for (n = w->past->n_works; n > first && spend(w, 1); n--) {
		const struct ab_past_work *e = ab_past_work(w->past, n - 1);

		if (e->ts > start->ts || e->work != start->work ||
		    e->generation != start->generation)
			continue;
		if (e->kind == AB_EV_WORK_QUEUE)
			return e->function == start->function ? e : NULL;
		if (e->kind == AB_EV_WORK_START && e != start)
			return NULL;
	}
	return NULL;
}

/* The device whose runtime PM @thread changed last before @ts. */
static guint32 device_of(struct walk *w, guint32 thread, gint64 from, gint64 ts)
{
	guint64 first = ab_past_first_work(w->past), n;

	for (n = w->past->n_works; n > first && spend(w, 1); n--) {
		const struct ab_past_work *e = ab_past_work(w->past, n - 1);

		if (e->ts < from)
			break;
		if (e->thread == thread && e->ts <= ts &&
		    e->kind == AB_EV_RPM_STATUS)
			return e->function;
	}
	return 0;
}

/* ---- states ---- */

static void explain_sleep(struct walk *w, struct ab_link *link)
{
	const struct ab_link sleep = *link;

	if (sleep.waker == AB_NO_THREAD || !sleep.waker)
		return;
	if (sleep.state == AB_STEP_D)
		link->device =
			device_of(w, sleep.waker, sleep.begin_ns, sleep.end_ns);
	if (sleep.depth + 1u >= AB_WHY_DEPTH)
		w->whole = false;
	else
		walk_thread(w, sleep.waker, sleep.begin_ns, sleep.end_ns,
			    sleep.depth + 1u);
}

/* @thread in @s, of which the chain has @from to @to. */
static struct ab_link *add_state(struct walk *w, const struct ab_past_state *s,
				 gint64 from, gint64 to, guint depth)
{
	struct ab_link *link =
		add(w, step_state(s), s->thread, from, to, depth);

	if (!link)
		return NULL;
	link->cpu = s->cpu;
	link->prio = s->prio;
	link->function = s->function;
	/* Who ended the sleep at another time than here explains nothing. */
	if (s->end_ns == to)
		link->waker = s->waker;
	if (link->state == AB_STEP_RUNNABLE)
		find_others(w, link, s->end_ns);
	return link;
}

/* A worker's links are named after its item. */
struct labels {
	guint32 function, workqueue;
	bool queued;   /* before the item: what runs is another one */
	bool no_queue; /* ... and it is not known since when */
};

static void label(struct walk *w, struct ab_link *link,
		  const struct labels *labels)
{
	const struct ab_past_work *other = NULL;

	link->workqueue = labels->workqueue;
	if (!labels->queued || link->state == AB_STEP_RUNNABLE) {
		if (link->state != AB_STEP_D)
			link->function = labels->function;
		return;
	}
	if (link->state != AB_STEP_S) {
		other = started_in(w, link->thread, link->begin_ns,
				   link->end_ns);
		if (!other)
			other = item_at(w, link->thread, link->begin_ns);
	}
	link->state = AB_STEP_QUEUED;
	link->waker = AB_NO_THREAD;
	link->function = other && !other->unresolved ? other->function : 0;
}

static void walk_states(struct walk *w, guint32 thread, gint64 from, gint64 to,
			guint depth, const struct labels *labels)
{
	while (to > from && w->links->len < AB_WHY_STEPS) {
		struct ab_past_state s;
		struct ab_link *link;
		gint64 begin;

		if (!spend(w, 1) || !ab_past_at(w->past, thread, to, &s)) {
			add_unknown(w, thread, from, to, depth);
			return;
		}
		if (labels && labels->no_queue && step_state(&s) == AB_STEP_S) {
			add_unknown(w, thread, from, to, depth);
			return;
		}
		begin = MAX(s.begin_ns, from);
		link = add_state(w, &s, begin, to, depth);
		if (link && labels)
			label(w, link, labels);
		if (link &&
		    (link->state == AB_STEP_D || link->state == AB_STEP_S))
			explain_sleep(w, link);
		to = begin;
	}
	if (to > from)
		w->whole = false;
}

/* @start's item runs at @to; back to when it was queued, and beyond. */
static void walk_item(struct walk *w, const struct ab_past_work *start,
		      gint64 from, gint64 to, guint depth)
{
	const struct ab_past_work *queue = queued(w, start);
	struct labels labels = {
		.function = start->unresolved ? 0 : start->function,
		.workqueue = queue ? queue->workqueue : 0,
	};
	gint64 start_ns = MAX(start->ts, from);
	gint64 queued_ns = queue ? MAX(queue->ts, from) : from;

	walk_states(w, start->thread, start_ns, to, depth, &labels);
	labels.queued = true;
	labels.no_queue = !queue;
	walk_states(w, start->thread, queued_ns, start_ns, depth, &labels);
	if (queued_ns <= from)
		return;
	if (queue->thread)
		walk_thread(w, queue->thread, from, queued_ns, depth);
	else
		/* An interrupt waits for nothing: the chain ends. */
		add(w, AB_STEP_UNKNOWN, 0, from, queued_ns, depth);
}

static void walk_thread(struct walk *w, guint32 thread, gint64 from, gint64 to,
			guint depth)
{
	const struct ab_past_work *start = item_at(w, thread, to);

	if (start)
		walk_item(w, start, from, to, depth);
	else
		walk_states(w, thread, from, to, depth, NULL);
}

/* What the frame waits for when its thread has gone to sleep is not told. */
static gint64 walk_after(struct walk *w, const struct ab_walk_frame *frame)
{
	struct ab_past_state s;
	gint64 begin = frame->end_ns;

	while (ab_past_at(w->past, frame->thread, begin, &s) &&
	       begin > frame->begin_ns) {
		enum ab_step_state state = step_state(&s);

		if (state == AB_STEP_RUNNING ||
		    (state == AB_STEP_RUNNABLE && !frame->until_next))
			break;
		begin = MAX(s.begin_ns, frame->begin_ns);
	}
	if (begin < frame->end_ns)
		add(w, AB_STEP_AFTER, frame->thread, begin, frame->end_ns, 0);
	return begin;
}

bool ab_chain_walk(const struct ab_past *past,
		   const struct ab_walk_frame *frame, GArray *links,
		   guint64 *budget)
{
	struct walk w = { past, links, budget, true };
	gint64 end_ns;

	if (!past->states)
		return false;
	end_ns = walk_after(&w, frame);
	walk_thread(&w, frame->thread, frame->begin_ns, end_ns, 0);
	return w.whole;
}
