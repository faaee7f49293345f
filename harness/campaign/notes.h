/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CAMPAIGN_NOTES_H
#define CAMPAIGN_NOTES_H

#include <abrig/report.h>

/* What is noticed about @obs, struct ab_obs of the row's metric. */
void notes_fill_row(const struct ab_report *report, const GArray *obs,
		    const struct ab_stats_options *options,
		    struct ab_report_row *row);
/* After all rows: which of it a reader is told. */
void notes_decide(const struct ab_report *report);
void notes_free(const struct ab_report *report);

#endif
