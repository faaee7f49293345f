/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CAMPAIGN_RESULTS_H
#define CAMPAIGN_RESULTS_H

#include <abrig/campaign.h>

struct result_run {
	const struct ab_session_row *session;
	struct ab_run_row *row;
	struct ab_run_data *data; /* NULL unless it is to be analysed */
};

/* A report and all that it points into. */
struct results {
	struct ab_report report; /* first: it is what callers hold */
	struct ab_store *store;
	int blocks; /* data of these only; 0: of all */
	char **variants, **margins, **primary;
	GPtrArray *scenarios; /* struct ab_scenario *, without their files */
	GPtrArray *devices;   /* struct ab_device_row * */
	GPtrArray *sessions;  /* struct ab_session_row * */
	GPtrArray *runs;      /* struct result_run * */
};

/* All that is in the store of the campaign in @dir; ab_results_free(). */
struct results *results_open(const char *dir, GError **error);
/* With data of the first @blocks blocks only. */
struct results *results_open_blocks(const char *dir, int blocks,
				    GError **error);
/* The tables of a report, with rows of primary metrics only. */
void results_fill_primaries(struct results *r);
/*
 * struct ab_obs of @m, one for each accepted run of @scenario (its index) on
 * @platform that measured it; they point into @r.
 */
GArray *results_observations(const struct results *r, const char *platform,
			     int scenario, const struct ab_metric *m);
/* The same of any metric: struct ab_report_measured. */
GArray *results_measured(const struct results *r, const char *platform,
			 int scenario);
/* The report's list of all runs that were started. */
void results_fill_runs(struct results *r);
/* Its phones, and the gates that every run passes. */
void results_fill_devices(struct results *r);
void results_fill_gates(struct results *r);
/* The plan's margin in percent; NAN when it has none. */
double results_margin(const struct results *r, const char *metric);
/* Since 1970; NAN when @text is no time of the store. */
double results_seconds(const char *text);
/* The scenarios as they were when the campaign began. */
GPtrArray *results_scenarios(struct ab_store *store, GError **error);
const struct ab_device_row *results_device(const struct results *r,
					   const struct result_run *run);
/* Names, in the order of the devices; do not free them. */
GPtrArray *results_platforms(const struct results *r);
/* Lines "key: value" on devices and kernels; NULL-terminated. */
char **results_provenance(const struct results *r);

#endif
