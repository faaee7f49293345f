// SPDX-License-Identifier: GPL-3.0-or-later
/* lz4 blocks in the legacy container: what Image.lz4 is. */
#include <abrig/error.h>

#include "image.h"

#define LEGACY_MAGIC 0x184c2102u
#define BLOCK_OUT (8u << 20)
#define BLOCK_IN_MAX 8421520u /* worst case for 8 MiB */
#define MIN_MATCH 4

struct cursor {
	const guint8 *at, *end;
};

/* A length of 15 in the token goes on in bytes until one is not 255. */
static bool read_length(struct cursor *in, size_t *length)
{
	guint8 byte;

	if (*length != 15)
		return true;
	do {
		if (in->at == in->end)
			return false;
		byte = *in->at++;
		*length += byte;
	} while (byte == 255);
	return true;
}

static bool copy_literals(struct cursor *in, size_t length, GByteArray *out,
			  size_t max)
{
	if (length > (size_t)(in->end - in->at) || length > max - out->len)
		return false;
	g_byte_array_append(out, in->at, (guint)length);
	in->at += length;
	return true;
}

/* Byte by byte: the match may overlap what it produces. */
static bool copy_match(struct cursor *in, size_t length, GByteArray *out,
		       guint block_start, size_t max)
{
	size_t distance;
	guint from;

	if (in->end - in->at < 2)
		return false;
	distance = (size_t)in->at[0] | (size_t)in->at[1] << 8;
	in->at += 2;
	if (!read_length(in, &length))
		return false;
	length += MIN_MATCH;
	if (!distance || distance > out->len - block_start ||
	    length > max - out->len)
		return false;
	from = out->len - (guint)distance;
	g_byte_array_set_size(out, out->len + (guint)length);
	for (size_t i = 0; i < length; i++)
		out->data[from + distance + i] = out->data[from + i];
	return true;
}

bool kernel_lz4_block(const guint8 *data, size_t len, GByteArray *out,
		      size_t max)
{
	struct cursor in = { data, data + len };
	guint block_start = out->len;

	while (in.at < in.end) {
		guint8 token = *in.at++;
		size_t literals = token >> 4;

		if (!read_length(&in, &literals) ||
		    !copy_literals(&in, literals, out, max))
			return false;
		if (in.at == in.end)
			return true; /* the last sequence has no match */
		if (!copy_match(&in, token & 15, out, block_start, max))
			return false;
	}
	return false;
}

static GByteArray *fail(GByteArray *out, size_t at, GError **error)
{
	g_byte_array_unref(out);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "its lz4 data is damaged at byte %zu of the kernel", at);
	return NULL;
}

GByteArray *kernel_lz4_legacy(const guint8 *data, size_t len, size_t max,
			      GError **error)
{
	GByteArray *out = g_byte_array_new();
	size_t at = 0;

	while (len - at >= 4) {
		guint32 size = image_u32(data + at);
		size_t start = out->len;

		at += 4;
		if (size == LEGACY_MAGIC)
			continue;
		/*
		 * Zero padding, or the original size that some builds append,
		 * ends the stream.
		 */
		if (!size || (at == len && size == (guint32)out->len))
			break;
		if (size > BLOCK_IN_MAX || size > len - at ||
		    !kernel_lz4_block(data + at, size, out,
				      MIN(max, start + BLOCK_OUT)))
			return fail(out, at, error);
		at += size;
	}
	return out;
}
