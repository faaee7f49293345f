// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <string.h>

const struct ab_report_ops *const ab_report_formats[] = {
	&ab_report_rows,
	&ab_report_grid,
	&ab_report_pretty,
	&ab_report_lkp,
	&ab_report_pivot,
	&ab_report_csv,
	&ab_report_json,
	&ab_report_runs,
	&ab_report_benchfmt,
	&ab_report_wa,
	&ab_report_ktap,
	&ab_report_junit,
	&ab_report_lava,
	&ab_report_kcidb,
	&ab_report_prom,
	&ab_report_html,
	NULL,
};

const struct ab_report_ops *ab_report_find(const char *name)
{
	for (size_t i = 0; ab_report_formats[i]; i++)
		if (strcmp(ab_report_formats[i]->name, name) == 0)
			return ab_report_formats[i];
	return NULL;
}
