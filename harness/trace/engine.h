/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACE_ENGINE_H
#define TRACE_ENGINE_H

#include "sched.h"

/* Read all events of @source, once, into @trace; closes @source. */
void ab_engine_run(struct ab_trace *trace, const struct ab_source_ops *ops,
		   struct ab_source *source,
		   const struct ab_sched_watch *watch);

#endif
