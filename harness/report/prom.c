// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The rig's health for node_exporter's textfile collector.  Results are not
 * in it: a time series of kernels that differ says nothing.
 */
#include "aa.h"

#include <math.h>
#include <string.h>

/* A gauge's first line says what it is. */
static void begin_gauge(GString *out, const char *name, const char *help)
{
	g_string_append_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", name,
			       help, name);
}

static void add_label(GString *out, const char *key, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value ? value : "", -1);
	char last = out->str[out->len - 1];

	g_string_append_printf(out, "%s%s=\"", last == '"' ? "," : "{", key);
	for (const char *p = valid; *p; p++)
		switch (*p) {
		case '\n':
			g_string_append(out, "\\n");
			break;
		case '\\':
		case '"':
			g_string_append_c(out, '\\');
			G_GNUC_FALLTHROUGH;
		default:
			g_string_append_c(out, *p);
		}
	g_string_append_c(out, '"');
}

static void end_sample(GString *out, double value)
{
	g_string_append(out, "} ");
	csv_number(out, value);
	g_string_append_c(out, '\n');
}

/* ---- the campaign ---- */

static double seconds(const char *time)
{
	g_autoptr(GDateTime) parsed =
		time ? g_date_time_new_from_iso8601(time, NULL) : NULL;

	return parsed ? (double)g_date_time_to_unix(parsed) : NAN;
}

static void add_campaign(const struct ab_report *report, const char *name,
			 const char *help, double value, GString *out)
{
	if (!isfinite(value))
		return;
	begin_gauge(out, name, help);
	g_string_append(out, name);
	add_label(out, "plan", report->plan);
	end_sample(out, value);
}

static void add_runs(const struct ab_report *report, GString *out)
{
	static const char name[] = "abrig_campaign_runs";
	const struct {
		const char *state;
		int count;
	} counts[] = {
		{ "planned", report->runs_planned },
		{ "started", report->runs_started },
		{ "accepted", report->runs_accepted },
		{ "missing", report->runs_missing },
	};

	begin_gauge(out, name, "Runs of the campaign.");
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		g_string_append(out, name);
		add_label(out, "plan", report->plan);
		add_label(out, "state", counts[i].state);
		end_sample(out, counts[i].count);
	}
}

static void add_info(const struct ab_report *report, GString *out)
{
	static const char name[] = "abrig_campaign_info";

	begin_gauge(out, name, "What was executed, and by what.");
	g_string_append(out, name);
	add_label(out, "plan", report->plan);
	add_label(out, "plan_sha256", report->plan_sha256);
	add_label(out, "tool", report->tool);
	end_sample(out, 1);
}

/* ---- devices ---- */

static int accepted(const struct ab_report *report,
		    const struct ab_report_device *d)
{
	int n = 0;

	for (size_t i = 0; i < report->n_runs; i++)
		n += report->runs[i].accepted && !report->runs[i].warmup &&
		     !strcmp(report->runs[i].device, d->serial);
	return n;
}

static int boots(const struct ab_report *report,
		 const struct ab_report_device *d)
{
	(void)report;
	return d->boots;
}

static int boots_lost(const struct ab_report *report,
		      const struct ab_report_device *d)
{
	(void)report;
	return d->boots_lost;
}

static int failed(const struct ab_report *report,
		  const struct ab_report_device *d)
{
	(void)report;
	return d->failed != NULL;
}

static void begin_device(const struct ab_report *report,
			 const struct ab_report_device *d, const char *name,
			 GString *out)
{
	g_string_append(out, name);
	add_label(out, "plan", report->plan);
	add_label(out, "platform", d->platform);
	add_label(out, "device", d->serial);
}

static void add_devices(const struct ab_report *report, GString *out)
{
	static const struct {
		const char *name, *help;
		int (*count)(const struct ab_report *,
			     const struct ab_report_device *);
	} gauges[] = {
		{ "abrig_device_runs_accepted", "Runs that count.", accepted },
		{ "abrig_device_boots", "Boots that were begun.", boots },
		{ "abrig_device_boots_lost",
		  "Boots that ended before their runs did.", boots_lost },
		{ "abrig_device_failed", "1: it was given up.", failed },
	};

	for (size_t i = 0; report->n_devices && i < G_N_ELEMENTS(gauges); i++) {
		begin_gauge(out, gauges[i].name, gauges[i].help);
		for (size_t k = 0; k < report->n_devices; k++) {
			const struct ab_report_device *d = &report->devices[k];

			begin_device(report, d, gauges[i].name, out);
			end_sample(out, gauges[i].count(report, d));
		}
	}
}

/* ---- gates ---- */

static int rejected(const struct ab_report *report, const char *serial,
		    const char *gate)
{
	int n = 0;

	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_run *run = &report->runs[i];

		n += run->gate && !strcmp(run->gate, gate) &&
		     !strcmp(run->device, serial);
	}
	return n;
}

/* Ids of all gates: those that are known, and what else rejected runs. */
static GPtrArray *gate_ids(const struct ab_report *report)
{
	GPtrArray *ids = g_ptr_array_new();

	for (size_t i = 0; i < report->n_gates; i++)
		g_ptr_array_add(ids, (gpointer)report->gates[i].id);
	for (size_t i = 0; i < report->n_runs; i++) {
		const char *gate = report->runs[i].gate;

		if (gate && !g_ptr_array_find_with_equal_func(
				    ids, gate, g_str_equal, NULL))
			g_ptr_array_add(ids, (gpointer)gate);
	}
	return ids;
}

/* Also where there was none: an alert needs the series to exist. */
static void add_rejected(const struct ab_report *report, GString *out)
{
	static const char name[] = "abrig_device_runs_rejected";
	g_autoptr(GPtrArray) ids = gate_ids(report);

	if (!report->n_devices || !ids->len)
		return;
	begin_gauge(out, name, "Runs that a gate rejected.");
	for (size_t k = 0; k < report->n_devices; k++)
		for (guint i = 0; i < ids->len; i++) {
			const struct ab_report_device *d = &report->devices[k];

			begin_device(report, d, name, out);
			add_label(out, "gate", ids->pdata[i]);
			end_sample(out,
				   rejected(report, d->serial, ids->pdata[i]));
		}
}

/* ---- A/A ---- */

static double aa_nights(const struct ab_aa_summary *s)
{
	return s->nights;
}

static double aa_failed(const struct ab_aa_summary *s)
{
	return s->nights ? s->failed : NAN;
}

static double aa_rate(const struct ab_aa_summary *s)
{
	return s->tests ? s->rate : NAN;
}

static void add_aa(const struct ab_report *report, GString *out)
{
	static const struct {
		const char *name, *help;
		double (*value)(const struct ab_aa_summary *);
	} gauges[] = {
		{ "abrig_aa_nights", "A/A nights on record.", aa_nights },
		{ "abrig_aa_failed", "1: the same kernel came out different.",
		  aa_failed },
		{ "abrig_aa_alarm_ratio", "A/A tests that raised an alarm.",
		  aa_rate },
	};

	for (size_t i = 0;
	     report->aa && report->aa->len && i < G_N_ELEMENTS(gauges); i++) {
		begin_gauge(out, gauges[i].name, gauges[i].help);
		for (guint k = 0; k < report->aa->len; k++) {
			const struct ab_aa_summary *s = report->aa->pdata[k];
			double value = gauges[i].value(s);

			if (!isfinite(value))
				continue;
			g_string_append(out, gauges[i].name);
			add_label(out, "device", s->serial);
			end_sample(out, value);
		}
	}
}

static void write_prom(const struct ab_report *report, GString *out)
{
	double began = seconds(report->began), ended = seconds(report->ended);

	add_info(report, out);
	add_runs(report, out);
	add_campaign(report, "abrig_campaign_began_timestamp_seconds",
		     "When it began, since 1970.", began, out);
	add_campaign(report, "abrig_campaign_ended_timestamp_seconds",
		     "When it ended, since 1970.", ended, out);
	add_campaign(report, "abrig_campaign_duration_seconds",
		     "From its begin to its end.", ended - began, out);
	add_devices(report, out);
	add_rejected(report, out);
	add_aa(report, out);
}

const struct ab_report_ops ab_report_prom = {
	.name = "prometheus",
	.help = "the rig's health for node_exporter's textfiles",
	.file = "abrig.prom",
	.write = write_prom,
};
