/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include "set.h"

/* Interval of the percent change; false, with why not, when there is none. */
bool percent_interval(const struct moments *m, double level, double *lo_out,
		      double *hi_out, const char **reason_out);
/* t quantile of a two-sided interval. */
double t_quantile(double level, double df);

#endif
