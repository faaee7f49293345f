// SPDX-License-Identifier: GPL-3.0-or-later
#include "unpack.h"

#include <abrig/error.h>
#include <zlib.h>
#include <zstd.h>

#define STEP ((gsize)64 << 10)
/* Window bits for zlib or gzip, whichever the header says. */
#define ZLIB_OR_GZIP (32 + MAX_WBITS)

AB_DEFINE_AUTO(ZSTD_DCtx_s, ZSTD_freeDCtx)

static bool is_gzip(struct ab_bytes bytes)
{
	return bytes.n >= 2 && bytes.p[0] == 0x1f && bytes.p[1] == 0x8b;
}

/* A frame, or a skippable one: parallel compressors begin with such. */
static bool is_zstd(struct ab_bytes bytes)
{
	return bytes.n >= 4 && (!memcmp(bytes.p, "\x28\xb5\x2f\xfd", 4) ||
				((bytes.p[0] & 0xf0) == 0x50 &&
				 !memcmp(bytes.p + 1, "\x2a\x4d\x18", 3)));
}

enum ab_packing ab_packing_of(struct ab_bytes bytes)
{
	if (is_gzip(bytes))
		return AB_PACKING_ZLIB;
	return is_zstd(bytes) ? AB_PACKING_ZSTD : AB_PACKING_NONE;
}

/* Tools pad the end of a file with zeros. */
static bool only_zeros(struct ab_bytes bytes)
{
	return !bytes.n ||
	       (!bytes.p[0] && !memcmp(bytes.p, bytes.p + 1, bytes.n - 1));
}

static void note_read(struct ab_reading *reading, const guint8 *at,
		      struct ab_bytes packed)
{
	if (reading)
		ab_reading_at(reading, (guint64)(at - packed.p), packed.n);
}

/* ---- zlib, gzip ---- */

/* zlib counts its input in 32 bits: hand it on in pieces. */
static void zlib_refill(z_stream *z, struct ab_bytes packed)
{
	gsize at = (gsize)(z->next_in - packed.p);

	z->avail_in = (uInt)MIN(packed.n - at, G_MAXINT32);
}

static struct ab_bytes zlib_rest(const z_stream *z, struct ab_bytes packed)
{
	gsize at = (gsize)(z->next_in - packed.p);

	return (struct ab_bytes){ z->next_in, packed.n - at };
}

static bool zlib_step(z_stream *z, struct ab_bytes packed, guint8 *step,
		      int *status, struct ab_spool *out, GError **error)
{
	zlib_refill(z, packed);
	z->next_out = step;
	z->avail_out = STEP;
	*status = inflate(z, Z_NO_FLUSH);
	if (!ab_spool_append(
		    out, (struct ab_bytes){ step, STEP - z->avail_out }, error))
		return false;
	if (*status == Z_STREAM_END && is_gzip(zlib_rest(z, packed)))
		*status = inflateReset(z);
	return true;
}

static enum ab_unpacked zlib_unpack(struct ab_bytes packed,
				    struct ab_spool *out,
				    struct ab_reading *reading,
				    const char **why, GError **error)
{
	g_autofree guint8 *step = g_malloc(STEP);
	z_stream z = { .next_in = (Bytef *)packed.p };
	int status = inflateInit2(&z, ZLIB_OR_GZIP);
	bool only_padding, stored = true;

	while (stored && status == Z_OK) {
		stored = zlib_step(&z, packed, step, &status, out, error);
		note_read(reading, z.next_in, packed);
	}
	only_padding = only_zeros(zlib_rest(&z, packed));
	inflateEnd(&z);
	*why = zError(status);
	if (!stored)
		return AB_UNPACKED_NOT;
	if (status == Z_STREAM_END && only_padding)
		return AB_UNPACKED_WHOLE;
	/* Z_BUF_ERROR: the input is used up. */
	return status == Z_STREAM_END || status == Z_BUF_ERROR
		       ? AB_UNPACKED_CUT
		       : AB_UNPACKED_DAMAGED;
}

/* ---- zstd ---- */

/*
 * One block: so much input as zstd asks for, as it forgets what it wrote in a
 * call that ends with damage.  *@want: the next such number, 0 when the frame
 * is complete, or an error.
 */
static bool zstd_step(ZSTD_DCtx *context, ZSTD_inBuffer *in, gsize size,
		      guint8 *step, gsize *want, bool *flushed,
		      struct ab_spool *out, GError **error)
{
	ZSTD_outBuffer buffer = { step, STEP, 0 };

	in->size = in->pos + MIN(*want, size - in->pos);
	*want = ZSTD_decompressStream(context, &buffer, in);
	*flushed = buffer.pos < buffer.size;
	return ab_spool_append(out, (struct ab_bytes){ step, buffer.pos },
			       error);
}

static enum ab_unpacked zstd_unpack(struct ab_bytes packed,
				    struct ab_spool *out,
				    struct ab_reading *reading,
				    const char **why, GError **error)
{
	ab_autoptr(ZSTD_DCtx_s) context = ZSTD_createDCtx();
	g_autofree guint8 *step = g_malloc(STEP);
	ZSTD_inBuffer in = { packed.p, 0, 0 };
	gsize want = 0;
	bool flushed = true;

	while (!ZSTD_isError(want) && (in.pos < packed.n || !flushed)) {
		struct ab_bytes rest = { packed.p + in.pos, packed.n - in.pos };

		if (!want && !is_zstd(rest))
			return only_zeros(rest) && in.pos ? AB_UNPACKED_WHOLE
							  : AB_UNPACKED_CUT;
		if (!want)
			want = ZSTD_initDStream(context);
		if (!zstd_step(context, &in, packed.n, step, &want, &flushed,
			       out, error))
			return AB_UNPACKED_NOT;
		note_read(reading, packed.p + in.pos, packed);
	}
	*why = ZSTD_getErrorName(want);
	if (ZSTD_isError(want))
		return AB_UNPACKED_DAMAGED;
	return want || !packed.n ? AB_UNPACKED_CUT : AB_UNPACKED_WHOLE;
}

enum ab_unpacked ab_unpack(enum ab_packing packing, struct ab_bytes packed,
			   struct ab_spool *out, struct ab_reading *reading,
			   GError **error)
{
	gsize before = ab_spool_size(out);
	const char *why = NULL;
	enum ab_unpacked end =
		packing == AB_PACKING_ZSTD
			? zstd_unpack(packed, out, reading, &why, error)
			: zlib_unpack(packed, out, reading, &why, error);

	if (end == AB_UNPACKED_NOT || end == AB_UNPACKED_WHOLE ||
	    ab_spool_size(out) > before)
		return end;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "the %s data is damaged at its beginning (%s); get the "
		    "file once more",
		    packing == AB_PACKING_ZSTD ? "zstd" : "gzip",
		    end == AB_UNPACKED_CUT ? "it breaks off" : why);
	return AB_UNPACKED_NOT;
}
