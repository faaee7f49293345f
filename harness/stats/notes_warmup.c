// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MIN_SESSIONS 4

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

static void firsts_init(struct firsts *f, const struct note_data *d)
{
	int first = first_position(d);

	*f = (struct firsts){ .diff = g_new0(double, d->n_boots + 1),
			      .log_diff = g_new0(double, d->n_boots + 1) };
	for (size_t i = 0; i < d->n_boots; i++) {
		const struct note_boot *boot = &d->boots[i];

		/* Without positions all are the first. */
		if (boot->n > 1 && boot->runs[0].obs->position == first &&
		    boot->runs[1].obs->position > first)
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

/* Two-sided p of Student's test that the mean is 0; false without spread. */
static bool t_test(const double *x, size_t n, double scale, double *p_out)
{
	double mean = mean_of(x, n), square = 0, se;

	for (size_t i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	se = sqrt(square / (double)(n - 1) / (double)n);
	if (note_is_flat(se, scale) && note_is_flat(fabs(mean), scale))
		return false;
	*p_out = 2 * gsl_cdf_tdist_Q(fabs(mean) / se, (double)n - 1);
	return true;
}

static bool look_at(const struct note_data *d, const struct firsts *f,
		    struct ab_note *note)
{
	double rest = f->rest / (double)f->n;

	if (!t_test(d->positive ? f->log_diff : f->diff, f->n,
		    d->positive ? 1 : rest, &note->p))
		return false;
	note->n = (int)f->n;
	note->size = mean_of(f->diff, f->n);
	if (d->positive)
		note->size_pct = 100 * expm1(mean_of(f->log_diff, f->n));
	else if (rest > 0)
		note->size_pct = 100 * note->size / rest;
	return true;
}

static bool look(const struct note_data *d, struct ab_note *note)
{
	struct firsts f;
	bool ok;

	firsts_init(&f, d);
	ok = f.n >= MIN_SESSIONS && look_at(d, &f, note);
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
