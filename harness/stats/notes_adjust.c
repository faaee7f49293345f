// SPDX-License-Identifier: GPL-3.0-or-later
/* Analysis of covariance on the differences of blocks (Cox 1958, 4.5). */
#include "notes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MIN_BLOCKS 4

struct intercept {
	double value, half;
};

/* y at x = 0, by least squares, with the half width of its interval. */
static bool intercept_of(const double *x, const double *y, size_t n,
			 double level, struct intercept *out)
{
	double mx = 0, my = 0, xx = 0, xy = 0, rest = 0, slope;

	for (size_t i = 0; i < n; i++) {
		mx += x[i] / (double)n;
		my += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		xy += (x[i] - mx) * (y[i] - my);
	}
	if (!(sqrt(xx) > 1e-6))
		return false;
	slope = xy / xx;
	for (size_t i = 0; i < n; i++) {
		double r = y[i] - my - slope * (x[i] - mx);

		rest += r * r;
	}
	out->value = my - slope * mx;
	out->half =
		gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)n - 2) *
		sqrt(rest / (double)(n - 2) * (1 / (double)n + mx * mx / xx));
	return isfinite(out->value) && isfinite(out->half);
}

static const char *basis_of(const struct note_data *d)
{
	if (d->metric->stat == AB_STAT_QUANTILE)
		return "block quantiles";
	return d->linear ? "linearised block values" : "block values";
}

/* Of the block, relative to the arms' means: what log(B / A) is made of. */
static double log_change(const struct note_block *block, const double *mean)
{
	return block->value[1] / mean[1] - block->value[0] / mean[0] +
	       log(mean[1] / mean[0]);
}

struct pairs {
	double *x, *diff, *change;
	double mean[2];
	size_t n;
	bool positive;
};

static bool known(const struct note_block *block, enum note_covariate c)
{
	return isfinite(block->x[c][0]) && isfinite(block->x[c][1]);
}

static void pairs_init(struct pairs *p, const struct note_data *d,
		       enum note_covariate c)
{
	size_t n = 0;

	*p = (struct pairs){ .x = g_new0(double, d->n_blocks + 1),
			     .diff = g_new0(double, d->n_blocks + 1),
			     .change = g_new0(double, d->n_blocks + 1),
			     .positive = true };
	for (size_t i = 0; i < d->n_blocks; i++)
		n += known(&d->blocks[i], c);
	for (size_t i = 0; i < d->n_blocks; i++)
		for (int arm = 0; known(&d->blocks[i], c) && arm < 2; arm++) {
			p->mean[arm] += d->blocks[i].value[arm] / (double)n;
			p->positive &= d->blocks[i].value[arm] > 0;
		}
	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct note_block *block = &d->blocks[i];

		if (!known(block, c))
			continue;
		p->x[p->n] = block->x[c][1] - block->x[c][0];
		p->diff[p->n] = block->value[1] - block->value[0];
		if (p->positive)
			p->change[p->n] = log_change(block, p->mean);
		p->n++;
	}
}

static void pairs_clear(struct pairs *p)
{
	g_free(p->x);
	g_free(p->diff);
	g_free(p->change);
}

static double percent_of(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

void note_adjust(const struct note_data *d, enum note_covariate c,
		 struct ab_note_adjusted *adjusted_out)
{
	struct ab_note_adjusted *a = adjusted_out;
	struct intercept i;
	struct pairs p;

	pairs_init(&p, d, c);
	a->basis = basis_of(d);
	a->blocks = (int)p.n;
	if (p.n >= MIN_BLOCKS && intercept_of(p.x, p.diff, p.n, d->level, &i)) {
		a->diff = i.value;
		a->lo = i.value - i.half;
		a->hi = i.value + i.half;
	}
	if (p.n >= MIN_BLOCKS && p.positive &&
	    intercept_of(p.x, p.change, p.n, d->level, &i)) {
		a->pct = percent_of(i.value);
		a->pct_lo = percent_of(i.value - i.half);
		a->pct_hi = percent_of(i.value + i.half);
	}
	pairs_clear(&p);
}
