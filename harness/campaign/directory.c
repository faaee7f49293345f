// SPDX-License-Identifier: GPL-3.0-or-later
#include "directory.h"
#include "aa_facts.h"
#include "stop.h"
#include "worker.h"

#include <abrig/error.h>
#include <abrig/file.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LOCK_POLL_MS 100

int directory_lock(const char *dir, const struct ab_wait *w, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "campaign.lock", NULL);
	int fd;

	if (g_mkdir_with_parents(dir, 0700)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot create the campaign directory: %s", dir,
			    g_strerror(errno));
		return -1;
	}
	/* Not close-on-exec: workers keep it locked after the supervisor. */
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot open: %s", path, g_strerror(errno));
		return -1;
	}
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (ab_wait_pause(w, LOCK_POLL_MS, "waiting for the lock",
				  NULL))
			continue;
		close(fd);
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: another abrig works on this campaign; wait "
			    "for it, or stop it",
			    path);
		return -1;
	}
	return fd;
}

static char *join_names(const GPtrArray *items,
			const char *(*name)(gconstpointer))
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < items->len; i++)
		g_string_append_printf(s, "%s%s", i ? "\n" : "",
				       name(items->pdata[i]));
	return g_string_free(s, FALSE);
}

static const char *variant_name(gconstpointer item)
{
	return ((const struct ab_variant *)item)->name;
}

static bool put_scenarios(const struct ab_plan *plan, struct ab_store *store,
			  GError **error)
{
	guint i;

	for (i = 0; i < plan->scenarios->len; i++) {
		const struct ab_scenario *s = plan->scenarios->pdata[i];
		g_autofree char *key = g_strdup_printf("scenario.%u", i);
		g_autofree char *text = ab_node_to_json(s->tree);

		if (!ab_store_set_fact(store, key, text, error))
			return false;
	}
	return true;
}

static char *margins_text(const struct ab_plan *plan)
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < plan->margins->len; i++) {
		const struct ab_margin *m = plan->margins->pdata[i];
		char number[G_ASCII_DTOSTR_BUF_SIZE];

		g_ascii_dtostr(number, sizeof(number), m->pct);
		g_string_append_printf(s, "%s%s\t%s", i ? "\n" : "", m->metric,
				       number);
	}
	return g_string_free(s, FALSE);
}

/* All that reports and analyses need, so that they never need the plan. */
static bool put_facts(const struct ab_plan *plan, struct ab_store *store,
		      GError **error)
{
	g_autofree char *variants = join_names(plan->variants, variant_name);
	g_autofree char *primary = g_strjoinv("\n", plan->primary);
	g_autofree char *margins = margins_text(plan);
	g_autofree char *seed =
		g_strdup_printf("%" G_GINT64_FORMAT, plan->schedule.seed);
	g_autofree char *began = worker_now();
	const struct {
		const char *key, *value;
	} facts[] = {
		{ "plan", plan->name },
		{ "plan_sha256", plan->sha256 },
		{ "plan_file", plan->file },
		{ "plan_text", plan->text },
		{ "variants", variants },
		{ "primary", primary },
		{ "margins", margins },
		{ "seed", seed },
		{ "same", plan->same ? "yes" : "no" },
		{ "again", plan->again ? "yes" : "no" },
		{ "began", began },
		{ "tool", "abrig " AB_VERSION },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(facts); i++)
		if (!ab_store_set_fact(store, facts[i].key, facts[i].value,
				       error))
			return false;
	return put_scenarios(plan, store, error) &&
	       stop_put(plan, store, error);
}

static bool keep_plan(const char *dir, const struct ab_plan *plan,
		      GError **error)
{
	g_autofree char *path = g_build_filename(dir, "plan.yaml", NULL);

	return ab_file_write(path, plan->text, -1, error);
}

/* Under another name first: a killed creation must not look like a campaign. */
static bool create(const char *dir, const char *path,
		   const struct ab_plan *plan, GError **error)
{
	g_autofree char *records = ab_aa_dir();
	g_autofree char *fresh = g_strconcat(path, ".new", NULL);
	ab_autoptr(ab_store) store = NULL;

	g_unlink(fresh);
	if (!keep_plan(dir, plan, error))
		return false;
	store = ab_store_create(fresh, error);
	if (!store || !put_facts(plan, store, error) ||
	    !aa_put_facts(plan, store, records, error) ||
	    !ab_schedule_create(plan, store, error))
		return false;
	ab_store_close(store);
	store = NULL;
	if (g_rename(fresh, path) == 0)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV, "%s: cannot rename: %s",
		    fresh, g_strerror(errno));
	return false;
}

static bool same_plan(const char *dir, const struct ab_plan *plan,
		      struct ab_store *store, GError **error)
{
	g_autofree char *sha = ab_store_fact(store, "plan_sha256", error);
	g_autofree char *again = NULL;

	if (!sha)
		return false;
	if (!strcmp(sha, plan->sha256))
		return true;
	again = ab_store_fact(store, "again", NULL);
	if (plan->again != !g_strcmp0(again, "yes")) {
		g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
			    "%s: was begun by abrig %s; go on with that, or "
			    "give this campaign another directory",
			    dir,
			    plan->again ? "run, not abrig aa"
					: "aa, not abrig run");
		return false;
	}
	g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
		    "%s: was begun with another plan (or other scenario or "
		    "variant files) than %s; give the campaign of the changed "
		    "plan another directory, or compare with %s/plan.yaml",
		    dir, plan->file, dir);
	return false;
}

struct ab_store *directory_open(const char *dir, const struct ab_plan *plan,
				bool *resumed_out, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);
	bool exists = g_file_test(path, G_FILE_TEST_EXISTS);
	struct ab_store *store;

	if (resumed_out)
		*resumed_out = exists;
	if (!exists && !create(dir, path, plan, error))
		return NULL;
	store = ab_store_open(path, error);
	if (store && !same_plan(dir, plan, store, error)) {
		ab_store_close(store);
		return NULL;
	}
	return store;
}
