// SPDX-License-Identifier: GPL-3.0-or-later
/* The missed frames of FrameTimeline, of which chains are wanted. */
#include "chains.h"

#define MISSED (AB_JANK_BY_APP | AB_JANK_BY_SF | AB_JANK_DROPPED)

static int by_token(const void *a, const void *b)
{
	const struct ab_frame *x =
		(*(const struct ab_made_frame *const *)a)->frame;
	const struct ab_frame *y =
		(*(const struct ab_made_frame *const *)b)->frame;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->token > y->token) - (x->token < y->token);
}

/* All layers' surface frames, those of one token side by side. */
static GPtrArray *surface_frames(const GArray *made)
{
	GPtrArray *list = g_ptr_array_new();
	guint i;

	for (i = 0; i < made->len; i++) {
		struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);

		if (m->frame->kind == AB_FRAME_ACTUAL_SURFACE)
			g_ptr_array_add(list, m);
	}
	g_ptr_array_sort(list, by_token);
	return list;
}

static struct ab_chain *new_chain(const struct ab_made_frame *made)
{
	struct ab_chain *c = g_new0(struct ab_chain, 1);

	c->frame = *made->frame;
	c->made = *made;
	c->made.frame = &c->frame;
	return c;
}

/* The layer that ended last stands for its token. */
static void add_layer(struct ab_chain *c, const struct ab_made_frame *made)
{
	const struct ab_frame *f = made->frame;

	c->frame.jank |= f->jank;
	c->frame.begin_ns = MIN(c->frame.begin_ns, f->begin_ns);
	if (f->end_ns <= c->frame.end_ns)
		return;
	c->frame.end_ns = f->end_ns;
	c->frame.layer = f->layer;
	c->frame.display_token = f->display_token;
	c->made.deadline_ns = made->deadline_ns;
}

static int by_display(const void *a, const void *b)
{
	const struct ab_made_frame *x = a, *y = b;

	if (x->frame->pid != y->frame->pid)
		return x->frame->pid < y->frame->pid ? -1 : 1;
	return (x->frame->begin_ns > y->frame->begin_ns) -
	       (x->frame->begin_ns < y->frame->begin_ns);
}

/* SurfaceFlinger's frames by begin. */
static GArray *display_frames(const GArray *made)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	guint i;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);

		if (m->frame->kind == AB_FRAME_ACTUAL_DISPLAY)
			g_array_append_vals(list, m, 1);
	}
	g_array_sort(list, by_display);
	return list;
}

static GHashTable *by_display_token(const GArray *display)
{
	GHashTable *table = g_hash_table_new(ab_key_hash, g_int64_equal);
	guint i;

	/* Backwards, so that the first one counts. */
	for (i = display->len; i > 0; i--) {
		struct ab_made_frame *m =
			&g_array_index(display, struct ab_made_frame, i - 1);

		g_hash_table_insert(table, (gpointer)&m->frame->token, m);
	}
	return table;
}

/*
 * SurfaceFlinger's frame ends when it is seen, long after its work for it is
 * done; by then it may work for the next one, whose begin is the limit.
 */
static void use_display(struct ab_chain *c, const GArray *display,
			const struct ab_made_frame *m)
{
	const struct ab_made_frame *next = m + 1;
	const struct ab_made_frame *end =
		(const struct ab_made_frame *)(const void *)display->data +
		display->len;

	c->pid = m->frame->pid;
	c->made.deadline_ns = m->deadline_ns;
	c->frame.begin_ns = m->frame->begin_ns;
	c->frame.end_ns = m->frame->end_ns;
	c->walk.end_ns = m->frame->end_ns;
	for (; next < end && next->frame->pid == c->pid; next++)
		if (next->frame->begin_ns > m->frame->begin_ns) {
			c->walk.until_next =
				next->frame->begin_ns <= c->walk.end_ns;
			c->walk.end_ns =
				MIN(c->walk.end_ns, next->frame->begin_ns);
			break;
		}
}

static void locate(struct ab_chain *c, const GArray *display,
		   GHashTable *display_tokens)
{
	const struct ab_made_frame *m = NULL;

	c->pid = c->frame.pid;
	c->walk.end_ns = c->frame.end_ns;
	c->walk.thread = AB_NO_THREAD;
	c->by_sf = !(c->frame.jank & AB_JANK_BY_APP) &&
		   (c->frame.jank & AB_JANK_BY_SF);
	if (c->by_sf)
		m = g_hash_table_lookup(display_tokens,
					&c->frame.display_token);
	if (m)
		use_display(c, display, m);
	else if (c->by_sf)
		c->problem = "SurfaceFlinger's frame is not in the trace";
	else if (!(c->frame.jank & AB_JANK_BY_APP))
		c->problem = "it was dropped: it has no end";
	if (!c->problem && c->walk.end_ns < 0)
		c->problem = "it has no end";
	c->walk.begin_ns =
		MAX(c->frame.begin_ns, c->walk.end_ns - AB_WHY_SPAN_NS);
	/* Passed by in the order of their ends, with a chain or without. */
	c->walk.end_ns = MAX(c->walk.end_ns, c->frame.begin_ns);
	if (c->problem)
		c->walk.begin_ns = c->walk.end_ns;
}

static int by_end(const void *a, const void *b)
{
	const struct ab_chain *x = *(const struct ab_chain *const *)a;
	const struct ab_chain *y = *(const struct ab_chain *const *)b;

	return (x->walk.end_ns > y->walk.end_ns) -
	       (x->walk.end_ns < y->walk.end_ns);
}

/* The newest are kept. */
static void limit(struct ab_chains *s)
{
	g_ptr_array_sort(s->chains, by_end);
	if (s->chains->len <= AB_WHY_FRAMES)
		return;
	s->not_kept = s->chains->len - AB_WHY_FRAMES;
	g_ptr_array_remove_range(s->chains, 0, (guint)s->not_kept);
}

static guint32 jank_of_token(const GPtrArray *list, guint from, guint *end_out)
{
	guint32 jank = 0;
	guint i;

	for (i = from; i < list->len; i++) {
		if (by_token(&list->pdata[from], &list->pdata[i]))
			break;
		jank |= ((const struct ab_made_frame *)list->pdata[i])
				->frame->jank;
	}
	*end_out = i;
	return jank;
}

void ab_chains_list(struct ab_chains *s)
{
	g_autoptr(GArray) made =
		g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GArray) display = NULL;
	g_autoptr(GHashTable) display_tokens = NULL;
	guint i, end;

	ab_frames_timeline.collect(s->trace, NULL, made);
	list = surface_frames(made);
	display = display_frames(made);
	display_tokens = by_display_token(display);
	for (i = 0; i < list->len; i = end) {
		struct ab_chain *c;

		if (!(jank_of_token(list, i, &end) & MISSED))
			continue;
		c = new_chain(list->pdata[i]);
		for (; i < end; i++)
			add_layer(c, list->pdata[i]);
		locate(c, display, display_tokens);
		g_ptr_array_add(s->chains, c);
	}
	limit(s);
}
