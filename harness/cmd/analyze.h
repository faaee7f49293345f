/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abrig analyze: what its files share. */
#ifndef CMD_ANALYZE_H
#define CMD_ANALYZE_H

#include <abrig/error.h>
#include <abrig/jobs.h>
#include <abrig/trace.h>
#include <abrig/trace_report.h>

/* What the command line asks for. */
struct analyze {
	const struct ab_trace_format *format;
	char **files; /* NULL-terminated */
	guint n_files;
	const struct ab_trace_window *window; /* NULL: the trace's own */
	const struct ab_thread_rules *rules;  /* NULL: the default */
	const char *samples;		      /* directory, or NULL */
	GPtrArray *sample_names; /* char *, per file: analyze_names.c */
	guint parallel;
	guint width; /* of the terminal; 0: there is none */
};

/* analyze_window.c: "A:B" in seconds, either may be empty. */
bool analyze_window(const char *text, struct ab_trace_window *window_out,
		    GError **error);

/*
 * analyze_names.c: how the CSV files of each of @files begin, no two alike.
 * char *, in their order.
 */
GPtrArray *analyze_names(char *const *files);

/*
 * analyze_file.c: analyse file @i and write its report to @out; messages to
 * standard error.  In a process of its own, which shares *@read with its
 * parent: the bytes that have been read; NULL: nobody looks.  Returns the exit
 * status.
 */
int analyze_file(const struct analyze *a, guint i, guint64 *read, int out);

/* analyze_quality.c: the quality record as the report wants it; to be freed. */
struct ab_quality_count *analyze_quality(const struct ab_trace_quality *quality,
					 guint *n_out);

/* analyze_jobs.c: all files, in parallel; returns the exit status. */
int analyze_files(const struct analyze *a);

#endif
