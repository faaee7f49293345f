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

/* The ends of an interval. */
struct ab_bounds {
	double lo, hi;
};

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

/* ---- ranks ---- */

enum ab_rank_p {
	AB_RANK_EXACT,	/* where it can be; else the normal approximation */
	AB_RANK_NORMAL, /* with the corrections for ties and continuity */
};

/* Below this many values (in each sample), and without ties, p is exact. */
#define AB_RANK_EXACT_BELOW 50

struct ab_rank_test {
	double statistic; /* Mann-Whitney's U of @b; Wilcoxon's V */
	double p;	  /* two-sided */
	size_t n_a, n_b;  /* values used; n_b is 0 for signed ranks */
	bool exact;	  /* p is from the exact distribution */
	bool ties;	  /* equal values, or differences of 0 */
};

/*
 * Mann and Whitney's (1947) test that neither of two samples tends to larger
 * values; the numbers of R's wilcox.test().  The statistic counts the pairs in
 * which @b is larger, ties as a half.  Assumption: values are independent and,
 * under the null, exchangeable: the values are one per boot, not samples.
 * NANs are left out, infinities rank last.  p is NAN when a sample is empty,
 * 1 when all values are equal.
 */
void ab_stats_mann_whitney(const double *a, size_t n_a, const double *b,
			   size_t n_b, enum ab_rank_p how,
			   struct ab_rank_test *test_out);
/*
 * Wilcoxon's (1945) signed-rank test that paired differences are symmetric
 * about 0.  The statistic sums the ranks of positive differences.  Differences
 * of 0 are left out, as by R; NANs too.  Infinities rank last.  Without any
 * difference p is NAN when @n is 0, 1 when all are 0.
 */
void ab_stats_signed_rank(const double *differences, size_t n,
			  enum ab_rank_p how, struct ab_rank_test *test_out);

struct ab_shift {
	double estimate; /* in the unit of the values */
	double lo, hi;	 /* of the distribution-free interval */
	double level;	 /* that it has; the one asked for is not always
			    possible.  Below it when no interval reaches it */
	bool exact;	 /* @level is exact, else by the normal approximation */
};

/*
 * Hodges and Lehmann's (1963) shift of @b against @a: the median of all
 * differences b - a, and the interval between two of them whose ranks come from
 * the distribution of Mann-Whitney's U (exact below AB_RANK_EXACT_BELOW values
 * each; ties make it wider than needed, never too narrow).  The differences
 * are not stored: one of given rank is found by bisection, so time is
 * O(n log n) and there is no limit on pairs.  NANs are left out.  All is NAN
 * when a sample is empty or holds an infinity.
 */
void ab_stats_shift(const double *a, size_t n_a, const double *b, size_t n_b,
		    double level, struct ab_shift *shift_out);
/*
 * The same for paired differences: the median of the means of all pairs of
 * them, each with itself included (Walsh averages), ranks from Wilcoxon's V.
 */
void ab_stats_paired_shift(const double *differences, size_t n, double level,
			   struct ab_shift *shift_out);
/*
 * Cliff's (1993) delta: P(b > a) - P(b < a) over all pairs, from -1 to 1; 0
 * when neither tends to be larger.  NANs are left out; NAN when a sample is
 * empty.
 */
double ab_stats_cliff(const double *a, size_t n_a, const double *b, size_t n_b);

/* ---- bootstrap intervals from replicates ---- */

/*
 * Quantile @alpha of @n sorted replicates at rank (n + 1) alpha, interpolated
 * on the normal scale (Davison and Hinkley 1997, 5.8); the smallest or largest
 * where that rank is beyond them.  NAN when @n is 0.
 */
double ab_stats_replicate_quantile(const double *sorted, size_t n,
				   double alpha);
/* The percentile interval. */
struct ab_bounds ab_stats_percentile(const double *sorted, size_t n,
				     double level);

struct ab_bca {
	double lo, hi;
	double bias;	    /* z0 */
	double skew;	    /* a, the acceleration */
	bool extreme;	    /* an end is the smallest or largest replicate */
	const char *reason; /* static: why there is none; or NULL */
};

/*
 * Efron's (1987) bias-corrected and accelerated interval: @value is the
 * statistic, @sorted its @n replicates, @jackknife its value without each of
 * the @n_jackknife clusters.  Deterministic.  Assumption: there are enough
 * clusters; with fewer than about 20 it covers too seldom.  Replicates that
 * are not finite must be left out by the caller.  None when all replicates lie
 * on one side of @value; without variation the acceleration is 0.
 */
void ab_stats_bca(double value, const double *sorted, size_t n,
		  const double *jackknife, size_t n_jackknife, double level,
		  struct ab_bca *bca_out);

/* ---- decisions ---- */

/*
 * Adjusted p-values of a family of tests, in the order of @p: those of Holm
 * (1979), which control the family-wise error under any dependence, and of
 * Benjamini and Hochberg (1995), which control the false discovery rate under
 * independence or positive dependence.  NAN is a test that was not made: it
 * stays NAN and does not count.  Returns how many count.  In place is fine.
 */
size_t ab_stats_holm(const double *p, size_t n, double *adjusted_out);
size_t ab_stats_benjamini_hochberg(const double *p, size_t n,
				   double *adjusted_out);

/*
 * p of the two one-sided t tests (Schuirmann 1987) that the true value lies
 * between @low and @high: the larger of the two.  Without an error (@se 0) it
 * is 0 strictly inside, else 1.  @df may be INFINITY.
 */
double ab_stats_tost(double estimate, double se, double df, double low,
		     double high);

/* ---- counts ---- */

/*
 * Interval of a Poisson rate after @x events in @exposure, central: each tail
 * has (1 - level) / 2 (Garwood 1936).  @x need not be whole.  Below 0 events
 * there is nothing: the lower end is 0.
 */
struct ab_bounds ab_stats_rate_interval(double x, double exposure,
					double level);

/*
 * Interval of the rate ratio (x2 / t2) / (x1 / t1): given x1 + x2, x2 is
 * binomial, and the ends are those of its share (Clopper and Pearson 1934),
 * central.  @phi is the over-dispersion, 1 for Poisson: with another, events
 * are divided by it and the ends are beta quantiles at values that are not
 * whole, no longer exact.  x1 = 0: the upper end is INFINITY; no events at
 * all: 0 to INFINITY.
 */
struct ab_bounds ab_stats_rate_ratio_exact(double x1, double t1, double x2,
					   double t2, double phi, double level);

/*
 * Interval of a share after @k of @n, central (Clopper and Pearson 1934):
 * never covers less than @level.  @n 0: none.
 */
struct ab_bounds ab_stats_share_interval(double k, double n, double level);
/* P(X >= @k) when X is binomial with @n and @share. */
double ab_stats_binomial_tail(double k, double n, double share);

/* What one variant's boots or runs counted. */
struct ab_counts {
	const double *events;
	const double *exposures;
	size_t n;
};

struct ab_rate_ratio {
	double ratio;	    /* b / a */
	double lo, hi;	    /* of it */
	double phi;	    /* quasi-Poisson: over-dispersion, not below 0 */
	double theta;	    /* negative binomial: size; INFINITY: Poisson */
	double df;	    /* of phi; INFINITY: not estimated */
	const char *reason; /* static: why there is no interval; or NULL */
};

/*
 * Rate ratio with the log-normal interval: the variance of the log ratio is
 * phi (1 / x1 + 1 / x2), with the t quantile of @df (INFINITY: normal).  An
 * approximation for a dozen events and more in each; none with 0 in either.
 */
void ab_stats_rate_ratio(double x1, double t1, double x2, double t2, double phi,
			 double df, double level,
			 struct ab_rate_ratio *ratio_out);

/*
 * Pearson's dispersion: chi2 / df of @n_arms groups of counts, each about its
 * own rate.  *@df_out is counts less groups; NAN when that is 0 or when there
 * are no events.  Elements with an exposure that is not above 0, or that are
 * not finite, are left out.
 */
double ab_stats_counts_dispersion(const struct ab_counts *arms, size_t n_arms,
				  double *df_out);

/*
 * Quasi-Poisson (Wedderburn 1974): variance phi times the mean, phi by
 * Pearson, t quantile; what R's glm(quasipoisson) with a log offset gives.
 * phi below 1 is taken as it is.
 */
void ab_stats_quasi_poisson(const struct ab_counts *a,
			    const struct ab_counts *b, double level,
			    struct ab_rate_ratio *ratio_out);

/*
 * Negative binomial: variance mu + mu^2 / theta, one theta for both, maximum
 * likelihood for the rates and theta, Wald interval on the log scale with the
 * normal quantile; what MASS::glm.nb (Venables and Ripley 2002, 7.4) with a
 * log offset gives.  Few boots make theta too large and the interval too
 * narrow.  theta is INFINITY when counts vary no more than Poisson's.
 */
void ab_stats_negative_binomial(const struct ab_counts *a,
				const struct ab_counts *b, double level,
				struct ab_rate_ratio *ratio_out);

/* ---- other ---- */

struct ab_gmean {
	double value;	    /* NAN: see @reason */
	size_t n;	    /* values used */
	size_t zero;	    /* values of 0: would make it 0 */
	size_t negative;    /* without a logarithm */
	size_t not_finite;  /* NAN or infinite: would make it so */
	const char *reason; /* static; or NULL */
};
/* Geometric mean; not defined unless all of @n values are above 0. */
void ab_stats_gmean(const double *x, size_t n, struct ab_gmean *gmean_out);

struct ab_dip {
	double dip;    /* 0 .. 0.25 */
	double p;      /* of a uniform distribution; NAN: not asked for */
	double lo, hi; /* the modal interval */
};
/*
 * Hartigan and Hartigan's (1985) dip: the largest distance between the
 * empirical distribution and the nearest one with a single mode.  That one may
 * have an atom, but at its mode only: values that tie elsewhere are steps.
 * @sorted must be ascending and finite.  0 when all values are equal, else at
 * least 1 / (2 n); NAN when @n is 0.  O(n) a round, and few rounds.
 *
 * p: the share of @draws samples of @n uniform values with a dip at least as
 * large, (1 + k) / (1 + draws).  Uniform is the single mode that is hardest to
 * tell from two: for other shapes p is too large; for values rounded so
 * coarsely that they tie, too small.  Assumption: values are independent.  NAN
 * below 4 values, which tell nothing, and when @draws is 0.
 */
void ab_stats_dip(const double *sorted, size_t n, int draws, gsl_rng *rng,
		  struct ab_dip *dip_out);

struct ab_autocorrelation {
	double r;	 /* lag 1, pooled over groups; NAN: no variation */
	double expected; /* of r when the order is arbitrary: below 0 */
	double p;	 /* two-sided, by permutation within groups */
	size_t n;	 /* values used */
};
/*
 * Do neighbours in time resemble each other?  r = sum over groups of
 * (x_t - mean)(x_t+1 - mean) over the sum of (x_t - mean)^2, with the mean of
 * each group; values of one group (boot) are next to each other in @x, in
 * order.  p: the share of @draws random orders within groups that are at least
 * as far from the expectation, (1 + k) / (1 + draws).  Values that are not
 * finite are left out: those beside them become neighbours.
 */
void ab_stats_autocorrelation(const double *x, const int *groups, size_t n,
			      int draws, gsl_rng *rng,
			      struct ab_autocorrelation *result_out);

#endif
