/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STATS_EVENTS_H
#define STATS_EVENTS_H

#include <abrig/stats.h>

/*
 * One-sided p of the rate ratio being above (else below) @ratio, given the
 * number of events.
 */
double events_tail(const struct ab_moments *s, double ratio, bool above);
/* Its interval; the upper end is infinite when the baseline has none. */
void events_ratio(const struct ab_moments *s, double level, double *lo_out,
		  double *hi_out);
/* The interval of B - A. */
void events_difference(const struct ab_moments *s, double level, double *lo_out,
		       double *hi_out);

#endif
