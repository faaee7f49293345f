// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim.h"

void gen_planted_sum(const struct gen_sim *sim, struct gen_sum *sum,
		     gint64 begin_ns, gint64 end_ns)
{
	gint64 begin = MAX(begin_ns, sim->truth->begin_ns);
	gint64 end = MIN(end_ns, sim->truth->end_ns);

	if (end <= begin)
		return;
	sum->ns += end - begin;
	if (begin != begin_ns || end != end_ns)
		return;
	sum->n++;
	sum->max_ns = MAX(sum->max_ns, end - begin);
}

void gen_planted_wait(struct gen_sim *sim, const struct gen_thread *thread,
		      guint cpu, gint64 ts_ns)
{
	struct gen_truth *truth = sim->truth;

	gen_planted_sum(sim,
			thread->preempted ? &truth->after_preemption
					  : &truth->after_wakeup,
			thread->since_ns, ts_ns);
	if (thread->has_run && thread->cpu != cpu && gen_in_window(sim, ts_ns))
		truth->migrations++;
}
