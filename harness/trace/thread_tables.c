// SPDX-License-Identifier: GPL-3.0-or-later
#include "columns.h"
#include "thread_times.h"

#include <math.h>

#define TIMES                                                            \
	AB_MS_COLUMN("running_ms", "running"),                           \
		AB_COUNT_COLUMN("wakeup_waits", "wakeup waits"),         \
		AB_MS_COLUMN("wakeup_wait_ms", "wakeup total"),          \
		AB_US_COLUMN("wakeup_wait_mean_us", "wakeup mean"),      \
		AB_US_COLUMN("wakeup_wait_max_us", "wakeup max"),        \
		AB_COUNT_COLUMN("preempted_waits", "preempt. waits"),    \
		AB_MS_COLUMN("preempted_wait_ms", "preempt. total"),     \
		AB_US_COLUMN("preempted_wait_mean_us", "preempt. mean"), \
		AB_US_COLUMN("preempted_wait_max_us", "preempt. max"),   \
		AB_MS_COLUMN("d_state_ms", "D state"),                   \
		AB_MS_COLUMN("s_state_ms", "S state"),                   \
		AB_COUNT_COLUMN("migrations", "migr.")

static const struct ab_column class_columns[] = {
	AB_TEXT_COLUMN("class", "class"),
	AB_COUNT_COLUMN("threads", "threads"),
	TIMES,
};

static const struct ab_column process_columns[] = {
	AB_TEXT_COLUMN("process", "process"),
	AB_COUNT_COLUMN("pid", "pid"),
	AB_COUNT_COLUMN("threads", "threads"),
	TIMES,
};

static const struct ab_column thread_columns[] = {
	AB_TEXT_COLUMN("thread", "thread"),
	AB_COUNT_COLUMN("tid", "tid"),
	AB_TEXT_COLUMN("process", "process"),
	AB_TEXT_COLUMN("class", "class"),
	TIMES,
};

static void add_ms(struct ab_table *table, const struct ab_interval_sum *sum,
		   bool known)
{
	ab_table_number(table, known ? (double)sum->ns / 1e6 : NAN);
}

static void add_waits(struct ab_table *table, const struct ab_interval_sum *sum,
		      bool known)
{
	ab_table_count(table, (gint64)sum->n);
	add_ms(table, sum, known);
	ab_table_number(table,
			sum->n ? (double)sum->ns / 1e3 / (double)sum->n : NAN);
	ab_table_number(table, sum->n && sum->max_ns >= 0
				       ? (double)sum->max_ns / 1e3
				       : NAN);
}

/* Without wakeups, where a sleep ends and a wait begins is not known. */
static void add_times(struct ab_table *table, const struct ab_times *times,
		      bool wakeups)
{
	add_ms(table, &times->running, true);
	add_waits(table, &times->after_wakeup, wakeups);
	add_waits(table, &times->after_preemption, true);
	add_ms(table, &times->d_state, wakeups);
	add_ms(table, &times->s_state, wakeups);
	ab_table_count(table, (gint64)times->migrations);
}

static const char *process_name(const struct ab_trace *trace, gint32 pid)
{
	const char *name = ab_process_name(trace, pid);

	return name ? name : "(not told)";
}

static void add_class(const struct ab_analysis *a, struct ab_table *table,
		      const struct ab_times_row *row)
{
	(void)a;
	ab_table_text(table, row->name);
	ab_table_count(table, row->threads);
}

static void add_process(const struct ab_analysis *a, struct ab_table *table,
			const struct ab_times_row *row)
{
	ab_table_text(table, process_name(a->trace, row->id));
	ab_table_count(table, row->id);
	ab_table_count(table, row->threads);
}

static void add_thread(const struct ab_analysis *a, struct ab_table *table,
		       const struct ab_times_row *row)
{
	const struct ab_thread *th = ab_thread(a->trace->threads, row->thread);
	char class_name[AB_CLASS_MAX];

	ab_thread_class(a->rules, a->trace, th, 0, class_name);
	ab_table_text(table, ab_trace_text(a->trace, th->comm));
	ab_table_count(table, th->tid);
	ab_table_text(table, process_name(a->trace, th->tgid));
	ab_table_text(table, class_name);
}

/* One of the three tables; takes @rows. */
static void add_table(const struct ab_analysis *a, GPtrArray *tables,
		      struct ab_table *table, GArray *rows,
		      void (*add_names)(const struct ab_analysis *a,
					struct ab_table *table,
					const struct ab_times_row *row))
{
	bool wakeups = !ab_no_waits_reason(a->trace);
	guint i;

	for (i = 0; i < rows->len; i++) {
		const struct ab_times_row *row =
			&g_array_index(rows, struct ab_times_row, i);

		add_names(a, table, row);
		add_times(table, &row->times, wakeups);
	}
	g_array_unref(rows);
	g_ptr_array_add(tables, table);
}

void ab_threads_tabulate(struct ab_analysis *a, const void *state,
			 GPtrArray *tables)
{
	g_autofree char *lost = ab_lost_reason(a->trace, a->trace->lost_events);

	if (lost || !a->trace->seen[AB_EV_SWITCH])
		return;
	add_table(a, tables,
		  AB_NEW_TABLE("classes", "Scheduling by class of threads",
			       class_columns),
		  ab_class_rows(a, state), add_class);
	add_table(a, tables,
		  AB_NEW_TABLE("processes", "Scheduling by process",
			       process_columns),
		  ab_process_rows(a), add_process);
	add_table(a, tables,
		  AB_NEW_TABLE("threads", "Scheduling by thread",
			       thread_columns),
		  ab_thread_rows(a), add_thread);
}
