/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STATS_LINEAR_H
#define STATS_LINEAR_H

#include "set.h"

/*
 * One value per run, in the order of @list, that average to the metric's
 * estimate: see ab_stats_squares_add().  NULL, or why there are none.
 */
const char *linear_run_values(const struct ab_metric *metric,
			      const struct obs_list *list, double *values_out);

#endif
