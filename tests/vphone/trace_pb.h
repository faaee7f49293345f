/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protobuf's wire format, written front to back into one buffer. */
#ifndef VPHONE_TRACE_PB_H
#define VPHONE_TRACE_PB_H

#include <glib.h>

#define VP_PB_VARINT_MAX 10

/* Into @out, which has room for VP_PB_VARINT_MAX bytes; returns how many. */
static inline guint vp_pb_encode(guint8 *out, guint64 value)
{
	guint n = 0;

	for (; value >= 0x80; value >>= 7)
		out[n++] = (guint8)(value | 0x80);
	out[n++] = (guint8)value;
	return n;
}

void vp_pb_raw_varint(GByteArray *pb, guint64 value);
void vp_pb_varint(GByteArray *pb, guint32 field, guint64 value);
/* int32 and int64 are varints of their sign-extended value. */
static inline void vp_pb_int(GByteArray *pb, guint32 field, gint64 value)
{
	vp_pb_varint(pb, field, (guint64)value);
}
void vp_pb_bytes(GByteArray *pb, guint32 field, const void *data, gsize len);
void vp_pb_string(GByteArray *pb, guint32 field, const char *text);
void vp_pb_float(GByteArray *pb, guint32 field, float value);
void vp_pb_double(GByteArray *pb, guint32 field, double value);

/* A nested message: everything written until its vp_pb_close(). */
gsize vp_pb_open(GByteArray *pb, guint32 field);
void vp_pb_close(GByteArray *pb, gsize opened);
/* The same with the length as protozero leaves it: 1 or 4 bytes, padded. */
void vp_pb_close_padded(GByteArray *pb, gsize opened);

#endif
