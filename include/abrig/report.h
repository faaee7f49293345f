/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports: results in, text out.  This module knows nothing of traces or
 * devices; cmd/ and campaign/ fill an ab_report from the store and stats.
 */
#ifndef ABRIG_REPORT_H
#define ABRIG_REPORT_H

#include <abrig/stats.h>
#include <abrig/stats_design.h>
#include <abrig/stats_methods.h>
#include <abrig/stats_notes.h>

/* A metric that was measured with at least one variant. */
struct ab_report_row {
	const struct ab_metric *metric;
	struct ab_estimate base;
	/* One per variant after the baseline, in the report's order. */
	struct ab_comparison *versus;
	/* The same; NULL: unknown. */
	struct ab_effect *effects;
	struct ab_components *components;
	struct ab_notes *notes;
	size_t n_versus;
	/* What all is made of, of all variants, in any order. */
	struct ab_obs *obs;
	size_t n_obs;
	const struct ab_metric *measured;
	struct ab_stats_options options;
	bool primary;		/* the plan names its metric */
	double noise_floor_pct; /* of its devices' A/A; not above 0: unknown */
};

/*
 * What @row is made of: @n observations of @measured, which may differ from
 * what the row calls itself.  Copies the observations, but not their samples,
 * which must outlive the row.
 */
void ab_report_take(struct ab_report_row *row, const struct ab_metric *measured,
		    const struct ab_obs *obs, size_t n,
		    const struct ab_stats_options *options);
/*
 * Fill rows that have taken their observations: all but metric, primary and
 * noise floor.  On all processors at once; the numbers do not depend on how
 * many there are.
 */
void ab_report_fill_rows(struct ab_report_row *rows, size_t n_rows,
			 size_t n_variants, guint64 seed);
/*
 * Take and fill one row, without effects, components and notes, which take most
 * of the time: for rows that are many.
 */
void ab_report_fill_plain_row(struct ab_report_row *row,
			      const struct ab_metric *metric,
			      const struct ab_obs *obs, size_t n,
			      size_t n_variants,
			      const struct ab_stats_options *options,
			      guint64 seed);
void ab_report_clear_row(struct ab_report_row *row);

/*
 * Who pays: a class of threads or a rail of the power supply, whose numbers no
 * metric names.  Their rows are a family of their own: ab_report_decide().
 */
enum ab_pay {
	AB_PAY_WAIT,	   /* time for which its threads waited for a CPU */
	AB_PAY_WAIT_MEAN,  /* of its waits */
	AB_PAY_WAIT_P99,   /* the mean of the runs' P99 */
	AB_PAY_LONG_WAITS, /* of 2 ms or longer */
	AB_PAY_RUNNING,	   /* CPU time */
	AB_PAY_ENERGY,	   /* of a rail */
	AB_PAYS
};
struct ab_report_payer {
	const char *name;		    /* of the class or rail */
	struct ab_report_row rows[AB_PAYS]; /* metric NULL: was not measured */
};

/* One scenario on one platform. */
struct ab_report_table {
	const char *platform; /* "A"; NULL: numbers of others */
	const char *scenario; /* NULL: several */
	int cpus;	      /* 0: unknown */
	int devices;
	int refresh_hz;		   /* 0: unknown */
	int *runs;		   /* accepted, per variant */
	int *boots;		   /* 0: nobody told which runs share a boot */
	guint64 *exposure;	   /* per variant; NULL when it has none */
	const char *exposure_name; /* "work items", "frames" */
	struct ab_report_row *rows;
	size_t n_rows;
	struct ab_report_payer *payers; /* classes, then rails; by name */
	size_t n_payers;
	/* All classes together, with wait and running time only; or NULL. */
	struct ab_report_payer *all_classes;
};

/* What an accepted run measured; its obs without value and samples. */
struct ab_report_measured {
	struct ab_obs obs;
	const struct ab_run_data *data;
};
/*
 * Find the payers in the run values of @n runs, and fill @table's.  A class
 * that a run does not have waited and ran for 0 ms in it.
 */
void ab_report_fill_payers(struct ab_report_table *table,
			   const struct ab_report_measured *runs, size_t n,
			   size_t n_variants,
			   const struct ab_stats_options *options,
			   guint64 seed);
void ab_report_clear_payers(struct ab_report_table *table);

/* One run that was started, accepted or not. */
struct ab_report_run {
	gint64 id, session;
	const char *platform, *scenario, *device; /* its serial */
	int variant;
	int block, boot; /* boot: place in the block, from 0 */
	int position, attempt;
	bool warmup, accepted;
	const char *gate, *reason; /* NULL: not rejected */
	const char *dir;	   /* artefacts, in the campaign's; or NULL */
	const char *began, *ended; /* ISO 8601, UTC; or NULL */
	double skin_c;		   /* at its start; NAN: unknown */
	int battery;		   /* percent; -1: unknown */
	const char *banner;	   /* of the kernel that was proved; or NULL */
	const char *config_sha256, *slot; /* the same */
	const struct ab_run_data *data;	  /* what it measured; or NULL */
};

/* A phone, in the plan's order. */
struct ab_report_device {
	const char *serial, *platform;
	const char *fastboot; /* its serial there, when it is another */
	/* NULL: it was never seen. */
	const char *product, *model, *soc, *fingerprint;
	const char *failed;    /* why it was given up; or NULL */
	int boots, boots_lost; /* begun, and of these ended before its runs */
};

/* What each run was checked for. */
struct ab_report_gate {
	const char *id, *what, *remedy;
};

/* Rejected runs, per variant and reason. */
struct ab_report_exclusion {
	const char *platform, *scenario, *variant, *reason;
	int count;
};

struct ab_report {
	const char *plan; /* its name */
	const char *plan_sha256;
	const char *tool; /* "abrig 0.1.0" */
	guint64 seed;
	/* ISO 8601, UTC; ended NULL: running; both NULL: no campaign. */
	const char *began, *ended;
	const char *directory; /* the campaign's */
	const char *plan_file; /* as it was given; or NULL */
	const char *plan_text; /* what was in it; or NULL */
	char **variants;       /* names, NULL-terminated; [0] is the baseline */
	size_t n_variants;
	struct ab_report_table *tables;
	size_t n_tables;
	struct ab_report_run *runs; /* device by device, boot by boot */
	size_t n_runs;
	struct ab_report_device *devices;
	size_t n_devices;
	struct ab_report_gate *gates; /* all that there are */
	size_t n_gates;
	const char *origin; /* the submitter's name at KCIDB; NULL: "abrig" */
	struct ab_report_exclusion *exclusions;
	size_t n_exclusions;
	char **notes;	   /* warnings to print, NULL-terminated; may be NULL */
	char **provenance; /* lines "key: value", NULL-terminated; or NULL */
	int runs_planned, runs_started, runs_accepted; /* 0: not told */
	int runs_missing; /* planned, wanted, and not accepted */
	/* struct ab_aa_summary *, of each device; NULL: nobody looked */
	GPtrArray *aa;
	/* ab_report_decide() */
	double level;	   /* of the intervals, but for the primaries */
	bool with_effects; /* text formats print them, too */
	struct ab_families families;
	size_t payer_tests; /* changes of payers that were tested */
};

/*
 * Once all rows are filled, decide their verdicts together (ab_stats_decide()),
 * and what of the notes is told (ab_notes_control()).  Payers are decided for
 * themselves: by Benjamini and Hochberg over all of their rows.
 */
void ab_report_decide(struct ab_report *report, double level,
		      double primary_level);

/* Whether @origin can be that of ab_report. */
bool ab_report_origin_valid(const char *origin);

/* A format: one file in harness/report/, one line in ab_report_formats. */
struct ab_report_ops {
	const char *name; /* "rows", as in --style */
	const char *help; /* one line */
	const char *file; /* name in the campaign directory: "report.txt" */
	/* Append the whole report to @out.  Mandatory; does not block. */
	void (*write)(const struct ab_report *report, GString *out);
};
extern const struct ab_report_ops *const ab_report_formats[]; /* NULL-ended */
const struct ab_report_ops *ab_report_find(const char *name); /* or NULL */

/* ---- a picture of the values ---- */

struct ab_plot_series {
	const char *name;
	const double *values; /* finite, sorted ascending */
	size_t n;
	double mean, lo, hi; /* and its interval; NAN: none */
};
/*
 * Append a dot plot, 72 columns wide: for each of @n_series a band of stacked
 * dots over a bar of mean, interval and median, above one common scale.
 */
void ab_report_plot(const char *title, const struct ab_plot_series *series,
		    size_t n_series, GString *out);

#endif
