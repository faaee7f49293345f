/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The single methods that comparisons are made of: each takes arrays and
 * returns numbers, says what it assumes and where it was published, and is
 * checked against R by "make check-oracle".
 *
 * Common to all: NAN means "not defined for this input", never an error; an
 * argument outside its range gives NAN.  A level is that of a two-sided
 * interval (0.95) unless said otherwise.  Randomness comes from a generator
 * that the caller seeds.
 */
#ifndef ABRIG_STATS_METHODS_H
#define ABRIG_STATS_METHODS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>

/* Quantile of sorted data, linear interpolation (Hyndman-Fan type 7). */
double ab_stats_quantile(const double *sorted, size_t n, double q);

/*
 * Fieller's interval for the ratio of two means @a (below the line) and @b
 * with variances and covariance of the means and t quantile @t (Fieller 1954).
 * False when it is unbounded: @a is not different from 0 at that level.
 */
bool ab_stats_fieller(double a, double b, double var_a, double var_b,
		      double cov, double t, double *lo_out, double *hi_out);

/*
 * Two-sided p of the sign-flip test that the mean of @n paired differences is
 * 0 (Fisher 1935): the share of arrangements at least as extreme.  All 2^n are
 * enumerated up to n = 16; else @resamples of them are drawn, and p is
 * (1 + extreme) / (1 + drawn).  Assumption: under the null the sign of each
 * difference is arbitrary.  NAN when n is 0.
 */
double ab_stats_sign_flip(const double *differences, size_t n, int resamples,
			  gsl_rng *rng);

/* Upper bound of a Poisson rate when no event was seen in @exposure. */
double ab_stats_zero_bound(double exposure, double level);

/*
 * Two-sided p of the exact conditional test that two Poisson rates are equal
 * (Przyborowski and Wilenski 1940): given x1 + x2, x1 is binomial with
 * t1 / (t1 + t2); arrangements that are at most as likely count.  Assumption:
 * no over-dispersion.
 */
double ab_stats_poisson_test(double x1, double t1, double x2, double t2);

/*
 * Exposure (runs) per variant to tell two Poisson rates apart with 80 % power
 * at 5 %: 7.849 (l1 + l2) / (l1 - l2)^2 (normal approximation).
 */
double ab_stats_poisson_runs(double l1, double l2);

/*
 * Pairs needed for @power of a two-sided paired t test at 1 - @level to see a
 * mean difference @effect between blocks of standard deviation @sd; from the
 * noncentral t distribution.  NAN when @effect is 0 or a value is not finite;
 * at least 2.
 */
double ab_stats_pairs_needed(double effect, double sd, double level,
			     double power);

#endif
