/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text formats share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include <abrig/report.h>

#define REPORT_WIDTH 72 /* aimed at */
#define REPORT_CAP 75	/* never exceeded: one "> " stays below 80 */

/* ---- numbers: strings that the caller frees ---- */

/* Thousands separated by commas, @decimals after the point. */
char *number_text(double value, int decimals);
char *number_count(guint64 n);
/* Three significant digits, for bounds. */
char *number_bound(double value);
/* Decimals that show the larger of the two with four digits, at most 3. */
int number_decimals(double a, double b);
/* "-28.8%"; never "-100.0%" for what is above it. */
char *number_percent(double pct);
/* As in the 2022 mails: "-7.5%", "13.25%", "0.0%"; the same rule. */
char *number_perc_diff(double pct);
/* "[-33.1,-24.2]" */
char *number_percent_interval(double lo, double hi);

/* ---- text ---- */

/* @text with all that is not printable ASCII replaced by '?'. */
char *text_ascii(const char *text);
/*
 * Append @text, wrapped at REPORT_WIDTH; @first is the indent of the first
 * line, @rest that of the others.
 */
void text_wrap(GString *out, const char *text, int first, int rest);

/* ---- parts of a report ---- */

/* @scale and @unit for printing: ms when us would be five digits. */
const char *part_unit(const struct ab_metric *metric, double a, double b,
		      double *scale_out);
/* What heads a table; @variant is an index into report->variants. */
void part_header(const struct ab_report *report,
		 const struct ab_report_table *table, size_t variant,
		 GString *out);
/* The level of the intervals, 0.95. */
double part_level(const struct ab_report *report);
/* All that follows the tables. */
void part_footnotes(const struct ab_report *report, GString *out);
/* Its second half: runs, exclusions, notes and provenance. */
void part_accounts(const struct ab_report *report, GString *out);

/* ---- tables of the two styles of Python's tabulate ---- */

struct tab_column {
	const char *header;
	bool number; /* psql: aligned at the decimal point */
};
/* @cells holds @n_rows times @n_columns strings. */
struct tab {
	const struct tab_column *columns;
	size_t n_columns;
	const char *const *cells;
	size_t n_rows;
};
void tab_psql(const struct tab *tab, GString *out);
void tab_pretty(const struct tab *tab, GString *out);

extern const struct ab_report_ops ab_report_rows, ab_report_grid, ab_report_csv,
	ab_report_json;

#endif
