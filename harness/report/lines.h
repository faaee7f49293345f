/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of a report as a line of text: A -> B, percent, interval, verdict. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include <abrig/report.h>

enum line_column {
	LINE_LABEL,
	LINE_A,
	LINE_B,
	LINE_UNIT,
	LINE_PERCENT,
	LINE_INTERVAL,
	LINE_VERDICT,
	LINE_COLUMNS
};

struct line {
	const char *group; /* lines of one group stand below its name */
	char *head;	   /* what is too long for its cells; may be NULL */
	char *cells[LINE_COLUMNS];
	char *whole; /* instead of PERCENT and what follows */
	char *below; /* a line of its own; may be NULL */
};

/* For struct line *, which it owns. */
GPtrArray *lines_new(void);
/* @reasons: what the footnotes explain; see part_reasons(). */
struct line *line_make(const struct ab_report *report,
		       const struct ab_report_table *table,
		       const struct ab_report_row *row, size_t variant,
		       const GPtrArray *reasons);
/* Widen @widths, LINE_COLUMNS of them, to what the lines need. */
void lines_measure(const GPtrArray *lines, size_t *widths);
/* They do not fit into one line each. */
bool lines_too_wide(const GPtrArray *lines, const size_t *widths);
void lines_print(const GPtrArray *lines, const size_t *widths, GString *out);

#endif
