// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads.h"

struct ab_threads *ab_threads_new(void)
{
	struct ab_threads *threads = g_new0(struct ab_threads, 1);

	threads->all = g_array_new(FALSE, TRUE, sizeof(struct ab_thread));
	ab_threads_add(threads, 0);
	return threads;
}

void ab_threads_free(struct ab_threads *threads)
{
	guint i;

	if (!threads)
		return;
	for (i = 0; i < G_N_ELEMENTS(threads->pages); i++)
		g_free(threads->pages[i]);
	g_array_unref(threads->all);
	g_free(threads);
}

guint32 ab_threads_add(struct ab_threads *threads, gint32 tid)
{
	struct ab_thread thread = {
		.tid = tid,
		.tgid = -1,
		.runnable_ns = -1,
		.wait_begin_ns = G_MININT64,
		.wait_end_ns = G_MININT64,
		.waker = AB_NO_THREAD,
	};

	guint32 **page = &threads->pages[tid / AB_TID_PAGE];
	guint32 index = threads->all->len;

	if (!*page)
		*page = g_new0(guint32, AB_TID_PAGE);
	if (G_LIKELY(index < AB_MAX_THREADS))
		g_array_append_val(threads->all, thread);
	else
		index = 0;
	threads->refused += tid && !index;
	(*page)[tid % AB_TID_PAGE] = index + 1;
	return index;
}

void ab_threads_end(struct ab_threads *threads, gint32 tid)
{
	guint32 *page = threads->pages[tid / AB_TID_PAGE];

	if (tid && page)
		page[tid % AB_TID_PAGE] = 0;
}
