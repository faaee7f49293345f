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
#include <gsl/gsl_rng.h>

/* What one accepted run contributes to one metric. */
struct ab_obs {
	int variant; /* 0 is the baseline */
	int device;
	int block;	       /* within the device */
	int session;	       /* unique over the data set: one boot */
	double value;	       /* run value; NAN when the metric uses samples */
	double per;	       /* AB_STAT_RATIO: the run value below the line */
	const double *samples; /* sorted ascending; NULL when none */
	size_t n_samples;
};

enum ab_verdict { AB_DIFFERENT, AB_EQUIVALENT, AB_NOT_ENOUGH_DATA };
const char *ab_verdict_word(enum ab_verdict v); /* the words of DESIGN.md */

/* One variant's estimate. */
struct ab_estimate {
	double value; /* NAN: nothing measured */
	int runs, boots;
	guint64 samples; /* 0 for metrics over run values */
	double total;	 /* events counted, for counts; else NAN */
};

/* How the interval was made; the report says it in words. */
enum ab_method {
	AB_METHOD_NONE,		   /* no interval: maxima, nothing to compare */
	AB_METHOD_PAIRED_T,	   /* t on block differences of boot values */
	AB_METHOD_BLOCK_BOOTSTRAP, /* blocks resampled, t-corrected */
	AB_METHOD_RUN_T,      /* one boot per variant: boot-to-boot variation
			       was not measured */
	AB_METHOD_ZERO_BOUND, /* no event in B: one-sided upper bound */
};

/* A variant against the baseline, for one metric on one platform. */
struct ab_comparison {
	struct ab_estimate a, b;
	double diff, diff_lo, diff_hi; /* B - A, in the metric's unit */
	double pct, pct_lo, pct_hi;    /* of A; NAN when not printable */
	const char *pct_reason;	       /* why pct is NAN; static text or NULL */
	double b_upper;		       /* AB_METHOD_ZERO_BOUND: rate bound */
	double p;	   /* permutation within blocks; NAN: none */
	double level;	   /* of the interval, 0.95 */
	double margin_pct; /* equivalence margin; NAN: none given */
	enum ab_method method;
	enum ab_verdict verdict;
	double boots_needed; /* per variant for 80 % power at the observed
				effect (or at the margin); NAN: unknown */
};

struct ab_stats_options {
	double level;	   /* 0.95 */
	double margin_pct; /* NAN when the plan names none */
	int resamples;	   /* bootstrap and permutation; 2000 */
};

/*
 * Compare variant @b with variant 0 for @metric.  @obs holds the accepted runs
 * of all variants in any order.  Blocks that lack one of the two variants
 * contribute to the estimates but not to the interval.
 */
void ab_stats_compare(const struct ab_metric *metric, const struct ab_obs *obs,
		      size_t n_obs, int b,
		      const struct ab_stats_options *options, gsl_rng *rng,
		      struct ab_comparison *result_out);

/* Quantile of sorted data, linear interpolation (Hyndman-Fan type 7). */
double ab_stats_quantile(const double *sorted, size_t n, double q);

#endif
