// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include <abrig/error.h>
#include <math.h>
#include <sys/statvfs.h>

#define COOL_POLL_MS 2000

const struct ab_gate ab_gates[] = {
	{ "host-space", AB_GATE_BEFORE,
	  "free space of the campaign directory is above gates.min_free",
	  "a trace cut by a full disk looks like a quiet phone",
	  "free space, or move the campaign" },
	{ "screen", AB_GATE_BEFORE, "the screen is on and unlocked",
	  "a locked phone shows the lock screen's shade, not the app's",
	  "remove PIN, pattern and password from the phone" },
	{ "battery", AB_GATE_BEFORE,
	  "the battery is at or above gates.min_battery",
	  "Android throttles and saves when the battery is low",
	  "charge the phone, or lower gates.min_battery" },
	{ "charging", AB_GATE_BEFORE,
	  "the phone is not charging, unless gates.allow_charging",
	  "charging heats the phone and hides what it consumes",
	  "set prepare.charging_off, or gates.allow_charging" },
	{ "thermal", AB_GATE_BEFORE,
	  "the skin is not above gates.max_skin; waited for during gates.cool",
	  "a hot phone is a slow phone",
	  "cool the phone, or raise the limits" },
	{ "scenario", AB_GATE_AFTER, "every step of the scenario was done",
	  "a workload that did not happen measures nothing",
	  "see the reason: it names the step" },
	{ "device", AB_GATE_AFTER, "the phone answered during the whole run",
	  "what happened while it was away is not known",
	  "check cable, hub and the phone's log" },
	{ "boot", AB_GATE_AFTER,
	  "boot id and system_server are those from before the run",
	  "a reboot or a framework restart in between voids the run",
	  "look for a kernel panic or a framework crash" },
	{ "interrupted", AB_GATE_AFTER, "the rig was not stopped in the run",
	  "half a run is no run", "run abrig again: it is repeated" },
	{ "artefacts", AB_GATE_ANALYSIS, "every recorder left what it should",
	  "no data, no result", "see the reason: it names the recorder" },
	{ "trace-content", AB_GATE_ANALYSIS, "the trace holds kernel events",
	  "without them nothing can be said", "check root and traced_probes" },
	{ "trace-window", AB_GATE_ANALYSIS,
	  "the trace holds the markers of the measured window",
	  "without them preparation would be measured too",
	  "check that trace_marker can be written (root)" },
	{ "trace-loss", AB_GATE_ANALYSIS, "no data was lost in the window",
	  "lost events bias every count and every wait",
	  "enlarge perfetto's buffers" },
	{ "min-frames", AB_GATE_ANALYSIS,
	  "the scenario drew at least expect.frames frames",
	  "the workload did not happen as meant",
	  "look at the phone: is something in the way?" },
	{ "min-work-items", AB_GATE_ANALYSIS,
	  "at least expect.work_items runtime-PM work items were executed",
	  "the mechanism under test was not used",
	  "does this kernel use pm_wq for these devices?" },
	{ "jankbench-complete", AB_GATE_ANALYSIS,
	  "Jankbench stored frames of every test and iteration",
	  "a missing iteration was aborted, and the rest are not the same load",
	  "keep screen, shade and dialogs away during the run" },
	{ "power-complete", AB_GATE_ANALYSIS,
	  "the rails' snapshots cover the measured window",
	  "a missing rail is not 0 mW", "see the reason" },
	{ NULL, AB_GATE_BEFORE, NULL, NULL, NULL },
};

void ab_gates_help(GString *out)
{
	static const char *const names[] = {
		[AB_GATE_BEFORE] = "before",
		[AB_GATE_AFTER] = "after",
		[AB_GATE_ANALYSIS] = "from the artefacts of",
	};
	const struct ab_gate *g;

	for (g = ab_gates; g->id; g++)
		g_string_append_printf(out,
				       "%s (%s the run)\n"
				       "    checks: %s\n"
				       "    why:    %s\n"
				       "    remedy: %s\n",
				       g->id, names[g->when], g->what, g->why,
				       g->remedy);
}

/* A closed gate: always false, so that callers can return it. */
static bool closed(const char **gate_out, char **reason_out, const char *gate,
		   const char *format, ...) G_GNUC_PRINTF(4, 5);

static bool closed(const char **gate_out, char **reason_out, const char *gate,
		   const char *format, ...)
{
	va_list ap;

	*gate_out = gate;
	va_start(ap, format);
	*reason_out = g_strdup_vprintf(format, ap);
	va_end(ap);
	return false;
}

static bool gate_space(struct worker *w, const char **gate_out,
		       char **reason_out)
{
	struct statvfs fs;
	gint64 free_bytes;

	if (statvfs(w->dir, &fs))
		return true;
	free_bytes = (gint64)fs.f_bavail * (gint64)fs.f_frsize;
	if (free_bytes >= w->plan->gates.min_free)
		return true;
	return closed(gate_out, reason_out, "host-space",
		      "%s has %" G_GINT64_FORMAT " MiB free, gates.min_free "
		      "asks for %" G_GINT64_FORMAT,
		      w->dir, free_bytes >> 20, w->plan->gates.min_free >> 20);
}

static bool gate_screen(struct worker *w, const struct ab_wait *wait,
			const char **gate_out, char **reason_out,
			GError **error)
{
	struct ab_screen s = { 0 };
	bool fine;

	if (!ab_phone_screen(w->phone, wait, &s, error))
		return false;
	fine = s.awake == AB_YES && s.keyguard == AB_NO;
	if (!fine)
		closed(gate_out, reason_out, "screen",
		       "the screen is %s and the lock screen is %s",
		       s.awake == AB_YES ? "on" : "not proved on",
		       s.keyguard == AB_NO    ? "gone"
		       : s.keyguard == AB_YES ? "showing"
					      : "not proved gone");
	ab_screen_clear(&s);
	return fine;
}

static bool gate_battery(struct worker *w, const struct ab_wait *wait,
			 struct ab_run_row *run, const char **gate_out,
			 char **reason_out, GError **error)
{
	const struct ab_gate_options *o = &w->plan->gates;
	struct ab_battery b = { 0 };

	if (!ab_phone_battery(w->phone, wait, &b, error))
		return false;
	run->battery = b.level;
	if (b.level < o->min_battery)
		return closed(gate_out, reason_out, "battery",
			      "the battery is at %d %%, gates.min_battery asks "
			      "for %" G_GINT64_FORMAT " %%",
			      b.level, o->min_battery);
	if (ab_battery_flow(&b) > 0 && !o->allow_charging)
		return closed(gate_out, reason_out, "charging",
			      "the battery is being charged (status %d)",
			      b.status);
	return true;
}

/* Waits for a hot phone, then refuses it: it never runs hot. */
static bool gate_thermal(struct worker *w, const struct ab_wait *wait,
			 struct ab_run_row *run, const char **gate_out,
			 char **reason_out, GError **error)
{
	const struct ab_gate_options *o = &w->plan->gates;
	struct ab_wait cool = ab_wait_sub(wait, o->cool_ms);

	for (;;) {
		struct ab_thermal t = { 0 };

		if (!ab_phone_thermal(w->phone, wait, &t, error))
			return false;
		run->skin_c = t.skin_c;
		if (t.overridden)
			return closed(gate_out, reason_out, "thermal",
				      "the thermal status is overridden; cmd "
				      "thermalservice reset");
		if (isnan(t.skin_c) || t.skin_c <= o->max_skin_c)
			return true;
		worker_phase(w, "cooling: skin at %.1f C", t.skin_c);
		if (ab_wait_pause(&cool, COOL_POLL_MS, "cooling", NULL))
			continue;
		if (!ab_wait_check(wait, "waiting for the phone to cool",
				   error))
			return false;
		return closed(gate_out, reason_out, "thermal",
			      "the skin is at %.1f C, above gates.max_skin "
			      "(%.1f C), after %" G_GINT64_FORMAT
			      " s of waiting",
			      t.skin_c, o->max_skin_c, o->cool_ms / 1000);
	}
}

bool gates_before(struct worker *w, const struct ab_wait *wait,
		  struct ab_run_row *run, const char **gate_out,
		  char **reason_out, GError **error)
{
	return gate_space(w, gate_out, reason_out) &&
	       gate_battery(w, wait, run, gate_out, reason_out, error) &&
	       gate_thermal(w, wait, run, gate_out, reason_out, error) &&
	       gate_screen(w, wait, gate_out, reason_out, error);
}

static bool at_least(const struct ab_run_data *data, const char *value,
		     gint64 wanted, const char *gate, const char *what,
		     const char **gate_out, char **reason_out)
{
	double found = 0;

	if (!wanted)
		return true;
	ab_run_data_get(data, value, &found);
	if (found >= (double)wanted)
		return true;
	return closed(
		gate_out, reason_out, gate,
		"%.0f %s, the scenario expects at least %" G_GINT64_FORMAT,
		found, what, wanted);
}

bool gates_after(const struct ab_scenario *scenario,
		 const struct ab_run_data *data, const char **gate_out,
		 char **reason_out)
{
	return at_least(data, "frames.total", scenario->min_frames,
			"min-frames", "frames", gate_out, reason_out) &&
	       at_least(data, "work_items", scenario->min_work_items,
			"min-work-items", "work items", gate_out, reason_out);
}
