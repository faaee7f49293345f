/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happens on the phone's CPUs while a trace is recorded.
 *
 * Nothing is stepped through: whole stretches are laid out on the CPUs'
 * time lines, so that a work item waits exactly as long as the model drew.
 * The CPUs are shared out to make that simple: the last four run one UI
 * thread each (main, RenderThread, surfaceflinger, composer and display), the
 * others run work items.  Whatever is free at the end is filled with other
 * threads.
 *
 *	trace_sim.c	time lines, tasks, the order of construction
 *	trace_frames.c	frames of the app and of surfaceflinger
 *	trace_items.c	work items, who queues them and who waits for them
 *	trace_fill.c	other threads, frequency, idle states, marks
 */
#ifndef VPHONE_TRACE_SIM_H
#define VPHONE_TRACE_SIM_H

#include "model.h"

#define VP_USEC G_GINT64_CONSTANT(1000)
#define VP_MAX_CPUS 16
#define VP_PRIO_NORMAL 120

/* prev_state of sched_switch, Linux 4.14 and later */
enum vp_end_state {
	VP_END_RUNNABLE = 0,
	VP_END_SLEEP = 0x01,
	VP_END_DISK = 0x02,
	VP_END_IDLE = 0x80,
	VP_END_PREEMPTED = 0x100,
};

struct vp_task {
	int tid, tgid;
	int prio;
	bool kthread;
	char comm[16];
	const char *suffix; /* of the name in /proc: kworkers */
};

/* A stretch in which a task has a CPU. */
struct vp_seg {
	gint64 begin_ns, end_ns;
	guint16 task;
	guint16 end_state;
};

/* Kernel functions, then the work structs of the devices: all pointers. */
enum vp_sym {
	VP_SYM_PM_RUNTIME_WORK,
	VP_SYM_RPM_RESUME,
	VP_SYM_VMSTAT_UPDATE,
	VP_SYM_PSI_AVGS_WORK,
	VP_SYM_DELAYED_FPUT,
	VP_SYM_FOLIO_WAIT,
	VP_SYMS,
};

#define VP_DEVICES 8
#define VP_POINTERS (VP_SYMS + VP_DEVICES + VP_MAX_CPUS)

enum vp_ev_kind {
	VP_EV_WAKING,	  /* a task, b target cpu */
	VP_EV_BLOCKED,	  /* a tid, b caller, c io_wait */
	VP_EV_QUEUE,	  /* a work, b function, c cpu, name: workqueue */
	VP_EV_ACTIVATE,	  /* a work, b function */
	VP_EV_EXECUTE,	  /* a work, b function */
	VP_EV_EXECUTED,	  /* a work, b function */
	VP_EV_RPM,	  /* a enum vp_rpm, name: device, b flags, c usage */
	VP_EV_RPM_RETURN, /* name: device, a ret */
	VP_EV_RPM_STATUS, /* name: device, a status */
	VP_EV_FREQ,	  /* a kHz, b cpu */
	VP_EV_IDLE,	  /* a state, b cpu */
	VP_EV_PRINT,	  /* name: text */
};

/* In the order in which traced_probes numbers them. */
enum vp_rpm { VP_RPM_IDLE, VP_RPM_RESUME, VP_RPM_RETURN, VP_RPM_SUSPEND };

/* For vp_trace_request.without; the three kinds of VP_EV_RPM apart. */
#define VP_EVENT_BIT(kind) (1u << (kind))
#define VP_RPM_BIT(rpm) (1u << (16 + (rpm)))

struct vp_ev {
	gint64 ts_ns;
	guint32 order; /* of creation: ties keep it */
	guint32 kind;  /* enum vp_ev_kind */
	gint64 a;
	gint32 b, c;
	const char *name;
};

struct vp_line {
	GArray *segs; /* struct vp_seg */
	GArray *evs;  /* struct vp_ev */
	GArray *busy; /* struct vp_span: reserved for one work item or mark */
};

struct vp_span {
	gint64 begin_ns, end_ns;
};

/* Tasks by role; further ones follow in vp_sim.tasks. */
enum vp_role {
	VP_TASK_IDLE,
	VP_TASK_UI_MAIN,
	VP_TASK_UI_RENDER,
	VP_TASK_BENCH_MAIN,
	VP_TASK_BENCH_RENDER,
	VP_TASK_SF,
	VP_TASK_COMPOSER,
	VP_TASK_DISPLAY,
	VP_TASK_FIXED,
};

/* Per CPU, following the fixed ones. */
enum vp_cpu_task {
	VP_CPU_PM_WORKER, /* executes pm_wq items */
	VP_CPU_WORKER,	  /* executes everything else */
	VP_CPU_BLOCKER,	  /* keeps the CPU while an item waits */
	VP_CPU_FILLER,	  /* and FILLER + 1: anything */
	VP_CPU_FILLER2,
	VP_CPU_TASKS,
};

/* The CPUs of the UI, counted from the last. */
enum vp_ui_cpu {
	VP_UI_CPU_MAIN = 4,
	VP_UI_CPU_SF = 3,
	VP_UI_CPU_RENDER = 2,
	VP_UI_CPU_DISPLAY = 1,
};

enum vp_ui_thread { VP_UI_MAIN, VP_UI_RENDER, VP_UI_SF, VP_UI_COMPOSER };

/* One work item as it was planted: what a test compares a decoder with. */
struct vp_item {
	gint64 queue_ns; /* the kworker is woken */
	gint64 wait_ns;	 /* and gets a CPU this much later */
	gint64 run_ns;
	gint64 resume_ns; /* an UI thread is woken after this; 0: nobody waits */
	gint64 lead_ns;	  /* that thread slept so long before queue_ns */
	int cpu;
	int queue_cpu;
	int waiter, waiter_cpu; /* task; when resume_ns */
};

struct vp_frame {
	gint64 vsync_ns;
	gint64 app_begin_ns, app_end_ns;
	gint64 sf_begin_ns, sf_end_ns, present_ns;
	bool app_missed, sf_missed;
	bool late_wait; /* missed, as RenderThread waited for a work item */
	bool bench;
	int jank; /* of the display frame */
};

struct vp_sim {
	const struct vp_trace_request *rq;
	const struct vp_hw *hw;
	struct vp_run run;
	struct vp_line line[VP_MAX_CPUS];
	GArray *tasks;	/* struct vp_task */
	GArray *items;	/* struct vp_item */
	GArray *frames; /* struct vp_frame */
	guint32 order;
	gint64 ui_free_ns[VP_MAX_CPUS]; /* end of the CPU's last UI stretch */
	int items_dropped;		/* no CPU had room for them */
};

struct vp_sim *vp_sim_new(const struct vp_trace_request *rq);
void vp_sim_free(struct vp_sim *sim);

/* for trace_frames.c, trace_items.c and trace_fill.c */
int vp_sim_cpu_task(const struct vp_sim *sim, int cpu, enum vp_cpu_task which);
int vp_sim_ui_cpu(const struct vp_sim *sim, enum vp_ui_cpu which);
int vp_sim_work_cpus(const struct vp_sim *sim);
const struct vp_task *vp_sim_task(const struct vp_sim *sim, int task);
void vp_sim_seg(struct vp_sim *sim, int cpu, int task, gint64 begin_ns,
		gint64 end_ns, enum vp_end_state end_state);
void vp_sim_event(struct vp_sim *sim, int cpu, struct vp_ev ev);
void vp_sim_waking(struct vp_sim *sim, int cpu, gint64 ts_ns, int task,
		   int target_cpu);
/* Is [begin, end) free of reservations on @cpu? */
bool vp_sim_free_span(const struct vp_sim *sim, int cpu, gint64 begin_ns,
		      gint64 end_ns);
void vp_sim_reserve(struct vp_sim *sim, int cpu, gint64 begin_ns,
		    gint64 end_ns);
void vp_sim_sort_segs(struct vp_sim *sim);

/*
 * vp_trace_request.late_waits: the longest wait of a stretch's items is given
 * to one that RenderThread waits for in a missed frame, and that one's to the
 * other: the waits of all items stay what was drawn.
 */
struct vp_late {
	gint64 wait_ns; /* the longest; 0: none is long, or it is given */
	guint item;	/* whose it was, of those that nobody waits for */
	gint64 instead_ns;
};

/* A part of an act that lies in the trace, with what was drawn for it. */
struct vp_stretch {
	gint64 begin_ns, end_ns;
	bool bench;
	guint items, ui_items; /* ui_items of them have a UI thread wait */
	/*
	 * What is drawn from the model comes from generators of its own: it
	 * depends on the seed alone, not on where things found room.
	 */
	gsl_rng *waits;
	guint app_missed, sf_missed;
	struct vp_late *late;
};

/* All frames of a stretch, and the items that its threads wait for. */
void vp_sim_frames(struct vp_sim *sim, const struct vp_stretch *st,
		   gsl_rng *rng);
/* The items of a stretch that nobody waits for. */
void vp_sim_items(struct vp_sim *sim, const struct vp_stretch *st,
		  gsl_rng *rng);
/*
 * An item that @waiter, asleep on @waiter_cpu, waits for.  Returns the time
 * at which the waiter is woken, or 0 when no CPU has room for the item.
 */
gint64 vp_sim_ui_item(struct vp_sim *sim, const struct vp_stretch *st,
		      gint64 queue_ns, int waiter, int waiter_cpu, bool late,
		      gsl_rng *rng);
/* Find the longest wait that will be drawn for the stretch. */
void vp_sim_find_late(const struct vp_sim *sim, const struct vp_stretch *st);
/* What all items leave in the trace; they are known now. */
void vp_sim_item_events(struct vp_sim *sim);
void vp_sim_marks(struct vp_sim *sim);
void vp_sim_fill(struct vp_sim *sim);

#endif
