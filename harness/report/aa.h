/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_AA_H
#define REPORT_AA_H

#include "parts.h"

#include <abrig/aa.h>

/* "notification-shade pm_runtime_work CPU wait mean" */
char *aa_metric_text(const struct ab_aa_metric *m);
/* "different (p 0.0012, corrected 0.03)"; NULL: nothing is wrong with it. */
char *aa_why(const struct ab_aa_metric *m);
/* The record is a part of a campaign's report: devices that failed, ... */
void aa_notes(const struct ab_report *report, GString *out);
/* ... and a line for each. */
void aa_provenance(const struct ab_report *report, GString *out);
/* An object; with its metrics, or only those that failed. */
void aa_json(JsonBuilder *b, const struct ab_aa_summary *s, bool all);

#endif
