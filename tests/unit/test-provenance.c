// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report says of devices and kernels, from rows made by hand. */
#include "../../harness/campaign/results.h"

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
	  .fingerprint = "google/shiba:14",
	  .failed = "gone" },
	{ .id = 4, .serial = "S4", .platform = "B" },
};

/* One accepted run per session. */
static void check(struct ab_session_row *sessions, guint n,
		  const char *const *expected)
{
	g_autoptr(GPtrArray) devs = g_ptr_array_new();
	g_autoptr(GPtrArray) runs = g_ptr_array_new();
	g_autofree struct result_run *run = g_new0(struct result_run, n);
	struct ab_run_data data;
	struct results r = { .devices = devs, .runs = runs };
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
#define DEVICES_FAILED "A: S3, Pixel 8, google/shiba:14; failed: gone"
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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/provenance/same-on-both", test_same_on_both);
	g_test_add_func("/provenance/differences", test_differences);
	g_test_add_func("/provenance/nothing-ran", test_nothing_ran);
	return g_test_run();
}
