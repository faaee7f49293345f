// SPDX-License-Identifier: GPL-3.0-or-later
/* The campaign's copy of its plan, for reports that show it. */
#include "results.h"

#include <glib/gstdio.h>
#include <string.h>

#define MOST (1024 * 1024) /* bytes that a report shows */

char *results_plan_text(const char *dir, const char *sha256)
{
	g_autofree char *path = g_build_filename(dir, "plan.yaml", NULL);
	g_autofree char *text = NULL, *digest = NULL;
	GStatBuf st;
	gsize n;

	if (g_stat(path, &st) || st.st_size > MOST ||
	    !g_file_get_contents(path, &text, &n, NULL))
		return NULL;
	digest = g_compute_checksum_for_data(G_CHECKSUM_SHA256,
					     (const guchar *)text, n);
	return strcmp(digest, sha256) ? NULL : g_steal_pointer(&text);
}
