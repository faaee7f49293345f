// SPDX-License-Identifier: GPL-3.0-or-later
/* What is noticed, against numbers made by hand, and odd inputs. */
#include <abrig/stats_notes.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#define MOST 400
#define WIDTH 144 /* two lines */

static const struct ab_metric power = { .id = "power",
					.unit = "mW",
					.stat = AB_STAT_RUN_MEAN };
static const struct ab_metric events = { .id = "events",
					 .unit = "",
					 .stat = AB_STAT_RUN_MEAN };
static const struct ab_metric ratio = {
	.id = "ratio", .unit = "%", .stat = AB_STAT_RATIO, .arg = 100
};
static const struct ab_metric p90 = {
	.id = "p90", .unit = "us", .stat = AB_STAT_QUANTILE, .arg = 0.9
};
static const struct ab_metric mean = { .id = "mean",
				       .unit = "us",
				       .stat = AB_STAT_MEAN };
static const struct ab_metric maximum = { .id = "max",
					  .unit = "us",
					  .stat = AB_STAT_MAX };
static const struct ab_metric *const all_metrics[] = {
	&power, &events, &ratio, &p90, &mean, &maximum
};

static const struct ab_stats_options options = { 0.95, NAN, 2000 };

struct data {
	struct ab_obs obs[MOST];
	size_t n;
};

/* @runs runs of @blocks blocks, every value 0, all covariates unknown. */
static struct data *data_new(int blocks, int runs)
{
	struct data *d = g_new0(struct data, 1);

	for (int i = 0; i < blocks * 2 * runs; i++) {
		int session = i / runs;

		g_assert_cmpuint(d->n, <, MOST);
		d->obs[d->n++] = (struct ab_obs){
			.variant = session % 2,
			.block = session / 2,
			.session = session,
			.per = 100,
			.at = NAN,
			.skin_c = NAN,
			.battery = NAN,
			.position = i % runs,
		};
	}
	return d;
}

static struct ab_notes find(const struct ab_metric *metric,
			    const struct data *d)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct ab_notes notes;

	gsl_rng_set(rng, 42);
	ab_notes_find(metric, d->obs, d->n, 1, &options, rng, &notes);
	gsl_rng_free(rng);
	return notes;
}

static const struct ab_note *pick(const struct ab_notes *notes,
				  enum ab_note_kind kind)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->notes[i].kind == kind)
			return &notes->notes[i];
	return NULL;
}

static void assert_text(const struct ab_note *note,
			const struct ab_metric *metric, const char *expected)
{
	g_autofree char *text = ab_note_text(note, metric);

	g_assert_cmpstr(text, ==, expected);
	g_assert_cmpuint(strlen(text), <=, WIDTH);
}

/* ---- trends ---- */

/* Variant 1 runs half an hour after the baseline: drift looks like a change. */
static struct data *drifting(double change)
{
	struct data *d = data_new(6, 1);

	for (size_t i = 0; i < d->n; i++) {
		double hours = (double)i + (d->obs[i].block % 3);

		d->obs[i].at = 3600 * hours;
		d->obs[i].value = 100 + 2 * hours + change * d->obs[i].variant;
	}
	return d;
}

static void test_drift(void)
{
	g_autofree struct data *d = drifting(5);
	struct ab_notes notes;
	const struct ab_note *note;

	d->obs[1].at += 1800;
	d->obs[1].value += 1;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_TREND_TIME);
	g_assert_nonnull(note);
	g_assert_cmpfloat_with_epsilon(note->size, 2, 1e-9);
	g_assert_cmpfloat(note->p, <, 1e-12);
	g_assert_cmpint(note->n, ==, 6);
	g_assert_cmpfloat_with_epsilon(note->range, 13, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.diff, 5, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.lo, 5, 1e-6);
	g_assert_cmpfloat_with_epsilon(note->adjusted.hi, 5, 1e-6);
	g_assert_cmpint(note->adjusted.blocks, ==, 6);
	g_assert_cmpstr(note->adjusted.basis, ==, "block values");
	g_assert_null(pick(&notes, AB_NOTE_TREND_SKIN));
	g_assert_null(pick(&notes, AB_NOTE_TREND_BATTERY));
	ab_notes_clear(&notes);
}

/*
 * x: differences 0, 1, 2, 3, 4; y: 1, 3, 2, 5, 4.  Least squares: slope 0.8,
 * intercept 1.4, residual sum of squares 3.6, so that the intercept's standard
 * error is sqrt(1.2 (1/5 + 4/10)) and t has 3 degrees of freedom.
 */
static void test_adjusted(void)
{
	static const double y[] = { 1, 3, 2, 5, 4 };
	g_autofree struct data *d = data_new(5, 1);
	double half = gsl_cdf_tdist_Pinv(0.975, 3) * sqrt(1.2 * 0.6);
	struct ab_notes notes;
	const struct ab_note *note;

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->skin_c = 30 + obs->variant * obs->block;
		obs->value = -50 + obs->variant * y[obs->block];
	}
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_TREND_SKIN);
	g_assert_nonnull(note);
	g_assert_cmpfloat_with_epsilon(note->size, 0.8, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.diff, 1.4, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.lo, 1.4 - half, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.hi, 1.4 + half, 1e-9);
	/* Values below 0 have no percentage. */
	g_assert_true(isnan(note->adjusted.pct));
	g_assert_true(isnan(note->size_pct));
	ab_notes_clear(&notes);
}

/* Both ways to the same t: p is that of 0.8 / sqrt(1.2 / 10), 3 df, twice. */
static void test_trend_p(void)
{
	static const double y[] = { 1, 3, 2, 5, 4 };
	g_autofree struct data *d = data_new(5, 1);
	double t = 0.8 / sqrt(1.2 / 10);
	double z = gsl_cdf_ugaussian_Qinv(gsl_cdf_tdist_Q(t, 3));
	struct ab_notes notes;

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->battery = 90 + obs->variant * obs->block;
		obs->value = obs->variant * y[obs->block];
	}
	notes = find(&power, d);
	/* Means and half differences are the same numbers: weights 1 : 1. */
	g_assert_cmpfloat_with_epsilon(pick(&notes, AB_NOTE_TREND_BATTERY)->p,
				       2 * gsl_cdf_ugaussian_Q(sqrt(2) * z),
				       1e-9);
	ab_notes_clear(&notes);
}

/* Each device has its own level, which is no trend. */
static void test_trend_devices(void)
{
	g_autofree struct data *d = drifting(0);
	struct ab_notes notes;

	for (size_t i = 0; i < d->n; i++)
		if (d->obs[i].block >= 3) {
			d->obs[i].device = 1;
			d->obs[i].value += 1000;
		}
	/* Three blocks leave one degree of freedom each, two leave none. */
	notes = find(&power, d);
	g_assert_cmpfloat_with_epsilon(pick(&notes, AB_NOTE_TREND_TIME)->size,
				       2, 1e-9);
	ab_notes_clear(&notes);
}

static void test_trend_ratio(void)
{
	g_autofree struct data *d = drifting(0);
	struct ab_notes notes;
	const struct ab_note *note;

	d->obs[1].at += 1800;
	d->obs[1].value += 1;
	notes = find(&ratio, d);
	note = pick(&notes, AB_NOTE_TREND_TIME);
	g_assert_cmpfloat_with_epsilon(note->size, 2, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.diff, 0, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->adjusted.pct, 0, 1);
	g_assert_cmpstr(note->adjusted.basis, ==, "linearised block values");
	ab_notes_clear(&notes);
}

static void test_trend_unknown(void)
{
	g_autofree struct data *d = drifting(5);
	struct ab_notes notes;
	const struct ab_note *note;

	d->obs[0].at = NAN;
	d->obs[5].at = INFINITY;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_TREND_TIME);
	g_assert_cmpint(note->n, ==, 4);
	g_assert_cmpint(note->adjusted.blocks, ==, 4);
	ab_notes_clear(&notes);
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].at = NAN;
	notes = find(&power, d);
	g_assert_null(pick(&notes, AB_NOTE_TREND_TIME));
	ab_notes_clear(&notes);
}

static void test_trend_text(void)
{
	struct ab_note note = {
		.kind = AB_NOTE_TREND_TIME,
		.p = 0.0012,
		.size = 1.234,
		.adjusted = { 5, 4, 6, -12.34, -15, -9.4, "block values", 8 },
	};

	assert_text(&note, &power,
		    "drift over time: +1.23 mW per hour, p = 0.0012; "
		    "adjusted -12.3 % [-15.0,-9.40]");
	note.kind = AB_NOTE_TREND_SKIN;
	note.size = -12345;
	note.p = 1e-9;
	note.adjusted.pct = NAN;
	assert_text(&note, &power,
		    "varies with the skin temperature: -12,345 mW per degC, "
		    "p < 0.0001; adjusted +5.00 mW [+4.00,+6.00]");
	note.kind = AB_NOTE_TREND_BATTERY;
	note.size = 0.0001234;
	note.adjusted.diff = NAN;
	assert_text(&note, &events,
		    "varies with the battery level: +0.000123 per % of charge, "
		    "p < 0.0001");
}

/* ---- warm-up ---- */

static void test_warmup(void)
{
	static const double first[] = { 1, 2, 3, 2 };
	g_autofree struct data *d = data_new(2, 3);
	struct ab_notes notes;
	const struct ab_note *note;

	/* The others are -1 and 1; the mean is 2, its error sqrt(1/6). */
	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = obs->position ? 2 * obs->position - 3
					   : first[obs->session];
		obs->position += 2; /* after two that are not analysed */
	}
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_WARMUP);
	g_assert_nonnull(note);
	g_assert_cmpfloat_with_epsilon(note->size, 2, 1e-12);
	g_assert_cmpfloat_with_epsilon(
		note->p, 2 * gsl_cdf_tdist_Q(2 / sqrt(1.0 / 6), 3), 1e-12);
	g_assert_cmpint(note->n, ==, 4);
	g_assert_true(isnan(note->size_pct)); /* of 0 */
	assert_text(note, &power,
		    "first run of a session differs: first run +2.00 mW, "
		    "4 sessions, p = 0.016");
	ab_notes_clear(&notes);
}

static void test_warmup_percent(void)
{
	g_autofree struct data *d = data_new(2, 3);
	struct ab_notes notes;
	const struct ab_note *note;

	for (size_t i = 0; i < d->n; i++)
		d->obs[i].value = d->obs[i].position ? 50 : 60;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_WARMUP);
	g_assert_cmpfloat_with_epsilon(note->size, 10, 1e-12);
	g_assert_cmpfloat_with_epsilon(note->size_pct, 20, 1e-9);
	g_assert_cmpfloat(note->p, ==, 0); /* the same in all sessions */
	ab_notes_clear(&notes);
	/* Counts: all four first with a probability of 3^-4. */
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].value = d->obs[i].position ? 0 : 2;
	notes = find(&events, d);
	note = pick(&notes, AB_NOTE_WARMUP);
	g_assert_cmpfloat_with_epsilon(note->p, 1.0 / 81, 0.003);
	g_assert_cmpfloat_with_epsilon(note->size, 2, 1e-12);
	ab_notes_clear(&notes);
	/* A session whose first run was rejected has none. */
	d->obs[0].value = NAN;
	notes = find(&power, d);
	g_assert_null(pick(&notes, AB_NOTE_WARMUP));
	ab_notes_clear(&notes);
}

/* ---- outliers ---- */

static struct data *one_run_boots(const double *base, int n)
{
	struct data *d = data_new(n, 1);

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = base[obs->block] + 7 * obs->variant;
	}
	return d;
}

/* Median 1, MAD 2: z of 90 is 89 / (1.4826 2). */
static void test_outlier(void)
{
	static const double base[] = { -3, -2, -1, 0, 1, 2, 3, 2, -2 };
	g_autofree struct data *d = one_run_boots(base, 9);
	struct ab_notes notes;
	const struct ab_note *note;

	d->obs[6].value = 90;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_OUTLIERS);
	g_assert_nonnull(note);
	g_assert_cmpint(note->runs, ==, 1);
	g_assert_cmpint(note->boots, ==, 0); /* they are the runs */
	g_assert_cmpint(note->variant, ==, 0);
	g_assert_cmpuint(note->n_places, ==, 1);
	g_assert_cmpint(note->places[0].session, ==, 6);
	g_assert_cmpint(note->places[0].block, ==, 3);
	g_assert_cmpint(note->places[0].variant, ==, 0);
	g_assert_cmpint(note->places[0].position, ==, 0);
	g_assert_cmpfloat_with_epsilon(note->places[0].value, 90, 1e-12);
	g_assert_cmpfloat_with_epsilon(note->size, 89 / (1.482602 * 2), 1e-3);
	g_assert_cmpfloat_with_epsilon(note->robust, 7, 1e-9);
	assert_text(note, &power,
		    "outliers, not dropped: 1 of 18 runs, z up to 30.0 "
		    "(session 6, position 0); "
		    "Hodges-Lehmann +7.00 mW");
	ab_notes_clear(&notes);
}

static void test_outlier_boot(void)
{
	static const double noise[] = { -0.2, 0.1, 0.3, -0.1, 0 };
	g_autofree struct data *d = data_new(8, 5);
	struct ab_notes notes;
	const struct ab_note *note;

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = -100 + noise[(i * 7 + i / 5) % 5] +
			     noise[(i / 5) % 5] * 3;
		if (obs->session == 5)
			obs->value += 1000;
	}
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_OUTLIERS);
	g_assert_cmpint(note->boots, ==, 1);
	g_assert_cmpint(note->runs, ==, 0); /* its runs are as one another */
	g_assert_cmpint(note->places[0].session, ==, 5);
	g_assert_cmpint(note->places[0].position, ==, -1);
	g_assert_cmpint(note->variant, ==, 1);
	ab_notes_clear(&notes);
}

/* More than half equal: the MAD is 0. */
static void test_outlier_ties(void)
{
	static const double one[] = { 5, 5, 5, 5, 5, 5, 5, 9 };
	static const double some[] = { 5, 5, 5, 5, 5, 4, 6, 9 };
	g_autofree struct data *d = one_run_boots(one, 8);
	g_autofree struct data *e = one_run_boots(some, 8);
	struct ab_notes notes = find(&power, d);

	/* A single other value has no spread to be far out of. */
	g_assert_cmpint(pick(&notes, AB_NOTE_OUTLIERS)->runs, ==, 0);
	ab_notes_clear(&notes);
	notes = find(&power, e);
	g_assert_cmpint(pick(&notes, AB_NOTE_OUTLIERS)->runs, ==, 0);
	g_assert_true(isfinite(pick(&notes, AB_NOTE_OUTLIERS)->p));
	ab_notes_clear(&notes);
}

/* @n events of all in the third boot: 1 / 8 of the exposure each. */
static struct ab_notes count_events(double in_third)
{
	g_autofree struct data *d = data_new(8, 1);

	d->obs[4].value = in_third;
	return find(&events, d);
}

static void test_outlier_events(void)
{
	struct ab_notes notes = count_events(1);
	const struct ab_note *note = pick(&notes, AB_NOTE_OUTLIERS);

	/* Some boot has to have it. */
	g_assert_cmpint(note->runs, ==, 0);
	g_assert_cmpfloat(note->p, ==, 1);
	ab_notes_clear(&notes);
	notes = count_events(6);
	note = pick(&notes, AB_NOTE_OUTLIERS);
	g_assert_cmpint(note->runs, ==, 1);
	/* Twice the tail, 8 boots, 2 variants. */
	g_assert_cmpfloat_with_epsilon(note->p, 2 * pow(8, -6) * 8 * 2, 1e-9);
	ab_notes_clear(&notes);
}

/* ---- modes, neighbours ---- */

static void test_modes(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	g_autofree struct data *d = data_new(8, 5);
	struct ab_notes notes;

	gsl_rng_set(rng, 7);
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].value = 100 + gsl_ran_gaussian(rng, 1);
	notes = find(&power, d);
	g_assert_cmpfloat(pick(&notes, AB_NOTE_MODES_RUNS)->p, >, 0.01);
	g_assert_null(pick(&notes, AB_NOTE_MODES_SAMPLES));
	ab_notes_clear(&notes);
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].value += gsl_rng_uniform_int(rng, 2) ? 10 : 0;
	notes = find(&power, d);
	g_assert_cmpfloat(pick(&notes, AB_NOTE_MODES_RUNS)->p, <, 0.01);
	ab_notes_clear(&notes);
	gsl_rng_free(rng);
}

/* Whole microseconds have ties, which are no modes. */
static void test_modes_samples(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	g_autofree struct data *d = data_new(4, 2);
	g_autofree double *one = g_new(double, d->n * 100);
	g_autofree double *two = g_new(double, d->n * 100);
	struct ab_notes notes;

	gsl_rng_set(rng, 7);
	for (size_t i = 0; i < d->n * 100; i++) {
		one[i] = floor(10 + gsl_ran_gaussian(rng, 3)) +
			 floor((double)i / 100);
		two[i] = one[i] + (i % 3 ? 0 : 20);
	}
	for (size_t i = 0; i < d->n; i++) {
		d->obs[i].samples = one + i * 100;
		d->obs[i].n_samples = 100;
	}
	notes = find(&mean, d);
	g_assert_cmpfloat(pick(&notes, AB_NOTE_MODES_SAMPLES)->p, >, 0.01);
	g_assert_cmpint(pick(&notes, AB_NOTE_MODES_SAMPLES)->n, ==, 800);
	ab_notes_clear(&notes);
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].samples = two + i * 100;
	notes = find(&mean, d);
	g_assert_cmpfloat(pick(&notes, AB_NOTE_MODES_SAMPLES)->p, <, 0.01);
	g_assert_cmpint(pick(&notes, AB_NOTE_MODES_SAMPLES)->variant, ==,
			AB_NOTE_BOTH);
	ab_notes_clear(&notes);
	gsl_rng_free(rng);
}

/* In order, each is nearest to its neighbours. */
static void test_neighbours(void)
{
	g_autofree struct data *d = data_new(4, 6);
	struct ab_notes notes;
	const struct ab_note *note;

	for (size_t i = 0; i < d->n; i++)
		d->obs[i].value = d->obs[i].position * d->obs[i].position;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_AUTOCORRELATION);
	g_assert_cmpfloat(note->p, <, 0.01);
	g_assert_cmpfloat(note->size, >, 0.3);
	g_assert_cmpint(note->n, ==, 8);
	ab_notes_clear(&notes);
}

/* ---- devices ---- */

/*
 * Differences 1, 2, 3 and 5, 6, 7: means 2 and 6, both with an error of
 * sqrt(1/3), so that Q is 3 (2 - 4)^2 + 3 (6 - 4)^2 = 24, and Welch's test of
 * two is his t test: t = sqrt(24), 4 degrees of freedom.
 */
static void test_devices(void)
{
	static const double diff[] = { 1, 2, 3, 5, 6, 7 };
	g_autofree struct data *d = data_new(6, 1);
	struct ab_notes notes;
	const struct ab_note *note;

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = 100 + obs->variant * diff[obs->block];
	}
	notes = find(&power, d);
	g_assert_null(pick(&notes, AB_NOTE_DEVICES)); /* one device */
	ab_notes_clear(&notes);
	for (size_t i = 0; i < d->n; i++)
		d->obs[i].device = d->obs[i].block / 3 * 4;
	notes = find(&power, d);
	note = pick(&notes, AB_NOTE_DEVICES);
	g_assert_cmpfloat_with_epsilon(note->q, 24, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->size, 100 * (1 - 1.0 / 24), 1e-9);
	g_assert_cmpfloat_with_epsilon(note->p,
				       2 * gsl_cdf_tdist_Q(sqrt(24), 4), 1e-12);
	g_assert_cmpuint(note->n_devices, ==, 2);
	g_assert_cmpint(note->devices[1].device, ==, 4);
	g_assert_cmpint(note->devices[1].blocks, ==, 3);
	g_assert_cmpfloat_with_epsilon(note->devices[1].diff, 6, 1e-9);
	g_assert_cmpfloat_with_epsilon(note->devices[1].se, sqrt(1.0 / 3),
				       1e-9);
	assert_text(note, &power,
		    "change differs between devices: +2.00 to +6.00 mW by "
		    "device, Q = 24.0, I2 = 96 %, p = 0.008");
	ab_notes_clear(&notes);
}

/* ---- all kinds ---- */

static void assert_nothing(const struct ab_metric *metric, const struct data *d)
{
	struct ab_notes notes = find(metric, d);

	for (size_t i = 0; i < notes.n; i++) {
		g_autofree char *text = ab_note_text(&notes.notes[i], metric);

		g_assert_cmpfloat(notes.notes[i].p, >, AB_NOTE_Q);
		g_assert_cmpuint(strlen(text), <=, WIDTH);
	}
	ab_notes_clear(&notes);
}

static void test_constant(void)
{
	static const double same[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
	g_autofree struct data *d = data_new(8, 5);

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = 0.1 + 0.2;
		obs->at = 1.8e9 + 1000.0 * (double)i;
		obs->skin_c = 30 + obs->position;
		obs->battery = 90 - obs->session;
		obs->device = obs->block % 2;
		obs->samples = same;
		obs->n_samples = G_N_ELEMENTS(same);
	}
	for (size_t m = 0; m < G_N_ELEMENTS(all_metrics); m++)
		assert_nothing(all_metrics[m], d);
}

static void test_few(void)
{
	for (size_t m = 0; m < G_N_ELEMENTS(all_metrics); m++)
		for (int blocks = 0; blocks <= 2; blocks++)
			for (int runs = 1; runs <= 2; runs++) {
				g_autofree struct data *d =
					data_new(blocks, runs);

				for (size_t i = 0; i < d->n; i++) {
					d->obs[i].value = (double)(i * i % 7);
					d->obs[i].at = (double)i;
				}
				assert_nothing(all_metrics[m], d);
			}
}

static void test_odd(void)
{
	static const double odd[] = { NAN, INFINITY, 0, 1e308, -1e308 };
	static const double samples[] = { -INFINITY, 1, 2, 2, NAN };
	g_autofree struct data *d = data_new(8, 5);

	for (size_t i = 0; i < d->n; i++) {
		struct ab_obs *obs = &d->obs[i];

		obs->value = odd[i % 5];
		obs->per = odd[i % 3];
		obs->at = odd[i % 4];
		obs->battery = (double)(i % 10);
		obs->samples = samples;
		obs->n_samples = G_N_ELEMENTS(samples);
	}
	for (size_t m = 0; m < G_N_ELEMENTS(all_metrics); m++) {
		struct ab_notes notes = find(all_metrics[m], d);

		for (size_t i = 0; i < notes.n; i++) {
			g_assert_true(notes.notes[i].p >= 0);
			g_assert_true(notes.notes[i].p <= 1);
		}
		ab_notes_clear(&notes);
	}
}

/* Benjamini and Hochberg at 1 %: 0.001 <= 1/4 0.01, 0.004 <= 2/4 0.01. */
static void test_control(void)
{
	static const double p[] = { 0.5, 0.004, 0.9, 0.001, 0.009, 0.011 };
	static const bool noticed[] = { false, true, false, true, true, false };
	struct ab_note notes[6] = { 0 }, *all[6];

	for (size_t i = 0; i < 6; i++) {
		notes[i].kind = AB_NOTE_WARMUP;
		notes[i].p = p[i];
		all[i] = &notes[i];
	}
	/* Alone in their kinds. */
	notes[4].kind = AB_NOTE_DEVICES;
	notes[5].kind = AB_NOTE_OUTLIERS;
	ab_notes_control(all, 6, 0.01);
	for (size_t i = 0; i < 6; i++)
		g_assert_true(notes[i].noticed == noticed[i]);
	ab_notes_control(all, 0, 0.01);
}

static void test_names(void)
{
	g_assert_cmpstr(ab_note_name(AB_NOTE_TREND_TIME), ==, "trend-time");
	g_assert_cmpstr(ab_note_name(AB_NOTE_DEVICES), ==, "devices");
	for (int i = 0; i < AB_NOTE_KINDS; i++)
		for (int k = 0; k < i; k++)
			g_assert_cmpstr(ab_note_name((enum ab_note_kind)i), !=,
					ab_note_name((enum ab_note_kind)k));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/notes/drift", test_drift);
	g_test_add_func("/notes/adjusted", test_adjusted);
	g_test_add_func("/notes/trend-p", test_trend_p);
	g_test_add_func("/notes/trend-devices", test_trend_devices);
	g_test_add_func("/notes/trend-ratio", test_trend_ratio);
	g_test_add_func("/notes/trend-unknown", test_trend_unknown);
	g_test_add_func("/notes/trend-text", test_trend_text);
	g_test_add_func("/notes/warm-up", test_warmup);
	g_test_add_func("/notes/warm-up-percent", test_warmup_percent);
	g_test_add_func("/notes/outlier", test_outlier);
	g_test_add_func("/notes/outlier-boot", test_outlier_boot);
	g_test_add_func("/notes/outlier-ties", test_outlier_ties);
	g_test_add_func("/notes/outlier-events", test_outlier_events);
	g_test_add_func("/notes/modes", test_modes);
	g_test_add_func("/notes/modes-samples", test_modes_samples);
	g_test_add_func("/notes/neighbours", test_neighbours);
	g_test_add_func("/notes/devices", test_devices);
	g_test_add_func("/notes/constant", test_constant);
	g_test_add_func("/notes/few", test_few);
	g_test_add_func("/notes/odd", test_odd);
	g_test_add_func("/notes/control", test_control);
	g_test_add_func("/notes/names", test_names);
	return g_test_run();
}
