// SPDX-License-Identifier: GPL-3.0-or-later
#include "set.h"

#include <math.h>

#define MAX_EXACT 16 /* blocks: 2^16 arrangements */

/* Rounding must not tell an arrangement from its mirror image. */
static bool as_extreme(double statistic, double observed)
{
	return fabs(statistic) >= fabs(observed) * (1 - 1e-12);
}

static double permute_exact(size_t n, flip_statistic statistic, void *context,
			    double observed)
{
	/* All flipped is none flipped with the other sign: half suffice. */
	guint32 half = (guint32)1 << (n - 1), extreme = 0;
	bool flips[MAX_EXACT] = { false };

	for (guint32 code = 0; code < half; code++) {
		for (size_t i = 0; i + 1 < n; i++)
			flips[i] = code >> i & 1;
		extreme += as_extreme(statistic(flips, context), observed);
	}
	return (double)extreme / half;
}

static double permute_drawn(size_t n, flip_statistic statistic, void *context,
			    double observed, int resamples, gsl_rng *rng)
{
	bool *flips = g_new0(bool, n);
	int extreme = 0;

	for (int i = 0; i < resamples; i++) {
		for (size_t k = 0; k < n; k++)
			flips[k] = gsl_rng_uniform_int(rng, 2);
		extreme += as_extreme(statistic(flips, context), observed);
	}
	g_free(flips);
	return (1.0 + extreme) / (1.0 + resamples);
}

double permute(size_t n, flip_statistic statistic, void *context, int resamples,
	       gsl_rng *rng, bool *exact_out)
{
	bool *none = g_new0(bool, n + 1);
	double observed = statistic(none, context);

	g_free(none);
	*exact_out = n <= MAX_EXACT;
	if (n == 0 || !isfinite(observed))
		return NAN;
	if (*exact_out)
		return permute_exact(n, statistic, context, observed);
	return permute_drawn(n, statistic, context, observed, resamples, rng);
}

struct differences {
	const double *values;
	size_t n;
};

static double flipped_sum(const bool *flips, void *context)
{
	const struct differences *d = context;
	double sum = 0;

	for (size_t i = 0; i < d->n; i++)
		sum += flips[i] ? -d->values[i] : d->values[i];
	return sum;
}

double ab_stats_sign_flip(const double *differences, size_t n, int resamples,
			  gsl_rng *rng)
{
	struct differences d = { differences, n };
	bool exact;

	return permute(n, flipped_sum, &d, resamples, rng, &exact);
}

struct swapped {
	const struct stats_set *set;
	unsigned int *arm_a, *arm_b;
};

static double swapped_diff(const bool *flips, void *context)
{
	struct swapped *s = context;

	for (size_t i = 0; i < s->set->n; i++) {
		bool in_b = (i % 2 == 1) != flips[i / 2];

		s->arm_a[i] = !in_b;
		s->arm_b[i] = in_b;
	}
	return stats_set_eval(s->set, s->arm_b) -
	       stats_set_eval(s->set, s->arm_a);
}

double permute_blocks(const struct stats_set *set, int resamples, gsl_rng *rng,
		      bool *exact_out)
{
	struct swapped s = { set, stats_set_arm(set, 0),
			     stats_set_arm(set, 1) };
	double p = permute(set->n_base, swapped_diff, &s, resamples, rng,
			   exact_out);

	g_free(s.arm_a);
	g_free(s.arm_b);
	return p;
}
