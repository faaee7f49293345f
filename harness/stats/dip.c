// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The nearest unimodal distribution is convex up to a modal interval, straight
 * within and concave beyond.  Begin with all values as the interval; each round
 * narrows it to where the greatest convex minorant and the least concave
 * majorant are farthest apart, until what is left outside fits worse than what
 * is inside.  Distances are twice those of the dip, in values.
 */
#include <abrig/stats_methods.h>

#include <glib.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Indices of the corners of a hull, from left to right. */
struct chain {
	size_t *at;
	size_t n;
};

struct space {
	const double *x;
	struct chain under, over;
	size_t lo, hi; /* the modal interval */
};

/* Height of the straight line from corner @a to @b at @x[i], about @a. */
static double rise(const double *x, size_t a, size_t b, size_t i)
{
	return (x[i] - x[a]) * ((double)(b - a) / (x[b] - x[a]));
}

/* Whether the line from @a to @c is below corner @b. */
static bool bulges(const double *x, size_t a, size_t b, size_t c)
{
	return (x[b] - x[a]) * (double)(c - a) <
	       (double)(b - a) * (x[c] - x[a]);
}

/* Corners of the hull of steps @s->lo to @s->hi: below them, or above. */
static void build(const struct space *s, struct chain *chain, bool under)
{
	chain->n = 0;
	for (size_t i = s->lo; i <= s->hi; i++) {
		while (chain->n >= 2 &&
		       bulges(s->x, chain->at[chain->n - 2],
			      chain->at[chain->n - 1], i) == under)
			chain->n--;
		chain->at[chain->n++] = i;
	}
}

/* The gap at corner @j of the majorant, inside segment @a to @b of the other. */
static double gap_at_over(const double *x, size_t a, size_t b, size_t j)
{
	double above = (double)(j - a) + 1;

	return x[b] > x[a] ? above - rise(x, a, b, j) : above;
}

/* The gap at corner @i of the minorant, inside segment @a to @b of the other. */
static double gap_at_under(const double *x, size_t a, size_t b, size_t i)
{
	double below = 1 - (double)(i - a);

	return x[b] > x[a] ? below + rise(x, a, b, i) : below + (double)(b - a);
}

/* The widest gap, and the interval that it leaves. */
static double widest(const struct space *s, size_t *lo_out, size_t *hi_out)
{
	const size_t *under = s->under.at, *over = s->over.at;
	size_t u = 1, o = 1;
	double max = 0;

	while (u < s->under.n && o < s->over.n) {
		bool at_over = over[o] < under[u];
		double gap = at_over ? gap_at_over(s->x, under[u - 1], under[u],
						   over[o])
				     : gap_at_under(s->x, over[o - 1], over[o],
						    under[u]);

		if (gap > max) {
			max = gap;
			*lo_out = at_over ? under[u - 1] : under[u];
			*hi_out = over[o];
		}
		if (at_over)
			o++;
		else
			u++;
	}
	return max;
}

/* How far steps rise above the minorant to the left of @lo. */
static double misfit_left(const struct space *s, size_t lo)
{
	double max = 0;

	for (size_t k = 1; k < s->under.n && s->under.at[k] <= lo; k++) {
		size_t a = s->under.at[k - 1], b = s->under.at[k];

		for (size_t i = a; i <= b && s->x[b] > s->x[a]; i++) {
			double gap = gap_at_over(s->x, a, b, i);

			max = MAX(max, gap);
		}
	}
	return max;
}

/* How far steps fall below the majorant to the right of @hi. */
static double misfit_right(const struct space *s, size_t hi)
{
	double max = 0;

	for (size_t k = s->over.n - 1; k >= 1 && s->over.at[k - 1] >= hi; k--) {
		size_t a = s->over.at[k - 1], b = s->over.at[k];

		for (size_t i = a; i <= b && s->x[b] > s->x[a]; i++) {
			double gap = gap_at_under(s->x, a, b, i);

			max = MAX(max, gap);
		}
	}
	return max;
}

static double dip_of(struct space *s, size_t n)
{
	double dip = 1;

	s->lo = 0;
	s->hi = n - 1;
	for (;;) {
		size_t lo = s->lo, hi = s->hi;
		double left, right;

		build(s, &s->under, true);
		build(s, &s->over, false);
		if (widest(s, &lo, &hi) <= dip)
			break;
		left = misfit_left(s, lo);
		right = misfit_right(s, hi);
		dip = MAX(dip, MAX(left, right));
		if (lo == s->lo && hi == s->hi)
			break;
		s->lo = lo;
		s->hi = hi;
	}
	return dip / (2 * (double)n);
}

/*
 * Sorted uniform values, up to place and scale, which the dip does not see:
 * their gaps are like exponential ones.
 */
static void draw_uniform(double *x, size_t n, gsl_rng *rng)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += gsl_ran_exponential(rng, 1);
		x[i] = sum;
	}
}

static double uniform_p(struct space *s, size_t n, double dip, int draws,
			gsl_rng *rng)
{
	g_autofree double *x = g_new(double, n);
	int larger = 0;

	s->x = x;
	for (int i = 0; i < draws; i++) {
		draw_uniform(x, n, rng);
		larger += dip_of(s, n) >= dip * (1 - 1e-12);
	}
	return (1.0 + larger) / (1.0 + draws);
}

void ab_stats_dip(const double *sorted, size_t n, int draws, gsl_rng *rng,
		  struct ab_dip *dip_out)
{
	struct space s = { .x = sorted };
	struct ab_dip *d = dip_out;

	*d = (struct ab_dip){ .dip = NAN, .p = NAN, .lo = NAN, .hi = NAN };
	if (n == 0)
		return;
	d->dip = 0;
	d->lo = sorted[0];
	d->hi = sorted[n - 1];
	s.under.at = g_new(size_t, n);
	s.over.at = g_new(size_t, n);
	if (d->lo < d->hi) {
		d->dip = dip_of(&s, n);
		d->lo = sorted[s.lo];
		d->hi = sorted[s.hi];
	}
	if (draws > 0 && n >= 4)
		d->p = d->dip > 0 ? uniform_p(&s, n, d->dip, draws, rng) : 1;
	g_free(s.under.at);
	g_free(s.over.at);
}
