/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STATS_ESTIMATE_H
#define STATS_ESTIMATE_H

#include "set.h"

/* The estimate from all of @list, which holds one variant only. */
void estimate_of(const struct ab_metric *metric, const struct obs_list *list,
		 double level, struct ab_estimate *estimate_out);

/* The statistic of @list; NAN when nothing was measured. */
double estimate_value(const struct ab_metric *metric,
		      const struct obs_list *list);

#endif
