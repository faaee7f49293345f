// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "trace_pb.h"

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LEN = 2, WIRE_32 = 5 };

void vp_pb_raw_varint(GByteArray *pb, guint64 value)
{
	guint8 buf[VP_PB_VARINT_MAX];

	g_byte_array_append(pb, buf, vp_pb_encode(buf, value));
}

static void tag(GByteArray *pb, guint32 field, enum wire wire)
{
	vp_pb_raw_varint(pb, (guint64)field << 3 | wire);
}

void vp_pb_varint(GByteArray *pb, guint32 field, guint64 value)
{
	guint8 buf[2 * VP_PB_VARINT_MAX];
	guint n = vp_pb_encode(buf, (guint64)field << 3 | WIRE_VARINT);

	n += vp_pb_encode(buf + n, value);
	g_byte_array_append(pb, buf, n);
}

void vp_pb_bytes(GByteArray *pb, guint32 field, const void *data, gsize len)
{
	tag(pb, field, WIRE_LEN);
	vp_pb_raw_varint(pb, len);
	g_byte_array_append(pb, data, (guint)len);
}

void vp_pb_string(GByteArray *pb, guint32 field, const char *text)
{
	vp_pb_bytes(pb, field, text, strlen(text));
}

void vp_pb_float(GByteArray *pb, guint32 field, float value)
{
	guint32 bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = GUINT32_TO_LE(bits);
	tag(pb, field, WIRE_32);
	g_byte_array_append(pb, (const guint8 *)&bits, sizeof(bits));
}

void vp_pb_double(GByteArray *pb, guint32 field, double value)
{
	guint64 bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = GUINT64_TO_LE(bits);
	tag(pb, field, WIRE_64);
	g_byte_array_append(pb, (const guint8 *)&bits, sizeof(bits));
}

/* Most messages are short: leave one byte for the length, move if longer. */
gsize vp_pb_open(GByteArray *pb, guint32 field)
{
	static const guint8 zero;

	tag(pb, field, WIRE_LEN);
	g_byte_array_append(pb, &zero, 1);
	return pb->len;
}

/* Put a length of @n bytes before what was written since @opened. */
static void put_length(GByteArray *pb, gsize opened, const guint8 *length,
		       guint n)
{
	gsize len = pb->len - opened;

	if (n > 1) {
		g_byte_array_set_size(pb, pb->len + n - 1);
		memmove(pb->data + opened + n - 1, pb->data + opened, len);
	}
	memcpy(pb->data + opened - 1, length, n);
}

void vp_pb_close(GByteArray *pb, gsize opened)
{
	guint8 buf[VP_PB_VARINT_MAX];
	guint n = vp_pb_encode(buf, pb->len - opened);

	put_length(pb, opened, buf, n);
}

void vp_pb_close_padded(GByteArray *pb, gsize opened)
{
	guint8 buf[4];
	gsize len = pb->len - opened;

	if (len < 0x80 || len >> 28) {
		vp_pb_close(pb, opened);
		return;
	}
	for (int i = 0; i < 4; i++)
		buf[i] = (guint8)((len >> 7 * i & 0x7f) | (i < 3 ? 0x80 : 0));
	put_length(pb, opened, buf, sizeof(buf));
}
