// SPDX-License-Identifier: GPL-3.0-or-later
/* Perfetto: the phone's own tracing service, with a generated configuration. */
#include "recorders.h"

#include <abrig/error.h>
#include <abrig/file.h>
#include <abrig/keys.h>
#include <abrig/log.h>
#include <abrig/scenario.h>
#include <abrig/trace.h>
#include <string.h>

#define TRACE_FILE "trace.pftrace"
#define CONFIG_FILE "trace.pbtx"
/* The tracing ends by itself when the rig was lost for so long. */
#define MAX_TRACE_MS (60 * 60 * 1000)
#define SOURCES_MS 2000

struct options {
	gint64 buffer;
	gint64 kernel_buffer;
	char **events;
};

static const struct ab_key keys[] = {
	{ .name = "buffer",
	  .type = AB_KEY_SIZE,
	  .offset = offsetof(struct options, buffer),
	  .dflt = "64 MiB",
	  .min = 1 << 20,
	  .max = 1 << 30,
	  .help = "Central trace buffer; when it is full the rest is lost, and "
		  "the run rejected." },
	{ .name = "kernel_buffer",
	  .type = AB_KEY_SIZE,
	  .offset = offsetof(struct options, kernel_buffer),
	  .dflt = "16 MiB",
	  .min = 1 << 20,
	  .max = 256 << 20,
	  .help = "Kernel ring buffer per CPU." },
	{ .name = "events",
	  .type = AB_KEY_STRINGS,
	  .offset = offsetof(struct options, events),
	  .help = "More ftrace events, as group/name." },
	AB_KEYS_END,
};

/* What the metrics need; docs/METRICS.md says which needs which. */
static const char *const kernel_events[] = {
	"sched/sched_switch",
	"sched/sched_waking",
	"sched/sched_blocked_reason",
	"sched/sched_process_free",
	"task/task_newtask",
	"task/task_rename",
	"workqueue/workqueue_queue_work",
	"workqueue/workqueue_activate_work",
	"workqueue/workqueue_execute_start",
	"workqueue/workqueue_execute_end",
	"rpm/rpm_status",
	"rpm/rpm_suspend",
	"rpm/rpm_resume",
	"rpm/rpm_return_int",
	"power/cpu_frequency",
	"power/cpu_idle",
	"power/suspend_resume",
	"ftrace/print",
};

static char *make_config(const struct options *o, gint64 duration_ms)
{
	GString *s = g_string_new(NULL);
	char **e;
	size_t i;

	g_string_append_printf(
		s,
		"buffers { size_kb: %" G_GINT64_FORMAT
		" fill_policy: DISCARD }\n"
		"buffers { size_kb: 4096 fill_policy: DISCARD }\n",
		o->buffer / 1024);
	g_string_append(s, "data_sources { config { name: \"linux.ftrace\" "
			   "target_buffer: 0 ftrace_config {\n");
	for (i = 0; i < G_N_ELEMENTS(kernel_events); i++)
		g_string_append_printf(s, "  ftrace_events: \"%s\"\n",
				       kernel_events[i]);
	for (e = o->events; e && *e; e++)
		g_string_append_printf(s, "  ftrace_events: \"%s\"\n", *e);
	g_string_append_printf(s,
			       "  atrace_categories: \"gfx\"\n"
			       "  compact_sched { enabled: true }\n"
			       "  symbolize_ksyms: true\n"
			       "  buffer_size_kb: %" G_GINT64_FORMAT "\n"
			       "  drain_period_ms: 250\n} } }\n",
			       o->kernel_buffer / 1024);
	g_string_append(s,
			"data_sources { config { name: "
			"\"android.surfaceflinger.frametimeline\" "
			"target_buffer: 0 } }\n"
			"data_sources { config { name: \"android.power\" "
			"target_buffer: 1 android_power_config { "
			"battery_poll_ms: 1000 "
			"battery_counters: BATTERY_COUNTER_CURRENT "
			"battery_counters: BATTERY_COUNTER_CHARGE "
			"battery_counters: BATTERY_COUNTER_VOLTAGE "
			"collect_power_rails: true } } }\n"
			"data_sources { config { name: \"linux.process_stats\" "
			"target_buffer: 1 process_stats_config { "
			"scan_all_processes_on_start: true } } }\n"
			"data_sources { config { name: \"linux.system_info\" "
			"target_buffer: 1 } }\n");
	g_string_append_printf(s, "duration_ms: %" G_GINT64_FORMAT "\n",
			       duration_ms);
	return g_string_free(s, FALSE);
}

/* Event names come from a plan and go into the configuration's text. */
static bool check_events(const struct options *o, GError **error)
{
	char **e;

	for (e = o->events; e && *e; e++)
		if (!g_regex_match_simple("^[a-z0-9_]+/[A-Za-z0-9_]+$", *e, 0,
					  0)) {
			g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
				    "perfetto: '%s' is no ftrace event; write "
				    "group/name, as in sched/sched_switch",
				    *e);
			return false;
		}
	return true;
}

static bool probe(struct ab_phone *phone, const void *options,
		  const struct ab_wait *w, GError **error)
{
	g_autofree char *text = NULL;

	if (!check_events(options, error))
		return false;
	text = ab_phone_text(phone, w, error,
			     "command -v perfetto >/dev/null && echo yes; "
			     "cat /sys/kernel/tracing/current_tracer "
			     "2>/dev/null; true");
	if (!text)
		return false;
	if (!g_str_has_prefix(text, "yes")) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: there is no perfetto command; without it no "
			    "trace is recorded (Android 12 or later has it)",
			    phone->serial);
		return false;
	}
	return true;
}

static bool archive_config(struct ab_recording *rec, const char *config,
			   GError **error)
{
	g_autofree char *path = g_build_filename(rec->dir, CONFIG_FILE, NULL);

	return ab_file_write(path, config, -1, error);
}

/* The phone's perfetto, told to go on by itself; its pid goes to the job. */
static bool launch(struct ab_recording *rec, const struct ab_wait *w,
		   const char *how, const char *config,
		   struct ab_shell_result *r_out, GError **error)
{
	struct remote_job *job = rec->state;
	g_autofree char *command =
		g_strdup_printf("perfetto --txt -c - -o %s %s", job->path, how);

	return ab_adb_shell_input(rec->phone->adb, w, rec->phone->serial,
				  command, config, strlen(config), r_out,
				  error);
}

/*
 * The first perfetto commands know only --background, which does not wait
 * until the sources record.
 */
static bool launch_any(struct ab_recording *rec, const struct ab_wait *w,
		       const char *config, struct ab_shell_result *r_out,
		       GError **error)
{
	if (!launch(rec, w, "--background-wait", config, r_out, error))
		return false;
	if (!r_out->status || !strstr(r_out->err->str, "background-wait"))
		return true;
	ab_shell_result_clear(r_out);
	return launch(rec, w, "--background", config, r_out, error) &&
	       ab_wait_pause(w, SOURCES_MS, "starting perfetto's sources",
			     error);
}

static bool start(struct ab_recording *rec, const struct ab_wait *w,
		  GError **error)
{
	struct remote_job *job = g_new0(struct remote_job, 1);

	g_autofree char *config = make_config(
		rec->options, rec->scenario->estimate_ms * 2 + MAX_TRACE_MS);
	struct ab_shell_result r = { 0 };
	bool ok;

	rec->state = job;
	job->path = g_strdup_printf("/data/misc/perfetto-traces/abrig-%s",
				    rec->run_id);
	ok = archive_config(rec, config, error) &&
	     launch_any(rec, w, config, &r, error);
	if (ok && (r.status || !remote_job_set_pid(job, r.out->str))) {
		g_strstrip(r.err->str);
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: perfetto did not start (exit %d): %s; "
			    "is the service on (setprop "
			    "persist.traced.enable 1)?",
			    rec->phone->serial, r.status,
			    *r.err->str ? r.err->str : "it said nothing");
		ok = false;
	}
	ab_shell_result_clear(&r);
	return ok;
}

static bool stop(struct ab_recording *rec, const struct ab_wait *w,
		 GError **error)
{
	return remote_job_finish(rec, w, TRACE_FILE, error);
}

static void check_quality(const struct ab_trace *trace, const char **gate_out,
			  char **reason_out)
{
	const struct ab_trace_quality *q = ab_trace_quality(trace);

	if (!q->events)
		recorder_reject(
			gate_out, reason_out, "trace-content",
			"the trace holds no kernel event (%" G_GUINT64_FORMAT
			" packets); is tracing allowed for this shell, "
			"and traced_probes running?",
			q->packets);
	if (!ab_trace_facts(trace)->window_marked)
		recorder_reject(gate_out, reason_out, "trace-window",
				"the trace does not hold both window markers; "
				"it was cut short, or trace_marker cannot be "
				"written");
	if (q->loss_in_window)
		recorder_reject(
			gate_out, reason_out, "trace-loss",
			"the trace lost data: %" G_GUINT64_FORMAT
			" gaps, %" G_GUINT64_FORMAT
			" events overwritten, %" G_GUINT64_FORMAT
			" packets; enlarge perfetto's kernel_buffer or buffer",
			q->lost_bundles, q->overrun,
			q->packet_loss + q->buffer_loss);
}

static bool analyze(const char *dir, const struct ab_scenario *scenario,
		    const void *options, struct ab_run_data *data,
		    const char **gate_out, char **reason_out, GError **error)
{
	g_autofree char *path = g_build_filename(dir, TRACE_FILE, NULL);
	ab_autoptr(ab_trace) trace = ab_trace_open(path, NULL, NULL, error);
	const struct ab_trace_options o = {
		.ui_processes = (const char *const *)scenario->processes,
	};

	(void)options;
	if (!trace)
		return false;
	ab_trace_analyze(trace, &o, data);
	check_quality(trace, gate_out, reason_out);
	return true;
}

const struct ab_recorder_ops recorder_perfetto = {
	.name = "perfetto",
	.help = "A Perfetto trace: scheduler, workqueues, runtime PM, frames, "
		"rails.",
	.keys = keys,
	.options_size = sizeof(struct options),
	.probe = probe,
	.start = start,
	.stop = stop,
	.discard = remote_job_discard,
	.analyze = analyze,
};
