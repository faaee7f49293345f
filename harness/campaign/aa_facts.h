/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CAMPAIGN_AA_FACTS_H
#define CAMPAIGN_AA_FACTS_H

#include "results.h"

#include <abrig/aa.h>

/* What is on record, in @dir, of each device of @plan, into @store. */
bool aa_put_facts(const struct ab_plan *plan, struct ab_store *store,
		  const char *dir, GError **error);
/* From the store into the report: devices, and noise floors of rows. */
void aa_take_facts(struct results *r);

#endif
