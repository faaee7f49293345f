// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * CompactSched: one packed column per member of an event.  Most of a trace's
 * bytes are these numbers, so they are read without a branch per byte.
 */
#include "perfetto.h"

#define INTERN_TABLE 5

/* The field number of each column. */
static const guint8 switches[PF_COLUMNS] = { 1, 3, 4, 2, 6 };
static const guint8 wakings[PF_COLUMNS] = { 7, 8, 10, 12, 11 };

/* ---- columns of varints ---- */

#define MORE G_GUINT64_CONSTANT(0x8080808080808080)

/*
 * The varint in the low bytes of @word, of at most 8; @size_out its bytes, 0
 * when it has more.  Groups of 7 bits are moved together in three steps.
 */
static inline guint64 short_varint(guint64 word, guint *size_out)
{
	guint64 stop = ~word & MORE;

	if (G_UNLIKELY(!stop)) {
		*size_out = 0;
		return 0;
	}
	*size_out = ((guint)__builtin_ctzll(stop) >> 3) + 1;
	word &= (stop ^ (stop - 1)) & ~MORE;
	word = (word & G_GUINT64_CONSTANT(0x007f007f007f007f)) |
	       (word & G_GUINT64_CONSTANT(0x7f007f007f007f00)) >> 1;
	word = (word & G_GUINT64_CONSTANT(0x00003fff00003fff)) |
	       (word & G_GUINT64_CONSTANT(0x3fff00003fff0000)) >> 2;
	return (word & G_GUINT64_CONSTANT(0x000000000fffffff)) |
	       (word & G_GUINT64_CONSTANT(0x0fffffff00000000)) >> 4;
}

static inline guint64 load_word(const guint8 *p)
{
	guint64 word;

	memcpy(&word, p, sizeof(word));
	return GUINT64_FROM_LE(word);
}

static inline bool read_number(struct ab_reader *r, guint64 *v)
{
	guint size = 0;

	if (G_LIKELY(r->end - r->p >= 8))
		*v = short_varint(load_word(r->p), &size);
	if (G_LIKELY(size)) {
		r->p += size;
		return true;
	}
	return r->p < r->end && ab_read_varint(r, v);
}

/* Up to @max numbers of @column into @out; how many there were. */
static guint read_column(struct pf_column *column, guint32 *out, guint max)
{
	struct ab_reader *r = &column->in;
	guint64 v;
	guint n = 0;

	while (n < max) {
		/* Indexes and states are mostly below 128. */
		if (n + 8 <= max && r->end - r->p >= 8 &&
		    !(load_word(r->p) & MORE)) {
			guint i;

			for (i = 0; i < 8; i++)
				out[n + i] = r->p[i];
			r->p += 8;
			n += 8;
			continue;
		}
		if (!read_number(r, &v))
			break;
		out[n++] = (guint32)v;
	}
	return n;
}

static guint read_times(struct pf_stream *s, guint max)
{
	struct ab_reader *r = &s->columns[PF_TS].in;
	guint64 raw = s->raw, v;
	guint n = 0;

	while (n < max && read_number(r, &v)) {
		raw += v;
		s->ts[n++] = (gint64)raw;
	}
	return n;
}

/* ---- a bundle ---- */

/* The field came in parts, or as single numbers: put them together. */
static void join(struct pf_column *column, const struct ab_field *f)
{
	guint8 byte;
	guint64 v = f->v;

	if (!column->joined) {
		column->joined = g_byte_array_new();
		g_byte_array_append(column->joined, column->in.p,
				    (guint)(column->in.end - column->in.p));
	}
	if (f->wire == AB_LEN) {
		g_byte_array_append(column->joined, f->bytes.p,
				    (guint)f->bytes.n);
	} else {
		for (; v > 0x7f; v >>= 7) {
			byte = (guint8)(v | 0x80);
			g_byte_array_append(column->joined, &byte, 1);
		}
		byte = (guint8)v;
		g_byte_array_append(column->joined, &byte, 1);
	}
	column->in = ab_reader(
		(struct ab_bytes){ column->joined->data, column->joined->len });
}

static void take_field(struct ab_source *src, struct pf_stream *s,
		       const guint8 *layout, const struct ab_field *f)
{
	guint i;

	if (f->no == INTERN_TABLE && f->wire == AB_LEN) {
		guint32 text = ab_trace_comm(src->trace, f->bytes);

		g_array_append_val(s->texts, text);
		return;
	}
	for (i = 0; i < PF_COLUMNS; i++) {
		struct pf_column *column = &s->columns[i];

		if (f->no != layout[i])
			continue;
		if (f->wire == AB_LEN && column->in.p == column->in.end)
			column->in = ab_reader(f->bytes);
		else if (f->wire == AB_LEN || f->wire == AB_VARINT)
			join(column, f);
		return;
	}
}

bool pf_open_compact(struct ab_source *src, struct pf_stream *s)
{
	struct ab_reader r = ab_reader(s->loaded->compact);
	struct ab_field f;
	guint i;

	for (i = 0; i < PF_COLUMNS; i++) {
		g_clear_pointer(&s->columns[i].joined, g_byte_array_unref);
		s->columns[i].in = ab_reader((struct ab_bytes){ NULL, 0 });
	}
	g_array_set_size(s->texts, 0);
	s->raw = 0;
	/* Beyond what GLib's arrays hold. */
	if (!s->loaded->compact.p || s->loaded->compact.n > G_MAXINT32)
		return false;
	while (ab_next_field(&r, &f))
		take_field(src, s, s->kind == PF_SWITCHES ? switches : wakings,
			   &f);
	src->trace->quality.damaged_events += r.bad;
	return true;
}

/* The stamps are of the bundle's clock; make them times of the trace clock. */
static guint convert_times(struct ab_source *src, struct pf_stream *s, guint n)
{
	const struct pf_bundle *b = s->loaded;
	guint i;

	if (G_LIKELY(b->clock == src->trace_clock && n &&
		     s->ts[n - 1] < PF_LATEST && s->ts[n - 1] >= s->ts[0] &&
		     s->ts[0] >= 0))
		return n;
	for (i = 0; i < n; i++)
		if (!pf_time(src, b->clock, b->snapshots, (guint64)s->ts[i],
			     &s->ts[i])) {
			src->trace->quality.clock_failures += n - i;
			break;
		}
	return i;
}

static bool any_left(const struct pf_stream *s)
{
	guint i;

	for (i = 0; i < PF_COLUMNS; i++)
		if (i != PF_PRIO && s->columns[i].in.p < s->columns[i].in.end)
			return true;
	return false;
}

/* common_flags of wakings are newer than the rest, and may be shorter. */
static bool may_be_short(const struct pf_stream *s, guint column)
{
	return s->kind == PF_WAKINGS && column == PF_STATE;
}

void pf_read_compact(struct ab_source *src, struct pf_stream *s)
{
	guint before = read_times(s, PF_ROWS), rows = before, i;

	if (rows)
		s->raw = (guint64)s->ts[rows - 1];
	for (i = PF_TID; i < PF_COLUMNS; i++) {
		guint32 *out = s->values[i];
		guint n;

		/* Only who watches slices is shown priorities. */
		if (i == PF_PRIO &&
		    (s->kind == PF_WAKINGS || !src->trace->watched)) {
			memset(out, 0, rows * sizeof(*out));
			continue;
		}
		n = read_column(&s->columns[i], out, rows);
		if (n < rows && may_be_short(s, i))
			memset(out + n, 0, (rows - n) * sizeof(*out));
		else
			rows = MIN(rows, n);
	}
	if (rows < before || (before < PF_ROWS && any_left(s)))
		src->trace->quality.damaged_events++;
	s->n = convert_times(src, s, rows);
	/* What follows a broken row cannot be told apart. */
	if (s->n < before)
		s->columns[PF_TS].in.p = s->columns[PF_TS].in.end;
}

/* ---- events ---- */

static guint32 comm_of(const struct pf_stream *s)
{
	guint32 index = s->values[PF_COMM][s->at];

	return G_LIKELY(index < s->texts->len)
		       ? g_array_index(s->texts, guint32, index)
		       : 0;
}

static bool bad_tid(struct ab_source *src, guint32 tid)
{
	if (G_LIKELY(tid < AB_MAX_TID))
		return false;
	src->trace->quality.damaged_events++;
	return true;
}

bool pf_decode_switch(struct ab_source *src, const struct pf_stream *s,
		      struct ab_event *ev)
{
	guint32 tid = s->values[PF_TID][s->at];

	ev->kind = AB_EV_SWITCH;
	ev->flags |= AB_EVENT_COMPACT;
	ev->sw.next_tid = (gint32)tid;
	ev->sw.next_prio = (gint32)s->values[PF_PRIO][s->at];
	ev->sw.prev_state = s->values[PF_STATE][s->at];
	ev->sw.next_comm = comm_of(s);
	return !bad_tid(src, tid);
}

bool pf_decode_waking(struct ab_source *src, const struct pf_stream *s,
		      struct ab_event *ev)
{
	guint32 tid = s->values[PF_TID][s->at];

	ev->kind = AB_EV_WAKING;
	ev->flags |= AB_EVENT_COMPACT;
	ev->waking.tid = (gint32)tid;
	ev->waking.flags = s->values[PF_STATE][s->at];
	ev->waking.comm = comm_of(s);
	return !bad_tid(src, tid);
}
