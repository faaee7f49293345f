/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes that grow and are read when they are complete, in bounded private
 * memory: what exceeds a stated size lies in a temporary file without a name,
 * which ends with the process, and is mapped for reading.
 */
#ifndef TRACE_SPOOL_H
#define TRACE_SPOOL_H

#include <abrig/auto.h>

#include "proto.h"

/* The size from which on they lie in a file. */
#define AB_SPOOL_MEMORY ((gsize)16 << 20)

struct ab_spool;

/* At most @ceiling bytes in all, of which up to @memory are kept in memory. */
struct ab_spool *ab_spool_new(gsize ceiling, gsize memory);
void ab_spool_free(struct ab_spool *spool);
AB_DEFINE_AUTO(ab_spool, ab_spool_free)

/*
 * All of @bytes or nothing.  AB_ERROR_DATA beyond the ceiling, AB_ERROR_ENV
 * when the file cannot be made or written.
 */
bool ab_spool_append(struct ab_spool *spool, struct ab_bytes bytes,
		     GError **error);
/* Keep the first @size bytes, which are not more than there are. */
void ab_spool_truncate(struct ab_spool *spool, gsize size);
gsize ab_spool_size(const struct ab_spool *spool);
/* Something was refused, because it would have exceeded the ceiling. */
bool ab_spool_full(const struct ab_spool *spool);
/* All bytes from @from on, valid until the spool changes.  AB_ERROR_ENV. */
bool ab_spool_bytes(struct ab_spool *spool, gsize from,
		    struct ab_bytes *bytes_out, GError **error);

#endif
