// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Frames: at each vsync the app's main thread and RenderThread draw, one
 * period later surfaceflinger composes and the composer and the display
 * kthread commit; the frame is seen at the vsync after that.
 */
#include <gsl/gsl_randist.h>
#include <math.h>

#include "trace_sim.h"

/* JankType bits */
#define JANK_SF_SCHEDULING 2
#define JANK_DISPLAY_HAL 8
#define JANK_SF_CPU_DEADLINE 16

/* What was decided for a frame before its threads are laid out. */
struct plan {
	bool app_missed, sf_missed;
	bool waits; /* one of its threads waits for a work item */
	bool late;  /* that makes it missed */
	enum vp_ui_thread waiter;
};

struct builder {
	struct vp_sim *sim;
	const struct vp_stretch *st;
	gsl_rng *rng;
	gint64 period_ns;
};

static gint64 draw_latency_ns(gsl_rng *rng)
{
	double us = vp_draw_median(rng, 11, 0.4);

	return (gint64)(CLAMP(us, 4, 30) * VP_USEC);
}

static gint64 draw_ms_ns(const struct builder *b, double ms)
{
	ms = vp_draw_median(b->rng, ms, b->sim->run.model->frame_sigma);
	ms *= b->sim->run.frame_factor;
	return (gint64)(CLAMP(ms, 0.02, 40) * VP_MSEC);
}

/* Woken at @wake_ns or as soon as it sleeps; the CPU is its own. */
static gint64 wake(const struct builder *b, int task, int cpu, gint64 wake_ns,
		   int waker_cpu)
{
	wake_ns = MAX(wake_ns, b->sim->ui_free_ns[cpu] + 20 * VP_USEC);
	vp_sim_waking(b->sim, waker_cpu, wake_ns, task, cpu);
	return wake_ns + draw_latency_ns(b->rng);
}

static void blocked_reason(struct vp_sim *sim, int cpu, gint64 ts_ns, int task)
{
	vp_sim_event(sim, cpu,
		     (struct vp_ev){ .ts_ns = ts_ns,
				     .kind = VP_EV_BLOCKED,
				     .a = vp_sim_task(sim, task)->tid,
				     .b = VP_SYM_RPM_RESUME });
}

/* @task runs for @dur_ns, with a wait for a work item in it if @waits. */
static gint64 run_late(const struct builder *b, int task, int cpu,
		       gint64 begin_ns, gint64 dur_ns, bool waits, bool late)
{
	struct vp_sim *sim = b->sim;
	gint64 block_ns = begin_ns + dur_ns * 2 / 5;
	gint64 woken_ns = 0;

	if (waits)
		woken_ns = vp_sim_ui_item(sim, b->st, block_ns + VP_UI_LEAD_NS,
					  task, cpu, late, b->rng);
	if (woken_ns) {
		vp_sim_seg(sim, cpu, task, begin_ns, block_ns, VP_END_DISK);
		dur_ns -= block_ns - begin_ns;
		begin_ns = woken_ns + draw_latency_ns(b->rng);
		blocked_reason(sim, cpu, begin_ns - VP_USEC, task);
	}
	gint64 end_ns = begin_ns + dur_ns;
	vp_sim_seg(sim, cpu, task, begin_ns, end_ns, VP_END_SLEEP);
	sim->ui_free_ns[cpu] = end_ns;
	return end_ns;
}

static gint64 run(const struct builder *b, int task, int cpu, gint64 begin_ns,
		  gint64 dur_ns, bool waits)
{
	return run_late(b, task, cpu, begin_ns, dur_ns, waits, false);
}

static bool waits_in(const struct plan *plan, enum vp_ui_thread thread)
{
	return plan->waits && plan->waiter == thread;
}

static void app_frame(const struct builder *b, const struct plan *plan,
		      struct vp_frame *frame)
{
	const struct vp_model *m = b->sim->run.model;
	int main_cpu = vp_sim_ui_cpu(b->sim, VP_UI_CPU_MAIN);
	int render_cpu = vp_sim_ui_cpu(b->sim, VP_UI_CPU_RENDER);
	int main_task = b->st->bench ? VP_TASK_BENCH_MAIN : VP_TASK_UI_MAIN;
	int render = b->st->bench ? VP_TASK_BENCH_RENDER : VP_TASK_UI_RENDER;
	gint64 deadline_ns = frame->vsync_ns + b->period_ns;
	gint64 main_ns = draw_ms_ns(b, m->app_frame_ms * 0.35);
	gint64 begin_ns =
		wake(b, main_task, main_cpu, frame->vsync_ns + 60 * VP_USEC, 0);

	frame->app_begin_ns = begin_ns;
	run(b, main_task, main_cpu, begin_ns, main_ns,
	    waits_in(plan, VP_UI_MAIN));
	begin_ns =
		wake(b, render, render_cpu, begin_ns + main_ns / 3, main_cpu);
	gint64 render_ns = draw_ms_ns(b, m->app_frame_ms * 0.65);
	if (plan->app_missed) {
		double late = gsl_ran_flat(b->rng, 0.1, 0.8);
		gint64 late_ns = (gint64)(late * (double)b->period_ns);
		gint64 slept_ns = plan->late ? b->st->late->wait_ns : 0;
		render_ns = MAX(render_ns,
				deadline_ns + late_ns - slept_ns - begin_ns);
	}
	gint64 end_ns = run_late(b, render, render_cpu, begin_ns, render_ns,
				 waits_in(plan, VP_UI_RENDER), plan->late);
	frame->late_wait = plan->late && b->st->late->instead_ns;
	/* A backlog without a planned miss is absorbed by the buffers. */
	frame->app_end_ns = plan->app_missed ? MAX(end_ns, deadline_ns + 1)
					     : MIN(end_ns, deadline_ns - 1);
}

static void commit(const struct builder *b, const struct plan *plan,
		   gint64 wake_ns, int sf_cpu)
{
	struct vp_sim *sim = b->sim;
	int cpu = vp_sim_ui_cpu(sim, VP_UI_CPU_DISPLAY);
	gint64 begin_ns = wake(b, VP_TASK_COMPOSER, cpu, wake_ns, sf_cpu);
	gint64 end_ns =
		run(b, VP_TASK_COMPOSER, cpu, begin_ns, draw_ms_ns(b, 0.13),
		    waits_in(plan, VP_UI_COMPOSER));
	double us = sim->run.model->commit_us;

	/* The composer hands over and sleeps: no idle between the two. */
	vp_sim_waking(sim, cpu, end_ns - 4 * VP_USEC, VP_TASK_DISPLAY, cpu);
	run(b, VP_TASK_DISPLAY, cpu, end_ns, draw_ms_ns(b, us / 1000), false);
}

static int draw_sf_jank(gsl_rng *rng)
{
	double u = gsl_rng_uniform(rng);

	if (u < 0.7)
		return JANK_SF_CPU_DEADLINE;
	return u < 0.9 ? JANK_SF_SCHEDULING : JANK_DISPLAY_HAL;
}

static void sf_frame(const struct builder *b, const struct plan *plan,
		     struct vp_frame *frame)
{
	int cpu = vp_sim_ui_cpu(b->sim, VP_UI_CPU_SF);
	gint64 vsync_ns = frame->vsync_ns + b->period_ns;
	gint64 begin_ns = wake(b, VP_TASK_SF, cpu, vsync_ns + 40 * VP_USEC, 1);
	gint64 dur_ns = draw_ms_ns(b, b->sim->run.model->sf_frame_ms);

	if (plan->sf_missed)
		dur_ns = MAX(dur_ns, b->period_ns + b->period_ns / 8);
	commit(b, plan, begin_ns + dur_ns / 3, cpu);
	frame->sf_begin_ns = begin_ns;
	frame->sf_end_ns = run(b, VP_TASK_SF, cpu, begin_ns, dur_ns,
			       waits_in(plan, VP_UI_SF));
	frame->jank = plan->sf_missed ? draw_sf_jank(b->rng) : 0;
	frame->present_ns = vsync_ns + b->period_ns * (1 + plan->sf_missed) -
			    (gint64)gsl_ran_flat(b->rng, 2e4, 1.2e5);
}

static guint pick(const struct builder *b, guint n)
{
	return (guint)gsl_rng_uniform_int(b->rng, n);
}

static enum vp_ui_thread draw_waiter(const struct builder *b)
{
	static const enum vp_ui_thread weights[] = {
		VP_UI_MAIN,   VP_UI_RENDER, VP_UI_RENDER, VP_UI_RENDER,
		VP_UI_RENDER, VP_UI_RENDER, VP_UI_SF,	  VP_UI_COMPOSER,
	};

	return weights[pick(b, G_N_ELEMENTS(weights))];
}

/* The first frame that the app misses is so for a work item's wait. */
static void plan_late(struct plan *plan, guint n)
{
	for (guint i = 0; i < n; i++)
		if (plan[i].app_missed) {
			plan[i].waits = plan[i].late = true;
			plan[i].waiter = VP_UI_RENDER;
			return;
		}
}

static guint count_waits(const struct plan *plan, guint n)
{
	guint count = 0;

	for (guint i = 0; i < n; i++)
		count += plan[i].waits;
	return count;
}

static struct plan *make_plan(const struct builder *b, guint n)
{
	struct plan *plan = g_new0(struct plan, n);

	for (guint left = MIN(b->st->app_missed, n); left;) {
		struct plan *p = &plan[pick(b, n)];
		left -= !p->app_missed;
		p->app_missed = true;
	}
	for (guint left = MIN(b->st->sf_missed, n); left;) {
		struct plan *p = &plan[pick(b, n)];
		left -= !p->sf_missed;
		p->sf_missed = true;
	}
	if (b->st->late->wait_ns && b->st->app_missed && b->st->ui_items)
		plan_late(plan, n);
	for (guint left = MIN(b->st->ui_items, n) - count_waits(plan, n);
	     left;) {
		struct plan *p = &plan[pick(b, n)];
		if (p->waits)
			continue;
		p->waits = true;
		p->waiter = draw_waiter(b);
		left--;
	}
	return plan;
}

void vp_sim_frames(struct vp_sim *sim, const struct vp_stretch *st,
		   gsl_rng *rng)
{
	struct builder b = { sim, st, rng, VP_NSEC / sim->hw->refresh_hz };
	gint64 first_ns = st->begin_ns + VP_MSEC;
	gint64 n = (st->end_ns - first_ns) / b.period_ns;

	if (n <= 0)
		return;
	struct plan *plan = make_plan(&b, (guint)n);
	for (gint64 i = 0; i < n; i++) {
		struct vp_frame frame = {
			.vsync_ns = first_ns + i * b.period_ns,
			.app_missed = plan[i].app_missed,
			.sf_missed = plan[i].sf_missed,
			.bench = st->bench,
		};
		app_frame(&b, &plan[i], &frame);
		sf_frame(&b, &plan[i], &frame);
		g_array_append_val(sim->frames, frame);
	}
	g_free(plan);
}
