// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The ground truth of a model.  Waits are mixtures of two log-normals times
 * log-normal effects, hence again mixtures of two log-normals: means, shares
 * and quantiles are exact up to the cap.  For the D-state's length, a sum, the
 * resume's time is integrated over.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model.h"

#define RESUMES 200

struct part {
	double p, log_median, sigma;
};

struct mixture {
	struct part part[4];
	int n;
	/* Times that come on top, all equally likely; none: n_added is 0. */
	double added_us[RESUMES];
	int n_added;
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
	mix->n_added = 0;
	mixture_add(mix, m, 1 - ui_share, false, log_factor, sd);
	mixture_add(mix, m, ui_share, true, log_factor, sd);
}

static double wait_above(const struct mixture *mix, double us)
{
	double share = 0;

	if (us <= 0)
		return 1;
	for (int i = 0; i < mix->n; i++) {
		const struct part *part = &mix->part[i];
		double z = (log(us) - part->log_median) / part->sigma;
		share += part->p * gsl_cdf_ugaussian_Q(z);
	}
	return share;
}

static double mixture_above(const struct mixture *mix, double us)
{
	double sum = 0;

	if (!mix->n_added)
		return wait_above(mix, us);
	for (int i = 0; i < mix->n_added; i++)
		sum += wait_above(mix, us - mix->added_us[i]);
	return sum / mix->n_added;
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

static void mixture_add_resume(struct mixture *mix, const struct vp_model *m)
{
	for (int i = 0; i < RESUMES; i++) {
		double z = gsl_cdf_ugaussian_Pinv((i + 0.5) / RESUMES);
		mix->added_us[i] =
			VP_UI_LEAD_NS / 1000.0 +
			m->ui_resume_us * exp(m->ui_resume_sigma * z);
	}
	mix->n_added = RESUMES;
}

void vp_truth(const struct vp_model *m, const struct vp_run_shape *shape,
	      struct vp_truth *out)
{
	struct mixture all, ui, d_state;
	double items = shape->swipes * m->shade_items_per_act +
		       shape->bench_s * m->bench_items_per_s;

	mixture_init(&all, m, m->ui_share, shape->skin_mc);
	mixture_init(&ui, m, 1, shape->skin_mc);
	d_state = ui;
	mixture_add_resume(&d_state, m);
	*out = (struct vp_truth){
		.items_per_run = items,
		.wait_mean_us = mixture_mean(&all),
		.wait_p99_us = mixture_quantile(&all, 0.99),
		.wait_2ms_per_run = items * mixture_above(&all, 2000),
		.wait_5ms_per_run = items * mixture_above(&all, 5000),
		.ui_waker_wait_p90_us = mixture_quantile(&ui, 0.9),
		.ui_d_state_p90_us = mixture_quantile(&d_state, 0.9),
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
