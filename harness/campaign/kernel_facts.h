/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can differ between variants beside the kernel's name: command line,
 * configuration, governors.  Recorded once per platform and variant, when its
 * first session begins.
 */
#ifndef CAMPAIGN_KERNEL_FACTS_H
#define CAMPAIGN_KERNEL_FACTS_H

#include "results.h"
#include "worker.h"

/* Of the kernel that was started, which said what it is: @id. */
bool kernel_facts_started(struct worker *w, int variant,
			  const struct ab_identity *id, GError **error);
/* Of the phone that was prepared. */
bool kernel_facts_prepared(struct worker *w, int variant,
			   const struct ab_wait *wait, GError **error);

enum kernel_fact { KERNEL_CMDLINE, KERNEL_CONFIG, KERNEL_GOVERNOR };
/*
 * NULL when it was not recorded (caller frees).  KERNEL_CONFIG is what the
 * variant's configuration has that the baseline's lacks, and the reverse.
 */
char *kernel_fact(const struct results *r, enum kernel_fact fact,
		  const char *platform, size_t variant);

/*
 * "+new=1 -old": words of @b that @a lacks, and of @a that @b lacks, split at
 * any of @separators; "" when there are none.  What begins with "androidboot."
 * or '#' does not count: it differs from boot to boot, or is a comment.
 */
char *kernel_difference(const char *a, const char *b, const char *separators);

#endif
