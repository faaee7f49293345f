/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of abrig power share. */
#ifndef CMD_POWER_H
#define CMD_POWER_H

#include <abrig/power_report.h>

struct power_request {
	struct ab_power_question question;
	char **dirs;		/* campaigns, NULL-terminated */
	char **metrics;		/* ids; NULL: all that were measured */
	const char *variant;	/* NULL: the first after the baseline */
	struct ab_costs costs;	/* NAN: measured, else assumed */
	double cv_boot, cv_run; /* percent, by hand; NAN: not given */
};

/* One table per platform and scenario of the campaigns. */
bool power_from_campaigns(const struct power_request *request,
			  GPtrArray *tables, GError **error);
/* The table of a variation that is given by hand. */
struct ab_power_table *power_by_hand(const struct power_request *request);

#endif
