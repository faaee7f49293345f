/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run's data are made from, as one number. */
#ifndef CAMPAIGN_DIGEST_H
#define CAMPAIGN_DIGEST_H

#include <glib.h>

/* One more whenever the same artefacts yield other data. */
#define ANALYSIS_VERSION 1

/*
 * SHA-256 over this program's version, @scenario's text, the rules for classes
 * of threads, and name, size and content of every file below @dir.  NULL with
 * @error when one cannot be read.  To be freed.
 */
char *digest_artefacts(const char *dir, const char *scenario, GError **error);

#endif
