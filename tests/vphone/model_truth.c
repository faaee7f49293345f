// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The ground truth of a model.  Waits are mixtures of two log-normals times
 * log-normal effects, hence again mixtures of two log-normals: means, shares
 * and quantiles are exact up to the cap.  Only the D-state's length, a sum,
 * is drawn.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "model.h"

#define DRAWS 200000

struct part {
	double p, log_median, sigma;
};

struct mixture {
	struct part part[4];
	int n;
};

static void mixture_add(struct mixture *mix, const struct vp_model *m, double p,
			bool ui, double log_factor, double sd)
{
	double tail_p = ui ? m->ui_wait_tail_p : m->wait_tail_p;
	double tail_us = ui ? m->ui_wait_tail_us : m->wait_tail_us;
	double body_us = ui ? m->ui_wait_body_us : m->wait_body_us;

	mix->part[mix->n++] = (struct part){
		.p = p * (1 - tail_p),
		.log_median = log(body_us) + log_factor,
		.sigma = hypot(m->wait_body_sigma, sd),
	};
	mix->part[mix->n++] = (struct part){
		.p = p * tail_p,
		.log_median = log(tail_us) + log_factor,
		.sigma = hypot(m->wait_tail_sigma, sd),
	};
}

static void mixture_init(struct mixture *mix, const struct vp_model *m,
			 double ui_share, int skin_mc)
{
	double sd = hypot(m->wait_boot_sd, m->wait_run_sd);
	/* The effects' mean is 1, so their median is a little below. */
	double log_factor = log(vp_throttle(m, skin_mc)) - sd * sd / 2;

	mix->n = 0;
	mixture_add(mix, m, 1 - ui_share, false, log_factor, sd);
	mixture_add(mix, m, ui_share, true, log_factor, sd);
}

static double mixture_above(const struct mixture *mix, double us)
{
	double share = 0;

	for (int i = 0; i < mix->n; i++) {
		const struct part *part = &mix->part[i];
		double z = (log(us) - part->log_median) / part->sigma;
		share += part->p * gsl_cdf_ugaussian_Q(z);
	}
	return share;
}

static double mixture_mean(const struct mixture *mix)
{
	double mean = 0;

	for (int i = 0; i < mix->n; i++) {
		const struct part *part = &mix->part[i];
		mean += part->p *
			exp(part->log_median + part->sigma * part->sigma / 2);
	}
	return mean;
}

static double mixture_quantile(const struct mixture *mix, double q)
{
	double low = 1e-3, high = 1e7;

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);
		if (mixture_above(mix, middle) > 1 - q)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double d_state_p90_us(const struct vp_model *m, int skin_mc)
{
	g_autoptr(gsl_rng) rng = vp_rng_new(1, VP_STREAM_TRUTH);
	g_autofree double *us = g_new(double, DRAWS);
	double sd = hypot(m->wait_boot_sd, m->wait_run_sd);
	double heat = vp_throttle(m, skin_mc);

	for (size_t i = 0; i < DRAWS; i++) {
		struct vp_run run = { m, heat * vp_draw_factor(rng, sd), 1 };
		gint64 ns = VP_UI_LEAD_NS + vp_draw_wait_ns(&run, rng, true) +
			    vp_draw_resume_ns(m, rng);
		us[i] = ns / 1000.0;
	}
	gsl_sort(us, 1, DRAWS);
	return gsl_stats_quantile_from_sorted_data(us, 1, DRAWS, 0.9);
}

void vp_truth(const struct vp_model *m, const struct vp_run_shape *shape,
	      struct vp_truth *out)
{
	struct mixture all, ui;
	double items = shape->swipes * m->shade_items_per_act +
		       shape->bench_s * m->bench_items_per_s;

	mixture_init(&all, m, m->ui_share, shape->skin_mc);
	mixture_init(&ui, m, 1, shape->skin_mc);
	*out = (struct vp_truth){
		.items_per_run = items,
		.wait_mean_us = mixture_mean(&all),
		.wait_p99_us = mixture_quantile(&all, 0.99),
		.wait_2ms_per_run = items * mixture_above(&all, 2000),
		.wait_5ms_per_run = items * mixture_above(&all, 5000),
		.ui_waker_wait_p90_us = mixture_quantile(&ui, 0.9),
		.ui_d_state_p90_us = d_state_p90_us(m, shape->skin_mc),
		.app_missed_per_run =
			shape->swipes * m->shade_app_missed_per_act +
			shape->bench_s * m->bench_app_missed_per_s,
		.sf_missed_per_run =
			shape->swipes * m->shade_sf_missed_per_act +
			shape->bench_s * m->bench_sf_missed_per_s,
		.bench_frame_ms =
			(1 - m->bench_jank_p) * m->bench_frame_ms *
				exp(pow(m->bench_frame_sigma, 2) / 2) +
			m->bench_jank_p * m->bench_jank_ms *
				exp(pow(m->bench_frame_sigma, 2) / 2),
	};
}
