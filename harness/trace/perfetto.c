// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

#include "perfetto_unpack.h"
#include "perfetto_walk.h"

/* TracePacket payloads, by field number. */
enum {
	FTRACE_EVENTS = 1,
	PROCESS_TREE = 2,
	CLOCK_SNAPSHOT = 6,
	FTRACE_STATS = 34,
	TRACE_STATS = 35,
	BATTERY = 38,
	POWER_RAILS = 40,
	SYSTEM_INFO = 45,
	CPU_INFO = 67,
	SERVICE_EVENT = 69,
	FRAME_TIMELINE = 76,
};

/* A packet has few fields, none twice; more are damage, and cost time. */
#define MAX_FIELDS 1024

static void read_varint_field(struct pf_packet *pkt, const struct ab_field *f)
{
	switch (f->no) {
	case 8:
		pkt->timestamp = f->v;
		pkt->has_timestamp = true;
		break;
	case 10:
		pkt->sequence = (guint32)f->v;
		break;
	case 13:
		pkt->flags = f->v;
		break;
	case 41:
		pkt->cleared = f->v != 0;
		break;
	case 42:
		pkt->dropped = f->v;
		break;
	case 58:
		pkt->clock = (guint32)f->v;
		break;
	case 98:
		pkt->machine = f->v;
		break;
	default:
		break;
	}
}

static void read_len_field(struct pf_packet *pkt, const struct ab_field *f)
{
	switch (f->no) {
	case 12:
		pkt->interned = f->bytes;
		break;
	case 59:
		pkt->defaults = f->bytes;
		pkt->has_defaults = true;
		break;
	case FTRACE_EVENTS:
	case PROCESS_TREE:
	case CLOCK_SNAPSHOT:
	case FTRACE_STATS:
	case TRACE_STATS:
	case BATTERY:
	case POWER_RAILS:
	case SYSTEM_INFO:
	case CPU_INFO:
	case SERVICE_EVENT:
	case FRAME_TIMELINE:
	/* What is left of these is nested, and so refused. */
	case PF_COMPRESSED_PACKETS:
	case PF_ZSTD_COMPRESSED_PACKETS:
		pkt->no = f->no;
		pkt->payload = f->bytes;
		break;
	default:
		break;
	}
}

static bool read_packet(struct ab_bytes message, struct pf_packet *pkt)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	guint fields = 0;

	*pkt = (struct pf_packet){ 0 };
	while (fields++ < MAX_FIELDS && ab_next_field(&r, &f)) {
		if (f.wire == AB_VARINT)
			read_varint_field(pkt, &f);
		else if (f.wire == AB_LEN)
			read_len_field(pkt, &f);
	}
	return r.p == r.end && !r.bad && pkt->no != PF_COMPRESSED_PACKETS &&
	       pkt->no != PF_ZSTD_COMPRESSED_PACKETS;
}

/* The payloads that have a place in time. */
static void take_timed(struct ab_source *src, const struct pf_packet *pkt,
		       gint64 ts)
{
	switch (pkt->no) {
	case PROCESS_TREE:
		pf_process_tree(src, pkt->payload, ts);
		break;
	case BATTERY:
		pf_battery(src, pkt->payload, ts);
		break;
	case POWER_RAILS:
		pf_power_rails(src, pkt->payload, ts);
		break;
	case SERVICE_EVENT:
		pf_service_event(src, pkt->payload, ts);
		break;
	case FRAME_TIMELINE:
		pf_frame_event(src, pkt->payload, ts);
		break;
	default:
		break;
	}
}

/* SurfaceFlinger writes 0 and negative times for "unset", the largest number
 * for "never"; a conversion would make an instant of them. */
static bool is_sentinel(const struct pf_packet *pkt)
{
	return pkt->no == FRAME_TIMELINE &&
	       (!pkt->timestamp || pkt->timestamp >= (guint64)PF_LATEST);
}

static void take_payload(struct ab_source *src, struct pf_packet *pkt,
			 const struct pf_sequence *seq)
{
	guint limit = ab_clocks_count(src->clocks);
	gint64 ts = 0;

	if (is_sentinel(pkt)) {
		src->trace->quality.sentinel_times++;
		return;
	}
	pkt->clock_key = src->trace_clock;
	if (pkt->clock || seq->clock)
		pkt->clock_key = ab_clock_key(
			pkt->clock ? pkt->clock : seq->clock, seq->id);
	if (pkt->has_timestamp && pkt->clock_key != src->trace_clock &&
	    !ab_clocks_convert(src->clocks, limit, pkt->clock_key,
			       src->trace_clock, (gint64)pkt->timestamp, &ts))
		g_array_append_val(src->deferred, *pkt);
	else if (pkt->has_timestamp && pkt->clock_key != src->trace_clock)
		take_timed(src, pkt, ts);
	else if (pf_time(src, src->trace_clock, limit, pkt->timestamp, &ts))
		take_timed(src, pkt, ts);
	else
		src->trace->quality.clock_failures++;
}

static void take_deferred(struct ab_source *src)
{
	guint i;

	for (i = 0; i < src->deferred->len; i++) {
		const struct pf_packet *pkt =
			&g_array_index(src->deferred, struct pf_packet, i);
		gint64 ts;

		if (pf_time(src, pkt->clock_key, G_MAXUINT, pkt->timestamp,
			    &ts))
			take_timed(src, pkt, ts);
		else
			src->trace->quality.clock_failures++;
	}
}

/* The payloads that are read where they stand. */
static void take(struct ab_source *src, struct pf_packet *pkt,
		 const struct pf_sequence *seq, bool gap)
{
	switch (pkt->no) {
	case 0:
		break;
	case FTRACE_EVENTS:
		pf_bundle(src, pkt, seq, gap);
		break;
	case CLOCK_SNAPSHOT:
		pf_clock_snapshot(src, pkt, pkt->payload);
		break;
	case FTRACE_STATS:
		pf_ftrace_stats(src, pkt->payload);
		break;
	case TRACE_STATS:
		pf_trace_stats(src, pkt->payload);
		break;
	case SYSTEM_INFO:
		pf_system_info(src, pkt->payload);
		break;
	case CPU_INFO:
		pf_cpu_info(src, pkt->payload);
		break;
	default:
		take_payload(src, pkt, seq);
		break;
	}
}

/* False when it does not parse. */
static bool packet(struct ab_source *src, struct ab_bytes message)
{
	struct ab_trace_quality *quality = &src->trace->quality;
	struct pf_sequence *seq;
	struct pf_packet pkt;
	bool gap;

	quality->packets++;
	if (!read_packet(message, &pkt)) {
		quality->damaged_packets++;
		return false;
	}
	if (pkt.machine) {
		quality->foreign_packets++;
		return true;
	}
	seq = pf_sequence(src, pkt.sequence);
	gap = pkt.dropped && seq->seen;
	seq->seen = true;
	quality->packet_loss += gap;
	if (!pf_sequence_update(src, seq, &pkt)) {
		quality->state_dropped++;
		if (pkt.no == FRAME_TIMELINE)
			src->frames_broken = true;
		return true;
	}
	if (gap && pkt.no == FRAME_TIMELINE)
		src->frames_broken = true;
	take(src, &pkt, seq, gap);
	return true;
}

/* Packets are missing here, and nobody knows of which sequences. */
static void lose_packets(struct ab_source *src)
{
	src->trace->quality.packet_loss++;
	src->losses++;
	src->frames_broken = true;
	pf_gap(src);
}

/* False when nothing that looks like a packet stands at the beginning. */
static bool walk(struct ab_source *src, struct ab_bytes trace)
{
	struct ab_trace_quality *quality = &src->trace->quality;
	struct pf_walk w = pf_walk(trace);
	struct ab_bytes message;

	while (pf_walk_next(&w, &message)) {
		if (w.gap)
			lose_packets(src);
		w.gap = NULL;
		ab_reading_at(&src->trace->reading, (guint64)(w.at - trace.p),
			      trace.n);
		if (packet(src, message))
			continue;
		lose_packets(src);
		pf_walk_doubt(&w);
		w.gap = NULL;
	}
	if (w.gap)
		lose_packets(src);
	quality->bytes_ignored += w.skipped + (guint64)(w.r.end - w.at);
	if (w.at < w.r.end)
		src->trace->end_missing = true;
	return quality->packets > 0;
}

static bool unpack(struct ab_trace *trace, struct ab_bytes bytes,
		   struct ab_spool *plain, GError **error)
{
	return pf_unpack(bytes, plain, &trace->quality.bytes_ignored,
			 &trace->reading, error);
}

static struct ab_source *source_new(struct ab_trace *trace)
{
	struct ab_source *src = g_new0(struct ab_source, 1);

	src->trace = trace;
	src->sequences = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	src->generations = g_ptr_array_new_with_free_func(pf_generation_free);
	src->clocks = ab_clocks_new();
	src->trace_clock = AB_CLOCK_BOOTTIME;
	src->deferred = g_array_new(FALSE, FALSE, sizeof(struct pf_packet));
	src->gaps = g_array_new(FALSE, FALSE, sizeof(guint32));
	src->generic = g_array_new(FALSE, FALSE, sizeof(struct pf_generic));
	src->procs = g_array_new(FALSE, FALSE, sizeof(struct pf_proc));
	src->frame_events = pf_frame_events_new();
	src->sessions = pf_rail_sessions_new();
	src->marked = g_array_new(FALSE, FALSE, sizeof(struct pf_marked));
	src->streams = g_ptr_array_new_with_free_func(pf_stream_free);
	return src;
}

static void source_free(struct ab_source *src)
{
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		pf_cpu_free(src->cpus[i]);
	ab_merge_clear(&src->merge);
	g_array_unref(src->marked);
	g_ptr_array_unref(src->streams);
	g_hash_table_unref(src->sequences);
	g_ptr_array_unref(src->generations);
	ab_clocks_free(src->clocks);
	g_array_unref(src->deferred);
	g_array_unref(src->gaps);
	g_array_unref(src->generic);
	g_array_unref(src->procs);
	g_clear_pointer(&src->frame_events, g_array_unref);
	g_array_unref(src->sessions);
	g_free(src);
}

static struct ab_source *source_open(struct ab_trace *trace,
				     struct ab_bytes bytes)
{
	struct ab_source *src = source_new(trace);

	if (!walk(src, bytes)) {
		source_free(src);
		return NULL;
	}
	take_deferred(src);
	pf_generations_sort(src);
	pf_frames_finish(src);
	pf_rails_finish(src);
	pf_battery_finish(src);
	pf_stats_finish(src);
	trace->crop_ns = pf_crop(src);
	trace->generations = pf_any_symbol(src);
	pf_marks_finish(src);
	pf_streams_start(src);
	return src;
}

static void source_close(struct ab_source *src)
{
	pf_lost_bundles(src);
	source_free(src);
}

const struct ab_source_ops ab_source_perfetto = {
	.name = "Perfetto",
	.open_share = 0.05,
	.recognise = pf_walk_recognise,
	.unpack = unpack,
	.open = source_open,
	.next = pf_next,
	.close = source_close,
};
