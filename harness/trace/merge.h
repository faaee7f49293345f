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

/* Node 1 is the root, node n_leaves + i stands for stream i. */
struct ab_merge {
	guint32 n_leaves; /* a power of two */
	gint64 *heads;	  /* of the stream that wins at each node, */
	guint32 *streams; /* and its number */
};

/* @heads: the first time stamp of each of @n streams, or AB_MERGE_END. */
void ab_merge_init(struct ab_merge *merge, const gint64 *heads, guint n);
void ab_merge_clear(struct ab_merge *merge);

/* The stream that comes first, */
static inline guint32 ab_merge_first(const struct ab_merge *merge)
{
	return merge->streams[1];
}

/* and its head: AB_MERGE_END when all have ended. */
static inline gint64 ab_merge_head(const struct ab_merge *merge)
{
	return merge->heads[1];
}

/*
 * Stream @stream, which had the turn, has @head next.  Returns the stream that
 * has the turn now.
 *
 * No branch depends on the data: which stream is next cannot be predicted.
 */
static inline guint32 ab_merge_advance(struct ab_merge *merge, guint32 stream,
				       gint64 head)
{
	gint64 *heads = merge->heads, best = head;
	guint32 *streams = merge->streams, winner = stream;
	gsize at = (gsize)merge->n_leaves + stream;

	heads[at] = head;
	for (; at > 1; at /= 2) {
		gint64 other = heads[at ^ 1];
		guint32 stream_of_other = streams[at ^ 1];
		/* The left one wins when equal. */
		gboolean take = other < best + (gint64)(at & 1);

		best = take ? other : best;
		winner = take ? stream_of_other : winner;
		heads[at / 2] = best;
		streams[at / 2] = winner;
	}
	return head <= best ? stream : winner;
}

#endif
