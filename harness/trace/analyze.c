// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.h"
#include "quality.h"

const struct ab_analysis_ops *const ab_analyses[AB_ANALYSES] = {
	&ab_analysis_work,    &ab_analysis_sleeps, &ab_analysis_frames,
	&ab_analysis_threads, &ab_analysis_cpus,   &ab_analysis_power,
	&ab_analysis_why,
};

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

char *ab_lost_reason(const struct ab_trace *trace, const GArray *lost)
{
	gint64 first = trace->begin_ns, last = trace->end_ns, begin, end;
	const struct ab_lost *l = ab_lost_in(lost, first, last);
	g_autofree char *where = NULL;

	if (!l)
		return NULL;
	begin = MAX(l->begin_ns, first);
	end = MIN(l->end_ns, last);
	where = l->cpu < 0 ? g_strdup("")
			   : g_strdup_printf(" on CPU %d", l->cpu);
	return g_strdup_printf("%s%s (%.3f to %.3f s of %.3f s)", l->what,
			       where, (double)(begin - first) / 1e9,
			       (double)(end - first) / 1e9,
			       (double)(last - first) / 1e9);
}

bool ab_withhold_lost(struct ab_analysis *a, const GArray *lost,
		      const char *const *names)
{
	g_autofree char *reason = ab_lost_reason(a->trace, lost);

	if (reason)
		ab_withhold_all(a, names, reason);
	return reason != NULL;
}

const char *ab_no_waits_reason(const struct ab_trace *trace)
{
	if (!trace->seen[AB_EV_SWITCH])
		return "no scheduler events in the trace";
	if (!trace->seen[AB_EV_WAKING])
		return "no sched_waking events: since when a thread waits for "
		       "a CPU is not known";
	return NULL;
}

bool ab_withhold_events(struct ab_analysis *a, const char *absent,
			const char *const *names)
{
	if (!absent)
		return ab_withhold_lost(a, a->trace->lost_events, names);
	ab_withhold_all(a, names, absent);
	return true;
}

static struct ab_analysis context(struct ab_trace *trace,
				  const struct ab_trace_options *options)
{
	return (struct ab_analysis){
		.trace = trace,
		.ui_processes = options && options->ui_processes
					? options->ui_processes
					: default_ui,
		.rules = options ? options->rules : NULL,
	};
}

void ab_trace_analyze(struct ab_trace *trace,
		      const struct ab_trace_options *options,
		      struct ab_run_data *data)
{
	struct ab_analysis a = context(trace, options);
	guint i;

	a.data = data;
	for (i = 0; i < AB_ANALYSES; i++)
		if (ab_analyses[i]->measure)
			ab_analyses[i]->measure(&a, trace->states[i]);
	trace->quality.unresolved = a.unresolved;
	trace->quality.unknown_waits = a.unknown_waits;
}

struct ab_why *ab_trace_why(struct ab_trace *trace,
			    const struct ab_trace_options *options,
			    gint64 threshold_ns)
{
	struct ab_analysis a = context(trace, options);

	return ab_why_make(&a, threshold_ns);
}

GPtrArray *ab_trace_tables(struct ab_trace *trace,
			   const struct ab_trace_options *options)
{
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)ab_table_free);
	struct ab_analysis a = context(trace, options);
	guint i;

	for (i = 0; i < AB_ANALYSES; i++)
		if (ab_analyses[i]->tabulate)
			ab_analyses[i]->tabulate(&a, trace->states[i], tables);
	return tables;
}

bool ab_trace_samples(struct ab_trace *trace,
		      const struct ab_trace_options *options, guint i,
		      struct ab_table **table_out)
{
	struct ab_analysis a = context(trace, options);

	if (i >= AB_ANALYSES)
		return false;
	*table_out = ab_analyses[i]->samples
			     ? ab_analyses[i]->samples(&a, trace->states[i])
			     : NULL;
	return true;
}
