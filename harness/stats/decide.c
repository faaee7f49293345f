// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats.h>
#include <abrig/stats_methods.h>

#include <math.h>
#include <stdlib.h>

/* The tests of one family, in the order of the comparisons. */
struct family {
	struct ab_comparison **c;
	double *change, *equal; /* p, adjusted in place */
	size_t n;
};

static struct family family_new(const struct ab_tested *tested, size_t n,
				bool primary)
{
	struct family f = {
		.c = g_new(struct ab_comparison *, n + 1),
		.change = g_new(double, n + 1),
		.equal = g_new(double, n + 1),
	};

	for (size_t i = 0; i < n; i++) {
		if (tested[i].primary != primary)
			continue;
		f.c[f.n] = tested[i].comparison;
		f.change[f.n] = f.c[f.n]->p_change;
		f.equal[f.n] = f.c[f.n]->p_equal;
		f.n++;
	}
	return f;
}

static void family_clear(struct family *f)
{
	g_free(f->c);
	g_free(f->change);
	g_free(f->equal);
}

static void take_adjusted(const struct family *f, bool primary, double alpha)
{
	for (size_t i = 0; i < f->n; i++) {
		struct ab_comparison *c = f->c[i];

		c->p_adjusted = f->change[i];
		c->p_equal_adjusted = f->equal[i];
		c->primary = primary;
		c->verdict = c->p_adjusted <= alpha ? AB_DIFFERENT
			     : c->p_equal_adjusted <= alpha
				     ? AB_EQUIVALENT
				     : AB_NOT_ENOUGH_DATA;
	}
}

static int compare_p(const void *a, const void *b)
{
	double x = (*(struct ab_comparison *const *)a)->p_change;
	double y = (*(struct ab_comparison *const *)b)->p_change;

	/* What was not tested last. */
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x > y) - (x < y);
}

/*
 * Holm compares the k-th smallest of m p-values with alpha / (m - k + 1), up
 * to the first that is larger; what follows is held to the same level, at
 * which it is not different either.  So each interval excludes 0 exactly when
 * its verdict says so.
 */
static void set_holm_levels(const struct family *f, size_t tests, double alpha)
{
	size_t rejected = 0;

	qsort(f->c, f->n, sizeof(*f->c), compare_p);
	for (size_t k = 0; k < f->n; k++) {
		bool different = f->c[k]->verdict == AB_DIFFERENT;

		if (k < tests)
			ab_stats_set_level(
				f->c[k],
				1 - alpha / (double)(tests - rejected));
		rejected += different;
	}
}

void ab_stats_decide(const struct ab_tested *tested, size_t n, double level,
		     double primary_level, struct ab_families *families_out)
{
	struct family first = family_new(tested, n, true);
	struct family rest = family_new(tested, n, false);

	*families_out = (struct ab_families){
		.primaries = ab_stats_holm(first.change, first.n, first.change),
		.others = ab_stats_benjamini_hochberg(rest.change, rest.n,
						      rest.change),
	};
	ab_stats_holm(first.equal, first.n, first.equal);
	ab_stats_benjamini_hochberg(rest.equal, rest.n, rest.equal);
	take_adjusted(&first, true, 1 - primary_level);
	take_adjusted(&rest, false, 1 - level);
	set_holm_levels(&first, families_out->primaries, 1 - primary_level);
	family_clear(&first);
	family_clear(&rest);
}

enum ab_side ab_stats_side(const struct ab_metric *metric,
			   const struct ab_comparison *comparison)
{
	bool lower = metric->direction == AB_LOWER_IS_BETTER;

	if (metric->direction == AB_DIRECTION_UNKNOWN)
		return AB_SIDE_UNKNOWN;
	return (comparison->diff < 0) == lower ? AB_BETTER : AB_WORSE;
}
