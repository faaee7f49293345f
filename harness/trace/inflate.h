/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACE_INFLATE_H
#define TRACE_INFLATE_H

#include "proto.h"

/*
 * How much the compressed parts of one file may grow to: its size times this,
 * plus a floor for small files.  Real traces grow 3 to 15 times.
 */
#define AB_INFLATE_RATIO 100
#define AB_INFLATE_FLOOR ((gsize)16 << 20)

/*
 * The contents of a zlib or gzip stream.  NULL when it is damaged at its very
 * start or larger than *@budget, which is lowered by what was used; of a
 * stream that breaks off the whole beginning is returned and *@cut_out set.
 */
GByteArray *ab_inflate(struct ab_bytes stream, gsize *budget, bool *cut_out);

#endif
