// SPDX-License-Identifier: GPL-3.0-or-later
/* A/A nights: their files, and what they say together. */
#include <abrig/aa.h>
#include <abrig/aa_report.h>
#include <abrig/error.h>
#include <abrig/stats_methods.h>

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define SERIAL "127.0.0.1:6000"
#define METRICS 40

static char *dir;

static struct ab_aa_night *night_new(const char *serial, int day)
{
	struct ab_aa_night *night = ab_aa_night_new();

	night->serial = g_strdup(serial);
	night->plan = g_strdup("p-aa");
	night->plan_sha256 = g_strdup("00ff");
	night->tool = g_strdup("abrig 0.1.0");
	night->began = g_strdup_printf("2026-11-%02dT03:01:10Z", day);
	night->blocks = night->boots = 8;
	night->runs = 40;
	return night;
}

/* @metrics tests without an alarm, floors 1, 2, ... percent. */
static struct ab_aa_night *quiet_night(const char *serial, int day, int metrics)
{
	struct ab_aa_night *night = night_new(serial, day);

	for (int i = 0; i < metrics; i++) {
		g_autofree char *name = g_strdup_printf("m%d", i);
		struct ab_aa_test *test =
			ab_aa_night_add(night, "shade", name, 0.5);

		test->floor = 10 * (i + 1);
		test->floor_pct = i + 1;
	}
	return night;
}

static void set_p(struct ab_aa_night *night, int i, double p)
{
	((struct ab_aa_test *)night->tests->pdata[i])->p = p;
}

static void put(const struct ab_aa_night *night, char **path_out)
{
	GError *error = NULL;

	g_assert_true(ab_aa_record_put(dir, night, path_out, &error));
	g_assert_no_error(error);
}

static struct ab_aa_record *load(const char *serial)
{
	GError *error = NULL;
	struct ab_aa_record *record = ab_aa_record_load(dir, serial, &error);

	g_assert_no_error(error);
	return record;
}

static void remove_tree(const char *path)
{
	g_autoptr(GDir) d = g_dir_open(path, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *inner = g_build_filename(path, name, NULL);

		remove_tree(inner);
	}
	g_remove(path);
}

static void begin(void)
{
	dir = g_dir_make_tmp("abrig-aa-XXXXXX", NULL);
}

static void end(void)
{
	remove_tree(dir);
	g_clear_pointer(&dir, g_free);
}

/* ---- files ---- */

static void test_round_trip(void)
{
	ab_autoptr(ab_aa_night) night = quiet_night(SERIAL, 2, 3);
	ab_autoptr(ab_aa_record) record = NULL;
	g_autofree char *path = NULL;
	const struct ab_aa_night *back;
	const struct ab_aa_test *test;
	struct stat st;

	begin();
	set_p(night, 1, 1.25e-17);
	((struct ab_aa_test *)night->tests->pdata[2])->floor_pct = NAN;
	put(night, &path);
	g_assert_cmpint(g_stat(path, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
	record = load(SERIAL);
	g_assert_cmpuint(record->problems->len, ==, 0);
	g_assert_cmpuint(record->nights->len, ==, 1);
	back = record->nights->pdata[0];
	g_assert_cmpstr(back->serial, ==, SERIAL);
	g_assert_cmpstr(back->began, ==, night->began);
	g_assert_cmpint(back->runs, ==, 40);
	test = back->tests->pdata[1];
	g_assert_cmpstr(test->scenario, ==, "shade");
	g_assert_cmpfloat(test->p, ==, 1.25e-17);
	g_assert_cmpfloat(test->floor, ==, 20);
	test = back->tests->pdata[2];
	g_assert_true(isnan(test->floor_pct));
	end();
}

static void test_replace(void)
{
	ab_autoptr(ab_aa_night) one = quiet_night(SERIAL, 2, 3);
	ab_autoptr(ab_aa_night) other = quiet_night(SERIAL, 3, 3);
	ab_autoptr(ab_aa_record) record = NULL;
	const struct ab_aa_night *back;

	begin();
	put(other, NULL);
	put(one, NULL);
	set_p(one, 0, 0.01);
	put(one, NULL);
	record = load(SERIAL);
	g_assert_cmpuint(record->nights->len, ==, 2);
	back = record->nights->pdata[0];
	g_assert_cmpstr(back->began, ==, one->began);
	g_assert_cmpfloat(((struct ab_aa_test *)back->tests->pdata[0])->p, ==,
			  0.01);
	end();
}

/* Names that are paths, long, or look like others. */
static void test_serials(void)
{
	g_autofree char *longest = g_strnfill(128, ':');
	const char *const serials[] = { "..",	 "../../etc", "a/b",
					"a%2Fb", "usb:1-2",   longest };
	g_autoptr(GPtrArray) records = NULL;

	begin();
	for (size_t i = 0; i < G_N_ELEMENTS(serials); i++) {
		ab_autoptr(ab_aa_night) night = quiet_night(serials[i], 2, 1);
		ab_autoptr(ab_aa_record) record = NULL;
		g_autofree char *path = NULL;

		put(night, &path);
		g_assert_true(g_str_has_prefix(path, dir));
		g_assert_null(strstr(path, "/../"));
		record = load(serials[i]);
		g_assert_cmpuint(record->nights->len, ==, 1);
	}
	records = ab_aa_records(dir, NULL);
	g_assert_cmpuint(records->len, ==, G_N_ELEMENTS(serials));
	end();
}

static void test_damage(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "empty" },
		{ "{", "not valid" },
		{ "[1, 2]", "not an object" },
		{ "{}", "no 'version'" },
		{ "{\"version\": 2, \"more\": 1}", "newer abrig" },
		{ "{\"version\": 1}", "missing key" },
		{ "{\"version\": 1, \"serial\": \"s\", \"plan\": \"p\", "
		  "\"plan_sha256\": \"0\", \"tool\": \"t\", \"began\": \"now\","
		  " \"blocks\": 1, \"boots\": 1, \"runs\": 1, \"tests\": []}",
		  "'began'" },
		{ "{\"version\": 1, \"serial\": \"s\", \"plan\": \"p\", "
		  "\"plan_sha256\": \"0\", \"tool\": \"t\", \"began\": "
		  "\"2026-11-02T03:01:10Z\", \"blocks\": 1, \"boots\": 1, "
		  "\"runs\": 1, \"tests\": [{\"scenario\": \"s\", "
		  "\"metric\": \"m\", \"p\": 1.5}]}",
		  "'p' must be" },
		{ "{\"version\": 1, \"serial\": \"s\", \"plan\": \"p\", "
		  "\"plan_sha256\": \"0\", \"tool\": \"t\", \"began\": "
		  "\"2026-11-02T03:01:10Z\", \"blocks\": 1, \"boots\": 1, "
		  "\"runs\": 1, \"tests\": [3]}",
		  "expected keys" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(
			ab_aa_night_parse(cases[i].text, "night", &error));
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
		g_assert_nonnull(strstr(error->message, cases[i].message));
		g_assert_nonnull(strstr(error->message, "night"));
	}
}

/* What cannot be read is told, kept, and does not hide the rest. */
static void test_damaged_file(void)
{
	ab_autoptr(ab_aa_night) bad = quiet_night(SERIAL, 2, 3);
	ab_autoptr(ab_aa_night) good = quiet_night(SERIAL, 3, 3);
	ab_autoptr(ab_aa_night) foreign = quiet_night("other", 4, 3);
	ab_autoptr(ab_aa_record) record = NULL;
	ab_autoptr(ab_aa_summary) s = NULL;
	g_autofree char *path = NULL, *other = NULL, *at = NULL, *text = NULL;

	begin();
	put(bad, &path);
	put(good, NULL);
	put(foreign, &other);
	g_assert_true(
		g_file_set_contents(path, "{ \"version\": 1, ", -1, NULL));
	at = g_strconcat(path, "x.json", NULL);
	g_assert_cmpint(g_rename(other, at), ==, 0);
	record = load(SERIAL);
	g_assert_cmpuint(record->nights->len, ==, 1);
	g_assert_cmpuint(record->problems->len, ==, 2);
	g_assert_nonnull(strstr(record->problems->pdata[0], path));
	g_assert_nonnull(strstr(record->problems->pdata[1], "of device other"));
	s = ab_aa_judge(record);
	g_assert_cmpint(s->nights, ==, 1);
	g_assert_cmpuint(g_strv_length(s->problems), ==, 2);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, "{ \"version\": 1, ");
	end();
}

static void test_ceilings(void)
{
	ab_autoptr(ab_aa_night) most = quiet_night(SERIAL, 2, AB_AA_MAX_TESTS);
	ab_autoptr(ab_aa_record) record = NULL;
	g_autoptr(GError) error = NULL;

	begin();
	put(most, NULL);
	record = load(SERIAL);
	g_assert_cmpuint(record->problems->len, ==, 0);
	g_assert_cmpuint(record->nights->len, ==, 1);
	ab_aa_night_add(most, "shade", "one more", 1);
	g_assert_false(ab_aa_record_put(dir, most, NULL, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	end();
}

static void test_older(void)
{
	ab_autoptr(ab_aa_record) record = NULL;

	begin();
	for (int i = 0; i < AB_AA_MAX_NIGHTS + 5; i++) {
		ab_autoptr(ab_aa_night) night = quiet_night(SERIAL, 1, 1);

		g_free(night->began);
		night->began = g_strdup_printf("2026-11-02T%02d:%02d:00Z",
					       i / 60, i % 60);
		put(night, NULL);
	}
	record = load(SERIAL);
	g_assert_cmpuint(record->nights->len, ==, AB_AA_MAX_NIGHTS);
	g_assert_cmpuint(record->older, ==, 5);
	end();
}

static gpointer write_nights(gpointer data)
{
	int day = GPOINTER_TO_INT(data);

	for (int i = 0; i < 20; i++) {
		ab_autoptr(ab_aa_night) own = quiet_night(SERIAL, day, 30);
		ab_autoptr(ab_aa_night) common = quiet_night(SERIAL, 28, 30);

		put(own, NULL);
		put(common, NULL);
	}
	return NULL;
}

/* Readers see whole nights only, while several write the same ones. */
static void test_concurrent(void)
{
	GThread *threads[4];
	ab_autoptr(ab_aa_record) record = NULL;

	begin();
	for (int i = 0; i < 4; i++)
		threads[i] = g_thread_new("writer", write_nights,
					  GINT_TO_POINTER(i + 1));
	for (int i = 0; i < 20; i++) {
		ab_autoptr(ab_aa_record) now = load(SERIAL);

		g_assert_cmpuint(now->problems->len, ==, 0);
	}
	for (int i = 0; i < 4; i++)
		g_thread_join(threads[i]);
	record = load(SERIAL);
	g_assert_cmpuint(record->nights->len, ==, 5);
	g_assert_cmpuint(record->problems->len, ==, 0);
	end();
}

static void test_nothing(void)
{
	ab_autoptr(ab_aa_record) record = NULL;
	ab_autoptr(ab_aa_summary) s = NULL;
	g_autoptr(GString) page = g_string_new(NULL);
	g_autoptr(GPtrArray) records = NULL;

	begin();
	record = load("nobody");
	s = ab_aa_judge(record);
	g_assert_cmpint(s->nights, ==, 0);
	g_assert_false(s->failed);
	g_assert_true(isnan(s->rate));
	ab_aa_page(s, page);
	g_assert_nonnull(strstr(page->str, "no night on record"));
	records = ab_aa_records(dir, NULL);
	g_assert_cmpuint(records->len, ==, 0);
	end();
}

/* ---- verdicts ---- */

static struct ab_aa_summary *judge(struct ab_aa_night **nights, size_t n)
{
	ab_autoptr(ab_aa_record) record = ab_aa_record_new(SERIAL);

	for (size_t i = 0; i < n; i++)
		g_ptr_array_add(record->nights, nights[i]);
	return ab_aa_judge(record);
}

/* Chance alone: single alarms, none of which outlives the correction. */
static void test_passes(void)
{
	struct ab_aa_night *nights[3];
	ab_autoptr(ab_aa_summary) s = NULL;

	for (int i = 0; i < 3; i++) {
		nights[i] = quiet_night(SERIAL, i + 1, METRICS);
		set_p(nights[i], 3 * i, 0.04);
		set_p(nights[i], 3 * i + 1, 0.01);
	}
	s = judge(nights, 3);
	g_assert_false(s->failed);
	g_assert_cmpint(s->nights, ==, 3);
	g_assert_cmpint(s->nights_failed, ==, 0);
	g_assert_cmpint(s->tests, ==, 3 * METRICS);
	g_assert_cmpint(s->alarms, ==, 6);
	g_assert_cmpfloat_with_epsilon(s->rate, 0.05, 1e-12);
	/* binom.test(6, 120) in R */
	g_assert_cmpfloat_with_epsilon(s->rate_lo, 0.01856, 1e-4);
	g_assert_cmpfloat_with_epsilon(s->rate_hi, 0.10565, 1e-4);
	g_assert_cmpstr(s->last, ==, "2026-11-03T03:01:10Z");
}

/* One metric that is truly different outlives it, in the last night only. */
static void test_different(void)
{
	struct ab_aa_night *nights[2];
	ab_autoptr(ab_aa_summary) s = NULL;
	const struct ab_aa_metric *m;

	nights[0] = quiet_night(SERIAL, 1, METRICS);
	nights[1] = quiet_night(SERIAL, 2, METRICS);
	set_p(nights[1], 7, 0.05 / METRICS / 2);
	s = judge(nights, 2);
	g_assert_true(s->failed);
	g_assert_cmpint(s->nights_failed, ==, 1);
	m = ab_aa_find(s, "shade", "m7");
	g_assert_true(m->different);
	g_assert_false(m->too_often);
	g_assert_cmpfloat_with_epsilon(m->last_adjusted, 0.025, 1e-12);

	ab_aa_summary_free(s);
	nights[0] = quiet_night(SERIAL, 1, METRICS);
	nights[1] = quiet_night(SERIAL, 2, METRICS);
	set_p(nights[0], 7, 0.05 / METRICS / 2);
	s = judge(nights, 2);
	g_assert_false(s->failed);
	g_assert_cmpint(s->nights_failed, ==, 1);
}

/* An alarm in most nights, none of which is much by itself. */
static void test_too_often(void)
{
	struct ab_aa_night *nights[6];
	ab_autoptr(ab_aa_summary) s = NULL;
	const struct ab_aa_metric *m;

	for (int i = 0; i < 6; i++) {
		nights[i] = quiet_night(SERIAL, i + 1, METRICS);
		if (i < 4)
			set_p(nights[i], 5, 0.03);
	}
	s = judge(nights, 6);
	m = ab_aa_find(s, "shade", "m5");
	g_assert_true(s->failed);
	g_assert_true(m->too_often);
	g_assert_false(m->different);
	g_assert_cmpint(m->alarms, ==, 4);
	/* 1 - pbinom(3, 6, 0.05) in R */
	g_assert_cmpfloat_with_epsilon(m->chance, 8.64e-5, 1e-6);
	g_assert_cmpfloat_with_epsilon(m->chance_adjusted, METRICS * m->chance,
				       1e-12);
}

/* Nights of another size have another floor. */
static void test_floor(void)
{
	struct ab_aa_night *nights[4];
	ab_autoptr(ab_aa_summary) s = NULL;
	const struct ab_aa_metric *m;

	for (int i = 0; i < 4; i++) {
		nights[i] = quiet_night(SERIAL, i + 1, 1);
		((struct ab_aa_test *)nights[i]->tests->pdata[0])->floor_pct =
			i;
	}
	g_free(nights[0]->plan_sha256);
	nights[0]->plan_sha256 = g_strdup("smaller");
	s = judge(nights, 4);
	m = ab_aa_find(s, "shade", "m0");
	g_assert_cmpfloat(m->floor_pct, ==, 2);
	g_assert_cmpint(m->floor_nights, ==, 3);
	g_assert_null(ab_aa_find(s, "shade", "m1"));
	g_assert_null(ab_aa_find(s, "other", "m0"));
}

static void test_shares(void)
{
	struct ab_bounds b = ab_stats_share_interval(0, 20, 0.95);

	/* binom.test() in R */
	g_assert_cmpfloat(b.lo, ==, 0);
	g_assert_cmpfloat_with_epsilon(b.hi, 0.1684335, 1e-7);
	b = ab_stats_share_interval(20, 20, 0.95);
	g_assert_cmpfloat_with_epsilon(b.lo, 0.8315665, 1e-7);
	g_assert_cmpfloat(b.hi, ==, 1);
	g_assert_true(isnan(ab_stats_share_interval(0, 0, 0.95).lo));
	g_assert_cmpfloat(ab_stats_binomial_tail(0, 5, 0.05), ==, 1);
	g_assert_cmpfloat_with_epsilon(ab_stats_binomial_tail(2, 2, 0.05),
				       0.0025, 1e-15);
	g_assert_true(isnan(ab_stats_binomial_tail(3, 2, 0.05)));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/aa/round-trip", test_round_trip);
	g_test_add_func("/aa/replace", test_replace);
	g_test_add_func("/aa/serials", test_serials);
	g_test_add_func("/aa/damage", test_damage);
	g_test_add_func("/aa/damaged-file", test_damaged_file);
	g_test_add_func("/aa/ceilings", test_ceilings);
	g_test_add_func("/aa/older", test_older);
	g_test_add_func("/aa/concurrent", test_concurrent);
	g_test_add_func("/aa/nothing", test_nothing);
	g_test_add_func("/aa/passes", test_passes);
	g_test_add_func("/aa/different", test_different);
	g_test_add_func("/aa/too-often", test_too_often);
	g_test_add_func("/aa/floor", test_floor);
	g_test_add_func("/aa/shares", test_shares);
	return g_test_run();
}
