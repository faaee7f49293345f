// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Do the rig's intervals hold what was planted?  One campaign per seed, as in
 * the demo but without phones: traces are built and analysed, energies read,
 * statistics made; then the model's truth is looked for in the intervals.
 * base-again is base under another name: what differs from it is a false
 * alarm.
 */
#include <abrig/stats.h>
#include <abrig/trace.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "../vphone/model.h"
#include "job.h"

#define SWIPES 10 /* per run, one a second */
#define BENCH_FRAMES_MAX 1000

enum { BASE, AGAIN, PATCHED, VARIANTS };

static const char *const kernels[VARIANTS] = { "base", "base-again",
					       "pm-wq-highpri" };

static struct {
	char *platform;
	int seeds, first, blocks, runs, jobs;
} opt = { .seeds = 100, .first = 1, .blocks = 8, .runs = 2, .jobs = 2 };

static const GOptionEntry entries[] = {
	{ "platform", 0, 0, G_OPTION_ARG_STRING, &opt.platform,
	  "A (default) or B", "P" },
	{ "seeds", 0, 0, G_OPTION_ARG_INT, &opt.seeds, "campaigns", "N" },
	{ "first", 0, 0, G_OPTION_ARG_INT, &opt.first, "first seed", "N" },
	{ "blocks", 0, 0, G_OPTION_ARG_INT, &opt.blocks, "blocks", "N" },
	{ "runs", 0, 0, G_OPTION_ARG_INT, &opt.runs, "runs of a boot", "N" },
	{ "jobs", 0, 0, G_OPTION_ARG_INT, &opt.jobs, "threads", "N" },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

/* ---- what was planted ---- */

static double power_truth(const struct vp_model *model, const struct vp_hw *hw,
			  const char *group);

/* Metrics and where vp_truth() says what they are. */
static const struct planted {
	const char *metric;
	size_t offset;		 /* in struct vp_truth */
	const char *power_group; /* or: vp_power_truth_mw() of these rails */
} planted[] = {
	{ "pm_runtime_work.cpu_wait.mean",
	  offsetof(struct vp_truth, wait_mean_us), NULL },
	{ "pm_runtime_work.cpu_wait.p99",
	  offsetof(struct vp_truth, wait_p99_us), NULL },
	{ "pm_runtime_work.cpu_wait.ge_2ms",
	  offsetof(struct vp_truth, wait_2ms_per_run), NULL },
	{ "pm_runtime_work.cpu_wait.ge_5ms",
	  offsetof(struct vp_truth, wait_5ms_per_run), NULL },
	{ "ui.rpm_resume.waker_wait.p90",
	  offsetof(struct vp_truth, ui_waker_wait_p90_us), NULL },
	{ "ui.rpm_resume.d_state.p90",
	  offsetof(struct vp_truth, ui_d_state_p90_us), NULL },
	{ "frames.app_missed", offsetof(struct vp_truth, app_missed_per_run),
	  NULL },
	{ "frames.sf_missed", offsetof(struct vp_truth, sf_missed_per_run),
	  NULL },
	{ "jankbench.frame.mean", offsetof(struct vp_truth, bench_frame_ms),
	  NULL },
	{ "power.cpu", 0, "CPU" },
	{ "power.gpu", 0, "GPU" },
	{ "power.memory", 0, "DDR" },
	{ "power.display", 0, "Display" },
	{ "power.total", 0, "" },
};
#define METRICS G_N_ELEMENTS(planted)

static double shade_share(void)
{
	/* job.h: half of each second; the window lacks 250 ms. */
	return SWIPES * 0.5 / (SWIPES - 0.25);
}

static double power_truth(const struct vp_model *model, const struct vp_hw *hw,
			  const char *group)
{
	double mw = 0;

	for (int i = 0; hw->rails[i].name; i++)
		if (g_str_has_prefix(hw->rails[i].subsys, group))
			mw += vp_power_truth_mw(model, hw, i, shade_share(), 0);
	return mw;
}

static double truth_of(const struct planted *p, const struct vp_model *model,
		       const struct vp_hw *hw, const struct vp_truth *truth)
{
	if (p->power_group)
		return power_truth(model, hw, p->power_group);
	return *(const double *)(const void *)((const char *)truth + p->offset);
}

/* ---- one campaign ---- */

struct rig {
	const struct vp_hw *hw;
	struct vp_model *model[VARIANTS];
	double truth[VARIANTS][METRICS];
	struct ab_comparison (*results)[VARIANTS][METRICS]; /* by seed */
};

struct run {
	struct ab_run_data *data;
	int variant, block, session;
};

static void add_power(struct ab_run_data *data, const struct job *job)
{
	const struct vp_trace_request *rq = &job->rq;
	double s = (double)(job->window_end_ns - job->window_begin_ns) / 1e9;

	for (size_t m = 0; m < METRICS; m++) {
		const char *group = planted[m].power_group;
		gint64 uws = 0;

		for (int i = 0; group && job->boot.hw->rails[i].name; i++)
			if (g_str_has_prefix(job->boot.hw->rails[i].subsys,
					     group))
				uws += vp_energy_uws(rq->boot, rq->acts,
						     rq->n_acts, i,
						     job->window_end_ns) -
				       vp_energy_uws(rq->boot, rq->acts,
						     rq->n_acts, i,
						     job->window_begin_ns);
		if (group)
			ab_run_data_set(data, planted[m].metric,
					(double)uws / s / 1000);
	}
}

static void add_bench_frames(struct ab_run_data *data, const struct job *job)
{
	double ms[BENCH_FRAMES_MAX];
	size_t n =
		vp_bench_frames(&job->boot, 0, 0, vp_mix(job->rq.run_seed, 1),
				JOB_SKIN_MC, ms, BENCH_FRAMES_MAX);

	g_array_append_vals(ab_run_data_samples(data, "jankbench.frame"), ms,
			    (guint)n);
}

static void sort_samples(struct ab_run_data *data)
{
	for (guint i = 0; i < data->samples->len; i++) {
		struct ab_sample_set *set = data->samples->pdata[i];
		gsl_sort((double *)(void *)set->values->data, 1,
			 set->values->len);
	}
}

static struct ab_run_data *execute(const struct job_spec *spec)
{
	struct ab_trace_options options = { 0 };
	struct ab_run_data *data = ab_run_data_new();
	g_autoptr(GError) error = NULL;
	struct job job;

	job_init(&job, spec);
	g_autoptr(GByteArray) pb = vp_trace_build(&job.rq);
	ab_autoptr(ab_trace) trace =
		ab_trace_open_bytes(pb->data, pb->len, NULL, &error);
	if (!trace)
		g_error("%s", error->message);
	ab_trace_analyze(trace, &options, data);
	add_power(data, &job);
	add_bench_frames(data, &job);
	sort_samples(data);
	job_clear(&job);
	return data;
}

static void add_session(const struct rig *rig, guint64 seed, int variant,
			int block, int session, GArray *runs)
{
	for (int i = 0; i < opt.runs; i++) {
		struct job_spec spec = {
			.hw = rig->hw,
			.model = rig->model[variant],
			.phone_seed = seed,
			.boot_number = session,
			.run_seed = vp_mix(vp_mix(seed, (guint64)session),
					   (guint64)i),
			.seconds = SWIPES,
			.begin_ns = (95 + 40 * i) * VP_NSEC,
		};
		struct run run = { execute(&spec), variant, block, session };
		g_array_append_val(runs, run);
	}
}

static GArray *campaign(const struct rig *rig, guint64 seed, gsl_rng *rng)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	int order[VARIANTS] = { BASE, AGAIN, PATCHED };
	int session = 0;

	for (int block = 0; block < opt.blocks; block++) {
		gsl_ran_shuffle(rng, order, VARIANTS, sizeof(*order));
		for (int i = 0; i < VARIANTS; i++)
			add_session(rig, seed, order[i], block, session++,
				    runs);
	}
	return runs;
}

/* The runs of base and @b, as variants 0 and 1. */
static GArray *observations(const struct ab_metric *metric, const GArray *runs,
			    int b)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct ab_obs));

	for (guint i = 0; i < runs->len; i++) {
		const struct run *run = &g_array_index(runs, struct run, i);
		struct ab_obs obs = { .variant = run->variant == b,
				      .block = run->block,
				      .session = run->session,
				      .value = NAN,
				      .per = NAN };
		const GArray *samples =
			ab_run_data_find(run->data, metric->source);

		if (run->variant != BASE && run->variant != b)
			continue;
		if (samples) {
			obs.samples = (const double *)(void *)samples->data;
			obs.n_samples = samples->len;
		} else if (!ab_run_data_get(run->data, metric->source,
					    &obs.value)) {
			g_error("no %s", metric->source);
		}
		g_array_append_val(all, obs);
	}
	return all;
}

static void compare(const GArray *runs, gsl_rng *rng,
		    struct ab_comparison results[VARIANTS][METRICS])
{
	const struct ab_stats_options options = { .level = 0.95,
						  .margin_pct = NAN,
						  .resamples = 2000 };

	for (int b = AGAIN; b < VARIANTS; b++)
		for (size_t m = 0; m < METRICS; m++) {
			const struct ab_metric *metric =
				ab_metric_find(planted[m].metric);
			g_autoptr(GArray) obs = observations(metric, runs, b);
			ab_stats_compare(
				metric,
				(const struct ab_obs *)(void *)obs->data,
				obs->len, 1, &options, rng, &results[b][m]);
		}
}

static void one_seed(gpointer number, gpointer data)
{
	const struct rig *rig = data;
	int i = GPOINTER_TO_INT(number) - 1;
	guint64 seed = (guint64)opt.first + (guint64)i;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, (unsigned long)seed);
	GArray *runs = campaign(rig, seed, rng);
	compare(runs, rng, rig->results[i]);
	for (guint k = 0; k < runs->len; k++)
		ab_run_data_free(g_array_index(runs, struct run, k).data);
	g_array_unref(runs);
	gsl_rng_free(rng);
}

static void run_seeds(struct rig *rig)
{
	GThreadPool *pool =
		g_thread_pool_new(one_seed, rig, opt.jobs, TRUE, NULL);

	rig->results = g_malloc0_n((gsize)opt.seeds, sizeof(*rig->results));
	for (int i = 0; i < opt.seeds; i++)
		g_thread_pool_push(pool, GINT_TO_POINTER(i + 1), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
}

/* ---- what came out ---- */

struct mean {
	int n;
	double sum, square;
};

static void mean_add(struct mean *mean, double x)
{
	mean->n++;
	mean->sum += x;
	mean->square += x * x;
}

/* The mean and how far it is from the truth, in its own standard errors. */
static void print_mean(const struct mean *mean, double truth)
{
	double value = mean->sum / mean->n;
	double var = mean->square / mean->n - value * value;

	g_print(" %9.4g %9.4g %5.1f", truth, value,
		(value - truth) / sqrt(var / MAX(mean->n - 1, 1)));
}

struct tally {
	int diff_n, diff, pct_n, pct, different, n;
	struct mean base, difference; /* of the estimates */
};

static void tally_add(struct tally *t, const struct ab_comparison *r,
		      double base, double truth)
{
	double diff = truth - base, pct = 100 * (truth / base - 1);

	t->n++;
	t->different += r->verdict == AB_DIFFERENT;
	mean_add(&t->base, r->a.value);
	mean_add(&t->difference, r->diff);
	if (!isnan(r->diff_lo)) {
		t->diff_n++;
		t->diff += r->diff_lo <= diff && diff <= r->diff_hi;
	}
	if (!isnan(r->pct_lo) && !isnan(r->pct_hi)) {
		t->pct_n++;
		t->pct += r->pct_lo <= pct && pct <= r->pct_hi;
	}
}

static struct tally tally_of(const struct rig *rig, int b, size_t m)
{
	struct tally t = { 0 };

	for (int i = 0; i < opt.seeds; i++)
		tally_add(&t, &rig->results[i][b][m], rig->truth[BASE][m],
			  rig->truth[b][m]);
	return t;
}

/* "95 [89-98]": a share in percent and its interval (Clopper, Pearson). */
static char *share(int k, int n)
{
	double lo = k ? gsl_cdf_beta_Pinv(0.025, k, n - k + 1) : 0;
	double hi = k < n ? gsl_cdf_beta_Pinv(0.975, k + 1, n - k) : 1;

	if (!n)
		return g_strdup("-");
	return g_strdup_printf("%.0f [%.0f-%.0f]", 100.0 * k / n, 100 * lo,
			       100 * hi);
}

static void print_shares(const struct rig *rig, int b)
{
	g_print("%s -> %s\n%-30s %15s %15s %15s\n", kernels[BASE], kernels[b],
		"% of the campaigns", "difference in", "percent in",
		b == AGAIN ? "false alarms" : "\"different\"");
	for (size_t m = 0; m < METRICS; m++) {
		struct tally t = tally_of(rig, b, m);
		g_autofree char *diff = share(t.diff, t.diff_n);
		g_autofree char *pct = share(t.pct, t.pct_n);
		g_autofree char *different = share(t.different, t.n);
		g_print("%-30s %15s %15s %15s\n", planted[m].metric, diff, pct,
			different);
	}
	g_print("\n");
}

/* A bias shows as a z far from 0. */
static void print_means(const struct rig *rig)
{
	g_print("%-30s %9s %9s %5s %9s %9s %5s\n", "truth, mean of estimates",
		"base", "mean", "z", "differ.", "mean", "z");
	for (size_t m = 0; m < METRICS; m++) {
		struct tally t = tally_of(rig, PATCHED, m);
		double base = rig->truth[BASE][m];

		g_print("%-30s", planted[m].metric);
		print_mean(&t.base, base);
		print_mean(&t.difference, rig->truth[PATCHED][m] - base);
		g_print("\n");
	}
}

static void rig_init(struct rig *rig)
{
	struct vp_run_shape shape = { .swipes = SWIPES,
				      .skin_mc = JOB_SKIN_MC };
	const char *platform = opt.platform ? opt.platform : "A";

	rig->hw = job_hw(platform);
	for (int v = 0; v < VARIANTS; v++) {
		struct vp_truth truth;

		rig->model[v] = job_model(platform, kernels[v]);
		vp_truth(rig->model[v], &shape, &truth);
		for (size_t m = 0; m < METRICS; m++)
			rig->truth[v][m] = truth_of(&planted[m], rig->model[v],
						    rig->hw, &truth);
	}
}

static void rig_clear(struct rig *rig)
{
	for (int v = 0; v < VARIANTS; v++)
		vp_model_free(rig->model[v]);
	g_free(rig->results);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	struct rig rig = { 0 };
	gint64 begin_us = g_get_monotonic_time();

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		fprintf(stderr, "bench-coverage: %s\n", error->message);
		return 2;
	}
	rig_init(&rig);
	run_seeds(&rig);
	g_print("platform %s, %d campaigns of %d blocks, %d runs a boot; "
		"%.0f s\n\n",
		rig.hw->platform, opt.seeds, opt.blocks, opt.runs,
		(double)(g_get_monotonic_time() - begin_us) / 1e6);
	print_shares(&rig, PATCHED);
	print_shares(&rig, AGAIN);
	print_means(&rig);
	rig_clear(&rig);
	return 0;
}
