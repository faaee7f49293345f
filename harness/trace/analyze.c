// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

#include "quality.h"

static const char *const default_ui[] = {
	"com.android.systemui",
	"surfaceflinger",
	"*composer*",
	NULL,
};

void ab_withhold_all(struct ab_analysis *a, const char *const *names,
		     const char *reason)
{
	for (; *names; names++)
		ab_run_data_withhold(a->data, *names, reason);
}

bool ab_withhold_lost(struct ab_analysis *a, const GArray *lost,
		      const char *const *names)
{
	const struct ab_lost *l = ab_lost_in(lost, a->begin_ns, a->end_ns);
	g_autofree char *where = NULL;
	g_autofree char *reason = NULL;
	gint64 begin, end;

	if (!l)
		return false;
	begin = MAX(l->begin_ns, a->begin_ns);
	end = MIN(l->end_ns, a->end_ns);
	where = l->cpu < 0 ? g_strdup("")
			   : g_strdup_printf(" on CPU %d", l->cpu);
	reason = g_strdup_printf("%s%s (%.3f to %.3f s of %.3f s)", l->what,
				 where, (double)(begin - a->begin_ns) / 1e9,
				 (double)(end - a->begin_ns) / 1e9,
				 (double)(a->end_ns - a->begin_ns) / 1e9);
	ab_withhold_all(a, names, reason);
	return true;
}

void ab_trace_analyze(struct ab_trace *trace,
		      const struct ab_trace_options *options,
		      struct ab_run_data *data)
{
	struct ab_analysis a = {
		.trace = trace,
		.ui_processes = options && options->ui_processes
					? options->ui_processes
					: default_ui,
		.begin_ns = trace->facts.begin_ns,
		.end_ns = trace->facts.end_ns,
		.data = data,
	};

	ab_analyze_work(&a);
	ab_analyze_rpm_waits(&a);
	ab_analyze_frames(&a);
	ab_analyze_rails(&a);
	trace->quality.unresolved = a.unresolved;
	trace->quality.unknown_waits = a.unknown_waits;
}
