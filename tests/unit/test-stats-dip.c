// SPDX-License-Identifier: GPL-3.0-or-later
/* The dip against its definition, by brute force. */
#include <abrig/stats_methods.h>

#include <glib.h>
#include <gsl/gsl_sort.h>
#include <math.h>

static gsl_rng *rng;

#define assert_near(x, y, tolerance) \
	g_assert_cmpfloat_with_epsilon(x, y, tolerance)

#define MOST 25

/* Distinct values with the counts below and up to each. */
struct steps {
	double at[MOST], below[MOST], upto[MOST];
	size_t n;
};

static void steps_init(struct steps *s, const double *sorted, size_t n)
{
	s->n = 0;
	for (size_t i = 0, end; i < n; i = end, s->n++) {
		for (end = i; end < n && sorted[end] == sorted[i]; end++)
			;
		s->at[s->n] = sorted[i];
		s->below[s->n] = (double)i;
		s->upto[s->n] = (double)end;
	}
}

static void steps_mirror(const struct steps *s, struct steps *out)
{
	double total = s->upto[s->n - 1];

	out->n = s->n;
	for (size_t i = 0; i < s->n; i++) {
		out->at[i] = -s->at[s->n - 1 - i];
		out->below[i] = total - s->upto[s->n - 1 - i];
		out->upto[i] = total - s->below[s->n - 1 - i];
	}
}

/* Whether step @j is out of reach from between steps @i and @k. */
static bool sags(const struct steps *s, size_t i, size_t j, size_t k, double d)
{
	double share = (s->at[j] - s->at[i]) / (s->at[k] - s->at[i]);
	double upper = (1 - share) * s->below[i] + share * s->below[k] + d;

	return s->upto[j] - d > upper + 1e-12;
}

/*
 * The least that a function may have reached just before @mode which is
 * convex, does not fall, and stays within @d of all steps before: any three
 * steps and any two decide.  INFINITY: there is no such function.
 */
static double least_at(const struct steps *s, size_t mode, double d)
{
	double least = -INFINITY;

	for (size_t j = 0; j < mode; j++) {
		double low = s->upto[j] - d;

		if (low > s->below[j] + d + 1e-12)
			return INFINITY;
		least = MAX(least, low);
		for (size_t i = 0; i < j; i++) {
			double slope =
				(low - s->below[i] - d) / (s->at[j] - s->at[i]);
			double reached = low + slope * (s->at[mode] - s->at[j]);

			least = MAX(least, reached);
			for (size_t k = j + 1; k < mode; k++)
				if (sags(s, i, j, k, d))
					return INFINITY;
		}
	}
	return least;
}

static bool unimodal_within(const struct steps *s, double d)
{
	double total = s->upto[s->n - 1];
	struct steps mirror = { 0 };

	steps_mirror(s, &mirror);
	for (size_t mode = 0; mode < s->n; mode++) {
		double left = least_at(s, mode, d);
		double right = total - least_at(&mirror, s->n - 1 - mode, d);

		left = MAX(left, s->below[mode] - d);
		right = MIN(right, s->upto[mode] + d);
		if (left <= s->below[mode] + d + 1e-12 &&
		    right >= s->upto[mode] - d - 1e-12 && left <= right + 1e-12)
			return true;
	}
	return false;
}

static double brute_dip(const double *sorted, size_t n)
{
	double low = 0, high = (double)n;
	struct steps s = { 0 };

	steps_init(&s, sorted, n);
	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (unimodal_within(&s, middle))
			high = middle;
		else
			low = middle;
	}
	return high / (double)n;
}

static void draw_for_dip(double *x, size_t n, bool ties)
{
	for (size_t i = 0; i < n; i++) {
		x[i] = gsl_rng_uniform(rng);
		if (ties)
			x[i] = floor(6 * x[i]);
		else if (gsl_rng_uniform_int(rng, 3) == 0)
			x[i] = 0.1 * x[i] + (double)gsl_rng_uniform_int(rng, 2);
	}
	gsl_sort(x, 1, n);
}

static void test_dip_brute(void)
{
	double x[MOST];
	struct ab_dip dip;

	gsl_rng_set(rng, 7);
	for (int i = 0; i < 1000; i++) {
		size_t n = 2 + gsl_rng_uniform_int(rng, MOST - 1);

		draw_for_dip(x, n, i % 2);
		ab_stats_dip(x, n, 0, NULL, &dip);
		assert_near(dip.dip, brute_dip(x, n), 1e-9);
	}
}

static void test_dip(void)
{
	static const double even[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const double same[] = { 2, 2, 2, 2, 2 };
	static const double two[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	double modes[40];
	struct ab_dip dip;

	ab_stats_dip(even, 8, 99, rng, &dip);
	assert_near(dip.dip, 1 / 16.0, 1e-15);
	g_assert_cmpfloat(dip.p, ==, 1);
	ab_stats_dip(same, 5, 99, rng, &dip);
	g_assert_cmpfloat(dip.dip, ==, 0);
	g_assert_cmpfloat(dip.p, ==, 1);
	/* Half of one of the two steps. */
	ab_stats_dip(two, 8, 0, NULL, &dip);
	assert_near(dip.dip, 0.25, 1e-15);
	g_assert_true(isnan(dip.p));
	for (int i = 0; i < 40; i++)
		modes[i] = i + (i < 20 ? 0 : 100);
	ab_stats_dip(modes, 40, 999, rng, &dip);
	assert_near(dip.p, 0.001, 1e-15);
	ab_stats_dip(even, 1, 99, rng, &dip);
	g_assert_cmpfloat(dip.dip, ==, 0);
	g_assert_true(isnan(dip.p));
	ab_stats_dip(even, 0, 99, rng, &dip);
	g_assert_true(isnan(dip.dip) && isnan(dip.p));
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	g_test_add_func("/dip/values", test_dip);
	g_test_add_func("/dip/brute-force", test_dip_brute);
	status = g_test_run();
	gsl_rng_free(rng);
	return status;
}
