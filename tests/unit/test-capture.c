// SPDX-License-Identifier: GPL-3.0-or-later
#include "../../harness/capture/odpm_parse.h"
#include "shared.h"

#include <abrig/capture.h>
#include <abrig/error.h>
#include <abrig/jankbench.h>
#include <abrig/keys.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

/* ---- ODPM ---- */

static const struct odpm_rail *rail_named(const struct odpm_log *log,
					  const char *name)
{
	guint i;

	for (i = 0; i < log->rails->len; i++) {
		const struct odpm_rail *r = log->rails->pdata[i];

		if (!strcmp(r->name, name))
			return r;
	}
	return NULL;
}

/* The worked example of two real snapshots: 256239 uWs in 1606 ms. */
static void test_odpm_mean(void)
{
	struct odpm_log *log =
		odpm_parse("device s2mpg10-odpm\r\n"
			   "t=157479755\r\n"
			   "CH3(T=157479755)[S4M_VDD_CPUCL0], 2701822821\r\n"
			   "device s2mpg10-odpm\n"
			   "t=157479755\n"
			   "CH3(T=157479755)[S4M_VDD_CPUCL0], 2701822821\n"
			   "device s2mpg10-odpm\n"
			   "t=157481361\n"
			   "CH3(T=157481361)[S4M_VDD_CPUCL0], 2702079060\n");
	const struct odpm_rail *rail = rail_named(log, "S4M_VDD_CPUCL0");
	g_autofree char *why = NULL;
	double mw;

	g_assert_nonnull(rail);
	g_assert_cmpuint(rail->points->len, ==, 2);
	g_assert_cmpuint(rail->stale, ==, 1);
	g_assert_cmpstr(rail->subsys, ==, "CPU(LITTLE)");
	g_assert_true(odpm_mean_mw(rail, 157479755, 157481361, &mw, &why));
	g_assert_cmpfloat_with_epsilon(mw, 256239.0 / 1606, 1e-9);
	odpm_log_free(log);
}

/* Ends between snapshots: energy is interpolated, not the power. */
static void test_odpm_interpolates(void)
{
	struct odpm_log *log = odpm_parse("device c\nt=0\nCH0(T=0)[R], 0\n"
					  "device c\nt=1000\nCH0(T=1000)[R], "
					  "1000\ndevice c\nt=2000\n"
					  "CH0(T=2000)[R], 5000\n");
	g_autofree char *why = NULL;
	double mw;

	g_assert_true(odpm_mean_mw(log->rails->pdata[0], 500, 1500, &mw, &why));
	/* 3000 uWs at 1.5 s less 500 at 0.5 s, over 1 s */
	g_assert_cmpfloat_with_epsilon(mw, 2.5, 1e-9);
	odpm_log_free(log);
}

static void test_odpm_trouble(void)
{
	struct odpm_log *log =
		odpm_parse("device c\ndevice c\nt=5000\nCH10(T=5000)[R], 900\n"
			   "device c\nt=6000\nCH10(T=1000)[R], 100\nnonsense\n"
			   "CH1(T=9)[S], -5\nCH1(T=9)[S, 5\n");
	const struct odpm_rail *rail = rail_named(log, "R");
	g_autofree char *why = NULL;
	double mw;

	g_assert_cmpuint(log->empty_reads, ==, 1);
	g_assert_cmpuint(log->bad_lines, ==, 3);
	g_assert_cmpuint(rail->resets, ==, 1);
	g_assert_cmpuint(rail->points->len, ==, 1);
	g_assert_false(odpm_mean_mw(rail, 0, 6000, &mw, &why));
	g_assert_nonnull(strstr(why, "snapshot"));
	odpm_log_free(log);
}

static void test_odpm_real(void)
{
	g_autofree char *path =
		shared_path("data/odpm/pixel6-iio-device0-energy_value.txt");
	g_autofree char *text = NULL;
	g_autofree char *both = NULL;
	struct odpm_log *log;

	if (!path)
		return;
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	both = g_strconcat("device s2mpg10-odpm\n", text, NULL);
	log = odpm_parse(both);
	g_assert_cmpuint(log->bad_lines, ==, 0);
	g_assert_cmpuint(log->rails->len, ==, 8);
	odpm_log_free(log);
}

/* ---- Jankbench ---- */

struct bench {
	char *dir;
	struct ab_recorder_use *use;
};

static void bench_setup(struct bench *b, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_node) node = ab_yaml_parse(
		"{ tests: [list_view], iterations: 2 }", -1, "test", &error);

	(void)data;
	g_assert_no_error(error);
	b->dir = g_dir_make_tmp("abrig-capture-XXXXXX", NULL);
	b->use = g_new0(struct ab_recorder_use, 1);
	b->use->ops = ab_recorder_find("jankbench");
	b->use->options = g_malloc0(b->use->ops->options_size);
	g_assert_true(ab_keys_parse(b->use->ops->keys, node, b->use->options,
				    &error));
}

static void bench_teardown(struct bench *b, gconstpointer data)
{
	g_autofree char *path = g_build_filename(b->dir, "jankbench.db", NULL);

	(void)data;
	g_unlink(path);
	g_assert_cmpint(g_rmdir(b->dir), ==, 0);
	g_free(b->dir);
	ab_recorder_use_free(b->use);
}

static void write_db(const struct bench *b, const char *sql)
{
	g_autofree char *path = g_build_filename(b->dir, "jankbench.db", NULL);
	sqlite3 *db;

	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db,
				     "CREATE TABLE ui_results (_id INTEGER "
				     "PRIMARY KEY AUTOINCREMENT, name TEXT, "
				     "run_id INTEGER, iteration INTEGER, "
				     "total_duration REAL, jank_frame BOOLEAN)",
				     NULL, NULL, NULL),
			==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
}

static struct ab_run_data *analyze(const struct bench *b, const char **gate,
				   char **reason)
{
	struct ab_run_data *data = ab_run_data_new();
	g_autoptr(GError) error = NULL;

	*gate = NULL;
	*reason = NULL;
	g_assert_true(b->use->ops->analyze(b->dir, NULL, b->use->options, data,
					   gate, reason, &error));
	g_assert_no_error(error);
	return data;
}

#define INSERT                                              \
	"INSERT INTO ui_results (name, run_id, iteration, " \
	"total_duration, jank_frame) VALUES "

static void test_bench_newest_run(struct bench *b, gconstpointer data)
{
	const char *gate;
	g_autofree char *reason = NULL;
	ab_autoptr(ab_run_data) d = NULL;
	double value;

	(void)data;
	write_db(b, INSERT "('List View Fling', 7, 0, 99.0, 1),"
			   "('List View Fling', -5, 0, 10.0, 0),"
			   "('List View Fling', -5, 1, 20.0, 1)");
	d = analyze(b, &gate, &reason);
	g_assert_cmpstr(gate, ==, NULL);
	g_assert_cmpuint(ab_run_data_find(d, "jankbench.frame")->len, ==, 2);
	g_assert_true(ab_run_data_get(d, "jankbench.jank_frames", &value));
	g_assert_cmpfloat(value, ==, 1);
}

static void test_bench_missing(struct bench *b, gconstpointer data)
{
	const char *gate;
	g_autofree char *reason = NULL;

	(void)data;
	write_db(b, INSERT "('List View Fling', 1, 0, 10.0, 0)");
	ab_run_data_free(analyze(b, &gate, &reason));
	g_assert_cmpstr(gate, ==, "jankbench-complete");
	g_assert_nonnull(strstr(reason, "list_view iteration 1"));
}

static void test_bench_other(struct bench *b, gconstpointer data)
{
	const char *gate;
	g_autofree char *reason = NULL;

	(void)data;
	write_db(b, INSERT "('List View Fling', 1, 0, 10.0, 0),"
			   "('List View Fling', 1, 1, 10.0, 0),"
			   "('Overdraw Test', 1, 0, 10.0, 0)");
	ab_run_data_free(analyze(b, &gate, &reason));
	g_assert_cmpstr(gate, ==, "jankbench-complete");
	g_assert_nonnull(strstr(reason, "did not ask for"));
}

static void test_bench_no_table(struct bench *b, gconstpointer data)
{
	g_autofree char *path = g_build_filename(b->dir, "jankbench.db", NULL);
	const char *gate;
	g_autofree char *reason = NULL;

	(void)data;
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	ab_run_data_free(analyze(b, &gate, &reason));
	g_assert_cmpstr(gate, ==, "jankbench-complete");
	g_assert_nonnull(strstr(reason, "no such table"));
}

static void test_bench_tests(void)
{
	g_assert_cmpint(ab_jankbench_find("high_hitrate_text"), ==, 3);
	g_assert_cmpint(ab_jankbench_find("low_hitrate_text"), ==, 4);
	g_assert_cmpint(ab_jankbench_find("List View Fling"), ==, 0);
	g_assert_cmpint(ab_jankbench_find("6"), ==, 6);
	g_assert_cmpint(ab_jankbench_find("7"), ==, -1);
	g_assert_cmpint(ab_jankbench_find("no such"), ==, -1);
}

#define BENCH(name, fn)                                            \
	g_test_add("/capture/jankbench/" name, struct bench, NULL, \
		   bench_setup, fn, bench_teardown)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/odpm/mean", test_odpm_mean);
	g_test_add_func("/capture/odpm/interpolates", test_odpm_interpolates);
	g_test_add_func("/capture/odpm/trouble", test_odpm_trouble);
	g_test_add_func("/capture/odpm/real", test_odpm_real);
	BENCH("newest-run", test_bench_newest_run);
	BENCH("missing", test_bench_missing);
	BENCH("other", test_bench_other);
	BENCH("no-table", test_bench_no_table);
	g_test_add_func("/capture/jankbench/tests", test_bench_tests);
	return g_test_run();
}
