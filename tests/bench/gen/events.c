// SPDX-License-Identifier: GPL-3.0-or-later
/* Kernel events beside switches, wakeups and work items. */
#include "sim.h"

enum event {
	PRINT = 3,
	CPU_FREQUENCY = 11,
	CPU_IDLE = 13,
	BLOCKED_REASON = 18,
	SOFTIRQ_ENTRY = 24,
	SOFTIRQ_EXIT,
	IRQ_ENTRY = 36,
	IRQ_EXIT,
	WAKEUP_NEW = 114,
	TASK_NEWTASK = 235,
	TASK_RENAME,
	PROCESS_FREE = 240,
	RPM_STATUS = 489,
};

#define IDLE_EXIT G_MAXUINT32
#define CLONE_FLAGS_THREAD 0x3d0f00
#define CLUSTER_CPUS 4
#define SOFTIRQ_TIMER 1

void gen_idle_state(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns,
		    bool enter)
{
	gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 400);
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, CPU_IDLE);

	vp_pb_varint(ev.pb, 1, enter ? gen_below(sim, 2) : IDLE_EXIT);
	vp_pb_varint(ev.pb, 2, gen_cpu_number(sim, cpu));
	gen_event_end(&ev);
	cpu->in_idle_state = enter;
}

void gen_irq(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns, int irq,
	     bool entry)
{
	gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 500);
	struct gen_event ev =
		gen_event_begin(sim, cpu, ts_ns, entry ? IRQ_ENTRY : IRQ_EXIT);

	vp_pb_int(ev.pb, 1, irq);
	if (entry)
		vp_pb_string(ev.pb, 2, "arch_timer");
	else
		vp_pb_int(ev.pb, 2, 1);
	gen_event_end(&ev);
}

void gen_softirq(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	static const enum event fields[] = { SOFTIRQ_ENTRY, SOFTIRQ_EXIT };

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 900);
		struct gen_event ev =
			gen_event_begin(sim, cpu, ts_ns, fields[i]);

		vp_pb_int(ev.pb, 1, SOFTIRQ_TIMER);
		gen_event_end(&ev);
	}
}

/* The governor changes a cluster: one event for each CPU. */
void gen_frequency(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	static const guint32 khz[] = { 300000,	820000,	 1197000, 1328000,
				       1704000, 2049000, 2253000, 2850000 };
	guint first = CLUSTER_CPUS * gen_below(sim, GEN_CPUS / CLUSTER_CPUS);
	guint32 value = khz[gen_below(sim, G_N_ELEMENTS(khz))];

	for (guint i = 0; i < CLUSTER_CPUS; i++) {
		gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 300);
		struct gen_event ev =
			gen_event_begin(sim, cpu, ts_ns, CPU_FREQUENCY);

		vp_pb_varint(ev.pb, 1, value);
		vp_pb_varint(ev.pb, 2, first + i);
		gen_event_end(&ev);
	}
	sim->frequency_ns = cpu->last_ns + gen_about(sim, 8 * VP_MSEC);
}

void gen_print(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
	       const char *text)
{
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, PRINT);

	vp_pb_string(ev.pb, 2, text);
	gen_event_end(&ev);
}

void gen_slice(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns,
	       bool begin)
{
	static const char *const names[] = { "Choreographer#doFrame", "draw",
					     "binder transaction", "commit",
					     "traversal" };
	struct gen_thread *thread = gen_current(sim, cpu);
	const char *name = names[gen_below(sim, G_N_ELEMENTS(names))];
	char text[64];

	if (begin)
		g_snprintf(text, sizeof(text), "B|%d|%s\n", thread->tgid, name);
	else
		g_snprintf(text, sizeof(text), "E|%d\n", thread->tgid);
	gen_print(sim, cpu, gen_stamp(sim, cpu, now_ns, 700), text);
	thread->in_slice = begin;
}

void gen_blocked_reason(struct gen_sim *sim, struct gen_cpu *cpu,
			const struct gen_thread *thread)
{
	gint64 ts_ns = gen_stamp(sim, cpu, cpu->last_ns, 300);
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, BLOCKED_REASON);

	vp_pb_int(ev.pb, 1, thread->tid);
	vp_pb_varint(ev.pb, 2,
		     gen_symbol(sim, cpu, (enum gen_symbol)thread->symbol));
	vp_pb_int(ev.pb, 3, thread->symbol == GEN_FOLIO_WAIT);
	gen_event_end(&ev);
}

void gen_rpm_status(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns)
{
	/* enum rpm_status: suspending, suspended, resuming, active */
	static const guint8 statuses[] = { 3, 2, 1, 0 };
	guint device = gen_below(sim, G_N_ELEMENTS(sim->rpm_status));
	guint8 *step = &sim->rpm_status[device];
	gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 600);
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, RPM_STATUS);
	char name[16];

	g_snprintf(name, sizeof(name), "1c2c%u000.drm", device);
	vp_pb_string(ev.pb, 1, name);
	vp_pb_int(ev.pb, 2, statuses[*step]);
	gen_event_end(&ev);
	*step = (*step + 1) % G_N_ELEMENTS(statuses);
}

static void task_event(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
		       enum event field, const struct gen_thread *thread)
{
	const char *comm = sim->comms[thread->comm];
	bool pid_first = field == TASK_NEWTASK;
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, field);

	if (pid_first)
		vp_pb_int(ev.pb, 1, thread->tid);
	vp_pb_string(ev.pb, pid_first ? 2 : 1, comm);
	if (pid_first)
		vp_pb_varint(ev.pb, 3, CLONE_FLAGS_THREAD);
	else
		vp_pb_int(ev.pb, 2, thread->tid);
	if (field != TASK_NEWTASK)
		vp_pb_int(ev.pb, 3, thread->prio);
	gen_event_end(&ev);
}

/* The current thread starts another one in the place of @dead. */
void gen_new_task(struct gen_sim *sim, struct gen_cpu *cpu,
		  struct gen_thread *dead, gint64 now_ns)
{
	const struct gen_thread *parent = gen_current(sim, cpu);
	guint here = gen_cpu_number(sim, cpu);
	gint64 ts_ns;

	if (cpu->queued == GEN_QUEUE)
		return;
	task_event(sim, cpu, gen_stamp(sim, cpu, now_ns, 500), PROCESS_FREE,
		   dead);
	dead->tid = sim->next_tid++;
	dead->comm = parent->comm;
	dead->has_run = false;
	dead->preempted = false;
	dead->renames = true;
	ts_ns = gen_stamp(sim, cpu, now_ns, 3000);
	task_event(sim, cpu, ts_ns, TASK_NEWTASK, dead);
	task_event(sim, cpu, gen_stamp(sim, cpu, now_ns, 500), WAKEUP_NEW,
		   dead);
	gen_enqueue(sim, here, dead, ts_ns);
}

void gen_rename(struct gen_sim *sim, struct gen_cpu *cpu,
		struct gen_thread *thread, gint64 now_ns)
{
	gint64 ts_ns = gen_stamp(sim, cpu, now_ns, 2000);
	struct gen_event ev = gen_event_begin(sim, cpu, ts_ns, TASK_RENAME);
	char name[16];

	vp_pb_int(ev.pb, 1, thread->tid);
	vp_pb_string(ev.pb, 2, sim->comms[thread->comm]);
	g_snprintf(name, sizeof(name), "AsyncTask #%u", gen_below(sim, 8));
	thread->comm = gen_comm(sim, name);
	vp_pb_string(ev.pb, 3, name);
	gen_event_end(&ev);
	thread->renames = false;
}

/*
 * The mark is later than everything that any CPU recorded so far, so that it
 * is known of each event, as it happens, on which side it is.
 */
void gen_mark(struct gen_sim *sim, struct gen_cpu *cpu)
{
	gint64 ts_ns = 0;

	for (int i = 0; i < GEN_CPUS; i++)
		ts_ns = MAX(ts_ns, sim->cpus[i].last_ns);
	ts_ns = gen_stamp(sim, cpu, ts_ns + VP_USEC, 0);
	gen_print(sim, cpu, ts_ns,
		  sim->mark_begin ? "S|1|abrig:run|1\n" : "F|1|abrig:run|1\n");
	if (sim->mark_begin)
		sim->truth->begin_ns = ts_ns;
	else
		sim->truth->end_ns = ts_ns;
	sim->mark_begin = false;
	sim->mark_end = false;
}
