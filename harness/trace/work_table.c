// SPDX-License-Identifier: GPL-3.0-or-later
/* Work items by function and workqueue, and one by one. */
#include "columns.h"
#include "work_items.h"

#include <math.h>

#define NS_PER_MS 1000000

/* The items of one function on one workqueue. */
struct group {
	guint64 key;
	guint32 function, workqueue;
	guint first, last; /* item, index + 1 */
	guint items, unknown, open, ge_2ms, ge_5ms;
	gint64 total_wait_ns;
};

/* All groups; the next item of the same group, index + 1, by item. */
struct grouped {
	const GArray *items;
	GHashTable *groups;
	guint32 *next;
};

/* Of one group after the other; arrays of gint64. */
struct times {
	GArray *cpu_wait, *queue_wait, *activation, *run, *on_cpu;
};

static void times_init(struct times *t)
{
	GArray **arrays[] = { &t->cpu_wait, &t->queue_wait, &t->activation,
			      &t->run, &t->on_cpu };
	guint i;

	for (i = 0; i < G_N_ELEMENTS(arrays); i++)
		*arrays[i] = g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void times_clear(struct times *t)
{
	g_array_unref(t->cpu_wait);
	g_array_unref(t->queue_wait);
	g_array_unref(t->activation);
	g_array_unref(t->run);
	g_array_unref(t->on_cpu);
}

static struct group *find(GHashTable *groups, guint32 function,
			  guint32 workqueue)
{
	guint64 key = (guint64)function << 32 | workqueue;
	struct group *g = g_hash_table_lookup(groups, &key);

	if (g)
		return g;
	g = g_new0(struct group, 1);
	g->key = key;
	g->function = function;
	g->workqueue = workqueue;
	g_hash_table_insert(groups, &g->key, g);
	return g;
}

static const struct ab_work_item *item_at(const GArray *items, guint i)
{
	return &g_array_index(items, struct ab_work_item, i);
}

/* Item @i is the group's last now. */
static void add_item(struct grouped *all, struct group *g, guint i)
{
	const struct ab_work_item *item = item_at(all->items, i);

	if (g->last)
		all->next[g->last - 1] = i + 1;
	else
		g->first = i + 1;
	g->last = i + 1;
	all->next[i] = 0;
	g->items++;
	g->open += item->end_ns < 0;
	if (item->wait_ns < 0) {
		g->unknown++;
		return;
	}
	g->total_wait_ns = ab_ns_add(g->total_wait_ns, item->wait_ns);
	g->ge_2ms += item->wait_ns >= 2 * NS_PER_MS;
	g->ge_5ms += item->wait_ns >= 5 * NS_PER_MS;
}

static void add_difference(GArray *array, gint64 begin_ns, gint64 end_ns)
{
	gint64 difference = end_ns - begin_ns;

	if (begin_ns >= 0 && end_ns >= 0)
		g_array_append_val(array, difference);
}

static void add_times(struct times *t, const struct ab_work_item *item)
{
	add_difference(t->cpu_wait, 0, item->wait_ns);
	add_difference(t->queue_wait, item->queued_ns, item->start_ns);
	add_difference(t->activation, item->queued_ns, item->activated_ns);
	add_difference(t->run, item->start_ns, item->end_ns);
	if (item->end_ns >= 0)
		add_difference(t->on_cpu, 0, item->on_cpu_ns);
}

static void collect_times(struct times *t, const struct grouped *all,
			  const struct group *g)
{
	guint at;

	g_array_set_size(t->cpu_wait, 0);
	g_array_set_size(t->queue_wait, 0);
	g_array_set_size(t->activation, 0);
	g_array_set_size(t->run, 0);
	g_array_set_size(t->on_cpu, 0);
	for (at = g->first; at; at = all->next[at - 1])
		add_times(t, item_at(all->items, at - 1));
}

/* The longest total CPU wait first. */
static int by_wait(gconstpointer a, gconstpointer b, gpointer trace)
{
	const struct group *x = *(const struct group *const *)a;
	const struct group *y = *(const struct group *const *)b;

	if (x->total_wait_ns != y->total_wait_ns)
		return x->total_wait_ns < y->total_wait_ns ? 1 : -1;
	if (x->items != y->items)
		return x->items < y->items ? 1 : -1;
	if (x->function != y->function)
		return strcmp(ab_trace_text(trace, x->function),
			      ab_trace_text(trace, y->function));
	return strcmp(ab_trace_text(trace, x->workqueue),
		      ab_trace_text(trace, y->workqueue));
}

static GPtrArray *sorted_groups(struct ab_trace *trace, GHashTable *groups)
{
	GPtrArray *sorted = g_ptr_array_new();
	GHashTableIter iter;
	gpointer group;

	g_hash_table_iter_init(&iter, groups);
	while (g_hash_table_iter_next(&iter, NULL, &group))
		g_ptr_array_add(sorted, group);
	g_ptr_array_sort_with_data(sorted, by_wait, trace);
	return sorted;
}

static const struct ab_column wait_columns[] = {
	AB_TEXT_COLUMN("function", "function"),
	AB_TEXT_COLUMN("workqueue", "workqueue"),
	AB_COUNT_COLUMN("items", "items"),
	AB_US_COLUMN("cpu_wait_mean_us", "CPU wait mean"),
	AB_US_COLUMN("cpu_wait_p50_us", "CPU wait P50"),
	AB_US_COLUMN("cpu_wait_p90_us", "CPU wait P90"),
	AB_US_COLUMN("cpu_wait_p99_us", "CPU wait P99"),
	AB_US_COLUMN("cpu_wait_max_us", "CPU wait max"),
	AB_COUNT_COLUMN("cpu_wait_ge_2ms", ">= 2 ms"),
	AB_COUNT_COLUMN("cpu_wait_ge_5ms", ">= 5 ms"),
	AB_COUNT_COLUMN("cpu_wait_unknown", "not known"),
};

static const struct ab_column time_columns[] = {
	AB_TEXT_COLUMN("function", "function"),
	AB_TEXT_COLUMN("workqueue", "workqueue"),
	AB_COUNT_COLUMN("queue_waits", "queue waits"),
	AB_US_COLUMN("queue_wait_mean_us", "queue wait mean"),
	AB_US_COLUMN("queue_wait_p99_us", "queue wait P99"),
	AB_US_COLUMN("queue_wait_max_us", "queue wait max"),
	AB_US_COLUMN("activation_max_us", "activ. max"),
	AB_US_COLUMN("run_mean_us", "run mean"),
	AB_US_COLUMN("run_p99_us", "run P99"),
	AB_US_COLUMN("run_max_us", "run max"),
	AB_US_COLUMN("on_cpu_mean_us", "on CPU mean"),
	AB_US_COLUMN("on_cpu_p99_us", "on CPU P99"),
	AB_US_COLUMN("on_cpu_max_us", "on CPU max"),
	AB_COUNT_COLUMN("open", "open"),
};

static void add_names(struct ab_table *table, const struct ab_trace *trace,
		      guint32 function, guint32 workqueue)
{
	ab_table_text(table, function ? ab_trace_text(trace, function)
				      : "(no symbol)");
	ab_table_text(table, ab_trace_text(trace, workqueue));
}

static void add_wait_row(struct ab_table *table, const struct ab_trace *trace,
			 const struct group *g, const struct times *t)
{
	struct ab_spread wait;

	ab_spread_of(t->cpu_wait, &wait);
	add_names(table, trace, g->function, g->workqueue);
	ab_table_count(table, g->items);
	ab_spread_cells(table, &wait);
	ab_table_count(table, g->ge_2ms);
	ab_table_count(table, g->ge_5ms);
	ab_table_count(table, g->unknown);
}

static void add_three(struct ab_table *table, GArray *values)
{
	struct ab_spread spread;

	ab_spread_of(values, &spread);
	ab_table_number(table, spread.mean_us);
	ab_table_number(table, spread.p99_us);
	ab_table_number(table, spread.max_us);
}

static void add_time_row(struct ab_table *table, const struct ab_trace *trace,
			 const struct group *g, const struct times *t)
{
	struct ab_spread activation;

	ab_spread_of(t->activation, &activation);
	add_names(table, trace, g->function, g->workqueue);
	ab_table_count(table, t->queue_wait->len);
	add_three(table, t->queue_wait);
	ab_table_number(table, activation.max_us);
	add_three(table, t->run);
	add_three(table, t->on_cpu);
	ab_table_count(table, g->open);
}

/* The items in the window; a number may be several functions: all make one
 * row. */
static void group_items(struct grouped *all, const struct ab_work *work)
{
	guint i;

	for (i = 0; i < work->items->len; i++) {
		const struct ab_work_item *item = item_at(work->items, i);

		if (ab_in_window(work->trace, item->start_ns))
			add_item(all,
				 find(all->groups,
				      item->unresolved ? 0 : item->function,
				      ab_work_workqueue(work, item)),
				 i);
	}
}

static void add_rows(struct ab_table *waits, struct ab_table *spent,
		     struct ab_trace *trace, const struct grouped *all)
{
	g_autoptr(GPtrArray) sorted = sorted_groups(trace, all->groups);
	struct times t;
	guint i;

	times_init(&t);
	for (i = 0; i < sorted->len; i++) {
		collect_times(&t, all, sorted->pdata[i]);
		add_wait_row(waits, trace, sorted->pdata[i], &t);
		add_time_row(spent, trace, sorted->pdata[i], &t);
	}
	times_clear(&t);
}

void ab_work_tabulate(struct ab_analysis *a, const void *state,
		      GPtrArray *tables)
{
	const struct ab_work *work = state;
	g_autoptr(GHashTable) groups =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, NULL, g_free);
	g_autofree char *lost = ab_lost_reason(a->trace, a->trace->lost_events);
	g_autofree guint32 *next = NULL;
	struct grouped all = { work->items, groups, NULL };
	struct ab_table *waits, *spent;

	if (lost || !a->trace->seen[AB_EV_WORK_START])
		return;
	next = g_new(guint32, work->items->len);
	all.next = next;
	group_items(&all, work);
	waits = AB_NEW_TABLE("work", "Work items: CPU wait of the worker",
			     wait_columns);
	spent = AB_NEW_TABLE("work_times",
			     "Work items: from queue to end, and on a CPU",
			     time_columns);
	add_rows(waits, spent, a->trace, &all);
	if (ab_no_waits_reason(a->trace))
		ab_table_free(waits);
	else
		g_ptr_array_add(tables, waits);
	g_ptr_array_add(tables, spent);
}

static const struct ab_column sample_columns[] = {
	AB_TIME_COLUMN("start_ns", "start"),
	AB_TEXT_COLUMN("function", "function"),
	AB_TEXT_COLUMN("workqueue", "workqueue"),
	AB_TEXT_COLUMN("thread", "thread"),
	AB_COUNT_COLUMN("tid", "tid"),
	AB_US_COLUMN("cpu_wait_us", "CPU wait"),
	AB_US_COLUMN("queue_wait_us", "queue wait"),
	AB_US_COLUMN("activation_us", "activation"),
	AB_US_COLUMN("run_us", "run"),
	AB_US_COLUMN("on_cpu_us", "on CPU"),
};

/* In microseconds; NAN when one of both instants is not known. */
static void add_us(struct ab_table *table, gint64 begin_ns, gint64 end_ns)
{
	bool known = begin_ns >= 0 && end_ns >= 0;

	ab_table_number(table, known ? (double)(end_ns - begin_ns) / 1e3 : NAN);
}

struct ab_table *ab_work_samples(struct ab_analysis *a, const void *state)
{
	const struct ab_work *work = state;
	struct ab_table *table =
		AB_NEW_TABLE("work", "Work items", sample_columns);
	guint i;

	for (i = 0; i < work->items->len; i++) {
		const struct ab_work_item *item =
			&g_array_index(work->items, struct ab_work_item, i);
		const struct ab_thread *th =
			ab_thread(a->trace->threads, item->thread);

		if (!ab_in_window(a->trace, item->start_ns))
			continue;
		ab_table_count(table, item->start_ns);
		add_names(table, a->trace, item->function,
			  ab_work_workqueue(work, item));
		ab_table_text(table, ab_trace_text(a->trace, th->comm));
		ab_table_count(table, th->tid);
		add_us(table, 0, item->wait_ns);
		add_us(table, item->queued_ns, item->start_ns);
		add_us(table, item->queued_ns, item->activated_ns);
		add_us(table, item->start_ns, item->end_ns);
		add_us(table, 0, item->end_ns < 0 ? -1 : item->on_cpu_ns);
	}
	return table;
}
