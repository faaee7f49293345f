// SPDX-License-Identifier: GPL-3.0-or-later
#include "frames.h"

#include <math.h>

#include "analyze.h"
#include "frame_tables.h"

/* The first that has frames of the UI processes is the one that counts. */
static const struct ab_frame_source_ops *const sources[] = {
	&ab_frames_timeline,
	&ab_frames_marks,
};

struct frames {
	void *states[G_N_ELEMENTS(sources)];
};

static const char *const names[] = {
	"frames.app_missed",
	"frames.sf_missed",
	"frames.total",
	"frames.dropped",
	"frames.unclassified",
	"frames.open",
	"frames.duration",
	"frames.overrun",
	"frames.rate",
	"frames.refresh_rate",
	NULL,
};

/* What only SurfaceFlinger can tell. */
static const char *const sf_names[] = {
	"frames.sf_missed",
	"frames.dropped",
	"frames.refresh_rate",
	NULL,
};

static void *begin(struct ab_trace *trace)
{
	struct frames *f = g_new0(struct frames, 1);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i]->begin)
			f->states[i] = sources[i]->begin(trace);
	return f;
}

static void event(void *state, struct ab_sched *sched,
		  const struct ab_event *ev)
{
	struct frames *f = state;
	guint i;

	(void)sched;
	for (i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i]->print)
			sources[i]->print(f->states[i], ev);
}

static void end(void *state)
{
	struct frames *f = state;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i]->end)
			sources[i]->end(f->states[i]);
	g_free(f);
}

/* The frames of the window: one source after the other, each by begin. */
static GArray *collect(const struct ab_trace *trace, const struct frames *f)
{
	GArray *made = g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sources); i++)
		sources[i]->collect(trace, f->states[i], made);
	return made;
}

static bool layer_names_ui(const struct ab_analysis *a,
			   const struct ab_frame *f)
{
	const char *layer = ab_trace_text(a->trace, f->layer);
	const char *const *name;

	for (name = a->ui_processes; *name; name++) {
		g_autofree char *pattern = g_strconcat("*", *name, "*", NULL);

		if (g_pattern_match_simple(pattern, layer))
			return true;
	}
	return false;
}

/*
 * Is it a UI process?  Where the trace does not name it, FrameTimeline's layer
 * may, and of a process with markers the main thread (@ui: by thread).
 */
bool ab_frame_is_ui(const struct ab_analysis *a, const guint8 *ui,
		    const struct ab_made_frame *made)
{
	const struct ab_frame *f = made->frame;
	guint32 thread;

	if (f->kind != AB_FRAME_ACTUAL_SURFACE)
		return false;
	if (ab_process_name(a->trace, f->pid))
		return ab_ui_process(a, f->pid);
	if (made->source->tells_sf)
		return layer_names_ui(a, f);
	thread = ab_main_thread(a->trace, f->pid);
	return thread != AB_NO_THREAD && ui[thread];
}

/*
 * Of @made, the UI processes' frames.  They are of one source, so that no
 * number is made of two: the first one's that has any.
 */
static GArray *ui_frames(const struct ab_analysis *a, const GArray *made)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	g_autofree guint8 *ui = ab_ui_threads(a);
	const struct ab_frame_source_ops *source = NULL;
	guint i;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);

		if ((source && m->source != source) ||
		    !ab_frame_is_ui(a, ui, m))
			continue;
		source = m->source;
		g_array_append_vals(list, m, 1);
	}
	return list;
}

static void list_one(GString *text, GHashTable *seen, gint64 key,
		     const char *name)
{
	if (g_hash_table_add(seen, (gpointer)(gintptr)key) && text->len <= 200)
		g_string_append_printf(text, "%s%.80s", text->len ? ", " : "",
				       name);
}

/* The layers that there are, for someone who looked for another app. */
static char *list_layers(const struct ab_trace *trace)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GString *text = g_string_new(NULL);
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		guint32 layer =
			g_array_index(trace->frames, struct ab_frame, i).layer;

		if (layer)
			list_one(text, seen, layer,
				 ab_trace_text(trace, layer));
	}
	if (!text->len)
		g_string_append(text, "none");
	return g_string_free(text, FALSE);
}

/* Likewise of markers, which have no layers. */
static char *list_processes(const struct ab_trace *trace, const GArray *made)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GString *text = g_string_new(NULL);
	guint i;

	for (i = 0; i < made->len; i++) {
		gint32 pid =
			g_array_index(made, struct ab_made_frame, i).frame->pid;
		g_autofree char *name = g_strdup_printf(
			"%d %s", pid, ab_frame_process(trace, pid));

		list_one(text, seen, pid, g_strchomp(name));
	}
	return g_string_free(text, FALSE);
}

static void withhold_absent(struct ab_analysis *a, const GArray *made)
{
	g_autofree char *who = g_strjoinv(", ", (char **)a->ui_processes);
	g_autofree char *seen = NULL;
	g_autofree char *reason = NULL;

	if (a->trace->frames->len) {
		seen = list_layers(a->trace);
		reason = g_strdup_printf("no frames of %s in the window; "
					 "layers seen: %s",
					 who, seen);
	} else if (made->len) {
		seen = list_processes(a->trace, made);
		reason = g_strdup_printf("no frame markers of %s in the "
					 "window; processes seen: %s",
					 who, seen);
	} else {
		reason = g_strdup("no FrameTimeline events in the trace "
				  "(Android 12 or later has them), and no "
				  "frame markers");
	}
	ab_withhold_all(a, names, reason);
}

static void set(struct ab_analysis *a, const char *name, guint64 value)
{
	ab_run_data_set(a->data, name, (double)value);
}

/* @hz NAN: withheld, for the reason @why. */
static void set_rate(struct ab_analysis *a, const char *name, double hz,
		     const char *why)
{
	if (isnan(hz))
		ab_run_data_withhold(a->data, name, why);
	else
		ab_run_data_set(a->data, name, hz);
}

static void measure_counts(struct ab_analysis *a, const GArray *ui,
			   bool tells_sf)
{
	double refresh = ab_frames_refresh(a->trace);
	struct ab_frame_counts counts;

	ab_frames_count_made((const void *)ui->data, ui->len, &counts);
	set(a, "frames.total", counts.total);
	set(a, "frames.app_missed", counts.app_missed);
	set(a, "frames.unclassified", counts.unclassified);
	set(a, "frames.open", counts.open);
	set_rate(a, "frames.rate", ab_frames_rate(&counts),
		 "no two frames follow each other within 100 ms");
	if (!tells_sf) {
		ab_withhold_all(a, sf_names,
				"the frames are from trace markers, which do "
				"not tell what SurfaceFlinger did");
		return;
	}
	set(a, "frames.sf_missed", counts.sf_missed);
	set(a, "frames.dropped", counts.not_shown);
	set_rate(a, "frames.refresh_rate", refresh,
		 "fewer than three intervals of display frames are alike");
}

static void add_ms(GArray *samples, gint64 ns)
{
	double ms = (double)ns / 1e6;

	g_array_append_val(samples, ms);
}

static void measure_times(struct ab_analysis *a, const GArray *ui)
{
	GArray *durations = ab_run_data_samples(a->data, "frames.duration");
	GArray *overruns = ab_run_data_samples(a->data, "frames.overrun");
	gint64 ns;
	guint i;

	for (i = 0; i < ui->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(ui, struct ab_made_frame, i);

		if (ab_frame_duration(m->frame, &ns))
			add_ms(durations, ns);
		if (ab_frame_overrun(m, &ns))
			add_ms(overruns, ns);
	}
}

static void measure(struct ab_analysis *a, const void *state)
{
	g_autoptr(GArray) made = collect(a->trace, state);
	g_autoptr(GArray) ui = ui_frames(a, made);
	bool tells_sf =
		!ui->len ||
		g_array_index(ui, struct ab_made_frame, 0).source->tells_sf;

	if (ab_withhold_lost(
		    a, tells_sf ? a->trace->lost_frames : a->trace->lost_events,
		    names))
		return;
	if (!ui->len) {
		withhold_absent(a, made);
		return;
	}
	measure_counts(a, ui, tells_sf);
	measure_times(a, ui);
}

/* Of @made, what is known for the whole window. */
static GArray *whole_frames(const struct ab_trace *trace, const GArray *made)
{
	g_autofree char *frames = ab_lost_reason(trace, trace->lost_frames);
	g_autofree char *events = ab_lost_reason(trace, trace->lost_events);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	guint i;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);

		if (!(m->source->tells_sf ? frames : events))
			g_array_append_vals(list, m, 1);
	}
	return list;
}

static void tabulate(struct ab_analysis *a, const void *state,
		     GPtrArray *tables)
{
	g_autoptr(GArray) made = collect(a->trace, state);
	g_autoptr(GArray) whole = whole_frames(a->trace, made);

	ab_frame_tables(a->trace, whole, tables);
}

static struct ab_table *samples(struct ab_analysis *a, const void *state)
{
	g_autoptr(GArray) made = collect(a->trace, state);

	return ab_frame_samples(a->trace, made);
}

const struct ab_frame_source_ops *
ab_frames_ui_source(const struct ab_analysis *a)
{
	g_autoptr(GArray) made = NULL;
	g_autoptr(GArray) ui = NULL;
	guint i = 0;

	while (ab_analyses[i] != &ab_analysis_frames)
		i++;
	made = collect(a->trace, a->trace->states[i]);
	ui = ui_frames(a, made);
	return ui->len ? g_array_index(ui, struct ab_made_frame, 0).source
		       : NULL;
}

const struct ab_analysis_ops ab_analysis_frames = {
	.name = "frames",
	.kinds = AB_KIND(AB_EV_PRINT),
	.begin = begin,
	.event = event,
	.measure = measure,
	.tabulate = tabulate,
	.samples = samples,
	.end = end,
};
