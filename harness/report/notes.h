/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was noticed about the data, for those that look at it. */
#ifndef REPORT_NOTES_H
#define REPORT_NOTES_H

#include "parts.h"

/* A paragraph per kind: the rows with the smallest ps, and how many more. */
void notes_footnotes(const struct ab_report *report, GString *out);
/* The member "noticed" of the variant with @notes. */
void notes_json(JsonBuilder *b, const struct ab_report *report,
		const struct ab_notes *notes);

#endif
