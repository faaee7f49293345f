/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small campaign, made by hand, with all that can be in a report. */
#ifndef UNIT_HELPER_REPORT_H
#define UNIT_HELPER_REPORT_H

#include <abrig/report.h>

/* What --redact must hide of it, NULL-terminated. */
extern const char *const helper_report_secrets[];

/*
 * Two devices of one platform, three blocks of two variants on each, two runs
 * of a boot that count, one that was rejected and one warm-up.  The caller
 * may change it and frees it.
 */
struct ab_report *helper_report_new(void);
void helper_report_free(struct ab_report *report);

/* The report as format @name writes it (caller frees). */
char *helper_report_text(const struct ab_report *report, const char *name);

#endif
