// SPDX-License-Identifier: GPL-3.0-or-later
/* Jankbench's own result database, pulled with its write-ahead log. */
#include "recorders.h"

#include <abrig/error.h>
#include <abrig/jankbench.h>
#include <abrig/keys.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#define DB_FILE "jankbench.db"
#define REMOTE_DB \
	"/data/data/" AB_JANKBENCH_PACKAGE "/databases/BenchmarkResults"
#define MAX_FRAMES (1 << 22)
#define DB_BUSY_MS 1000

struct options {
	char **tests;
	gint64 iterations;
};

static const struct ab_key keys[] = {
	{ .name = "tests",
	  .type = AB_KEY_STRINGS,
	  .offset = offsetof(struct options, tests),
	  .required = true,
	  .help = "The tests that the scenario runs; each must have left "
		  "frames." },
	{ .name = "iterations",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct options, iterations),
	  .required = true,
	  .min = 1,
	  .max = 1000,
	  .help = "Iterations of each test, as the scenario runs them." },
	AB_KEYS_END,
};

static bool probe(struct ab_phone *phone, const void *options,
		  const struct ab_wait *w, GError **error)
{
	g_autofree char *text =
		ab_phone_text(phone, w, error,
			      "pm path " AB_JANKBENCH_PACKAGE
			      "; [ -r /data/data ] && echo readable; true");

	(void)options;
	if (!text)
		return false;
	if (!g_str_has_prefix(text, "package:")) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: Jankbench is not installed; "
			    "adb -s %s install jankbench.apk",
			    phone->serial, phone->serial);
		return false;
	}
	if (strstr(text, "\nreadable"))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s: Jankbench's database cannot be read without root; "
		    "its frames are not recorded",
		    phone->serial);
	return false;
}

/* The app writes by itself; the scenario starts it. */
static bool start(struct ab_recording *rec, const struct ab_wait *w,
		  GError **error)
{
	(void)rec;
	return ab_wait_check(w, "starting Jankbench's recorder", error);
}

static bool stop(struct ab_recording *rec, const struct ab_wait *w,
		 GError **error)
{
	static const char *const suffixes[] = { "-wal", "-shm" };
	g_autofree char *local = g_build_filename(rec->dir, DB_FILE, NULL);
	g_autofree char *there = NULL;
	size_t i;

	/* Stopped, the app cannot write while its three files are copied. */
	there = ab_phone_text(rec->phone, w, error,
			      "am force-stop " AB_JANKBENCH_PACKAGE
			      " >/dev/null; ls " REMOTE_DB "*");
	if (!there || !ab_adb_pull(rec->phone->adb, w, rec->phone->serial,
				   REMOTE_DB, local, NULL, error))
		return false;
	for (i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *from =
			g_strconcat(REMOTE_DB, suffixes[i], NULL);
		g_autofree char *to = g_strconcat(local, suffixes[i], NULL);

		if (strstr(there, from) &&
		    !ab_adb_pull(rec->phone->adb, w, rec->phone->serial, from,
				 to, NULL, error))
			return false;
	}
	return true;
}

static void discard(struct ab_recording *rec, const struct ab_wait *w)
{
	ab_phone_do(rec->phone, w, NULL, "am force-stop " AB_JANKBENCH_PACKAGE);
}

static void remove_copy(const char *tmp)
{
	static const char *const names[] = { DB_FILE, DB_FILE "-wal",
					     DB_FILE "-shm",
					     DB_FILE "-journal" };
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(tmp, names[i], NULL);

		g_unlink(path);
	}
	g_rmdir(tmp);
}

/*
 * A private copy: SQLite joins the write-ahead log into the file that it
 * opens, and the artefact must stay as it was pulled.
 */
static char *copy_artefacts(const char *dir, GError **error)
{
	static const char *const names[] = { DB_FILE, DB_FILE "-wal" };
	g_autofree char *tmp = g_dir_make_tmp("abrig-jankbench-XXXXXX", error);
	size_t i;

	for (i = 0; tmp && i < G_N_ELEMENTS(names); i++) {
		g_autofree char *from = g_build_filename(dir, names[i], NULL);
		g_autofree char *to = g_build_filename(tmp, names[i], NULL);
		g_autofree char *bytes = NULL;
		gsize len;

		if (i && !g_file_test(from, G_FILE_TEST_EXISTS))
			continue;
		if (!g_file_get_contents(from, &bytes, &len, error) ||
		    !g_file_set_contents_full(to, bytes, (gssize)len,
					      G_FILE_SET_CONTENTS_NONE, 0600,
					      error)) {
			remove_copy(tmp);
			return NULL;
		}
	}
	return g_steal_pointer(&tmp);
}

/* A hostile database must not run code of its own or write anywhere. */
static sqlite3 *open_hostile(const char *path)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) !=
	    SQLITE_OK) {
		sqlite3_close(db);
		return NULL;
	}
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
	sqlite3_busy_timeout(db, DB_BUSY_MS);
	return db;
}

/* Frames seen per expected (test, iteration). */
struct groups {
	const struct options *options;
	guint *frames;
	guint n;
	guint other; /* rows that nobody asked for */
	guint odd;   /* rows whose values make no sense */
};

static void count_group(struct groups *g, const char *name, gint64 iteration)
{
	guint i;

	for (i = 0; name && g->options->tests[i]; i++) {
		int test = ab_jankbench_find(g->options->tests[i]);

		if (test >= 0 && iteration >= 0 &&
		    iteration < g->options->iterations &&
		    !g_strcmp0(ab_jankbench_tests[test].name, name)) {
			g->frames[i * (guint)g->options->iterations +
				  (guint)iteration]++;
			return;
		}
	}
	g->other++;
}

static bool read_frames(sqlite3 *db, struct groups *g, struct ab_run_data *data)
{
	/* Rows accumulate over runs: only the newest run's count. */
	static const char sql[] =
		"SELECT name, iteration, total_duration, jank_frame"
		" FROM ui_results WHERE run_id ="
		" (SELECT run_id FROM ui_results ORDER BY _id DESC LIMIT 1)"
		" ORDER BY _id";
	GArray *frames = ab_run_data_samples(data, "jankbench.frame");
	sqlite3_stmt *stmt = NULL;
	double janks = 0;
	int rc;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return false;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW &&
	       frames->len < MAX_FRAMES) {
		double ms = sqlite3_column_double(stmt, 2);

		if (sqlite3_column_type(stmt, 2) != SQLITE_FLOAT || !(ms > 0) ||
		    ms > 1e6) {
			g->odd++;
			continue;
		}
		g_array_append_val(frames, ms);
		janks += sqlite3_column_int(stmt, 3) != 0;
		count_group(g, (const char *)sqlite3_column_text(stmt, 0),
			    sqlite3_column_int64(stmt, 1));
	}
	sqlite3_finalize(stmt);
	ab_run_data_set(data, "jankbench.frames", frames->len);
	ab_run_data_set(data, "jankbench.jank_frames", janks);
	ab_run_data_set(data, "jankbench.odd_rows", g->odd);
	return rc == SQLITE_DONE;
}

/* "List View Fling iteration 2", for each expected group without frames. */
static char *missing_groups(const struct groups *g)
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < g->n; i++) {
		guint test = i / (guint)g->options->iterations;

		if (!g->frames[i])
			g_string_append_printf(
				s, "%s%s iteration %u", s->len ? ", " : "",
				g->options->tests[test],
				i % (guint)g->options->iterations);
	}
	return g_string_free(s, s->len == 0);
}

static void check_groups(const struct groups *g, const char **gate_out,
			 char **reason_out)
{
	g_autofree char *missing = missing_groups(g);

	if (missing)
		recorder_reject(gate_out, reason_out, "jankbench-complete",
				"Jankbench's database has no frames of: %s",
				missing);
	if (g->other)
		recorder_reject(gate_out, reason_out, "jankbench-complete",
				"Jankbench's database has %u frames of tests "
				"that this run did not ask for",
				g->other);
}

static bool analyze(const char *dir, const struct ab_scenario *scenario,
		    const void *options, struct ab_run_data *data,
		    const char **gate_out, char **reason_out, GError **error)
{
	const struct options *o = options;
	struct groups g = { .options = o };
	g_autofree char *tmp = NULL;
	g_autofree char *path = NULL;
	g_autoptr(GError) why = NULL;
	sqlite3 *db;

	(void)scenario;
	tmp = copy_artefacts(dir, &why);
	if (!tmp) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "cannot copy Jankbench's database: %s; check the "
			    "run's artefacts and free space in %s",
			    why->message, g_get_tmp_dir());
		return false;
	}
	path = g_build_filename(tmp, DB_FILE, NULL);
	g.n = g_strv_length(o->tests) * (guint)o->iterations;
	g.frames = g_new0(guint, g.n + 1);
	db = open_hostile(path);
	if (!db || !read_frames(db, &g, data))
		recorder_reject(gate_out, reason_out, "jankbench-complete",
				"Jankbench's database cannot be read: %s",
				db ? sqlite3_errmsg(db) : "not a database");
	else
		check_groups(&g, gate_out, reason_out);
	sqlite3_close(db);
	remove_copy(tmp);
	g_free(g.frames);
	return true;
}

const struct ab_recorder_ops recorder_jankbench = {
	.name = "jankbench",
	.help = "Jankbench's own frame times, from its result database (root).",
	.keys = keys,
	.options_size = sizeof(struct options),
	.probe = probe,
	.start = start,
	.stop = stop,
	.discard = discard,
	.analyze = analyze,
};
