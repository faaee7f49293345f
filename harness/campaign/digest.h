/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run's data are made from, as one number. */
#ifndef CAMPAIGN_DIGEST_H
#define CAMPAIGN_DIGEST_H

#include <abrig/store.h>

/* One more whenever the same artefacts yield other data. */
#define ANALYSIS_VERSION 1

/*
 * SHA-256 over this program's version, the text of @run's scenario, the rules
 * for classes of threads, and name, size and content of every file below @dir.
 * NULL with @error when one cannot be read.  To be freed.
 */
char *digest_run(struct ab_store *store, const struct ab_run_row *run,
		 const char *dir, GError **error);

#endif
