/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of abrig compare. */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include <abrig/import.h>
#include <abrig/report.h>

/* A file to read and the variant that it is unless a column tells. */
struct compare_file {
	char *path, *variant;
	char *sha256; /* after reading */
};
/* Of the command line's @arguments; struct compare_file *. */
GPtrArray *compare_files(char **arguments, GError **error);
/* Read all of them into @import; false is wrong input: exit 2. */
bool compare_read(const GPtrArray *files, struct ab_import *import,
		  GError **error);

/* Whether @name is that of @m, or its id. */
bool compare_is(const struct ab_metric *m, const char *name);

struct compare_margin {
	const char *metric; /* name or id; NULL: all */
	double pct;
};
struct compare_request {
	double level;
	guint64 seed;
	GArray *margins; /* struct compare_margin; the last that fits counts */
	const char *const *primary; /* metrics; or NULL */
	bool effects;
	const char *command; /* that does the same */
};

/* A report and what it points to. */
struct compare_report {
	struct ab_report report;
	struct ab_report_table table;
	struct ab_metric *metrics; /* as the table's rows show them */
	char **notes;
};
void compare_report_fill(struct compare_report *r,
			 const struct ab_import *import, const GPtrArray *files,
			 const struct compare_request *request);
void compare_report_clear(struct compare_report *r);

/* Dot plots of all metrics. */
void compare_plot(const struct ab_import *import,
		  const struct compare_report *r, double level, GString *out);

#endif
