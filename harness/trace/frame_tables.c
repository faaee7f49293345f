// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_tables.h"

#include <math.h>

#include "analyze.h"
#include "columns.h"

guint32 ab_main_thread(const struct ab_trace *trace, gint32 pid)
{
	const guint32 *page;

	if (pid <= 0 || pid >= AB_MAX_TID)
		return AB_NO_THREAD;
	page = trace->threads->pages[pid / AB_TID_PAGE];
	if (!page || !page[pid % AB_TID_PAGE])
		return AB_NO_THREAD;
	return page[pid % AB_TID_PAGE] - 1;
}

const char *ab_frame_process(const struct ab_trace *trace, gint32 pid)
{
	const char *name = ab_process_name(trace, pid);
	guint32 thread = ab_main_thread(trace, pid);

	if (name)
		return name;
	if (thread == AB_NO_THREAD)
		return "";
	return ab_trace_text(trace, ab_thread(trace->threads, thread)->comm);
}

/* A count that a source may not know. */
#define KNOWN_COUNT(id, title) AB_NUMBER_COLUMN(id, title, "", 0)
#define HZ(id, title) AB_NUMBER_COLUMN(id, title, "Hz", 1)
#define TIMES                                                  \
	AB_MS_COLUMN("duration_p50_ms", "P50"),                \
		AB_MS_COLUMN("duration_p90_ms", "P90"),        \
		AB_MS_COLUMN("duration_p99_ms", "P99"),        \
		AB_MS_COLUMN("duration_max_ms", "max"),        \
		AB_MS_COLUMN("overrun_p90_ms", "overrun P90"), \
		AB_MS_COLUMN("overrun_p99_ms", "overrun P99"), \
		AB_MS_COLUMN("overrun_max_ms", "overrun max"), \
		HZ("rate_hz", "rate")

static const struct ab_column frame_columns[] = {
	AB_TEXT_COLUMN("process", "process"),
	AB_COUNT_COLUMN("pid", "pid"),
	AB_TEXT_COLUMN("layer", "layer"),
	AB_TEXT_COLUMN("source", "source"),
	AB_COUNT_COLUMN("frames", "frames"),
	AB_COUNT_COLUMN("app_missed", "app missed"),
	KNOWN_COUNT("sf_missed", "SF missed"),
	KNOWN_COUNT("dropped", "dropped"),
	AB_COUNT_COLUMN("unclassified", "unclassified"),
	AB_COUNT_COLUMN("open", "open"),
	TIMES,
};

static const struct ab_column display_columns[] = {
	AB_TEXT_COLUMN("process", "process"),
	AB_COUNT_COLUMN("pid", "pid"),
	AB_COUNT_COLUMN("frames", "frames"),
	AB_COUNT_COLUMN("sf_missed", "SF missed"),
	AB_COUNT_COLUMN("dropped", "dropped"),
	AB_COUNT_COLUMN("unclassified", "unclassified"),
	AB_COUNT_COLUMN("open", "open"),
	TIMES,
	HZ("refresh_hz", "refresh"),
};

static const struct ab_column jank_columns[] = {
	AB_TEXT_COLUMN("frames", "frames of"),
	AB_TEXT_COLUMN("jank", "jank type"),
	AB_TEXT_COLUMN("present", "present type"),
	AB_TEXT_COLUMN("tag", "tag"),
	AB_COUNT_COLUMN("count", "count"),
};

static const struct ab_column sample_columns[] = {
	AB_TIME_COLUMN("begin_ns", "begin"),
	AB_TEXT_COLUMN("process", "process"),
	AB_COUNT_COLUMN("pid", "pid"),
	AB_TEXT_COLUMN("layer", "layer"),
	AB_TEXT_COLUMN("source", "source"),
	AB_COUNT_COLUMN("token", "token"),
	AB_US_COLUMN("duration_us", "duration"),
	AB_US_COLUMN("overrun_us", "overrun"),
	AB_TEXT_COLUMN("jank", "jank type"),
};

/* P50 to max of durations, P90 to max of overruns, rate. */
static void put_times(struct ab_table *t, const struct ab_made_frame *frames,
		      guint n, const struct ab_frame_counts *counts)
{
	g_autoptr(GArray) durations = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GArray) overruns = g_array_new(FALSE, FALSE, sizeof(gint64));
	struct ab_spread spread;
	gint64 ns;
	guint i;

	for (i = 0; i < n; i++) {
		if (ab_frame_duration(frames[i].frame, &ns))
			g_array_append_val(durations, ns);
		if (ab_frame_overrun(&frames[i], &ns))
			g_array_append_val(overruns, ns);
	}
	ab_spread_of(durations, &spread);
	ab_table_number(t, spread.p50_us / 1000);
	ab_table_number(t, spread.p90_us / 1000);
	ab_table_number(t, spread.p99_us / 1000);
	ab_table_number(t, spread.max_us / 1000);
	ab_spread_of(overruns, &spread);
	ab_table_number(t, spread.p90_us / 1000);
	ab_table_number(t, spread.p99_us / 1000);
	ab_table_number(t, spread.max_us / 1000);
	ab_table_number(t, ab_frames_rate(counts));
}

/* What the rows of a table have in common. */
struct context {
	const struct ab_trace *trace;
	double refresh_hz;
};

static void put_frames_row(struct ab_table *t, const struct context *context,
			   const struct ab_made_frame *frames, guint n)
{
	const struct ab_trace *trace = context->trace;
	const struct ab_frame *f = frames->frame;
	bool tells_sf = frames->source->tells_sf;
	struct ab_frame_counts counts;

	ab_frames_count_made(frames, n, &counts);
	ab_table_text(t, ab_frame_process(trace, f->pid));
	ab_table_count(t, f->pid);
	ab_table_text(t, ab_trace_text(trace, f->layer));
	ab_table_text(t, frames->source->name);
	ab_table_count(t, (gint64)counts.total);
	ab_table_count(t, (gint64)counts.app_missed);
	ab_table_number(t, tells_sf ? (double)counts.sf_missed : NAN);
	ab_table_number(t, tells_sf ? (double)counts.not_shown : NAN);
	ab_table_count(t, (gint64)counts.unclassified);
	ab_table_count(t, (gint64)counts.open);
	put_times(t, frames, n, &counts);
}

static void put_display_row(struct ab_table *t, const struct context *context,
			    const struct ab_made_frame *frames, guint n)
{
	const struct ab_frame *f = frames->frame;
	struct ab_frame_counts counts;

	ab_frames_count_made(frames, n, &counts);
	ab_table_text(t, ab_frame_process(context->trace, f->pid));
	ab_table_count(t, f->pid);
	ab_table_count(t, (gint64)counts.total);
	ab_table_count(t, (gint64)counts.sf_missed);
	ab_table_count(t, (gint64)counts.not_shown);
	ab_table_count(t, (gint64)counts.unclassified);
	ab_table_count(t, (gint64)counts.open);
	put_times(t, frames, n, &counts);
	ab_table_number(t, context->refresh_hz);
}

static int by_row(const void *a, const void *b)
{
	const struct ab_made_frame *x = a, *y = b;

	if (x->frame->pid != y->frame->pid)
		return x->frame->pid < y->frame->pid ? -1 : 1;
	if (x->source != y->source)
		return x->source->tells_sf ? -1 : 1;
	return (x->frame->layer > y->frame->layer) -
	       (x->frame->layer < y->frame->layer);
}

static GArray *of_kind(const GArray *made, enum ab_frame_kind kind)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ab_made_frame));
	guint i;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);

		if (m->frame->kind == kind)
			g_array_append_vals(list, m, 1);
	}
	g_array_sort(list, by_row);
	return list;
}

typedef void (*put_row)(struct ab_table *t, const struct context *context,
			const struct ab_made_frame *frames, guint n);

/* A row for each process, source and layer of @list. */
static void put_rows(struct ab_table *t, const struct context *context,
		     const GArray *list, put_row put)
{
	const struct ab_made_frame *frames = (const void *)list->data;
	guint i, end;

	for (i = 0; i < list->len; i = end) {
		for (end = i + 1; end < list->len; end++)
			if (by_row(&frames[i], &frames[end]) != 0)
				break;
		put(t, context, &frames[i], end - i);
	}
}

static void add_table(GPtrArray *tables, const struct context *context,
		      const GArray *made, enum ab_frame_kind kind,
		      struct ab_table *t, put_row put)
{
	g_autoptr(GArray) list = of_kind(made, kind);

	put_rows(t, context, list, put);
	if (list->len)
		g_ptr_array_add(tables, t);
	else
		ab_table_free(t);
}

/* What FrameTimeline said of some frames. */
struct judgement {
	const struct ab_frame *frame;
	gint64 count;
};

static int by_judgement(const void *a, const void *b)
{
	const struct ab_frame *x = ((const struct judgement *)a)->frame;
	const struct ab_frame *y = ((const struct judgement *)b)->frame;

	if (x->kind != y->kind)
		return x->kind > y->kind ? -1 : 1; /* surface frames first */
	if (x->jank != y->jank)
		return x->jank < y->jank ? -1 : 1;
	return (x->present > y->present) - (x->present < y->present);
}

static int by_count(const void *a, const void *b)
{
	const struct judgement *x = a, *y = b;

	if (x->frame->kind == y->frame->kind && x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return by_judgement(a, b);
}

static GArray *list_judgements(const GArray *made)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct judgement));
	guint i, kept = 0;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);
		struct judgement j = { m->frame, 1 };

		if (m->source->tells_sf)
			g_array_append_val(list, j);
	}
	g_array_sort(list, by_judgement);
	for (i = 0; i < list->len; i++) {
		struct judgement *j = &g_array_index(list, struct judgement, i);
		struct judgement *last = &g_array_index(list, struct judgement,
							kept ? kept - 1 : 0);

		if (kept && !by_judgement(last, j))
			last->count++;
		else
			g_array_index(list, struct judgement, kept++) = *j;
	}
	g_array_set_size(list, kept);
	g_array_sort(list, by_count);
	return list;
}

/* Real traces have a dozen; what a hostile one has beyond is one row. */
#define MAX_JUDGEMENTS 64

static void put_judgement(struct ab_table *t, const struct judgement *j)
{
	bool surface = j->frame->kind == AB_FRAME_ACTUAL_SURFACE;
	g_autofree char *jank = ab_jank_text(j->frame->jank);
	g_autofree char *present = ab_present_text(j->frame->present);

	ab_table_text(t, surface ? "apps" : "SurfaceFlinger");
	ab_table_text(t, jank);
	ab_table_text(t, present);
	ab_table_text(t, ab_jank_tag(j->frame));
	ab_table_count(t, j->count);
}

static void add_jank_table(GPtrArray *tables, const GArray *made)
{
	g_autoptr(GArray) list = list_judgements(made);
	struct ab_table *t;
	gint64 rest = 0;
	guint i;

	if (!list->len)
		return;
	t = AB_NEW_TABLE("jank", "Jank types, by frame and layer",
			 jank_columns);
	for (i = 0; i < list->len; i++) {
		const struct judgement *j =
			&g_array_index(list, struct judgement, i);

		if (i < MAX_JUDGEMENTS)
			put_judgement(t, j);
		else
			rest += j->count;
	}
	if (rest) {
		ab_table_text(t, "all");
		ab_table_text(t, "others");
		ab_table_text(t, "");
		ab_table_text(t, "");
		ab_table_count(t, rest);
	}
	g_ptr_array_add(tables, t);
}

void ab_frame_tables(const struct ab_trace *trace, const GArray *made,
		     GPtrArray *tables)
{
	const struct context context = { trace, ab_frames_refresh(trace) };

	add_table(tables, &context, made, AB_FRAME_ACTUAL_SURFACE,
		  AB_NEW_TABLE("frames", "Frames by process and layer",
			       frame_columns),
		  put_frames_row);
	add_table(tables, &context, made, AB_FRAME_ACTUAL_DISPLAY,
		  AB_NEW_TABLE("display", "SurfaceFlinger's display frames",
			       display_columns),
		  put_display_row);
	add_jank_table(tables, made);
}

static void put_us(struct ab_table *t, bool known, gint64 ns)
{
	ab_table_number(t, known ? (double)ns / 1e3 : NAN);
}

struct ab_table *ab_frame_samples(const struct ab_trace *trace,
				  const GArray *made)
{
	struct ab_table *t = AB_NEW_TABLE("frames", "Frames", sample_columns);
	guint i;

	for (i = 0; i < made->len; i++) {
		const struct ab_made_frame *m =
			&g_array_index(made, struct ab_made_frame, i);
		const struct ab_frame *f = m->frame;
		g_autofree char *jank = ab_jank_text(f->jank);
		gint64 duration_ns, overrun_ns;
		bool has_duration = ab_frame_duration(f, &duration_ns);
		bool has_overrun = ab_frame_overrun(m, &overrun_ns);

		if (f->kind != AB_FRAME_ACTUAL_SURFACE)
			continue;
		ab_table_count(t, f->begin_ns);
		ab_table_text(t, ab_frame_process(trace, f->pid));
		ab_table_count(t, f->pid);
		ab_table_text(t, ab_trace_text(trace, f->layer));
		ab_table_text(t, m->source->name);
		ab_table_count(t, f->token);
		put_us(t, has_duration, duration_ns);
		put_us(t, has_overrun, overrun_ns);
		ab_table_text(t, jank);
	}
	return t;
}
