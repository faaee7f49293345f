/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data that notes are looked for in, one level at a time: runs, boots and
 * blocks, each with the value of the metric's statistic over it.
 */
#ifndef STATS_NOTES_H
#define STATS_NOTES_H

#include "set.h"

#include <abrig/stats_notes.h>

struct note_run {
	const struct ab_obs *obs;
	double value;
	double events, exposure; /* of metrics that count, else NAN */
};

struct note_boot {
	const struct note_run *runs; /* by position */
	size_t n;
	int variant, device, block, session;
	double value;
};

enum note_covariate { NOTE_TIME, NOTE_SKIN, NOTE_BATTERY, NOTE_COVARIATES };

/* A block with both variants; rates and ratios are linearised. */
struct note_block {
	int device;
	double value[2];	      /* of each arm */
	double x[NOTE_COVARIATES][2]; /* means over the runs; hours, degC, % */
};

struct note_data {
	const struct ab_metric *metric;
	int b;
	double level;
	int resamples;
	gsl_rng *rng;
	struct note_run *runs; /* by device, block, variant, session */
	size_t n_runs;
	struct note_boot *boots;
	size_t n_boots;
	struct note_block *blocks; /* by device */
	size_t n_blocks;
	double arm[2]; /* estimates over these blocks */
	bool counts;   /* run values are numbers of events */
	bool linear;   /* block values are linearised: rates and ratios */
	bool positive; /* all run values are above 0 */
};
void note_data_init(struct note_data *d, const struct ab_metric *metric,
		    const struct ab_obs *obs, size_t n_obs, int b);
void note_data_clear(struct note_data *d);

/* Spread below which values are equal but for rounding. */
bool note_is_flat(double spread, double scale);
/* The middle of @n values, which it sorts. */
double note_median(double *values, size_t n);

struct note_ops {
	const char *name, *title;
	/*
	 * Fill the fields that the kind has; false when the data do not
	 * suffice to ask.  Does not block.  Mandatory.
	 */
	bool (*look)(const struct note_data *d, struct ab_note *note);
	/* Append the numbers in words.  Mandatory. */
	void (*say)(const struct ab_note *note, const struct ab_metric *metric,
		    GString *out);
};
extern const struct note_ops note_trend_time, note_trend_skin,
	note_trend_battery, note_warmup, note_outliers, note_modes_runs,
	note_modes_samples, note_autocorrelation, note_devices;

/* The difference when covariate @c is equal; see struct ab_note_adjusted. */
void note_adjust(const struct note_data *d, enum note_covariate c,
		 struct ab_note_adjusted *adjusted_out);

/* ---- what sentences are made of ---- */

/* Three significant digits with sign: "+1.23", "-0.0456", "+1,230". */
char *note_signed(double value);
/* "p = 0.003", "p < 0.0001" */
char *note_p(double p);

#endif
