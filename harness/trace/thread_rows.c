// SPDX-License-Identifier: GPL-3.0-or-later
/* The sums of threads, put together. */
#include "thread_times.h"

static const gsize sums[] = {
	offsetof(struct ab_times, running),
	offsetof(struct ab_times, after_wakeup),
	offsetof(struct ab_times, after_preemption),
	offsetof(struct ab_times, d_state),
	offsetof(struct ab_times, s_state),
};

static struct ab_interval_sum *sum_at(struct ab_times *times, guint i)
{
	return (struct ab_interval_sum *)(void *)((char *)times + sums[i]);
}

static const struct ab_interval_sum *const_sum_at(const struct ab_times *times,
						  guint i)
{
	return sum_at((struct ab_times *)times, i);
}

static void add_times(struct ab_times *to, const struct ab_times *times)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sums); i++) {
		struct ab_interval_sum *sum = sum_at(to, i);
		const struct ab_interval_sum *other = const_sum_at(times, i);
		bool known = sum->max_ns >= 0 && other->max_ns >= 0;

		sum->ns = ab_ns_add(sum->ns, other->ns);
		sum->n += other->n;
		sum->max_ns = known ? MAX(sum->max_ns, other->max_ns) : -1;
	}
	to->migrations += times->migrations;
}

/* The longest of what is left is known when it was not taken out. */
static void take_out(struct ab_times *from, const struct ab_times *part)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sums); i++) {
		struct ab_interval_sum *sum = sum_at(from, i);
		const struct ab_interval_sum *other = const_sum_at(part, i);

		sum->ns -= other->ns;
		sum->n -= other->n;
		if (!sum->n)
			sum->max_ns = 0;
		else if (other->n && other->max_ns == sum->max_ns)
			sum->max_ns = -1;
	}
	from->migrations -= part->migrations;
}

static bool any_time(const struct ab_times *times)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sums); i++)
		if (const_sum_at(times, i)->ns)
			return true;
	return false;
}

static int by_wait(gconstpointer a, gconstpointer b)
{
	const struct ab_times_row *x = a, *y = b;
	gint64 wait = ab_times_wait_ns(&x->times);
	gint64 other = ab_times_wait_ns(&y->times);

	if (wait != other)
		return wait < other ? 1 : -1;
	if (x->times.running.ns != y->times.running.ns)
		return x->times.running.ns < y->times.running.ns ? 1 : -1;
	return x->id != y->id ? (x->id < y->id ? -1 : 1)
			      : strcmp(x->name, y->name);
}

static struct ab_times_row *row_of(GArray *rows, GHashTable *index,
				   const char *name, gint32 id)
{
	g_autofree char *key = g_strdup_printf("%d %s", id, name);
	gpointer found = g_hash_table_lookup(index, key);
	struct ab_times_row row = { .id = id, .thread = AB_NO_THREAD };

	if (!found) {
		g_strlcpy(row.name, name, sizeof(row.name));
		g_array_append_val(rows, row);
		found = GUINT_TO_POINTER(rows->len);
		g_hash_table_insert(index, g_steal_pointer(&key), found);
	}
	return &g_array_index(rows, struct ab_times_row,
			      GPOINTER_TO_UINT(found) - 1);
}

static void add_to_row(struct ab_times_row *row, guint32 thread,
		       const struct ab_times *times)
{
	/* A worker may have worked for several workqueues of a class. */
	row->threads += row->thread != thread;
	row->thread = thread;
	add_times(&row->times, times);
}

struct builder {
	const struct ab_analysis *a;
	GArray *rows;
	GHashTable *index;
	guint32 *row_of_owner; /* index + 1; NULL: nobody asks for waits */
};

/* @owner: of the waits of @times. */
static void add_to_class(struct builder *b, guint32 thread, guint32 workqueue,
			 const struct ab_times *times, guint32 owner)
{
	struct ab_times_row *row;
	const struct ab_trace *trace = b->a->trace;
	char name[AB_CLASS_MAX];

	if (!any_time(times))
		return;
	ab_thread_class(b->a->rules, trace, ab_thread(trace->threads, thread),
			workqueue, name);
	row = row_of(b->rows, b->index, name, 0);
	add_to_row(row, thread, times);
	if (b->row_of_owner)
		b->row_of_owner[owner] =
			(guint32)(row - (struct ab_times_row *)(void *)
						b->rows->data) +
			1;
}

static void builder_init(struct builder *b, const struct ab_analysis *a)
{
	*b = (struct builder){ .a = a };
	b->rows = g_array_new(FALSE, FALSE, sizeof(struct ab_times_row));
	b->index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static GArray *builder_finish(struct builder *b)
{
	g_hash_table_unref(b->index);
	g_array_sort(b->rows, by_wait);
	return b->rows;
}

static void add_classes(struct builder *b, const GPtrArray *parts)
{
	const struct ab_threads *threads = b->a->trace->threads;
	guint32 i;
	guint at = 0;

	for (i = 1; i < threads->all->len; i++) {
		struct ab_times rest = ab_thread(threads, i)->times;

		for (; at < parts->len; at++) {
			const struct ab_part *part = parts->pdata[at];

			if (part->thread != i)
				break;
			add_to_class(b, i, part->workqueue, &part->times,
				     part->owner);
			take_out(&rest, &part->times);
		}
		add_to_class(b, i, 0, &rest, ab_thread_owner(i));
	}
}

GArray *ab_class_rows(const struct ab_analysis *a, const void *state)
{
	g_autoptr(GPtrArray) parts = ab_thread_parts(state);
	struct builder b;

	builder_init(&b, a);
	add_classes(&b, parts);
	return builder_finish(&b);
}

GArray *ab_class_rows_waited(const struct ab_analysis *a, const void *state)
{
	g_autoptr(GPtrArray) parts = ab_thread_parts(state);
	g_autofree struct ab_waited *waited = NULL;
	g_autofree guint32 *row_of_owner = NULL;
	guint32 n_owners = 2 * MAX(a->trace->threads->all->len, parts->len);
	struct builder b;
	guint i;

	builder_init(&b, a);
	b.row_of_owner = row_of_owner = g_new0(guint32, n_owners);
	add_classes(&b, parts);
	/* Set 0 is of those that have no time in the window. */
	waited = g_new(struct ab_waited, b.rows->len + 1);
	ab_wait_log_sum(ab_thread_waits(state), row_of_owner, n_owners,
			b.rows->len + 1, waited);
	for (i = 0; i < b.rows->len; i++)
		g_array_index(b.rows, struct ab_times_row, i).waited =
			waited[i + 1];
	return builder_finish(&b);
}

GArray *ab_process_rows(const struct ab_analysis *a)
{
	const struct ab_threads *threads = a->trace->threads;
	struct builder b;
	guint32 i;

	builder_init(&b, a);
	for (i = 1; i < threads->all->len; i++) {
		const struct ab_thread *th = ab_thread(threads, i);

		if (any_time(&th->times))
			add_to_row(row_of(b.rows, b.index, "", th->tgid), i,
				   &th->times);
	}
	return builder_finish(&b);
}

GArray *ab_thread_rows(const struct ab_analysis *a)
{
	const struct ab_threads *threads = a->trace->threads;
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct ab_times_row));
	guint32 i;

	for (i = 1; i < threads->all->len; i++) {
		const struct ab_thread *th = ab_thread(threads, i);
		struct ab_times_row row = { .id = th->tid };

		if (!any_time(&th->times))
			continue;
		add_to_row(&row, i, &th->times);
		g_array_append_val(rows, row);
	}
	g_array_sort(rows, by_wait);
	return rows;
}
