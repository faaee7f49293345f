/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Who pays?", as the formats print it. */
#ifndef REPORT_PAYERS_H
#define REPORT_PAYERS_H

#include <abrig/report.h>
#include <json-glib/json-glib.h>

/*
 * By which a payer loses or gains most: its wait, or energy; NULL when that
 * was not measured.  @variant is an index into report->variants.
 */
const struct ab_comparison *payer_moved(const struct ab_report_payer *payer,
					size_t variant);
bool payer_is_rail(const struct ab_report_payer *payer);
/* Any of its rows says "different". */
bool payer_differs(const struct ab_report_payer *payer, size_t variant);

/* How many payers lost and gained, and what: ms or mJ a run. */
struct payer_side {
	guint n, different;
	double moved;
};
struct payer_tally {
	guint n;
	struct payer_side lost, gained;
};
struct payer_tally payer_count(const struct ab_report_table *table,
			       size_t variant, bool rails);

struct payer_ranked {
	const struct ab_report_payer *payer;
	double moved; /* by payer_moved(), 0 where that is unknown */
	bool different;
};
/* struct payer_ranked of all rails, or of all others, in @compare's order. */
GArray *payers_rank(const struct ab_report_table *table, size_t variant,
		    bool rails, GCompareFunc compare);

/* The section of text formats. */
void payers_text(const struct ab_report *report, GString *out);

#endif
