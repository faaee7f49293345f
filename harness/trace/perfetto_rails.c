// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

/* Trace processor ignores higher indexes; phones have 16 to 60 rails. */
#define MAX_INDEX 256
/* One session per recording and energy service. */
#define MAX_SESSIONS 64

struct pf_rail_session {
	guint64 uuid;
	guint16 rails[MAX_INDEX + 1]; /* index + 1 in the trace's rails */
};

GArray *pf_rail_sessions_new(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct pf_rail_session));
}

/* The place of session @uuid, made when absent; -1 beyond the ceiling. */
static int session_of(struct ab_source *src, guint64 uuid)
{
	guint i;

	for (i = 0; i < src->sessions->len; i++)
		if (g_array_index(src->sessions, struct pf_rail_session, i)
			    .uuid == uuid)
			return (int)i;
	if (i == MAX_SESSIONS)
		return -1;
	g_array_set_size(src->sessions, i + 1);
	g_array_index(src->sessions, struct pf_rail_session, i).uuid = uuid;
	return (int)i;
}

static void read_descriptor(struct ab_source *src, guint session,
			    struct ab_bytes message)
{
	struct pf_rail_session *s =
		&g_array_index(src->sessions, struct pf_rail_session, session);
	struct ab_rail rail = { .session = s->uuid };
	struct ab_reader r = ab_reader(message);
	guint64 index = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			index = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			rail.name = ab_trace_intern(src->trace, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_LEN))
			rail.subsystem = ab_trace_intern(src->trace, f.bytes);
	}
	if (index > MAX_INDEX || !rail.name || s->rails[index])
		return;
	rail.index = (guint32)index;
	g_array_append_val(src->trace->rails, rail);
	s->rails[index] = (guint16)src->trace->rails->len;
}

static void read_energy(struct ab_source *src, guint session,
			struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_rail_sample sample = { .ts = ts };
	guint64 index = 0, ms = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire != AB_VARINT)
			continue;
		if (f.no == 1)
			index = f.v;
		else if (f.no == 2)
			ms = f.v;
		else if (f.no == 3)
			sample.energy_uws = f.v;
	}
	if (r.bad || index > MAX_INDEX || ms > (guint64)PF_LATEST / 1000000 ||
	    (ms &&
	     !pf_time(src, AB_CLOCK_BOOTTIME, ab_clocks_count(src->clocks),
		      ms * 1000000, &sample.ts))) {
		src->trace->quality.damaged_packets++;
		return;
	}
	/* The descriptor may come later: resolved at the end. */
	sample.rail = session << 16 | (guint32)index;
	g_array_append_val(src->trace->rail_samples, sample);
}

static guint64 read_uuid(struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	guint64 uuid = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_VARINT))
			uuid = f.v;
	return uuid;
}

void pf_power_rails(struct ab_source *src, struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	int session = session_of(src, read_uuid(message));
	struct ab_field f;

	if (session < 0) {
		src->trace->quality.damaged_packets++;
		return;
	}
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			read_descriptor(src, (guint)session, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			read_energy(src, (guint)session, f.bytes, ts);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct ab_rail_sample *x = a, *y = b;

	return (x->ts > y->ts) - (x->ts < y->ts);
}

void pf_rails_finish(struct ab_source *src)
{
	GArray *samples = src->trace->rail_samples;
	guint i, kept = 0;

	for (i = 0; i < samples->len; i++) {
		struct ab_rail_sample s =
			g_array_index(samples, struct ab_rail_sample, i);
		guint16 rail =
			g_array_index(src->sessions, struct pf_rail_session,
				      s.rail >> 16)
				.rails[s.rail & 0xffff];

		if (!rail) {
			src->trace->quality.unpaired++;
			continue;
		}
		s.rail = rail - 1u;
		ab_trace_extend(src->trace, s.ts);
		g_array_index(samples, struct ab_rail_sample, kept++) = s;
	}
	g_array_set_size(samples, kept);
	g_array_sort(samples, by_time);
}
