/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A k-way merge in time: which of several streams comes next?
 *
 * A winner tree.  Of equal heads the stream with the lower number wins, but a
 * stream that has the turn goes on while no other head is earlier: that is
 * trace processor's order.
 */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include <glib.h>

/* The head of a stream that has ended; adding 1 must not overflow. */
#define AB_MERGE_END (G_MAXINT64 - 1)

struct ab_merge_node {
	gint64 head;
	guint32 stream;
};

struct ab_merge {
	guint32 n_leaves;	     /* a power of two */
	struct ab_merge_node *nodes; /* [1] the root, [n_leaves + i] stream i */
};

/* @heads: the first time stamp of each of @n streams, or AB_MERGE_END. */
void ab_merge_init(struct ab_merge *merge, const gint64 *heads, guint n);
void ab_merge_clear(struct ab_merge *merge);

/* The stream that comes first, and its head. */
static inline const struct ab_merge_node *
ab_merge_first(const struct ab_merge *merge)
{
	return &merge->nodes[1];
}

/*
 * Stream @stream, which had the turn, has @head next.  Returns the stream that
 * has the turn now; its head is AB_MERGE_END when all have ended.
 *
 * No branch depends on the data: which stream is next cannot be predicted.
 */
static inline guint32 ab_merge_advance(struct ab_merge *merge, guint32 stream,
				       gint64 head)
{
	struct ab_merge_node *nodes = merge->nodes;
	guint32 at = merge->n_leaves + stream;
	struct ab_merge_node best = { head, stream };

	nodes[at] = best;
	while (at > 1) {
		struct ab_merge_node other = nodes[at ^ 1];
		/* The left one wins when equal. */
		gboolean take = other.head < best.head + (at & 1);

		best.head = take ? other.head : best.head;
		best.stream = take ? other.stream : best.stream;
		at /= 2;
		nodes[at] = best;
	}
	return head <= best.head ? stream : best.stream;
}

#endif
