// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How often is something noticed that is not there, and how often what is?
 * Simulated campaigns: block, boot and run effects, and one thing planted.
 * The rates are those of p <= 1 %; below them, how many clean reports of 40
 * metrics have a note after ab_notes_control().
 */
#include <abrig/stats_notes.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define SAMPLES 100
#define BLOCK_SPREAD 0.3 /* of the boots' and runs' together */
#define ICC 0.3
#define METRICS 40
#define LEVEL 0.01
#define BOOT_S 1200.0
#define RUN_S 60.0

enum planted {
	CLEAN,
	DRIFT,	      /* rises by 3 spreads from first boot to last */
	SKIN,	      /* by half a spread per degree, of 2 between boots */
	FIRST,	      /* first run of a boot 1.5 spreads above */
	RUN_OUT,      /* one run 8 spreads above */
	BOOT_OUT,     /* one boot 8 spreads above */
	MODES,	      /* half of the runs 6 spreads above */
	SAMPLE_MODES, /* half of the samples 6 times as long */
	FOLLOW,	      /* runs of a boot: autoregressive, 0.7 */
	ALIKE,	      /* two devices, nothing between them */
	DEVICES,      /* one of two devices: variant 3 spreads above */
};

struct model {
	const char *name;
	struct ab_metric metric;
	double spread; /* of boot and run effects together */
	/* Fill in what a run with effect @e, in spreads, gives. */
	void (*run)(const struct model *model, gsl_rng *rng, double e,
		    enum planted planted, struct ab_obs *obs, double *samples);
	double level; /* of the baseline */
};

static void run_normal(const struct model *m, gsl_rng *rng, double e,
		       enum planted planted, struct ab_obs *obs,
		       double *samples)
{
	(void)rng;
	(void)planted;
	(void)samples;
	obs->value = m->level * (1 + m->spread * e);
}

static void run_lognormal(const struct model *m, gsl_rng *rng, double e,
			  enum planted planted, struct ab_obs *obs,
			  double *samples)
{
	(void)rng;
	(void)planted;
	(void)samples;
	obs->value = m->level * exp(m->spread * e);
}

static void run_count(const struct model *m, gsl_rng *rng, double e,
		      enum planted planted, struct ab_obs *obs, double *samples)
{
	(void)planted;
	(void)samples;
	obs->value = gsl_ran_poisson(rng, m->level * exp(m->spread * e));
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Whole microseconds, as traces have them. */
static void run_samples(const struct model *m, gsl_rng *rng, double e,
			enum planted planted, struct ab_obs *obs,
			double *samples)
{
	for (int i = 0; i < SAMPLES; i++) {
		double x = m->level * exp(m->spread * e) *
			   gsl_ran_lognormal(rng, 0, 0.35);

		if (planted == SAMPLE_MODES && gsl_rng_uniform(rng) < 0.5)
			x *= 6;
		samples[i] = floor(x);
	}
	qsort(samples, SAMPLES, sizeof(*samples), compare_doubles);
	obs->value = NAN;
	obs->samples = samples;
	obs->n_samples = SAMPLES;
}

static const struct model models[] = {
	{ "normal",
	  { .unit = "mW", .stat = AB_STAT_RUN_MEAN },
	  0.05,
	  run_normal,
	  1000 },
	{ "log-normal",
	  { .unit = "ms", .stat = AB_STAT_RUN_MEAN },
	  0.4,
	  run_lognormal,
	  100 },
	{ "count",
	  { .unit = "", .stat = AB_STAT_RUN_MEAN },
	  0.3,
	  run_count,
	  5 },
	{ "rare",
	  { .unit = "", .stat = AB_STAT_RUN_MEAN },
	  0.3,
	  run_count,
	  0.3 },
	{ "mean",
	  { .unit = "us", .stat = AB_STAT_MEAN },
	  0.2,
	  run_samples,
	  20 },
	{ "P90",
	  { .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9 },
	  0.2,
	  run_samples,
	  200 },
};

struct plan {
	const struct model *model;
	int blocks, runs;
	enum planted planted;
};

static double planted_effect(const struct plan *plan, const struct ab_obs *obs,
			     double e)
{
	double last = BOOT_S * 2 * plan->blocks;

	switch (plan->planted) {
	case DRIFT:
		return 3 * obs->at / last;
	case SKIN:
		return 0.5 * (obs->skin_c - 30);
	case FIRST:
		return obs->position == 0 ? 1.5 : 0;
	case RUN_OUT:
		return obs->session == 3 && obs->position == plan->runs / 2 ? 8
									    : 0;
	case BOOT_OUT:
		return obs->session == 3 ? 8 : 0;
	case MODES:
		/* By the run's own effect: half of them, at random. */
		return fmod(fabs(e) * 1e6, 2) < 1 ? 6 : 0;
	case DEVICES:
		return obs->device == 1 && obs->variant == 1 ? 3 : 0;
	default:
		return 0;
	}
}

struct boot {
	const struct plan *plan;
	int block, place, variant;
	double effect, skin_c, last;
};

static void simulate_run(struct boot *boot, gsl_rng *rng, int position,
			 struct ab_obs *obs, double *samples)
{
	const struct plan *plan = boot->plan;
	double e = gsl_ran_gaussian(rng, 1), keep = 0.7;
	int session = 2 * boot->block + boot->place;

	if (plan->planted == FOLLOW && position > 0)
		e = keep * boot->last + sqrt(1 - keep * keep) * e;
	boot->last = e;
	e = boot->effect + sqrt(1 - ICC) * e;
	*obs = (struct ab_obs){
		.variant = boot->variant,
		.device = plan->planted >= ALIKE ? boot->block % 2 : 0,
		.block = boot->block,
		.session = session,
		.per = NAN,
		.at = BOOT_S * session + RUN_S * position,
		.skin_c = boot->skin_c + gsl_ran_gaussian(rng, 0.5),
		.battery = 90 - session - gsl_rng_uniform_int(rng, 3),
		.position = position,
	};
	e += planted_effect(plan, obs, e);
	plan->model->run(plan->model, rng, e, plan->planted, obs, samples);
}

static size_t simulate(const struct plan *plan, gsl_rng *rng,
		       struct ab_obs *obs, double *samples)
{
	size_t n = 0;

	for (int block = 0; block < plan->blocks; block++) {
		double in_block = gsl_ran_gaussian(rng, BLOCK_SPREAD);
		int first = (int)gsl_rng_uniform_int(rng, 2);

		for (int place = 0; place < 2; place++) {
			struct boot boot = {
				.plan = plan,
				.block = block,
				.place = place,
				.variant = place ? !first : first,
				.effect = in_block +
					  gsl_ran_gaussian(rng, sqrt(ICC)),
				.skin_c = 30 + gsl_ran_gaussian(rng, 2),
			};

			for (int i = 0; i < plan->runs; i++, n++)
				simulate_run(&boot, rng, i, &obs[n],
					     samples + n * SAMPLES);
		}
	}
	return n;
}

struct tally {
	int asked[AB_NOTE_KINDS], noticed[AB_NOTE_KINDS];
	int covered, adjusted; /* the true change is 0 */
};

static void tally_add(struct tally *t, const struct ab_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct ab_note *note = &notes->notes[i];

		t->asked[note->kind]++;
		t->noticed[note->kind] += note->p <= LEVEL;
		if (note->kind == AB_NOTE_TREND_TIME &&
		    isfinite(note->adjusted.lo)) {
			t->adjusted++;
			t->covered += note->adjusted.lo <= 0 &&
				      note->adjusted.hi >= 0;
		}
	}
}

static const struct ab_stats_options options = { .level = 0.95,
						 .margin_pct = NAN,
						 .resamples = 2000 };

static struct tally study(const struct plan *plan, int campaigns, gsl_rng *rng)
{
	size_t most = (size_t)plan->blocks * 2 * (size_t)plan->runs;
	g_autofree struct ab_obs *obs = g_new0(struct ab_obs, most);
	g_autofree double *samples = g_new0(double, most *SAMPLES);
	struct tally t = { 0 };

	for (int i = 0; i < campaigns; i++) {
		size_t n = simulate(plan, rng, obs, samples);
		struct ab_notes notes;

		ab_notes_find(&plan->model->metric, obs, n, 1, &options, rng,
			      &notes);
		tally_add(&t, &notes);
		ab_notes_clear(&notes);
	}
	return t;
}

static void print_shares(const struct tally *t)
{
	for (int k = 0; k < AB_NOTE_KINDS; k++)
		if (t->asked[k])
			g_print(" %7.1f", 100.0 * t->noticed[k] / t->asked[k]);
		else
			g_print(" %7s", "-");
	g_print(" %7.1f\n", 100.0 * t->covered / MAX(t->adjusted, 1));
}

static void print_heading(const char *what)
{
	static const char *const short_names[AB_NOTE_KINDS] = {
		"time",	   "skin",    "battery", "warm-up", "outlier",
		"mod.run", "mod.smp", "autocor", "devices"
	};

	g_print("\n# %s\n%-11s %6s %4s", what, "metric", "blocks", "runs");
	for (int k = 0; k < AB_NOTE_KINDS; k++)
		g_print(" %7s", short_names[k]);
	g_print(" %7s\n", "adj.cov");
}

static const int all_blocks[] = { 4, 8, 16 };
static const int all_runs[] = { 1, 5, 10 };

static void clean(int campaigns, gsl_rng *rng)
{
	print_heading("nothing is there: p <= 0.01 in %");
	for (size_t m = 0; m < G_N_ELEMENTS(models); m++)
		for (size_t b = 0; b < G_N_ELEMENTS(all_blocks); b++)
			for (size_t r = 0; r < G_N_ELEMENTS(all_runs); r++) {
				struct plan plan = { &models[m], all_blocks[b],
						     all_runs[r], CLEAN };
				struct tally t = study(&plan, campaigns, rng);

				g_print("%-11s %6d %4d", models[m].name,
					plan.blocks, plan.runs);
				print_shares(&t);
			}
}

static void power(int campaigns, gsl_rng *rng)
{
	static const struct {
		enum planted planted;
		const char *what;
		size_t model;
	} plans[] = {
		{ DRIFT, "drift", 0 },	     { SKIN, "skin", 0 },
		{ FIRST, "warm-up", 0 },     { RUN_OUT, "run out", 0 },
		{ BOOT_OUT, "boot out", 0 }, { RUN_OUT, "run out, ln", 1 },
		{ MODES, "run modes", 0 },   { SAMPLE_MODES, "smp. modes", 4 },
		{ FOLLOW, "AR(1)", 0 },	     { ALIKE, "alike", 0 },
		{ ALIKE, "alike, ln", 1 },   { DEVICES, "devices", 0 },
	};

	print_heading("something is planted: p <= 0.01 in %");
	for (size_t i = 0; i < G_N_ELEMENTS(plans); i++)
		for (size_t b = 0; b < G_N_ELEMENTS(all_blocks); b++) {
			struct plan plan = { &models[plans[i].model],
					     all_blocks[b], 5,
					     plans[i].planted };
			struct tally t = study(&plan, campaigns, rng);

			g_print("%-11s %6d %4d", plans[i].what, plan.blocks,
				plan.runs);
			print_shares(&t);
		}
}

/* Which kinds a clean report of METRICS metrics has a note of. */
static void one_report(const struct plan *plan, gsl_rng *rng, int *any)
{
	size_t most = (size_t)plan->blocks * 2 * (size_t)plan->runs, n = 0;
	g_autofree struct ab_obs *obs = g_new0(struct ab_obs, most);
	g_autofree double *samples = g_new0(double, most *SAMPLES);
	struct ab_notes found[METRICS];
	struct ab_note *all[METRICS * AB_NOTE_KINDS];
	bool has[AB_NOTE_KINDS + 1] = { false };

	for (size_t m = 0; m < METRICS; m++) {
		struct plan one = *plan;

		one.model = &models[m % G_N_ELEMENTS(models)];
		ab_notes_find(&one.model->metric, obs,
			      simulate(&one, rng, obs, samples), 1, &options,
			      rng, &found[m]);
		for (size_t i = 0; i < found[m].n; i++)
			all[n++] = &found[m].notes[i];
	}
	ab_notes_control(all, n, AB_NOTE_Q);
	for (size_t i = 0; i < n; i++)
		if (all[i]->noticed)
			has[all[i]->kind] = has[AB_NOTE_KINDS] = true;
	for (int k = 0; k <= AB_NOTE_KINDS; k++)
		any[k] += has[k];
	for (size_t m = 0; m < METRICS; m++)
		ab_notes_clear(&found[m]);
}

static void reports(int count, gsl_rng *rng)
{
	struct plan plan = { NULL, 8, 5, CLEAN };
	int any[AB_NOTE_KINDS + 1] = { 0 };

	for (int i = 0; i < count; i++)
		one_report(&plan, rng, any);
	g_print("\n# clean reports of %d metrics with a note, of %d\n", METRICS,
		count);
	for (int k = 0; k < AB_NOTE_KINDS; k++)
		g_print("%-16s %5.1f %%\n", ab_note_name((enum ab_note_kind)k),
			100.0 * any[k] / count);
	g_print("%-16s %5.1f %%\n", "any", 100.0 * any[AB_NOTE_KINDS] / count);
}

int main(int argc, char **argv)
{
	int campaigns = argc > 1 ? atoi(argv[1]) : 200;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	g_print("# %d campaigns a cell, ICC %g\n", campaigns, ICC);
	clean(campaigns, rng);
	power(campaigns, rng);
	reports(campaigns, rng);
	gsl_rng_free(rng);
	return 0;
}
