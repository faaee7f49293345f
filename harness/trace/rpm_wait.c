// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"
#include "event.h"

#define D_STATE "ui.rpm_resume.d_state"
#define WAKER_WAIT "ui.rpm_resume.waker_wait"

static const char *const names[] = { D_STATE, WAKER_WAIT, NULL };

static const char *why_absent(const struct ab_trace *trace)
{
	if (!trace->seen[AB_EV_SWITCH])
		return "no scheduler events in the trace";
	if (!trace->seen[AB_EV_BLOCKED])
		return "no sched_blocked_reason events: Android kernels have "
		       "them, upstream ones do not";
	if (!trace->blocked_resolved)
		return "no blocked function has a kernel symbol: the trace "
		       "needs symbolize_ksyms and a readable /proc/kallsyms";
	return NULL;
}

static void add_sleep(struct ab_analysis *a, const struct ab_sleep *sleep)
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

void ab_analyze_rpm_waits(struct ab_analysis *a)
{
	const GArray *sleeps = a->trace->sleeps;
	const char *absent = why_absent(a->trace);
	guint i;

	if (absent) {
		ab_withhold_all(a, names, absent);
		return;
	}
	if (ab_withhold_lost(a, a->trace->lost_events, names))
		return;
	/* Measured, even when there was no such sleep. */
	ab_run_data_samples(a->data, D_STATE);
	ab_run_data_samples(a->data, WAKER_WAIT);
	for (i = 0; i < sleeps->len; i++) {
		const struct ab_sleep *sleep =
			&g_array_index(sleeps, struct ab_sleep, i);

		if (ab_in_window(a, sleep->begin_ns) &&
		    ab_in_window(a, sleep->end_ns) &&
		    ab_symbol_is(sleep->function, "rpm_resume") &&
		    ab_ui_thread(a, sleep->thread))
			add_sleep(a, sleep);
	}
}
