// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

struct pf_stream *pf_stream_add(struct ab_source *src, enum pf_stream_kind kind,
				guint16 cpu)
{
	struct pf_stream *s = g_new0(struct pf_stream, 1);

	s->kind = kind;
	s->cpu = cpu;
	s->head = PF_END;
	s->ts = g_array_new(FALSE, FALSE, sizeof(gint64));
	s->tid = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->prio = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->state = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->comm = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->comms = g_array_new(FALSE, FALSE, sizeof(struct ab_bytes));
	s->rows = g_array_new(FALSE, FALSE, sizeof(struct pf_row));
	g_ptr_array_add(src->streams, s);
	return s;
}

void pf_stream_free(gpointer data)
{
	struct pf_stream *s = data;

	g_array_unref(s->ts);
	g_array_unref(s->tid);
	g_array_unref(s->prio);
	g_array_unref(s->state);
	g_array_unref(s->comm);
	g_array_unref(s->comms);
	g_array_unref(s->rows);
	g_free(s);
}

static void load_bundle(struct ab_source *src, struct pf_stream *s,
			struct pf_bundle *b)
{
	gint64 first, last;

	s->at = s->n = 0;
	s->loaded = b;
	if (s->kind == PF_EVENTS && b->has_events)
		pf_load_events(src, s, b);
	else if (s->kind != PF_EVENTS && b->compact.p)
		pf_load_compact(src, s, b);
	if (!s->n)
		return;
	first = g_array_index(s->ts, gint64, 0);
	last = g_array_index(s->ts, gint64, s->n - 1);
	b->first_ns = MIN(b->first_ns, first);
	b->last_ns = MAX(b->last_ns, last);
}

static void load_procs(struct ab_source *src, struct pf_stream *s)
{
	guint i;

	for (i = 0; i < src->procs->len; i++)
		g_array_append_val(
			s->ts, g_array_index(src->procs, struct pf_proc, i).ts);
	s->n = src->procs->len;
}

/* Make @s ready to hand out row @at, loading what comes next. */
static void refill(struct ab_source *src, struct pf_stream *s)
{
	const struct pf_cpu *cpu = src->cpus[s->cpu];

	while (s->at >= s->n && s->kind != PF_PROCS &&
	       s->bundle < cpu->bundles->len)
		load_bundle(src, s,
			    &g_array_index(cpu->bundles, struct pf_bundle,
					   s->bundle++));
	s->head = s->at < s->n ? g_array_index(s->ts, gint64, s->at) : PF_END;
}

static int by_time(const void *a, const void *b)
{
	const struct pf_proc *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

void pf_streams_start(struct ab_source *src)
{
	guint i;

	g_array_sort(src->procs, by_time);
	load_procs(src, src->streams->pdata[0]);
	for (i = 0; i < src->streams->len; i++)
		refill(src, src->streams->pdata[i]);
}

/*
 * The stream whose head is the earliest, of equal ones the oldest; it may go
 * on until the earliest head of the others.  That is trace processor's order.
 */
static bool choose(struct ab_source *src)
{
	struct pf_stream *best = NULL;
	gint64 first = PF_END, second = PF_END;
	guint i;

	for (i = 0; i < src->streams->len; i++) {
		struct pf_stream *s = src->streams->pdata[i];

		if (s->head < first) {
			second = first;
			first = s->head;
			best = s;
		} else if (s->head < second) {
			second = s->head;
		}
	}
	src->current = best;
	src->limit = second;
	return best;
}

static bool decode_proc(const struct ab_source *src, const struct pf_stream *s,
			struct ab_event *ev)
{
	const struct pf_proc *proc =
		&g_array_index(src->procs, struct pf_proc, s->at);

	ev->kind = proc->kind;
	ev->proc.tid = proc->tid;
	ev->proc.tgid = proc->tgid;
	ev->proc.name = proc->name;
	return true;
}

static bool decode(struct ab_source *src, struct pf_stream *s,
		   struct ab_event *ev)
{
	bool old = s->kind != PF_PROCS && s->head < src->started_ns &&
		   !src->keep_old;

	ev->ts = s->head;
	ev->cpu = s->cpu;
	ev->tid = AB_TID_UNKNOWN;
	ev->compact = s->kind == PF_SWITCHES || s->kind == PF_WAKINGS;
	ev->cropped = s->kind != PF_PROCS && s->head < src->trace->crop_ns;
	if (old)
		return false;
	if (ev->compact)
		return pf_decode_compact(src, s, ev);
	return s->kind == PF_EVENTS ? pf_decode_event(src, s, ev)
				    : decode_proc(src, s, ev);
}

bool pf_next(struct ab_source *src, struct ab_event *ev)
{
	bool decoded;

	do {
		struct pf_stream *s = src->current;

		if (!s || s->head > src->limit || s->head == PF_END) {
			if (!choose(src))
				return false;
			s = src->current;
		}
		decoded = decode(src, s, ev);
		s->at++;
		if (s->at < s->n)
			s->head = g_array_index(s->ts, gint64, s->at);
		else
			refill(src, s);
	} while (!decoded);
	return true;
}
