// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * "1867 +- 9%  -41.0%  1102 +- 8%  name": tables of the kernel test robot.  Its
 * names say what is measured, and it has no column for units.
 */
#include "lint.h"

#include <string.h>

#define HEAD "%stddev"
#define PLUS_MINUS "\302\261"

/* Blank out deviations, which are no changes; bytes stay where they are. */
static char *without_deviations(const char *text)
{
	char *copy = g_strdup(text);
	char *at = copy;

	while ((at = strpbrk(at, "+\302"))) {
		bool deviation = g_str_has_prefix(at, "+-") ||
				 g_str_has_prefix(at, PLUS_MINUS);

		if (!deviation) {
			at++;
			continue;
		}
		at[0] = at[1] = ' ';
		at += 2;
		at += strspn(at, " ");
		while (*at && *at != ' ')
			*at++ = ' ';
	}
	return copy;
}

static void check_row(struct lint *l, guint line)
{
	const char *text = l->lines[line].text;
	g_autofree char *plain = without_deviations(text);
	struct lint_number base, change, value;
	const char *at = plain;

	if (!lint_next_number(at, &base) || base.percent)
		return;
	at = base.end;
	/* The robot's changes of percentages are differences, without '%'. */
	while (lint_next_number(at, &change) && change.percent &&
	       lint_next_number(change.end, &value) && !value.percent) {
		/* The place within the line, not within its copy. */
		change.at = text + (change.at - plain);
		lint_change(l, line, &base, &value, &change);
		at = value.end;
	}
}

void lint_robot(struct lint *l, guint line)
{
	const char *head = strstr(l->lines[line].text, HEAD);

	if (!head || !strstr(head + 1, "%change"))
		return;
	lint_no_n(l, line, head);
	for (; line < l->n && *l->lines[line].text; line++) {
		l->lines[line].grouped = true;
		check_row(l, line);
		lint_all_gone(l, line);
	}
}
