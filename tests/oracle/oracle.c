// SPDX-License-Identifier: GPL-3.0-or-later
/* Print seeded cases of every method that R can check: see oracle.h. */
#include "oracle.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>

static const struct {
	const char *name;
	void (*print)(gsl_rng *rng);
} subjects[] = {
	{ "ranks", oracle_ranks },	   { "bootstrap", oracle_bootstrap },
	{ "decisions", oracle_decisions }, { "counts", oracle_counts },
	{ "orders", oracle_orders },	   { "compare", oracle_compare },
};

static void print_number(double x)
{
	if (isnan(x))
		printf(" NaN");
	else if (isinf(x))
		printf(x > 0 ? " Inf" : " -Inf");
	else
		printf(" %.17g", x);
}

void oracle_case(const char *kind)
{
	printf("case %s\n", kind);
}

void oracle_in(const char *name, const double *x, size_t n)
{
	printf("in %s", name);
	for (size_t i = 0; i < n; i++)
		print_number(x[i]);
	printf("\n");
}

void oracle_in1(const char *name, double x)
{
	oracle_in(name, &x, 1);
}

void oracle_out(const char *name, double x)
{
	printf("out %s", name);
	print_number(x);
	printf("\n");
}

void oracle_end(void)
{
	printf("end\n");
}

void oracle_fill(gsl_rng *rng, enum shape shape, double at, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double z = gsl_ran_ugaussian(rng);

		if (shape == SKEWED)
			z = exp(z);
		else if (shape == HEAVY)
			z = gsl_ran_tdist(rng, 2);
		x[i] = shape == COARSE ? floor(at + 2 * z) : at + z;
	}
}

void oracle_sort(double *x, size_t n)
{
	gsl_sort(x, 1, n);
}

int main(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < G_N_ELEMENTS(subjects); i++) {
		/* A subject's cases do not depend on those before it. */
		gsl_rng_set(rng, 20261130 + i);
		printf("# %s\n", subjects[i].name);
		subjects[i].print(rng);
	}
	gsl_rng_free(rng);
	return ferror(stdout) || fflush(stdout) != 0;
}
