/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACE_PERFETTO_UNPACK_H
#define TRACE_PERFETTO_UNPACK_H

#include "reading.h"
#include "spool.h"

/*
 * Into @plain the trace @file with its compressed packets replaced by what
 * they hold; nothing when there are none.  Where something is damaged, a
 * packet that does not parse stands for it.  Bytes that were skipped are added
 * to *@skipped.  False only with AB_ERROR_ENV, or AB_ERROR_DATA beyond the
 * ceiling before anything could be used.  @reading is told how much of a file
 * with such packets is dealt with; it may be NULL.
 */
bool pf_unpack(struct ab_bytes file, struct ab_spool *plain, guint64 *skipped,
	       struct ab_reading *reading, GError **error);

#endif
