/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the variation of a metric follows its mean. */
#ifndef STATS_NOISE_H
#define STATS_NOISE_H

#include "set.h"

/* The variance of one variant at @ratio times the mean, that at 1 being 1. */
double noise_at(double growth, double ratio);

/* What block differences vary by, as a function of the change. */
struct noise {
	double mean;  /* of the baseline */
	double arm;   /* variance of one variant's block value, unchanged */
	double block; /* that of what both variants share; NAN: unknown */
	double growth;
};
/* Standard deviation of a block's difference when the change is @effect. */
double noise_sd(const struct noise *noise, double effect);
/*
 * The size of the change that is @ratio times its own standard deviation;
 * NAN when there is none.
 */
double noise_effect(const struct noise *noise, double ratio, bool fall);

/*
 * The exponent of the variance in ab_components.growth from runs of variant 0
 * and another, in blocks that hold both.
 */
double components_growth(const struct ab_metric *metric,
			 const struct obs_list *list);

#endif
