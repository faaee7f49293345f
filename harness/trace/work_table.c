// SPDX-License-Identifier: GPL-3.0-or-later
/* Work items by function and workqueue, and one by one. */
#include "columns.h"
#include "work_items.h"

#include <math.h>

#define NS_PER_MS 1000000

/* The items of one function on one workqueue; arrays of gint64. */
struct group {
	guint64 key;
	guint32 function, workqueue;
	guint items, unknown, open, ge_2ms, ge_5ms;
	gint64 total_wait_ns;
	GArray *cpu_wait, *queue_wait, *activation, *run, *on_cpu;
};

static GArray *times(void)
{
	return g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void free_group(gpointer data)
{
	struct group *g = data;

	g_array_unref(g->cpu_wait);
	g_array_unref(g->queue_wait);
	g_array_unref(g->activation);
	g_array_unref(g->run);
	g_array_unref(g->on_cpu);
	g_free(g);
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
	g->cpu_wait = times();
	g->queue_wait = times();
	g->activation = times();
	g->run = times();
	g->on_cpu = times();
	g_hash_table_insert(groups, &g->key, g);
	return g;
}

static void add_difference(GArray *array, gint64 begin_ns, gint64 end_ns)
{
	gint64 difference = end_ns - begin_ns;

	if (begin_ns >= 0 && end_ns >= 0)
		g_array_append_val(array, difference);
}

static void add_item(struct group *g, const struct ab_work_item *item)
{
	g->items++;
	if (item->wait_ns < 0) {
		g->unknown++;
	} else {
		g->total_wait_ns = ab_ns_add(g->total_wait_ns, item->wait_ns);
		g->ge_2ms += item->wait_ns >= 2 * NS_PER_MS;
		g->ge_5ms += item->wait_ns >= 5 * NS_PER_MS;
		g_array_append_val(g->cpu_wait, item->wait_ns);
	}
	add_difference(g->queue_wait, item->queued_ns, item->start_ns);
	add_difference(g->activation, item->queued_ns, item->activated_ns);
	add_difference(g->run, item->start_ns, item->end_ns);
	if (item->end_ns < 0)
		g->open++;
	else if (item->on_cpu_ns >= 0)
		g_array_append_val(g->on_cpu, item->on_cpu_ns);
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
			 const struct group *g)
{
	struct ab_spread wait;

	ab_spread_of(g->cpu_wait, &wait);
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
			 const struct group *g)
{
	struct ab_spread activation;

	ab_spread_of(g->activation, &activation);
	add_names(table, trace, g->function, g->workqueue);
	ab_table_count(table, g->queue_wait->len);
	add_three(table, g->queue_wait);
	ab_table_number(table, activation.max_us);
	add_three(table, g->run);
	add_three(table, g->on_cpu);
	ab_table_count(table, g->open);
}

void ab_work_tabulate(struct ab_analysis *a, const void *state,
		      GPtrArray *tables)
{
	const struct ab_work *work = state;
	g_autoptr(GHashTable) groups = g_hash_table_new_full(
		ab_key_hash, g_int64_equal, NULL, free_group);
	g_autofree char *lost = ab_lost_reason(a->trace, a->trace->lost_events);
	g_autoptr(GPtrArray) sorted = NULL;
	struct ab_table *waits, *spent;
	guint i;

	if (lost || !a->trace->seen[AB_EV_WORK_START])
		return;
	for (i = 0; i < work->items->len; i++) {
		const struct ab_work_item *item =
			&g_array_index(work->items, struct ab_work_item, i);

		/* A number may be several functions: all make one row. */
		if (ab_in_window(a->trace, item->start_ns))
			add_item(find(groups,
				      item->unresolved ? 0 : item->function,
				      ab_work_workqueue(work, item)),
				 item);
	}
	waits = AB_NEW_TABLE("work", "Work items: CPU wait of the worker",
			     wait_columns);
	spent = AB_NEW_TABLE("work_times",
			     "Work items: from queue to end, and on a CPU",
			     time_columns);
	sorted = sorted_groups(a->trace, groups);
	for (i = 0; i < sorted->len; i++) {
		add_wait_row(waits, a->trace, sorted->pdata[i]);
		add_time_row(spent, a->trace, sorted->pdata[i]);
	}
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
