// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto_walk.h"

#define PACKET AB_TAG(1, AB_LEN)
#define MARKER AB_TAG(36, AB_LEN)

/* Packets with a marker hold little else: real ones have 25 bytes. */
#define MARKER_PACKET_MAX 256
/* So many fields are parsed to believe that a packet is one. */
#define FIELDS_TO_BELIEVE 16

static const guint8 marker[16] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d,
				   0x42, 0xba, 0x81, 0xdc, 0x33, 0x32,
				   0x6d, 0x57, 0xa0, 0x79 };

struct pf_walk pf_walk(struct ab_bytes file)
{
	return (struct pf_walk){ .r = ab_reader(file), .at = file.p };
}

bool pf_walk_packed(struct ab_bytes packet, guint32 *field_out,
		    struct ab_bytes *payload_out)
{
	struct ab_reader r = ab_reader(packet);
	struct ab_field f = { 0 };
	bool whole = ab_next_field(&r, &f) && r.p == r.end;
	guint32 tag = AB_FIELD_TAG(&f);

	*field_out = 0;
	if (tag != AB_TAG(PF_COMPRESSED_PACKETS, AB_LEN) &&
	    tag != AB_TAG(PF_ZSTD_COMPRESSED_PACKETS, AB_LEN))
		return false;
	*field_out = f.no;
	*payload_out = f.bytes;
	return whole;
}

bool pf_walk_cut_packed(struct ab_bytes tail, guint32 *field_out,
			struct ab_bytes *payload_out)
{
	struct ab_reader r = ab_reader(tail);
	struct ab_bytes none;
	guint64 tag, length, inner, skipped;

	if (!ab_read_varint(&r, &tag) || tag != PACKET ||
	    !ab_read_varint(&r, &length))
		return false;
	pf_walk_packed((struct ab_bytes){ r.p, (gsize)(r.end - r.p) },
		       field_out, &none);
	if (!*field_out || !ab_read_varint(&r, &skipped) ||
	    !ab_read_varint(&r, &inner))
		return false;
	*payload_out = (struct ab_bytes){ r.p, (gsize)(r.end - r.p) };
	return true;
}

static bool has_marker(struct ab_bytes packet)
{
	struct ab_reader r = ab_reader(packet);
	struct ab_field f;
	bool found = false;

	if (packet.n > MARKER_PACKET_MAX)
		return false;
	while (ab_next_field(&r, &f))
		found |= AB_FIELD_TAG(&f) == MARKER &&
			 f.bytes.n == sizeof(marker) &&
			 !memcmp(f.bytes.p, marker, sizeof(marker));
	return found && !r.bad;
}

/* A packet's frame at @p, and another one or the end behind it. */
static bool framed(const guint8 *p, const guint8 *end, struct ab_bytes *packet)
{
	struct ab_reader r = { p + 1, end, false };

	return *p == PACKET && ab_read_len(&r, packet) &&
	       (r.p == end || *r.p == PACKET);
}

static bool unmistakable(const guint8 *p, const guint8 *end)
{
	struct ab_bytes packet, payload;
	guint32 field;

	return framed(p, end, &packet) &&
	       (has_marker(packet) || pf_walk_packed(packet, &field, &payload));
}

/* Not what merely begins with the right byte, at a bounded cost. */
static bool plausible(const guint8 *p, const guint8 *end)
{
	struct ab_bytes packet;
	struct ab_reader r;
	struct ab_field f;
	guint i = 0;

	if (p == end)
		return true;
	if (!framed(p, end, &packet))
		return false;
	r = ab_reader(packet);
	while (i < FIELDS_TO_BELIEVE && ab_next_field(&r, &f))
		i++;
	return !r.bad;
}

/* The first unmistakable packet from @from on; the end when there is none. */
static const guint8 *search(struct pf_walk *walk, const guint8 *from)
{
	const guint8 *end = walk->r.end, *p = from;

	/* Whoever finds none must not look again behind every packet. */
	if (walk->sync && from >= walk->searched && from <= walk->sync)
		return walk->sync;
	while (p < end && (p = memchr(p, PACKET, (gsize)(end - p))) &&
	       !unmistakable(p, end))
		p++;
	walk->searched = from;
	walk->sync = p ? p : end;
	return walk->sync;
}

/* Go on with what is whole behind @from; false when there is nothing. */
static bool resynchronise(struct pf_walk *walk, const guint8 *from)
{
	const guint8 *p = search(walk, from);

	if (p == walk->r.end)
		return false;
	walk->r.p = p;
	walk->r.bad = false;
	return true;
}

static void skip(struct pf_walk *walk)
{
	walk->skipped += (guint64)(walk->r.p - walk->at);
	if (!walk->gap)
		walk->gap = walk->at;
	walk->at = walk->r.p;
}

bool pf_walk_next(struct pf_walk *walk, struct ab_bytes *packet_out)
{
	struct ab_reader *r = &walk->r;
	struct ab_field f;

	walk->at = r->p;
	while (r->p < r->end) {
		bool parsed = ab_next_field(r, &f);

		if (parsed && AB_FIELD_TAG(&f) == PACKET) {
			*packet_out = f.bytes;
			return true;
		}
		/* Another field of the file's message is skipped. */
		if ((!parsed || (r->p < r->end && *r->p != PACKET)) &&
		    !resynchronise(walk, walk->at + 1))
			return false;
		skip(walk);
	}
	return false;
}

void pf_walk_doubt(struct pf_walk *walk)
{
	if (!plausible(walk->r.p, walk->r.end) &&
	    resynchronise(walk, walk->at + 1))
		skip(walk);
}

bool pf_walk_recognise(struct ab_bytes file)
{
	struct ab_reader r = ab_reader(file);
	struct ab_field f;

	/* A cut file may end within its first packet. */
	return file.n && file.p[0] == PACKET &&
	       (ab_next_field(&r, &f) ? r.p == r.end || *r.p == PACKET
				      : file.n > 1);
}
