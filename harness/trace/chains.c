// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.h"

#include "frame_tables.h"

/* A hostile trace's chains are not walked for ever. */
#define BUDGET (200 * G_GUINT64_CONSTANT(1000000))
/* Bundles that may reach into a frame are read with priorities. */
#define PRIO_AHEAD_NS (2000 * G_GINT64_CONSTANT(1000000))

static void free_chain(gpointer data)
{
	struct ab_chain *c = data;

	if (c->links)
		g_array_unref(c->links);
	g_free(c);
}

struct ab_chains *ab_chains_new(struct ab_trace *trace)
{
	struct ab_chains *s = g_new0(struct ab_chains, 1);

	s->trace = trace;
	s->budget = BUDGET;
	s->chains = g_ptr_array_new_with_free_func(free_chain);
	s->waits = g_array_new(FALSE, FALSE, sizeof(struct ab_long_wait));
	s->sleeps = g_array_new(FALSE, FALSE, sizeof(struct ab_sleep));
	ab_past_init(&s->past, trace->threads);
	return s;
}

void ab_chains_free(struct ab_chains *s)
{
	g_ptr_array_unref(s->chains);
	g_array_unref(s->waits);
	g_array_unref(s->sleeps);
	ab_past_clear(&s->past);
	g_free(s);
}

/* ---- which thread ---- */

static bool ran_in(const struct ab_past *past, guint32 thread, gint64 begin_ns,
		   gint64 end_ns)
{
	struct ab_past_state s;

	while (end_ns > begin_ns && ab_past_at(past, thread, end_ns, &s)) {
		if (s.sum == AB_SUM_RUNNING)
			return true;
		end_ns = s.begin_ns;
	}
	return false;
}

/* The RenderThread of @c's process, if it drew that frame. */
static guint32 render_thread(struct ab_chains *s, const struct ab_chain *c)
{
	const GArray *all = s->trace->threads->all;
	guint32 i;

	if (s->budget < all->len)
		return AB_NO_THREAD;
	s->budget -= all->len;
	for (i = 1; i < all->len; i++) {
		const struct ab_thread *th = ab_thread(s->trace->threads, i);

		if (th->tgid == c->pid &&
		    !strcmp(ab_trace_text(s->trace, th->comm),
			    "RenderThread") &&
		    ran_in(&s->past, i, c->walk.begin_ns, c->walk.end_ns))
			return i;
	}
	return AB_NO_THREAD;
}

static guint32 find_thread(struct ab_chains *s, const struct ab_chain *c)
{
	guint32 thread = AB_NO_THREAD;

	if (c->walk.thread != AB_NO_THREAD)
		return c->walk.thread;
	if (!c->by_sf)
		thread = render_thread(s, c);
	return thread == AB_NO_THREAD ? ab_main_thread(s->trace, c->pid)
				      : thread;
}

static void walk(struct ab_chains *s, struct ab_chain *c)
{
	g_autoptr(GArray) links = NULL;

	if (c->problem)
		return;
	if (c->walk.end_ns > s->trace->last_ns) {
		c->problem = "it ends after the last kernel event";
		return;
	}
	c->walk.thread = find_thread(s, c);
	if (c->walk.thread == AB_NO_THREAD) {
		c->problem = "no thread of its process is in the trace";
		return;
	}
	links = g_array_new(FALSE, FALSE, sizeof(struct ab_link));
	c->whole = ab_chain_walk(&s->past, &c->walk, links, &s->budget);
	if (!s->budget)
		c->problem = "the trace is too large to walk all chains";
	else if (!links->len)
		c->problem = "no scheduler events in it";
	else
		c->links = g_array_ref(links);
}

void ab_chains_walk(struct ab_chains *s, gint64 ts)
{
	while (s->next < s->chains->len) {
		struct ab_chain *c = s->chains->pdata[s->next];

		if (c->walk.end_ns >= ts)
			break;
		walk(s, c);
		s->next++;
	}
}

/* ---- what passes ---- */

bool ab_chains_want(struct ab_chains *s, gint64 from_ns, gint64 to_ns)
{
	const struct ab_chain *c;
	gint64 begin_ns = G_MAXINT64;
	guint i;
	bool want;

	ab_chains_walk(s, from_ns);
	/* The next to end is not always the next to begin. */
	for (i = s->next; i < s->chains->len; i++) {
		c = s->chains->pdata[i];
		if (c->walk.end_ns - AB_WHY_SPAN_NS > to_ns + PRIO_AHEAD_NS)
			break;
		begin_ns = MIN(begin_ns, c->walk.begin_ns);
	}
	want = s->marked ||
	       (begin_ns != G_MAXINT64 && begin_ns - AB_CHAIN_LEAD_NS <= to_ns);
	s->trace->prios =
		s->trace->watched || s->marked ||
		(begin_ns != G_MAXINT64 && begin_ns - PRIO_AHEAD_NS <= to_ns);
	if (want && !s->recording)
		ab_past_resume(&s->past);
	s->recording = want;
	return want;
}

void ab_chains_event(struct ab_chains *s, struct ab_sched *sched,
		     const struct ab_event *ev)
{
	ab_chains_walk(s, ev->ts);
	if (!(ev->flags & AB_EVENT_CROPPED))
		ab_past_event(&s->past, sched, ev);
}

void ab_chains_marked(struct ab_chains *s)
{
	s->marked = true;
}

void ab_chains_missed(struct ab_chains *s, const struct ab_frame *frame,
		      gint64 deadline_ns, gint32 tid)
{
	struct ab_chain *c;

	if (s->chains->len >= AB_WHY_FRAMES) {
		s->not_kept++;
		return;
	}
	c = g_new0(struct ab_chain, 1);
	c->frame = *frame;
	c->made.source = &ab_frames_marks;
	c->made.deadline_ns = deadline_ns;
	c->pid = frame->pid;
	c->walk = (struct ab_walk_frame){
		.begin_ns =
			MAX(frame->begin_ns, frame->end_ns - AB_WHY_SPAN_NS),
		.end_ns = frame->end_ns,
		.thread = tid > 0 ? ab_threads_get(s->trace->threads, tid)
				  : AB_NO_THREAD,
	};
	c->made.frame = &c->frame;
	g_ptr_array_add(s->chains, c);
}

void ab_chains_waited(struct ab_chains *s, guint32 thread, guint32 workqueue,
		      gint64 begin_ns, gint64 end_ns)
{
	const struct ab_long_wait wait = { begin_ns, end_ns, thread,
					   workqueue };

	if (!ab_in_window(s->trace, begin_ns))
		return;
	if (s->waits->len < AB_LONG_WAITS)
		g_array_append_val(s->waits, wait);
	else
		s->waits_lost++;
}

void ab_chains_slept(struct ab_chains *s, const struct ab_sleep *sleep)
{
	if (!ab_in_window(s->trace, sleep->begin_ns))
		return;
	if (s->sleeps->len < AB_LONG_WAITS)
		g_array_append_vals(s->sleeps, sleep, 1);
	else
		s->waits_lost++;
}
