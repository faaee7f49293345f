/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulation behind gen_write().
 *
 *	threads.c	who there is
 *	sim.c		CPUs: who runs, sleeps and waits
 *	work.c		kworkers and their items
 *	events.c	kernel events beside switches and wakeups
 *	bundle.c	columns and events, one drain pass at a time
 *	write.c		the packets, and when the trace ends
 *	planted.c	what is in the window
 */
#ifndef BENCH_GEN_SIM_H
#define BENCH_GEN_SIM_H

#include <string.h>

#include "../../vphone/pids.h"
#include "../../vphone/trace_packets.h"
#include "gen.h"

#define GEN_CPUS 8
#define GEN_THREADS 512
#define GEN_COMMS 512
#define GEN_QUEUE 64
#define GEN_WORKS 256
#define GEN_PENDING 8
#define GEN_PASS_NS (250 * VP_MSEC)
#define GEN_ANY_CPU GEN_CPUS
#define GEN_PID_APP 4200 /* com.example.app */
#define GEN_IDLE 0	 /* thread number of the idle task */

enum gen_symbol {
	GEN_PM_RUNTIME_WORK,
	GEN_VMSTAT_UPDATE,
	GEN_BLK_MQ_RUN_WORK,
	GEN_KCRYPTD_CRYPT,
	GEN_DELAYED_FPUT,
	GEN_WORK_SYMBOLS,
	GEN_RPM_RESUME = GEN_WORK_SYMBOLS,
	GEN_FOLIO_WAIT,
	GEN_MUTEX_LOCK,
	GEN_DMA_FENCE_WAIT,
	GEN_SYMBOLS,
};
const char *gen_symbol_name(enum gen_symbol symbol);

enum gen_kind { GEN_USER, GEN_UI, GEN_KERNEL, GEN_WORKER, GEN_SHORT };
enum gen_state { GEN_SLEEPS, GEN_RUNNABLE, GEN_RUNS, GEN_DEAD };

struct gen_thread {
	gint32 tid, tgid;
	gint32 prio;
	guint16 comm;	  /* number of the name */
	guint8 kind;	  /* enum gen_kind */
	guint8 bound_cpu; /* or GEN_ANY_CPU */
	guint8 state;	  /* enum gen_state */
	guint8 cpu;	  /* it runs or ran on last */
	guint8 symbol;	  /* in which it sleeps in D state, or GEN_SYMBOLS */
	bool ui_process;
	bool has_run, preempted;
	bool in_slice; /* between B| and E| */
	bool renames;  /* when it runs next */
	gint64 since_ns;

	/* Kworkers. */
	bool item_ran; /* one began in this running interval */
	bool item_open;
	gint64 wait_ns; /* for the CPU, before this running interval */
	guint8 pending, first;
	guint16 works[GEN_PENDING]; /* a ring; the first may be open */
};

/* What was recorded of one CPU and becomes one packet. */
enum gen_column {
	GEN_SWITCH_TS = 1,
	GEN_SWITCH_STATE,
	GEN_SWITCH_PID,
	GEN_SWITCH_PRIO,
	GEN_INTERN,
	GEN_SWITCH_COMM,
	GEN_WAKING_TS,
	GEN_WAKING_PID,
	GEN_WAKING_CPU,
	GEN_WAKING_PRIO,
	GEN_WAKING_COMM,
	GEN_WAKING_FLAGS,
	GEN_COLUMNS,
};
#define GEN_BUNDLE_COMMS 64
#define GEN_BUNDLE_ROWS 2000

struct gen_bundle {
	guint8 *column[GEN_COLUMNS], *end[GEN_COLUMNS];
	GByteArray *events;
	guint switches, wakings;
	gint64 switch_ns, waking_ns; /* of the last one; 0: none */
	guint16 comms[GEN_BUNDLE_COMMS];
	guint n_comms;
	guint64 stamp;	    /* unique among the bundles of a trace */
	guint32 symbols;    /* bits of those that it names */
	gint64 previous_ns; /* last event of the bundle before */
};

struct gen_cpu {
	gint64 next_ns; /* when something happens here */
	gint64 last_ns; /* of its last event */
	guint16 current;
	bool preempt; /* the current thread shall yield */
	bool in_idle_state;
	guint8 wakes; /* that the current thread will still do */
	gint64 run_end_ns;
	guint16 queue[GEN_QUEUE];
	guint8 first, queued;

	GPtrArray *bundles; /* struct gen_bundle *, of this pass and spare */
	guint n_bundles;
	gint64 written_ns; /* its last event in a bundle; 0: none yet */
	guint64 entries;
	/* By comm: stamp of the bundle << 8 | its index there. */
	guint64 comm_slot[GEN_COMMS];
};

struct gen_sim {
	const struct gen_spec *spec;
	struct gen_truth *truth;
	struct vp_trace_request rq;
	struct vp_sim vp;
	struct vp_trace trace;
	guint64 random;
	guint32 exponential[256]; /* of mean 256 */

	struct gen_thread threads[GEN_THREADS];
	guint n_threads;
	char comms[GEN_COMMS][16];
	guint n_comms;
	struct gen_cpu cpus[GEN_CPUS];
	guint16 workers[GEN_CPUS + 1][4]; /* [GEN_CPUS]: unbound */
	gint32 next_tid;
	bool work_busy[GEN_WORKS];
	guint8 rpm_status[8];
	gint64 frequency_ns; /* of the next change */

	/* Numbers that pointers get during one pass. */
	guint32 mangled[GEN_SYMBOLS + GEN_WORKS], last_mangled;
	guint32 announced;

	guint64 stamps; /* of bundles */
	gint64 vsync_ns, snapshot_ns;
	bool mark_begin, mark_end; /* due */
};

static inline bool gen_full(const struct gen_sim *sim)
{
	return sim->spec->mix == GEN_FULL;
}

/* xorshift64*: the simulation's only source of chance. */
static inline guint32 gen_random(struct gen_sim *sim)
{
	guint64 x = sim->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	sim->random = x;
	return (guint32)((x * G_GUINT64_CONSTANT(0x2545f4914f6cdd1d)) >> 32);
}

/* 0 to @n - 1 */
static inline guint32 gen_below(struct gen_sim *sim, guint32 n)
{
	return (guint32)((guint64)gen_random(sim) * n >> 32);
}

/* True once in @n times. */
static inline bool gen_once_in(struct gen_sim *sim, guint32 n)
{
	return gen_below(sim, n) == 0;
}

/* Exponentially distributed, at least 1 us. */
static inline gint64 gen_about(struct gen_sim *sim, gint64 mean_ns)
{
	guint32 r = gen_random(sim);

	return VP_USEC + (mean_ns * sim->exponential[r & 0xff] >> 8) +
	       (r >> 8 & 0x3ff);
}

/* The time of the next event on @cpu, @after_ns or so after the last one. */
static inline gint64 gen_stamp(struct gen_sim *sim, struct gen_cpu *cpu,
			       gint64 now_ns, gint64 after_ns)
{
	gint64 least_ns = cpu->last_ns + after_ns + (gen_random(sim) & 0xff);

	cpu->last_ns = MAX(now_ns, least_ns);
	return cpu->last_ns;
}

static inline struct gen_thread *gen_current(struct gen_sim *sim,
					     const struct gen_cpu *cpu)
{
	return &sim->threads[cpu->current];
}

static inline guint gen_number(const struct gen_sim *sim,
			       const struct gen_thread *thread)
{
	return (guint)(thread - sim->threads);
}

static inline guint gen_cpu_number(const struct gen_sim *sim,
				   const struct gen_cpu *cpu)
{
	return (guint)(cpu - sim->cpus);
}

/* threads.c */
void gen_threads_init(struct gen_sim *sim);
guint16 gen_comm(struct gen_sim *sim, const char *name);
void gen_process_tree(struct gen_sim *sim);

/* sim.c */
void gen_sim_init(struct gen_sim *sim);
/* Simulate until no CPU has anything to do before @end_ns. */
void gen_sim_run(struct gen_sim *sim, gint64 end_ns);
/* @cpu wakes @thread, which sleeps since before @now_ns. */
void gen_wake(struct gen_sim *sim, struct gen_cpu *cpu,
	      struct gen_thread *thread, gint64 now_ns, bool irq);
/* Ready to run on @cpu since @ts_ns.  False when its queue is full. */
bool gen_enqueue(struct gen_sim *sim, guint cpu, struct gen_thread *thread,
		 gint64 ts_ns);

/* work.c */
void gen_queue_work(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);
void gen_work_start(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);
void gen_work_end(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);

/* events.c: all take the time of the next event from gen_stamp(). */
void gen_idle_state(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns,
		    bool enter);
void gen_irq(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns, int irq,
	     bool entry);
void gen_softirq(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);
void gen_frequency(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);
void gen_print(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
	       const char *text);
void gen_slice(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns,
	       bool begin);
void gen_blocked_reason(struct gen_sim *sim, struct gen_cpu *cpu,
			const struct gen_thread *thread);
void gen_rpm_status(struct gen_sim *sim, struct gen_cpu *cpu, gint64 now_ns);
void gen_new_task(struct gen_sim *sim, struct gen_cpu *cpu,
		  struct gen_thread *dead, gint64 now_ns);
void gen_rename(struct gen_sim *sim, struct gen_cpu *cpu,
		struct gen_thread *thread, gint64 now_ns);
void gen_mark(struct gen_sim *sim, struct gen_cpu *cpu);

/* bundle.c */
void gen_put_switch(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
		    int prev_state, const struct gen_thread *next);
void gen_put_waking(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
		    const struct gen_thread *thread, guint target, int flags);
/* A FtraceEvent around the message @field, written until gen_event_end(). */
struct gen_event {
	GByteArray *pb;
	gsize event, message;
};
struct gen_event gen_event_begin(struct gen_sim *sim, struct gen_cpu *cpu,
				 gint64 ts_ns, guint32 field);
void gen_event_end(const struct gen_event *event);
/* The numbers of a symbol and of a work item in this pass. */
guint32 gen_symbol(struct gen_sim *sim, struct gen_cpu *cpu,
		   enum gen_symbol symbol);
guint32 gen_work_pointer(struct gen_sim *sim, guint work);
/* Append the packets of all CPUs and begin a new pass. */
void gen_drain(struct gen_sim *sim);
void gen_bundles_clear(struct gen_sim *sim);

/* planted.c */
void gen_planted_sum(const struct gen_sim *sim, struct gen_sum *sum,
		     gint64 begin_ns, gint64 end_ns);
static inline bool gen_in_window(const struct gen_sim *sim, gint64 ts_ns)
{
	return ts_ns >= sim->truth->begin_ns && ts_ns <= sim->truth->end_ns;
}
/* @thread gets the CPU at @ts_ns after it was runnable. */
void gen_planted_wait(struct gen_sim *sim, const struct gen_thread *thread,
		      guint cpu, gint64 ts_ns);

#endif
