// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Long form: one line per run and metric.  A run without a value has one line,
 * too, which says why.  Columns are added at the end only; what is unknown is
 * empty.
 */
#include "run_values.h"

#include <math.h>

enum column {
	PLAN,
	PLAN_SHA256,
	PLATFORM,
	DEVICE,
	VARIANT,
	KERNEL,
	CONFIG_SHA256,
	BUILD,
	SOC,
	SLOT,
	SESSION,
	BLOCK,
	BOOT,
	RUN,
	POSITION,
	ATTEMPT,
	SCENARIO,
	METRIC,
	VALUE,
	UNIT,
	EXPOSURE,
	EXPOSURE_UNIT,
	STATUS,
	GATE,
	REASON,
	BEGAN,
	ENDED,
	SKIN_C,
	BATTERY_PCT,
	TOOL,
	N_COLUMNS
};

static const char *const header[N_COLUMNS] = {
	[PLAN] = "plan",
	[PLAN_SHA256] = "plan_sha256",
	[PLATFORM] = "platform",
	[DEVICE] = "device",
	[VARIANT] = "variant",
	[KERNEL] = "kernel",
	[CONFIG_SHA256] = "config_sha256",
	[BUILD] = "build",
	[SOC] = "soc",
	[SLOT] = "slot",
	[SESSION] = "session",
	[BLOCK] = "block",
	[BOOT] = "boot",
	[RUN] = "run",
	[POSITION] = "position",
	[ATTEMPT] = "attempt",
	[SCENARIO] = "scenario",
	[METRIC] = "metric",
	[VALUE] = "value",
	[UNIT] = "unit",
	[EXPOSURE] = "exposure",
	[EXPOSURE_UNIT] = "exposure_unit",
	[STATUS] = "status",
	[GATE] = "gate",
	[REASON] = "reason",
	[BEGAN] = "began",
	[ENDED] = "ended",
	[SKIN_C] = "skin_c",
	[BATTERY_PCT] = "battery_pct",
	[TOOL] = "tool",
};

/* A line that is being filled; @texts owns what was made for it. */
struct line {
	const char *fields[N_COLUMNS];
	GStringChunk *texts;
};

static void set_int(struct line *line, enum column column, gint64 value)
{
	char buf[24];

	g_snprintf(buf, sizeof(buf), "%" G_GINT64_FORMAT, value);
	line->fields[column] = g_string_chunk_insert(line->texts, buf);
}

static void set_number(struct line *line, enum column column, double value)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	line->fields[column] =
		g_string_chunk_insert(line->texts, csv_digits(buf, value));
}

/* ---- the run ---- */

static void set_kernel(struct line *line, const struct ab_report_run *run)
{
	g_autofree char *kernel = run_kernel(run);

	if (kernel)
		line->fields[KERNEL] =
			g_string_chunk_insert(line->texts, kernel);
	line->fields[CONFIG_SHA256] = run->config_sha256;
	line->fields[SLOT] = run->slot;
}

static void set_run(struct line *line, const struct ab_report *report,
		    const struct ab_report_run *run)
{
	const struct ab_report_device *device = run_device(report, run);

	line->fields[PLATFORM] = run->platform;
	line->fields[DEVICE] = run->device;
	line->fields[VARIANT] = report->variants[run->variant];
	line->fields[SCENARIO] = run->scenario;
	line->fields[BUILD] = device ? device->fingerprint : NULL;
	line->fields[SOC] = device ? device->soc : NULL;
	line->fields[STATUS] = run_status(run);
	line->fields[GATE] = run->gate;
	line->fields[REASON] = run->reason;
	line->fields[BEGAN] = run->began;
	line->fields[ENDED] = run->ended;
	set_kernel(line, run);
	set_int(line, SESSION, run->session);
	set_int(line, BLOCK, run->block);
	set_int(line, BOOT, run->boot);
	set_int(line, RUN, run->id);
	set_int(line, POSITION, run->position);
	set_int(line, ATTEMPT, run->attempt);
	set_number(line, SKIN_C, run->skin_c);
	if (run->battery >= 0)
		set_int(line, BATTERY_PCT, run->battery);
}

/* All that numbers of others tell. */
static void set_others(struct line *line, const struct ab_report *report,
		       const struct run_group *g)
{
	line->fields[PLATFORM] = g->table->platform;
	line->fields[SCENARIO] = g->table->scenario;
	line->fields[VARIANT] = report->variants[g->obs->variant];
	line->fields[STATUS] = "accepted";
	set_int(line, DEVICE, g->obs->device);
	set_int(line, SESSION, g->obs->session);
	set_int(line, BLOCK, g->obs->block);
	set_int(line, POSITION, g->obs->position);
}

/* ---- its values ---- */

static void set_exposure(struct line *line, const struct run_value *v)
{
	if (isfinite(v->obs->per)) {
		set_number(line, EXPOSURE, v->obs->per);
		line->fields[EXPOSURE_UNIT] = v->row->metric->per;
	} else if (v->obs->samples) {
		set_int(line, EXPOSURE, (gint64)v->obs->n_samples);
		line->fields[EXPOSURE_UNIT] = "samples";
	} else {
		line->fields[EXPOSURE] = line->fields[EXPOSURE_UNIT] = NULL;
	}
}

static void add_value(struct line *line, const struct run_value *v,
		      GString *out)
{
	line->fields[METRIC] = v->row->metric->id;
	line->fields[UNIT] = v->row->metric->unit;
	set_number(line, VALUE, v->value);
	set_exposure(line, v);
	csv_line(out, line->fields, N_COLUMNS);
}

/* What one would expect and the run does not have, by the name of its source. */
static void add_withheld(const struct line *run, const struct ab_run_data *data,
			 GString *out)
{
	struct line line = *run;

	for (guint i = 0; data && i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		line.fields[METRIC] = w->name;
		line.fields[REASON] = w->reason;
		csv_line(out, line.fields, N_COLUMNS);
	}
}

static void add_group(const struct ab_report *report,
		      const struct run_values *values,
		      const struct run_group *g, GString *out)
{
	g_autoptr(GStringChunk) texts = g_string_chunk_new(512);
	struct line line = { .texts = texts }, run;

	line.fields[PLAN] = report->plan;
	line.fields[PLAN_SHA256] = report->plan_sha256;
	line.fields[TOOL] = report->tool;
	if (g->run)
		set_run(&line, report, g->run);
	else
		set_others(&line, report, g);
	run = line;
	if (g->begin == g->end)
		csv_line(out, line.fields, N_COLUMNS);
	for (guint i = g->begin; i < g->end; i++)
		add_value(&line, run_values_at(values, i), out);
	if (g->run)
		add_withheld(&run, g->run->data, out);
}

static void write_runs(const struct ab_report *report, GString *out)
{
	struct run_values values;

	run_values_init(&values, report);
	csv_line(out, header, N_COLUMNS);
	for (guint i = 0; i < values.groups->len; i++)
		add_group(report, &values, run_values_group(&values, i), out);
	run_values_clear(&values);
}

const struct ab_report_ops ab_report_runs = {
	.name = "runs",
	.help = "CSV, one line per run and metric",
	.file = "runs.csv",
	.write = write_runs,
};
