// SPDX-License-Identifier: GPL-3.0-or-later
/* The android.power data source: rails from the power HAL, battery. */
#include "trace_packets.h"

#define VOLTAGE_UV 4012000
#define CAPACITY_UAH 4950000.0

/* The HAL refreshes this often; what is read in between is the same again. */
#define REFRESH_MS 50

/* Each chip has its own idea of when its last refresh was. */
static gint64 sample_ms(const struct vp_rail *rail, gint64 ts_ns)
{
	gint64 ms = ts_ns / VP_MSEC;

	return ms - ms % REFRESH_MS - 3 + rail->chip;
}

static void descriptors(struct vp_trace *trace)
{
	const struct vp_rail *rails = trace->sim->hw->rails;
	GByteArray *pb = trace->pb;

	for (int i = 0; rails[i].name; i++) {
		gsize rail = vp_pb_open(pb, 1);
		vp_pb_int(pb, 1, i);
		vp_pb_string(pb, 2, rails[i].name);
		vp_pb_string(pb, 3, rails[i].subsys);
		vp_pb_int(pb, 4, 0);
		vp_pb_close(pb, rail);
	}
}

static gint64 energy_uws(const struct vp_trace *trace, int rail, gint64 ts_ns)
{
	const struct vp_trace_request *rq = trace->rq;

	return vp_energy_uws(rq->boot, rq->acts, rq->n_acts, rail, ts_ns);
}

static void rails_sample(struct vp_trace *trace, gint64 ts_ns, bool first)
{
	const struct vp_rail *rails = trace->sim->hw->rails;
	GByteArray *pb = trace->pb;
	gsize packet = vp_packet_begin(trace);

	vp_pb_int(pb, 8, ts_ns);
	gsize message = vp_pb_open(pb, 40);
	if (first)
		descriptors(trace);
	for (int i = 0; rails[i].name; i++) {
		gint64 ms = MAX(sample_ms(&rails[i], ts_ns), 0);
		gsize data = vp_pb_open(pb, 2);
		vp_pb_int(pb, 1, i);
		vp_pb_int(pb, 2, ms);
		vp_pb_int(pb, 3, energy_uws(trace, i, ms * VP_MSEC));
		vp_pb_close(pb, data);
	}
	vp_pb_close(pb, message);
	vp_packet_end(trace, packet, VP_SEQ_POWER);
}

static gint64 total_uws(const struct vp_trace *trace, gint64 ts_ns)
{
	const struct vp_rail *rails = trace->sim->hw->rails;
	gint64 uws = 0;

	for (int i = 0; rails[i].name; i++)
		uws += energy_uws(trace, i, ts_ns);
	return uws;
}

static gint64 poll_ns(const struct vp_trace *trace)
{
	return (trace->rq->poll_ms ? trace->rq->poll_ms : 250) * VP_MSEC;
}

static void battery_sample(struct vp_trace *trace, gint64 ts_ns)
{
	GByteArray *pb = trace->pb;
	gint64 then_ns = MAX(ts_ns - poll_ns(trace), 0);
	gint64 now_uws = total_uws(trace, ts_ns);
	gint64 uws = now_uws - total_uws(trace, then_ns);
	double watts = (double)uws * 1e-6 / ((double)(ts_ns - then_ns) * 1e-9);
	double used_uah = (double)now_uws / (VOLTAGE_UV * 1e-6) / 3600;
	double charge_uah = CAPACITY_UAH - used_uah;
	gint64 ua = (gint64)(watts / VOLTAGE_UV * 1e12);
	gsize packet = vp_packet_begin(trace);

	vp_pb_int(pb, 8, ts_ns);
	gsize message = vp_pb_open(pb, 38);
	vp_pb_int(pb, 1, (gint64)charge_uah);
	vp_pb_float(pb, 2, (float)(gint64)(charge_uah * 100 / CAPACITY_UAH));
	vp_pb_int(pb, 3, trace->rq->charging ? VP_CHARGING_UA : -ua);
	vp_pb_int(pb, 7, VOLTAGE_UV);
	vp_pb_close(pb, message);
	vp_packet_end(trace, packet, VP_SEQ_POWER);
}

void vp_trace_power(struct vp_trace *trace, gint64 begin_ns, gint64 end_ns)
{
	gint64 origin_ns = trace->rq->begin_ns + VP_MSEC;

	for (gint64 ts_ns = origin_ns; ts_ns < end_ns;
	     ts_ns += poll_ns(trace)) {
		bool first = ts_ns == origin_ns;
		if (ts_ns < begin_ns)
			continue;
		if (trace->rq->battery)
			battery_sample(trace, ts_ns);
		if (!trace->rq->rails)
			continue;
		rails_sample(trace, ts_ns, first);
		/* The service asks twice at the start; the HAL has a cache. */
		if (first)
			rails_sample(trace, ts_ns + 5 * VP_MSEC, false);
	}
}
