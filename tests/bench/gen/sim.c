// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The scheduler.  The CPU with the earliest appointment goes next.  What a
 * step records may lie a little after the other CPUs' appointments, so whoever
 * takes a thread over looks at when it became what it is.
 */
#include <math.h>

#include "sim.h"

#define IDLE_NS (190 * VP_USEC)
#define WAKE_LATENCY_NS (6 * VP_USEC)
#define IRQ_TIMER 3
#define HOT_THREADS 56
#define STATE_DEAD 0x10 /* prev_state */

/* common_flags of sched_waking */
#define FLAG_NEED_RESCHED 0x01
#define FLAG_HARDIRQ 0x08

static void draw_table(struct gen_sim *sim)
{
	guint n = G_N_ELEMENTS(sim->exponential);

	for (guint i = 0; i < n; i++)
		sim->exponential[i] =
			(guint32)(-log((i + 0.5) / n) * 256.0 + 0.5);
}

void gen_sim_init(struct gen_sim *sim)
{
	draw_table(sim);
	gen_threads_init(sim);
	for (guint i = 0; i < GEN_CPUS; i++) {
		struct gen_cpu *cpu = &sim->cpus[i];

		cpu->last_ns = sim->rq.begin_ns;
		cpu->next_ns = sim->rq.begin_ns + gen_about(sim, IDLE_NS);
		cpu->bundles = g_ptr_array_new();
	}
	sim->frequency_ns = sim->rq.begin_ns;
}

/* ---- runnable threads ---- */

bool gen_enqueue(struct gen_sim *sim, guint target, struct gen_thread *thread,
		 gint64 ts_ns)
{
	struct gen_cpu *cpu = &sim->cpus[target];

	if (cpu->queued == GEN_QUEUE)
		return false;
	cpu->queue[(cpu->first + cpu->queued++) % GEN_QUEUE] =
		(guint16)gen_number(sim, thread);
	thread->state = GEN_RUNNABLE;
	thread->since_ns = ts_ns;
	if (cpu->current == GEN_IDLE) {
		cpu->next_ns = MIN(cpu->next_ns,
				   ts_ns + gen_about(sim, WAKE_LATENCY_NS));
	} else if (!cpu->preempt && gen_once_in(sim, 12)) {
		cpu->preempt = true;
		cpu->wakes = 0;
		cpu->next_ns = MIN(cpu->next_ns, ts_ns + 5 * VP_USEC);
	}
	return true;
}

static guint target_cpu(struct gen_sim *sim, const struct gen_cpu *cpu,
			const struct gen_thread *thread)
{
	if (thread->bound_cpu != GEN_ANY_CPU)
		return thread->bound_cpu;
	if (!gen_once_in(sim, 6))
		return thread->cpu;
	return gen_once_in(sim, 2) ? gen_cpu_number(sim, cpu)
				   : gen_below(sim, GEN_CPUS);
}

void gen_wake(struct gen_sim *sim, struct gen_cpu *cpu,
	      struct gen_thread *thread, gint64 now_ns, bool irq)
{
	guint target = target_cpu(sim, cpu, thread);
	gint64 since_ns = thread->since_ns;
	int flags = FLAG_NEED_RESCHED | (irq ? FLAG_HARDIRQ : 0);
	gint64 ts_ns;

	if (sim->cpus[target].queued == GEN_QUEUE)
		return;
	ts_ns = gen_stamp(sim, cpu, now_ns, 700);
	gen_put_waking(sim, cpu, ts_ns, thread, target, flags);
	if (thread->symbol != GEN_SYMBOLS) {
		if (gen_full(sim))
			gen_blocked_reason(sim, cpu, thread);
		if (thread->symbol == GEN_RPM_RESUME && thread->ui_process &&
		    gen_in_window(sim, since_ns) && gen_in_window(sim, ts_ns))
			gen_planted_sum(sim, &sim->truth->ui_rpm, since_ns,
					ts_ns);
		thread->symbol = GEN_SYMBOLS;
	}
	thread->preempted = false;
	gen_enqueue(sim, target, thread, ts_ns);
}

/* Who sleeps since before @now_ns, most often one of the hot.  Or NULL. */
static struct gen_thread *pick_sleeper(struct gen_sim *sim, gint64 now_ns)
{
	for (int i = 0; i < 6; i++) {
		guint all = sim->n_threads - 1;
		guint n = gen_once_in(sim, 24) ? all : MIN(all, HOT_THREADS);
		struct gen_thread *t = &sim->threads[1 + gen_below(sim, n)];

		/* Only work wakes a kworker, unless it sleeps inside of it. */
		if (t->state == GEN_SLEEPS && t->since_ns < now_ns &&
		    (!gen_full(sim) || t->kind != GEN_WORKER || t->item_open))
			return t;
	}
	return NULL;
}

static void wake_somebody(struct gen_sim *sim, struct gen_cpu *cpu,
			  gint64 now_ns, bool irq)
{
	struct gen_thread *thread;

	now_ns = MAX(now_ns, cpu->last_ns);
	if (gen_full(sim) && gen_once_in(sim, 8)) {
		gen_queue_work(sim, cpu, now_ns);
		return;
	}
	thread = pick_sleeper(sim, now_ns);
	if (thread)
		gen_wake(sim, cpu, thread, now_ns, irq);
}

/* ---- who runs next ---- */

static struct gen_thread *pop(struct gen_sim *sim, struct gen_cpu *cpu)
{
	guint number = cpu->queue[cpu->first];

	cpu->first = (cpu->first + 1) % GEN_QUEUE;
	cpu->queued--;
	return &sim->threads[number];
}

/* From a CPU where somebody waits behind another. */
static struct gen_thread *steal(struct gen_sim *sim)
{
	struct gen_cpu *from = &sim->cpus[gen_below(sim, GEN_CPUS)];
	const struct gen_thread *thread;

	if (from->queued < 2)
		return NULL;
	thread = &sim->threads[from->queue[from->first]];
	return thread->bound_cpu == GEN_ANY_CPU ? pop(sim, from) : NULL;
}

static struct gen_thread *pick_next(struct gen_sim *sim, struct gen_cpu *cpu)
{
	struct gen_thread *next = cpu->queued ? pop(sim, cpu) : steal(sim);

	return next ? next : &sim->threads[GEN_IDLE];
}

static void plan_run(struct gen_sim *sim, struct gen_cpu *cpu,
		     const struct gen_thread *thread)
{
	gint64 mean_ns = thread->kind == GEN_USER || thread->kind == GEN_UI
				 ? 250 * VP_USEC
				 : 80 * VP_USEC;

	cpu->run_end_ns = cpu->last_ns + gen_about(sim, mean_ns);
	/* Less than one on average, lest all CPUs are always busy. */
	cpu->wakes = (guint8)gen_below(sim, 5) / 2;
	if (gen_once_in(sim, 4))
		cpu->wakes = 0;
	cpu->next_ns = cpu->wakes ? (cpu->last_ns + cpu->run_end_ns) / 2
				  : cpu->run_end_ns;
}

static void begin_run(struct gen_sim *sim, struct gen_cpu *cpu,
		      struct gen_thread *next, gint64 ts_ns)
{
	gen_planted_wait(sim, next, gen_cpu_number(sim, cpu), ts_ns);
	next->wait_ns = ts_ns - next->since_ns;
	next->item_ran = false;
	next->state = GEN_RUNS;
	next->since_ns = ts_ns;
	next->cpu = (guint8)gen_cpu_number(sim, cpu);
	next->has_run = true;
	if (!gen_full(sim)) {
		plan_run(sim, cpu, next);
		return;
	}
	if (next->renames)
		gen_rename(sim, cpu, next, ts_ns);
	if (next->kind == GEN_WORKER && !next->item_open)
		gen_work_start(sim, cpu, ts_ns);
	else if (next->tgid != next->tid && !next->in_slice &&
		 gen_once_in(sim, 5))
		gen_slice(sim, cpu, ts_ns, true);
	plan_run(sim, cpu, next);
}

static void begin_idle(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns)
{
	if (gen_full(sim))
		gen_idle_state(sim, cpu, ts_ns, true);
	cpu->next_ns = cpu->last_ns + gen_about(sim, IDLE_NS);
}

/* Another thread than the current one gets the CPU. */
static gint64 switch_to(struct gen_sim *sim, struct gen_cpu *cpu,
			struct gen_thread *next, gint64 now_ns, int prev_state)
{
	gint64 ts_ns;

	if (gen_number(sim, next) != GEN_IDLE)
		now_ns = MAX(now_ns, next->since_ns + 900);
	ts_ns = gen_stamp(sim, cpu, now_ns, 800);
	gen_put_switch(sim, cpu, ts_ns, prev_state, next);
	cpu->current = (guint16)gen_number(sim, next);
	cpu->preempt = false;
	return ts_ns;
}

/* ---- what a CPU does ---- */

static void idle_step(struct gen_sim *sim, struct gen_cpu *cpu)
{
	gint64 now_ns = cpu->next_ns;
	bool full = gen_full(sim);
	bool irq = full && gen_once_in(sim, 4);
	struct gen_thread *next;

	if (full && cpu->in_idle_state)
		gen_idle_state(sim, cpu, now_ns, false);
	if (cpu->queued) {
		next = pop(sim, cpu);
		begin_run(sim, cpu, next, switch_to(sim, cpu, next, now_ns, 0));
		return;
	}
	if (irq)
		gen_irq(sim, cpu, now_ns, IRQ_TIMER, true);
	wake_somebody(sim, cpu, now_ns, true);
	if (irq)
		gen_irq(sim, cpu, now_ns, IRQ_TIMER, false);
	if (irq && gen_once_in(sim, 2))
		gen_softirq(sim, cpu, now_ns);
	if (cpu->queued)
		cpu->next_ns = cpu->last_ns + gen_about(sim, WAKE_LATENCY_NS);
	else
		begin_idle(sim, cpu, cpu->last_ns);
}

/* The state in which the current thread leaves the CPU. */
static int blocks(struct gen_sim *sim, struct gen_thread *thread)
{
	static const enum gen_symbol symbols[] = { GEN_RPM_RESUME,
						   GEN_FOLIO_WAIT,
						   GEN_MUTEX_LOCK,
						   GEN_DMA_FENCE_WAIT };

	thread->state = GEN_SLEEPS;
	if (thread->kind == GEN_WORKER && gen_full(sim) && !thread->item_open)
		return VP_END_IDLE;
	if (thread->kind == GEN_SHORT && gen_full(sim) &&
	    gen_once_in(sim, 40)) {
		thread->state = GEN_DEAD;
		return STATE_DEAD;
	}
	if (!thread->item_open && !gen_once_in(sim, 12))
		return VP_END_SLEEP;
	thread->symbol = (guint8)symbols[gen_below(sim, 4)];
	return VP_END_DISK;
}

/* The current thread sleeps, or is preempted by who waits. */
static void leave_cpu(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns,
		      bool preempted)
{
	struct gen_thread *prev = gen_current(sim, cpu);
	int prev_state = preempted ? VP_END_PREEMPTED : blocks(sim, prev);
	struct gen_thread *next =
		preempted ? pop(sim, cpu) : pick_next(sim, cpu);
	gint64 ts_ns = switch_to(sim, cpu, next, now_ns, prev_state);

	gen_planted_sum(sim, &sim->truth->running, prev->since_ns, ts_ns);
	prev->since_ns = ts_ns;
	prev->preempted = preempted;
	if (gen_number(sim, next) == GEN_IDLE)
		begin_idle(sim, cpu, ts_ns);
	else
		begin_run(sim, cpu, next, ts_ns);
	if (preempted)
		gen_enqueue(sim, gen_cpu_number(sim, cpu), prev, ts_ns);
}

static void end_run(struct gen_sim *sim, struct gen_cpu *cpu)
{
	struct gen_thread *thread = gen_current(sim, cpu);
	gint64 now_ns = cpu->next_ns;

	if (cpu->queued && (cpu->preempt || gen_once_in(sim, 16))) {
		leave_cpu(sim, cpu, now_ns, true);
		return;
	}
	/* One item in twenty sleeps before it is done. */
	if (thread->item_open && !gen_once_in(sim, 20)) {
		gen_work_end(sim, cpu, now_ns);
		if (thread->pending) {
			gen_work_start(sim, cpu, now_ns);
			plan_run(sim, cpu, thread);
			return;
		}
	}
	if (thread->in_slice)
		gen_slice(sim, cpu, now_ns, false);
	leave_cpu(sim, cpu, now_ns, false);
}

static void run_step(struct gen_sim *sim, struct gen_cpu *cpu)
{
	if (!cpu->wakes) {
		end_run(sim, cpu);
		return;
	}
	cpu->wakes--;
	wake_somebody(sim, cpu, cpu->next_ns, false);
	if (gen_full(sim) && sim->frequency_ns < cpu->next_ns)
		gen_frequency(sim, cpu, cpu->next_ns);
	if (cpu->preempt)
		cpu->next_ns = cpu->last_ns + VP_USEC;
	else if (cpu->wakes)
		cpu->next_ns = (cpu->last_ns + cpu->run_end_ns) / 2;
	else
		cpu->next_ns = MAX(cpu->run_end_ns, cpu->last_ns + VP_USEC);
}

static void give_birth(struct gen_sim *sim, struct gen_cpu *cpu)
{
	guint i = 1 + gen_below(sim, sim->n_threads - 1);
	struct gen_thread *dead = &sim->threads[i];

	if (dead->state == GEN_DEAD && dead->since_ns < cpu->next_ns)
		gen_new_task(sim, cpu, dead, cpu->next_ns);
}

static void step(struct gen_sim *sim, struct gen_cpu *cpu)
{
	if (cpu->current == GEN_IDLE) {
		idle_step(sim, cpu);
		return;
	}
	if (G_UNLIKELY(sim->mark_begin || sim->mark_end))
		gen_mark(sim, cpu);
	if (gen_full(sim) && gen_current(sim, cpu)->kind == GEN_SHORT)
		give_birth(sim, cpu);
	run_step(sim, cpu);
}

void gen_sim_run(struct gen_sim *sim, gint64 end_ns)
{
	for (;;) {
		struct gen_cpu *cpu = sim->cpus;

		for (int i = 1; i < GEN_CPUS; i++)
			if (sim->cpus[i].next_ns < cpu->next_ns)
				cpu = &sim->cpus[i];
		if (cpu->next_ns >= end_ns)
			return;
		step(sim, cpu);
	}
}
