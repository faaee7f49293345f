// SPDX-License-Identifier: GPL-3.0-or-later
/* Plans; run from the top of the tree, where scenarios/ and kernels/ are. */
#include <abrig/error.h>
#include <abrig/plan.h>

#include <glib/gstdio.h>
#include <string.h>

#define HEAD        \
	"plan: p\n" \
	"platforms: { A: { devices: [S1] } }\n"
#define VARIANTS                                         \
	"variants: { base: { flash: { boot: b.img } }, " \
	"new: { flash: { boot: n.img } } }\n"
#define SCENARIOS "scenarios: [notification-shade]\n"
#define WHOLE HEAD VARIANTS SCENARIOS

struct dir {
	char *path, *plan;
};

static void set_up(struct dir *dir, gconstpointer data)
{
	(void)data;
	dir->path = g_dir_make_tmp("abrig-plan-XXXXXX", NULL);
	dir->plan = g_build_filename(dir->path, "p.yaml", NULL);
}

static void tear_down(struct dir *dir, gconstpointer data)
{
	g_autoptr(GDir) d = g_dir_open(dir->path, 0, NULL);
	const char *name = g_dir_read_name(d);

	(void)data;
	for (; name; name = g_dir_read_name(d)) {
		g_autofree char *path = g_build_filename(dir->path, name, NULL);

		g_unlink(path);
	}
	g_rmdir(dir->path);
	g_free(dir->path);
	g_free(dir->plan);
}

static void write_file(struct dir *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir->path, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static struct ab_plan *load(struct dir *dir, const char *text)
{
	g_autoptr(GError) error = NULL;
	struct ab_plan *plan;

	write_file(dir, "p.yaml", text);
	plan = ab_plan_load(dir->plan, &error);
	g_assert_no_error(error);
	return plan;
}

/* @message without the plan's path and colon before it. */
static void refused(struct dir *dir, const char *text, const char *message)
{
	g_autofree char *prefix = g_strconcat(dir->plan, ":", NULL);
	g_autoptr(GError) error = NULL;

	write_file(dir, "p.yaml", text);
	g_assert_null(ab_plan_load(dir->plan, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	g_assert_true(g_str_has_prefix(error->message, prefix));
	g_assert_cmpstr(error->message + strlen(prefix), ==, message);
}

static void test_minimal(struct dir *dir, gconstpointer data)
{
	ab_autoptr(ab_plan) plan = load(dir, WHOLE);
	const struct ab_plan_platform *a =
		g_ptr_array_index(plan->platforms, 0);
	const struct ab_plan_device *device = g_ptr_array_index(a->devices, 0);
	const struct ab_variant *base = g_ptr_array_index(plan->variants, 0);

	(void)data;
	g_assert_cmpstr(plan->name, ==, "p");
	g_assert_cmpstr(plan->file, ==, dir->plan);
	g_assert_cmpstr(plan->dir, ==, dir->path);
	g_assert_cmpstr(plan->text, ==, WHOLE);
	g_assert_cmpint(strlen(plan->sha256), ==, 64);
	g_assert_cmpstr(a->name, ==, "A");
	g_assert_null(a->product);
	g_assert_cmpstr(device->serial, ==, "S1");
	g_assert_cmpstr(device->fastboot, ==, "S1");
	g_assert_cmpint(device->where->line, ==, 2);
	g_assert_cmpstr(base->name, ==, "base");
	g_assert_cmpint(plan->variants->len, ==, 2);
	g_assert_cmpint(plan->schedule.blocks, ==, 8);
	g_assert_cmpint(plan->schedule.runs, ==, 5);
	g_assert_cmpint(plan->schedule.warmup, ==, 1);
	g_assert_cmpint(plan->schedule.seed, ==, 1);
	g_assert_cmpint(plan->schedule.retries, ==, 3);
	g_assert_cmpfloat(plan->gates.max_skin_c, ==, 37);
	g_assert_cmpint(plan->gates.cool_ms, ==, 900000);
	g_assert_cmpint(plan->gates.min_battery, ==, 20);
	g_assert_false(plan->gates.allow_charging);
	g_assert_cmpint(plan->gates.min_free, ==, 2LL << 30);
	g_assert_cmpint(g_strv_length(plan->primary), ==, 0);
	g_assert_cmpint(plan->margins->len, ==, 0);
	g_assert_false(plan->same);
}

/* Never to be taken for the campaign that the plan itself describes. */
static void test_again(struct dir *dir, gconstpointer data)
{
	static const char *const text =
		WHOLE "schedule: { blocks: 16, stop: { when: clear } }\n"
		      "metrics: { primary: frames.sf_missed }\n";
	ab_autoptr(ab_plan) plan = load(dir, text);
	ab_autoptr(ab_plan) once = load(dir, text);
	ab_autoptr(ab_plan) twice = load(dir, text);
	const struct ab_variant *base, *again;

	(void)data;
	g_assert_true(ab_plan_again(once, NULL));
	g_assert_true(ab_plan_again(twice, NULL));
	base = g_ptr_array_index(once->variants, 0);
	again = g_ptr_array_index(once->variants, 1);
	g_assert_cmpint(once->variants->len, ==, 2);
	g_assert_cmpstr(base->name, ==, "base");
	g_assert_cmpstr(again->name, ==, "base-again");
	g_assert_cmpstr(
		((struct ab_image *)g_ptr_array_index(again->images, 0))->path,
		==, "b.img");
	g_assert_true(once->same);
	g_assert_nonnull(plan->schedule.stop.when);
	g_assert_null(once->schedule.stop.when);
	g_assert_cmpstr(once->name, ==, "p-aa");
	g_assert_cmpstr(once->sha256, !=, plan->sha256);
	g_assert_cmpstr(once->sha256, ==, twice->sha256);
}

static void test_full(struct dir *dir, gconstpointer data)
{
	ab_autoptr(ab_plan) plan = load(
		dir,
		"plan: p\nversion: 1\nsame: true\n"
		"platforms:\n"
		"  A: { devices: [{ serial: '127.0.0.1:7', fastboot: "
		"'tcp:127.0.0.1:8' }, S2], product: oriole }\n"
		"  B: { devices: [S3] }\n" VARIANTS
		"scenarios: [notification-shade: { swipes: 3 }, jankbench]\n"
		"schedule: { blocks: 2, runs: 1, warmup: 0, seed: 42, "
		"retries: 0 }\n"
		"prepare: { refresh: 60, airplane: false }\n"
		"gates: { cool: 5 min, allow_charging: true }\n"
		"metrics: { primary: [frames.sf_missed], margins: { "
		"power.total: 2% } }\n");
	const struct ab_plan_platform *a =
		g_ptr_array_index(plan->platforms, 0);
	const struct ab_plan_device *device = g_ptr_array_index(a->devices, 0);
	const struct ab_scenario *shade = g_ptr_array_index(plan->scenarios, 0);
	const struct ab_margin *margin = g_ptr_array_index(plan->margins, 0);

	(void)data;
	g_assert_true(plan->same);
	g_assert_cmpstr(device->fastboot, ==, "tcp:127.0.0.1:8");
	g_assert_cmpstr(a->product, ==, "oriole");
	g_assert_cmpint(plan->platforms->len, ==, 2);
	g_assert_cmpstr(shade->name, ==, "notification-shade");
	g_assert_cmpint(plan->scenarios->len, ==, 2);
	g_assert_cmpint(plan->schedule.seed, ==, 42);
	g_assert_cmpint(plan->schedule.warmup, ==, 0);
	g_assert_cmpint(plan->prepare.refresh_hz, ==, 60);
	g_assert_false(plan->prepare.airplane);
	g_assert_cmpint(plan->gates.cool_ms, ==, 300000);
	g_assert_cmpstr(plan->primary[0], ==, "frames.sf_missed");
	g_assert_cmpstr(margin->metric, ==, "power.total");
	g_assert_cmpfloat(margin->pct, ==, 2);
}

static void test_keys(struct dir *dir, gconstpointer data)
{
	(void)data;
	refused(dir, WHOLE "shedule: { runs: 3 }\n",
		"5:1: unknown key 'shedule', did you mean 'schedule'?");
	refused(dir, WHOLE "schedule:\n  blocks: 2\n  rnus: 3\n",
		"7:3: unknown key 'rnus', did you mean 'runs'?");
	refused(dir, WHOLE "schedule: { blocks: 0 }\n",
		"5:21: 'blocks' must be in 1..1000, not 0");
	refused(dir, WHOLE "version: 2\n",
		"5:10: 'version' must be in 1..1, not 2");
	refused(dir, WHOLE "gates: { cool: 15 }\n",
		"5:16: 'cool' must be a time with its unit, such as 250ms, "
		"90s, 5 min or 1h, not '15'");
	refused(dir, WHOLE "prepare: { brightnes: 3 }\n",
		"5:12: unknown key 'brightnes', did you mean 'brightness'?");
	refused(dir, HEAD SCENARIOS,
		"1:1: missing key 'variants': Kernels to compare: a map from a "
		"name to what to install, or to the name of a file that says "
		"it. The first is the baseline.");
	refused(dir, "plan: a b\nplatforms: {}\n" VARIANTS SCENARIOS,
		"1:7: 'a b' cannot be the name of a plan: use 1 to 64 letters, "
		"digits, '.', '_' or '-', a letter or digit first");
}

static void test_platforms(struct dir *dir, gconstpointer data)
{
	g_autofree char *twice = NULL;

	(void)data;
	refused(dir, "plan: p\nplatforms: {}\n" VARIANTS SCENARIOS,
		"2:12: 'platforms' needs at least 1 entry, and has 0");
	refused(dir, "plan: p\nplatforms: [S1]\n" VARIANTS SCENARIOS,
		"2:12: 'platforms' must be a map from names to what they mean");
	refused(dir,
		"plan: p\nplatforms: { A: { devices: [] } }\n" VARIANTS
			SCENARIOS,
		"2:28: 'devices' must list at least one serial, such as "
		"[2A101FDH2000XX]; `adb devices` prints them");
	refused(dir,
		"plan: p\nplatforms: { ../A: { devices: [S] } }\n" VARIANTS
			SCENARIOS,
		"2:14: '../A' cannot be the name of a platform: use 1 to 32 "
		"letters, digits, '.', '_' or '-', a letter or digit first");
	refused(dir,
		"plan: p\nplatforms: { A: { devices: ['-s'] } }\n" VARIANTS
			SCENARIOS,
		"2:29: '-s' cannot be a serial; copy it from `adb devices`");
	refused(dir,
		"plan: p\nplatforms: { A: { devices: ['S;reboot'] } }\n" VARIANTS
			SCENARIOS,
		"2:29: 'S;reboot' cannot be a serial; copy it from `adb "
		"devices`");
	refused(dir,
		"plan: p\nplatforms: { A: { devices: [{ fastbot: x }] } }\n" VARIANTS
			SCENARIOS,
		"2:31: unknown key 'fastbot', did you mean 'fastboot'?");
	twice = g_strdup_printf("4:18: device 'S2' is listed twice; the first "
				"is at %s:3",
				dir->plan);
	refused(dir,
		"plan: p\nplatforms:\n  A: { devices: [S1, S2] }\n"
		"  B: { devices: [S2] }\n" VARIANTS SCENARIOS,
		twice);
}

static void test_variants(struct dir *dir, gconstpointer data)
{
	(void)data;
	refused(dir,
		HEAD
		"variants: { base: { flash: { boot: b.img } } }\n" SCENARIOS,
		"3:11: 'variants' needs at least 2 entries, and has 1");
	refused(dir,
		HEAD "variants: { base: { flash: { boot: b } }, 'x y': { "
		     "flash: { boot: b } } }\n" SCENARIOS,
		"3:43: 'x y' cannot be the name of a variant: use 1 to 32 "
		"letters, digits, '.', '_' or '-', a letter or digit first");
	refused(dir,
		HEAD "variants: { base: { flsh: { boot: b } }, new: { flash: "
		     "{ boot: b } } }\n" SCENARIOS,
		"3:21: unknown key 'flsh', did you mean 'flash'?");
}

static void test_scenarios(struct dir *dir, gconstpointer data)
{
	g_autofree char *missing = NULL;

	(void)data;
	refused(dir, HEAD VARIANTS "scenarios: [notification-shde]\n",
		"4:13: unknown scenario 'notification-shde', did you mean "
		"'notification-shade'?");
	missing = g_strdup_printf("4:13: there is no scenario file "
				  "'%s/./my.yaml'; check the path",
				  dir->path);
	refused(dir, HEAD VARIANTS "scenarios: [./my.yaml]\n", missing);
	refused(dir, HEAD VARIANTS "scenarios: []\n",
		"4:12: 'scenarios' must list at least one, such as "
		"[notification-shade]");
	refused(dir, HEAD VARIANTS "scenarios: [{ jankbench: {}, x: {} }]\n",
		"4:13: a scenario is a name, or a map with one name and its "
		"parameters, such as jankbench: { iterations: 3 }");
	refused(dir,
		HEAD VARIANTS "scenarios: [jankbench, jankbench: { iterations: "
			      "1 }]\n",
		"4:24: scenario 'jankbench' is in the plan twice; copy its "
		"file under another name to run it with other parameters");
	refused(dir,
		HEAD VARIANTS "scenarios:\n"
			      "  - jankbench: { itertions: 3 }\n",
		"5:18: unknown parameter 'itertions', did you mean "
		"'iterations'?");
	refused(dir,
		HEAD VARIANTS "scenarios:\n"
			      "  - jankbench: { iterations: many }\n",
		"5:30: 'iterations' must be a whole number, such as 5, not "
		"'many'");
	refused(dir,
		HEAD VARIANTS "scenarios:\n"
			      "  - notification-shade: { swipes: 0 }\n",
		"5:35: 'times' must be in 1..10000, not 0");
}

static void test_metrics(struct dir *dir, gconstpointer data)
{
	(void)data;
	refused(dir, WHOLE "metrics: { primary: [frames.sf_mised] }\n",
		"5:22: unknown metric 'frames.sf_mised', did you mean "
		"'frames.sf_missed'?");
	refused(dir, WHOLE "metrics: { primary: [power.cpu, power.cpu] }\n",
		"5:33: metric 'power.cpu' is listed twice");
	refused(dir, WHOLE "metrics: { margins: { power.totl: 2% } }\n",
		"5:23: unknown metric 'power.totl', did you mean "
		"'power.total'?");
	refused(dir, WHOLE "metrics: { margins: { power.total: 2 } }\n",
		"5:36: 'power.total' must be a percentage, such as 5%, not "
		"'2'");
	refused(dir, WHOLE "metrics: { margins: { power.total: 0% } }\n",
		"5:36: a margin of 0% can never be met; leave 'power.total' "
		"out instead");
}

/* A scenario beside the plan, and one that is wrong in itself. */
static void test_beside(struct dir *dir, gconstpointer data)
{
	g_autofree char *message = NULL;
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_plan) plan = NULL;

	(void)data;
	write_file(dir, "my.yaml", "scenario: my\nsteps: [home]\n");
	plan = load(dir, HEAD VARIANTS "scenarios: [./my.yaml]\n");
	g_assert_cmpint(plan->scenarios->len, ==, 1);
	write_file(dir, "my.yaml", "scenario: my\nsteps: [hom]\n");
	message = g_strdup_printf("%s/./my.yaml:2:9: unknown step 'hom', did "
				  "you mean 'home'?",
				  dir->path);
	g_assert_null(ab_plan_load(dir->plan, &error));
	g_assert_cmpstr(error->message, ==, message);
}

static char *sha_of(struct dir *dir)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_plan) plan = ab_plan_load(dir->plan, &error);

	g_assert_no_error(error);
	return g_strdup(plan->sha256);
}

/* Any of the three kinds of files changes it; nothing else does. */
static void test_sha(struct dir *dir, gconstpointer data)
{
	g_autofree char *first = NULL, *again = NULL, *scenario = NULL,
			*variant = NULL;

	(void)data;
	write_file(dir, "p.yaml",
		   HEAD "variants: { base: ./v.yaml, new: { flash: { boot: n "
			"} } }\nscenarios: [./my.yaml]\n");
	write_file(dir, "v.yaml", "flash: { boot: b }\n");
	write_file(dir, "my.yaml", "scenario: my\nsteps: [home]\n");
	first = sha_of(dir);
	again = sha_of(dir);
	g_assert_cmpstr(first, ==, again);
	write_file(dir, "my.yaml", "scenario: my\nsteps: [wake]\n");
	scenario = sha_of(dir);
	g_assert_cmpstr(first, !=, scenario);
	write_file(dir, "v.yaml", "flash: { boot: c }\n");
	variant = sha_of(dir);
	g_assert_cmpstr(scenario, !=, variant);
}

static void test_unreadable(struct dir *dir, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	(void)data;
	g_assert_null(ab_plan_load(dir->plan, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(error->message, "check the name"));
}

static void test_shipped(void)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_plan) plan =
		ab_plan_load("docs/examples/pm-wq.yaml", &error);

	g_assert_no_error(error);
	g_assert_cmpint(plan->platforms->len, ==, 2);
	g_assert_cmpint(plan->scenarios->len, ==, 2);
}

static void test_reference(void)
{
	g_autoptr(GString) help = g_string_new(NULL);
	g_autoptr(GString) man = g_string_new(NULL);
	guint i;

	ab_plan_help(help);
	ab_plan_man(man);
	g_assert_nonnull(strstr(help->str,
				"\nschedule:\n"
				"  blocks: NUMBER (1..1000; default 8)\n"));
	g_assert_nonnull(strstr(help->str, "\nplatforms.NAME:\n"
					   "  devices: {...} (required)\n"));
	g_assert_nonnull(strstr(man->str, "\n.SS schedule\n.TP\n"
					  "\\fBblocks\\fR: NUMBER "));
	for (i = 0; ab_steps[i]; i++) {
		g_autofree char *line =
			g_strdup_printf("\n  %s\n    ", ab_steps[i]->name);

		g_assert_nonnull(strstr(help->str, line));
	}
	g_assert_nonnull(strstr(help->str, "\n  flash\n"));
	g_assert_nonnull(strstr(help->str, "\n  perfetto\n"));
}

#define ADD(name, function) \
	g_test_add("/plan/" name, struct dir, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("minimal", test_minimal);
	ADD("full", test_full);
	ADD("again", test_again);
	ADD("keys", test_keys);
	ADD("platforms", test_platforms);
	ADD("variants", test_variants);
	ADD("scenarios", test_scenarios);
	ADD("metrics", test_metrics);
	ADD("beside", test_beside);
	ADD("sha", test_sha);
	ADD("unreadable", test_unreadable);
	g_test_add_func("/plan/shipped", test_shipped);
	g_test_add_func("/plan/reference", test_reference);
	return g_test_run();
}
