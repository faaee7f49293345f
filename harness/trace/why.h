/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains become steps with names, and what they have in common. */
#ifndef TRACE_WHY_H
#define TRACE_WHY_H

#include "chains.h"

/* What the conversion of all chains shares. */
struct ab_why_context {
	struct ab_analysis *a;
	const guint8 *ui; /* ab_ui_threads() */
	struct ab_why *why;
};

/* A text that lives as long as the result; NULL when @text is 0. */
const char *ab_why_text(const struct ab_why_context *c, guint32 text);
/* The class of @thread, working for @workqueue (text). */
const char *ab_why_class(const struct ab_why_context *c, guint32 thread,
			 guint32 workqueue);

/* why_steps.c: the steps of @links, and the split of their time. */
void ab_why_steps(const struct ab_why_context *c, const GArray *links,
		  struct ab_why_frame *frame);
/* Add @ns to the part @name, which lives as long as the result. */
void ab_why_part_add(GArray *split, const char *name, gint64 ns);
/* The longest first. */
void ab_why_parts_sort(GArray *split);

/* why_mechanisms.c: into the result, whose frames have their steps. */
void ab_why_mechanisms(const struct ab_why_context *c,
		       const struct ab_chains *chains);

#endif
