// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Work items of pm_wq.  An item that waits has another thread keep its CPU;
 * the stretch of time that this takes is reserved, so that the wait is the
 * drawn one to the nanosecond.
 */
#include <gsl/gsl_randist.h>
#include <string.h>

#include "trace_sim.h"

#define IDLE_WAIT_NS (60 * VP_USEC) /* shorter: the CPU only has to wake up */
#define MARGIN_NS (45 * VP_USEC)
#define TRIES 64
#define UI_TAIL_NS (4 * VP_USEC) /* from the waiter's wake-up to the end */

static const char *const device_names[VP_DEVICES] = {
	"28000000.mali",	 "19470000.drmdecon", "19440000.drmdsim",
	"1a090000.sysmmu",	 "19c30000.drmdpp",   "17000010.devfreq_mif",
	"25a00000.samsung_smfc", "10d60000.hsi2c",
};

/* How an item's CPU is shared while it waits and after it ran. */
struct plan {
	gint64 lead_ns; /* the blocker has run so long before; 0: CPU idle */
	gint64 rest_ns; /* and goes on so long after, when preempted */
};

static struct plan make_plan(const struct vp_sim *sim,
			     const struct vp_item *item, gsl_rng *rng)
{
	const struct vp_model *m = sim->run.model;
	struct plan plan = { 0, 0 };

	if (item->wait_ns < IDLE_WAIT_NS)
		return plan;
	plan.lead_ns = 60 * VP_USEC +
		       (gint64)gsl_ran_exponential(rng, 600.0 * VP_USEC);
	if (gsl_rng_uniform(rng) < m->preempt_p)
		plan.rest_ns = 20 * VP_USEC +
			       (gint64)gsl_ran_exponential(
				       rng, m->background_us * (double)VP_USEC);
	return plan;
}

static gint64 item_end(const struct vp_item *item)
{
	return item->queue_ns + item->wait_ns + item->run_ns;
}

static bool find_cpu(struct vp_sim *sim, struct vp_item *item,
		     const struct plan *plan, gsl_rng *rng)
{
	gint64 begin_ns = item->queue_ns - plan->lead_ns - MARGIN_NS;
	gint64 end_ns = item_end(item) + plan->rest_ns + MARGIN_NS;
	int cpus = vp_sim_work_cpus(sim);

	if (begin_ns < sim->rq->begin_ns)
		return false;
	int first = (int)gsl_rng_uniform_int(rng, (gulong)cpus);

	for (int i = 0; i < cpus; i++) {
		int cpu = (first + i) % cpus;
		if (!vp_sim_free_span(sim, cpu, begin_ns, end_ns))
			continue;
		vp_sim_reserve(sim, cpu, begin_ns, end_ns);
		item->cpu = cpu;
		return true;
	}
	return false;
}

static void lay_out(struct vp_sim *sim, const struct vp_item *item,
		    const struct plan *plan)
{
	int cpu = item->cpu;
	int blocker = vp_sim_cpu_task(sim, cpu, VP_CPU_BLOCKER);
	int worker = vp_sim_cpu_task(sim, cpu, VP_CPU_PM_WORKER);
	gint64 start_ns = item->queue_ns + item->wait_ns;
	gint64 end_ns = item_end(item);

	if (plan->lead_ns) {
		gint64 begin_ns = item->queue_ns - plan->lead_ns;
		vp_sim_waking(sim, cpu, begin_ns - 15 * VP_USEC, blocker, cpu);
		vp_sim_seg(sim, cpu, blocker, begin_ns, start_ns,
			   plan->rest_ns ? VP_END_PREEMPTED : VP_END_SLEEP);
	}
	vp_sim_seg(sim, cpu, worker, start_ns, end_ns, VP_END_IDLE);
	if (plan->rest_ns)
		vp_sim_seg(sim, cpu, blocker, end_ns, end_ns + plan->rest_ns,
			   VP_END_SLEEP);
}

/* Any CPU but the one that will execute it and the one that waits. */
static int draw_queue_cpu(const struct vp_sim *sim, const struct vp_item *item,
			  gsl_rng *rng)
{
	for (;;) {
		int cpu = (int)gsl_rng_uniform_int(rng, (gulong)sim->hw->cpus);
		if (cpu == item->cpu)
			continue;
		if (!item->resume_ns || cpu != item->waiter_cpu)
			return cpu;
	}
}

static void place(struct vp_sim *sim, struct vp_item *item,
		  const struct plan *plan, gsl_rng *rng)
{
	lay_out(sim, item, plan);
	item->queue_cpu = draw_queue_cpu(sim, item, rng);
	g_array_append_val(sim->items, *item);
}

/* Shorter ones make no frame late. */
#define LATE_WAIT_NS (2 * VP_MSEC)

static gint64 draw_run_ns(const struct vp_model *m, gsl_rng *waits)
{
	double us = vp_draw_median(waits, m->work_run_us, m->work_run_sigma);

	return (gint64)(CLAMP(us, 12, 1e5) * VP_USEC);
}

void vp_sim_find_late(const struct vp_sim *sim, const struct vp_stretch *st)
{
	g_autoptr(gsl_rng) waits = gsl_rng_clone(st->waits);

	for (guint i = 0; i < st->ui_items; i++) {
		vp_draw_wait_ns(&sim->run, waits, true);
		vp_draw_resume_ns(sim->run.model, waits);
	}
	for (guint i = st->ui_items; i < st->items; i++) {
		draw_run_ns(sim->run.model, waits);
		gint64 wait_ns = vp_draw_wait_ns(&sim->run, waits, false);
		if (wait_ns >= LATE_WAIT_NS && wait_ns > st->late->wait_ns) {
			st->late->wait_ns = wait_ns;
			st->late->item = i;
		}
	}
}

gint64 vp_sim_ui_item(struct vp_sim *sim, const struct vp_stretch *st,
		      gint64 queue_ns, int waiter, int waiter_cpu, bool late,
		      gsl_rng *rng)
{
	struct vp_item item = {
		.queue_ns = queue_ns,
		.wait_ns = vp_draw_wait_ns(&sim->run, st->waits, true),
		.resume_ns = vp_draw_resume_ns(sim->run.model, st->waits),
		.waiter = waiter,
		.waiter_cpu = waiter_cpu,
	};

	if (late) {
		st->late->instead_ns = item.wait_ns;
		item.wait_ns = st->late->wait_ns;
	}
	item.run_ns = item.resume_ns + UI_TAIL_NS;
	for (int i = 0; i < TRIES; i++) {
		struct plan plan = make_plan(sim, &item, rng);
		if (!find_cpu(sim, &item, &plan, rng))
			continue;
		place(sim, &item, &plan, rng);
		return item.queue_ns + item.wait_ns + item.resume_ns;
	}
	if (late)
		st->late->instead_ns = 0;
	sim->items_dropped++;
	return 0;
}

static void plain_item(struct vp_sim *sim, const struct vp_stretch *st, guint n,
		       gsl_rng *rng)
{
	struct vp_item item = {
		.run_ns = draw_run_ns(sim->run.model, st->waits),
	};

	item.wait_ns = vp_draw_wait_ns(&sim->run, st->waits, false);
	if (st->late->instead_ns && n == st->late->item)
		item.wait_ns = st->late->instead_ns;

	/* The wait is kept and the time drawn anew, or long waits got rare. */
	for (int i = 0; i < TRIES; i++) {
		struct plan plan = make_plan(sim, &item, rng);
		item.queue_ns = (gint64)gsl_ran_flat(rng, (double)st->begin_ns,
						     (double)st->end_ns);
		if (!find_cpu(sim, &item, &plan, rng))
			continue;
		place(sim, &item, &plan, rng);
		return;
	}
	sim->items_dropped++;
}

void vp_sim_items(struct vp_sim *sim, const struct vp_stretch *st, gsl_rng *rng)
{
	for (guint i = st->ui_items; i < st->items; i++)
		plain_item(sim, st, i, rng);
}

static int compare_items(const void *a, const void *b)
{
	const struct vp_item *x = a, *y = b;

	return (x->queue_ns > y->queue_ns) - (x->queue_ns < y->queue_ns);
}

struct device {
	gint64 free_ns;
	bool suspended;
};

/* A work struct is queued once at a time. */
static int pick_device(const struct device *devices, guint n, gint64 ts_ns)
{
	for (guint i = 0; i < VP_DEVICES; i++) {
		guint device = (n + i) % VP_DEVICES;
		if (devices[device].free_ns < ts_ns)
			return (int)device;
	}
	return (int)(n % VP_DEVICES);
}

static void queue_events(struct vp_sim *sim, const struct vp_item *item,
			 int device)
{
	struct vp_ev ev = {
		.ts_ns = item->queue_ns - 900,
		.kind = VP_EV_QUEUE,
		.a = VP_SYMS + device,
		.b = VP_SYM_PM_RUNTIME_WORK,
		.c = item->cpu,
		.name = "pm",
	};

	vp_sim_event(sim, item->queue_cpu, ev);
	ev.ts_ns = item->queue_ns - 500;
	ev.kind = VP_EV_ACTIVATE;
	vp_sim_event(sim, item->queue_cpu, ev);
	vp_sim_waking(sim, item->queue_cpu, item->queue_ns,
		      vp_sim_cpu_task(sim, item->cpu, VP_CPU_PM_WORKER),
		      item->cpu);
}

static void rpm_event(struct vp_sim *sim, int cpu, gint64 ts_ns,
		      enum vp_ev_kind kind, const char *name, int a)
{
	vp_sim_event(sim, cpu,
		     (struct vp_ev){ .ts_ns = ts_ns,
				     .kind = kind,
				     .name = name,
				     .a = a,
				     .b = 0x2, /* RPM_NOWAIT */
				     .c = a == VP_RPM_RESUME });
}

/* status_ns: when the device has changed its state. */
static void callback_events(struct vp_sim *sim, int cpu, gint64 start_ns,
			    gint64 status_ns, const char *name, bool suspended)
{
	enum { ACTIVE, RESUMING, SUSPENDED, SUSPENDING };

	if (!suspended)
		rpm_event(sim, cpu, start_ns + 1200, VP_EV_RPM, name,
			  VP_RPM_IDLE);
	rpm_event(sim, cpu, start_ns + 1600, VP_EV_RPM, name,
		  suspended ? VP_RPM_RESUME : VP_RPM_SUSPEND);
	rpm_event(sim, cpu, start_ns + 2200, VP_EV_RPM_STATUS, name,
		  suspended ? RESUMING : SUSPENDING);
	rpm_event(sim, cpu, status_ns, VP_EV_RPM_STATUS, name,
		  suspended ? ACTIVE : SUSPENDED);
	rpm_event(sim, cpu, status_ns + 400, VP_EV_RPM_RETURN, name, 0);
}

static void item_events(struct vp_sim *sim, const struct vp_item *item,
			int device, bool suspended)
{
	gint64 start_ns = item->queue_ns + item->wait_ns;
	gint64 end_ns = item_end(item);
	struct vp_ev ev = {
		.ts_ns = start_ns + 800,
		.kind = VP_EV_EXECUTE,
		.a = VP_SYMS + device,
		.b = VP_SYM_PM_RUNTIME_WORK,
	};
	gint64 status_ns = end_ns - 3 * VP_USEC;

	queue_events(sim, item, device);
	vp_sim_event(sim, item->cpu, ev);
	if (item->resume_ns) {
		gint64 woken_ns = start_ns + item->resume_ns;
		status_ns = woken_ns - 900;
		vp_sim_waking(sim, item->cpu, woken_ns, item->waiter,
			      item->waiter_cpu);
	}
	callback_events(sim, item->cpu, start_ns, status_ns,
			device_names[device], suspended);
	ev.ts_ns = end_ns - 1200;
	ev.kind = VP_EV_EXECUTED;
	vp_sim_event(sim, item->cpu, ev);
}

void vp_sim_item_events(struct vp_sim *sim)
{
	struct device devices[VP_DEVICES] = { 0 };

	g_array_sort(sim->items, compare_items);
	for (guint i = 0; i < sim->items->len; i++) {
		const struct vp_item *item =
			&g_array_index(sim->items, struct vp_item, i);
		int n = pick_device(devices, i, item->queue_ns - VP_USEC);
		item_events(sim, item, n, devices[n].suspended);
		devices[n].free_ns = item_end(item);
		devices[n].suspended = !devices[n].suspended;
	}
}
