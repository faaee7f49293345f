// SPDX-License-Identifier: GPL-3.0-or-later
#include "work_items.h"

void ab_work_queue_init(struct ab_work_queue *queue)
{
	*queue = (struct ab_work_queue){
		.workqueues = g_hash_table_new(NULL, NULL),
	};
}

void ab_work_queue_clear(struct ab_work_queue *queue)
{
	guint i;

	for (i = 0; i < AB_GENERATIONS; i++)
		g_clear_pointer(&queue->generations[i].pending,
				g_hash_table_unref);
	g_hash_table_unref(queue->workqueues);
}

static GHashTable *find(const struct ab_work_queue *queue, guint32 generation)
{
	guint i;

	if (generation == AB_NO_GENERATION)
		return NULL;
	for (i = 0; i < AB_GENERATIONS; i++)
		if (queue->generations[i].pending &&
		    queue->generations[i].generation == generation)
			return queue->generations[i].pending;
	return NULL;
}

/* The older generation gives way; NULL when @generation is older still. */
static GHashTable *find_or_begin(struct ab_work_queue *queue,
				 guint32 generation)
{
	GHashTable *pending = find(queue, generation);
	guint i, oldest = 0;

	if (pending || generation == AB_NO_GENERATION)
		return pending;
	for (i = 0; i < AB_GENERATIONS; i++) {
		if (!queue->generations[i].pending) {
			oldest = i;
			break;
		}
		if (queue->generations[i].generation <
		    queue->generations[oldest].generation)
			oldest = i;
	}
	if (queue->generations[oldest].pending) {
		if (generation < queue->generations[oldest].generation)
			return NULL;
		g_hash_table_unref(queue->generations[oldest].pending);
	}
	pending =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, NULL, g_free);
	queue->generations[oldest].pending = pending;
	queue->generations[oldest].generation = generation;
	return pending;
}

static void learn_workqueue(struct ab_work_queue *queue,
			    const struct ab_event *ev)
{
	gpointer function = GUINT_TO_POINTER(ev->work.function);
	gpointer workqueue = GUINT_TO_POINTER(ev->work.workqueue), known;

	/* A number is another function in another generation. */
	if (!ev->work.workqueue || (ev->flags & AB_EVENT_UNRESOLVED))
		return;
	if (!g_hash_table_lookup_extended(queue->workqueues, function, NULL,
					  &known))
		g_hash_table_insert(queue->workqueues, function, workqueue);
	else if (known && known != workqueue)
		g_hash_table_insert(queue->workqueues, function, NULL);
}

void ab_work_queued(struct ab_work_queue *queue, const struct ab_event *ev)
{
	GHashTable *all = find_or_begin(queue, ev->work.generation);
	struct ab_pending *pending;

	learn_workqueue(queue, ev);
	if (!all)
		return;
	/* Cancelled and queued again: the latest counts. */
	pending = g_hash_table_lookup(all, &ev->work.work);
	if (!pending) {
		if (g_hash_table_size(all) >= AB_PENDING_MAX)
			g_hash_table_remove_all(all);
		pending = g_new(struct ab_pending, 1);
		pending->work = ev->work.work;
		g_hash_table_insert(all, &pending->work, pending);
	}
	pending->queued_ns = ev->ts;
	pending->activated_ns = -1;
	pending->function = ev->work.function;
	pending->workqueue = ev->work.workqueue;
}

void ab_work_activated(struct ab_work_queue *queue, const struct ab_event *ev)
{
	GHashTable *all = find(queue, ev->work.generation);
	struct ab_pending *pending =
		all ? g_hash_table_lookup(all, &ev->work.work) : NULL;

	if (pending && pending->activated_ns < 0)
		pending->activated_ns = ev->ts;
}

bool ab_work_dequeue(struct ab_work_queue *queue, const struct ab_event *ev,
		     struct ab_pending *pending_out)
{
	GHashTable *all = find(queue, ev->work.generation);
	const struct ab_pending *pending =
		all ? g_hash_table_lookup(all, &ev->work.work) : NULL;
	bool same;

	if (!pending)
		return false;
	/* Otherwise the memory was given to another item unseen. */
	same = pending->function == ev->work.function;
	*pending_out = *pending;
	g_hash_table_remove(all, &ev->work.work);
	return same;
}

guint32 ab_work_only_workqueue(const struct ab_work_queue *queue,
			       guint32 function)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(
		queue->workqueues, GUINT_TO_POINTER(function)));
}
