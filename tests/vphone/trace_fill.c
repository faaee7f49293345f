// SPDX-License-Identifier: GPL-3.0-or-later
/* Everything that goes on beside frames and work items of pm_wq. */
#include <gsl/gsl_randist.h>
#include <string.h>

#include "trace_sim.h"

#define GAP_NS (20 * VP_USEC)
#define WAKE_NS (12 * VP_USEC)
#define IO_SHARE 0.04
#define WORK_SHARE 0.25
#define QUIET_SHARE 0.3 /* of background_hz while nothing moves */
#define FREQ_PERIOD_NS (40 * VP_MSEC)

/* A thread may write marks in quick succession: its stretch then grows. */
static bool extend_writer(struct vp_sim *sim, int cpu, int task, gint64 ts_ns)
{
	GArray *segs = sim->line[cpu].segs;
	struct vp_seg *last;

	if (!segs->len)
		return false;
	last = &g_array_index(segs, struct vp_seg, segs->len - 1);
	if (last->task != task || last->end_ns + 100 * VP_USEC < ts_ns)
		return false;
	last->end_ns = MAX(last->end_ns, ts_ns + 20 * VP_USEC);
	vp_sim_reserve(sim, cpu, last->begin_ns, last->end_ns + 50 * VP_USEC);
	return true;
}

static int writer_task(struct vp_sim *sim, int tid)
{
	struct vp_task task = { tid, tid, VP_PRIO_NORMAL, false, "sh", "" };

	for (guint i = 0; i < sim->tasks->len; i++)
		if (vp_sim_task(sim, (int)i)->tid == tid)
			return (int)i;
	g_array_append_val(sim->tasks, task);
	return (int)sim->tasks->len - 1;
}

static void mark(struct vp_sim *sim, const struct vp_mark *m, int *cpu)
{
	int task = writer_task(sim, MAX(m->tid, 1));
	gint64 begin_ns = m->ts_ns - 50 * VP_USEC;

	if (!extend_writer(sim, *cpu, task, m->ts_ns)) {
		/* By turns: the last writer's stretch may still be close. */
		*cpu = (*cpu + 1) % vp_sim_work_cpus(sim);
		vp_sim_waking(sim, *cpu, begin_ns - WAKE_NS, task, *cpu);
		vp_sim_seg(sim, *cpu, task, begin_ns, m->ts_ns + 20 * VP_USEC,
			   VP_END_SLEEP);
		vp_sim_reserve(sim, *cpu, begin_ns - 50 * VP_USEC,
			       m->ts_ns + 70 * VP_USEC);
	}
	vp_sim_event(sim, *cpu,
		     (struct vp_ev){ .ts_ns = m->ts_ns,
				     .kind = VP_EV_PRINT,
				     .name = m->text });
}

void vp_sim_marks(struct vp_sim *sim)
{
	const struct vp_trace_request *rq = sim->rq;
	int cpu = 0;

	for (size_t i = 0; i < rq->n_marks; i++) {
		const struct vp_mark *m = &rq->marks[i];
		if (m->ts_ns >= rq->begin_ns + VP_MSEC && m->ts_ns < rq->end_ns)
			mark(sim, m, &cpu);
	}
}

static bool in_act(const struct vp_trace_request *rq, gint64 ts_ns)
{
	for (size_t i = 0; i < rq->n_acts; i++)
		if (rq->acts[i].begin_ns <= ts_ns && ts_ns < rq->acts[i].end_ns)
			return true;
	return false;
}

/* Filling one CPU: where the free time is, and what its threads did last. */
struct filler {
	struct vp_sim *sim;
	int cpu;
	guint n_segs; /* those laid out before */
	guint next;   /* the first of them that begins after now */
	gint64 free_ns;
	bool io[2]; /* the thread sleeps for I/O */
	gsl_rng *rng;
};

static const struct vp_seg *laid_out(const struct filler *f, guint i)
{
	return &g_array_index(f->sim->line[f->cpu].segs, struct vp_seg, i);
}

/* Whether [wake, end) lies between what was laid out; moves on in time. */
static bool fits(struct filler *f, gint64 wake_ns, gint64 end_ns)
{
	while (f->next < f->n_segs &&
	       laid_out(f, f->next)->begin_ns < wake_ns) {
		f->free_ns = MAX(f->free_ns, laid_out(f, f->next)->end_ns);
		f->next++;
	}
	if (wake_ns < f->free_ns + GAP_NS || end_ns >= f->sim->rq->end_ns)
		return false;
	return f->next == f->n_segs ||
	       end_ns + GAP_NS < laid_out(f, f->next)->begin_ns;
}

static void other_work(struct filler *f, gint64 wake_ns, gint64 end_ns)
{
	static const enum vp_sym functions[] = { VP_SYM_VMSTAT_UPDATE,
						 VP_SYM_PSI_AVGS_WORK,
						 VP_SYM_DELAYED_FPUT };
	gulong n = gsl_rng_uniform_int(f->rng, G_N_ELEMENTS(functions));
	int task = vp_sim_cpu_task(f->sim, f->cpu, VP_CPU_WORKER);
	gint64 begin_ns = wake_ns + WAKE_NS;
	struct vp_ev ev = {
		.ts_ns = wake_ns - 900,
		.kind = VP_EV_QUEUE,
		.a = VP_SYMS + VP_DEVICES + f->cpu,
		.b = functions[n],
		.c = f->cpu,
		.name = n ? "events" : "mm_percpu_wq",
	};

	vp_sim_event(f->sim, f->cpu, ev);
	ev.ts_ns = wake_ns - 500;
	ev.kind = VP_EV_ACTIVATE;
	vp_sim_event(f->sim, f->cpu, ev);
	vp_sim_waking(f->sim, f->cpu, wake_ns, task, f->cpu);
	ev.ts_ns = begin_ns + 800;
	ev.kind = VP_EV_EXECUTE;
	vp_sim_event(f->sim, f->cpu, ev);
	ev.ts_ns = end_ns - 1200;
	ev.kind = VP_EV_EXECUTED;
	vp_sim_event(f->sim, f->cpu, ev);
	vp_sim_seg(f->sim, f->cpu, task, begin_ns, end_ns, VP_END_IDLE);
}

static void other_thread(struct filler *f, gint64 wake_ns, gint64 end_ns)
{
	int which = gsl_rng_uniform(f->rng) < 0.8 ? 0 : 1;
	int task = vp_sim_cpu_task(f->sim, f->cpu,
				   which ? VP_CPU_FILLER2 : VP_CPU_FILLER);
	gint64 begin_ns = wake_ns + WAKE_NS;

	vp_sim_waking(f->sim, f->cpu, wake_ns, task, f->cpu);
	if (f->io[which])
		vp_sim_event(
			f->sim, f->cpu,
			(struct vp_ev){ .ts_ns = begin_ns - VP_USEC,
					.kind = VP_EV_BLOCKED,
					.a = vp_sim_task(f->sim, task)->tid,
					.b = VP_SYM_FOLIO_WAIT,
					.c = 1 });
	f->io[which] = !which && gsl_rng_uniform(f->rng) < IO_SHARE;
	vp_sim_seg(f->sim, f->cpu, task, begin_ns, end_ns,
		   f->io[which] ? VP_END_DISK : VP_END_SLEEP);
}

static void fill_cpu(struct vp_sim *sim, int cpu, gsl_rng *rng)
{
	const struct vp_model *m = sim->run.model;
	const struct vp_trace_request *rq = sim->rq;
	struct filler f = { .sim = sim,
			    .cpu = cpu,
			    .n_segs = sim->line[cpu].segs->len,
			    .free_ns = rq->begin_ns,
			    .rng = rng };
	double ts_ns = (double)rq->begin_ns;

	while (m->background_hz > 0) {
		bool busy = in_act(rq, (gint64)ts_ns);
		double hz = m->background_hz * (busy ? 1 : QUIET_SHARE);
		ts_ns += gsl_ran_exponential(rng, (double)VP_NSEC / hz);
		if (ts_ns >= (double)rq->end_ns)
			return;
		double us = gsl_ran_exponential(rng, m->background_us);
		gint64 wake_ns = (gint64)ts_ns;
		gint64 end_ns =
			wake_ns + WAKE_NS + (gint64)((20 + us) * VP_USEC);
		if (!fits(&f, wake_ns, end_ns))
			continue;
		if (gsl_rng_uniform(rng) < WORK_SHARE)
			other_work(&f, wake_ns, end_ns);
		else
			other_thread(&f, wake_ns, end_ns);
		f.free_ns = end_ns;
	}
}

static void idle_state(struct vp_sim *sim, int cpu, gint64 ts_ns, gint64 state)
{
	vp_sim_event(sim, cpu,
		     (struct vp_ev){ .ts_ns = ts_ns,
				     .kind = VP_EV_IDLE,
				     .a = state,
				     .b = cpu });
}

/* The governor guesses well: deep states in the long gaps. */
static void idle_gap(struct vp_sim *sim, int cpu, gint64 begin_ns,
		     gint64 end_ns)
{
	gint64 gap_ns = end_ns - begin_ns;

	if (gap_ns < 3 * GAP_NS)
		return;
	idle_state(sim, cpu, begin_ns + 3 * VP_USEC,
		   gap_ns > 3 * VP_MSEC ? 1 : 0);
	idle_state(sim, cpu, end_ns - WAKE_NS - 5 * VP_USEC, G_MAXUINT32);
}

static void idle_cpu(struct vp_sim *sim, int cpu)
{
	const GArray *segs = sim->line[cpu].segs;
	gint64 free_ns = sim->rq->begin_ns;

	for (guint i = 0; i < segs->len; i++) {
		const struct vp_seg *seg =
			&g_array_index(segs, struct vp_seg, i);
		idle_gap(sim, cpu, free_ns, seg->begin_ns);
		free_ns = seg->end_ns;
	}
}

static void set_freq(struct vp_sim *sim, int cluster, gint64 ts_ns, int khz)
{
	const struct vp_hw *hw = sim->hw;
	int first = hw->cluster_first[cluster];

	for (int cpu = first; cpu < hw->cluster_first[cluster + 1]; cpu++)
		vp_sim_event(sim, first,
			     (struct vp_ev){ .ts_ns = ts_ns + cpu - first,
					     .kind = VP_EV_FREQ,
					     .a = khz,
					     .b = cpu });
}

static void frequencies(struct vp_sim *sim, gsl_rng *rng)
{
	static const double steps[] = { 0.35, 0.45, 0.6, 0.8, 1.0 };
	const struct vp_hw *hw = sim->hw;
	int now_khz[4] = { 0 };

	for (gint64 ts_ns = sim->rq->begin_ns + VP_USEC;
	     ts_ns < sim->rq->end_ns; ts_ns += FREQ_PERIOD_NS) {
		bool busy = in_act(sim->rq, ts_ns);
		for (int i = 0; i < hw->clusters; i++) {
			gulong n =
				gsl_rng_uniform_int(rng, G_N_ELEMENTS(steps));
			double step = busy ? steps[n] : 0.25;
			int khz = (int)(hw->cluster_max_khz[i] * step);
			khz -= khz % 1000;
			if (khz != now_khz[i])
				set_freq(sim, i, ts_ns, khz);
			now_khz[i] = khz;
		}
	}
}

void vp_sim_fill(struct vp_sim *sim)
{
	g_autoptr(gsl_rng) rng = vp_rng_new(sim->rq->run_seed, VP_STREAM_FILL);

	vp_sim_sort_segs(sim);
	for (int cpu = 0; cpu < sim->hw->cpus; cpu++)
		fill_cpu(sim, cpu, rng);
	vp_sim_sort_segs(sim);
	if (sim->rq->idle)
		for (int cpu = 0; cpu < sim->hw->cpus; cpu++)
			idle_cpu(sim, cpu);
	if (sim->rq->freq)
		frequencies(sim, rng);
}
