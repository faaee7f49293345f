// SPDX-License-Identifier: GPL-3.0-or-later
/* A trace: the order of its packets.  Pure: the request in, bytes out. */
#include "trace_packets.h"

gsize vp_packet_begin(struct vp_trace *trace)
{
	return vp_pb_open(trace->pb, 1);
}

void vp_packet_end(struct vp_trace *trace, gsize opened, enum vp_seq seq)
{
	static const int uids[VP_SEQS] = { 0, 9999, 9999, 9999, 1000, 1000 };
	GByteArray *pb = trace->pb;

	vp_pb_int(pb, 3, uids[seq]);
	vp_pb_int(pb, 10, seq);
	/* On the first packet nothing was lost, but perfetto says so. */
	if (!trace->seen[seq] && seq != VP_SEQ_SERVICE) {
		vp_pb_int(pb, 42, 1);
		vp_pb_int(pb, 87, 1);
	}
	trace->seen[seq] = true;
	vp_pb_close(pb, opened);
}

static bool wants_ftrace(const struct vp_trace_request *rq)
{
	return rq->sched || rq->waking || rq->workqueue || rq->blocked_reason ||
	       rq->rpm || rq->freq || rq->idle || rq->print ||
	       rq->unknown_events;
}

static void write_data(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	struct vp_drain *drain = vp_drain_new(trace);
	bool ftrace = wants_ftrace(rq);
	gint64 drain_ns = (rq->drain_ms ? rq->drain_ms : 250) * VP_MSEC;
	gint64 end_ns;

	if (ftrace)
		vp_drain_stats(drain, false);
	for (gint64 ns = rq->begin_ns; ns < rq->end_ns; ns = end_ns) {
		end_ns = MIN(ns + drain_ns, rq->end_ns);
		if (ftrace)
			vp_drain_pass(drain, end_ns);
		if (rq->frametimeline)
			vp_frametimeline(trace, ns, end_ns);
		if (rq->rails || rq->battery)
			vp_trace_power(trace, ns, end_ns);
	}
	if (ftrace)
		vp_drain_stats(drain, true);
	vp_drain_free(drain);
}

GByteArray *vp_trace_build(const struct vp_trace_request *rq)
{
	struct vp_trace trace = {
		.rq = rq,
		.sim = vp_sim_new(rq),
		.pb = g_byte_array_sized_new(1 << 20),
	};

	vp_trace_head(&trace);
	if (rq->processes)
		vp_trace_processes(&trace);
	write_data(&trace);
	vp_trace_tail(&trace);
	vp_sim_free(trace.sim);
	return trace.pb;
}
