// SPDX-License-Identifier: GPL-3.0-or-later
/* Two or more modes, among the runs of a variant and within its runs. */
#include "notes.h"

#include <abrig/stats_methods.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#define MIN_RUNS 10
#define MIN_SAMPLES 100
#define MAX_SAMPLES 1000 /* of a variant: thinned to it */
#define MIN_DRAWS 500
#define SUSPICIOUS 0.05
#define MORE 10 /* times as many draws for what is suspicious */

/* ---- runs ---- */

/* Values less the middle of their device, with the boot that each is of. */
struct values {
	double *x;
	size_t *boot; /* from 0 */
	size_t n, n_boots;
};

static void values_clear(struct values *v)
{
	g_free(v->x);
	g_free(v->boot);
}

/* Boots are in the order of their devices. */
static void centre_device(struct values *v, size_t begin)
{
	size_t n = v->n - begin;
	g_autofree double *copy = g_new(double, n + 1);
	double mid;

	memcpy(copy, v->x + begin, n * sizeof(*copy));
	mid = note_median(copy, n);
	for (size_t i = begin; i < v->n; i++)
		v->x[i] -= mid;
}

static void values_init(struct values *v, const struct note_data *d,
			int variant)
{
	const struct note_boot *last = NULL;
	size_t begin = 0;

	*v = (struct values){ .x = g_new(double, d->n_runs + 1),
			      .boot = g_new(size_t, d->n_runs + 1) };
	for (size_t i = 0; i < d->n_boots; i++) {
		const struct note_boot *boot = &d->boots[i];

		if (boot->variant != variant)
			continue;
		if (last && last->device != boot->device) {
			centre_device(v, begin);
			begin = v->n;
		}
		last = boot;
		for (size_t k = 0; k < boot->n; k++) {
			v->x[v->n] = boot->runs[k].value;
			v->boot[v->n++] = v->n_boots;
		}
		v->n_boots++;
	}
	if (last)
		centre_device(v, begin);
}

/* Intraclass correlation by analysis of variance, 0 to 1. */
static double icc_of(const struct values *v)
{
	g_autofree double *sum = g_new0(double, v->n_boots);
	g_autofree double *count = g_new0(double, v->n_boots);
	double mean = 0, within = 0, between = 0, square = 0, each, boots, n;

	for (size_t i = 0; i < v->n; i++) {
		sum[v->boot[i]] += v->x[i];
		count[v->boot[i]]++;
		mean += v->x[i] / (double)v->n;
	}
	for (size_t i = 0; i < v->n; i++) {
		double r = v->x[i] - sum[v->boot[i]] / count[v->boot[i]];

		within += r * r;
	}
	for (size_t i = 0; i < v->n_boots; i++) {
		double r = sum[i] / count[i] - mean;

		between += count[i] * r * r;
		square += count[i] * count[i];
	}
	n = (double)v->n;
	boots = (double)v->n_boots;
	if (v->n_boots < 2 || v->n == v->n_boots)
		return 0;
	within /= n - boots;
	between /= boots - 1;
	each = (n - square / n) / (boots - 1);
	return CLAMP((between - within) / (between + (each - 1) * within), 0,
		     1);
}

static double dip_of(double *x, size_t n)
{
	struct ab_dip dip;

	gsl_sort(x, 1, n);
	ab_stats_dip(x, n, 0, NULL, &dip);
	return dip.dip;
}

/*
 * The single mode that is hardest to tell from two is uniform; boots of it
 * with an intraclass correlation of @icc, as many runs in each.
 */
static double drawn_dip(const struct values *v, double icc, double *boots,
			double *x, gsl_rng *rng)
{
	for (size_t i = 0; i < v->n_boots; i++)
		boots[i] = sqrt(icc) * gsl_rng_uniform(rng);
	for (size_t i = 0; i < v->n; i++)
		x[i] = boots[v->boot[i]] + sqrt(1 - icc) * gsl_rng_uniform(rng);
	return dip_of(x, v->n);
}

static double drawn_p(const struct values *v, double dip, int draws,
		      gsl_rng *rng)
{
	g_autofree double *boots = g_new(double, v->n_boots);
	g_autofree double *x = g_new(double, v->n);
	double icc = icc_of(v);
	int reached = 0;

	for (int i = 0; i < draws; i++)
		reached += drawn_dip(v, icc, boots, x, rng) >= dip;
	return (1.0 + reached) / (1.0 + draws);
}

/*
 * What half of all uniform samples reach is no sign of a second mode; it is
 * about 0.33 / sqrt(n) (Hartigan and Hartigan 1985, table 1).
 */
static bool harmless(double dip, size_t n)
{
	return dip * sqrt((double)n) < 0.33;
}

/*
 * 0.1 % of uniform samples reach 0.66 / sqrt(n) (ibid.): beyond 0.9 no draw
 * would, and they need not be made to say so.
 */
static bool beyond_doubt(const struct values *v, double dip)
{
	return v->n_boots == 1 && dip * sqrt((double)v->n) > 0.9;
}

/* Few draws first: most rows are no suspects. */
static double p_of(const struct values *v, double dip,
		   const struct note_data *d)
{
	double p;

	if (harmless(dip, v->n))
		return 1;
	if (beyond_doubt(v, dip))
		return 1 / (1.0 + MORE * MIN_DRAWS);
	p = drawn_p(v, dip, MIN_DRAWS, d->rng);
	return p > SUSPICIOUS ? p : drawn_p(v, dip, MORE * MIN_DRAWS, d->rng);
}

/* Equal values are one step of a scale: spread them over it. */
static void jitter(double *x, size_t n, gsl_rng *rng)
{
	g_autofree double *sorted = g_new(double, n + 1);
	double step = INFINITY;
	bool ties = false;

	memcpy(sorted, x, n * sizeof(*x));
	gsl_sort(sorted, 1, n);
	for (size_t i = 1; i < n; i++) {
		double gap = sorted[i] - sorted[i - 1];

		if (note_is_flat(gap, sorted[n - 1] - sorted[0]))
			ties = true;
		else
			step = fmin(step, gap);
	}
	for (size_t i = 0; ties && isfinite(step) && i < n; i++)
		x[i] += step * (gsl_rng_uniform(rng) - 0.5);
}

static bool flat(const double *x, size_t n)
{
	double lo = INFINITY, hi = -INFINITY, scale;

	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, x[i]);
		hi = fmax(hi, x[i]);
	}
	scale = fmax(fabs(lo), fabs(hi));
	return note_is_flat(hi - lo, scale);
}

/* The dip of one variant and its p. */
struct modes {
	double dip, p;
	size_t n;
};

static bool modes_of(struct values *v, size_t least, const struct note_data *d,
		     struct modes *modes_out)
{
	g_autofree double *copy = NULL;

	if (v->n < least || flat(v->x, v->n))
		return false;
	copy = g_new(double, v->n);
	memcpy(copy, v->x, v->n * sizeof(*copy));
	modes_out->n = v->n;
	modes_out->dip = dip_of(copy, v->n);
	modes_out->p = p_of(v, modes_out->dip, d);
	return true;
}

typedef void (*values_maker)(struct values *v, const struct note_data *d,
			     int variant);

/* Both variants are tested: twice the smaller p. */
static bool look(const struct note_data *d, values_maker make, size_t least,
		 struct ab_note *note)
{
	const int variants[2] = { 0, d->b };
	int tested = 0, above = 0;

	for (int i = 0; i < 2; i++) {
		struct modes m;
		struct values v;

		make(&v, d, variants[i]);
		if (modes_of(&v, least, d, &m)) {
			tested++;
			above += m.p < AB_NOTE_Q;
			if (tested == 1 || m.p < note->p) {
				note->p = m.p;
				note->size = m.dip;
				note->n = (int)m.n;
				note->variant = variants[i];
			}
		}
		values_clear(&v);
	}
	note->p = MIN(note->p * tested, 1);
	if (above == 2)
		note->variant = AB_NOTE_BOTH;
	return tested > 0;
}

static void make_runs(struct values *v, const struct note_data *d, int variant)
{
	values_init(v, d, variant);
	jitter(v->x, v->n, d->rng);
}

static bool look_runs(const struct note_data *d, struct ab_note *note)
{
	/* The steps of small counts are no modes. */
	return !d->counts && look(d, make_runs, MIN_RUNS, note);
}

/* ---- samples ---- */

static size_t count_samples(const struct note_data *d, int variant)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_runs; i++)
		if (d->runs[i].obs->variant == variant)
			n += d->runs[i].obs->n_samples;
	return n;
}

/* The mean of the finite ones; NAN without any. */
static double mean_of(const struct ab_obs *obs)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < obs->n_samples; i++)
		if (isfinite(obs->samples[i])) {
			sum += obs->samples[i];
			n++;
		}
	return n > 0 ? sum / (double)n : NAN;
}

/* Every @step-th of the sorted samples, as they were measured. */
static void thin(struct values *v, const struct note_data *d, int variant,
		 size_t step, bool less_mean)
{
	size_t next = step / 2, seen = 0;

	v->n = 0;
	for (size_t i = 0; i < d->n_runs; i++) {
		const struct ab_obs *obs = d->runs[i].obs;
		double mean = less_mean ? mean_of(obs) : 0;

		if (obs->variant != variant)
			continue;
		for (; next < seen + obs->n_samples; next += step)
			if (isfinite(obs->samples[next - seen]))
				v->x[v->n++] = obs->samples[next - seen] - mean;
		seen += obs->n_samples;
	}
}

/*
 * Runs differ in their level, which would look like modes: it is taken out.
 * Before that, the resolution shows in ties.
 */
static void make_samples(struct values *v, const struct note_data *d,
			 int variant)
{
	size_t n = count_samples(d, variant), step = n / MAX_SAMPLES + 1;
	g_autofree double *raw = NULL;

	*v = (struct values){ .x = g_new(double, n / step + 2),
			      .boot = g_new0(size_t, n / step + 2),
			      .n_boots = 1 };
	thin(v, d, variant, step, false);
	raw = g_new0(double, v->n + 1);
	memcpy(raw, v->x, v->n * sizeof(*raw));
	jitter(raw, v->n, d->rng);
	for (size_t i = 0; i < v->n; i++)
		raw[i] -= v->x[i];
	thin(v, d, variant, step, true);
	for (size_t i = 0; i < v->n; i++)
		v->x[i] += raw[i];
}

static bool look_samples(const struct note_data *d, struct ab_note *note)
{
	/* A threshold's count says nothing of the shape below it. */
	return d->metric->stat != AB_STAT_COUNT_GE &&
	       look(d, make_samples, MIN_SAMPLES, note);
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		GString *out)
{
	g_autofree char *p = note_p(note->p);

	(void)metric;
	g_string_append_printf(out, "dip %.3f, n = %d, %s", note->size, note->n,
			       p);
}

const struct note_ops note_modes_runs = { "modes-runs",
					  "runs have two or more modes",
					  look_runs, say };
const struct note_ops note_modes_samples = { "modes-samples",
					     "samples have two or more modes",
					     look_samples, say };
