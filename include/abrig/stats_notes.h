/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is noticed about the data of one metric: what a reader of its row has
 * to know and the row does not say.  Nothing here changes an estimate, and
 * nothing is dropped.  Arrays in, structs out; randomness is the caller's.
 *
 * Each kind is a test whose p is valid for clustered data: blocks, sessions or
 * runs within sessions are what is exchanged, never runs across boots.  Dozens
 * of metrics are looked at, so that the ps of a report are judged together:
 * ab_notes_control().  docs/STATISTICS.md has the simulated rates.
 */
#ifndef ABRIG_STATS_NOTES_H
#define ABRIG_STATS_NOTES_H

#include <abrig/stats.h>

enum ab_note_kind {
	AB_NOTE_TREND_TIME, /* drifts over the hours of the campaign */
	AB_NOTE_TREND_SKIN, /* varies with the temperature of the skin */
	AB_NOTE_TREND_BATTERY,
	AB_NOTE_WARMUP,		 /* first runs of sessions differ */
	AB_NOTE_OUTLIERS,	 /* runs or boots far from the others */
	AB_NOTE_MODES_RUNS,	 /* runs fall into two or more modes */
	AB_NOTE_MODES_SAMPLES,	 /* and so do the samples of a run */
	AB_NOTE_AUTOCORRELATION, /* runs of a session follow each other */
	AB_NOTE_DEVICES,	 /* devices differ in what the variant does */
};
#define AB_NOTE_KINDS (AB_NOTE_DEVICES + 1)
#define AB_NOTE_Q 0.01 /* false notes per kind among those of a report */
#define AB_NOTE_BOTH (-1)

const char *ab_note_name(enum ab_note_kind kind);  /* "trend-time": files */
const char *ab_note_title(enum ab_note_kind kind); /* "drift over time" */

/* A run, or a boot, that stands out. */
struct ab_note_place {
	int variant, device, block, session;
	int position; /* within the session; -1: the whole boot */
	double value; /* of the metric over that run or boot */
	double score; /* modified z; for counts the z of their tail */
};

struct ab_note_device {
	int device, blocks;
	double diff, se; /* of the mean block difference, metric's unit */
};

/* An analysis of covariance: what is left when the covariate is equal. */
struct ab_note_adjusted {
	double diff, lo, hi;	    /* B - A, in the metric's unit; or NAN */
	double pct, pct_lo, pct_hi; /* of A; NAN: some value is not above 0 */
	const char *basis;	    /* "block values", ...; static text */
	int blocks;		    /* whose covariate is known */
};

struct ab_note {
	enum ab_note_kind kind;
	bool noticed; /* ab_notes_control() says so */
	int variant;  /* 0, the one compared, or AB_NOTE_BOTH */
	double p;     /* that there is nothing to notice */
	/*
	 * How much.  Trends: the metric's unit per hour, degree or percent of
	 * charge.  Warm-up: first runs less the others, metric's unit.
	 * Outliers: the largest |score|.  Modes: Hartigan's dip.
	 * Autocorrelation: r of neighbouring runs.  Devices: I^2 in percent.
	 */
	double size;
	double size_pct; /* trends of the baseline's value, warm-up of the
			    others'; else NAN, and where it cannot be said */
	double range;	 /* trends: of the covariate over the blocks */
	double q;	 /* devices: Cochran's Q; else NAN */
	int n;		 /* blocks, sessions, runs, samples, devices tested */
	int runs, boots; /* outliers: how many of each */
	struct ab_note_adjusted adjusted; /* trends */
	double robust;			  /* outliers: Hodges-Lehmann shift */
	struct ab_note_place *places;	  /* outliers; largest first */
	size_t n_places;
	struct ab_note_device *devices; /* devices: each with >= 2 blocks */
	size_t n_devices;
};

/* One per kind for which the data suffice. */
struct ab_notes {
	struct ab_note *notes;
	size_t n;
};
void ab_notes_clear(struct ab_notes *notes);

/*
 * Look at the runs of variants 0 and @b in @obs for whatever kind of note
 * @metric allows; @options gives the level of adjusted intervals and the
 * number of resamples.  No note is noticed yet.  A maximum has none.
 *
 * Trends: block means and half block differences of a device are regressed on
 * those of the covariate, each with a level of its own; the two t statistics
 * are independent and are combined as normal deviates weighted by the root of
 * their sums of squares of the covariate (Stouffer 1949; Liptak 1958), so that
 * neither blocks nor boots are taken for more observations than they are.
 * Adjusted: block differences regressed on the covariate's, intercept, t with
 * n - 2 degrees of freedom (Cox 1958, 4.5).  Ratios work on linearised block
 * values, quantiles on the quantiles of blocks.
 * Warm-up: the first run less the mean of the others, of logarithms where all
 * run values are above 0, by t over sessions; for counts, which are far from
 * normal, by drawing which run of a session is its first.
 * Outliers: modified z (Iglewicz and Hoaglin 1993) above 3.5 on the plain and,
 * where all are above 0, the logarithmic scale, of runs within their session
 * (or variant and device, with fewer than 3 runs) and of boots; p from the t
 * that has the tails of a modified z, times the values looked at.
 * Counts: tail of the beta-binomial given the total.
 * Modes: Hartigan and Hartigan (1985), against uniform boots and uniform runs
 * with the intraclass correlation found (runs), and over samples less their
 * run's mean, jittered within their resolution.
 * Autocorrelation: lag 1 pooled over sessions, runs permuted within them.
 * Devices: Cochran's Q and I^2 (Higgins and Thompson 2002); p from Welch's
 * (1951) F, which knows that standard errors come from few blocks.
 */
void ab_notes_find(const struct ab_metric *metric, const struct ab_obs *obs,
		   size_t n_obs, int b, const struct ab_stats_options *options,
		   gsl_rng *rng, struct ab_notes *notes_out);

/*
 * Decide which of @notes, those of a whole report, are noticed: Benjamini and
 * Hochberg (1995) at @q within each kind.
 */
void ab_notes_control(struct ab_note **notes, size_t n, double q);

/*
 * One sentence with its numbers, at most two lines of 72 columns; the caller
 * frees it.
 */
char *ab_note_text(const struct ab_note *note, const struct ab_metric *metric);
/* Its numbers alone, to stand behind the name of a metric in a list. */
char *ab_note_brief(const struct ab_note *note, const struct ab_metric *metric);

#endif
