// SPDX-License-Identifier: GPL-3.0-or-later
/* The frames that SurfaceFlinger's FrameTimeline tells of. */
#include "frames.h"

#include <math.h>

/* An expected frame: until when the actual one of its token should end. */
struct expected {
	gint64 token, end_ns;
	gint32 pid;
	guint8 kind; /* of the actual frame */
};

static int by_token(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->token > y->token) - (x->token < y->token);
}

static GArray *list_expected(const struct ab_trace *trace)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct expected));
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);
		struct expected e = { f->token, f->end_ns, f->pid, 0 };

		if (f->kind == AB_FRAME_EXPECTED_SURFACE)
			e.kind = AB_FRAME_ACTUAL_SURFACE;
		else if (f->kind == AB_FRAME_EXPECTED_DISPLAY)
			e.kind = AB_FRAME_ACTUAL_DISPLAY;
		if (e.kind)
			g_array_append_val(list, e);
	}
	g_array_sort(list, by_token);
	return list;
}

static gint64 deadline_of(const GArray *list, const struct ab_frame *f)
{
	struct expected key = { .token = f->token,
				.pid = f->pid,
				.kind = f->kind };
	guint at;

	if (!g_array_binary_search((GArray *)list, &key, by_token, &at))
		return -1;
	return g_array_index(list, struct expected, at).end_ns;
}

static void collect(const struct ab_trace *trace, const void *state,
		    GArray *frames)
{
	g_autoptr(GArray) expected = list_expected(trace);
	guint i;

	(void)state;
	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);
		struct ab_made_frame made = { f, -1, &ab_frames_timeline };

		if ((f->kind != AB_FRAME_ACTUAL_SURFACE &&
		     f->kind != AB_FRAME_ACTUAL_DISPLAY) ||
		    !ab_in_window(trace, f->begin_ns))
			continue;
		made.deadline_ns = deadline_of(expected, f);
		g_array_append_val(frames, made);
	}
}

const struct ab_frame_source_ops ab_frames_timeline = {
	.name = "FrameTimeline",
	.tells_sf = true,
	.collect = collect,
};

/* 10 to 500 Hz; a longer interval means that nothing was drawn. */
#define SHORTEST_NS 2000000
#define LONGEST_NS 100000000
/* As alike as intervals of one refresh rate are. */
#define ALIKE 1.05
#define LEAST 3

static int by_length(const void *a, const void *b)
{
	const gint64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static GArray *refresh_intervals(const struct ab_trace *trace)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(gint64));
	gint64 last = -1, length;
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);

		if (f->kind != AB_FRAME_EXPECTED_DISPLAY ||
		    !ab_in_window(trace, f->begin_ns))
			continue;
		length = last < 0 ? 0 : f->begin_ns - last;
		last = f->begin_ns;
		if (length >= SHORTEST_NS && length <= LONGEST_NS)
			g_array_append_val(list, length);
	}
	g_array_sort(list, by_length);
	return list;
}

double ab_frames_refresh(const struct ab_trace *trace)
{
	g_autoptr(GArray) list = refresh_intervals(trace);
	const gint64 *length = (const gint64 *)(void *)list->data;
	gint64 sum = 0, best_sum = 0;
	guint from = 0, to, best = 0;

	/* The fullest group of intervals that are alike; the shorter wins. */
	for (to = 0; to < list->len; to++) {
		sum += length[to];
		while ((double)length[to] > (double)length[from] * ALIKE)
			sum -= length[from++];
		if (to - from + 1 > best) {
			best = to - from + 1;
			best_sum = sum;
		}
	}
	return best < LEAST ? NAN : (double)best * 1e9 / (double)best_sum;
}
