/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports: results in, text out.  This module knows nothing of traces or
 * devices; cmd/ and campaign/ fill an ab_report from the store and stats.
 */
#ifndef ABRIG_REPORT_H
#define ABRIG_REPORT_H

#include <abrig/stats.h>

/* A metric that was measured with at least one variant. */
struct ab_report_row {
	const struct ab_metric *metric;
	struct ab_estimate base;
	/* One per variant after the baseline, in the report's order. */
	struct ab_comparison *versus;
};

/* One scenario on one platform. */
struct ab_report_table {
	const char *platform; /* "A" */
	const char *scenario;
	int cpus; /* 0: unknown */
	int devices;
	int refresh_hz; /* 0: unknown */
	int *runs;	/* accepted, per variant */
	int *boots;
	guint64 *exposure;	   /* per variant; NULL when it has none */
	const char *exposure_name; /* "work items", "frames" */
	struct ab_report_row *rows;
	size_t n_rows;
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
	const char *began, *ended; /* ISO 8601, UTC; ended NULL: running */
	const char *directory;	   /* the campaign's */
	char **variants; /* names, NULL-terminated; [0] is the baseline */
	size_t n_variants;
	struct ab_report_table *tables;
	size_t n_tables;
	struct ab_report_exclusion *exclusions;
	size_t n_exclusions;
	char **notes;	   /* warnings to print, NULL-terminated; may be NULL */
	char **provenance; /* lines "key: value", NULL-terminated; or NULL */
	int runs_planned, runs_started, runs_accepted;
};

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

#endif
