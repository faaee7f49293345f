/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_ZLIB_PACK_H
#define UNIT_ZLIB_PACK_H

#include <glib.h>
#include <zlib.h>

#define ZLIB MAX_WBITS
#define GZIP (16 + MAX_WBITS)

/* @plain compressed, as ZLIB or GZIP. */
static inline GByteArray *zlib_pack(const GByteArray *plain, int format)
{
	GByteArray *out = g_byte_array_new();
	z_stream z = { .next_in = plain->data, .avail_in = plain->len };

	g_byte_array_set_size(out, (guint)compressBound(plain->len) + 64);
	g_assert_cmpint(deflateInit2(&z, 6, Z_DEFLATED, format, 8,
				     Z_DEFAULT_STRATEGY),
			==, Z_OK);
	z.next_out = out->data;
	z.avail_out = out->len;
	g_assert_cmpint(deflate(&z, Z_FINISH), ==, Z_STREAM_END);
	g_byte_array_set_size(out, (guint)z.total_out);
	deflateEnd(&z);
	return out;
}

#endif
