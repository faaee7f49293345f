// SPDX-License-Identifier: GPL-3.0-or-later
/* Jankbench's database, as Android 9 and later write it: WAL, closed late. */
#include "android.h"
#include "jankbench.h"

#include <glib/gstdio.h>

static const char schema[] =
	"CREATE TABLE android_metadata (locale TEXT);"
	"INSERT INTO android_metadata VALUES ('en_US');"
	"CREATE TABLE ui_results ( _id INTEGER PRIMARY KEY AUTOINCREMENT,"
	" name TEXT, run_id INTEGER, iteration INTEGER, timestamp TEXT,"
	" unknown_delay REAL, input REAL, animation REAL, layout REAL,"
	" draw REAL, sync REAL, command_issue REAL, swap_buffers REAL,"
	" total_duration REAL, jank_frame BOOLEAN,  device_charging INTEGER);"
	"PRAGMA user_version = 2;";

static const char insert[] =
	"INSERT INTO ui_results (name, run_id, iteration, timestamp,"
	" unknown_delay, input, animation, layout, draw, sync, command_issue,"
	" swap_buffers, total_duration, jank_frame)"
	" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	" ?14)";

static const char *const test_names[VP_BENCH_TESTS] = {
	"List View Fling",	   "Image List View Fling",
	"Shadow Grid Fling",	   "High-hitrate text render",
	"Low-hitrate text render", "Edit Text Input",
	"Overdraw Test",
};

/* Shares of a frame: delay, input, animation, ..., swap; the rest waits. */
static const double shares[] = {
	0.06, 0.02, 0.08, 0.09, 0.19, 0.10, 0.27, 0.12
};

const char *vp_bench_test_name(int test)
{
	return test_names[test];
}

static char *data_path(const struct vphone *vp, const char *name)
{
	return g_build_filename(vp->root, VP_BENCHMARK_DATA, "databases", name,
				NULL);
}

void vp_bench_clear_data(const struct vphone *vp)
{
	static const char *const names[] = { "BenchmarkResults",
					     "BenchmarkResults-wal",
					     "BenchmarkResults-shm",
					     "BenchmarkResults-journal" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = data_path(vp, names[i]);

		g_unlink(path);
	}
}

static bool has_schema(sqlite3 *db)
{
	sqlite3_stmt *q = NULL;
	bool found;

	if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &q, NULL))
		return false;
	found = sqlite3_step(q) == SQLITE_ROW && sqlite3_column_int(q, 0) == 2;
	sqlite3_finalize(q);
	return found;
}

/* An app's data is nobody else's: without root it cannot be pulled. */
static void make_private_dir(const struct vphone *vp)
{
	g_autofree char *app =
		g_build_filename(vp->root, VP_BENCHMARK_DATA, NULL);
	g_autofree char *databases = data_path(vp, "");

	g_mkdir_with_parents(databases, 0771);
	g_chmod(app, 0700);
}

sqlite3 *vp_bench_db_open(const struct vphone *vp)
{
	g_autofree char *path = data_path(vp, "BenchmarkResults");
	sqlite3 *db = NULL;

	make_private_dir(vp);
	if (sqlite3_open(path, &db) == SQLITE_OK &&
	    sqlite3_exec(db,
			 "PRAGMA journal_mode = WAL;"
			 "PRAGMA synchronous = NORMAL;"
			 "PRAGMA wal_autocheckpoint = 100",
			 NULL, NULL, NULL) == SQLITE_OK &&
	    (has_schema(db) ||
	     sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK))
		return db;
	g_printerr("vphone: %s: %s\n", path, sqlite3_errmsg(db));
	sqlite3_close(db);
	return NULL;
}

/* DateFormat in en_US puts a narrow no-break space before AM and PM. */
static char *timestamp(gint64 realtime_ns)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(realtime_ns / VP_NSEC);
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr",
					      "May", "Jun", "Jul", "Aug",
					      "Sep", "Oct", "Nov", "Dec" };
	int hour = g_date_time_get_hour(t);

	return g_strdup_printf("%s %d, %d %d:%02d:%02d\u202f%s",
			       months[g_date_time_get_month(t) - 1],
			       g_date_time_get_day_of_month(t),
			       g_date_time_get_year(t), (hour + 11) % 12 + 1,
			       g_date_time_get_minute(t),
			       g_date_time_get_second(t),
			       hour < 12 ? "AM" : "PM");
}

static void bind_parts(sqlite3_stmt *q, double total_ms, GRand *rand)
{
	for (size_t i = 0; i < G_N_ELEMENTS(shares); i++)
		sqlite3_bind_double(q, (int)i + 5,
				    total_ms * shares[i] *
					    g_rand_double_range(rand, 0.8,
								1.2));
}

static bool insert_rows(sqlite3_stmt *q, const struct vp_bench_result *result,
			GRand *rand)
{
	for (size_t i = 0; i < result->n; i++) {
		bind_parts(q, result->total_ms[i], rand);
		sqlite3_bind_double(q, 13, result->total_ms[i]);
		sqlite3_bind_int(q, 14, result->jank[i]);
		if (sqlite3_step(q) != SQLITE_DONE)
			return false;
		sqlite3_reset(q);
	}
	return true;
}

bool vp_bench_db_store(sqlite3 *db, const struct vp_bench_result *result,
		       gint32 run_id, gint64 realtime_ns)
{
	g_autofree char *when = timestamp(realtime_ns);
	GRand *rand = g_rand_new_with_seed(
		(guint32)(run_id + result->test * 100 + result->iteration));
	sqlite3_stmt *q = NULL;
	bool ok = sqlite3_prepare_v2(db, insert, -1, &q, NULL) == SQLITE_OK &&
		  sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;

	if (ok) {
		sqlite3_bind_text(q, 1, test_names[result->test], -1,
				  SQLITE_STATIC);
		sqlite3_bind_int(q, 2, run_id);
		sqlite3_bind_int(q, 3, result->iteration);
		sqlite3_bind_text(q, 4, when, -1, SQLITE_STATIC);
		ok = insert_rows(q, result, rand);
		sqlite3_exec(db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
	}
	sqlite3_finalize(q);
	g_rand_free(rand);
	return ok;
}
