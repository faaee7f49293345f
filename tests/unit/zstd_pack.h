/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_ZSTD_PACK_H
#define UNIT_ZSTD_PACK_H

#include <glib.h>
#include <zstd.h>

static inline GByteArray *zstd_pack(const GByteArray *plain)
{
	GByteArray *out = g_byte_array_new();
	gsize n;

	g_byte_array_set_size(out, (guint)ZSTD_compressBound(plain->len));
	n = ZSTD_compress(out->data, out->len, plain->data, plain->len, 3);
	g_assert_false(ZSTD_isError(n));
	g_byte_array_set_size(out, (guint)n);
	return out;
}

#endif
