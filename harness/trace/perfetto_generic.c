// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Events that Perfetto has no message for.  Old daemons write the names of
 * event and members with each; new ones describe the event once per bundle.
 */
#include "perfetto.h"

#define LEGACY 327

/* The events of interest, each with a text (or none) and a number. */
static const struct known {
	const char *event, *text, *number;
	enum ab_event_kind kind;
} known[] = {
	/* generic in older daemons */
	{ "rpm_status", "name", "status", AB_EV_RPM_STATUS },
	{ "sched_overutilized", NULL, "overutilized", AB_EV_OVERUTILIZED },
};

struct values {
	struct ab_bytes text;
	guint64 number;
};

static bool is_text(struct ab_bytes b, const char *text)
{
	return text && b.p && b.n == strlen(text) && !memcmp(b.p, text, b.n);
}

/* Which of the known events @message is; its name is member 1 in both
 * encodings. */
static const struct known *find_known(struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	guint i;

	while (ab_next_field(&r, &f))
		for (i = 0; i < G_N_ELEMENTS(known); i++)
			if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN) &&
			    is_text(f.bytes, known[i].event))
				return &known[i];
	return NULL;
}

static void set_event(const struct ab_source *src, const struct known *k,
		      const struct values *v, struct ab_event *ev)
{
	ev->kind = (guint8)k->kind;
	if (k->kind == AB_EV_RPM_STATUS) {
		ev->rpm.device = ab_trace_intern(src->trace, v->text);
		ev->rpm.status = (gint32)v->number;
	} else {
		ev->counter.cpu = ev->cpu;
		ev->counter.value = v->number != 0;
	}
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
	if (is_text(name, known[g->known].text))
		g->text = number;
	else if (is_text(name, known[g->known].number))
		g->number = number;
}

/* DescriptorProto: name = 1, field = 2.  Is it a known event? */
static bool read_descriptor(struct pf_generic *g, struct ab_bytes message)
{
	const struct known *k = find_known(message);
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	if (!k)
		return false;
	g->known = (guint32)(k - known);
	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			read_member(g, f.bytes);
	return true;
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

/* So many events may have the known names; one each has. */
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
	struct values v = { { (const guint8 *)"", 0 }, 0 };
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_LEN && f.no == g->text)
			v.text = f.bytes;
		else if (f.wire == AB_VARINT && f.no == g->number)
			v.number = f.v;
	}
	set_event(src, &known[g->known], &v, ev);
	return !r.bad;
}

/* GenericFtraceEvent.Field: name = 1, str 3, int 4, uint 5. */
static void read_legacy_member(const struct known *k, struct ab_bytes message,
			       struct values *v)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 }, text = name;
	guint64 number = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			name = f.bytes;
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_LEN))
			text = f.bytes;
		else if (f.wire == AB_VARINT)
			number = f.v;
	}
	if (is_text(name, k->text))
		v->text = text;
	else if (is_text(name, k->number))
		v->number = number;
}

/* GenericFtraceEvent: event_name = 1, field = 2. */
static bool decode_legacy(const struct ab_source *src, struct ab_bytes body,
			  struct ab_event *ev)
{
	const struct known *k = find_known(body);
	struct ab_reader r = ab_reader(body);
	struct values v = { { (const guint8 *)"", 0 }, 0 };
	struct ab_field f;

	if (!k)
		return true;
	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			read_legacy_member(k, f.bytes, &v);
	set_event(src, k, &v, ev);
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
	return !g || decode_described(src, g, row->body, ev);
}
