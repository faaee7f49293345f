// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Frames from trace markers, of a workload that draws without SurfaceFlinger:
 *
 *	S|<pid>|abrig:frame:<budget_us>|<cookie>	begin
 *	F|<pid>|abrig:frame:<budget_us>|<cookie>	end
 */
#include "chains.h"

/* So many begun frames wait for their end; the oldest then stays open. */
#define MAX_OPEN 256
/* At 120 Hz more than two hours. */
#define MAX_FRAMES (1u << 20)
#define MAX_BUDGET_US 10000000

struct marked {
	struct ab_frame frame;
	gint64 budget_us, cookie;
};

struct marks {
	struct ab_trace *trace;
	GArray *frames; /* struct marked */
	GArray *open;	/* guint: those that have no end, oldest first */
};

/* @text up to the next @end, which is passed; or all that is left. */
static struct ab_bytes next_part(struct ab_bytes *text, char end)
{
	const guint8 *at = text->n ? memchr(text->p, end, text->n) : NULL;
	struct ab_bytes part = *text;

	part.n = at ? (gsize)(at - text->p) : text->n;
	text->p += part.n + (at != NULL);
	text->n -= part.n + (at != NULL);
	return part;
}

static bool to_number(struct ab_bytes text, gint64 max, gint64 *value_out)
{
	gsize i;

	*value_out = 0;
	for (i = 0; i < text.n; i++) {
		int digit = g_ascii_digit_value((char)text.p[i]);

		if (digit < 0 || *value_out > (max - digit) / 10)
			return false;
		*value_out = *value_out * 10 + digit;
	}
	return text.n > 0;
}

static bool drop_prefix(struct ab_bytes *text, const char *prefix)
{
	gsize n = strlen(prefix);

	if (text->n < n || memcmp(text->p, prefix, n) != 0)
		return false;
	text->p += n;
	text->n -= n;
	return true;
}

enum ab_frame_mark_kind ab_frame_mark_parse(struct ab_bytes text,
					    struct ab_frame_mark *mark_out)
{
	struct ab_bytes pid, name, cookie;
	gint64 pid_value;

	mark_out->begin = drop_prefix(&text, "S|");
	if (!mark_out->begin && !drop_prefix(&text, "F|"))
		return AB_MARK_NONE;
	pid = next_part(&text, '|');
	name = next_part(&text, '|');
	if (!drop_prefix(&name, AB_FRAME_MARK))
		return AB_MARK_NONE;
	cookie = next_part(&text, '\n');
	cookie = next_part(&cookie, '\0');
	if (!to_number(pid, AB_MAX_TID - 1, &pid_value) ||
	    !to_number(name, MAX_BUDGET_US, &mark_out->budget_us) ||
	    !to_number(cookie, G_MAXINT64, &mark_out->cookie))
		return AB_MARK_BAD;
	mark_out->pid = (gint32)pid_value;
	return AB_MARK_FRAME;
}

static void *begin(struct ab_trace *trace)
{
	struct marks *m = g_new0(struct marks, 1);

	m->trace = trace;
	m->frames = g_array_new(FALSE, FALSE, sizeof(struct marked));
	m->open = g_array_new(FALSE, FALSE, sizeof(guint));
	return m;
}

static void begin_frame(struct marks *m, const struct ab_frame_mark *mark,
			gint64 ts)
{
	struct marked f = {
		.frame = {
			.kind = AB_FRAME_ACTUAL_SURFACE,
			.begin_ns = ts,
			.end_ns = -1,
			.pid = mark->pid,
			.token = (gint64)m->frames->len + 1,
			.present = AB_PRESENT_UNKNOWN,
		},
		.budget_us = mark->budget_us,
		.cookie = mark->cookie,
	};

	if (m->frames->len == MAX_FRAMES) {
		m->trace->quality.damaged_events++;
		return;
	}
	ab_chains_marked(m->trace->chains);
	if (m->open->len == MAX_OPEN)
		g_array_remove_index(m->open, 0);
	g_array_append_val(m->open, m->frames->len);
	g_array_append_val(m->frames, f);
}

static gint64 deadline_of(const struct marked *f)
{
	return f->frame.begin_ns + f->budget_us * 1000;
}

static void end_frame(struct marks *m, const struct ab_frame_mark *mark,
		      const struct ab_event *event)
{
	gint64 ts = event->ts;
	guint i;

	for (i = m->open->len; i > 0; i--) {
		struct marked *f =
			&g_array_index(m->frames, struct marked,
				       g_array_index(m->open, guint, i - 1));

		if (f->frame.pid != mark->pid || f->cookie != mark->cookie ||
		    f->budget_us != mark->budget_us)
			continue;
		f->frame.end_ns = ts;
		f->frame.jank = ts > deadline_of(f) ? AB_JANK_APP_DEADLINE
						    : AB_JANK_NONE;
		if (ts > deadline_of(f))
			ab_chains_missed(m->trace->chains, &f->frame,
					 deadline_of(f), event->tid);
		g_array_remove_index(m->open, i - 1);
		return;
	}
	m->trace->quality.unpaired++;
}

static void print(void *state, const struct ab_event *event)
{
	struct marks *m = state;
	struct ab_frame_mark mark;

	switch (ab_frame_mark_parse(event->print, &mark)) {
	case AB_MARK_NONE:
		break;
	case AB_MARK_BAD:
		m->trace->quality.damaged_events++;
		break;
	case AB_MARK_FRAME:
		if (mark.begin)
			begin_frame(m, &mark, event->ts);
		else
			end_frame(m, &mark, event);
		break;
	}
}

static void collect(const struct ab_trace *trace, const void *state,
		    GArray *frames)
{
	const struct marks *m = state;
	guint i;

	for (i = 0; i < m->frames->len; i++) {
		const struct marked *f =
			&g_array_index(m->frames, struct marked, i);
		struct ab_made_frame made = { &f->frame, deadline_of(f),
					      &ab_frames_marks };

		if (ab_in_window(trace, f->frame.begin_ns))
			g_array_append_val(frames, made);
	}
}

static void end(void *state)
{
	struct marks *m = state;

	g_array_unref(m->frames);
	g_array_unref(m->open);
	g_free(m);
}

const struct ab_frame_source_ops ab_frames_marks = {
	.name = "markers",
	.begin = begin,
	.print = print,
	.collect = collect,
	.end = end,
};
