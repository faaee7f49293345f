// SPDX-License-Identifier: GPL-3.0-or-later
/* Which scenario made the artefacts in a directory. */
#include "results.h"

#include <string.h>

/* "artefacts/<session>/<run>" in the campaign's directory */
#define LEVELS 3

/* The scenario of the run in @dir, relative to the campaign's; -1: no run. */
static int find_run(const GPtrArray *runs, const char *dir)
{
	for (guint i = 0; i < runs->len; i++) {
		const struct ab_run_row *run = runs->pdata[i];

		if (run->dir && !strcmp(run->dir, dir))
			return run->scenario;
	}
	return -1;
}

static bool take(const char *path, const char *dir,
		 struct ab_scenario **scenario_out, GError **error)
{
	ab_autoptr(ab_store) store = ab_store_open(path, error);
	g_autoptr(GPtrArray) runs =
		store ? ab_store_runs(store, 0, error) : NULL;
	g_autoptr(GPtrArray) scenarios =
		runs ? results_scenarios(store, error) : NULL;
	int i;

	if (!scenarios)
		return false;
	i = find_run(runs, dir);
	if (i < 0 || (guint)i >= scenarios->len)
		return true;
	*scenario_out = g_ptr_array_steal_index(scenarios, (guint)i);
	return true;
}

bool ab_results_scenario(const char *run_dir, struct ab_scenario **scenario_out,
			 GError **error)
{
	g_autofree char *whole = g_canonicalize_filename(run_dir, NULL);
	g_autofree char *dir = g_strdup(whole);
	g_autofree char *path = NULL;

	*scenario_out = NULL;
	for (int level = 0; level < LEVELS; level++) {
		char *up = g_path_get_dirname(dir);

		g_free(dir);
		dir = up;
	}
	path = g_build_filename(dir, "campaign.db", NULL);
	if (!g_file_test(path, G_FILE_TEST_EXISTS) ||
	    strlen(whole) <= strlen(dir) + 1)
		return true;
	return take(path, whole + strlen(dir) + 1, scenario_out, error);
}
