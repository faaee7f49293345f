// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report says of devices and kernels, from rows made by hand. */
#include "../../harness/campaign/kernel_facts.h"

#include <glib/gstdio.h>

#define RELEASE "6.12.30-g1b2c3d4"
#define WHO " (build@host) "
#define CLANG "(clang 17.0.2)"
#define BUILD " #1 SMP PREEMPT Mon Nov 2 03:01:10 UTC 2026"
#define BANNER(suffix, compiler) \
	("Linux version " RELEASE suffix WHO compiler BUILD)
#define CONFIG "7cf73aeef68817cf5df3ee1daa0e0ebb"

static char *variants[] = { "base", "patched", NULL };

static struct ab_device_row devices[] = {
	{ .id = 1,
	  .serial = "S1",
	  .platform = "A",
	  .model = "Pixel 8",
	  .fingerprint = "google/shiba:14" },
	{ .id = 2,
	  .serial = "S2",
	  .platform = "A",
	  .model = "Pixel 8",
	  .fingerprint = "google/shiba:14" },
	{ .id = 3,
	  .serial = "S3",
	  .platform = "A",
	  .model = "Pixel 8",
	  .soc = "Tensor G3",
	  .fingerprint = "google/shiba:14",
	  .failed = "gone" },
	{ .id = 4, .serial = "S4", .platform = "B" },
};

static struct ab_store *store; /* or none */

/* One accepted run per session. */
static void check(struct ab_session_row *sessions, guint n,
		  const char *const *expected)
{
	g_autoptr(GPtrArray) devs = g_ptr_array_new();
	g_autoptr(GPtrArray) runs = g_ptr_array_new();
	g_autofree struct result_run *run = g_new0(struct result_run, n);
	struct ab_run_data data;
	struct results r = { .store = store, .devices = devs, .runs = runs };
	g_auto(GStrv) lines = NULL;

	r.variants = r.report.variants = variants;
	r.report.n_variants = 2;
	for (guint i = 0; i < G_N_ELEMENTS(devices); i++)
		g_ptr_array_add(devs, &devices[i]);
	for (guint i = 0; i < n; i++) {
		run[i].session = &sessions[i];
		run[i].data = &data;
		g_ptr_array_add(runs, &run[i]);
	}
	lines = results_provenance(&r);
	for (guint i = 0; lines[i] || expected[i]; i++)
		g_assert_cmpstr(lines[i], ==, expected[i]);
}

#define DEVICES_A "A: S1, S2, Pixel 8, google/shiba:14"
#define DEVICES_FAILED \
	"A: S3, Pixel 8 (Tensor G3), google/shiba:14; failed: gone"
#define DEVICES_B "B: S4, unknown, unknown"
#define BASE RELEASE BUILD "; config 7cf73aeef688"

static void test_same_on_both(void)
{
	static const char *const expected[] = { DEVICES_A,
						DEVICES_FAILED,
						"A base: " BASE,
						"A patched: ...-highpri" BUILD
						"; same compiler, same config",
						DEVICES_B,
						"B kernels: those of A",
						NULL };
	struct ab_session_row sessions[] = {
		{ .device = 1,
		  .variant = 1,
		  .banner = BANNER("-highpri", CLANG),
		  .config_sha256 = CONFIG },
		{ .device = 2,
		  .variant = 0,
		  .banner = BANNER("", CLANG),
		  .config_sha256 = CONFIG },
		{ .device = 4,
		  .variant = 0,
		  .banner = BANNER("", CLANG),
		  .config_sha256 = CONFIG },
		{ .device = 4,
		  .variant = 1,
		  .banner = BANNER("-highpri", CLANG),
		  .config_sha256 = CONFIG },
	};

	check(sessions, G_N_ELEMENTS(sessions), expected);
}

/* What else differs than the patch must not go unseen. */
static void test_differences(void)
{
	static const char *const expected[] = {
		DEVICES_A,
		DEVICES_FAILED,
		"A base: " BASE,
		"A patched: " RELEASE BUILD
		"; compiler (gcc 14.2 (Debian)), config unknown",
		DEVICES_B,
		"B base: odd; config unknown",
		"B patched: the same kernel",
		NULL
	};
	struct ab_session_row sessions[] = {
		{ .device = 1,
		  .variant = 0,
		  .banner = BANNER("", CLANG),
		  .config_sha256 = CONFIG },
		{ .device = 1,
		  .variant = 1,
		  .banner = BANNER("", "(gcc 14.2 (Debian))") },
		{ .device = 4, .variant = 0, .banner = "odd" },
		{ .device = 4, .variant = 1, .banner = "odd" },
	};

	check(sessions, G_N_ELEMENTS(sessions), expected);
}

static void test_nothing_ran(void)
{
	static const char *const expected[] = { DEVICES_A, DEVICES_FAILED,
						DEVICES_B, NULL };

	check(NULL, 0, expected);
}

static void test_words(void)
{
	static const struct {
		const char *a, *b, *difference;
	} cases[] = {
		{ "", "", "" },
		{ "quiet x=1", "x=1 quiet", "" },
		{ "quiet androidboot.slot=_a", "quiet androidboot.slot=_b y",
		  "+y" },
		{ "a b x=1", "a x=2", "+x=2 -b -x=1" },
		{ "", "1 2 3 4 5 6 7 8", "+1 +2 +3 +4 +5 +6 and 2 more" },
	};
	g_autofree char *config = kernel_difference(
		"# CONFIG_A is not set\nCONFIG_B=y\nCONFIG_C=\"x y\"\n",
		"CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"x y\"\n", "\n");

	g_assert_cmpstr(config, ==, "+CONFIG_A=y -CONFIG_B=y");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
			kernel_difference(cases[i].a, cases[i].b, " \n");

		g_assert_cmpstr(text, ==, cases[i].difference);
	}
}

/* Facts that were recorded, of the store that a campaign has. */
static void test_facts(void)
{
	static const char *const facts[][2] = {
		{ "kernel.B.0.cmdline", "quiet androidboot.slot_suffix=_a" },
		{ "kernel.B.1.cmdline",
		  "quiet pm=1 androidboot.slot_suffix=_b" },
		{ "kernel.B.0.governor", "schedutil" },
		{ "kernel.B.1.governor", "performance" },
		{ "kernel.B.1.config", "+CONFIG_X=y" },
	};
	static const char *const expected[] = {
		DEVICES_A,
		DEVICES_FAILED,
		DEVICES_B,
		"B base: " BASE ", governor schedutil",
		"B patched: ...-highpri" BUILD "; same compiler, "
		"config +CONFIG_X=y, cmdline +pm=1, governor performance",
		NULL
	};
	struct ab_session_row sessions[] = {
		{ .device = 4,
		  .banner = BANNER("", CLANG),
		  .config_sha256 = CONFIG },
		{ .device = 4,
		  .variant = 1,
		  .banner = BANNER("-highpri", CLANG),
		  .config_sha256 = "other" },
	};
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = g_dir_make_tmp("abrig-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);

	store = ab_store_create(path, &error);
	g_assert_no_error(error);
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		g_assert_true(ab_store_set_fact(store, facts[i][0], facts[i][1],
						NULL));
	check(sessions, G_N_ELEMENTS(sessions), expected);
	g_clear_pointer(&store, ab_store_close);
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/provenance/same-on-both", test_same_on_both);
	g_test_add_func("/provenance/differences", test_differences);
	g_test_add_func("/provenance/nothing-ran", test_nothing_ran);
	g_test_add_func("/provenance/words", test_words);
	g_test_add_func("/provenance/facts", test_facts);
	return g_test_run();
}
