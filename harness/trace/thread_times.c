// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The thread-state machine sums up each thread's time; here it is split by
 * what a kworker worked for, and each wait is kept for the percentiles.
 */
#include "thread_times.h"

struct state {
	struct ab_trace *trace;
	GHashTable *parts; /* struct ab_part */
	struct ab_wait_log waits;
};

static void *begin(struct ab_trace *trace)
{
	struct state *s = g_new0(struct state, 1);

	s->trace = trace;
	s->parts =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, NULL, g_free);
	ab_wait_log_init(&s->waits, trace->size);
	return s;
}

static void end(void *state)
{
	struct state *s = state;

	g_hash_table_unref(s->parts);
	ab_wait_log_clear(&s->waits);
	g_free(s);
}

/* The numbers of waits have those that are whole in the window, and so here. */
static inline struct ab_wait_at log_wait(struct state *s, guint32 thread,
					 gint64 begin_ns, gint64 end_ns)
{
	const struct ab_wait_at none = { NULL, 0 };

	if (G_UNLIKELY(begin_ns < s->trace->begin_ns ||
		       end_ns > s->trace->end_ns))
		return none;
	return ab_wait_log_add(&s->waits, ab_thread_owner(thread),
			       end_ns - begin_ns);
}

/* What a thread waits before and after a wakeup are two waits. */
static void switched(void *state, struct ab_sched *sched,
		     const struct ab_event *ev)
{
	struct state *s = state;
	guint32 index = ab_sched_current(sched, ev->cpu);
	const struct ab_thread *th;
	gint64 begin;

	s->waits.last[ev->cpu].ns = NULL;
	if (!index || index == AB_NO_THREAD)
		return;
	th = ab_thread(sched->threads, index);
	if (!th->wait_known || th->run_state != AB_RUNNING ||
	    th->since_ns != ev->ts)
		return;
	begin = ev->ts - th->wait_ns;
	if (G_UNLIKELY(th->wait_end_ns == ev->ts && th->wait_begin_ns < begin))
		log_wait(s, index, th->wait_begin_ns, begin);
	s->waits.last[ev->cpu] = log_wait(s, index, begin, ev->ts);
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
	part->owner = ab_part_owner(g_hash_table_size(s->parts));
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
	if (!th->wait_known)
		return;
	ab_interval_add(s->trace,
			th->preempted ? &part->times.after_preemption
				      : &part->times.after_wakeup,
			begin_ns - th->wait_ns, begin_ns);
	if (s->waits.last[th->cpu].ns)
		ab_wait_log_give(&s->waits, &s->waits.last[th->cpu],
				 part->owner);
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

const struct ab_wait_log *ab_thread_waits(const void *state)
{
	return &((const struct state *)state)->waits;
}

static void set(struct ab_run_data *data, const char *class_name,
		const char *what, double value)
{
	g_autofree char *name =
		g_strdup_printf("sched.%s.%s", class_name, what);

	ab_run_data_set(data, name, value);
}

static void set_waits(struct ab_run_data *data, const struct ab_times_row *row)
{
	const struct ab_waited *w = &row->waited;

	set(data, row->name, "waits_ge_2ms", (double)w->n_long);
	if (!w->n)
		return;
	set(data, row->name, "wait_mean", (double)w->ns / 1e3 / (double)w->n);
	set(data, row->name, "wait_p99", w->p99_ns / 1e3);
}

static void measure(struct ab_analysis *a, const void *state)
{
	static const char *const names[] = { "sched", NULL };
	const struct state *s = state;
	g_autoptr(GArray) rows = NULL;
	guint i;

	if (ab_withhold_events(a, ab_no_waits_reason(a->trace), names))
		return;
	rows = ab_class_rows_waited(a, state);
	for (i = 0; i < rows->len; i++) {
		const struct ab_times_row *row =
			&g_array_index(rows, struct ab_times_row, i);
		const struct ab_times *t = &row->times;

		set(a->data, row->name, "running", (double)t->running.ns / 1e6);
		set(a->data, row->name, "wait",
		    (double)ab_times_wait_ns(t) / 1e6);
		set(a->data, row->name, "waits",
		    (double)(t->after_wakeup.n + t->after_preemption.n));
		if (!s->waits.full)
			set_waits(a->data, row);
	}
}

const struct ab_analysis_ops ab_analysis_threads = {
	.name = "threads",
	.kinds = AB_KIND(AB_EV_SWITCH),
	.begin = begin,
	.event = switched,
	.sleep = slept,
	.worked = worked,
	.measure = measure,
	.tabulate = ab_threads_tabulate,
	.end = end,
};
