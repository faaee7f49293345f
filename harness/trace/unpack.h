/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed bytes: zlib, gzip and zstd. */
#ifndef TRACE_UNPACK_H
#define TRACE_UNPACK_H

#include "reading.h"
#include "spool.h"

/*
 * How large what is compressed in one file may become, all parts and layers
 * together: the file's size times this, plus a floor for small files.  Real
 * traces grow 3 to 15 times.
 */
#define AB_UNPACK_RATIO 100
#define AB_UNPACK_FLOOR ((gsize)16 << 20)

static inline gsize ab_unpack_ceiling(gsize packed)
{
	return packed > (G_MAXSSIZE - AB_UNPACK_FLOOR) / AB_UNPACK_RATIO
		       ? G_MAXSSIZE
		       : packed * AB_UNPACK_RATIO + AB_UNPACK_FLOOR;
}

enum ab_packing {
	AB_PACKING_NONE,
	AB_PACKING_ZLIB, /* or gzip, one member or several */
	AB_PACKING_ZSTD, /* one frame or several */
};

/* Of a whole file, by its magic: gzip, zstd or none. */
enum ab_packing ab_packing_of(struct ab_bytes bytes);

enum ab_unpacked {
	AB_UNPACKED_NOT,     /* nothing can be used: an error is set */
	AB_UNPACKED_DAMAGED, /* the formats do not tell where: any byte of it
				may be wrong */
	AB_UNPACKED_CUT,     /* it breaks off; what came out is right */
	AB_UNPACKED_WHOLE,   /* and every checksum was right */
};

/*
 * Append the contents of @packed to @out, as far as they can be had.  After
 * AB_UNPACKED_NOT @out may hold more than before; AB_ERROR_DATA: damaged at
 * its beginning, or beyond @out's ceiling; AB_ERROR_ENV as of @out.  @reading
 * is told how much of @packed is unpacked; it may be NULL.
 */
enum ab_unpacked ab_unpack(enum ab_packing packing, struct ab_bytes packed,
			   struct ab_spool *out, struct ab_reading *reading,
			   GError **error);

#endif
