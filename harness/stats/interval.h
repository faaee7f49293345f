/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of any level, and the tests that they are the inversion of. */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include "set.h"

/* t quantile of a two-sided interval. */
double t_quantile(double level, double df);
/* The interval of B - A. */
void difference_interval(const struct ab_moments *s, double level,
			 double *lo_out, double *hi_out);
/* That of the percent change; false, with why not, when there is none. */
bool percent_interval(const struct ab_moments *s, double level, double *lo_out,
		      double *hi_out, const char **reason_out);
/*
 * One-sided p of the change being above (else below) @pct, which has a percent
 * interval; of B being above (below) A when it is 0, in any case.
 */
double change_tail(const struct ab_moments *s, double pct, bool above);

#endif
