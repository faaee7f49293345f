/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured window, from the rig's markers. */
#ifndef TRACE_WINDOW_H
#define TRACE_WINDOW_H

#include "event.h"
#include "table.h"

/* What the marker that begins the window says, to find its end. */
struct ab_window_search {
	char key[64];
	gint64 begin_ns; /* -1: no begin, or its end is found */
};

void ab_window_print(struct ab_trace *trace, struct ab_window_search *search,
		     const struct ab_event *ev);
/* Set the window of the facts, once all events were seen. */
void ab_window_finish(struct ab_trace *trace);

#endif
