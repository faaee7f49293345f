// SPDX-License-Identifier: GPL-3.0-or-later
/* What run values are that are no metrics; docs/METRICS.md has drawings. */
#include <abrig/metric.h>

#include <string.h>

#define LOWER AB_LOWER_IS_BETTER
#define NEITHER AB_DIRECTION_UNKNOWN

#define CLASS_IS \
	", in the window. <class> is as the rules say: abrig help threads."

#define MECHANISM_IS                                                    \
	". <mechanism>: cpu_wait.<class>, ui_d_state.<function>, "      \
	"d_state.<function>, queue_wait.<workqueue>, s_state.<waker's " \
	"class>."

const struct ab_definition ab_definitions[] = {
	{ "work_items", "", NEITHER,
	  "pm_runtime_work items started in the window: what their waits are "
	  "exposed to." },
	{ "pm_runtime_work.queue_wait", "us", LOWER,
	  "From the last time that a pm_runtime_work item was queued to its "
	  "start; one sample each." },
	{ "frames.total", "", NEITHER,
	  "Frames of the scenario's app; one count per frame token." },
	{ "frames.dropped", "", LOWER,
	  "Those that were never shown: jank type Dropped Frame or present "
	  "type Dropped." },
	{ "frames.unclassified", "", NEITHER,
	  "Those whose jank type is Unspecified, Unknown or new; if many are, "
	  "the other counts are too low." },
	{ "frames.open", "", NEITHER,
	  "Those with a begin but no end, usual at the trace's end." },
	{ "frames.refresh_rate", "Hz", NEITHER,
	  "What the display seems to run at: one through the mean of the most "
	  "frequent interval between expected display frames." },
	{ "why.frames", "", NEITHER,
	  "Missed frames of the scenario's app whose chain is known: what they "
	  "waited for, back from their end." },
	{ "why.not_explained", "", NEITHER,
	  "Missed frames without a chain: dropped, open, or not recorded." },
	{ "why.none.frames", "", NEITHER,
	  "Missed frames whose chain has no wait of at least 2 ms." },
	{ "why.<mechanism>.frames", "", LOWER,
	  "Missed frames whose chain has such a wait of at least 2 ms. A run "
	  "with why.frames that does not name the mechanism has 0" MECHANISM_IS },
	{ "why.<mechanism>.waits", "", LOWER,
	  "How many such waits of at least 2 ms there are in the window; not "
	  "named: 0" MECHANISM_IS },
	{ "why.<mechanism>.off_chain", "", LOWER,
	  "Those of them that are on no missed frame's chain" MECHANISM_IS },
	{ "why.split.<state>", "ms", NEITHER,
	  "Time in a state on the critical path of a missed frame, mean over "
	  "why.frames; not named: 0." },
	{ "sched.<class>.running", "ms", LOWER,
	  "CPU time of all threads of a class" CLASS_IS },
	{ "sched.<class>.wait", "ms", LOWER,
	  "CPU wait of all threads of a class: runnable but not running, after "
	  "wakeup and after preemption" CLASS_IS },
	{ "sched.<class>.waits", "", LOWER,
	  "How often a thread of a class waited for a CPU" CLASS_IS },
	{ "sched.<class>.wait_mean", "us", LOWER,
	  "Mean length of a class's waits that begin and end" CLASS_IS },
	{ "sched.<class>.wait_p99", "us", LOWER,
	  "99th percentile of a class's waits that begin and end" CLASS_IS },
	{ "sched.<class>.waits_ge_2ms", "", LOWER,
	  "How often a thread of a class waited 2 ms or longer for a "
	  "CPU" CLASS_IS },
	{ "rail_energy.<rail>", "mJ", LOWER,
	  "Energy of a rail of the phone's own meters, over the run." },
	{ "trace_power.<rail>", "mW", LOWER,
	  "Mean power of a rail over the window, from the energies and time "
	  "stamps in the trace: energy through the time that they cover." },
	{ "jankbench.frames", "", NEITHER, "Frames that Jankbench recorded." },
	{ "jankbench.jank_frames", "", LOWER,
	  "Those that it flags as jank, by its own rule." },
	{ "jankbench.odd_rows", "", NEITHER,
	  "Rows of its database whose duration is no time; left out." },
	{ .name = NULL },
};

/* "a.<b>.c" is any name that begins with "a.", ends in ".c" and has more. */
static bool fits(const char *pattern, const char *name)
{
	const char *open = strchr(pattern, '<');
	const char *rest = open ? strchr(open, '>') + 1 : NULL;
	gsize n = strlen(name);

	if (!open)
		return !strcmp(pattern, name);
	return n > (gsize)(open - pattern) + strlen(rest) &&
	       !strncmp(pattern, name, (gsize)(open - pattern)) &&
	       g_str_has_suffix(name, rest);
}

static bool is_metric(const struct ab_metric *metric, const char *name)
{
	return metric->stat == AB_STAT_RUN_MEAN && !strcmp(metric->id, name) &&
	       !strcmp(metric->source, name);
}

bool ab_definition_find(const char *name, struct ab_definition *definition_out)
{
	const struct ab_metric *m = ab_metric_find(name);
	const struct ab_definition *d;

	if (m && is_metric(m, name)) {
		*definition_out =
			(struct ab_definition){ m->id, m->unit, m->direction,
						m->definition };
		return true;
	}
	for (d = ab_definitions; d->name; d++)
		if (fits(d->name, name)) {
			*definition_out = *d;
			return true;
		}
	return false;
}

GArray *ab_definitions_used(const struct ab_run_data *data)
{
	GArray *used = g_array_new(FALSE, FALSE, sizeof(struct ab_definition));
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	struct ab_definition d;
	guint i;

	for (i = 0; i < data->values->len; i++) {
		const struct ab_run_value *v = data->values->pdata[i];

		if (ab_definition_find(v->name, &d) &&
		    g_hash_table_add(names, (gpointer)d.name))
			g_array_append_val(used, d);
	}
	return used;
}
