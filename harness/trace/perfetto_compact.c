// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

/* Which fields of CompactSched make the columns of a stream. */
struct layout {
	guint32 ts, tid, prio, state, comm;
};

static const struct layout switches = { 1, 3, 4, 2, 6 };
static const struct layout wakings = { 7, 8, 10, 12, 11 };

#define INTERN_TABLE 5

/*
 * Append the varints of @f, packed or single, to @column, whose elements are
 * guint32 or gint64.
 */
static void append_u32(GArray *column, const struct ab_field *f)
{
	struct ab_reader r = ab_reader(f->bytes);
	guint n = column->len;
	guint64 v = f->v;
	guint32 *out;

	if (f->wire == AB_VARINT) {
		guint32 value = (guint32)v;

		g_array_append_val(column, value);
		return;
	}
	if (f->wire != AB_LEN)
		return;
	g_array_set_size(column, n + (guint)f->bytes.n);
	out = (guint32 *)(gpointer)column->data;
	while (r.p < r.end && ab_read_varint(&r, &v))
		out[n++] = (guint32)v;
	g_array_set_size(column, n);
}

static void append_u64(GArray *column, const struct ab_field *f)
{
	struct ab_reader r = ab_reader(f->bytes);
	guint n = column->len;
	guint64 v = f->v, *out;

	if (f->wire == AB_VARINT) {
		g_array_append_val(column, v);
		return;
	}
	if (f->wire != AB_LEN)
		return;
	g_array_set_size(column, n + (guint)f->bytes.n);
	out = (guint64 *)(gpointer)column->data;
	while (r.p < r.end && ab_read_varint(&r, &v))
		out[n++] = v;
	g_array_set_size(column, n);
}

static void take_field(struct pf_stream *s, const struct layout *layout,
		       const struct ab_field *f)
{
	if (f->no == INTERN_TABLE && f->wire == AB_LEN)
		g_array_append_val(s->comms, f->bytes);
	else if (f->no == layout->ts)
		append_u64(s->ts, f);
	else if (f->no == layout->tid)
		append_u32(s->tid, f);
	else if (f->no == layout->prio)
		append_u32(s->prio, f);
	else if (f->no == layout->state)
		append_u32(s->state, f);
	else if (f->no == layout->comm)
		append_u32(s->comm, f);
}

static void clear(struct pf_stream *s)
{
	g_array_set_size(s->ts, 0);
	g_array_set_size(s->tid, 0);
	g_array_set_size(s->prio, 0);
	g_array_set_size(s->state, 0);
	g_array_set_size(s->comm, 0);
	g_array_set_size(s->comms, 0);
}

/* The time stamps are differences; make them times of the trace clock. */
static guint convert_times(struct ab_source *src, struct pf_stream *s,
			   const struct pf_bundle *b, guint n)
{
	gint64 *ts = (gint64 *)(gpointer)s->ts->data;
	guint64 raw = 0;
	guint i;

	for (i = 0; i < n; i++) {
		raw += (guint64)ts[i];
		if (!pf_time(src, b->clock, b->snapshots, raw, &ts[i])) {
			src->trace->quality.clock_failures += n - i;
			break;
		}
	}
	return i;
}

void pf_load_compact(struct ab_source *src, struct pf_stream *s,
		     const struct pf_bundle *b)
{
	const struct layout *layout =
		s->kind == PF_SWITCHES ? &switches : &wakings;
	struct ab_reader r = ab_reader(b->compact);
	const guint32 none = 0;
	struct ab_field f;
	guint n;

	clear(s);
	/* A packed field's length must fit the columns. */
	if (b->compact.n > G_MAXINT32 / 8)
		return;
	while (ab_next_field(&r, &f))
		take_field(s, layout, &f);
	n = MIN(MIN(s->ts->len, s->tid->len), MIN(s->prio->len, s->comm->len));
	if (s->kind == PF_SWITCHES)
		n = MIN(n, s->state->len);
	while (s->kind == PF_WAKINGS && s->state->len < n)
		/* common_flags: newer than the rest, and may be shorter. */
		g_array_append_val(s->state, none);
	if (r.bad || n != s->ts->len || n != s->tid->len)
		src->trace->quality.damaged_events++;
	s->n = convert_times(src, s, b, n);
}

static struct ab_bytes comm_at(const struct pf_stream *s)
{
	guint32 index = g_array_index(s->comm, guint32, s->at);

	if (index >= s->comms->len)
		return (struct ab_bytes){ (const guint8 *)"", 0 };
	return g_array_index(s->comms, struct ab_bytes, index);
}

bool pf_decode_compact(struct ab_source *src, const struct pf_stream *s,
		       struct ab_event *ev)
{
	guint32 tid = g_array_index(s->tid, guint32, s->at);
	guint32 state = g_array_index(s->state, guint32, s->at);

	if (tid >= AB_MAX_TID) {
		src->trace->quality.damaged_events++;
		return false;
	}
	if (s->kind == PF_SWITCHES) {
		ev->kind = AB_EV_SWITCH;
		ev->sw.next_tid = (gint32)tid;
		ev->sw.next_prio =
			(gint32)g_array_index(s->prio, guint32, s->at);
		ev->sw.prev_state = state;
		ev->sw.next_comm = comm_at(s);
	} else {
		ev->kind = AB_EV_WAKING;
		ev->waking.tid = (gint32)tid;
		ev->waking.flags = state;
		ev->waking.comm = comm_at(s);
	}
	return true;
}
