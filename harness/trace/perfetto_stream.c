// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One CPU's events.  The kernel's buffer was emptied bundle after bundle, so
 * only the parts of one bundle have to be put in order: of equal stamps
 * switches come first, then wakings, as in trace processor.
 */
#include "perfetto.h"

struct pf_stream *pf_stream_new(guint16 cpu)
{
	struct pf_stream *s = g_new0(struct pf_stream, 1);

	s->cpu = cpu;
	s->compact[PF_SWITCHES].ts[0] = PF_END;
	s->compact[PF_WAKINGS].ts[0] = PF_END;
	s->plain.rows[0].ts = PF_END;
	return s;
}

void pf_stream_free(gpointer data)
{
	struct pf_stream *s = data;
	guint half, i;

	for (half = 0; half < PF_HALVES; half++)
		for (i = 0; i < PF_COLUMNS; i++)
			g_clear_pointer(&s->compact[half].columns[i].joined,
					g_byte_array_unref);
	g_free(s->names);
	g_free(s);
}

static inline gint64 compact_head(const struct pf_compact *c)
{
	return c->ts[c->at];
}

static inline gint64 plain_head(const struct pf_stream *s)
{
	return s->plain.rows[s->plain.at].ts;
}

/* The earlier one of the next switch and the next waking. */
static inline gint64 pair_head(const struct pf_stream *s)
{
	gint64 sw = compact_head(&s->compact[PF_SWITCHES]);
	gint64 wk = compact_head(&s->compact[PF_WAKINGS]);

	return MIN(sw, wk);
}

static void note_extent(struct pf_bundle *b, gint64 first_ns, gint64 last_ns)
{
	b->first_ns = MIN(b->first_ns, first_ns);
	b->last_ns = MAX(b->last_ns, last_ns);
}

static void read_compact(struct ab_source *src, struct pf_stream *s,
			 enum pf_half half)
{
	const struct pf_compact *c = &s->compact[half];

	pf_read_compact(src, s, half);
	if (c->n)
		note_extent(s->loaded, c->ts[0], c->ts[c->n - 1]);
}

static void read_plain(struct ab_source *src, struct pf_stream *s)
{
	const struct pf_plain *p = &s->plain;

	pf_read_events(src, s);
	if (p->n)
		note_extent(s->loaded, p->rows[0].ts, p->rows[p->n - 1].ts);
}

static bool open_next(struct ab_source *src, struct pf_stream *s)
{
	const struct pf_cpu *cpu = src->cpus[s->cpu];

	if (s->bundle == cpu->bundles->len)
		return false;
	s->loaded = &g_array_index(cpu->bundles, struct pf_bundle, s->bundle++);
	ab_reading_at(&src->trace->reading, ++src->opened, src->bundles);
	pf_open_compact(src, s);
	read_compact(src, s, PF_SWITCHES);
	read_compact(src, s, PF_WAKINGS);
	pf_open_events(s);
	read_plain(src, s);
	return true;
}

/* Rows that there are without reading; what has ended does not get a turn. */
static inline guint rows_left(const struct pf_compact *c)
{
	return c->n ? c->n - c->at : PF_ROWS;
}

/* What fuse() counts on. */
G_STATIC_ASSERT(AB_EV_WAKING == AB_EV_SWITCH + 1);
G_STATIC_ASSERT(PF_WAKINGS == PF_SWITCHES + 1);

/*
 * Switches and wakings up to @until, as far as they are read.  No branch on
 * which of them comes next: that cannot be predicted.
 */
static void fuse(struct ab_source *src, struct pf_stream *s, gint64 until)
{
	struct pf_compact *sw = &s->compact[PF_SWITCHES];
	struct pf_compact *wk = &s->compact[PF_WAKINGS];
	guint at_sw = sw->at, at_wk = wk->at, n = s->n, i;
	guint max = MIN(rows_left(sw), rows_left(wk));
	gint64 wanted_ns = src->wanted_ns;
	guint16 cpu = s->cpu;

	max = MIN(max, PF_ROWS - n);
	for (i = 0; i < max; i++) {
		guint waking = wk->ts[at_wk] < sw->ts[at_sw];
		const struct pf_compact *c = &s->compact[waking];
		guint at = at_sw ^ ((at_sw ^ at_wk) & -waking);
		struct ab_event *ev = &s->events[n];
		guint32 tid = c->values[PF_TID][at];
		gint64 ts = c->ts[at];

		if (ts > until)
			break;
		at_wk += waking;
		at_sw += waking ^ 1;
		ev->ts = ts;
		ev->kind = (guint8)(AB_EV_SWITCH + waking);
		ev->flags = AB_EVENT_COMPACT;
		ev->cpu = cpu;
		ev->tid = AB_TID_UNKNOWN;
		ev->sw.next_tid = (gint32)tid;
		ev->sw.next_prio = (gint32)c->values[PF_PRIO][at];
		ev->sw.prev_state = c->values[PF_STATE][at];
		ev->sw.next_comm = c->values[PF_COMM][at];
		n += ts >= wanted_ns && tid < AB_MAX_TID;
		if (G_UNLIKELY(tid >= AB_MAX_TID))
			src->trace->quality.damaged_events += ts >= wanted_ns;
	}
	sw->at = at_sw;
	wk->at = at_wk;
	s->n = n;
}

static void take_compact(struct ab_source *src, struct pf_stream *s)
{
	gint64 until = plain_head(s);
	guint half;

	until = MIN(until, PF_END - 1);
	while (s->n < PF_ROWS && pair_head(s) <= until) {
		fuse(src, s, until);
		for (half = 0; half < PF_HALVES; half++) {
			const struct pf_compact *c = &s->compact[half];

			if (c->n && c->at == c->n)
				read_compact(src, s, (enum pf_half)half);
		}
	}
}

static void take_plain(struct ab_source *src, struct pf_stream *s)
{
	gint64 until = pair_head(s), ts;

	while (s->n < PF_ROWS && (ts = plain_head(s)) < until) {
		struct ab_event *ev = &s->events[s->n];

		ev->ts = ts;
		ev->flags = 0;
		ev->cpu = s->cpu;
		if (G_LIKELY(ts >= src->wanted_ns))
			s->n += pf_decode_event(src, s, ev);
		if (++s->plain.at == s->plain.n)
			read_plain(src, s);
	}
}

/* What not all CPUs cover; only the first events of a trace. */
static void mark_cropped(struct pf_stream *s, gint64 crop_ns)
{
	guint i;

	for (i = 0; i < s->n; i++)
		if (s->events[i].ts < crop_ns)
			s->events[i].flags |= AB_EVENT_CROPPED;
}

gint64 pf_stream_refill(struct ab_source *src, struct pf_stream *s)
{
	gint64 first_ns = G_MAXINT64;

	s->at = s->n = 0;
	while (s->n < PF_ROWS) {
		gint64 pair = pair_head(s), plain = plain_head(s);

		/* What lies beyond, a damaged row, is given up. */
		if (pair >= PF_END && plain >= PF_END && !open_next(src, s))
			break;
		take_compact(src, s);
		take_plain(src, s);
		first_ns = MIN(first_ns, s->loaded->first_ns);
	}
	if (G_UNLIKELY(first_ns < src->trace->crop_ns))
		mark_cropped(s, src->trace->crop_ns);
	return s->n ? s->events[0].ts : PF_END;
}
