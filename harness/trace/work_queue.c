// SPDX-License-Identifier: GPL-3.0-or-later
#include "work_items.h"

/* An item's function was seen on more than one workqueue. */
#define SEVERAL G_MAXUINT32
/* The activated_ns of a slot in which nothing is. */
#define EMPTY G_MININT64
#define FIRST_SIZE 64

/* ---- one generation's table: open addressing, at most half full ---- */

static guint home(const struct ab_pending_table *t, guint64 work)
{
	return ab_key_hash(&work) & (t->size - 1);
}

static guint after(const struct ab_pending_table *t, guint at)
{
	return (at + 1) & (t->size - 1);
}

static bool is_empty(const struct ab_pending *p)
{
	return p->activated_ns == EMPTY;
}

static void clear(struct ab_pending_table *t)
{
	guint i;

	for (i = 0; i < t->size; i++)
		t->slots[i].activated_ns = EMPTY;
	t->count = 0;
}

/* Where @work is, or would be. */
static struct ab_pending *slot_of(const struct ab_pending_table *t,
				  guint64 work)
{
	guint at = home(t, work);

	while (!is_empty(&t->slots[at]) && t->slots[at].work != work)
		at = after(t, at);
	return &t->slots[at];
}

static void set_size(struct ab_pending_table *t, guint size)
{
	struct ab_pending_table old = *t;
	guint i;

	t->size = size;
	t->slots = g_new(struct ab_pending, size);
	clear(t);
	for (i = 0; i < old.size; i++)
		if (!is_empty(&old.slots[i]))
			*slot_of(t, old.slots[i].work) = old.slots[i];
	t->count = old.count;
	g_free(old.slots);
}

/* Empty, and small again: clearing a large one takes long. */
static void restart(struct ab_pending_table *t, guint32 generation)
{
	if (t->size != FIRST_SIZE) {
		g_clear_pointer(&t->slots, g_free);
		t->size = 0;
		set_size(t, FIRST_SIZE);
	}
	clear(t);
	t->generation = generation;
}

/* NULL when it is not there. */
static struct ab_pending *lookup(const struct ab_pending_table *t, guint64 work)
{
	struct ab_pending *p = t ? slot_of(t, work) : NULL;

	return p && !is_empty(p) ? p : NULL;
}

static struct ab_pending *insert(struct ab_pending_table *t, guint64 work)
{
	struct ab_pending *p = slot_of(t, work);

	if (!is_empty(p))
		return p;
	if (t->count >= AB_PENDING_MAX)
		clear(t);
	else if (2 * (t->count + 1) > t->size)
		set_size(t, 2 * t->size);
	t->count++;
	p = slot_of(t, work);
	p->work = work;
	return p;
}

/* What stands behind @p and would not be found across a hole moves up. */
static void take_out(struct ab_pending_table *t, struct ab_pending *p)
{
	guint hole = (guint)(p - t->slots), at = hole, mask = t->size - 1;

	for (at = after(t, at); !is_empty(&t->slots[at]); at = after(t, at)) {
		guint distance = (at - home(t, t->slots[at].work)) & mask;

		if (distance < ((at - hole) & mask))
			continue;
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole].activated_ns = EMPTY;
	t->count--;
}

/* ---- all of them ---- */

void ab_work_queue_init(struct ab_work_queue *queue)
{
	*queue = (struct ab_work_queue){
		.workqueues = g_array_new(FALSE, TRUE, sizeof(guint32)),
	};
}

void ab_work_queue_clear(struct ab_work_queue *queue)
{
	guint i;

	for (i = 0; i < AB_GENERATIONS; i++)
		g_clear_pointer(&queue->generations[i].slots, g_free);
	g_array_unref(queue->workqueues);
}

static struct ab_pending_table *find(struct ab_work_queue *queue,
				     guint32 generation)
{
	guint i;

	if (generation == AB_NO_GENERATION)
		return NULL;
	for (i = 0; i < AB_GENERATIONS; i++)
		if (queue->generations[i].size &&
		    queue->generations[i].generation == generation)
			return &queue->generations[i];
	return NULL;
}

/* The older generation gives way; NULL when @generation is older still. */
static struct ab_pending_table *find_or_begin(struct ab_work_queue *queue,
					      guint32 generation)
{
	struct ab_pending_table *t = find(queue, generation);
	guint i;

	if (t || generation == AB_NO_GENERATION)
		return t;
	for (i = 0, t = queue->generations; i < AB_GENERATIONS; i++) {
		struct ab_pending_table *other = &queue->generations[i];

		if (!other->size) {
			t = other;
			break;
		}
		if (other->generation < t->generation)
			t = other;
	}
	if (t->size && generation < t->generation)
		return NULL;
	restart(t, generation);
	return t;
}

static void learn_workqueue(struct ab_work_queue *queue,
			    const struct ab_event *ev)
{
	guint32 *known;

	/* A number is another function in another generation. */
	if (!ev->work.workqueue || (ev->flags & AB_EVENT_UNRESOLVED))
		return;
	if (ev->work.function >= queue->workqueues->len)
		g_array_set_size(queue->workqueues, ev->work.function + 1);
	known = &g_array_index(queue->workqueues, guint32, ev->work.function);
	if (!*known)
		*known = ev->work.workqueue;
	else if (*known != ev->work.workqueue)
		*known = SEVERAL;
}

void ab_work_queued(struct ab_work_queue *queue, const struct ab_event *ev)
{
	struct ab_pending_table *t = find_or_begin(queue, ev->work.generation);
	struct ab_pending *pending;

	learn_workqueue(queue, ev);
	if (!t)
		return;
	/* Cancelled and queued again: the latest counts. */
	pending = insert(t, ev->work.work);
	pending->queued_ns = ev->ts;
	pending->activated_ns = -1;
	pending->function = ev->work.function;
	pending->workqueue = ev->work.workqueue;
}

void ab_work_activated(struct ab_work_queue *queue, const struct ab_event *ev)
{
	struct ab_pending *pending =
		lookup(find(queue, ev->work.generation), ev->work.work);

	if (pending && pending->activated_ns < 0)
		pending->activated_ns = ev->ts;
}

bool ab_work_dequeue(struct ab_work_queue *queue, const struct ab_event *ev,
		     struct ab_pending *pending_out)
{
	struct ab_pending_table *t = find(queue, ev->work.generation);
	struct ab_pending *pending = lookup(t, ev->work.work);

	if (!pending)
		return false;
	*pending_out = *pending;
	take_out(t, pending);
	/* Otherwise the memory was given to another item unseen. */
	return pending_out->function == ev->work.function;
}

guint32 ab_work_only_workqueue(const struct ab_work_queue *queue,
			       guint32 function)
{
	guint32 known = 0;

	if (function < queue->workqueues->len)
		known = g_array_index(queue->workqueues, guint32, function);
	return known == SEVERAL ? 0 : known;
}
