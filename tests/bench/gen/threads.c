// SPDX-License-Identifier: GPL-3.0-or-later
/* The threads of the simulated phone, from hot to cold. */
#include "sim.h"

#define PRIO_KERNEL 120
#define PRIO_FIFO 98

/* Who runs often stands first. */
static const struct group {
	const char *name; /* with %d, numbered from 0 */
	int n;
	int tgid; /* 0: a process of its own, without memory */
	int first_tid;
	int prio;
	enum gen_kind kind;
	bool per_cpu;
} groups[] = {
	{ "surfaceflinger", 1, VP_PID_SURFACEFLINGER, VP_PID_SURFACEFLINGER,
	  PRIO_FIFO, GEN_UI, false },
	{ "com.example.app", 1, GEN_PID_APP, GEN_PID_APP, 110, GEN_UI, false },
	{ "RenderThread", 1, GEN_PID_APP, GEN_PID_APP + 40, 110, GEN_UI,
	  false },
	{ "ndroid.systemui", 1, VP_PID_SYSTEMUI, VP_PID_SYSTEMUI, 110, GEN_UI,
	  false },
	{ "RenderThread", 1, VP_PID_SYSTEMUI, VP_TID_SYSTEMUI_RENDER, 110,
	  GEN_UI, false },
	{ "RenderEngine", 1, VP_PID_SURFACEFLINGER, VP_TID_SF_RENDERENGINE,
	  PRIO_FIFO, GEN_USER, false },
	{ "rcu_preempt", 1, 0, VP_PID_RCU, PRIO_KERNEL, GEN_KERNEL, false },
	{ "composer-servic", 1, VP_PID_COMPOSER, VP_PID_COMPOSER, PRIO_FIFO,
	  GEN_UI, false },
	{ "binder:880_%d", 2, VP_PID_COMPOSER, VP_PID_COMPOSER + 1, PRIO_FIFO,
	  GEN_UI, false },
	{ "kworker/u16:%d", 4, 0, VP_PID_KWORKER_FIRST, PRIO_KERNEL, GEN_WORKER,
	  false },
	{ "kworker/%d:0", 1, 0, 30, PRIO_KERNEL, GEN_WORKER, true },
	{ "kworker/%d:1", 1, 0, 40, PRIO_KERNEL, GEN_WORKER, true },
	{ "kworker/%d:2", 1, 0, 50, PRIO_KERNEL, GEN_WORKER, true },
	{ "irq/%d-gpu", 1, 0, 320, 49, GEN_KERNEL, false },
	{ "irq/%d-dwc3", 1, 0, 321, 49, GEN_KERNEL, false },
	{ "crtc_commit:%d", 2, 0, 330, 83, GEN_KERNEL, false },
	{ "binder:900_%d", 5, VP_PID_SURFACEFLINGER, VP_TID_SF_BINDER, 120,
	  GEN_USER, false },
	{ "android.display", 1, VP_PID_SYSTEM_SERVER, VP_TID_SYSTEM_DISPLAY,
	  117, GEN_USER, false },
	{ "android.anim", 1, VP_PID_SYSTEM_SERVER, VP_TID_SYSTEM_ANIMATION, 110,
	  GEN_USER, false },
	{ "InputReader", 1, VP_PID_SYSTEM_SERVER, VP_TID_INPUT_READER, 112,
	  GEN_USER, false },
	{ "InputDispatcher", 1, VP_PID_SYSTEM_SERVER, VP_TID_INPUT_DISPATCHER,
	  112, GEN_USER, false },
	{ "mali-cmar-back", 1, GEN_PID_APP, GEN_PID_APP + 44, 120, GEN_USER,
	  false },
	{ "hwuiTask%d", 2, GEN_PID_APP, GEN_PID_APP + 46, 120, GEN_USER,
	  false },
	{ "hwuiTask%d", 2, VP_PID_SYSTEMUI, VP_TID_SYSTEMUI_RENDER + 2, 120,
	  GEN_USER, false },
	{ "binder:4200_%d", 6, GEN_PID_APP, GEN_PID_APP + 60, 120, GEN_USER,
	  false },
	{ "binder:2100_%d", 8, VP_PID_SYSTEMUI, VP_PID_SYSTEMUI + 60, 120,
	  GEN_USER, false },
	{ "binder:1500_%d", 32, VP_PID_SYSTEM_SERVER, VP_TID_SYSTEM_BINDER, 120,
	  GEN_USER, false },
	{ "rcuop/%d", 1, 0, 340, PRIO_KERNEL, GEN_KERNEL, true },
	{ "ksoftirqd/%d", 1, 0, 350, PRIO_KERNEL, GEN_KERNEL, true },
	{ "migration/%d", 1, 0, 360, -1, GEN_KERNEL, true },
	{ "kswapd%d", 1, 0, 370, PRIO_KERNEL, GEN_KERNEL, false },
	{ "f2fs_ckpt-254:%d", 1, 0, 371, PRIO_KERNEL, GEN_KERNEL, false },
	{ "pool-2-thread-%d", 12, GEN_PID_APP, GEN_PID_APP + 100, 120,
	  GEN_SHORT, false },
	{ "GLThread %d", 4, GEN_PID_APP, GEN_PID_APP + 80, 120, GEN_USER,
	  false },
	{ "Thread-%d", 60, VP_PID_SYSTEM_SERVER, VP_TID_SYSTEM_BINDER + 100,
	  120, GEN_USER, false },
	{ "lowpool[%d]", 40, VP_PID_GMS, VP_PID_GMS + 1, 130, GEN_USER, false },
	{ "highpool[%d]", 40, VP_PID_GMS, VP_PID_GMS + 101, 130, GEN_USER,
	  false },
	{ "logd.reader.per", 4, VP_PID_LOGD, VP_PID_LOGD + 1, 130, GEN_USER,
	  false },
	{ "traced_probes%d", 1, VP_PID_TRACED_PROBES, VP_PID_TRACED_PROBES, 120,
	  GEN_USER, false },
};

static const struct {
	int pid;
	const char *cmdline;
} processes[] = {
	{ VP_PID_LOGD, "/system/bin/logd" },
	{ VP_PID_TRACED_PROBES, "/system/bin/traced_probes" },
	{ VP_PID_COMPOSER,
	  "/vendor/bin/hw/android.hardware.composer.hwc3-service.pixel" },
	{ VP_PID_SURFACEFLINGER, "/system/bin/surfaceflinger" },
	{ VP_PID_SYSTEM_SERVER, "system_server" },
	{ VP_PID_SYSTEMUI, "com.android.systemui" },
	{ VP_PID_GMS, "com.google.android.gms" },
	{ GEN_PID_APP, "com.example.app" },
};

guint16 gen_comm(struct gen_sim *sim, const char *name)
{
	for (guint i = 0; i < sim->n_comms; i++)
		if (strcmp(sim->comms[i], name) == 0)
			return (guint16)i;
	g_assert(sim->n_comms < GEN_COMMS);
	g_strlcpy(sim->comms[sim->n_comms], name, sizeof(*sim->comms));
	return (guint16)sim->n_comms++;
}

static guint16 numbered(struct gen_sim *sim, const char *format, int n)
{
	g_auto(GStrv) parts = g_strsplit(format, "%d", 2);
	g_autofree char *name = NULL;

	if (!parts[1])
		return gen_comm(sim, format);
	name = g_strdup_printf("%s%d%s", parts[0], n, parts[1]);
	return gen_comm(sim, name);
}

static void add_worker(struct gen_sim *sim, guint cpu, guint number)
{
	guint16 *workers = sim->workers[cpu];

	for (guint i = 0; i < G_N_ELEMENTS(sim->workers[0]); i++) {
		if (workers[i])
			continue;
		workers[i] = (guint16)number;
		return;
	}
}

static void add_thread(struct gen_sim *sim, const struct group *group, int n)
{
	struct gen_thread *thread = &sim->threads[sim->n_threads];
	guint cpu = group->per_cpu ? (guint)n : GEN_ANY_CPU;

	g_assert(sim->n_threads < GEN_THREADS);
	*thread = (struct gen_thread){
		.tid = group->first_tid + n,
		.tgid = group->tgid ? group->tgid : group->first_tid + n,
		.prio = group->prio,
		.comm = numbered(sim, group->name, n),
		.kind = (guint8)group->kind,
		.bound_cpu = (guint8)cpu,
		.state = GEN_SLEEPS,
		.symbol = GEN_SYMBOLS,
		.ui_process = group->kind == GEN_UI,
		.since_ns = sim->rq.begin_ns,
	};
	if (group->kind == GEN_WORKER)
		add_worker(sim, cpu, sim->n_threads);
	sim->n_threads++;
}

void gen_threads_init(struct gen_sim *sim)
{
	sim->threads[GEN_IDLE] = (struct gen_thread){
		.prio = 120,
		.comm = gen_comm(sim, "swapper/0"),
		.kind = GEN_KERNEL,
		.state = GEN_RUNS,
	};
	sim->n_threads = 1;
	for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
		int n = groups[i].per_cpu ? GEN_CPUS : groups[i].n;

		for (int k = 0; k < n; k++)
			add_thread(sim, &groups[i], k);
	}
	sim->next_tid = 6000;
}

void gen_process_tree(struct gen_sim *sim)
{
	GByteArray *pb = sim->trace.pb;
	gsize packet = vp_packet_begin(&sim->trace);

	vp_pb_int(pb, 8, sim->rq.begin_ns + 2 * VP_MSEC);
	gsize tree = vp_pb_open(pb, 2);
	for (guint i = 0; i < G_N_ELEMENTS(processes); i++)
		vp_process(pb, processes[i].pid, 1, 1000, processes[i].cmdline,
			   false);
	for (guint i = 1; i < sim->n_threads; i++) {
		const struct gen_thread *t = &sim->threads[i];
		bool kthread = t->kind == GEN_KERNEL || t->kind == GEN_WORKER;
		struct vp_task task = { t->tid,	 t->tgid, t->prio,
					kthread, "",	  NULL };

		g_strlcpy(task.comm, sim->comms[t->comm], sizeof(task.comm));
		if (kthread)
			vp_process(pb, t->tid, VP_PID_KTHREADD, 0, task.comm,
				   true);
		vp_thread(pb, &task);
	}
	vp_pb_close_padded(pb, tree);
	vp_packet_end(&sim->trace, packet, VP_SEQ_PROCESSES);
}
