// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"
#include "event.h"

#define FUNCTION "pm_runtime_work"
#define CPU_WAIT "pm_runtime_work.cpu_wait"
#define ITEMS "work_items"

static const char *const names[] = { CPU_WAIT, ITEMS, NULL };

static bool any_resolved(const struct ab_trace *trace)
{
	guint i;

	for (i = 0; i < trace->work->len; i++)
		if (g_array_index(trace->work, struct ab_work_item, i).function)
			return true;
	return false;
}

static const char *why_absent(const struct ab_trace *trace)
{
	if (!trace->seen[AB_EV_SWITCH])
		return "no scheduler events in the trace";
	if (!trace->seen[AB_EV_WORK_START])
		return "no workqueue_execute_start events in the trace";
	if (!any_resolved(trace))
		return "no work function has a kernel symbol: the trace "
		       "needs symbolize_ksyms and a readable /proc/kallsyms";
	return NULL;
}

static void add_item(struct ab_analysis *a, const struct ab_work_item *item)
{
	double wait_us = (double)item->wait_ns / 1e3;

	if (item->wait_ns < 0)
		a->unknown_waits++;
	else
		g_array_append_val(ab_run_data_samples(a->data, CPU_WAIT),
				   wait_us);
}

void ab_analyze_work(struct ab_analysis *a)
{
	const GArray *work = a->trace->work;
	const char *absent = why_absent(a->trace);
	guint64 items = 0;
	guint i;

	if (absent) {
		ab_withhold_all(a, names, absent);
		return;
	}
	if (ab_withhold_lost(a, a->trace->lost_events, names))
		return;
	ab_run_data_samples(a->data, CPU_WAIT);
	for (i = 0; i < work->len; i++) {
		const struct ab_work_item *item =
			&g_array_index(work, struct ab_work_item, i);

		if (!ab_in_window(a, item->start_ns))
			continue;
		a->unresolved += !item->function;
		if (!ab_symbol_is(item->function, FUNCTION))
			continue;
		items++;
		add_item(a, item);
	}
	ab_run_data_set(a->data, ITEMS, (double)items);
}
