// SPDX-License-Identifier: GPL-3.0-or-later
#include "jank.h"
#include "perfetto.h"

#define FRAME_END 5
#define MAX_PREDICTION 3

/* A begin or an end, to be paired when all are sorted in time. */
struct pf_frame_event {
	gint64 ts, cookie;
	guint32 order; /* in the file */
	guint32 frame; /* index + 1 in the trace's frames; 0: an end */
};

/* What one message says. */
struct message {
	gint64 cookie;
	struct ab_frame frame; /* of a start */
	guint8 kind;	       /* enum ab_frame_kind or FRAME_END */
	bool has_cookie, has_token, has_display_token, has_pid;
};

GArray *pf_frame_events_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct pf_frame_event));
}

/*
 * The four starts have the same members under different numbers; this says
 * which member a field is.
 */
enum member {
	NONE,
	COOKIE,
	TOKEN,
	DISPLAY,
	PID,
	LAYER,
	PRESENT,
	ON_TIME,
	GPU,
	JANK,
	PREDICTION
};

static const guint8 members[][11] = {
	[AB_FRAME_EXPECTED_DISPLAY] = { NONE, COOKIE, TOKEN, PID },
	[AB_FRAME_ACTUAL_DISPLAY] = { NONE, COOKIE, TOKEN, PID, PRESENT,
				      ON_TIME, GPU, JANK, PREDICTION },
	[AB_FRAME_EXPECTED_SURFACE] = { NONE, COOKIE, TOKEN, DISPLAY, PID,
					LAYER },
	[AB_FRAME_ACTUAL_SURFACE] = { NONE, COOKIE, TOKEN, DISPLAY, PID, LAYER,
				      PRESENT, ON_TIME, GPU, JANK, PREDICTION },
	[FRAME_END] = { NONE, COOKIE },
};

static void read_number(struct message *e, enum member m, guint64 v)
{
	switch (m) {
	case COOKIE:
		e->cookie = (gint64)v;
		e->has_cookie = true;
		break;
	case TOKEN:
		e->frame.token = (gint64)v;
		e->has_token = true;
		break;
	case DISPLAY:
		e->frame.display_token = (gint64)v;
		e->has_display_token = true;
		break;
	case PID:
		e->frame.pid = (gint32)v;
		e->has_pid = true;
		break;
	case PRESENT:
		e->frame.present = (guint8)MIN(v, G_MAXUINT8);
		break;
	case ON_TIME:
		e->frame.on_time = v != 0;
		break;
	case GPU:
		e->frame.gpu = v != 0;
		break;
	case JANK:
		e->frame.jank = (guint32)v;
		break;
	case PREDICTION:
		e->frame.prediction = (guint8)MIN(v, G_MAXUINT8);
		break;
	default:
		break;
	}
}

static void read_members(struct ab_source *src, struct message *e,
			 struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		enum member m = f.no < G_N_ELEMENTS(members[0])
					? members[e->kind][f.no]
					: NONE;

		if (f.wire == AB_VARINT)
			read_number(e, m, f.v);
		else if (f.wire == AB_LEN && m == LAYER)
			e->frame.layer = ab_trace_intern(src->trace, f.bytes);
	}
}

static bool is_surface(guint8 kind)
{
	return kind == AB_FRAME_EXPECTED_SURFACE ||
	       kind == AB_FRAME_ACTUAL_SURFACE;
}

static bool is_complete(const struct message *e)
{
	if (!e->has_cookie)
		return false;
	if (e->kind == FRAME_END)
		return true;
	return e->has_token && e->has_pid &&
	       (!is_surface(e->kind) || e->has_display_token);
}

static void note_loss(struct ab_source *src, gint64 until_ns)
{
	/* The last one may be the end of the window. */
	struct ab_lost lost = { src->frames_seen_ns - 1, until_ns, -1,
				"FrameTimeline packets were lost" };

	if (src->frames_broken)
		g_array_append_val(src->trace->lost_frames, lost);
	src->frames_broken = false;
}

static void add_event(struct ab_source *src, const struct message *m, gint64 ts)
{
	GArray *frames = src->trace->frames;
	struct pf_frame_event e = {
		.ts = ts,
		.cookie = m->cookie,
		.order = src->frame_events->len,
	};

	if (m->kind != FRAME_END) {
		g_array_append_val(frames, m->frame);
		e.frame = frames->len;
	}
	g_array_append_val(src->frame_events, e);
}

void pf_frame_event(struct ab_source *src, struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct message m = { .kind = 0 };
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire != AB_LEN || f.no > FRAME_END)
			continue;
		m.kind = (guint8)f.no;
		read_members(src, &m, f.bytes);
	}
	if (r.bad || !m.kind || !is_complete(&m)) {
		src->trace->quality.damaged_packets++;
		return;
	}
	note_loss(src, ts);
	src->frames_seen_ns = MAX(src->frames_seen_ns, ts);
	ab_trace_extend(src->trace, ts);
	m.frame.kind = m.kind;
	m.frame.begin_ns = ts;
	m.frame.end_ns = -1;
	if (m.frame.jank & ~AB_JANK_KNOWN ||
	    m.frame.present >= AB_PRESENT_TYPES ||
	    m.frame.prediction > MAX_PREDICTION)
		src->trace->quality.unknown_enums++;
	add_event(src, &m, ts);
}

static int by_time(const void *a, const void *b)
{
	const struct pf_frame_event *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void pair(struct ab_source *src, GHashTable *open,
		 struct pf_frame_event *e)
{
	GArray *frames = src->trace->frames;
	gpointer index;

	if (e->frame) {
		g_hash_table_replace(open, &e->cookie,
				     GUINT_TO_POINTER(e->frame));
		return;
	}
	index = g_hash_table_lookup(open, &e->cookie);
	if (!index) {
		src->trace->quality.unpaired++;
		return;
	}
	g_array_index(frames, struct ab_frame, GPOINTER_TO_UINT(index) - 1)
		.end_ns = e->ts;
	g_hash_table_remove(open, &e->cookie);
}

struct expected {
	gint64 token;
	gint32 pid;
	guint32 index;
};

static int by_process(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static GArray *list_expected(const GArray *frames)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct expected));
	guint i;

	for (i = 0; i < frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(frames, struct ab_frame, i);
		struct expected e = { f->token, f->pid, i };

		if (f->kind == AB_FRAME_EXPECTED_SURFACE)
			g_array_append_val(list, e);
	}
	g_array_sort(list, by_process);
	return list;
}

/* Only the first expected surface frame of a process and token counts. */
static void dedupe_expected(struct ab_trace *trace)
{
	g_autoptr(GArray) list = list_expected(trace->frames);
	guint i, kept = 0;

	for (i = 1; i < list->len; i++) {
		const struct expected *e =
			&g_array_index(list, struct expected, i);

		if (e->pid == e[-1].pid && e->token == e[-1].token)
			g_array_index(trace->frames, struct ab_frame, e->index)
				.kind = 0;
	}
	for (i = 0; i < trace->frames->len; i++) {
		struct ab_frame f =
			g_array_index(trace->frames, struct ab_frame, i);

		if (f.kind)
			g_array_index(trace->frames, struct ab_frame, kept++) =
				f;
	}
	g_array_set_size(trace->frames, kept);
}

static int by_begin(const void *a, const void *b)
{
	const struct ab_frame *x = a, *y = b;

	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

void pf_frames_finish(struct ab_source *src)
{
	/* By cookie, which lies in the event that began the frame. */
	g_autoptr(GHashTable) open =
		g_hash_table_new(ab_key_hash, g_int64_equal);
	guint i;

	note_loss(src, G_MAXINT64);
	g_array_sort(src->frame_events, by_time);
	for (i = 0; i < src->frame_events->len; i++)
		pair(src, open,
		     &g_array_index(src->frame_events, struct pf_frame_event,
				    i));
	g_clear_pointer(&src->frame_events, g_array_unref);
	/* A stable sort: of equal begins the first in the file. */
	g_array_sort(src->trace->frames, by_begin);
	dedupe_expected(src->trace);
}
