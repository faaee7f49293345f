// SPDX-License-Identifier: GPL-3.0-or-later
#include "../../harness/campaign/progress.h"

#include <abrig/campaign.h>
#include <abrig/error.h>
#include <glib/gstdio.h>
#include <string.h>

#define BLOCKS 20

static char *dir;

static struct ab_plan *plan_with(const char *devices, int seed)
{
	g_autofree char *path = g_build_filename(dir, "plan.yaml", NULL);
	g_autofree char *text = g_strdup_printf(
		"plan: t\n"
		"platforms: { A: { devices: [%s] } }\n"
		"variants:\n"
		"  a: { flash: { boot: a.img } }\n"
		"  b: { flash: { boot: b.img } }\n"
		"scenarios: [ notification-shade ]\n"
		"schedule: { blocks: %d, runs: 3, warmup: 1, seed: %d }\n",
		devices, BLOCKS, seed);
	struct ab_plan *plan;
	GError *error = NULL;

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	plan = ab_plan_load(path, &error);
	g_assert_no_error(error);
	g_unlink(path);
	return plan;
}

static struct ab_store *schedule(const char *devices, int seed)
{
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);
	ab_autoptr(ab_plan) plan = plan_with(devices, seed);
	struct ab_store *store;
	GError *error = NULL;

	g_unlink(path);
	store = ab_store_create(path, &error);
	g_assert_no_error(error);
	g_assert_true(ab_schedule_create(plan, store, &error));
	return store;
}

static void done(struct ab_store *store)
{
	static const char *const names[] = { "campaign.db", "campaign.db-wal",
					     "campaign.db-shm" };
	size_t i;

	ab_store_close(store);
	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(dir, names[i], NULL);

		g_unlink(path);
	}
}

/* "0110...": the variants of @device's sessions in their order. */
static char *order_of(struct ab_store *store, gint64 device)
{
	g_autoptr(GPtrArray) rows = ab_store_sessions(store, device, NULL);
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < rows->len; i++)
		g_string_append_printf(
			s, "%d",
			((const struct ab_session_row *)rows->pdata[i])
				->variant);
	return g_string_free(s, FALSE);
}

static char *order(const char *devices, int seed, gint64 device)
{
	struct ab_store *store = schedule(devices, seed);
	char *text = order_of(store, device);

	done(store);
	return text;
}

static void test_blocks(void)
{
	g_autofree char *o = order("S1", 1, 1);
	int a_first = 0;
	size_t i;

	g_assert_cmpuint(strlen(o), ==, 2 * BLOCKS);
	for (i = 0; o[i]; i += 2) {
		g_assert_true(o[i] != o[i + 1]);
		a_first += o[i] == '0';
	}
	/* Balanced, and not the same order every time. */
	g_assert_cmpint(a_first, ==, BLOCKS / 2);
	g_assert_null(strstr(o, "010101010101"));
}

static void test_seed(void)
{
	g_autofree char *one = order("S1", 1, 1);
	g_autofree char *again = order("S1", 1, 1);
	g_autofree char *other = order("S1", 2, 1);

	g_assert_cmpstr(one, ==, again);
	g_assert_cmpstr(one, !=, other);
}

/* A phone more in the plan must not change the order on the others. */
static void test_devices(void)
{
	g_autofree char *alone = order("S1", 1, 1);
	g_autofree char *first = order("S1, S2", 1, 1);
	g_autofree char *second = order("S1, S2", 1, 2);

	g_assert_cmpstr(alone, ==, first);
	g_assert_cmpstr(alone, !=, second);
}

static void test_runs(void)
{
	struct ab_store *store = schedule("S1", 1);
	g_autoptr(GPtrArray) runs = ab_store_runs(store, 1, NULL);
	const struct ab_run_row *run = runs->pdata[0];

	g_assert_cmpuint(runs->len, ==, 4);
	g_assert_true(run->warmup);
	run = runs->pdata[3];
	g_assert_false(run->warmup);
	g_assert_cmpint(run->slot, ==, 3);
	g_assert_cmpint(run->state, ==, AB_RUN_PLANNED);
	done(store);
}

static void test_progress(void)
{
	struct progress_line line;

	g_assert_true(progress_parse(
		"progress\t1\t8\tbase\t3\t16\t3\t0\tbooting\tnow", &line));
	g_assert_false(line.is_error);
	g_assert_cmpint(line.progress.total, ==, 16);
	g_assert_cmpstr(line.progress.phase, ==, "booting\tnow");
	progress_line_clear(&line);
	g_assert_true(progress_parse("error\t9\tno\tboot", &line));
	g_assert_true(line.is_error);
	g_assert_cmpint(line.code, ==, AB_ERROR_IDENTITY);
	g_assert_cmpstr(line.message, ==, "no\tboot");
	progress_line_clear(&line);
}

static void test_hostile_progress(void)
{
	static const char *const lines[] = {
		"",
		"progress",
		"progress\t1\t8\tbase\t3\t16\t3\t0",
		"progress\t-1\t8\tbase\t3\t16\t3\t0\tx",
		"progress\t1\t8\tbase\t3\t99999999999999999999\t3\t0\tx",
		"error",
		"error\tx\ty",
		"Segmentation fault",
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(lines); i++) {
		struct progress_line line;

		g_assert_false(progress_parse(lines[i], &line));
		progress_line_clear(&line);
	}
}

static void test_gates(void)
{
	const struct ab_gate *g, *other;

	for (g = ab_gates; g->id; g++) {
		g_assert_nonnull(g->what);
		g_assert_nonnull(g->why);
		g_assert_nonnull(g->remedy);
		for (other = g + 1; other->id; other++)
			g_assert_cmpstr(g->id, !=, other->id);
	}
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	dir = g_dir_make_tmp("abrig-campaign-XXXXXX", NULL);
	g_test_add_func("/campaign/schedule/blocks", test_blocks);
	g_test_add_func("/campaign/schedule/seed", test_seed);
	g_test_add_func("/campaign/schedule/devices", test_devices);
	g_test_add_func("/campaign/schedule/runs", test_runs);
	g_test_add_func("/campaign/progress", test_progress);
	g_test_add_func("/campaign/progress/hostile", test_hostile_progress);
	g_test_add_func("/campaign/gates", test_gates);
	status = g_test_run();
	g_rmdir(dir);
	g_free(dir);
	return status;
}
