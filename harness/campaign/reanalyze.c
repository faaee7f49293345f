// SPDX-License-Identifier: GPL-3.0-or-later
/* The analysis of a campaign's artefacts, again and without phones. */
#include "digest.h"
#include "results.h"
#include "worker.h"

#include <string.h>

struct again {
	const char *dir;
	struct ab_store *store;
	GPtrArray *scenarios;
	bool force;
	struct ab_reanalysis *done;
};

static bool has_artefacts(const struct again *a, const struct ab_run_row *run)
{
	g_autofree char *dir = g_build_filename(a->dir, run->dir, NULL);

	return g_file_test(dir, G_FILE_TEST_IS_DIR);
}

/* Rejected by what the artefacts show, not by what happened on the phone. */
static bool by_analysis(const char *gate)
{
	const struct ab_gate *g;

	for (g = ab_gates; g->id; g++)
		if (!strcmp(g->id, gate))
			return g->when == AB_GATE_ANALYSIS;
	return false;
}

static bool ended(const struct ab_run_row *run)
{
	return run->state == AB_RUN_ACCEPTED ||
	       (run->state == AB_RUN_REJECTED && run->gate &&
		by_analysis(run->gate));
}

/* Towards rejected only: a repeat may have been run in its place. */
static bool reject(struct again *a, struct ab_run_row *run, const char *gate,
		   const char *reason, GError **error)
{
	run->state = AB_RUN_REJECTED;
	g_free(run->gate);
	g_free(run->reason);
	run->gate = g_strdup(gate);
	run->reason = g_strdup(reason);
	return ab_store_update_run(a->store, run, error);
}

static bool analyze_one(struct again *a, struct ab_run_row *run,
			const char *dir, const char *digest, GError **error)
{
	const struct ab_scenario *scenario = a->scenarios->pdata[run->scenario];
	const char *gate = NULL;
	g_autofree char *reason = NULL;
	ab_autoptr(ab_run_data) data =
		analyze_run(scenario, dir, &gate, &reason);

	if (!ab_store_put_data(a->store, run->id, data, error) ||
	    (gate && !reject(a, run, gate, reason, error)))
		return false;
	a->done->analysed++;
	/* Last: a digest stands for all that is stored. */
	return ab_store_set_digest(a->store, run->id, digest, error);
}

static bool update_one(struct again *a, struct ab_run_row *run, GError **error)
{
	g_autofree char *dir = g_build_filename(a->dir, run->dir, NULL);
	g_autofree char *digest = digest_run(a->store, run, dir, error);
	g_autoptr(GError) why = NULL;
	g_autofree char *old =
		digest ? ab_store_digest(a->store, run->id, &why) : NULL;

	if (!digest)
		return false;
	if (why) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	if (a->force || g_strcmp0(old, digest) != 0)
		return analyze_one(a, run, dir, digest, error);
	a->done->unchanged++;
	return true;
}

static bool analyze_all(struct again *a, struct ab_intr *intr, GError **error)
{
	g_autoptr(GPtrArray) runs = ab_store_runs(a->store, 0, error);
	guint i;

	for (i = 0; runs && i < runs->len; i++) {
		struct ab_run_row *run = runs->pdata[i];
		struct ab_wait now = ab_wait_in(intr, 1000);

		if (!ended(run) || !run->dir || run->scenario < 0 ||
		    (guint)run->scenario >= a->scenarios->len)
			continue;
		if (!ab_wait_check(&now, "analysing the campaign", error))
			return false;
		/* What was stored is all that is left of it. */
		if (!has_artefacts(a, run))
			a->done->gone++;
		else if (!update_one(a, run, error))
			return false;
	}
	return runs != NULL;
}

bool ab_results_analyze(const char *dir, bool force, struct ab_intr *intr,
			struct ab_reanalysis *done_out, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);
	struct again a = { .dir = dir, .force = force, .done = done_out };
	bool ok;

	*done_out = (struct ab_reanalysis){ 0 };
	a.store = ab_store_open(path, error);
	if (!a.store)
		return false;
	a.scenarios = results_scenarios(a.store, error);
	ok = a.scenarios && analyze_all(&a, intr, error);
	g_clear_pointer(&a.scenarios, g_ptr_array_unref);
	ab_store_close(a.store);
	return ok;
}
