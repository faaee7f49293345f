// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Do the intervals hold what they promise?  Simulated campaigns with known
 * truth: coverage of the 95 % intervals of difference and percent under an
 * effect, and false alarms when both variants are the same.  Beside it what
 * treating the runs as independent would have given.
 */
#include <abrig/stats.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define RUNS 5
#define SAMPLES 100
#define EFFECT 0.9	 /* B is this much of A */
#define BLOCK_SPREAD 0.1 /* log scale, both variants alike */

struct model {
	const char *name;
	struct ab_metric metric;
	double spread; /* of boot and run effects together, log scale */
	double rate;   /* events per run */
	/* Fill one run's observation; @scale has all effects in it. */
	void (*run)(const struct model *model, gsl_rng *rng, double scale,
		    struct ab_obs *obs, double *samples);
	/* The baseline's true value, given the variance of log(scale). */
	double (*truth)(const struct model *model, double log_var);
};

#define SAMPLE_SPREAD 0.8

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void run_of_samples(const struct model *model, gsl_rng *rng,
			   double scale, struct ab_obs *obs, double *samples)
{
	(void)model;
	for (int i = 0; i < SAMPLES; i++)
		samples[i] =
			100 * scale * gsl_ran_lognormal(rng, 0, SAMPLE_SPREAD);
	qsort(samples, SAMPLES, sizeof(*samples), compare_doubles);
	obs->value = NAN;
	obs->samples = samples;
	obs->n_samples = SAMPLES;
}

static double mean_truth(const struct model *model, double log_var)
{
	(void)model;
	return 100 * exp((log_var + SAMPLE_SPREAD * SAMPLE_SPREAD) / 2);
}

static double quantile_truth(const struct model *model, double log_var)
{
	return 100 * gsl_cdf_lognormal_Pinv(
			     model->metric.arg, 0,
			     sqrt(log_var + SAMPLE_SPREAD * SAMPLE_SPREAD));
}

static void run_of_events(const struct model *model, gsl_rng *rng, double scale,
			  struct ab_obs *obs, double *samples)
{
	(void)samples;
	obs->value = gsl_ran_poisson(rng, model->rate * scale);
}

static double events_truth(const struct model *model, double log_var)
{
	return model->rate * exp(log_var / 2);
}

static void run_of_frames(const struct model *model, gsl_rng *rng, double scale,
			  struct ab_obs *obs, double *samples)
{
	(void)model;
	(void)samples;
	obs->per = 100 + gsl_ran_poisson(rng, 200);
	obs->value = gsl_ran_poisson(rng, 0.05 * scale * obs->per);
}

static double frames_truth(const struct model *model, double log_var)
{
	return model->metric.arg * 0.05 * exp(log_var / 2);
}

static const struct model models[] = {
	{ "mean",
	  { .unit = "us", .stat = AB_STAT_MEAN },
	  0.2,
	  0,
	  run_of_samples,
	  mean_truth },
	{ "P90",
	  { .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9 },
	  0.2,
	  0,
	  run_of_samples,
	  quantile_truth },
	{ "P99",
	  { .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.99 },
	  0.2,
	  0,
	  run_of_samples,
	  quantile_truth },
	{ "count/run",
	  { .unit = "", .stat = AB_STAT_RUN_MEAN },
	  0.3,
	  2,
	  run_of_events,
	  events_truth },
	{ "rare/run",
	  { .unit = "", .stat = AB_STAT_RUN_MEAN },
	  0.3,
	  0.2,
	  run_of_events,
	  events_truth },
	{ "ratio",
	  { .unit = "%", .stat = AB_STAT_RATIO, .arg = 100 },
	  0.3,
	  0,
	  run_of_frames,
	  frames_truth },
};

struct plan {
	const struct model *model;
	int blocks;
	double icc;
	double effect;
};

/* Observations of one campaign; @samples has room for all of them. */
static size_t simulate(const struct plan *plan, gsl_rng *rng,
		       struct ab_obs *obs, double *samples)
{
	double boot_sd = plan->model->spread * sqrt(plan->icc);
	double run_sd = plan->model->spread * sqrt(1 - plan->icc);
	size_t n = 0;

	for (int block = 0; block < plan->blocks; block++) {
		double in_block = gsl_ran_gaussian(rng, BLOCK_SPREAD);

		for (int boot = 0; boot < 2; boot++) {
			double in_boot =
				in_block + gsl_ran_gaussian(rng, boot_sd);

			for (int i = 0; i < RUNS; i++, n++) {
				double in_run =
					in_boot + gsl_ran_gaussian(rng, run_sd);

				obs[n] = (struct ab_obs){
					.variant = boot,
					.block = block,
					.session = 2 * block + boot,
				};
				plan->model->run(
					plan->model, rng,
					(boot ? plan->effect : 1) * exp(in_run),
					&obs[n], samples + n * SAMPLES);
			}
		}
	}
	return n;
}

struct tally {
	int n, diff_n, diff, pct_n, pct, different;
	double width;
};

/* Coverage is of the intervals that were given. */
static void tally_add(struct tally *t, const struct ab_comparison *r,
		      double diff, double pct)
{
	t->n++;
	t->different += r->verdict == AB_DIFFERENT;
	if (!isnan(r->diff_lo)) {
		t->diff_n++;
		t->diff += r->diff_lo <= diff && diff <= r->diff_hi;
	}
	if (!isnan(r->pct) && !isnan(r->pct_lo)) {
		t->pct_n++;
		t->pct += r->pct_lo <= pct && pct <= r->pct_hi;
		t->width += (r->pct_hi - r->pct_lo) / 2;
	}
}

/* What a rig that ignores boots would say: every run a block of its own. */
static void forget_boots(struct ab_obs *obs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		obs[i].block = (int)(i / ((size_t)2 * RUNS) * RUNS + i % RUNS);
		obs[i].session = (int)i;
	}
}

static void study(const struct plan *plan, int campaigns, gsl_rng *rng,
		  struct tally *rig, struct tally *naive)
{
	struct ab_stats_options options = { .level = 0.95,
					    .margin_pct = NAN,
					    .resamples = 1000 };
	size_t most = (size_t)plan->blocks * 2 * RUNS;
	g_autofree struct ab_obs *obs = g_new0(struct ab_obs, most);
	g_autofree double *samples = g_new0(double, most *SAMPLES);
	double log_var = BLOCK_SPREAD * BLOCK_SPREAD +
			 plan->model->spread * plan->model->spread;
	double diff =
		(plan->effect - 1) * plan->model->truth(plan->model, log_var);
	double pct = 100 * (plan->effect - 1);

	for (int i = 0; i < campaigns; i++) {
		size_t n = simulate(plan, rng, obs, samples);
		struct ab_comparison r;

		ab_stats_compare(&plan->model->metric, obs, n, 1, &options, rng,
				 &r);
		tally_add(rig, &r, diff, pct);
		if (!naive || plan->model->metric.stat == AB_STAT_QUANTILE)
			continue;
		forget_boots(obs, n);
		ab_stats_compare(&plan->model->metric, obs, n, 1, &options, rng,
				 &r);
		tally_add(naive, &r, diff, pct);
	}
}

static double share(int part, int whole)
{
	return whole ? 100.0 * part / whole : NAN;
}

static void print_line(const struct model *model, int blocks, double icc,
		       int campaigns, gsl_rng *rng)
{
	struct plan effect = { model, blocks, icc, EFFECT };
	struct plan aa = { model, blocks, icc, 1 };
	struct tally rig = { 0 }, null = { 0 }, naive = { 0 };

	study(&effect, campaigns, rng, &rig, NULL);
	study(&aa, campaigns, rng, &null, &naive);
	g_print("%-10s %6d %5.1f %9.1f %9.1f %9.1f %9.1f", model->name, blocks,
		icc, share(rig.diff, rig.diff_n), share(rig.pct, rig.pct_n),
		rig.width / MAX(rig.pct_n, 1), share(null.different, null.n));
	if (naive.n)
		g_print(" %9.1f\n", share(naive.different, naive.n));
	else
		g_print(" %9s\n", "-");
}

static void coverage(int campaigns, gsl_rng *rng)
{
	static const double iccs[] = { 0, 0.2, 0.5 };
	static const int blocks[] = { 4, 8 };

	g_print("# %d campaigns a cell, %d runs a boot; in %%\n"
		"metric     blocks   ICC cover.dif cover.pct +-percent  A/A alarm "
		"    naive\n",
		campaigns, RUNS);
	for (size_t m = 0; m < G_N_ELEMENTS(models); m++)
		for (size_t k = 0; k < G_N_ELEMENTS(blocks); k++)
			for (size_t i = 0; i < G_N_ELEMENTS(iccs); i++)
				print_line(&models[m], blocks[k], iccs[i],
					   campaigns, rng);
}

/* A night's worth: the P99 of 440,000 samples in 490 runs. */
static void speed(gsl_rng *rng)
{
	struct ab_stats_options options = { .level = 0.95,
					    .margin_pct = NAN,
					    .resamples = 10000 };
	struct plan plan = { &models[2], 49, 0.2, EFFECT };
	size_t most = (size_t)plan.blocks * 2 * RUNS, per_run = 440000 / most;
	g_autofree struct ab_obs *obs = g_new0(struct ab_obs, most);
	g_autofree double *unused = g_new0(double, most *SAMPLES);
	double *samples = g_new0(double, most *per_run);
	size_t n = simulate(&plan, rng, obs, unused);
	struct ab_comparison r;
	gint64 begin;

	for (size_t i = 0; i < n; i++) {
		double *x = samples + i * per_run;

		for (size_t k = 0; k < per_run; k++)
			x[k] = gsl_ran_lognormal(rng, 4, SAMPLE_SPREAD);
		qsort(x, per_run, sizeof(*x), compare_doubles);
		obs[i].samples = x;
		obs[i].n_samples = per_run;
	}
	begin = g_get_monotonic_time();
	ab_stats_compare(&plan.model->metric, obs, n, 1, &options, rng, &r);
	g_print("# P99 of %zu samples in %zu runs, 10,000 resamples: %.0f ms\n",
		n * per_run, n,
		(double)(g_get_monotonic_time() - begin) / 1000);
	g_free(samples);
}

int main(int argc, char **argv)
{
	int campaigns = argc > 1 ? atoi(argv[1]) : 250;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	speed(rng);
	coverage(campaigns, rng);
	gsl_rng_free(rng);
	return 0;
}
