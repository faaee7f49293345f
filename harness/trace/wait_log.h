/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every wait for a CPU in the window: who waited, and how long.  Exact
 * percentiles of any set of threads need them all, and which threads make a
 * class is known at the end only.
 *
 * Each owner has its own chunks, so that a wait takes 4 bytes.
 */
#ifndef TRACE_WAIT_LOG_H
#define TRACE_WAIT_LOG_H

#include "event.h"

/* So many chunks are made; of a trace with more nothing is told. */
#define AB_WAIT_CHUNKS_MAX (2u * 1024 * 1024)
#define AB_WAIT_CHUNK 31

/* Longer ones, of more than two hours, count as that long. */
#define AB_WAIT_NS_BITS 43
#define AB_WAIT_NS_MAX ((G_GUINT64_CONSTANT(1) << AB_WAIT_NS_BITS) - 1)
/* In a word: the rest is the index of a wait that is too long for one. */
#define AB_WAIT_LONG 0x80000000u

struct ab_wait_chunk {
	guint32 owner;
	guint32 ns[AB_WAIT_CHUNK];
};

G_STATIC_ASSERT(sizeof(struct ab_wait_chunk) == 128);

/* One owner's waits, in no particular order: all its chunks are full but the
 * newest, which has @n. */
struct ab_wait_list {
	struct ab_wait_chunk *chunk;
	guint32 n;
};

/* A wait in the log; @ns NULL: there is none. */
struct ab_wait_at {
	guint32 *ns;
	guint32 owner;
};

struct ab_wait_log {
	gsize trace_size;
	GArray *lists;	    /* struct ab_wait_list, by owner */
	GArray *longs;	    /* guint64 */
	GPtrArray *blocks;  /* of chunks */
	guint block_chunks; /* that are taken of the newest block */
	/* The wait before what now runs on a CPU. */
	struct ab_wait_at last[AB_MAX_CPUS];
	bool full; /* some are missing */
};

void ab_wait_log_init(struct ab_wait_log *log, gsize trace_size);
void ab_wait_log_clear(struct ab_wait_log *log);
/* Room for one more wait of @owner; false when there is none. */
bool ab_wait_log_grow(struct ab_wait_log *log, guint32 owner);
/* The word for a wait that is too long for one. */
guint32 ab_wait_log_long(struct ab_wait_log *log, gint64 ns);

static inline bool ab_wait_log_has_room(const struct ab_wait_log *log,
					guint32 owner)
{
	const struct ab_wait_list *list;

	if (owner >= log->lists->len)
		return false;
	list = &g_array_index(log->lists, struct ab_wait_list, owner);
	return list->chunk && list->n < AB_WAIT_CHUNK;
}

/* Where it is.  Owners are small numbers: a list is kept for each. */
static inline struct ab_wait_at ab_wait_log_add(struct ab_wait_log *log,
						guint32 owner, gint64 ns)
{
	struct ab_wait_at at = { NULL, owner };
	struct ab_wait_list *list;

	if (G_UNLIKELY(!ab_wait_log_has_room(log, owner)) &&
	    !ab_wait_log_grow(log, owner))
		return at;
	list = &g_array_index(log->lists, struct ab_wait_list, owner);
	at.ns = &list->chunk->ns[list->n++];
	*at.ns = G_LIKELY((guint64)ns < AB_WAIT_LONG)
			 ? (guint32)ns
			 : ab_wait_log_long(log, ns);
	return at;
}

/* It is another's. */
void ab_wait_log_give(struct ab_wait_log *log, struct ab_wait_at *at,
		      guint32 owner);

/* What is told of a set of waits. */
struct ab_waited {
	guint64 n, n_long; /* n_long: of AB_WAIT_LONG_NS or more */
	guint64 ns;
	double p99_ns; /* NAN without any */
};
#define AB_WAIT_LONG_NS 2000000

/*
 * Sum up @n_sets sets.  @set_of tells which one an owner's waits belong to:
 * for each of the first @n_owners a number below @n_sets.
 */
void ab_wait_log_sum(const struct ab_wait_log *log, const guint32 *set_of,
		     guint32 n_owners, guint n_sets, struct ab_waited *out);

#endif
