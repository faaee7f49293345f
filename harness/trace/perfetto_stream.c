// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

void pf_stream_add(struct ab_source *src, enum pf_stream_kind kind, guint16 cpu)
{
	struct pf_stream *s = g_new0(struct pf_stream, 1);

	s->kind = kind;
	s->cpu = cpu;
	g_ptr_array_add(src->streams, s);
}

void pf_stream_free(gpointer data)
{
	struct pf_stream *s = data;
	guint i;

	for (i = 0; i < PF_COLUMNS; i++)
		g_clear_pointer(&s->columns[i].joined, g_byte_array_unref);
	g_free(s->names);
	g_free(s);
}

static void note_extent(struct pf_bundle *b, const struct pf_stream *s)
{
	b->first_ns = MIN(b->first_ns, s->ts[0]);
	b->last_ns = MAX(b->last_ns, s->ts[s->n - 1]);
}

static bool open_next(struct ab_source *src, struct pf_stream *s)
{
	const struct pf_cpu *cpu = src->cpus[s->cpu];

	while (s->bundle < cpu->bundles->len) {
		s->loaded = &g_array_index(cpu->bundles, struct pf_bundle,
					   s->bundle++);
		ab_reading_at(&src->trace->reading, src->opened++,
			      src->to_open);
		if (s->kind == PF_EVENTS ? pf_open_events(s)
					 : pf_open_compact(src, s))
			return true;
	}
	return false;
}

/* What is known of processes, as rows. */
static void read_procs(struct ab_source *src, struct pf_stream *s)
{
	guint i;

	s->n = MIN(src->procs->len - s->bundle, PF_ROWS);
	for (i = 0; i < s->n; i++)
		s->ts[i] =
			g_array_index(src->procs, struct pf_proc, s->bundle + i)
				.ts;
	s->bundle += s->n;
}

/* The next rows, of this bundle or a later one; the time of the first. */
static gint64 refill(struct ab_source *src, struct pf_stream *s)
{
	s->at = s->n = 0;
	if (s->kind == PF_PROCS) {
		read_procs(src, s);
		return s->n ? s->ts[0] : PF_END;
	}
	do {
		if (!s->loaded && !open_next(src, s))
			return PF_END;
		if (s->kind == PF_EVENTS)
			pf_read_events(src, s);
		else
			pf_read_compact(src, s);
		if (!s->n)
			s->loaded = NULL;
	} while (!s->n);
	note_extent(s->loaded, s);
	return s->ts[0];
}

static int by_time(const void *a, const void *b)
{
	const struct pf_proc *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

static void count_bundles(struct ab_source *src)
{
	guint i;

	for (i = 0; i < src->streams->len; i++) {
		const struct pf_stream *s = src->streams->pdata[i];

		if (s->kind != PF_PROCS)
			src->to_open += src->cpus[s->cpu]->bundles->len;
	}
}

void pf_streams_start(struct ab_source *src)
{
	g_autofree gint64 *heads = g_new(gint64, src->streams->len);
	guint i;

	g_array_sort(src->procs, by_time);
	count_bundles(src);
	for (i = 0; i < src->streams->len; i++) {
		const struct pf_stream *s = src->streams->pdata[i];

		heads[i] = refill(src, src->streams->pdata[i]);
		/* What is older will not be handed out. */
		if (s->kind != PF_PROCS && s->n)
			ab_trace_extend(src->trace,
					src->keep_old ? heads[i]
						      : MAX(heads[i],
							    src->started_ns));
	}
	ab_merge_init(&src->merge, heads, src->streams->len);
	src->current = ab_merge_first(&src->merge);
}

static bool decode_proc(const struct ab_source *src, const struct pf_stream *s,
			struct ab_event *ev)
{
	const struct pf_proc *proc = &g_array_index(src->procs, struct pf_proc,
						    s->bundle - s->n + s->at);

	ev->kind = proc->kind;
	ev->proc.tid = proc->tid;
	ev->proc.tgid = proc->tgid;
	ev->proc.name = proc->name;
	ev->proc.kernel = proc->kernel;
	return true;
}

static inline bool decode_compact(struct ab_source *src,
				  const struct pf_stream *s,
				  struct ab_event *ev)
{
	guint32 tid = s->values[PF_TID][s->at];

	/* No branch: which of the two comes next cannot be predicted. */
	ev->kind = s->kind == PF_SWITCHES ? AB_EV_SWITCH : AB_EV_WAKING;
	ev->flags |= AB_EVENT_COMPACT;
	ev->sw.next_tid = (gint32)tid;
	ev->sw.next_prio = (gint32)s->values[PF_PRIO][s->at];
	ev->sw.prev_state = s->values[PF_STATE][s->at];
	ev->sw.next_comm = s->values[PF_COMM][s->at];
	if (G_LIKELY(tid < AB_MAX_TID))
		return true;
	src->trace->quality.damaged_events++;
	return false;
}

static inline bool decode(struct ab_source *src, const struct pf_stream *s,
			  struct ab_event *ev)
{
	ev->ts = s->ts[s->at];
	ev->cpu = s->cpu;
	ev->tid = AB_TID_UNKNOWN;
	ev->flags = 0;
	if (s->kind == PF_PROCS)
		return decode_proc(src, s, ev);
	if (G_UNLIKELY(ev->ts < src->trace->crop_ns))
		ev->flags = AB_EVENT_CROPPED;
	if (G_UNLIKELY(ev->ts < src->started_ns && !src->keep_old))
		return false;
	return s->kind == PF_EVENTS ? pf_decode_event(src, s, ev)
				    : decode_compact(src, s, ev);
}

guint pf_next(struct ab_source *src, struct ab_event *events, guint max)
{
	guint32 current = src->current;
	guint n = 0;

	while (n < max && ab_merge_head(&src->merge) != PF_END) {
		struct pf_stream *s = src->streams->pdata[current];
		gint64 head;

		n += decode(src, s, &events[n]);
		head = G_LIKELY(++s->at < s->n) ? s->ts[s->at] : refill(src, s);
		current = ab_merge_advance(&src->merge, current, head);
	}
	src->current = current;
	return n;
}
