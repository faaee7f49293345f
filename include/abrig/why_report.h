/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why frames were missed, as text (72 columns, ASCII) and as JSON. */
#ifndef ABRIG_WHY_REPORT_H
#define ABRIG_WHY_REPORT_H

#include <abrig/report.h>
#include <abrig/why.h>

/* The missed frames of the trace @file, a line each, and the mechanisms. */
void ab_why_list(const struct ab_why *why, const char *file, GString *out);
/* The chain of one of them. */
void ab_why_chain(const struct ab_why *why, const struct ab_why_frame *frame,
		  const char *file, GString *out);
/* One document: @frame, or all of them when it is NULL. */
void ab_why_json(const struct ab_why *why, const struct ab_why_frame *frame,
		 const char *file, GString *out);

/*
 * From the run values of a campaign's accepted runs: what each variant's
 * missed frames have in common, and the runs that missed most.
 */
void ab_why_campaign(const struct ab_report *report, const char *dir,
		     GString *out);

#endif
