// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

bool pf_time(const struct ab_source *src, guint64 clock, guint limit,
	     guint64 raw, gint64 *ts_out)
{
	if (raw >= (guint64)PF_LATEST)
		return false;
	if (G_LIKELY(clock == src->trace_clock)) {
		*ts_out = (gint64)raw;
		return true;
	}
	return ab_clocks_convert(src->clocks, limit, clock, src->trace_clock,
				 (gint64)raw, ts_out) ||
	       ab_clocks_convert(src->clocks, G_MAXUINT, clock,
				 src->trace_clock, (gint64)raw, ts_out);
}

static bool read_clock(const struct pf_packet *pkt, struct ab_bytes message,
		       struct ab_clock_value *value_out)
{
	struct ab_reader r = ab_reader(message);
	guint64 id = 0, value = 0, unit = 1;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire != AB_VARINT)
			continue;
		if (f.no == 1)
			id = f.v;
		else if (f.no == 2)
			value = f.v;
		else if (f.no == 4 && f.v)
			unit = f.v;
	}
	value_out->clock = ab_clock_key((guint32)id, pkt->sequence);
	value_out->ns = (gint64)(value * unit);
	return !r.bad && id && unit <= (guint64)PF_LATEST &&
	       value <= (guint64)PF_LATEST / unit;
}

void pf_clock_snapshot(struct ab_source *src, const struct pf_packet *pkt,
		       struct ab_bytes message)
{
	struct ab_clock_value values[AB_MAX_SNAPSHOT_CLOCKS];
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	guint n = 0;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT) &&
		    !src->trace_clock_known) {
			src->trace_clock = ab_clock_key((guint32)f.v, 0);
			src->trace_clock_known = true;
		} else if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN) &&
			   n < G_N_ELEMENTS(values) &&
			   read_clock(pkt, f.bytes, &values[n])) {
			n++;
		}
	}
	if (r.bad || !ab_clocks_add(src->clocks, values, n))
		src->trace->quality.damaged_packets++;
}
