/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule that ends a campaign early, in the store: the fact "stop" holds the
 * looks, "stop.look" how many were taken, "stop.blocks" after how many blocks
 * it was ended.  What was decided is never decided again, so a campaign that
 * was killed looks at the same data as one that was not.
 */
#ifndef CAMPAIGN_STOP_H
#define CAMPAIGN_STOP_H

#include "results.h"

#include <abrig/stats_sequential.h>

/* Keep the plan's rule; nothing when it has none. */
bool stop_put(const struct ab_plan *plan, struct ab_store *store,
	      GError **error);
/* The rule; false, without @error, when there is none. */
bool stop_rule(struct ab_store *store, struct ab_looks *looks_out,
	       GError **error);
/* Blocks per device after which the campaign was ended; 0: it was not. */
int stop_blocks(struct ab_store *store);

/*
 * Take the looks that are due: all blocks up to there are whole on every
 * device that has not failed.  @stopped_out: the campaign is at its end.
 */
bool stop_check(struct ab_store *store, const char *dir, bool *stopped_out,
		GError **error);

/*
 * Decide the verdicts of @r, whose tables are filled, at the look that its
 * blocks reach: primary tests at Holm's levels of alpha / m, so that none of m
 * is called different or equivalent by chance at any look more often than
 * alpha.  Without a rule all at @level.
 */
void stop_decide(struct results *r, double level);

#endif
