/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of threads went, summed by class, process and thread. */
#ifndef TRACE_THREAD_TIMES_H
#define TRACE_THREAD_TIMES_H

#include "analyze.h"
#include "thread_rules.h"
#include "wait_log.h"

/* How many pairs of worker and workqueue are told apart. */
#define AB_PARTS_MAX 65536

/* What a worker did for one workqueue. */
struct ab_part {
	guint64 key; /* of both */
	guint32 thread, workqueue;
	guint32 owner; /* of its waits in the log */
	struct ab_times times;
};

/* A class, a process or a thread. */
struct ab_times_row {
	char name[AB_CLASS_MAX]; /* class */
	gint32 id;		 /* process or thread */
	guint32 thread;		 /* of the latest that was added */
	guint threads;
	struct ab_times times;	 /* a max_ns of -1: not known */
	struct ab_waited waited; /* the waits that are in the numbers */
};

/* The pairs, by thread: struct ab_part *; owned by the analysis. */
GPtrArray *ab_thread_parts(const void *state);
/* The log's owners are threads, by index, and in between them the pairs. */
static inline guint32 ab_thread_owner(guint32 thread)
{
	return 2 * thread;
}
static inline guint32 ab_part_owner(guint number)
{
	return 2 * number + 1;
}
const struct ab_wait_log *ab_thread_waits(const void *state);
/*
 * Rows (struct ab_times_row) with a time in the window, the longest wait for
 * a CPU first; to be unreferenced.
 */
GArray *ab_class_rows(const struct ab_analysis *a, const void *state);
/* The same, and what they waited. */
GArray *ab_class_rows_waited(const struct ab_analysis *a, const void *state);
GArray *ab_process_rows(const struct ab_analysis *a);
GArray *ab_thread_rows(const struct ab_analysis *a);

/* Runnable, not running. */
static inline gint64 ab_times_wait_ns(const struct ab_times *times)
{
	return ab_ns_add(times->after_wakeup.ns, times->after_preemption.ns);
}

void ab_threads_tabulate(struct ab_analysis *a, const void *state,
			 GPtrArray *tables);

#endif
