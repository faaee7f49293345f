/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is missing from a trace, and whether the measured window is touched. */
#ifndef TRACE_QUALITY_H
#define TRACE_QUALITY_H

#include "trace.h"

/* The first stretch of @lost that overlaps the window, or NULL. */
const struct ab_lost *ab_lost_in(const GArray *lost, gint64 begin_ns,
				 gint64 end_ns);

/* Any byte of the file may be wrong. */
void ab_quality_damaged(struct ab_trace *trace);

/* Set loss_in_window, once window and losses are known. */
void ab_quality_finish(struct ab_trace *trace);

#endif
