// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

#include <math.h>

/* fixed32: a float in the order of little-endian bytes. */
static float to_float(guint64 raw)
{
	guint32 bits = (guint32)raw;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void read_number(struct ab_battery_sample *s, guint32 no, guint64 v)
{
	gint64 *member = NULL;
	guint32 bit = 0;

	switch (no) {
	case 1:
		member = &s->charge_uah;
		bit = AB_BATTERY_CHARGE;
		break;
	case 3:
		member = &s->current_ua;
		bit = AB_BATTERY_CURRENT;
		break;
	case 4:
		member = &s->current_avg_ua;
		bit = AB_BATTERY_CURRENT_AVG;
		break;
	case 6:
		member = &s->energy_uwh;
		bit = AB_BATTERY_ENERGY;
		break;
	case 7:
		member = &s->voltage_uv;
		bit = AB_BATTERY_VOLTAGE;
		break;
	default:
		return;
	}
	*member = (gint64)v;
	s->has |= bit;
}

void pf_battery(struct ab_source *src, struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_battery_sample s = { .ts = ts };
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_VARINT) {
			read_number(&s, f.no, f.v);
		} else if (AB_FIELD_TAG(&f) == AB_TAG(5, AB_LEN)) {
			s.name = ab_trace_intern(src->trace, f.bytes);
		} else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_FIXED32)) {
			s.capacity_percent = to_float(f.v);
			if (isfinite(s.capacity_percent))
				s.has |= AB_BATTERY_CAPACITY;
		}
	}
	if (r.bad) {
		src->trace->quality.damaged_packets++;
		return;
	}
	ab_trace_extend(src->trace, ts);
	g_array_append_val(src->trace->battery, s);
}

static int by_time(const void *a, const void *b)
{
	const struct ab_battery_sample *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

void pf_battery_finish(struct ab_source *src)
{
	g_array_sort(src->trace->battery, by_time);
}
