/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of any size, without a campaign: for page tests and benchmarks. */
#ifndef UNIT_HTML_REPORT_H
#define UNIT_HTML_REPORT_H

#include <abrig/report.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

struct made {
	struct ab_report report;
	struct ab_report_table table;
	struct ab_metric *metrics;
	GStringChunk *names;
	GPtrArray *samples; /* double * */
	gsl_rng *rng;
};

struct made_size {
	size_t runs, metrics, samples; /* of a run and set */
};

#define MADE_RUNS_PER_BOOT 5
#define MADE_SETS 6 /* of samples; a third of the metrics are made of them */
static char *made_variants[] = { (char *)"base", (char *)"highpri", NULL };

/* Every third metric is of samples: mean, P90, P99, maximum and a count. */
static inline void made_metric(struct made *m, size_t k)
{
	static const enum ab_stat stats[] = { AB_STAT_MEAN, AB_STAT_QUANTILE,
					      AB_STAT_QUANTILE, AB_STAT_MAX,
					      AB_STAT_COUNT_GE };
	static const double args[] = { 0, 0.9, 0.99, 0, 400 };
	struct ab_metric *metric = &m->metrics[k];
	g_autofree char *id = g_strdup_printf("made.metric%zu", k);
	g_autofree char *set = g_strdup_printf("made.set%zu", k % MADE_SETS);
	bool samples = k % 3 == 0;

	*metric = (struct ab_metric){
		.id = g_string_chunk_insert(m->names, id),
		.group = k % 10 < 5 ? "first" : "second",
		.label = g_string_chunk_insert(m->names, id),
		.unit = samples ? "us" : "mW",
		.source = g_string_chunk_insert(m->names, samples ? set : id),
		.stat = samples ? stats[k / 3 % 5] : AB_STAT_RUN_MEAN,
		.arg = args[k / 3 % 5],
		.continuous = true,
		.definition = "Made for a test.",
	};
}

static inline void made_samples(struct made *m, size_t n, struct ab_obs *obs)
{
	double *values = g_new(double, n);

	for (size_t i = 0; i < n; i++)
		values[i] =
			gsl_ran_lognormal(m->rng, 4 - 0.2 * obs->variant, 1.2);
	gsl_sort(values, 1, n);
	g_ptr_array_add(m->samples, values);
	obs->value = NAN;
	obs->samples = values;
	obs->n_samples = n;
}

static inline struct ab_obs made_obs(size_t run)
{
	size_t boot = run / MADE_RUNS_PER_BOOT;

	return (struct ab_obs){
		/* Who is first takes turns. */
		.variant = (int)((boot + boot / 2) % 2),
		.device = 1,
		.block = (int)(boot / 2),
		.session = (int)boot + 1,
		.per = NAN,
		.at = 1.8e9 + 60.0 * (double)run,
		.skin_c = 30 + 3 * sin((double)run / 40),
		.battery = 80,
		.position = (int)(run % MADE_RUNS_PER_BOOT),
	};
}

static inline void made_row(struct made *m, const struct made_size *size,
			    size_t k)
{
	const struct ab_stats_options options = { 0.95, NAN, 100 };
	struct ab_report_row *row = &m->table.rows[k];
	g_autofree struct ab_obs *obs = g_new(struct ab_obs, size->runs);

	for (size_t i = 0; i < size->runs; i++) {
		obs[i] = made_obs(i);
		if (m->metrics[k].stat == AB_STAT_RUN_MEAN)
			obs[i].value = 100 + 3 * obs[i].variant +
				       gsl_ran_gaussian(m->rng, 5);
		else
			made_samples(m, size->samples, &obs[i]);
	}
	row->metric = &m->metrics[k];
	row->primary = k == 3 || k == 4;
	ab_report_take(row, row->metric, obs, size->runs, &options);
}

static inline void made_run(struct made *m, size_t i)
{
	struct ab_obs obs = made_obs(i);

	m->report.runs[i] = (struct ab_report_run){
		.id = (gint64)i + 1,
		.session = obs.session,
		.platform = "A",
		.scenario = "made",
		.device = "SERIAL",
		.variant = obs.variant,
		.block = obs.block,
		.position = obs.position,
		.accepted = i % 50 != 7,
		.gate = i % 50 == 7 ? "skin" : NULL,
		.reason = i % 50 == 7 ? "41.2 C is above 40 C" : NULL,
		.dir = "artefacts/1/1",
		.began = "2026-11-02T05:03:00Z",
		.skin_c = obs.skin_c,
		.battery = 80,
	};
}

static inline struct made *made_new(const struct made_size *size)
{
	struct made *m = g_new0(struct made, 1);

	m->names = g_string_chunk_new(4096);
	m->samples = g_ptr_array_new_with_free_func(g_free);
	m->rng = gsl_rng_alloc(gsl_rng_mt19937);
	m->metrics = g_new0(struct ab_metric, size->metrics);
	m->table = (struct ab_report_table){
		.platform = "A",
		.scenario = "made",
		.runs = g_new0(int, 2),
		.boots = g_new0(int, 2),
		.rows = g_new0(struct ab_report_row, size->metrics),
		.n_rows = size->metrics,
	};
	m->report = (struct ab_report){
		.plan = "made",
		.tool = "abrig",
		.variants = made_variants,
		.n_variants = 2,
		.tables = &m->table,
		.n_tables = 1,
		.runs = g_new0(struct ab_report_run, size->runs),
		.n_runs = size->runs,
	};
	for (size_t k = 0; k < size->metrics; k++) {
		made_metric(m, k);
		made_row(m, size, k);
	}
	ab_report_fill_rows(m->table.rows, size->metrics, 2, 1);
	for (size_t i = 0; i < size->runs; i++) {
		made_run(m, i);
		m->table.runs[m->report.runs[i].variant]++;
	}
	ab_report_decide(&m->report, 0.95, 0.95);
	return m;
}

static inline void made_free(struct made *m)
{
	for (size_t k = 0; k < m->table.n_rows; k++)
		ab_report_clear_row(&m->table.rows[k]);
	g_free(m->table.rows);
	g_free(m->table.runs);
	g_free(m->table.boots);
	g_free(m->report.runs);
	g_free(m->metrics);
	g_string_chunk_free(m->names);
	g_ptr_array_unref(m->samples);
	gsl_rng_free(m->rng);
	g_free(m);
}

#endif
