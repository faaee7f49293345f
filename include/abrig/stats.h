/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics: arrays in, structs out.  No I/O, no clock; randomness comes from
 * a generator that the caller seeds.
 *
 * The design is device > block > session (one boot) > run > sample.  Variants
 * are assigned to boots, so the boot is the experimental unit: every interval
 * comes from whole boots paired within blocks.
 */
#ifndef ABRIG_STATS_H
#define ABRIG_STATS_H

#include <abrig/metric.h>
#include <abrig/stats_methods.h>
#include <gsl/gsl_rng.h>

/*
 * What one accepted run contributes to one metric.  A run whose value or
 * sample set was withheld is left out by the caller; a run without samples
 * is one in which nothing happened: it counts as 0 events.
 */
struct ab_obs {
	int variant; /* 0 is the baseline */
	int device;
	int block;	       /* within the device */
	int session;	       /* unique over the data set: one boot */
	double value;	       /* run value; NAN when the metric uses samples */
	double per;	       /* AB_STAT_RATIO: the run value below the line */
	const double *samples; /* sorted ascending; NULL when none */
	size_t n_samples;
	/* What may explain a value beside the variant; NAN: unknown. */
	double at;	/* when the run began, in seconds since any moment */
	double skin_c;	/* temperature of the skin when it began */
	double battery; /* percent when it began */
	int position;	/* among the runs of its session, from 0 */
};

enum ab_verdict { AB_DIFFERENT, AB_EQUIVALENT, AB_NOT_ENOUGH_DATA };
const char *ab_verdict_word(enum ab_verdict v); /* the words of DESIGN.md */

/* One variant's estimate. */
struct ab_estimate {
	double value; /* NAN: nothing measured */
	int runs, boots;
	guint64 samples; /* 0 for metrics over run values */
	double total;	 /* events counted, for counts; else NAN */
	double exposure; /* what @total is divided by: runs, frames, ... */
	double upper;	 /* no event seen: one-sided upper bound of the rate
			    at the interval's level; else NAN */
	double sd;	 /* between the runs' own values; NAN: below two */
};

/* How the interval was made; the report says it in words. */
enum ab_method {
	AB_METHOD_NONE,		   /* no interval: see @reason */
	AB_METHOD_PAIRED_T,	   /* t on block values */
	AB_METHOD_BLOCK_BOOTSTRAP, /* blocks resampled, t-corrected */
	AB_METHOD_RUN_T,      /* one boot per variant: boot-to-boot variation
				 was not measured */
	AB_METHOD_EXACT,      /* few events: conditional on their number */
	AB_METHOD_ZERO_BOUND, /* the same, no event in B: an upper bound */
};
const char *ab_method_name(enum ab_method m); /* "paired-t": for files */

/* What intervals of any level, and tests of any change, are made of. */
struct ab_moments {
	double a, b;		  /* both estimates */
	double var_a, var_b, cov; /* of the estimates */
	double df;
	/* Few events, what they are divided by, their over-dispersion. */
	double events_a, events_b, exposure_a, exposure_b;
	double phi;    /* at least 1; NAN: not few, or no events */
	bool floor;    /* none is negative: no change below -100 % */
	double growth; /* ab_components.growth */
};

/* A variant against the baseline, for one metric on one platform. */
struct ab_comparison {
	struct ab_estimate a, b; /* over the blocks that hold both variants */
	double diff, diff_lo, diff_hi; /* B - A, in the metric's unit */
	double pct, pct_lo, pct_hi;    /* of A; NAN when not printable; with
					  no event in B only the ends are set */
	const char *pct_reason;	       /* why pct is NAN; static text or NULL */
	const char *reason;	       /* why there is no interval; or NULL */
	double b_upper;		       /* AB_METHOD_ZERO_BOUND: rate bound */
	double level;		       /* of both intervals */
	double margin_pct;	       /* equivalence margin; NAN: none given */
	/*
	 * Of no change, and of a change beyond the margin (two one-sided
	 * tests): the levels 1 - p and 1 - 2 p at which the interval of the
	 * change begins to touch 0 and the margin.  NAN: not tested.
	 */
	double p_change, p_equal;
	/* The same, corrected for the family's tests: ab_stats_decide(). */
	double p_adjusted, p_equal_adjusted;
	double p;	     /* permutation within blocks; events with one
			      boot per variant: ab_stats_poisson_test();
			      NAN: none */
	double boots_needed; /* per variant for 80 % power at the observed
				 effect; NAN: unknown */
	double boots_margin; /* the same for a rise as large as the margin */
	double detectable;   /* the rise that these boots would have shown
				with 80 % power, in the metric's unit; or NAN:
				falls are seen no later (stats_design.h) */
	double runs_needed;  /* with one boot per variant: runs per variant for
				80 % power at the observed effect */
	struct ab_moments moments; /* unless @method is AB_METHOD_NONE */
	enum ab_method method;
	enum ab_verdict verdict;
	int blocks;	    /* that hold both variants */
	int a_left, b_left; /* boots left out: their block lacks the other */
	bool p_exact;	    /* p: every arrangement was enumerated */
	bool primary;	    /* of the family that Holm's method controls */
};

struct ab_stats_options {
	double level;	   /* 0.95 */
	double margin_pct; /* NAN when the plan names none */
	int resamples;	   /* bootstrap and permutation; 2000 */
};

/*
 * Estimate @metric for @variant from all of its runs in @obs.
 *
 * The boot value pools the runs of one block (one boot, or two when the first
 * was lost): sum over count for means, mean of run values.  The estimate of a
 * mean is the mean of the boot values, so that each boot weighs the same and
 * it agrees with the paired interval.  A rate of events is all events over all
 * runs, a ratio the sum over the sum, a quantile that of all samples pooled
 * (Hyndman-Fan type 7), a maximum the largest of all.  Values and samples that
 * are not finite are ignored.  @level is that of the bound for no event.  The
 * standard deviation is that of the statistic of each run by itself, between
 * and within boots alike: it describes the data, and makes no interval.
 */
void ab_stats_estimate(const struct ab_metric *metric, const struct ab_obs *obs,
		       size_t n_obs, int variant, double level,
		       struct ab_estimate *estimate_out);

/*
 * Compare variant @b with variant 0 for @metric.  @obs holds the accepted runs
 * of all variants in any order.  Blocks that lack one of the two variants are
 * left out, and counted.  Blocks of several devices are pooled: pairing takes
 * out what a device adds to both variants, and an effect that differs between
 * devices widens the interval.
 *
 * Interval: with block values a_k, b_k (k = 1..n), n >= 2, the variance of the
 * two estimates and their covariance come from the block values (means), from
 * linearised block values (num - R den) / mean(den) (rates and ratios), or
 * from resampling blocks, variance times n / (n - 1) (quantiles; Davison and
 * Hinkley 1997, 2.3 and 3.8; Cameron, Gelbach and Miller 2008).  All use the
 * t quantile with n - 1 degrees of freedom.  Assumption: blocks are
 * exchangeable and independent.  The percent interval is Fieller's (1954): it
 * agrees with that of the difference.  With a baseline that is not different
 * from 0 it has no upper end (INFINITY), and there is none where values can be
 * negative.  With one block the runs take the place of blocks, unpaired, Welch's
 * degrees of freedom.
 *
 * Events are what COUNT_GE counts, and whole numbers without a unit (RUN_MEAN)
 * or above the line of a RATIO.  A dozen events or fewer in both variants
 * together, or none in one of them, are too few for t: given their number,
 * those in B are binomial (Przyborowski and Wilenski 1940), with the interval
 * of Clopper and Pearson (1934) on counts divided by the over-dispersion
 * (Pearson's chi-squared over its degrees of freedom, at least 1); that of the
 * difference is made of both rates' exact limits (Zou and Donner 2008).  No
 * event in B: the bound of its rate is one-sided, -ln(1 - level) / exposure.
 * docs/STATISTICS.md has the simulated coverage of all of these.
 *
 * Verdict, for this comparison alone: different when the interval of the change
 * excludes 0 (@p_change); equivalent when that of level 1 - 2 (1 - level) lies
 * inside the margin (@p_equal: TOST, Schuirmann 1987); else not enough data.
 */
void ab_stats_compare(const struct ab_metric *metric, const struct ab_obs *obs,
		      size_t n_obs, int b,
		      const struct ab_stats_options *options, gsl_rng *rng,
		      struct ab_comparison *result_out);

/*
 * Values of variants @a and @b as independent as they come: the statistic of
 * each boot, paired by block, when two or more blocks hold both (with @a and
 * @b the same: of each boot); else that of each run.
 */
struct ab_units {
	double *a, *b;
	size_t n_a, n_b;
	bool paired; /* a[i] and b[i] are of one block */
};
void ab_stats_units(const struct ab_metric *metric, const struct ab_obs *obs,
		    size_t n_obs, int a, int b, struct ab_units *units_out);
void ab_units_clear(struct ab_units *units);

/*
 * Effect sizes that do not depend on a distribution.  Of pairs: Wilcoxon's
 * signed ranks (1945); else of two samples: Mann and Whitney's test (1947).
 * Assumption: the values of a variant are alike but for chance.
 */
struct ab_effect {
	bool paired;
	int n_a, n_b; /* values that it is of; with pairs the same */
	double p;     /* two-sided */
	bool p_exact;
	struct ab_shift shift; /* Hodges and Lehmann's (1963), with interval */
	double cliff;	       /* Cliff's delta (1993), B against A */
};
void ab_stats_effect(const struct ab_units *units, double level,
		     struct ab_effect *effect_out);

/* A comparison among the others of a report. */
struct ab_tested {
	struct ab_comparison *comparison;
	bool primary; /* the plan names its metric */
};
/* How many changes were tested. */
struct ab_families {
	size_t primaries, others;
};

/*
 * Decide all @n verdicts of a report together: the primaries by Holm (1979) at
 * 1 - @primary_level, which controls the chance of any false "different" among
 * them; the others by Benjamini and Hochberg (1995) at 1 - @level, which
 * controls the share of false ones among those called different (assumption:
 * tests are independent or positively dependent).  "Equivalent" is controlled
 * in the same way, over the tests of the margins.
 *
 * A primary's interval gets the level of its step of Holm's method, so that it
 * agrees with the verdict.  The others keep @level, each for itself: such an
 * interval may exclude 0 where the verdict does not say "different".
 */
void ab_stats_decide(const struct ab_tested *tested, size_t n, double level,
		     double primary_level, struct ab_families *families_out);

/* What a change is to those who wait for frames or pay for energy. */
enum ab_side { AB_BETTER, AB_WORSE, AB_SIDE_UNKNOWN };
enum ab_side ab_stats_side(const struct ab_metric *metric,
			   const struct ab_comparison *comparison);

/*
 * Make both intervals, and the boots needed, those of another level.  The
 * verdict stays.
 */
void ab_stats_set_level(struct ab_comparison *comparison, double level);

#endif
