/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader of a table of measurements will object to.  Pure: text in,
 * findings out.
 *
 * Tables are found in three shapes: boxes of '|' and '+' (tabulate and the
 * like), rows "A -> B unit percent", and those of the kernel test robot.  One
 * "> " before a line does not count.
 */
#ifndef ABRIG_LINT_H
#define ABRIG_LINT_H

#include <glib.h>
#include <stdbool.h>

#define AB_LINT_MAX (4 << 20) /* bytes that are looked at */

struct ab_lint_finding {
	int line, column; /* from 1; of bytes */
	bool refused;	  /* else a warning */
	char *text;
};

/* struct ab_lint_finding *, in the order of the text (g_ptr_array_unref()). */
GPtrArray *ab_lint(const char *text, gsize len);

#endif
