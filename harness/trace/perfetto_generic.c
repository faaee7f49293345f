// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Events that Perfetto has no message for.  Old daemons write the names of
 * event and members with each; new ones describe the event once per bundle.
 * Of these only rpm_status, which is generic in older daemons, is decoded.
 */
#include "perfetto.h"

#define LEGACY 327
#define RPM_STATUS_NAME "rpm_status"

static bool is_text(struct ab_bytes b, const char *text)
{
	return b.n == strlen(text) && !memcmp(b.p, text, b.n);
}

/* FieldDescriptorProto: name = 1, number = 3. */
static void read_member(struct pf_generic *g, struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 };
	guint32 number = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			name = f.bytes;
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_VARINT))
			number = (guint32)f.v;
	}
	if (is_text(name, "name"))
		g->name = number;
	else if (is_text(name, "status"))
		g->status = number;
}

/* DescriptorProto: name = 1, field = 2.  Is it rpm_status? */
static bool read_descriptor(struct pf_generic *g, struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	bool ours = false;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			ours = is_text(f.bytes, RPM_STATUS_NAME);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			read_member(g, f.bytes);
	}
	return ours;
}

static const struct pf_generic *find(const struct ab_source *src, guint32 event)
{
	guint i;

	for (i = 0; i < src->generic->len; i++) {
		const struct pf_generic *g =
			&g_array_index(src->generic, struct pf_generic, i);

		if (g->event == event)
			return g;
	}
	return NULL;
}

/* So many events may be called rpm_status; one is. */
#define MAX_GENERIC 16

void pf_generic_descriptor(struct ab_source *src, struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct pf_generic g = { 0 };
	struct ab_field f;
	bool ours = false;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			g.event = (guint32)f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			ours = read_descriptor(&g, f.bytes);
	}
	if (ours && !find(src, g.event) && src->generic->len < MAX_GENERIC)
		g_array_append_val(src->generic, g);
}

static bool decode_described(const struct ab_source *src,
			     const struct pf_generic *g, struct ab_bytes body,
			     struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_LEN && f.no == g->name)
			ev->rpm.device = ab_trace_intern(src->trace, f.bytes);
		else if (f.wire == AB_VARINT && f.no == g->status)
			ev->rpm.status = (gint32)f.v;
	}
	return !r.bad;
}

/* GenericFtraceEvent.Field: name = 1, str 3, int 4, uint 5. */
static void read_legacy_member(const struct ab_source *src, struct ab_event *ev,
			       struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 }, text = name;
	guint64 value = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			name = f.bytes;
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_LEN))
			text = f.bytes;
		else if (f.wire == AB_VARINT)
			value = f.v;
	}
	if (is_text(name, "name"))
		ev->rpm.device = ab_trace_intern(src->trace, text);
	else if (is_text(name, "status"))
		ev->rpm.status = (gint32)value;
}

static bool decode_legacy(const struct ab_source *src, struct ab_bytes body,
			  struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN)) {
			if (!is_text(f.bytes, RPM_STATUS_NAME))
				return true;
			ev->kind = AB_EV_RPM_STATUS;
		} else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN)) {
			read_legacy_member(src, ev, f.bytes);
		}
	}
	return !r.bad;
}

bool pf_decode_generic(const struct ab_source *src, const struct pf_row *row,
		       struct ab_event *ev)
{
	const struct pf_generic *g;

	memset(&ev->rpm, 0, sizeof(ev->rpm));
	if (row->no == LEGACY)
		return decode_legacy(src, row->body, ev);
	g = find(src, row->no);
	if (!g)
		return true;
	ev->kind = AB_EV_RPM_STATUS;
	return decode_described(src, g, row->body, ev);
}
