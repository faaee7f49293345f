// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Workload Automation's results.csv: a job is a scenario with a variant on a
 * platform, an iteration is a run of it.
 */
#include "run_values.h"

#include <string.h>

enum column {
	ID,
	WORKLOAD,
	ITERATION,
	METRIC,
	VARIANT,
	PLATFORM,
	DEVICE,
	BLOCK,
	BOOT,
	VALUE,
	UNITS,
	N_COLUMNS
};

static const char *const header[N_COLUMNS] = {
	[ID] = "id",	     [WORKLOAD] = "workload", [ITERATION] = "iteration",
	[METRIC] = "metric", [VARIANT] = "variant",   [PLATFORM] = "platform",
	[DEVICE] = "device", [BLOCK] = "block",	      [BOOT] = "boot",
	[VALUE] = "value",   [UNITS] = "units",
};

/* "s1-wk2": the second table's job with the first variant. */
static char *job_id(const struct ab_report *report, const struct run_group *g)
{
	return g_strdup_printf("s%d-wk%d", g->obs->variant + 1,
			       (int)(g->table - report->tables) + 1);
}

static void add_group(const struct ab_report *report,
		      const struct run_values *values,
		      const struct run_group *g, guint iteration, GString *out)
{
	g_autofree char *id = job_id(report, g);
	g_autofree char *run = g_strdup_printf("%u", iteration);
	g_autofree char *device = g_strdup_printf("%d", g->obs->device);
	g_autofree char *block = g_strdup_printf("%d", g->obs->block);
	g_autofree char *boot = g_strdup_printf("%d", g->obs->session);
	char buf[G_ASCII_DTOSTR_BUF_SIZE];
	const char *fields[N_COLUMNS] = {
		[ID] = id,
		[WORKLOAD] = g->table->scenario,
		[ITERATION] = run,
		[VARIANT] = report->variants[g->obs->variant],
		[PLATFORM] = g->table->platform,
		[DEVICE] = g->run ? g->run->device : device,
		[BLOCK] = block,
		[BOOT] = boot,
	};

	for (guint i = g->begin; i < g->end; i++) {
		const struct run_value *v = run_values_at(values, i);

		fields[METRIC] = v->row->metric->id;
		fields[VALUE] = csv_digits(buf, v->value);
		fields[UNITS] = v->row->metric->unit;
		if (*fields[VALUE])
			csv_line(out, fields, N_COLUMNS);
	}
}

static void write_wa(const struct ab_report *report, GString *out)
{
	size_t n = report->n_tables * report->n_variants;
	g_autofree guint *iterations = g_new0(guint, n + 1);
	struct run_values values;

	run_values_init(&values, report);
	csv_line(out, header, N_COLUMNS);
	for (guint i = 0; i < values.groups->len; i++) {
		const struct run_group *g = run_values_group(&values, i);
		size_t job;

		if (!g->table)
			continue;
		job = (size_t)(g->table - report->tables) * report->n_variants +
		      (size_t)g->obs->variant;
		add_group(report, &values, g, ++iterations[job], out);
	}
	run_values_clear(&values);
}

const struct ab_report_ops ab_report_wa = {
	.name = "wa",
	.help = "Workload Automation's results.csv",
	.file = "results.csv",
	.write = write_wa,
};
