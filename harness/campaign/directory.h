/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The campaign's directory: created whole, locked while anyone uses it. */
#ifndef CAMPAIGN_DIRECTORY_H
#define CAMPAIGN_DIRECTORY_H

#include <abrig/campaign.h>

/*
 * Take DIR/campaign.lock, waiting a little for workers of an abrig that was
 * killed.  The lock is held by the returned descriptor and by every process
 * that inherits it.  -1 with @error.
 */
int directory_lock(const char *dir, const struct ab_wait *w, GError **error);

/*
 * Make @dir the campaign of @plan: create it with the whole schedule, or check
 * that it was begun with the same plan.  @resumed_out may be NULL.
 */
struct ab_store *directory_open(const char *dir, const struct ab_plan *plan,
				bool *resumed_out, GError **error);

#endif
