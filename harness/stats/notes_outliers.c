// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs and boots that stand out.  Few values give a MAD that is off by far, and
 * some of many are always far out: a score has to be above 3.5 and its p,
 * times the number of values looked at, small.
 */
#include "notes.h"

#include <abrig/stats_methods.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define SCORE 3.5
#define P_LISTED 0.05
#define MIN_VALUES 5
#define MANY_EVENTS 5	    /* in the middle one of the values */
#define MIN_RUNS 3	    /* of a session, to have a middle of its own */
#define MAD_TO_SD 1.482602  /* of a normal distribution */
#define MEAN_TO_SD 1.253314 /* the same for the mean absolute deviation */
#define EVEN_LOSS 1.3	    /* of runs of a session; simulated, 4 to 30 */
#define MIN_OFF 4 /* values unlike the middle, when most are like it */

/* What is looked at: a run within its session or group, or a boot. */
struct value {
	const struct note_boot *boot;
	const struct note_run *run; /* NULL: the whole boot */
	double value, events, exposure;
	double away;  /* from the middle that it belongs to */
	double widen; /* what that middle, made of it too, takes from it */
	double score, p;
};

struct sieve {
	const struct note_data *d;
	struct ab_note *note;
	GArray *places; /* struct ab_note_place */
	double p;	/* the least of all, times their number */
	int looks;	/* groups that could be looked at */
};

static bool same_group(const struct value *a, const struct value *b)
{
	return a->boot->device == b->boot->device &&
	       a->boot->variant == b->boot->variant;
}

static int compare_groups(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	if (x->boot->device != y->boot->device)
		return x->boot->device < y->boot->device ? -1 : 1;
	if (x->boot->variant != y->boot->variant)
		return x->boot->variant < y->boot->variant ? -1 : 1;
	if (x->boot != y->boot)
		return x->boot < y->boot ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

/* ---- measures ---- */

static double scaled(double value, bool logs)
{
	return logs ? log(value) : value;
}

static double middle(const struct value *v, size_t n, bool logs)
{
	g_autofree double *copy = g_new(double, n);

	for (size_t i = 0; i < n; i++)
		copy[i] = scaled(v[i].value, logs);
	return note_median(copy, n);
}

static void centre(struct value *v, size_t n, bool logs)
{
	double mid = middle(v, n, logs);

	for (size_t i = 0; i < n; i++) {
		v[i].away = scaled(v[i].value, logs) - mid;
		v[i].widen = 1;
	}
}

/* Each run from the middle of its session; false when these are too short. */
static bool centre_sessions(struct value *v, size_t n, bool logs)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[i].boot == v[end].boot; end++)
			;
		if (!v[i].run || end - i < MIN_RUNS)
			return false;
	}
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[i].boot == v[end].boot; end++)
			;
		centre(v + i, end - i, logs);
		/* Of an even number the two in the middle are too near. */
		for (size_t k = i; (end - i) % 2 == 0 && k < end; k++)
			v[k].widen = (double)(end - i) /
				     ((double)(end - i) - EVEN_LOSS);
	}
	return true;
}

/* A standard deviation, and how many normal values would give it so well. */
struct scale {
	double sd, df;
};

/*
 * The t whose tails are those of the largest of @n normal values over their
 * MAD, for p from 5 % to 0.1 %; simulated, 5 to 80 values.
 */
static double df_of(size_t n)
{
	double tail = 0.4 * ((double)n - 1) + 1;

	return fmin(floor((double)n / 2), tail);
}

/*
 * With a middle for each session, one run of an odd number is that middle and
 * says nothing of the spread.
 */
static struct scale scale_of(const struct value *v, size_t n, bool sessions)
{
	g_autofree double *away = g_new(double, n);
	size_t k = 0, off = 0;
	struct scale s;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		off += v[i].away != 0;
		sum += fabs(v[i].away) * v[i].widen;
		if (!sessions || v[i].away != 0)
			away[k++] = fabs(v[i].away) * v[i].widen;
	}
	s.sd = k > 0 ? MAD_TO_SD * note_median(away, k) : 0;
	s.df = df_of(k);
	if (s.sd > 0)
		return s;
	/* More than half are equal: what is left is what the others do. */
	s.sd = MEAN_TO_SD * sum / (double)n;
	s.df = off >= MIN_OFF ? df_of(off) : 0;
	return s;
}

static void score(struct value *v, size_t n, bool sessions)
{
	struct scale s = scale_of(v, n, sessions);
	double rounding = 1e-9 * fabs(v->value);

	for (size_t i = 0; i < n; i++) {
		double z = s.sd > 0 ? v[i].away / s.sd : 0, p;

		if (fabs(v[i].away) <= rounding || s.df <= 0)
			z = 0;
		p = z == 0 ? 1 : 2 * gsl_cdf_tdist_Q(fabs(z), s.df);
		/* Of two scales the one on which it stands out less. */
		if (p >= v[i].p) {
			v[i].p = p;
			v[i].score = z;
		}
	}
}

static void look_at_measures(const struct note_data *d, struct value *v,
			     size_t n)
{
	for (int logs = 0; logs < (d->positive ? 2 : 1); logs++) {
		bool sessions = centre_sessions(v, n, logs);

		if (!sessions)
			centre(v, n, logs);
		score(v, n, sessions);
	}
}

/* ---- counts ---- */

/* Of the others: events per exposure, and the shape of a negative binomial. */
struct rate {
	double events, exposure, shape; /* per exposure; INFINITY: Poisson */
};

static struct rate rate_without(const struct value *v, size_t n, size_t but)
{
	struct rate r = { 0, 0, INFINITY };
	double extra = 0, spread = 0;

	for (size_t i = 0; i < n; i++)
		if (i != but) {
			r.events += v[i].events;
			r.exposure += v[i].exposure;
		}
	for (size_t i = 0; i < n; i++) {
		double mean = r.events / r.exposure * v[i].exposure;

		if (i == but)
			continue;
		extra += (v[i].events - mean) * (v[i].events - mean) - mean;
		spread += mean;
	}
	/* A variance of mean + mean^2 / (shape exposure), by moments. */
	if (extra > 0)
		r.shape = r.events / r.exposure * spread / extra;
	return r;
}

/*
 * log P(x of @total events fall into a share of exposure), all being equal:
 * binomial, or beta-binomial with @a and @b.
 */
static double log_share(double x, double total, double a, double b,
			double share)
{
	double choose =
		lgamma(total + 1) - lgamma(x + 1) - lgamma(total - x + 1);

	if (!isfinite(a))
		return choose + x * log(share) + (total - x) * log1p(-share);
	return choose + lgamma(x + a) + lgamma(total - x + b) -
	       lgamma(total + a + b) + lgamma(a + b) - lgamma(a) - lgamma(b);
}

/* Two-sided: twice the smaller tail. */
static double tail(const struct value *v, const struct rate *r)
{
	double total = r->events + v->events;
	double share = v->exposure / (v->exposure + r->exposure);
	double a = r->shape * v->exposure, b = r->shape * r->exposure;
	bool above = v->events > total * share;
	double p = 0;

	for (double x = v->events; x >= 0 && x <= total; x += above ? 1 : -1) {
		double term = exp(log_share(x, total, a, b, share));

		p += term;
		if (term < 1e-12 * p)
			break;
	}
	return MIN(2 * p, 1);
}

static void look_at_counts(struct value *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct rate r = rate_without(v, n, i);
		double total = r.events + v[i].events;
		double mean =
			total * v[i].exposure / (v[i].exposure + r.exposure);

		v[i].p = total > 0 ? tail(&v[i], &r) : 1;
		v[i].score = copysign(gsl_cdf_ugaussian_Qinv(v[i].p / 2),
				      v[i].events - mean);
	}
}

static double middle_events(const struct value *v, size_t n)
{
	g_autofree double *copy = g_new(double, n);

	for (size_t i = 0; i < n; i++)
		copy[i] = v[i].events;
	return note_median(copy, n);
}

/* ---- both ---- */

static void list_place(struct sieve *s, const struct value *v)
{
	struct ab_note_place place = {
		.variant = v->boot->variant,
		.device = v->boot->device,
		.block = v->boot->block,
		.session = v->boot->session,
		.position = v->run ? v->run->obs->position : -1,
		.value = v->run ? v->run->value : v->boot->value,
		.score = v->score,
	};

	g_array_append_val(s->places, place);
	++*(v->run ? &s->note->runs : &s->note->boots);
}

static void look_at_group(struct sieve *s, struct value *v, size_t n)
{
	if (n < MIN_VALUES)
		return;
	if (s->d->counts)
		look_at_counts(v, n);
	/*
	 * Over-dispersion found in a few boots is too small by chance; with
	 * many events the spread itself can be seen.
	 */
	if (!s->d->counts || middle_events(v, n) >= MANY_EVENTS)
		look_at_measures(s->d, v, n);
	s->looks++;
	for (size_t i = 0; i < n; i++) {
		double p = MIN(v[i].p * (double)n, 1);

		s->p = MIN(s->p, p);
		if (fabs(v[i].score) > SCORE && p < P_LISTED)
			list_place(s, &v[i]);
	}
}

static void look_at_groups(struct sieve *s, struct value *v, size_t n)
{
	size_t end;

	qsort(v, n, sizeof(*v), compare_groups);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && same_group(&v[i], &v[end]); end++)
			;
		look_at_group(s, v + i, end - i);
	}
}

static struct value value_of_run(const struct note_boot *boot,
				 const struct note_run *run)
{
	return (struct value){
		.boot = boot,
		.run = run,
		.value = run->value,
		.events = run->events,
		.exposure = run->exposure,
	};
}

static struct value value_of_boot(const struct note_boot *boot)
{
	struct value v = { .boot = boot, .value = boot->value };

	for (size_t i = 0; i < boot->n; i++) {
		v.events += boot->runs[i].events;
		v.exposure += boot->runs[i].exposure;
	}
	return v;
}

static void look_at_runs(struct sieve *s)
{
	g_autofree struct value *v = g_new(struct value, s->d->n_runs + 1);
	size_t n = 0;

	for (size_t i = 0; i < s->d->n_boots; i++)
		for (size_t k = 0; k < s->d->boots[i].n; k++)
			v[n++] = value_of_run(&s->d->boots[i],
					      &s->d->boots[i].runs[k]);
	look_at_groups(s, v, n);
}

static void look_at_boots(struct sieve *s)
{
	g_autofree struct value *v = g_new(struct value, s->d->n_boots + 1);

	for (size_t i = 0; i < s->d->n_boots; i++)
		v[i] = value_of_boot(&s->d->boots[i]);
	look_at_groups(s, v, s->d->n_boots);
}

static int compare_places(const void *a, const void *b)
{
	double x = fabs(((const struct ab_note_place *)a)->score);
	double y = fabs(((const struct ab_note_place *)b)->score);

	return (x < y) - (x > y);
}

static void set_places(struct sieve *s)
{
	struct ab_note *note = s->note;

	note->n_places = s->places->len;
	note->places = (void *)g_array_free(s->places, FALSE);
	if (note->n_places == 0)
		return;
	qsort(note->places, note->n_places, sizeof(*note->places),
	      compare_places);
	note->size = fabs(note->places[0].score);
	for (size_t i = 1; i < note->n_places; i++)
		if (note->places[i].variant != note->places[0].variant)
			return;
	note->variant = note->places[0].variant;
}

/* Of the block differences: what a few of them cannot move far. */
static double robust_shift(const struct note_data *d)
{
	g_autofree double *diff = g_new(double, d->n_blocks + 1);
	struct ab_shift shift;

	for (size_t i = 0; i < d->n_blocks; i++)
		diff[i] = d->blocks[i].value[1] - d->blocks[i].value[0];
	ab_stats_paired_shift(diff, d->n_blocks, d->level, &shift);
	return shift.estimate;
}

static bool look(const struct note_data *d, struct ab_note *note)
{
	struct sieve s = {
		d, note,
		g_array_new(FALSE, FALSE, sizeof(struct ab_note_place)), 1, 0
	};

	look_at_runs(&s);
	/* With one run per boot these are the same. */
	if (d->n_boots < d->n_runs)
		look_at_boots(&s);
	note->n = (int)d->n_runs;
	note->p = MIN(s.p * s.looks, 1);
	note->robust = robust_shift(d);
	set_places(&s);
	return s.looks > 0;
}

static void say_place(const struct ab_note_place *place, GString *out)
{
	g_string_append_printf(out, " (session %d", place->session);
	if (place->position >= 0)
		g_string_append_printf(out, ", position %d", place->position);
	g_string_append_c(out, ')');
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		GString *out)
{
	g_autofree char *shift = note_signed(note->robust);

	g_string_append_printf(out, "%d of %d runs", note->runs, note->n);
	if (note->boots > 0)
		g_string_append_printf(out, ", %d boots", note->boots);
	g_string_append_printf(out, ", z up to %.1f", note->size);
	if (note->n_places > 0)
		say_place(&note->places[0], out);
	if (isfinite(note->robust))
		g_string_append_printf(out, "; Hodges-Lehmann %s%s%s", shift,
				       *metric->unit ? " " : "", metric->unit);
}

const struct note_ops note_outliers = { "outliers", "outliers, not dropped",
					look, say };
