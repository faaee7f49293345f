// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How long do the statistics of a large night take: 49 blocks of 2 boots of 5
 * runs, 440,000 samples of each metric, 10,000 resamples?  On one core, on two,
 * and R's boot package on the same data.
 *
 * bench-stats-speed [METRICS [RESAMPLES]]
 */
#include <abrig/stats.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCKS 49
#define RUNS 5
#define N_OBS ((size_t)BLOCKS * 2 * RUNS)
#define SAMPLES 898 /* a run: 440,020 in all */
#define R_RESAMPLES 20

static const struct ab_metric quantiles[] = {
	{ .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.99 },
	{ .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9 },
};
static const struct ab_metric others[] = {
	{ .unit = "us", .stat = AB_STAT_MEAN },
	{ .unit = "", .stat = AB_STAT_COUNT_GE, .arg = 300 },
	{ .unit = "%", .stat = AB_STAT_RATIO, .arg = 100 },
	{ .unit = "mW", .stat = AB_STAT_RUN_MEAN },
};

struct night {
	struct ab_obs obs[N_OBS];
	double *samples;
	int resamples;
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void night_init(struct night *night, int resamples)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double boot = 0;

	night->resamples = resamples;
	night->samples = g_new(double, N_OBS *SAMPLES);
	for (size_t i = 0; i < N_OBS; i++) {
		double *x = night->samples + i * SAMPLES, run;

		if (i % RUNS == 0)
			boot = gsl_ran_gaussian(rng, 0.1);
		run = boot + gsl_ran_gaussian(rng, 0.2);
		for (size_t k = 0; k < SAMPLES; k++)
			x[k] = gsl_ran_lognormal(rng, 4 + run, 0.8);
		qsort(x, SAMPLES, sizeof(*x), compare_doubles);
		night->obs[i] = (struct ab_obs){
			.variant = (int)(i / RUNS) % 2,
			.block = (int)i / (2 * RUNS),
			.session = (int)i / RUNS,
			.value = gsl_ran_poisson(rng, 10 * exp(run)),
			.per = 200,
			.samples = x,
			.n_samples = SAMPLES,
		};
	}
	gsl_rng_free(rng);
}

static void compare(gpointer metric, gpointer user_data)
{
	const struct night *night = user_data;
	const struct ab_stats_options options = {
		.level = 0.95,
		.margin_pct = NAN,
		.resamples = night->resamples,
	};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct ab_comparison r;

	ab_stats_compare(metric, night->obs, N_OBS, 1, &options, rng, &r);
	gsl_rng_free(rng);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds on the clock; prints them, and those of the processor. */
static double measure(const char *what, const struct ab_metric *const *metrics,
		      int n, int threads, struct night *night)
{
	double wall = seconds(CLOCK_MONOTONIC);
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	GThreadPool *pool =
		g_thread_pool_new(compare, night, threads, TRUE, NULL);

	for (int i = 0; i < n; i++)
		g_thread_pool_push(pool, (gpointer)metrics[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	g_print("%-32s %6.2f s, %6.2f s of CPU time\n", what, wall, cpu);
	return cpu;
}

/* The same quantile, whole blocks drawn, as one writes it in R. */
static const char r_script[] =
	"if (!requireNamespace('boot', quietly = TRUE)) quit(status = 3); "
	"x <- lapply(1:49, function(k) list(a = rlnorm(4490, 4, 0.8), "
	"b = rlnorm(4490, 4, 0.8))); "
	"p99 <- function(d, arm) quantile(unlist(lapply(d, getElement, arm)), "
	"0.99); "
	"diff <- function(d, i) p99(d[i], 'b') - p99(d[i], 'a'); "
	"n <- as.numeric(commandArgs(TRUE)[1]); "
	"time <- system.time(boot::boot(x, diff, n)); "
	"cat((time[1] + time[2]) / (n + 1))";

/* CPU seconds a resample; NAN when there is no R or no boot. */
static double measure_r(int resamples)
{
	g_autofree char *n = g_strdup_printf("%d", resamples);
	g_autofree char *out = NULL;
	char *argv[] = { "Rscript", "-e", (char *)r_script, n, NULL };
	int status;

	if (!g_spawn_sync(NULL, argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, &out, NULL, &status, NULL) ||
	    !g_spawn_check_wait_status(status, NULL))
		return NAN;
	return g_ascii_strtod(out, NULL);
}

static void compare_with_r(double per_quantile, int resamples)
{
	int drawn = MIN(resamples, R_RESAMPLES);
	double r = measure_r(drawn) * resamples;

	if (isnan(r)) {
		g_print("R with its package boot is not installed: no ratio\n");
		return;
	}
	g_print("R's boot, one P99: %.0f s of CPU time (from %d resamples): "
		"%.0f times ours\n",
		r, drawn, r / per_quantile);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 40;
	struct night *night = g_new0(struct night, 1);
	g_autofree const struct ab_metric **all =
		g_new(const struct ab_metric *, n);
	g_autofree const struct ab_metric **half =
		g_new(const struct ab_metric *, n);
	double cpu;

	night_init(night, argc > 2 ? atoi(argv[2]) : 10000);
	for (int i = 0; i < n; i++) {
		all[i] = &quantiles[i % 2];
		half[i] = i % 2 ? &quantiles[i / 2 % 2] : &others[i / 2 % 4];
	}
	g_print("# %d metrics, %d blocks, %zu runs, %zu samples of each, "
		"%d resamples\n",
		n, BLOCKS, N_OBS, N_OBS * SAMPLES, night->resamples);
	measure("half of them quantiles, 1 thread", half, n, 1, night);
	cpu = measure("all of them quantiles, 1 thread", all, n, 1, night);
	measure("all of them quantiles, 2 threads", all, n, 2, night);
	compare_with_r(cpu / n, night->resamples);
	g_free(night->samples);
	g_free(night);
	return 0;
}
