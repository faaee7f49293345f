// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads.h"

struct ab_threads *ab_threads_new(void)
{
	struct ab_threads *threads = g_new0(struct ab_threads, 1);

	threads->all = g_array_new(FALSE, TRUE, sizeof(struct ab_thread));
	/* Zero pages that nobody writes cost nothing. */
	threads->by_tid = g_new0(guint32, AB_MAX_TID);
	ab_threads_add(threads, 0);
	return threads;
}

void ab_threads_free(struct ab_threads *threads)
{
	if (!threads)
		return;
	g_array_unref(threads->all);
	g_free(threads->by_tid);
	g_free(threads);
}

guint32 ab_threads_add(struct ab_threads *threads, gint32 tid)
{
	struct ab_thread thread = {
		.tid = tid,
		.tgid = -1,
		.runnable_ns = -1,
		.waker = AB_NO_THREAD,
	};

	g_array_append_val(threads->all, thread);
	threads->by_tid[tid] = threads->all->len;
	return threads->all->len - 1;
}

void ab_threads_end(struct ab_threads *threads, gint32 tid)
{
	if (tid)
		threads->by_tid[tid] = 0;
}

void ab_threads_name(struct ab_threads *threads, guint32 index,
		     struct ab_bytes comm, enum ab_name_rank rank)
{
	struct ab_thread *thread = ab_thread(threads, index);
	gsize n = MIN(comm.n, AB_COMM_SIZE - 1);

	if (!n || rank < thread->name_rank)
		return;
	if (!memcmp(thread->comm, comm.p, n) && !thread->comm[n] &&
	    thread->name_rank == rank)
		return;
	memcpy(thread->comm, comm.p, n);
	thread->comm[n] = '\0';
	thread->name_rank = rank;
}
