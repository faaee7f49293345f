// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <glib.h>
#include <math.h>
#include <stdlib.h>

struct ranked {
	double p;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* The tests that were made, by p; all others are NAN in @adjusted. */
static struct ranked *rank_tests(const double *p, size_t n, double *adjusted,
				 size_t *tested_out)
{
	struct ranked *ranked = g_new(struct ranked, n + 1);
	size_t tested = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] >= 0 && p[i] <= 1)
			ranked[tested++] = (struct ranked){ p[i], i };
		adjusted[i] = NAN;
	}
	qsort(ranked, tested, sizeof(*ranked), compare_ranked);
	*tested_out = tested;
	return ranked;
}

size_t ab_stats_holm(const double *p, size_t n, double *adjusted_out)
{
	size_t tested;
	g_autofree struct ranked *r = rank_tests(p, n, adjusted_out, &tested);
	double largest = 0;

	for (size_t i = 0; i < tested; i++) {
		double scaled = r[i].p * (double)(tested - i);

		largest = MAX(largest, MIN(scaled, 1));
		adjusted_out[r[i].at] = largest;
	}
	return tested;
}

size_t ab_stats_benjamini_hochberg(const double *p, size_t n,
				   double *adjusted_out)
{
	size_t tested;
	g_autofree struct ranked *r = rank_tests(p, n, adjusted_out, &tested);
	double smallest = 1;

	for (size_t i = tested; i-- > 0;) {
		double scaled = r[i].p * (double)tested / (double)(i + 1);

		smallest = MIN(smallest, scaled);
		adjusted_out[r[i].at] = smallest;
	}
	return tested;
}
