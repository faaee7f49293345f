/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames as tables. */
#ifndef TRACE_FRAME_TABLES_H
#define TRACE_FRAME_TABLES_H

#include <abrig/table.h>

#include "frames.h"

/* Append the tables "frames", "display" and "jank" of those in @made (struct
 * ab_made_frame) that have rows. */
void ab_frame_tables(const struct ab_trace *trace, const GArray *made,
		     GPtrArray *tables);
/* One row per frame of an app. */
struct ab_table *ab_frame_samples(const struct ab_trace *trace,
				  const GArray *made);

/* The main thread of process @pid, or AB_NO_THREAD. */
guint32 ab_main_thread(const struct ab_trace *trace, gint32 pid);
/* The name of process @pid, or of its main thread, or "". */
const char *ab_frame_process(const struct ab_trace *trace, gint32 pid);

#endif
