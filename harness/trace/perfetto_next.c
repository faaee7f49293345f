// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

static int by_time(const void *a, const void *b)
{
	const struct pf_proc *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

/* The trace begins with what was read; what is older is not handed out. */
static void extend(const struct ab_source *src, const struct pf_stream *s)
{
	const struct pf_cpu *cpu = src->cpus[s->cpu];
	guint i;

	for (i = 0; i < s->bundle; i++) {
		const struct pf_bundle *b =
			&g_array_index(cpu->bundles, struct pf_bundle, i);

		if (b->first_ns != G_MAXINT64)
			ab_trace_extend(src->trace,
					MAX(b->first_ns, src->wanted_ns));
	}
}

void pf_streams_start(struct ab_source *src)
{
	g_autofree gint64 *heads = g_new(gint64, src->streams->len);
	guint i;

	g_array_sort(src->procs, by_time);
	src->wanted_ns = src->keep_old ? G_MININT64 : src->started_ns;
	for (i = 0; i < src->streams->len; i++) {
		heads[i] = pf_stream_refill(src, src->streams->pdata[i]);
		extend(src, src->streams->pdata[i]);
	}
	ab_merge_init(&src->merge, heads, src->streams->len);
	src->current = ab_merge_first(&src->merge);
}

static gint64 proc_head(const struct ab_source *src)
{
	if (src->next_proc == src->procs->len)
		return PF_END;
	return g_array_index(src->procs, struct pf_proc, src->next_proc).ts;
}

/* What is known of processes at that time. */
static guint take_procs(struct ab_source *src, struct ab_batch *batch,
			guint max)
{
	guint n = 0;

	while (n < max && proc_head(src) != PF_END &&
	       proc_head(src) <= ab_merge_head(&src->merge)) {
		const struct pf_proc *proc = &g_array_index(
			src->procs, struct pf_proc, src->next_proc++);
		struct ab_event *ev = &batch->room[n];

		ev->ts = proc->ts;
		ev->cpu = 0;
		ev->tid = AB_TID_UNKNOWN;
		ev->flags = 0;
		ev->kind = proc->kind;
		ev->proc.tid = proc->tid;
		ev->proc.tgid = proc->tgid;
		ev->proc.name = proc->name;
		ev->proc.kernel = proc->kernel;
		batch->order[n++] = ev;
	}
	return n;
}

/* Its events are handed out where they are: they last for a batch. */
static void refill_drained(struct ab_source *src)
{
	struct pf_stream *s;

	if (!src->drained)
		return;
	src->drained = false;
	s = src->streams->pdata[src->current];
	src->current = ab_merge_advance(&src->merge, src->current,
					pf_stream_refill(src, s));
}

/* The CPUs' events before @until, from the @n-th of the batch on. */
static guint take_events(struct ab_source *src, struct ab_batch *batch, guint n,
			 guint max, gint64 until)
{
	struct pf_stream **streams = (struct pf_stream **)src->streams->pdata;
	guint32 current = src->current;

	while (n < max && ab_merge_head(&src->merge) < until) {
		struct pf_stream *s = streams[current];
		const struct ab_event *ev = &s->events[s->at];

		batch->order[n++] = ev;
		if (G_UNLIKELY(++s->at == s->n)) {
			src->drained = true;
			break;
		}
		current = ab_merge_advance(&src->merge, current, ev[1].ts);
	}
	src->current = current;
	return n;
}

guint pf_next(struct ab_source *src, struct ab_batch *batch, guint max)
{
	guint n;

	refill_drained(src);
	n = take_procs(src, batch, max);
	return take_events(src, batch, n, max, proc_head(src));
}
