/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text formats share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include <abrig/report.h>
#include <abrig/table.h>
#include <json-glib/json-glib.h>

#define REPORT_WIDTH 72 /* aimed at */
#define REPORT_CAP 75	/* never exceeded: one "> " stays below 80 */

/* ---- numbers: strings that the caller frees ---- */

/* Thousands separated by commas, @decimals after the point. */
char *number_text(double value, int decimals);
/* The same without commas. */
char *number_plain(double value, int decimals);
char *number_count(guint64 n);
char *number_int(gint64 n);
/* "+0.125", "-1,234" */
char *number_signed(double value, int decimals);
/* Three significant digits, for bounds. */
char *number_bound(double value);
/* Decimals that show the larger of the two with four digits, at most 3. */
int number_decimals(double a, double b);
/* "-28.8%"; never "-100.0%" for what is above it. */
char *number_percent(double pct);
/* As in the 2022 mails: "-7.5%", "13.25%", "0.0%"; the same rule. */
char *number_perc_diff(double pct);
/* "[-33.1,-24.2]", "[-100,-56.4]", "[-99.9,>999]" */
char *number_percent_interval(double lo, double hi);

/* ---- text ---- */

/* @text with all that is not printable ASCII replaced by '?'. */
char *text_ascii(const char *text);
/* @text, with '_' for what is no ASCII letter, no digit and not @allowed. */
char *text_word(const char *text, const char *allowed);
/*
 * Append @text, wrapped at REPORT_WIDTH; @first is the indent of the first
 * line, @rest that of the others.
 */
void text_wrap(GString *out, const char *text, int first, int rest);
/* The same as a heading at the margin, where nothing may look like a patch. */
void text_heading(GString *out, const char *text);
/* A blank that text_wrap() prints and does not break at. */
#define TEXT_KEEP "\x1f"
/* Append to the text that is to be wrapped an item that is kept together. */
void text_item(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- parts of a report ---- */

/* @scale and @unit for printing: ms when us would be five digits. */
const char *part_unit(const struct ab_metric *metric, double a, double b,
		      double *scale_out);
/* What heads a table; @variant is an index into report->variants. */
void part_header(const struct ab_report *report,
		 const struct ab_report_table *table, size_t variant,
		 GString *out);
/* A variant's name where there is little room: "v1" when any is too long... */
char *part_short_name(const struct ab_report *report, size_t variant);
/* ... and then what these stand for. */
void part_legend(const struct ab_report *report, GString *out);
/*
 * With several tables or variants: a line for each, of how many rows are
 * better, worse, and what the primary metrics say.
 */
void part_panel(const struct ab_report *report, GString *out);
/* The level of the intervals, 0.95. */
double part_level(const struct ab_report *report);

/* Visit every row of every variant, in the order in which they are printed. */
typedef void (*row_visitor)(const struct ab_report_row *row,
			    const struct ab_comparison *c, void *context);
void part_each_row(const struct ab_report *report, row_visitor visit,
		   void *context);

/* It has an interval of the change, which may lack an upper end. */
bool part_has_interval(const struct ab_comparison *c);
/* The change is a percentage that may be printed: never one of all events. */
bool part_has_percent(const struct ab_comparison *c);
/* "1,847"; "< 0.374" where no event was seen. */
char *part_value(const struct ab_estimate *e, double scale, int decimals);
/*
 * "-28.8%"; "< -67.2%" of a variant without an event; else as part_mark() says
 * why not; @reasons may be NULL.
 */
char *part_percent(const struct ab_comparison *c, const GPtrArray *reasons);
/* Why @c lacks a percentage or an interval; NULL when it lacks none. */
const char *part_reason(const struct ab_comparison *c);
/*
 * "+0.125 [-0.171,+0.421]": the change in the metric's own unit, where the row
 * has no percentage and the numbers say more than its bounds; else NULL.
 */
char *part_difference(const struct ab_comparison *c, double scale);

/* Its interval excludes 0, and the correction for all tests says no. */
bool part_only_alone(const struct ab_comparison *c);
/* "different"; with a star when it is so only alone. */
char *part_verdict(const struct ab_comparison *c);
/*
 * What a line has no place for: the difference, another n than the table's,
 * effect sizes; or NULL.
 */
char *part_below(const struct ab_report *report,
		 const struct ab_report_table *table,
		 const struct ab_report_row *row, size_t variant);
/* How verdicts are corrected, and which metrics are primary. */
void part_decisions(const struct ab_report *report, GString *out);

/* What a row that is not enough data would have needed, per variant. */
struct needed {
	char *number; /* "84", "> 10,000"; the caller frees it */
	bool boots;   /* else runs */
};
/* For the observed change, or for one as large as the margin. */
bool part_needed(const struct ab_comparison *c, bool margin,
		 struct needed *needed_out);
/* One paragraph below a table: what its rows would have needed. */
void part_needs(const struct ab_report_table *table, size_t variant,
		GString *out);

/* "Mann-Whitney p 0.012, Hodges-Lehmann shift ..." */
char *part_effect(const struct ab_effect *effect, const char *unit,
		  double scale);

/* The reasons of all rows, each once, in order; do not free the texts. */
GPtrArray *part_reasons(const struct ab_report *report);
/* The letter of the reason; all that are too many share the last one. */
char part_letter(guint index);
/* "n/a (b)", as the footnote lists @reason; "n/a" without one. */
char *part_mark(const GPtrArray *reasons, const char *reason);

/* All that follows the tables; @reasons is NULL when rows say them. */
void part_footnotes(const struct ab_report *report, const GPtrArray *reasons,
		    GString *out);
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
/* A spreadsheet's: text at the left, numbers at the right. */
void tab_pivot(const struct tab *tab, GString *out);

/* ---- tables of typed cells as text ---- */

/* Strings of printable ASCII; @cells holds @n_rows times @n_columns. */
struct text_table {
	const char *const *titles, *const *units;
	const bool *right; /* aligned, as numbers are */
	size_t n_columns;
	const char *const *cells;
	size_t n_rows;
	size_t n_keys; /* columns that name a row: they stand in every group */
	size_t width;  /* cut into groups of columns where it is wider */
};
#define TEXT_TABLE_WIDTH 96
void text_table(const struct text_table *table, GString *out);
/* @table with its title; no more than TEXT_TABLE_ROWS rows, and it says so. */
#define TEXT_TABLE_ROWS 20
void text_cells(const struct ab_table *table, size_t width, GString *out);

/* ---- CSV as in RFC 4180, numbers with all digits ---- */

void csv_text(GString *out, const char *text);
/* The fewest digits that read back as @value; nothing for NAN. */
const char *csv_digits(char buf[static G_ASCII_DTOSTR_BUF_SIZE], double value);
void csv_number(GString *out, double value);
/* A line of @n fields; NULL is an empty one. */
void csv_line(GString *out, const char *const *fields, size_t n);
void csv_cell(const struct ab_table *table, guint row, guint column,
	      GString *out);

/* ---- JSON: what is not finite is null, what is not UTF-8 is made so ---- */

void json_member(JsonBuilder *b, const char *key);
void json_string(JsonBuilder *b, const char *value);
void json_double(JsonBuilder *b, double value);
void json_text(JsonBuilder *b, const char *key, const char *value);
void json_number(JsonBuilder *b, const char *key, double value);
void json_int(JsonBuilder *b, const char *key, gint64 value);
void json_bool(JsonBuilder *b, const char *key, bool value);
/* @key NULL: within an array. */
void json_begin(JsonBuilder *b, const char *key, bool array);
/* Append the document. */
void json_finish(JsonBuilder *b, bool pretty, GString *out);

/* ---- what the formats of one trace share ---- */

struct ab_trace_report;
/* Where the window comes from: "given", "markers" or "whole" (none). */
const char *trace_window(const struct ab_trace_report *r);

extern const struct ab_report_ops ab_report_rows, ab_report_grid,
	ab_report_pretty, ab_report_lkp, ab_report_pivot, ab_report_csv,
	ab_report_json;
extern const struct ab_report_ops ab_report_runs, ab_report_benchfmt,
	ab_report_wa, ab_report_ktap, ab_report_junit, ab_report_lava,
	ab_report_kcidb, ab_report_prom;
extern const struct ab_report_ops ab_report_html;

#endif
