/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The protobuf wire format: a bounds-checked reader of tags and values.
 *
 * Varints need not be minimal: Perfetto's writer pads them.  Groups, field 0
 * and varints of more than 10 bytes end the reading with @bad set.
 */
#ifndef TRACE_PROTO_H
#define TRACE_PROTO_H

#include <glib.h>
#include <stdbool.h>
#include <string.h>

struct ab_bytes {
	const guint8 *p;
	gsize n;
};

struct ab_reader {
	const guint8 *p, *end;
	bool bad;
};

enum ab_wire { AB_VARINT = 0, AB_FIXED64 = 1, AB_LEN = 2, AB_FIXED32 = 5 };

struct ab_field {
	guint32 no;
	guint32 wire;
	guint64 v;	       /* varint and fixed: the value */
	struct ab_bytes bytes; /* AB_LEN: the payload */
};

static inline struct ab_reader ab_reader(struct ab_bytes b)
{
	return (struct ab_reader){ b.p, b.n ? b.p + b.n : b.p, false };
}

static inline bool ab_read_long_varint(struct ab_reader *r, guint64 *v)
{
	const guint8 *p = r->p;
	guint64 value = 0;
	unsigned int shift;

	for (shift = 0; p < r->end && shift < 70; shift += 7) {
		guint8 b = *p++;

		value |= (guint64)(b & 0x7f) << shift;
		if (!(b & 0x80)) {
			*v = value;
			r->p = p;
			return true;
		}
	}
	r->bad = true;
	return false;
}

static inline bool ab_read_varint(struct ab_reader *r, guint64 *v)
{
	if (G_LIKELY(r->p < r->end && *r->p < 0x80)) {
		*v = *r->p++;
		return true;
	}
	return ab_read_long_varint(r, v);
}

/*
 * A varint of at most 8 bytes at @p, without a branch on its length; the byte
 * after it.  NULL when it has more, or bytes up to @limit are fewer.
 */
static inline const guint8 *ab_word_varint(const guint8 *p, const guint8 *limit,
					   guint64 *v)
{
	guint64 word, stop;

	if (G_UNLIKELY(limit - p < (gssize)sizeof(word)))
		return NULL;
	memcpy(&word, p, sizeof(word));
	word = GUINT64_FROM_LE(word);
	stop = ~word & G_GUINT64_CONSTANT(0x8080808080808080);
	if (G_UNLIKELY(!stop))
		return NULL;
	word &= stop ^ (stop - 1);
	/* Groups of 7 bits move together: to 14, to 28, to 56. */
	word = (word & G_GUINT64_CONSTANT(0x007f007f007f007f)) |
	       (word >> 1 & G_GUINT64_CONSTANT(0x3f803f803f803f80));
	word = (word & G_GUINT64_CONSTANT(0x00003fff00003fff)) |
	       (word >> 2 & G_GUINT64_CONSTANT(0x0fffc0000fffc000));
	*v = (word & 0xfffffff) | (word >> 4 & ~(guint64)0xfffffff);
	return p + (__builtin_ctzll(stop) / 8 + 1);
}

static inline bool ab_read_fixed(struct ab_reader *r, gsize size, guint64 *v)
{
	guint64 raw = 0;

	if ((gsize)(r->end - r->p) < size) {
		r->bad = true;
		return false;
	}
	memcpy(&raw, r->p, size);
	*v = GUINT64_FROM_LE(raw);
	r->p += size;
	return true;
}

static inline bool ab_read_len(struct ab_reader *r, struct ab_bytes *b)
{
	guint64 n;

	if (!ab_read_varint(r, &n))
		return false;
	if (n > (gsize)(r->end - r->p)) {
		r->bad = true;
		return false;
	}
	b->p = r->p;
	b->n = n;
	r->p += n;
	return true;
}

/* Field number and wire type in one, to switch over. */
#define AB_TAG(no, wire) ((guint32)(no) << 3 | (wire))
#define AB_FIELD_TAG(f) AB_TAG((f)->no, (f)->wire)

/*
 * The payload of the next field if that is AB_LEN field @no, below 16; else
 * false and nothing is read, damage included: ab_next_field() tells.  A short
 * way for fields that come by the thousand.
 */
static inline bool ab_next_repeated(struct ab_reader *r, guint32 no,
				    struct ab_bytes *b)
{
	struct ab_reader at = *r;

	if (at.p == at.end || *at.p++ != AB_TAG(no, AB_LEN) ||
	    !ab_read_len(&at, b))
		return false;
	r->p = at.p;
	return true;
}

/* The same of an AB_VARINT field; @v is as it was when false. */
static inline bool ab_next_number(struct ab_reader *r, guint32 no, guint64 *v)
{
	struct ab_reader at = *r;

	if (at.p == at.end || *at.p++ != AB_TAG(no, AB_VARINT) ||
	    !ab_read_varint(&at, v))
		return false;
	r->p = at.p;
	return true;
}

/* The next field; false at the end of the message or when it is damaged. */
static inline bool ab_next_field(struct ab_reader *r, struct ab_field *f)
{
	guint64 tag;

	if (r->p == r->end || !ab_read_varint(r, &tag))
		return false;
	/* No value of an earlier field, when its wire type is another. */
	*f = (struct ab_field){ .no = (guint32)(tag >> 3), .wire = tag & 7 };
	if (tag > G_MAXUINT32 || !f->no) {
		r->bad = true;
		return false;
	}
	switch (f->wire) {
	case AB_VARINT:
		return ab_read_varint(r, &f->v);
	case AB_LEN:
		return ab_read_len(r, &f->bytes);
	case AB_FIXED64:
		return ab_read_fixed(r, 8, &f->v);
	case AB_FIXED32:
		return ab_read_fixed(r, 4, &f->v);
	default:
		r->bad = true;
		return false;
	}
}

#endif
