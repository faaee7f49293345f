// SPDX-License-Identifier: GPL-3.0-or-later
/* Time lines, tasks, and the order in which a trace's contents are made. */
#include <gsl/gsl_randist.h>
#include <string.h>

#include "pids.h"
#include "trace_sim.h"

static const struct vp_task fixed_tasks[VP_TASK_FIXED] = {
	[VP_TASK_IDLE] = { 0, 0, VP_PRIO_NORMAL, true, "swapper", "" },
	[VP_TASK_UI_MAIN] = { VP_PID_SYSTEMUI, VP_PID_SYSTEMUI, 110, false,
			      "ndroid.systemui", "" },
	[VP_TASK_UI_RENDER] = { VP_TID_SYSTEMUI_RENDER, VP_PID_SYSTEMUI, 110,
				false, "RenderThread", "" },
	[VP_TASK_BENCH_MAIN] = { VP_PID_BENCHMARK, VP_PID_BENCHMARK, 110, false,
				 "droid.benchmark", "" },
	[VP_TASK_BENCH_RENDER] = { VP_TID_BENCHMARK_RENDER, VP_PID_BENCHMARK,
				   110, false, "RenderThread", "" },
	[VP_TASK_SF] = { VP_PID_SURFACEFLINGER, VP_PID_SURFACEFLINGER, 97,
			 false, "surfaceflinger", "" },
	[VP_TASK_COMPOSER] = { VP_PID_COMPOSER + 2, VP_PID_COMPOSER, 97, false,
			       "binder:880_2", "" },
	[VP_TASK_DISPLAY] = { VP_PID_DISPLAY_KTHREAD, VP_PID_DISPLAY_KTHREAD,
			      83, true, "decon0_kthread", "" },
};

static void add_cpu_tasks(struct vp_sim *sim, int cpu)
{
	bool high = sim->run.model->pm_wq_highpri >= 0.5;
	/* Pools of the CPUs come first, two each; then the unbound ones. */
	int pool = 2 * sim->hw->cpus + high;
	struct vp_task task[VP_CPU_TASKS] = {
		[VP_CPU_PM_WORKER] = { VP_PID_KWORKER_FIRST + cpu, 0,
				       high ? 100 : VP_PRIO_NORMAL, true, "",
				       "-pm" },
		[VP_CPU_WORKER] = { VP_PID_KWORKER_FIRST + 20 + cpu, 0,
				    VP_PRIO_NORMAL, true, "", "-events" },
		[VP_CPU_BLOCKER] = { VP_TID_SYSTEM_BINDER + cpu,
				     VP_PID_SYSTEM_SERVER, VP_PRIO_NORMAL,
				     false, "", "" },
		[VP_CPU_FILLER] = { VP_PID_GMS + 10 + cpu, VP_PID_GMS, 130,
				    false, "", "" },
		[VP_CPU_FILLER2] = { VP_PID_KWORKER_FIRST + 40 + cpu, 0,
				     VP_PRIO_NORMAL, true, "", "" },
	};

	g_snprintf(task[VP_CPU_PM_WORKER].comm, 16, "kworker/u%d:%d%s", pool,
		   cpu, high ? "H" : "");
	g_snprintf(task[VP_CPU_WORKER].comm, 16, "kworker/%d:1", cpu);
	g_snprintf(task[VP_CPU_BLOCKER].comm, 16, "binder:%d_%X",
		   VP_PID_SYSTEM_SERVER, cpu + 1);
	g_snprintf(task[VP_CPU_FILLER].comm, 16, "GmsPool-%d", cpu + 1);
	g_snprintf(task[VP_CPU_FILLER2].comm, 16, "ksoftirqd/%d", cpu);
	for (int i = 0; i < VP_CPU_TASKS; i++)
		if (task[i].kthread)
			task[i].tgid = task[i].tid;
	g_array_append_vals(sim->tasks, task, VP_CPU_TASKS);
}

int vp_sim_cpu_task(const struct vp_sim *sim, int cpu, enum vp_cpu_task which)
{
	g_assert(cpu < sim->hw->cpus);
	return VP_TASK_FIXED + cpu * VP_CPU_TASKS + (int)which;
}

int vp_sim_ui_cpu(const struct vp_sim *sim, enum vp_ui_cpu which)
{
	return sim->hw->cpus - (int)which;
}

int vp_sim_work_cpus(const struct vp_sim *sim)
{
	return sim->hw->cpus - VP_UI_CPU_MAIN;
}

const struct vp_task *vp_sim_task(const struct vp_sim *sim, int task)
{
	return &g_array_index(sim->tasks, struct vp_task, task);
}

void vp_sim_seg(struct vp_sim *sim, int cpu, int task, gint64 begin_ns,
		gint64 end_ns, enum vp_end_state end_state)
{
	struct vp_seg seg = { begin_ns, end_ns, (guint16)task,
			      (guint16)end_state };

	g_array_append_val(sim->line[cpu].segs, seg);
}

void vp_sim_event(struct vp_sim *sim, int cpu, struct vp_ev ev)
{
	ev.order = sim->order++;
	g_array_append_val(sim->line[cpu].evs, ev);
}

void vp_sim_waking(struct vp_sim *sim, int cpu, gint64 ts_ns, int task,
		   int target_cpu)
{
	vp_sim_event(sim, cpu,
		     (struct vp_ev){ .ts_ns = ts_ns,
				     .kind = VP_EV_WAKING,
				     .a = task,
				     .b = target_cpu });
}

bool vp_sim_free_span(const struct vp_sim *sim, int cpu, gint64 begin_ns,
		      gint64 end_ns)
{
	const GArray *busy = sim->line[cpu].busy;

	for (guint i = busy->len; i-- > 0;) {
		const struct vp_span *span =
			&g_array_index(busy, struct vp_span, i);
		if (span->begin_ns < end_ns && begin_ns < span->end_ns)
			return false;
	}
	return true;
}

void vp_sim_reserve(struct vp_sim *sim, int cpu, gint64 begin_ns, gint64 end_ns)
{
	struct vp_span span = { begin_ns, end_ns };

	g_array_append_val(sim->line[cpu].busy, span);
}

static int compare_segs(const void *a, const void *b)
{
	const struct vp_seg *x = a, *y = b;

	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int compare_evs(const void *a, const void *b)
{
	const struct vp_ev *x = a, *y = b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns > y->ts_ns ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

void vp_sim_sort_segs(struct vp_sim *sim)
{
	for (int cpu = 0; cpu < sim->hw->cpus; cpu++)
		g_array_sort(sim->line[cpu].segs, compare_segs);
}

static guint draw_count(gsl_rng *rng, double mean)
{
	return mean > 0 ? gsl_ran_poisson(rng, mean) : 0;
}

/* How much of each thing the stretch gets; an act cut short gets its share. */
static void draw_stretch(struct vp_stretch *st, const struct vp_model *m,
			 const struct vp_act *act, gsl_rng *rng)
{
	gint64 whole_ns = MAX(act->end_ns - act->begin_ns, 1);
	double s = (st->end_ns - st->begin_ns) / (double)VP_NSEC;
	double share = (st->end_ns - st->begin_ns) / (double)whole_ns;

	st->bench = act->kind == VP_ACT_BENCH;
	if (st->bench) {
		st->items = draw_count(rng, m->bench_items_per_s * s);
		st->app_missed = draw_count(rng, m->bench_app_missed_per_s * s);
		st->sf_missed = draw_count(rng, m->bench_sf_missed_per_s * s);
	} else {
		st->items = draw_count(rng, m->shade_items_per_act * share);
		st->app_missed =
			draw_count(rng, m->shade_app_missed_per_act * share);
		st->sf_missed =
			draw_count(rng, m->shade_sf_missed_per_act * share);
	}
	st->ui_items = gsl_ran_binomial(rng, m->ui_share, st->items);
}

static void simulate_act(struct vp_sim *sim, const struct vp_act *act, guint n,
			 gint64 *free_ns)
{
	const struct vp_trace_request *rq = sim->rq;
	struct vp_stretch st = {
		.begin_ns = MAX(MAX(act->begin_ns, rq->begin_ns), *free_ns),
		.end_ns = MIN(act->end_ns, rq->end_ns),
	};

	if (st.begin_ns >= st.end_ns)
		return;
	*free_ns = st.end_ns;
	/* By number, not by time: the same run in a row draws the same. */
	guint64 seed = vp_mix(rq->run_seed, n);
	g_autoptr(gsl_rng) rng = vp_rng_new(seed, VP_STREAM_ACT);
	g_autoptr(gsl_rng) waits = vp_rng_new(seed, VP_STREAM_WAITS);
	g_autoptr(gsl_rng) layout = vp_rng_new(seed, VP_STREAM_LAYOUT);
	struct vp_late late = { 0 };
	st.waits = waits;
	st.late = &late;
	draw_stretch(&st, sim->run.model, act, rng);
	if (rq->late_waits)
		vp_sim_find_late(sim, &st);
	vp_sim_frames(sim, &st, layout);
	vp_sim_items(sim, &st, layout);
}

static void simulate_acts(struct vp_sim *sim)
{
	const struct vp_trace_request *rq = sim->rq;
	gint64 free_ns = rq->begin_ns;
	guint n = 0;

	for (size_t i = 0; i < rq->n_acts; i++)
		if (rq->acts[i].begin_ns < rq->end_ns &&
		    rq->acts[i].end_ns > rq->begin_ns)
			simulate_act(sim, &rq->acts[i], n++, &free_ns);
}

struct vp_sim *vp_sim_new(const struct vp_trace_request *rq)
{
	struct vp_sim *sim = g_new0(struct vp_sim, 1);

	sim->rq = rq;
	sim->hw = rq->boot->hw;
	g_assert(sim->hw->cpus <= VP_MAX_CPUS);
	vp_run_draw(&sim->run, rq->boot, rq->run_seed, rq->skin_mc);
	sim->tasks = g_array_new(false, false, sizeof(struct vp_task));
	sim->items = g_array_new(false, false, sizeof(struct vp_item));
	sim->frames = g_array_new(false, false, sizeof(struct vp_frame));
	g_array_append_vals(sim->tasks, fixed_tasks, VP_TASK_FIXED);
	for (int cpu = 0; cpu < sim->hw->cpus; cpu++) {
		struct vp_line *line = &sim->line[cpu];
		line->segs = g_array_new(false, false, sizeof(struct vp_seg));
		line->evs = g_array_new(false, false, sizeof(struct vp_ev));
		line->busy = g_array_new(false, false, sizeof(struct vp_span));
		add_cpu_tasks(sim, cpu);
	}
	vp_sim_marks(sim);
	simulate_acts(sim);
	vp_sim_item_events(sim);
	vp_sim_fill(sim);
	for (int cpu = 0; cpu < sim->hw->cpus; cpu++)
		g_array_sort(sim->line[cpu].evs, compare_evs);
	return sim;
}

void vp_sim_free(struct vp_sim *sim)
{
	for (int cpu = 0; cpu < sim->hw->cpus; cpu++) {
		g_array_unref(sim->line[cpu].segs);
		g_array_unref(sim->line[cpu].evs);
		g_array_unref(sim->line[cpu].busy);
	}
	g_array_unref(sim->tasks);
	g_array_unref(sim->items);
	g_array_unref(sim->frames);
	g_free(sim);
}
