// SPDX-License-Identifier: GPL-3.0-or-later
/* Kworkers: items are queued, wait their turn, run. */
#include "sim.h"

enum work_event { ACTIVATE = 56, EXECUTE_END, EXECUTE_START, QUEUE };

#define WORK_CPU_UNBOUND 32

/* By function; two in five items are of pm_runtime_work. */
static const struct {
	const char *queue;
	bool unbound;
} queues[GEN_WORK_SYMBOLS] = {
	[GEN_PM_RUNTIME_WORK] = { "pm", false },
	[GEN_VMSTAT_UPDATE] = { "mm_percpu_wq", false },
	[GEN_BLK_MQ_RUN_WORK] = { "kblockd", false },
	[GEN_KCRYPTD_CRYPT] = { "kcryptd-254:10", true },
	[GEN_DELAYED_FPUT] = { "events", false },
};

static enum gen_symbol function_of(guint work)
{
	guint n = work % (GEN_WORK_SYMBOLS + 3);

	return n < GEN_WORK_SYMBOLS ? (enum gen_symbol)n : GEN_PM_RUNTIME_WORK;
}

static struct gen_event item_event(struct gen_sim *sim, struct gen_cpu *cpu,
				   gint64 ts_ns, enum work_event field,
				   guint work)
{
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, field);

	vp_pb_varint(ev.pb, 1, gen_work_pointer(sim, work));
	vp_pb_varint(ev.pb, 2, gen_symbol(sim, cpu, function_of(work)));
	return ev;
}

/* One that can be woken at @now_ns, else one that is busy. */
static struct gen_thread *find_worker(struct gen_sim *sim, guint pool,
				      gint64 now_ns)
{
	struct gen_thread *busy = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(sim->workers[0]); i++) {
		struct gen_thread *t = &sim->threads[sim->workers[pool][i]];

		if (!sim->workers[pool][i])
			break;
		if (t->pending == GEN_PENDING)
			continue;
		if (t->state == GEN_SLEEPS && !t->item_open &&
		    t->since_ns < now_ns)
			return t;
		if (t->item_open)
			busy = t;
	}
	return busy;
}

void gen_queue_work(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	guint work = gen_below(sim, GEN_WORKS);
	bool unbound = queues[function_of(work)].unbound;
	guint here = gen_cpu_number(sim, cpu);
	struct gen_thread *worker =
		find_worker(sim, unbound ? GEN_ANY_CPU : here, now_ns);
	struct gen_event ev;

	if (sim->work_busy[work] || !worker)
		return;
	sim->work_busy[work] = true;
	ev = item_event(sim, cpu, gen_stamp(sim, cpu, now_ns, 600), QUEUE,
			work);
	vp_pb_int(ev.pb, 4, WORK_CPU_UNBOUND);
	vp_pb_int(ev.pb, 5, here);
	vp_pb_string(ev.pb, 6, queues[function_of(work)].queue);
	gen_event_end(&ev);
	ev = item_event(sim, cpu, gen_stamp(sim, cpu, now_ns, 200), ACTIVATE,
			work);
	gen_event_end(&ev);
	worker->works[(worker->first + worker->pending++) % GEN_PENDING] =
		(guint16)work;
	if (worker->state == GEN_SLEEPS && !worker->item_open)
		gen_wake(sim, cpu, worker, now_ns, cpu->current == GEN_IDLE);
}

static void planted_wait(struct gen_sim *sim, const struct gen_thread *worker,
			 gint64 ts_ns)
{
	struct gen_sum *sum = &sim->truth->pm_wait;
	gint64 wait_ns = worker->item_ran ? 0 : worker->wait_ns;

	if (!gen_in_window(sim, ts_ns))
		return;
	sum->n++;
	sum->ns += wait_ns;
	sum->max_ns = MAX(sum->max_ns, wait_ns);
}

void gen_work_start(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	struct gen_thread *worker = gen_current(sim, cpu);
	guint work = worker->works[worker->first];
	gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 900);
	struct gen_event ev;

	if (!worker->pending)
		return;
	ev = item_event(sim, cpu, ts_ns, EXECUTE_START, work);
	gen_event_end(&ev);
	if (function_of(work) == GEN_PM_RUNTIME_WORK) {
		planted_wait(sim, worker, ts_ns);
		gen_rpm_status(sim, cpu, ts_ns);
	}
	worker->item_open = true;
	worker->item_ran = true;
}

void gen_work_end(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	struct gen_thread *worker = gen_current(sim, cpu);
	guint work = worker->works[worker->first];
	struct gen_event ev = item_event(
		sim, cpu, gen_stamp(sim, cpu, now_ns, 300), EXECUTE_END, work);

	gen_event_end(&ev);
	worker->first = (worker->first + 1) % GEN_PENDING;
	worker->pending--;
	worker->item_open = false;
	sim->work_busy[work] = false;
}
