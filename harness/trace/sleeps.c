// SPDX-License-Identifier: GPL-3.0-or-later
/* Sleeps in D state: where, for how long, and how long their waker waited. */
#include "analyze.h"
#include "columns.h"
#include "huge.h"
#include "thread_rules.h"

#include <math.h>

#define D_STATE "ui.rpm_resume.d_state"
#define WAKER_WAIT "ui.rpm_resume.waker_wait"

/* Of a trace, at least, for each of its sleeps; see work.c. */
#define BYTES_PER_SLEEP 512

static const char *const names[] = { D_STATE, WAKER_WAIT, NULL };

/*
 * Sleeps that nobody told the function of.  Every kernel thread's count, and
 * in most traces no event tells of any: sums will do, in constant memory.
 */
struct untold {
	gint64 sleeps, waits; /* waits: those that are known */
	gint64 total_ns, max_ns, wait_total_ns, wait_max_ns;
};

struct sleeps {
	struct ab_trace *trace;
	GArray *all; /* struct ab_sleep, those in the window */
	struct untold untold;
};

static void *begin(struct ab_trace *trace)
{
	struct sleeps *s = g_new0(struct sleeps, 1);
	gsize room = MIN(trace->size / BYTES_PER_SLEEP, G_MAXINT32);

	s->trace = trace;
	s->all = g_array_sized_new(FALSE, FALSE, sizeof(struct ab_sleep),
				   (guint)room);
	ab_huge_pages(s->all->data, room * sizeof(struct ab_sleep),
		      trace->size);
	return s;
}

static void end(void *state)
{
	struct sleeps *s = state;

	g_array_unref(s->all);
	g_free(s);
}

static bool in_window(const struct ab_trace *trace,
		      const struct ab_sleep *sleep)
{
	return ab_in_window(trace, sleep->begin_ns) &&
	       ab_in_window(trace, sleep->end_ns);
}

static void count(struct untold *u, const struct ab_sleep *sleep)
{
	gint64 length_ns = sleep->end_ns - sleep->begin_ns;

	u->sleeps++;
	u->total_ns = ab_ns_add(u->total_ns, length_ns);
	u->max_ns = MAX(u->max_ns, length_ns);
	if (sleep->waker_wait_ns < 0)
		return;
	u->waits++;
	u->wait_total_ns = ab_ns_add(u->wait_total_ns, sleep->waker_wait_ns);
	u->wait_max_ns = MAX(u->wait_max_ns, sleep->waker_wait_ns);
}

static void keep(void *state, const struct ab_sleep *sleep)
{
	struct sleeps *s = state;

	if (!in_window(s->trace, sleep))
		return;
	if (sleep->function)
		g_array_append_vals(s->all, sleep, 1);
	else
		count(&s->untold, sleep);
}

static const struct ab_sleep *get(const struct sleeps *s, guint i)
{
	return &g_array_index(s->all, struct ab_sleep, i);
}

/* ---- run data ---- */

static const char *why_absent(const struct ab_trace *trace)
{
	const char *no_waits = ab_no_waits_reason(trace);

	if (no_waits)
		return no_waits;
	if (!trace->seen[AB_EV_BLOCKED])
		return "no sched_blocked_reason events: Android kernels have "
		       "them, upstream ones do not";
	if (!trace->blocked_resolved)
		return "no blocked function has a kernel symbol: the trace "
		       "needs symbolize_ksyms and a readable /proc/kallsyms";
	return NULL;
}

static void measure_sleep(struct ab_analysis *a, const struct ab_sleep *sleep)
{
	double length_us = (double)(sleep->end_ns - sleep->begin_ns) / 1e3;
	double wait_us = (double)sleep->waker_wait_ns / 1e3;

	g_array_append_val(ab_run_data_samples(a->data, D_STATE), length_us);
	if (sleep->waker_wait_ns < 0)
		a->unknown_waits++;
	else
		g_array_append_val(ab_run_data_samples(a->data, WAKER_WAIT),
				   wait_us);
}

static void measure(struct ab_analysis *a, const void *state)
{
	const struct sleeps *s = state;
	g_autofree guint8 *ui = NULL;
	guint i;

	if (ab_withhold_events(a, why_absent(a->trace), names))
		return;
	ui = ab_ui_threads(a);
	/* Measured, even when there was no such sleep. */
	ab_run_data_samples(a->data, D_STATE);
	ab_run_data_samples(a->data, WAKER_WAIT);
	for (i = 0; i < s->all->len; i++) {
		const struct ab_sleep *sleep = get(s, i);

		if (in_window(a->trace, sleep) && ui[sleep->thread] &&
		    ab_symbol_is(ab_trace_text(a->trace, sleep->function),
				 "rpm_resume"))
			measure_sleep(a, sleep);
	}
}

/* ---- the table ---- */

/* The sleeps in one function, of all threads or of the UI threads. */
struct group {
	guint32 function;
	bool ui;
	gint64 total_ns;
	guint wakers_known;
	GArray *lengths, *waits; /* gint64 */
	GHashTable *wakers;	 /* name -> how many sleeps it ended */
};

static void free_group(gpointer data)
{
	struct group *g = data;

	g_array_unref(g->lengths);
	g_array_unref(g->waits);
	g_hash_table_unref(g->wakers);
	g_free(g);
}

static struct group *find(GHashTable *groups, guint32 function)
{
	struct group *g =
		g_hash_table_lookup(groups, GUINT_TO_POINTER(function));

	if (g)
		return g;
	g = g_new0(struct group, 1);
	g->function = function;
	g->lengths = g_array_new(FALSE, FALSE, sizeof(gint64));
	g->waits = g_array_new(FALSE, FALSE, sizeof(gint64));
	g->wakers = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(groups, GUINT_TO_POINTER(function), g);
	return g;
}

/* Which worker it was says nothing; NULL: not known. */
static const char *waker_name(const struct ab_trace *trace, guint32 waker)
{
	const struct ab_thread *th;

	if (waker == AB_NO_THREAD)
		return NULL;
	if (!waker)
		return "(interrupt)";
	th = ab_thread(trace->threads, waker);
	if (!th->comm)
		return "(no name)";
	return ab_thread_is_kworker(trace, th) ? "kworker"
					       : ab_trace_text(trace, th->comm);
}

static void add_sleep(struct group *g, const struct ab_trace *trace,
		      const struct ab_sleep *sleep)
{
	const char *waker = waker_name(trace, sleep->waker);
	gint64 length_ns = sleep->end_ns - sleep->begin_ns;
	guint n;

	g->total_ns = ab_ns_add(g->total_ns, length_ns);
	g_array_append_val(g->lengths, length_ns);
	if (sleep->waker_wait_ns >= 0)
		g_array_append_val(g->waits, sleep->waker_wait_ns);
	if (!waker)
		return;
	g->wakers_known++;
	n = GPOINTER_TO_UINT(g_hash_table_lookup(g->wakers, waker));
	g_hash_table_insert(g->wakers, (gpointer)waker,
			    GUINT_TO_POINTER(n + 1));
}

/* Of equally frequent ones, the first by name. */
static const char *frequent_waker(const struct group *g, double *percent_out)
{
	const char *found = "";
	guint most = 0;
	GHashTableIter iter;
	gpointer name, count;

	g_hash_table_iter_init(&iter, g->wakers);
	while (g_hash_table_iter_next(&iter, &name, &count)) {
		guint n = GPOINTER_TO_UINT(count);

		if (n < most || (n == most && strcmp(name, found) > 0))
			continue;
		most = n;
		found = name;
	}
	*percent_out = most ? 100.0 * most / g->wakers_known : NAN;
	return found;
}

/* The longest total first; of one function, all threads before UI threads. */
static int by_total(gconstpointer a, gconstpointer b)
{
	const struct group *x = *(const struct group *const *)a;
	const struct group *y = *(const struct group *const *)b;

	if (x->total_ns != y->total_ns)
		return x->total_ns < y->total_ns ? 1 : -1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->ui - y->ui;
}

static void collect(GPtrArray *sorted, GHashTable *groups, bool ui)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, groups);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct group *g = value;

		g->ui = ui;
		g_ptr_array_add(sorted, g);
	}
}

static const struct ab_column columns[] = {
	AB_TEXT_COLUMN("function", "function"),
	AB_TEXT_COLUMN("threads", "threads"),
	AB_COUNT_COLUMN("sleeps", "sleeps"),
	AB_MS_COLUMN("total_ms", "total"),
	AB_US_COLUMN("length_mean_us", "mean"),
	AB_US_COLUMN("length_p50_us", "P50"),
	AB_US_COLUMN("length_p90_us", "P90"),
	AB_US_COLUMN("length_p99_us", "P99"),
	AB_US_COLUMN("length_max_us", "max"),
	AB_US_COLUMN("waker_wait_mean_us", "waker wait mean"),
	AB_US_COLUMN("waker_wait_p50_us", "waker wait P50"),
	AB_US_COLUMN("waker_wait_p90_us", "waker wait P90"),
	AB_US_COLUMN("waker_wait_p99_us", "waker wait P99"),
	AB_US_COLUMN("waker_wait_max_us", "waker wait max"),
	AB_COUNT_COLUMN("waker_wait_unknown", "waker wait not known"),
	AB_TEXT_COLUMN("waker", "waker"),
	{ "waker_percent", "share", "%", AB_CELL_NUMBER, 1 },
};

static void add_row(struct ab_table *table, const struct ab_trace *trace,
		    const struct group *g)
{
	struct ab_spread lengths, waits;
	double percent;
	const char *waker = frequent_waker(g, &percent);

	ab_spread_of(g->lengths, &lengths);
	ab_spread_of(g->waits, &waits);
	ab_table_text(table, ab_trace_text(trace, g->function));
	ab_table_text(table, g->ui ? "UI" : "all");
	ab_table_count(table, lengths.n);
	ab_table_number(table, (double)g->total_ns / 1e6);
	ab_spread_cells(table, &lengths);
	ab_spread_cells(table, &waits);
	ab_table_count(table, lengths.n - waits.n);
	ab_table_text(table, waker);
	ab_table_number(table, percent);
}

static struct ab_spread sums_only(gint64 n, gint64 total_ns, gint64 max_ns)
{
	struct ab_spread spread = { (guint)n, NAN, NAN, NAN, NAN, NAN };

	if (!n)
		return spread;
	spread.mean_us = (double)total_ns / (double)n / 1e3;
	spread.max_us = (double)max_ns / 1e3;
	return spread;
}

static void add_untold(struct ab_table *table, const struct untold *u)
{
	struct ab_spread lengths = sums_only(u->sleeps, u->total_ns, u->max_ns);
	struct ab_spread waits =
		sums_only(u->waits, u->wait_total_ns, u->wait_max_ns);

	if (!u->sleeps)
		return;
	ab_table_text(table, "(not told)");
	ab_table_text(table, "all");
	ab_table_count(table, u->sleeps);
	ab_table_number(table, (double)u->total_ns / 1e6);
	ab_spread_cells(table, &lengths);
	ab_spread_cells(table, &waits);
	ab_table_count(table, u->sleeps - u->waits);
	ab_table_text(table, "");
	ab_table_number(table, NAN);
}

static GHashTable *new_groups(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, free_group);
}

static void tabulate(struct ab_analysis *a, const void *state,
		     GPtrArray *tables)
{
	const struct sleeps *s = state;
	g_autofree char *lost = ab_lost_reason(a->trace, a->trace->lost_events);
	g_autofree guint8 *ui_threads = ab_ui_threads(a);
	g_autoptr(GHashTable) all = new_groups();
	g_autoptr(GHashTable) ui = new_groups();
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	struct ab_table *table;
	guint i;

	if (lost || ab_no_waits_reason(a->trace))
		return;
	for (i = 0; i < s->all->len; i++) {
		const struct ab_sleep *sleep = get(s, i);

		if (!in_window(a->trace, sleep))
			continue;
		add_sleep(find(all, sleep->function), a->trace, sleep);
		if (ui_threads[sleep->thread])
			add_sleep(find(ui, sleep->function), a->trace, sleep);
	}
	collect(sorted, all, false);
	collect(sorted, ui, true);
	g_ptr_array_sort(sorted, by_total);
	table = ab_table_new("waits",
			     "Sleeps in D state, and how long their waker "
			     "waited for a CPU",
			     columns, G_N_ELEMENTS(columns));
	for (i = 0; i < sorted->len; i++)
		add_row(table, a->trace, sorted->pdata[i]);
	add_untold(table, &s->untold);
	g_ptr_array_add(tables, table);
}

/* ---- one by one ---- */

static const struct ab_column sample_columns[] = {
	AB_TIME_COLUMN("begin_ns", "begin"),
	AB_US_COLUMN("length_us", "length"),
	AB_TEXT_COLUMN("function", "function"),
	AB_TEXT_COLUMN("thread", "thread"),
	AB_COUNT_COLUMN("tid", "tid"),
	AB_TEXT_COLUMN("process", "process"),
	AB_TEXT_COLUMN("waker", "waker"),
	AB_US_COLUMN("waker_wait_us", "waker wait"),
};

static void add_sample(struct ab_table *table, const struct ab_trace *trace,
		       const struct ab_sleep *sleep)
{
	const struct ab_thread *th = ab_thread(trace->threads, sleep->thread);
	const char *process =
		th->tgid < 0 ? NULL : ab_process_name(trace, th->tgid);
	const char *waker = "";

	if (!sleep->waker)
		waker = "(interrupt)";
	else if (sleep->waker != AB_NO_THREAD)
		waker = ab_trace_text(
			trace, ab_thread(trace->threads, sleep->waker)->comm);
	ab_table_count(table, sleep->begin_ns);
	ab_table_number(table, (double)(sleep->end_ns - sleep->begin_ns) / 1e3);
	ab_table_text(table, ab_trace_text(trace, sleep->function));
	ab_table_text(table, ab_trace_text(trace, th->comm));
	ab_table_count(table, th->tid);
	ab_table_text(table, process ? process : "");
	ab_table_text(table, waker);
	ab_table_number(table, sleep->waker_wait_ns < 0
				       ? NAN
				       : (double)sleep->waker_wait_ns / 1e3);
}

static struct ab_table *samples(struct ab_analysis *a, const void *state)
{
	const struct sleeps *s = state;
	struct ab_table *table =
		ab_table_new("waits", "Sleeps in D state", sample_columns,
			     G_N_ELEMENTS(sample_columns));
	guint i;

	for (i = 0; i < s->all->len; i++)
		if (in_window(a->trace, get(s, i)))
			add_sample(table, a->trace, get(s, i));
	return table;
}

const struct ab_analysis_ops ab_analysis_sleeps = {
	.name = "waits",
	.begin = begin,
	.sleep = keep,
	.measure = measure,
	.tabulate = tabulate,
	.samples = samples,
	.end = end,
};
