/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which class a thread, or a workqueue's part of the kworkers, belongs to. */
#ifndef TRACE_THREAD_RULES_H
#define TRACE_THREAD_RULES_H

#include "trace.h"

/* A class's name in run values: "sched.<class>.wait". */
#define AB_CLASS_MAX 64

/*
 * The class of @th by @rules (NULL: the default ones), written to @name_out.
 * @workqueue (text) is that of the part of a worker's time; 0: the rest.
 */
void ab_thread_class(const struct ab_thread_rules *rules,
		     const struct ab_trace *trace, const struct ab_thread *th,
		     guint32 workqueue, char name_out[AB_CLASS_MAX]);
/* @text as a file's, named @name in errors; see ab_thread_rules_load(). */
struct ab_thread_rules *ab_thread_rules_parse(const char *text,
					      const char *name, GError **error);

/* Do @rules say that @th is a UI thread? */
bool ab_thread_rules_ui(const struct ab_thread_rules *rules,
			const struct ab_trace *trace,
			const struct ab_thread *th);

/* Does it run in the kernel only?  What tells it is in docs/METRICS.md. */
bool ab_thread_is_kernel(const struct ab_trace *trace,
			 const struct ab_thread *th);
bool ab_thread_is_kworker(const struct ab_trace *trace,
			  const struct ab_thread *th);

/* What follows the last slash. */
const char *ab_command_base(const char *command);

#endif
