// SPDX-License-Identifier: GPL-3.0-or-later
/* Draws from a kernel model.  Every one is a function of seeds only. */
#include <gsl/gsl_randist.h>
#include <math.h>

#include "model.h"

#define USEC 1000.0

/* The finaliser of splitmix64: close seeds give unrelated streams. */
guint64 vp_mix(guint64 a, guint64 b)
{
	guint64 x = a + 0x9e3779b97f4a7c15ULL * (b + 1);

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

gsl_rng *vp_rng_new(guint64 seed, enum vp_stream stream)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);

	gsl_rng_set(rng, (unsigned long)(vp_mix(seed, stream) >> 32));
	return rng;
}

double vp_draw_factor(gsl_rng *rng, double sd)
{
	return exp(gsl_ran_gaussian(rng, sd) - sd * sd / 2);
}

double vp_draw_median(gsl_rng *rng, double median, double sigma)
{
	return median * exp(gsl_ran_gaussian(rng, sigma));
}

void vp_boot_draw(struct vp_boot *boot, const struct vp_model *model,
		  const struct vp_hw *hw, guint64 phone_seed, int boot_number)
{
	boot->model = model;
	boot->hw = hw;
	boot->seed = vp_mix(phone_seed, (guint64)boot_number);
	g_autoptr(gsl_rng) rng = vp_rng_new(boot->seed, VP_STREAM_BOOT);
	boot->wait_effect = vp_draw_factor(rng, model->wait_boot_sd);
	boot->frame_effect = vp_draw_factor(rng, model->frame_boot_sd);
	boot->power_effect = vp_draw_factor(rng, model->power_boot_sd);
}

double vp_throttle(const struct vp_model *model, int skin_mc)
{
	double over_c = skin_mc / 1000.0 - model->throttle_c;

	return 1 + model->throttle_slope * MAX(over_c, 0);
}

void vp_run_draw(struct vp_run *run, const struct vp_boot *boot,
		 guint64 run_seed, int skin_mc)
{
	const struct vp_model *m = boot->model;
	double heat = vp_throttle(m, skin_mc);
	g_autoptr(gsl_rng) rng = vp_rng_new(run_seed, VP_STREAM_RUN);

	run->model = m;
	run->wait_factor =
		boot->wait_effect * heat * vp_draw_factor(rng, m->wait_run_sd);
	run->frame_factor = boot->frame_effect * heat *
			    vp_draw_factor(rng, m->frame_run_sd);
}

gint64 vp_draw_wait_ns(const struct vp_run *run, gsl_rng *rng, bool ui)
{
	const struct vp_model *m = run->model;
	double tail_p = ui ? m->ui_wait_tail_p : m->wait_tail_p;
	double tail_us = ui ? m->ui_wait_tail_us : m->wait_tail_us;
	double body_us = ui ? m->ui_wait_body_us : m->wait_body_us;
	double us;

	if (gsl_rng_uniform(rng) < tail_p)
		us = vp_draw_median(rng, tail_us, m->wait_tail_sigma);
	else
		us = vp_draw_median(rng, body_us, m->wait_body_sigma);
	us *= run->wait_factor;
	return (gint64)(CLAMP(us, 0.5, m->wait_cap_us) * USEC);
}

gint64 vp_draw_resume_ns(const struct vp_model *model, gsl_rng *rng)
{
	double us = vp_draw_median(rng, model->ui_resume_us,
				   model->ui_resume_sigma);

	return (gint64)(CLAMP(us, 5, 1e5) * USEC);
}

/* Frames per iteration and weight of a test, in the app's order. */
static const struct {
	int frames;
	double weight;
} bench_tests[] = {
	{ 420, 1.00 }, { 410, 1.12 }, { 415, 1.05 }, { 430, 0.92 },
	{ 430, 0.93 }, { 180, 1.20 }, { 250, 1.35 }, { 240, 1.60 },
};

size_t vp_bench_frames(const struct vp_boot *boot, int test, int iteration,
		       guint64 run_seed, int skin_mc, double *ms_out,
		       size_t max)
{
	const struct vp_model *m = boot->model;
	struct vp_run run;

	if (test < 0 || test >= (int)G_N_ELEMENTS(bench_tests))
		return 0;
	vp_run_draw(&run, boot, run_seed, skin_mc);
	guint64 seed =
		vp_mix(run_seed, (guint64)test * 1000 + (guint64)iteration);
	g_autoptr(gsl_rng) rng = vp_rng_new(seed, VP_STREAM_BENCH);
	int frames = bench_tests[test].frames;
	frames += (int)lrint(gsl_ran_gaussian(rng, frames * 0.015));
	size_t n = MIN((size_t)MAX(frames, 1), max);
	double scale = run.frame_factor * bench_tests[test].weight;
	for (size_t i = 0; i < n; i++) {
		bool jank = gsl_rng_uniform(rng) < m->bench_jank_p;
		double ms = jank ? m->bench_jank_ms : m->bench_frame_ms;
		ms_out[i] =
			scale * vp_draw_median(rng, ms, m->bench_frame_sigma);
	}
	return n;
}
