/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of report.html share. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "parts.h"

/* ---- files of the page, embedded when the program is built ---- */

extern const char ab_html_page_css[], ab_html_page_js[], ab_html_licences[];
extern const char ab_html_vega_js[]; /* empty: built without it */
extern const char ab_html_forest[], ab_html_ecdf[], ab_html_tail[],
	ab_html_strip[], ab_html_order[], ab_html_power[];

/* ---- text: whatever is put into a page goes through these ---- */

/* Append @text as text, or as the value of a quoted attribute. */
void html_text(GString *out, const char *text);
/* Like printf; strings and characters among the arguments are escaped. */
void html_add(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Append @json so that no string in it ends a script element. */
void html_json(GString *out, const char *json);
/* "sha256-...", as a content security policy names a script. */
char *html_hash(const char *script);

/* ---- cells of one comparison; the caller frees them ---- */

struct html_cells {
	char *a, *b, *percent, *interval, *verdict;
	const char *unit;
	char *below; /* what else there is to say; or NULL */
};
void html_cells(const struct ab_report_row *row, size_t variant,
		struct html_cells *cells_out);
void html_cells_clear(struct html_cells *cells);
/* "different-better": how a row is coloured. */
const char *html_class(const struct ab_metric *metric,
		       const struct ab_comparison *c);
/* "group label" */
char *html_name(const struct ab_metric *metric);
/* "Platform A, notification-shade" */
char *html_title(const struct ab_report_table *table);

/* ---- the values of one variant, pooled over its runs ---- */

#define HTML_POINTS 500 /* of a distribution function, at most */
#define HTML_QUANTILES 8

struct html_dist {
	size_t n;
	double mean, max;
	double quantiles[HTML_QUANTILES]; /* at html_quantiles */
	/* Points of the empirical distribution function, ascending. */
	double *x, *p;
	size_t n_points;
};
extern const double html_quantiles[HTML_QUANTILES];

/* Of samples, or of run values where a metric is made of them. */
struct html_dists;
struct html_dists *html_dists_new(const struct ab_report *report);
void html_dists_free(struct html_dists *dists);
/* One per variant. */
const struct html_dist *html_dists_find(const struct html_dists *dists,
					const struct ab_report_table *table,
					const struct ab_report_row *row);
bool html_over_samples(const struct ab_metric *metric);
/* Of what is pooled; a count has none where its samples have one. */
const char *html_sample_unit(const struct ab_metric *metric);
/* The metric's value over that run alone; NAN: it has none. */
double html_run_value(const struct ab_metric *metric, const struct ab_obs *obs);
/* The serial of the device with the run of @obs; "" when nobody told it. */
const char *html_device(const struct ab_report *report,
			const struct ab_obs *obs);
/* Indices of @row's observations by device, block and time. */
GArray *html_obs_order(const struct ab_report_row *row);

/* ---- sections, in the order of the page ---- */

void html_summary(const struct ab_report *report, GString *out);
void html_results(const struct ab_report *report, GString *out);
void html_metrics(const struct ab_report *report,
		  const struct html_dists *dists, GString *out);
/* The values of @row's runs, boot by boot. */
void html_blocks(const struct ab_report *report,
		 const struct ab_report_row *row, GString *out);
bool html_has_payers(const struct ab_report *report);
/* Nothing where no payers are known. */
void html_payers(const struct ab_report *report, GString *out);
void html_power(const struct ab_report *report, GString *out);
void html_runs(const struct ab_report *report, GString *out);
void html_accounts(const struct ab_report *report, GString *out);
/* What charts are drawn from. */
void html_data(const struct ab_report *report, const struct html_dists *dists,
	       GString *out);

#endif
