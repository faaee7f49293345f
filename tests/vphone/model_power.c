// SPDX-License-Identifier: GPL-3.0-or-later
/* Energy of the rails and heat of the skin: integrals in closed form. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "model.h"

/* Rails wander slowly also when nothing moves. */
#define WANDER_SHARE 0.012
#define WANDER_PERIOD_S 83.0

static double rail_factor(const struct vp_model *m, const struct vp_rail *rail)
{
	if (g_str_has_prefix(rail->subsys, "CPU"))
		return m->power_cpu;
	if (strcmp(rail->subsys, "GPU") == 0)
		return m->power_gpu;
	if (strcmp(rail->subsys, "Display") == 0)
		return m->power_display;
	if (strstr(rail->subsys, "MEM") || strstr(rail->subsys, "DDR") ||
	    strcmp(rail->subsys, "SLC") == 0 ||
	    g_str_has_prefix(rail->subsys, "MIF"))
		return m->power_memory;
	return m->power_other;
}

static double uniform(guint64 seed)
{
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* Seconds of [0, t] plus the integral of the wander, which is below it. */
static double idle_s(const struct vp_boot *boot, int rail, double t_s)
{
	double omega = 2 * G_PI / WANDER_PERIOD_S;
	guint64 seed =
		vp_mix(vp_mix(boot->seed, VP_STREAM_POWER), (guint64)rail);
	double phase = 2 * G_PI * uniform(seed);

	return t_s +
	       WANDER_SHARE / omega * (cos(phase) - cos(omega * t_s + phase));
}

static double act_s(const struct vp_act *act, gint64 t_ns)
{
	gint64 end_ns = MIN(act->end_ns, t_ns);

	return MAX(end_ns - act->begin_ns, 0) / (double)VP_NSEC;
}

/*
 * Each act has its own strength: what makes runs of one boot differ.  Called
 * for every act and sample, so without a generator's state.
 */
static double act_strength(const struct vp_boot *boot, const struct vp_act *act)
{
	double sd = boot->model->power_act_sd;
	guint64 seed =
		vp_mix(boot->seed + VP_STREAM_POWER, (guint64)act->begin_ns);
	double z = gsl_cdf_ugaussian_Pinv(CLAMP(uniform(seed), 1e-9, 1 - 1e-9));

	return exp(sd * z - sd * sd / 2);
}

gint64 vp_energy_uws(const struct vp_boot *boot, const struct vp_act *acts,
		     size_t n_acts, int rail, gint64 t_ns)
{
	const struct vp_rail *r = &boot->hw->rails[rail];
	double mj = r->idle_mw * idle_s(boot, rail, t_ns / (double)VP_NSEC);

	for (size_t i = 0; i < n_acts && acts[i].begin_ns < t_ns; i++) {
		double mw = acts[i].kind == VP_ACT_SHADE ? r->shade_mw
							 : r->bench_mw;
		mj += mw * act_s(&acts[i], t_ns) * act_strength(boot, &acts[i]);
	}
	mj *= rail_factor(boot->model, r) * boot->power_effect;
	return (gint64)(mj * 1000);
}

double vp_power_truth_mw(const struct vp_model *model, const struct vp_hw *hw,
			 int rail, double shade_share, double bench_share)
{
	const struct vp_rail *r = &hw->rails[rail];

	return rail_factor(model, r) * (r->idle_mw + r->shade_mw * shade_share +
					r->bench_mw * bench_share);
}

/* Rise above idle at @t_s since its begin of an act that heats by @rise_c. */
static double act_rise_c(double rise_c, double tau_s, double dur_s, double t_s)
{
	double on_s = MIN(t_s, dur_s);

	return rise_c * -expm1(-on_s / tau_s) * exp(-(t_s - on_s) / tau_s);
}

int vp_skin_mc(const struct vp_boot *boot, const struct vp_act *acts,
	       size_t n_acts, int start_mc, gint64 t_ns)
{
	const struct vp_model *m = boot->model;
	double t_s = t_ns / (double)VP_NSEC;
	double c = m->heat_idle_c + (start_mc / 1000.0 - m->heat_idle_c) *
					    exp(-t_s / m->heat_tau_s);

	for (size_t i = 0; i < n_acts && acts[i].begin_ns < t_ns; i++) {
		double rise_c = acts[i].kind == VP_ACT_SHADE ? m->heat_shade_c
							     : m->heat_bench_c;
		gint64 dur_ns = acts[i].end_ns - acts[i].begin_ns;
		c += act_rise_c(rise_c, m->heat_tau_s, dur_ns / (double)VP_NSEC,
				(t_ns - acts[i].begin_ns) / (double)VP_NSEC);
	}
	return (int)lrint(c * 1000);
}
