// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The thread-state machine sums up each thread's time; here it is split by
 * what a kworker worked for.
 */
#include "thread_times.h"

struct state {
	struct ab_trace *trace;
	GHashTable *parts; /* struct ab_part */
};

static void *begin(struct ab_trace *trace)
{
	struct state *s = g_new0(struct state, 1);

	s->trace = trace;
	s->parts =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, NULL, g_free);
	return s;
}

static void end(void *state)
{
	struct state *s = state;

	g_hash_table_unref(s->parts);
	g_free(s);
}

static struct ab_part *find(struct state *s, guint32 thread, guint32 workqueue)
{
	guint64 key = (guint64)thread << 32 | workqueue;
	struct ab_part *part = g_hash_table_lookup(s->parts, &key);

	if (part || g_hash_table_size(s->parts) >= AB_PARTS_MAX)
		return part;
	part = g_new0(struct ab_part, 1);
	part->key = key;
	part->thread = thread;
	part->workqueue = workqueue;
	g_hash_table_insert(s->parts, &part->key, part);
	return part;
}

static void worked(void *state, const struct ab_thread *th, gint64 begin_ns,
		   gint64 end_ns)
{
	struct state *s = state;
	guint32 thread = (guint32)(th - ab_thread(s->trace->threads, 0));
	struct ab_part *part = find(s, thread, th->workqueue);

	if (!part)
		return;
	ab_interval_add(s->trace, &part->times.running, begin_ns, end_ns);
	part->times.migrations += th->migrated;
	if (th->wait_known)
		ab_interval_add(s->trace,
				th->preempted ? &part->times.after_preemption
					      : &part->times.after_wakeup,
				begin_ns - th->wait_ns, begin_ns);
}

/* An item sleeps: its workqueue is known until its worker runs again. */
static void slept(void *state, const struct ab_sleep *sleep)
{
	struct state *s = state;
	const struct ab_thread *th =
		ab_thread(s->trace->threads, sleep->thread);
	struct ab_part *part =
		th->workqueue ? find(s, sleep->thread, th->workqueue) : NULL;

	if (part)
		ab_interval_add(s->trace, &part->times.d_state, sleep->begin_ns,
				sleep->end_ns);
}

static int by_key(gconstpointer a, gconstpointer b)
{
	const struct ab_part *x = *(const struct ab_part *const *)a;
	const struct ab_part *y = *(const struct ab_part *const *)b;

	return x->key < y->key ? -1 : x->key > y->key;
}

GPtrArray *ab_thread_parts(const void *state)
{
	const struct state *s = state;
	GPtrArray *parts = g_ptr_array_new();
	GHashTableIter iter;
	gpointer part;

	g_hash_table_iter_init(&iter, s->parts);
	while (g_hash_table_iter_next(&iter, NULL, &part))
		g_ptr_array_add(parts, part);
	g_ptr_array_sort(parts, by_key);
	return parts;
}

static void set(struct ab_run_data *data, const char *class_name,
		const char *what, double value)
{
	g_autofree char *name =
		g_strdup_printf("sched.%s.%s", class_name, what);

	ab_run_data_set(data, name, value);
}

static void measure(struct ab_analysis *a, const void *state)
{
	static const char *const names[] = { "sched", NULL };
	g_autoptr(GArray) rows = NULL;
	guint i;

	if (ab_withhold_events(a, ab_no_waits_reason(a->trace), names))
		return;
	rows = ab_class_rows(a, state);
	for (i = 0; i < rows->len; i++) {
		const struct ab_times_row *row =
			&g_array_index(rows, struct ab_times_row, i);
		const struct ab_times *t = &row->times;

		set(a->data, row->name, "running", (double)t->running.ns / 1e6);
		set(a->data, row->name, "wait",
		    (double)ab_times_wait_ns(t) / 1e6);
		set(a->data, row->name, "waits",
		    (double)(t->after_wakeup.n + t->after_preemption.n));
	}
}

const struct ab_analysis_ops ab_analysis_threads = {
	.name = "threads",
	.begin = begin,
	.sleep = slept,
	.worked = worked,
	.measure = measure,
	.tabulate = ab_threads_tabulate,
	.end = end,
};
