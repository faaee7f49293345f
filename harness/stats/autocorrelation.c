// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <glib.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Values about the mean of their group, group by group. */
struct centred {
	double *x;
	GArray *ends; /* gsize: where each group ends */
	double squares;
	double expected; /* of the sum of products, over all orders */
};

static void centre_group(struct centred *c, size_t begin, size_t end)
{
	double n = (double)(end - begin), mean = 0, squares = 0;

	if (end == begin)
		return;
	for (size_t i = begin; i < end; i++)
		mean += c->x[i] / n;
	for (size_t i = begin; i < end; i++) {
		c->x[i] -= mean;
		squares += c->x[i] * c->x[i];
	}
	c->squares += squares;
	/* n - 1 neighbours; products of two others average -squares/n/(n-1). */
	if (n > 1)
		c->expected -= squares / n;
	g_array_append_val(c->ends, end);
}

/* Returns how many values are finite. */
static size_t centre(struct centred *c, const double *x, const int *groups,
		     size_t n)
{
	gsize begin = 0, kept = 0;

	c->x = g_new0(double, n + 1);
	c->ends = g_array_new(FALSE, FALSE, sizeof(gsize));
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && groups[i] != groups[i - 1]) {
			centre_group(c, begin, kept);
			begin = kept;
		}
		if (isfinite(x[i]))
			c->x[kept++] = x[i];
	}
	centre_group(c, begin, kept);
	return kept;
}

static double sum_products(const struct centred *c)
{
	double sum = 0;
	gsize begin = 0;

	for (guint g = 0; g < c->ends->len; g++) {
		gsize end = g_array_index(c->ends, gsize, g);

		for (gsize i = begin + 1; i < end; i++)
			sum += c->x[i - 1] * c->x[i];
		begin = end;
	}
	return sum;
}

static void shuffle(struct centred *c, gsl_rng *rng)
{
	gsize begin = 0;

	for (guint g = 0; g < c->ends->len; g++) {
		gsize end = g_array_index(c->ends, gsize, g);

		gsl_ran_shuffle(rng, c->x + begin, end - begin, sizeof(*c->x));
		begin = end;
	}
}

static double permuted_p(struct centred *c, double products, int draws,
			 gsl_rng *rng)
{
	/* Rounding must not tell an order from its mirror image. */
	double off = fabs(products - c->expected) - 1e-12 * c->squares;
	int extreme = 0;

	for (int i = 0; i < draws; i++) {
		shuffle(c, rng);
		extreme += fabs(sum_products(c) - c->expected) >= off;
	}
	return (1.0 + extreme) / (1.0 + draws);
}

void ab_stats_autocorrelation(const double *x, const int *groups, size_t n,
			      int draws, gsl_rng *rng,
			      struct ab_autocorrelation *result_out)
{
	struct centred c = { 0 };
	double products;

	*result_out = (struct ab_autocorrelation){
		.r = NAN,
		.expected = NAN,
		.p = NAN,
		.n = centre(&c, x, groups, n),
	};
	products = sum_products(&c);
	if (c.squares > 0 && isfinite(c.squares)) {
		result_out->r = products / c.squares;
		result_out->expected = c.expected / c.squares;
		if (draws > 0)
			result_out->p = permuted_p(&c, products, draws, rng);
	}
	g_array_unref(c.ends);
	g_free(c.x);
}
