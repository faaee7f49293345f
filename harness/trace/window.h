/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured window: from the caller, from markers, or the whole trace. */
#ifndef TRACE_WINDOW_H
#define TRACE_WINDOW_H

#include "trace.h"

/* More marks are not looked at: a hostile trace must not make us sort it. */
#define AB_MARKS_MAX 65536

GArray *ab_window_marks_new(void);
/* A trace_marker text that holds AB_TRACE_WINDOW_NAME, in any order. */
void ab_window_mark(struct ab_trace *trace, gint64 ts, struct ab_bytes text);
/* Can @bytes hold such a text at all?  Cheap: a search of the bytes. */
bool ab_window_may_mark(struct ab_bytes bytes);
/* Before the first event: the window as far as it is known. */
void ab_trace_window_begin(struct ab_trace *trace,
			   const struct ab_trace_window *given);
/* After the last: what an unmarked window turned out to be. */
void ab_window_finish(struct ab_trace *trace);

#endif
