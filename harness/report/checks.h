/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What formats of tests list: did the gates let the campaign through, are the
 * phones' A/A in order, and is a variant worse.
 */
#ifndef REPORT_CHECKS_H
#define REPORT_CHECKS_H

#include "parts.h"

enum check_suite { CHECK_GATES, CHECK_AA, CHECK_VERDICTS, CHECK_N_SUITES };
extern const char *const check_suite_names[CHECK_N_SUITES];

enum check_result {
	CHECK_PASS,
	CHECK_FAIL,  /* the kernel under test is worse */
	CHECK_ERROR, /* the rig could not measure */
	CHECK_SKIP,  /* nothing can be said */
};

struct check {
	enum check_suite suite;
	enum check_result result;
	char *name; /* "thermal", "A notification-shade power.total highpri" */
	char *text; /* why; one line */
	/* Of a verdict; NULL of others. */
	const struct ab_report_table *table;
	const struct ab_report_row *row;
	const struct ab_comparison *comparison;
	const char *variant;
};

/*
 * struct check *, suite by suite.  A gate fails when it rejected runs and runs
 * are missing; a verdict when the metric is different and worse.  Verdicts are
 * those of primary metrics; of all, when the plan names none.
 */
GPtrArray *checks_new(const struct ab_report *report);
const struct check *check_at(const GPtrArray *checks, guint i);
guint checks_count(const GPtrArray *checks, enum check_suite suite,
		   enum check_result result);
/* "A 151 us -> 107.5 us: -28.8% [-33.2,-24.4] at 95 %, 40 vs. 40 runs". */
char *check_measurement(const struct check *check);

#endif
