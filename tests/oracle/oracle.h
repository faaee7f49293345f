/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cases for R: what went into a function and what came out, as text.
 *
 *	case KIND
 *	in NAME VALUE...
 *	out NAME VALUE
 *	end
 *
 * oracle.R holds, for each KIND, what R makes of the same input.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <abrig/stats.h>

void oracle_case(const char *kind);
void oracle_in(const char *name, const double *x, size_t n);
void oracle_in1(const char *name, double x);
void oracle_out(const char *name, double x);
void oracle_end(void);

/* Shapes of made-up samples. */
enum shape {
	NORMAL,
	SKEWED,
	HEAVY,	/* of tail */
	COARSE, /* whole numbers: ties, zeros */
	SHAPES
};
void oracle_fill(gsl_rng *rng, enum shape shape, double at, double *x,
		 size_t n);
void oracle_sort(double *x, size_t n);

/* One per file: all cases of its subject. */
void oracle_ranks(gsl_rng *rng);
void oracle_bootstrap(gsl_rng *rng);
void oracle_decisions(gsl_rng *rng);
void oracle_counts(gsl_rng *rng);
void oracle_orders(gsl_rng *rng);
void oracle_compare(gsl_rng *rng);

#endif
