// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * ODPM: the power monitor of a Pixel's PMICs, read from sysfs by a loop on the
 * phone.  The hardware accumulates energy, so the rate of the loop decides
 * only how finely the window's ends can be interpolated.
 */
#include "odpm_parse.h"
#include "recorders.h"

#include <abrig/error.h>
#include <abrig/keys.h>
#include <abrig/scenario.h>
#include <abrig/text.h>
#include <abrig/window.h>
#include <string.h>

#define ODPM_FILE "odpm.txt"

struct options {
	gint64 interval_ms;
};

static const struct ab_key keys[] = {
	{ .name = "interval",
	  .type = AB_KEY_DURATION,
	  .offset = offsetof(struct options, interval_ms),
	  .dflt = "1s",
	  .min = 100,
	  .max = 60000,
	  .help = "Time between two reads of all rails. The energy counters "
		  "accumulate in hardware: a longer interval loses no energy." },
	AB_KEYS_END,
};

static bool probe(struct ab_phone *phone, const void *options,
		  const struct ab_wait *w, GError **error)
{
	g_autofree char *text = ab_phone_text(
		phone, w, error,
		"cd /sys/bus/iio/devices 2>/dev/null && for d in iio:device*; "
		"do case $(cat $d/name 2>/dev/null) in *-odpm) "
		"if [ -r $d/energy_value ]; then echo r; else echo d; fi;; "
		"esac; done; true");

	(void)options;
	if (!text)
		return false;
	if (strchr(text, 'r'))
		return true;
	g_set_error(
		error, AB_ERROR, AB_ERROR_ENV,
		"%s: %s; power per rail is not recorded", phone->serial,
		strchr(text, 'd')
			? "the ODPM rails cannot be read without root"
			: "this phone has no ODPM (Pixel 6 and later have)");
	return false;
}

/*
 * Shell builtins only, except sleep: the loop must not load the phone.  The
 * path is its $0 as well, by which a later campaign finds a stray loop.
 */
static char *make_loop(const char *path, gint64 interval_ms)
{
	return g_strdup_printf(
		"nohup sh -c 'snap() { for d in /sys/bus/iio/devices/iio:device*; "
		"do read -r n < $d/name || continue; case $n in *-odpm) "
		"echo \"device $n\"; while IFS= read -r l; do echo \"$l\"; done "
		"< $d/energy_value;; esac; done; }; "
		"trap \"snap; exit 0\" TERM; "
		"while :; do snap; sleep %" G_GINT64_FORMAT ".%03d & wait $!; "
		"done' %s > %s 2>/dev/null < /dev/null & echo $!",
		interval_ms / 1000, (int)(interval_ms % 1000), path, path);
}

static bool start(struct ab_recording *rec, const struct ab_wait *w,
		  GError **error)
{
	const struct options *o = rec->options;
	struct remote_job *job = g_new0(struct remote_job, 1);
	g_autofree char *loop = NULL;
	g_autofree char *pid = NULL;

	rec->state = job;
	job->path =
		g_strdup_printf("/data/local/tmp/abrig-%s.odpm", rec->run_id);
	loop = make_loop(job->path, o->interval_ms);
	pid = ab_adb_shell_text(rec->phone->adb, w, rec->phone->serial, loop,
				error);
	if (!pid)
		return false;
	if (remote_job_set_pid(job, pid))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "%s: the ODPM loop did not start: '%.60s'",
		    rec->phone->serial, pid);
	return false;
}

static bool stop(struct ab_recording *rec, const struct ab_wait *w,
		 GError **error)
{
	return remote_job_finish(rec, w, ODPM_FILE, error);
}

/* Which of the metrics in harness/metric/metrics.c a subsystem counts to. */
static const char *group_of(const char *subsys)
{
	static const struct {
		const char *prefix, *group;
	} groups[] = {
		{ "CPU", "power.cpu" },
		{ "GPU", "power.gpu" },
		{ "MIF", "power.memory" },
		{ "INT", "power.memory" },
		{ "Infrastructure", "power.memory" },
		{ "DDR", "power.memory" },
		{ "SLC", "power.memory" },
		{ "Display", "power.display" },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(groups); i++)
		if (g_ascii_strncasecmp(subsys, groups[i].prefix,
					strlen(groups[i].prefix)) == 0)
			return groups[i].group;
	return "power.other";
}

static void add(struct ab_run_data *data, const char *name, double value)
{
	double sum = 0;

	ab_run_data_get(data, name, &sum);
	ab_run_data_set(data, name, sum + value);
}

/* Meters of one name measure parts of one rail. */
static void add_energy(struct ab_run_data *data, const char *rail, double mj)
{
	g_autofree char *name = g_strconcat("rail_energy.", rail, NULL);

	add(data, name, mj);
}

static void rails_to_power(const struct odpm_log *log,
			   const struct ab_window *window,
			   struct ab_run_data *data, const char **gate_out,
			   char **reason_out)
{
	guint i;

	for (i = 0; i < log->rails->len; i++) {
		const struct odpm_rail *rail = log->rails->pdata[i];
		g_autofree char *why = NULL;
		double mw;

		if (!odpm_mean_mw(rail, window->begin_ms, window->end_ms, &mw,
				  &why)) {
			recorder_reject(gate_out, reason_out, "power-complete",
					"rail %s: %s", rail->name, why);
			continue;
		}
		add(data, group_of(rail->subsys), mw);
		add(data, "power.total", mw);
		add_energy(data, rail->name,
			   mw * (double)(window->end_ms - window->begin_ms) /
				   1e3);
	}
}

static bool analyze(const char *dir, const struct ab_scenario *scenario,
		    const void *options, struct ab_run_data *data,
		    const char **gate_out, char **reason_out, GError **error)
{
	g_autofree char *path = g_build_filename(dir, ODPM_FILE, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) why = NULL;
	struct ab_window window;
	struct odpm_log *log;

	(void)scenario;
	(void)options;
	if (!ab_window_load(dir, &window, error))
		return false;
	if (!g_file_get_contents(path, &text, NULL, &why)) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s; check the run's artefacts", why->message);
		return false;
	}
	log = odpm_parse(text);
	if (!log->rails->len)
		recorder_reject(gate_out, reason_out, "power-complete",
				"%s holds no rail: %u reads were empty", path,
				log->empty_reads);
	rails_to_power(log, &window, data, gate_out, reason_out);
	odpm_log_free(log);
	return true;
}

const struct ab_recorder_ops recorder_odpm = {
	.name = "odpm",
	.help = "Energy of each power rail from the phone's own monitor "
		"(Pixel 6 and later, root).",
	.keys = keys,
	.options_size = sizeof(struct options),
	.probe = probe,
	.start = start,
	.stop = stop,
	.discard = remote_job_discard,
	.analyze = analyze,
};
