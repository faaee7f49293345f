// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How often does the A/A of a device fail when both variants are the same, and
 * how often when the rig treats them differently?  Simulated nights of 40
 * metrics: block, boot and run effects, a part of the boot effect common to
 * all metrics.  A shift is told in noise floors: halves of the 95 % interval
 * that a night of that size has.  Devices draw their nights from a pool.
 */
#include <abrig/aa.h>
#include <abrig/stats.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define METRICS 40
#define NIGHTS 20
#define DEVICES 400
#define RUNS 5
#define SAMPLES 40
#define ICC 0.3
#define RESAMPLES 200 /* of quantiles */

enum kind { NORMAL, LOGNORMAL, COUNT, RARE, P90, KINDS };

static const struct ab_metric metrics[KINDS] = {
	[NORMAL] = { .unit = "mW", .stat = AB_STAT_RUN_MEAN },
	[LOGNORMAL] = { .unit = "ms", .stat = AB_STAT_RUN_MEAN },
	[COUNT] = { .unit = "", .stat = AB_STAT_RUN_MEAN },
	[RARE] = { .unit = "", .stat = AB_STAT_RUN_MEAN },
	[P90] = { .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9 },
};

struct rig {
	const char *name;
	int blocks;
	double common; /* share of the boot effect that all metrics have */
	int shifted;   /* metrics (normal ones) of which variant 1 is off, */
	double shift;  /* by so many noise floors */
	double chance; /* in this share of nights */
};

static const struct rig rigs[] = {
	{ "same", 4, 0, 0, 0, 0 },
	{ "same, correlated", 4, 0.7, 0, 0, 0 },
	{ "same", 8, 0, 0, 0, 0 },
	{ "same, correlated", 8, 0.7, 0, 0, 0 },
	{ "1 off by 1", 8, 0, 1, 1, 1 },
	{ "1 off by 2", 8, 0, 1, 2, 1 },
	{ "1 off by 3", 8, 0, 1, 3, 1 },
	{ "6 off by 1", 8, 0, 6, 1, 1 },
	{ "6 off by 2", 8, 0, 6, 2, 1 },
	{ "1 off by 3", 4, 0, 1, 3, 1 },
	{ "6 off by 2", 4, 0, 6, 2, 1 },
	{ "1 off by 3, a night in 3", 8, 0, 1, 3, 1.0 / 3 },
};

/* Five in eight are normal, so that they can be shifted exactly. */
static enum kind kind_of(int metric)
{
	static const enum kind kinds[] = { NORMAL, LOGNORMAL, NORMAL, COUNT,
					   NORMAL, RARE,      NORMAL, P90 };

	return kinds[metric % (int)G_N_ELEMENTS(kinds)];
}

/* Half of the 95 % interval of a difference, in spreads of a run. */
static double noise_floor(int blocks)
{
	double var = 2 * (ICC + (1 - ICC) / RUNS) / blocks;

	return gsl_cdf_tdist_Pinv(0.975, blocks - 1) * sqrt(var);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What a run whose effect is @e, in spreads, gives. */
static void fill_run(enum kind kind, double e, gsl_rng *rng, struct ab_obs *obs,
		     double *samples)
{
	switch (kind) {
	case NORMAL:
		obs->value = 1000 + 20 * e;
		break;
	case LOGNORMAL:
		obs->value = 100 * exp(0.3 * e);
		break;
	case COUNT:
		obs->value = gsl_ran_poisson(rng, 5 * exp(0.3 * e));
		break;
	case RARE:
		obs->value = gsl_ran_poisson(rng, 0.3 * exp(0.3 * e));
		break;
	default:
		for (int i = 0; i < SAMPLES; i++)
			samples[i] = 200 * exp(0.2 * e) *
				     gsl_ran_lognormal(rng, 0, 0.35);
		qsort(samples, SAMPLES, sizeof(*samples), compare_doubles);
		obs->samples = samples;
		obs->n_samples = SAMPLES;
	}
}

/* @common has the part of each boot's effect that metrics share. */
static size_t simulate(const struct rig *rig, enum kind kind, double shift,
		       const double *common, gsl_rng *rng, struct ab_obs *obs,
		       double *samples)
{
	double own = sqrt(ICC * (1 - rig->common));
	size_t n = 0;

	for (int boot = 0; boot < 2 * rig->blocks; boot++) {
		int variant = boot % 2;
		double e = common[boot] + gsl_ran_gaussian(rng, own) +
			   (variant ? shift : 0);

		for (int i = 0; i < RUNS; i++, n++) {
			obs[n] = (struct ab_obs){ .variant = variant,
						  .block = boot / 2,
						  .session = boot,
						  .value = NAN,
						  .per = NAN,
						  .at = NAN,
						  .skin_c = NAN,
						  .battery = NAN,
						  .position = i };
			fill_run(kind, e + gsl_ran_gaussian(rng, sqrt(1 - ICC)),
				 rng, &obs[n], samples + n * SAMPLES);
		}
	}
	return n;
}

struct buffers {
	struct ab_obs *obs;
	double *samples, *common;
};

static void add_test(const struct rig *rig, int metric, double shift,
		     const struct buffers *b, gsl_rng *rng,
		     struct ab_aa_night *night)
{
	static const struct ab_stats_options options = {
		.level = 0.95, .margin_pct = NAN, .resamples = RESAMPLES
	};
	g_autofree char *name = g_strdup_printf("m%d", metric);
	enum kind kind = kind_of(metric);
	struct ab_comparison c;
	size_t n =
		simulate(rig, kind, shift, b->common, rng, b->obs, b->samples);

	ab_stats_compare(&metrics[kind], b->obs, n, 1, &options, rng, &c);
	if (isfinite(c.p_change) && c.diff_hi > c.diff_lo)
		ab_aa_night_add(night, "s", name, c.p_change);
}

static struct ab_aa_night *one_night(const struct rig *rig,
				     const struct buffers *b, gsl_rng *rng)
{
	struct ab_aa_night *night = ab_aa_night_new();
	double shift = gsl_rng_uniform(rng) < rig->chance
			       ? rig->shift * noise_floor(rig->blocks)
			       : 0;
	int shifted = 0;

	night->plan_sha256 = g_strdup("0");
	night->plan = g_strdup("p");
	night->began = g_strdup("t");
	for (int i = 0; i < 2 * rig->blocks; i++)
		b->common[i] = gsl_ran_gaussian(rng, sqrt(ICC * rig->common));
	for (int m = 0; m < METRICS; m++) {
		bool off = kind_of(m) == NORMAL && shifted++ < rig->shifted;

		add_test(rig, m, off ? shift : 0, b, rng, night);
	}
	return night;
}

struct tally {
	int nights_failed, tests, alarms; /* of the pool */
	int failed[NIGHTS];		  /* devices, after so many nights */
	int ever; /* devices that failed after any of them */
};

static void free_night(gpointer night)
{
	ab_aa_night_free(night);
}

static GPtrArray *make_pool(const struct rig *rig, int nights, gsl_rng *rng)
{
	GPtrArray *pool = g_ptr_array_new_with_free_func(free_night);
	size_t most = (size_t)rig->blocks * 2 * RUNS;
	struct buffers b = {
		g_new0(struct ab_obs, most),
		g_new0(double, most *SAMPLES),
		g_new0(double, (size_t)rig->blocks * 2),
	};

	for (int i = 0; i < nights; i++)
		g_ptr_array_add(pool, one_night(rig, &b, rng));
	g_free(b.obs);
	g_free(b.samples);
	g_free(b.common);
	return pool;
}

static void tally_pool(const GPtrArray *pool, struct tally *t)
{
	for (guint i = 0; i < pool->len; i++) {
		ab_autoptr(ab_aa_record) record = ab_aa_record_new("d");
		ab_autoptr(ab_aa_summary) s = NULL;

		g_ptr_array_set_free_func(record->nights, NULL);
		g_ptr_array_add(record->nights, pool->pdata[i]);
		s = ab_aa_judge(record);
		t->nights_failed += s->nights_failed;
		t->tests += s->tests;
		t->alarms += s->alarms;
	}
}

/*
 * Another night of the pool, its metrics renamed among those of their kind:
 * one that was unlucky in the pool must not be so for all devices.
 */
static struct ab_aa_night *draw(const GPtrArray *pool, bool rename,
				gsl_rng *rng)
{
	const struct ab_aa_night *from =
		pool->pdata[gsl_rng_uniform_int(rng, pool->len)];
	struct ab_aa_night *night = ab_aa_night_new();
	int by = rename ? 8 * (int)gsl_rng_uniform_int(rng, METRICS / 8) : 0;

	night->plan_sha256 = g_strdup(from->plan_sha256);
	night->plan = g_strdup(from->plan);
	night->began = g_strdup(from->began);
	for (guint i = 0; i < from->tests->len; i++) {
		const struct ab_aa_test *test = from->tests->pdata[i];
		g_autofree char *name = g_strdup_printf(
			"m%d", (atoi(test->metric + 1) + by) % METRICS);

		ab_aa_night_add(night, test->scenario, name, test->p);
	}
	return night;
}

static void one_device(const GPtrArray *pool, bool rename, gsl_rng *rng,
		       struct tally *t)
{
	ab_autoptr(ab_aa_record) record = ab_aa_record_new("d");
	bool ever = false;

	for (int i = 0; i < NIGHTS; i++) {
		ab_autoptr(ab_aa_summary) s = NULL;

		g_ptr_array_add(record->nights, draw(pool, rename, rng));
		s = ab_aa_judge(record);
		t->failed[i] += s->failed;
		ever = ever || s->failed;
	}
	t->ever += ever;
}

static void study(const struct rig *rig, int nights, gsl_rng *rng)
{
	static const int after[] = { 1, 2, 3, 5, 10, 20 };
	g_autoptr(GPtrArray) pool = make_pool(rig, nights, rng);
	struct tally t = { 0 };

	tally_pool(pool, &t);
	for (int i = 0; i < DEVICES; i++)
		one_device(pool, !rig->shifted, rng, &t);
	g_print("%-26s %6d %6d %6.2f %6.2f", rig->name, rig->blocks, nights,
		100.0 * t.alarms / t.tests, 100.0 * t.nights_failed / nights);
	for (size_t i = 0; i < G_N_ELEMENTS(after); i++)
		g_print(" %5.1f", 100.0 * t.failed[after[i] - 1] / DEVICES);
	g_print(" %5.1f\n", 100.0 * t.ever / DEVICES);
}

int main(int argc, char **argv)
{
	int nights = argc > 1 ? atoi(argv[1]) : 300;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_set_error_handler_off();
	g_print("# %d metrics, %d runs a boot; %%: alarms, nights that fail, "
		"devices that have failed after n nights\n"
		"%-26s %6s %6s %6s %6s %5s %5s %5s %5s %5s %5s %5s\n",
		METRICS, RUNS, "rig", "blocks", "nights", "alarms", "night",
		"1", "2", "3", "5", "10", "20", "ever");
	/* A rate of 5 % needs more of them than one near 100 %. */
	for (size_t i = 0; i < G_N_ELEMENTS(rigs); i++)
		study(&rigs[i],
		      rigs[i].shifted ? MAX(nights / 4, 1) : MAX(nights, 1),
		      rng);
	gsl_rng_free(rng);
	return 0;
}
