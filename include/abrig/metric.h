/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be measured, and what one run measured.
 *
 * A run yields run values (one number each: frames missed, mean power) and
 * sample sets (many numbers: the CPU wait of every work item).  A metric is a
 * statistic over one of them, with unit and direction.  Trace analyses and
 * recorders produce ab_run_data; the store keeps it; stats and report read it.
 */
#ifndef ABRIG_METRIC_H
#define ABRIG_METRIC_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

enum ab_stat {
	AB_STAT_RUN_MEAN, /* mean over runs of a run value */
	AB_STAT_MEAN,	  /* mean over samples */
	AB_STAT_QUANTILE, /* @arg quantile of the pooled samples */
	AB_STAT_MAX,	  /* largest sample: "worst of N", no interval */
	AB_STAT_COUNT_GE, /* samples >= @arg, per run */
	AB_STAT_RATIO,	  /* @arg * sum of @source / sum of @per, over runs */
};

enum ab_direction {
	AB_LOWER_IS_BETTER,
	AB_HIGHER_IS_BETTER,
	AB_DIRECTION_UNKNOWN, /* or neither; of metrics that are not ours */
};
/* "lower", "higher"; NULL when unknown. */
const char *ab_direction_word(enum ab_direction direction);

struct ab_metric {
	const char *id;	    /* "pm_runtime_work.cpu_wait.p99", as in a plan */
	const char *group;  /* rows of one group stand together in a table */
	const char *label;  /* "CPU wait P99", at most 24 bytes */
	const char *unit;   /* of @source and of the printed value: "us" */
	const char *source; /* run value or sample set that it is made of */
	const char *per;    /* AB_STAT_RATIO: the run value below the line */
	enum ab_stat stat;
	double arg;
	enum ab_direction direction;
	bool continuous;	/* counts no events, whole numbers or not */
	const char *definition; /* one or two sentences, for --list-metrics */
};

/* All metrics, in the order of the tables; ends with a NULL id. */
extern const struct ab_metric ab_metrics[];
const struct ab_metric *ab_metric_find(const char *id); /* or NULL */
/* The ids of ab_metrics, NULL-terminated: for "did you mean". */
const char *const *ab_metric_ids(void);

/* What a run value is. */
struct ab_definition {
	const char *name; /* "work_items"; "sched.<class>.wait" stands for all
			     names with something in place of <...> */
	const char *unit; /* "" of counts */
	enum ab_direction direction;
	const char *definition;
};

/* Of run values, and sample sets, that no metric names; ends with a NULL name. */
extern const struct ab_definition ab_definitions[];
/* Of the run value @name, a metric or not; false when nobody knows it. */
bool ab_definition_find(const char *name, struct ab_definition *definition_out);

struct ab_sample_set {
	char *name;	/* "pm_runtime_work.cpu_wait" */
	GArray *values; /* double, in the unit of its metrics */
};

struct ab_run_value {
	char *name; /* "frames.sf_missed" */
	double value;
};

/* Why a value that one would expect is not there. */
struct ab_withheld {
	char *name; /* of the run value or sample set */
	char *reason;
};

struct ab_run_data {
	GPtrArray *values;   /* struct ab_run_value *, in order of setting */
	GHashTable *by_name; /* their names -> them */
	GPtrArray *samples;  /* struct ab_sample_set *, by name */
	GPtrArray *withheld; /* struct ab_withheld * */
};

struct ab_run_data *ab_run_data_new(void);
void ab_run_data_free(struct ab_run_data *data);
AB_DEFINE_AUTO(ab_run_data, ab_run_data_free)

/* Set the run value @name, replacing an earlier one. */
void ab_run_data_set(struct ab_run_data *data, const char *name, double value);
/* False when there is no such value. */
bool ab_run_data_get(const struct ab_run_data *data, const char *name,
		     double *value_out);
/* The sample set @name, created empty when absent; owned by @data. */
GArray *ab_run_data_samples(struct ab_run_data *data, const char *name);
/* The same, or NULL when absent. */
const GArray *ab_run_data_find(const struct ab_run_data *data,
			       const char *name);
/* Ascending, as statistics take them. */
void ab_samples_sort(GArray *values);
void ab_run_data_withhold(struct ab_run_data *data, const char *name,
			  const char *reason);
/* struct ab_definition: what the run values of @data are, each once. */
GArray *ab_definitions_used(const struct ab_run_data *data);

#endif
