// SPDX-License-Identifier: GPL-3.0-or-later
#include "window.h"

struct ab_mark {
	gint64 ts;
	guint32 key; /* text: what both ends of a window share */
	bool begins;
};

GArray *ab_window_marks_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct ab_mark));
}

bool ab_window_may_mark(struct ab_bytes bytes)
{
	return memmem(bytes.p, bytes.n, AB_TRACE_WINDOW_NAME,
		      strlen(AB_TRACE_WINDOW_NAME));
}

/* "S|<pid>|abrig:run|<cookie>": everything after the letter is the key. */
static bool is_marker(const char *text)
{
	g_auto(GStrv) part = NULL;

	if ((text[0] != 'S' && text[0] != 'F') || text[1] != '|')
		return false;
	part = g_strsplit(text, "|", 4);
	return g_strv_length(part) == 4 &&
	       !strcmp(part[2], AB_TRACE_WINDOW_NAME);
}

void ab_window_mark(struct ab_trace *trace, gint64 ts, struct ab_bytes text)
{
	char line[128];
	struct ab_mark mark = { .ts = ts };

	if (text.n >= sizeof(line) || trace->marks->len >= AB_MARKS_MAX)
		return;
	memcpy(line, text.p, text.n);
	line[text.n] = '\0';
	g_strchomp(line);
	if (!is_marker(line))
		return;
	mark.begins = line[0] == 'S';
	mark.key = ab_trace_intern(trace,
				   (struct ab_bytes){ (const guint8 *)line + 2,
						      strlen(line + 2) });
	g_array_append_val(trace->marks, mark);
}

static int by_time(const void *a, const void *b)
{
	const struct ab_mark *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

/* The last complete pair. */
static void pair_marks(struct ab_trace *trace)
{
	struct ab_mark open = { .ts = -1 };
	guint i;

	g_array_sort(trace->marks, by_time);
	for (i = 0; i < trace->marks->len; i++) {
		const struct ab_mark *m =
			&g_array_index(trace->marks, struct ab_mark, i);

		if (m->begins) {
			open = *m;
		} else if (open.ts >= 0 && m->key == open.key) {
			trace->marker_begin_ns = open.ts;
			trace->marker_end_ns = m->ts;
			open.ts = -1;
		} else {
			trace->quality.unpaired++;
		}
	}
}

/* @ns after @ts, as far as time goes. */
static gint64 later(gint64 ts, gint64 ns)
{
	return ns < G_MAXINT64 - ts ? ts + ns : G_MAXINT64;
}

void ab_trace_window_begin(struct ab_trace *trace,
			   const struct ab_trace_window *given)
{
	struct ab_trace_facts *facts = &trace->facts;

	pair_marks(trace);
	trace->begin_ns = G_MININT64;
	trace->end_ns = G_MAXINT64;
	facts->window_given = given && trace->first_ns != G_MAXINT64;
	facts->window_marked =
		!facts->window_given && trace->marker_end_ns >= 0;
	if (facts->window_given) {
		trace->begin_ns = later(trace->first_ns, given->begin_ns);
		trace->end_ns = later(trace->first_ns, given->end_ns);
	} else if (facts->window_marked) {
		trace->begin_ns = trace->marker_begin_ns;
		trace->end_ns = trace->marker_end_ns;
	}
}

void ab_window_finish(struct ab_trace *trace)
{
	struct ab_trace_facts *facts = &trace->facts;

	if (trace->first_ns > trace->last_ns)
		trace->begin_ns = trace->end_ns = 0;
	else if (facts->window_given)
		trace->end_ns = MAX(trace->begin_ns,
				    MIN(trace->end_ns, trace->last_ns));
	else if (!facts->window_marked) {
		trace->begin_ns = MAX(trace->first_ns, trace->crop_ns);
		trace->end_ns = MAX(trace->begin_ns, trace->last_ns);
	}
	facts->begin_ns = trace->begin_ns;
	facts->end_ns = trace->end_ns;
}
