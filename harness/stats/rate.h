/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the models of counts share. */
#ifndef STATS_RATE_H
#define STATS_RATE_H

#include <abrig/stats_methods.h>
#include <math.h>

static inline struct ab_rate_ratio rate_ratio_none(const char *reason)
{
	return (struct ab_rate_ratio){
		.ratio = NAN,
		.lo = NAN,
		.hi = NAN,
		.phi = NAN,
		.theta = NAN,
		.df = NAN,
		.reason = reason,
	};
}

/* Fill in the ratio and its interval from the log scale. */
void rate_ratio_wald(double log_ratio, double se, double df, double level,
		     struct ab_rate_ratio *ratio);

/* Whether element @i has a count and an exposure. */
bool rate_usable(const struct ab_counts *c, size_t i);

struct rate_total {
	double events, exposure;
	size_t n;
};
struct rate_total rate_total(const struct ab_counts *c);

#endif
