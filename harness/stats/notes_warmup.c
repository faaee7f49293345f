// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MIN_SESSIONS 4
#define SUSPICIOUS 0.05
#define MORE 5 /* times as many draws for what is suspicious */

/* Differences over sessions, and what they are differences from. */
struct firsts {
	double *diff, *log_diff;
	double rest; /* sum over sessions */
	size_t n;
};

/* Earlier ones may have been warm-up runs, which are not analysed. */
static int first_position(const struct note_data *d)
{
	int first = G_MAXINT;

	for (size_t i = 0; i < d->n_runs; i++)
		first = MIN(first, d->runs[i].obs->position);
	return first;
}

static void add_session(struct firsts *f, const struct note_boot *boot,
			bool logs)
{
	double rest = 0, log_rest = 0, others = (double)(boot->n - 1);

	for (size_t i = 1; i < boot->n; i++) {
		rest += boot->runs[i].value / others;
		log_rest += logs ? log(boot->runs[i].value) / others : 0;
	}
	f->diff[f->n] = boot->runs[0].value - rest;
	f->log_diff[f->n] = logs ? log(boot->runs[0].value) - log_rest : NAN;
	f->rest += rest;
	f->n++;
}

/* Without positions all are the first. */
static bool has_first(const struct note_boot *boot, int first)
{
	return boot->n > 1 && boot->runs[0].obs->position == first &&
	       boot->runs[1].obs->position > first;
}

static void firsts_init(struct firsts *f, const struct note_data *d, int first)
{
	*f = (struct firsts){ .diff = g_new0(double, d->n_boots + 1),
			      .log_diff = g_new0(double, d->n_boots + 1) };
	for (size_t i = 0; i < d->n_boots; i++) {
		const struct note_boot *boot = &d->boots[i];

		if (has_first(boot, first))
			add_session(f, boot, d->positive);
	}
}

static void firsts_clear(struct firsts *f)
{
	g_free(f->diff);
	g_free(f->log_diff);
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

/* Two-sided p of Student's test that the mean is 0. */
static double t_test(const double *x, size_t n, double scale)
{
	double mean = mean_of(x, n), square = 0, se;

	for (size_t i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	se = sqrt(square / (double)(n - 1) / (double)n);
	if (note_is_flat(fabs(mean), scale))
		mean = 0;
	if (note_is_flat(se, scale))
		return mean == 0 ? 1 : 0;
	return 2 * gsl_cdf_tdist_Q(fabs(mean) / se, (double)n - 1);
}

/* What a session adds to the mean difference when run @k is the first. */
static double difference(const struct note_boot *boot, size_t k)
{
	double rest = 0;

	for (size_t i = 0; i < boot->n; i++)
		rest += i != k ? boot->runs[i].value : 0;
	return boot->runs[k].value - rest / (double)(boot->n - 1);
}

static double drawn_sum(const struct note_data *d, int first, bool draw)
{
	double sum = 0;

	for (size_t i = 0; i < d->n_boots; i++) {
		const struct note_boot *boot = &d->boots[i];

		if (has_first(boot, first))
			sum += difference(boot, draw ? gsl_rng_uniform_int(
							       d->rng, boot->n)
						     : 0);
	}
	return sum;
}

/* The share of draws in which the difference is at least as large. */
static double drawn_p(const struct note_data *d, int first, int draws)
{
	double sum = fabs(drawn_sum(d, first, false)) * (1 - 1e-12);
	int reached = 0;

	for (int i = 0; i < draws; i++)
		reached += fabs(drawn_sum(d, first, true)) >= sum;
	return (1.0 + reached) / (1.0 + draws);
}

/* A small p needs many draws to be told; few rows have one. */
static double test_counts(const struct note_data *d, int first)
{
	double p = drawn_p(d, first, d->resamples);

	return p > SUSPICIOUS ? p : drawn_p(d, first, MORE * d->resamples);
}

static void look_at(const struct note_data *d, const struct firsts *f,
		    struct ab_note *note)
{
	double rest = f->rest / (double)f->n;

	if (d->counts)
		note->p = test_counts(d, first_position(d));
	else
		note->p = t_test(d->positive ? f->log_diff : f->diff, f->n,
				 d->positive ? 1 : rest);
	note->n = (int)f->n;
	note->size = mean_of(f->diff, f->n);
	if (d->positive)
		note->size_pct = 100 * expm1(mean_of(f->log_diff, f->n));
	else if (rest > 0)
		note->size_pct = 100 * note->size / rest;
}

static bool look(const struct note_data *d, struct ab_note *note)
{
	struct firsts f;
	bool ok;

	firsts_init(&f, d, first_position(d));
	ok = f.n >= MIN_SESSIONS;
	if (ok)
		look_at(d, &f, note);
	firsts_clear(&f);
	return ok;
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		GString *out)
{
	bool pct = isfinite(note->size_pct);
	g_autofree char *size = note_signed(pct ? note->size_pct : note->size);
	g_autofree char *p = note_p(note->p);

	g_string_append_printf(out, "first run %s%s%s, %d sessions, %s", size,
			       pct || *metric->unit ? " " : "",
			       pct ? "%" : metric->unit, note->n, p);
}

const struct note_ops note_warmup = { "warm-up",
				      "first run of a session differs", look,
				      say };
