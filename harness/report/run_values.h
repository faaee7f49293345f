/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each run says of each metric, for formats that list runs. */
#ifndef REPORT_RUN_VALUES_H
#define REPORT_RUN_VALUES_H

#include "parts.h"

/* The metric's statistic over one run alone. */
struct run_value {
	const struct ab_report_table *table;
	const struct ab_report_row *row;
	const struct ab_obs *obs;
	double value; /* NAN: of nothing that could be measured */
};

/* One run, and where its values lie. */
struct run_group {
	const struct ab_report_run *run;     /* NULL: of numbers of others */
	const struct ab_report_table *table; /* NULL: without values */
	const struct ab_obs *obs;	     /* one of its own; the same */
	guint begin, end;
};

struct run_values {
	GArray *values; /* struct run_value, run by run */
	GArray *groups; /* struct run_group, one for each run that is known */
};
void run_values_init(struct run_values *v, const struct ab_report *report);
void run_values_clear(struct run_values *v);

const struct run_value *run_values_at(const struct run_values *v, guint i);
const struct run_group *run_values_group(const struct run_values *v, guint i);

/* "accepted", "rejected", "warm-up" or "unfinished". */
const char *run_status(const struct ab_report_run *run);
/* The phone with that serial; NULL: nobody knows it. */
const struct ab_report_device *run_device(const struct ab_report *report,
					  const struct ab_report_run *run);
/* "6.12.30-g1b2c3d4" of "Linux version 6.12.30-g1b2c3d4 (...) ..."; or NULL. */
char *run_kernel(const struct ab_report_run *run);

#endif
