/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every wait for a CPU in the window, one word each, in the order of their
 * ends: who waited, and how long.  Exact percentiles of any set of threads
 * need them all, and which threads make a class is known at the end only.
 */
#ifndef TRACE_WAIT_LOG_H
#define TRACE_WAIT_LOG_H

#include "event.h"

/* So many waits are logged; of a trace with more nothing is told. */
#define AB_WAIT_LOG_MAX (64u * 1024 * 1024)
#define AB_WAIT_BLOCK (256u * 1024) /* 2 MB */

/* Longer ones, of more than two hours, count as that long. */
#define AB_WAIT_NS_BITS 43
#define AB_WAIT_NS_MAX ((G_GUINT64_CONSTANT(1) << AB_WAIT_NS_BITS) - 1)
#define AB_WAIT_OWNERS (1u << (64 - AB_WAIT_NS_BITS))

struct ab_wait_log {
	GPtrArray *blocks; /* guint64[AB_WAIT_BLOCK] */
	guint64 *next, *end;
	/* The wait before what now runs on a CPU; NULL: not known. */
	guint64 *last[AB_MAX_CPUS];
	bool full; /* some are missing */
};

void ab_wait_log_init(struct ab_wait_log *log);
void ab_wait_log_clear(struct ab_wait_log *log);
/* Room for more at log->next; false when there is none. */
bool ab_wait_log_grow(struct ab_wait_log *log);

/* @owner is any number below AB_WAIT_OWNERS.  Where it is, or NULL. */
static inline guint64 *ab_wait_log_add(struct ab_wait_log *log, guint32 owner,
				       gint64 ns)
{
	guint64 length = (guint64)ns;

	length = MIN(length, AB_WAIT_NS_MAX);
	if (G_UNLIKELY(log->next == log->end) && !ab_wait_log_grow(log))
		return NULL;
	*log->next = (guint64)owner << AB_WAIT_NS_BITS | length;
	return log->next++;
}

static inline guint32 ab_wait_owner(guint64 wait)
{
	return (guint32)(wait >> AB_WAIT_NS_BITS);
}

static inline guint64 ab_wait_ns(guint64 wait)
{
	return wait & AB_WAIT_NS_MAX;
}

/* It was another's. */
static inline void ab_wait_log_give(guint64 *wait, guint32 owner)
{
	*wait = (guint64)owner << AB_WAIT_NS_BITS | ab_wait_ns(*wait);
}

/* What is told of a set of waits. */
struct ab_waited {
	guint64 n, n_long; /* n_long: of AB_WAIT_LONG_NS or more */
	guint64 ns;
	double p99_ns; /* NAN without any */
};
#define AB_WAIT_LONG_NS 2000000

/*
 * Sum up @n_sets sets.  @set_of tells which one an owner's waits belong to:
 * for each of the @n_owners that were logged a number below @n_sets.
 */
void ab_wait_log_sum(const struct ab_wait_log *log, const guint32 *set_of,
		     guint32 n_owners, guint n_sets, struct ab_waited *out);

#endif
