// SPDX-License-Identifier: GPL-3.0-or-later
#include "inflate.h"

#include <zlib.h>

#define STEP (256 * 1024)
/* Window bits for zlib or gzip, whichever the header says. */
#define ZLIB_OR_GZIP (32 + MAX_WBITS)

/* One more step of @z into @out; false at the end or on damage. */
static bool inflate_step(z_stream *z, GByteArray *out, int *status)
{
	guint used = out->len;

	g_byte_array_set_size(out, used + STEP);
	z->next_out = out->data + used;
	z->avail_out = STEP;
	*status = inflate(z, Z_NO_FLUSH);
	g_byte_array_set_size(out, used + STEP - z->avail_out);
	return *status == Z_OK && (z->avail_in || !z->avail_out);
}

/* gzip members may follow each other. */
static bool next_member(z_stream *z, int *status)
{
	if (*status != Z_STREAM_END || z->avail_in < 2)
		return false;
	*status = inflateReset2(z, ZLIB_OR_GZIP);
	return *status == Z_OK;
}

GByteArray *ab_inflate(struct ab_bytes stream, gsize *budget, bool *cut_out)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	gsize ceiling = MIN(*budget, G_MAXINT32);
	z_stream z = { .next_in = (Bytef *)stream.p };
	int status = Z_OK;

	if (stream.n > G_MAXUINT32 || inflateInit2(&z, ZLIB_OR_GZIP) != Z_OK)
		return NULL;
	z.avail_in = (uInt)stream.n;
	do {
		while (out->len <= ceiling && inflate_step(&z, out, &status))
			;
	} while (out->len <= ceiling && next_member(&z, &status));
	inflateEnd(&z);
	if (out->len > ceiling || !out->len)
		return NULL;
	*cut_out = status != Z_STREAM_END;
	*budget -= out->len;
	return g_steal_pointer(&out);
}
