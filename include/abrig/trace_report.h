/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one trace says, ready to be printed: plain data that cmd/ fills, and
 * the formats it can be printed in.
 */
#ifndef ABRIG_TRACE_REPORT_H
#define ABRIG_TRACE_REPORT_H

#include <abrig/metric.h>
#include <abrig/table.h>

/* A count of what is missing from a trace, or was not understood. */
struct ab_quality_count {
	const char *id;	   /* key; lasts: "overrun" */
	const char *what;  /* "kernel events overwritten" */
	const char *means; /* for the reader: what to think of it */
	bool loss;	   /* data is missing; else only a remark */
	guint64 n;
};

struct ab_metric_value {
	const struct ab_metric *metric;
	double value;
	gint64 n; /* samples; -1: it is a run value */
};

/* A CSV file with all samples of one analysis. */
struct ab_samples_file {
	char *path;
	const char *table; /* its id */
	guint rows;
};

struct ab_trace_report {
	const char *file;
	/* NULL: analysed.  Else why not, and nothing below is set. */
	const char *error;
	guint width; /* of tables for people; 0: as in a mail */

	/* Of the trace; NULL or 0 where it does not say. */
	const char *format;
	const char *kernel, *kernel_version, *fingerprint;
	int cpus;
	guint64 packets, events;

	gint64 begin_ns, end_ns; /* of the measured window, trace clock */
	bool window_marked, window_given; /* neither: the whole trace */

	const struct ab_quality_count *quality;
	guint n_quality;
	const GPtrArray *unknown_events; /* char * */
	bool loss_in_window;

	const struct ab_run_data *data;
	const GArray *metrics;	 /* struct ab_metric_value */
	const GPtrArray *tables; /* struct ab_table * */
	const GPtrArray *files;	 /* struct ab_samples_file *; may be NULL */
};

/*
 * A format.  The reports of several traces make one document: @head, then
 * what each wrote, with @between in between unless it wrote nothing, then
 * @tail.
 */
struct ab_trace_format {
	const char *head, *between, *tail;
	/* Append the report of one trace.  Does not block. */
	void (*write)(const struct ab_trace_report *report, GString *out);
};
/* For people: quality first, then facts, metrics, tables. */
extern const struct ab_trace_format ab_trace_format_page;
/* docs/analyze-json.md */
extern const struct ab_trace_format ab_trace_format_json;
/* Long form: one line per value. */
extern const struct ab_trace_format ab_trace_format_csv;

/* Append @table as CSV: the columns' ids, then all rows. */
void ab_table_csv(const struct ab_table *table, GString *out);

#endif
