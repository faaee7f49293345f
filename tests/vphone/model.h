/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What model*.c and trace_*.c share: the parameters of a kernel model and the
 * draws from them.  Each field is the key of the same name in the model text;
 * docs/VPHONE.md explains them.
 */
#ifndef VPHONE_MODEL_H
#define VPHONE_MODEL_H

#include <gsl/gsl_rng.h>

#include "vphone.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(gsl_rng, gsl_rng_free)

struct vp_model {
	double pm_wq_highpri;

	double shade_items_per_act, bench_items_per_s;
	double wait_body_us, wait_body_sigma;
	double wait_tail_p, wait_tail_us, wait_tail_sigma;
	double wait_cap_us;
	double work_run_us, work_run_sigma;
	double preempt_p;

	double ui_share;
	double ui_wait_body_us, ui_wait_tail_p, ui_wait_tail_us;
	double ui_resume_us, ui_resume_sigma;

	double shade_app_missed_per_act, shade_sf_missed_per_act;
	double bench_app_missed_per_s, bench_sf_missed_per_s;
	double app_frame_ms, sf_frame_ms, frame_sigma, commit_us;
	double bench_frame_ms, bench_frame_sigma;
	double bench_jank_p, bench_jank_ms;

	double background_hz, background_us;

	double power_cpu, power_gpu, power_memory, power_display, power_other;

	double wait_boot_sd, wait_run_sd;
	double frame_boot_sd, frame_run_sd;
	double power_boot_sd, power_act_sd;

	double heat_idle_c, heat_shade_c, heat_bench_c, heat_tau_s;
	double throttle_c, throttle_slope;
};

/* What is common to one run: effects of boot, run and heat multiplied. */
struct vp_run {
	const struct vp_model *model;
	double wait_factor, frame_factor;
};

/* Streams of random numbers that never overlap: one per purpose. */
enum vp_stream {
	VP_STREAM_BOOT = 1,
	VP_STREAM_RUN,
	VP_STREAM_ACT,
	VP_STREAM_WAITS,
	VP_STREAM_LAYOUT,
	VP_STREAM_POWER,
	VP_STREAM_BENCH,
	VP_STREAM_FILL,
};

guint64 vp_mix(guint64 a, guint64 b);
gsl_rng *vp_rng_new(guint64 seed, enum vp_stream stream);
/* A factor around 1 whose mean is 1 and whose logarithm has @sd. */
double vp_draw_factor(gsl_rng *rng, double sd);
/* Log-normal with the given median. */
double vp_draw_median(gsl_rng *rng, double median, double sigma);

/* How much longer waits get at @skin_mc. */
double vp_throttle(const struct vp_model *model, int skin_mc);
void vp_run_draw(struct vp_run *run, const struct vp_boot *boot,
		 guint64 run_seed, int skin_mc);
/* CPU wait of one work item; @ui: an UI thread waits for it. */
gint64 vp_draw_wait_ns(const struct vp_run *run, gsl_rng *rng, bool ui);
/* From the work's start to the wake-up of the UI thread. */
gint64 vp_draw_resume_ns(const struct vp_model *model, gsl_rng *rng);

/* A UI thread is asleep this long before its item is queued. */
#define VP_UI_LEAD_NS 5000

#endif
