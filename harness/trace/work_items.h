/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executed work items, and those that wait for it. */
#ifndef TRACE_WORK_ITEMS_H
#define TRACE_WORK_ITEMS_H

#include "analyze.h"

struct ab_work_item {
	gint64 start_ns, end_ns;	/* end -1: not seen */
	gint64 queued_ns, activated_ns; /* -1: not known */
	gint64 wait_ns;	   /* of the worker, for a CPU; -1: unknown */
	gint64 on_cpu_ns;  /* between start and end; while the item is open:
			     what its worker had run before */
	guint32 function;  /* text */
	guint32 workqueue; /* text of its queue event; 0: none matched */
	guint32 thread;
	guint32 outer : 31;	/* index + 1: open when this one was started */
	guint32 unresolved : 1; /* the function is a number */
};

G_STATIC_ASSERT(sizeof(struct ab_work_item) == 64);

/* All items of @trace in the order of their start: struct ab_work_item. */
const GArray *ab_work_items(const struct ab_trace *trace);

/* ---- work_queue.c: queued, not yet started ---- */

/*
 * How many of one generation are remembered.  One more, and all of them are
 * forgotten (most of such a number were cancelled): their queue waits are
 * unknown.
 */
#define AB_PENDING_MAX 65536

/*
 * The number of an item holds within one generation.  Those of two CPUs may
 * overlap by one: a pass reads one CPU after the other.
 */
#define AB_GENERATIONS 2

struct ab_pending {
	guint64 work;			/* the key */
	gint64 queued_ns, activated_ns; /* activated -1: not seen */
	guint32 function, workqueue;	/* texts */
};

/* Those of one generation: few, and new ones all the time. */
struct ab_pending_table {
	guint32 generation;
	guint count, size; /* size: a power of 2; 0: not used yet */
	struct ab_pending *slots;
};

struct ab_work_queue {
	struct ab_pending_table generations[AB_GENERATIONS];
	GArray *workqueues; /* by function: its only one; or SEVERAL */
};

void ab_work_queue_init(struct ab_work_queue *queue);
void ab_work_queue_clear(struct ab_work_queue *queue);
void ab_work_queued(struct ab_work_queue *queue, const struct ab_event *ev);
void ab_work_activated(struct ab_work_queue *queue, const struct ab_event *ev);
/* The item of @ev starts: when was it queued? False when not known. */
bool ab_work_dequeue(struct ab_work_queue *queue, const struct ab_event *ev,
		     struct ab_pending *pending_out);
/* The only workqueue that @function was seen queued on; 0: none or several. */
guint32 ab_work_only_workqueue(const struct ab_work_queue *queue,
			       guint32 function);

/* ---- work.c, work_table.c: the analysis ---- */

struct ab_work {
	struct ab_trace *trace;
	GArray *items; /* struct ab_work_item, by start */
	struct ab_work_queue queue;
};

/* The workqueue of an item; 0: unknown. */
static inline guint32 ab_work_workqueue(const struct ab_work *work,
					const struct ab_work_item *item)
{
	return item->workqueue
		       ? item->workqueue
		       : ab_work_only_workqueue(&work->queue, item->function);
}

void ab_work_tabulate(struct ab_analysis *a, const void *state,
		      GPtrArray *tables);
struct ab_table *ab_work_samples(struct ab_analysis *a, const void *state);

#endif
