// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

#include "window.h"

/* FtraceEventBundle.ftrace_clock */
enum { CLOCK_BOOT = 0, CLOCK_UNKNOWN = 1, CLOCK_MONO_RAW = 4 };

/* What a bundle says beside its events. */
struct header {
	guint64 cpu, clock, ftrace_ns, boot_ns, last_read, previous_end;
	bool has_cpu, has_pair, has_previous_end;
	bool lost, damaged;
};

static void read_varint_field(struct header *h, const struct ab_field *f)
{
	switch (f->no) {
	case 1:
		h->cpu = f->v;
		h->has_cpu = true;
		break;
	case 3:
		h->lost = f->v != 0;
		break;
	case 5:
		h->clock = f->v;
		break;
	case 6:
		h->ftrace_ns = f->v;
		break;
	case 7:
		h->boot_ns = f->v;
		h->has_pair = true;
		break;
	case 9:
		h->last_read = f->v;
		break;
	case 10:
		h->previous_end = f->v;
		h->has_previous_end = true;
		break;
	default:
		break;
	}
}

static void read_len_field(struct ab_source *src, struct pf_bundle *b,
			   struct header *h, const struct ab_field *f)
{
	switch (f->no) {
	case PF_EVENT:
		b->has_events = true;
		break;
	case 4:
		b->compact = f->bytes;
		break;
	case 8:
		h->damaged = true;
		break;
	case 11:
		pf_generic_descriptor(src, f->bytes);
		break;
	default:
		break;
	}
}

static bool read_header(struct ab_source *src, struct pf_bundle *b,
			struct header *h)
{
	struct ab_reader r = ab_reader(b->bytes);
	struct ab_bytes event;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_VARINT)
			read_varint_field(h, &f);
		else if (f.wire == AB_LEN)
			read_len_field(src, b, h, &f);
		while (ab_next_repeated(&r, PF_EVENT, &event))
			b->has_events = true;
	}
	return !r.bad && h->has_cpu && h->cpu < AB_MAX_CPUS &&
	       h->clock != CLOCK_UNKNOWN;
}

/* The clock of the bundle's events; its pair of stamps joins the clocks. */
static guint64 bundle_clock(struct ab_source *src,
			    const struct pf_sequence *seq,
			    const struct header *h)
{
	struct ab_clock_value pair[2];
	guint64 clock;

	if (h->clock == CLOCK_BOOT)
		return AB_CLOCK_BOOTTIME;
	clock = h->clock == CLOCK_MONO_RAW
			? AB_CLOCK_MONOTONIC_RAW
			: ab_clock_key(AB_CLOCK_PRIVATE, seq->id);
	pair[0] = (struct ab_clock_value){ clock, (gint64)h->ftrace_ns };
	pair[1] = (struct ab_clock_value){ AB_CLOCK_BOOTTIME,
					   (gint64)h->boot_ns };
	if (h->has_pair && h->ftrace_ns < (guint64)PF_LATEST &&
	    h->boot_ns < (guint64)PF_LATEST)
		ab_clocks_add(src->clocks, pair, 2);
	return clock;
}

static struct pf_cpu *cpu_of(struct ab_source *src, guint16 no)
{
	struct pf_cpu *cpu = src->cpus[no];

	if (!cpu) {
		cpu = src->cpus[no] = g_new0(struct pf_cpu, 1);
		cpu->bundles =
			g_array_new(FALSE, FALSE, sizeof(struct pf_bundle));
		g_ptr_array_add(src->streams, pf_stream_new(no));
	}
	return cpu;
}

void pf_cpu_free(struct pf_cpu *cpu)
{
	if (!cpu)
		return;
	g_array_unref(cpu->bundles);
	g_free(cpu);
}

/* Of the first bundle of each CPU: from when on is nothing missing? */
static void note_cover(struct ab_source *src, struct pf_cpu *cpu,
		       const struct pf_bundle *b, const struct header *h)
{
	guint64 end = h->has_previous_end ? h->previous_end : h->last_read;
	gint64 ts;

	if (!cpu->bundles->len && end &&
	    pf_time(src, b->clock, b->snapshots, end, &ts))
		cpu->covered_ns = ts;
}

/* Its clock may not be known yet, so the markers are read at the end. */
static void mark_bundle(struct ab_source *src, guint16 cpu, guint index)
{
	struct pf_marked marked = { cpu, index };

	g_array_append_val(src->marked, marked);
}

void pf_marks_finish(struct ab_source *src)
{
	guint i;

	for (i = 0; i < src->marked->len; i++) {
		const struct pf_marked *m =
			&g_array_index(src->marked, struct pf_marked, i);

		pf_find_marks(src, &g_array_index(src->cpus[m->cpu]->bundles,
						  struct pf_bundle, m->index));
	}
}

void pf_gap(struct ab_source *src)
{
	if (!src->gaps->len ||
	    g_array_index(src->gaps, guint32, src->gaps->len - 1) !=
		    src->bundles)
		g_array_append_val(src->gaps, src->bundles);
}

void pf_bundle(struct ab_source *src, const struct pf_packet *pkt,
	       const struct pf_sequence *seq, bool gap)
{
	struct pf_bundle b = { .bytes = pkt->payload,
			       .first_ns = G_MAXINT64,
			       .last_ns = G_MININT64,
			       .number = src->bundles++ };
	struct header h = { 0 };
	struct pf_cpu *cpu;

	if (gap)
		g_array_append_val(src->gaps, b.number);
	if (!read_header(src, &b, &h)) {
		src->trace->quality.damaged_packets++;
		g_array_append_val(src->gaps, b.number);
		return;
	}
	b.clock = bundle_clock(src, seq, &h);
	b.snapshots = ab_clocks_count(src->clocks);
	b.generation = seq->generation;
	b.lost = h.lost || h.damaged;
	src->trace->quality.lost_bundles += h.lost;
	src->trace->quality.damaged_events += h.damaged;
	cpu = cpu_of(src, (guint16)h.cpu);
	note_cover(src, cpu, &b, &h);
	if (b.has_events && ab_window_may_mark(b.bytes))
		mark_bundle(src, (guint16)h.cpu, cpu->bundles->len);
	g_array_append_val(cpu->bundles, b);
}

gint64 pf_crop(const struct ab_source *src)
{
	gint64 crop = 0;
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (src->cpus[i])
			crop = MAX(crop, src->cpus[i]->covered_ns);
	return crop;
}

static void add_lost(struct ab_source *src, int cpu, gint64 begin_ns,
		     gint64 end_ns, const char *what)
{
	struct ab_lost lost = { begin_ns, end_ns, cpu, what };

	g_array_append_val(src->trace->lost_events, lost);
}

/*
 * Before each bundle with lost_events: from the CPU's last event to the next
 * one, which may be in a later bundle.
 */
static void lost_on_cpu(struct ab_source *src, int no, const struct pf_cpu *cpu)
{
	static const char what[] = "kernel events were lost";
	gint64 last = G_MININT64;
	bool lost = false;
	guint i;

	for (i = 0; i < cpu->bundles->len; i++) {
		const struct pf_bundle *b =
			&g_array_index(cpu->bundles, struct pf_bundle, i);

		lost = lost || b->lost;
		if (b->first_ns == G_MAXINT64)
			continue;
		if (lost)
			add_lost(src, no, last, MAX(b->first_ns, last), what);
		lost = false;
		last = MAX(last, b->last_ns);
	}
	if (lost)
		add_lost(src, no, last, G_MAXINT64, what);
}

/* Narrow the gap by what @cpu still has on both sides of bundle @number. */
static void gap_on_cpu(const struct pf_cpu *cpu, guint32 number,
		       gint64 *begin_ns, gint64 *end_ns)
{
	gint64 last = G_MININT64, next = G_MAXINT64;
	guint i;

	for (i = 0; i < cpu->bundles->len; i++) {
		const struct pf_bundle *b =
			&g_array_index(cpu->bundles, struct pf_bundle, i);

		if (b->number < number)
			last = MAX(last, b->last_ns);
		else
			next = MIN(next, b->first_ns);
	}
	if (last != G_MININT64)
		*begin_ns = MIN(*begin_ns, last);
	if (next != G_MAXINT64)
		*end_ns = MAX(*end_ns, next);
}

/* Beyond so many gaps one stretch covers the rest. */
#define MAX_GAPS 256

static void lost_in_gap(struct ab_source *src, guint32 first, guint32 last)
{
	gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64, unused;
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++) {
		if (!src->cpus[i])
			continue;
		unused = G_MININT64;
		gap_on_cpu(src->cpus[i], first, &begin_ns, &unused);
		unused = G_MAXINT64;
		gap_on_cpu(src->cpus[i], last, &unused, &end_ns);
	}
	/* At the end of a trace, its last event is the end of the window. */
	if (end_ns == G_MININT64 && begin_ns != G_MAXINT64)
		begin_ns--;
	add_lost(src, -1, begin_ns == G_MAXINT64 ? G_MININT64 : begin_ns,
		 end_ns == G_MININT64 ? G_MAXINT64 : end_ns,
		 "packets with kernel events were lost");
}

void pf_lost_bundles(struct ab_source *src)
{
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (src->cpus[i])
			lost_on_cpu(src, (int)i, src->cpus[i]);
	for (i = 0; i < src->gaps->len && i < MAX_GAPS; i++) {
		guint32 first = g_array_index(src->gaps, guint32, i);
		guint at = i + 1 == MAX_GAPS ? src->gaps->len - 1 : i;

		lost_in_gap(src, first, g_array_index(src->gaps, guint32, at));
	}
}
