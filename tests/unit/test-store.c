// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/phone.h>
#include <abrig/store.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

struct fixture {
	char *dir, *path;
	struct ab_store *store;
};

static void setup(struct fixture *f, gconstpointer data)
{
	GError *error = NULL;

	(void)data;
	f->dir = g_dir_make_tmp("abrig-store-XXXXXX", &error);
	g_assert_no_error(error);
	f->path = g_build_filename(f->dir, "campaign.db", NULL);
	f->store = ab_store_create(f->path, &error);
	g_assert_no_error(error);
}

static void teardown(struct fixture *f, gconstpointer data)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };
	size_t i;

	(void)data;
	ab_store_close(f->store);
	for (i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *path = g_strconcat(f->path, suffixes[i], NULL);

		g_unlink(path);
	}
	g_rmdir(f->dir);
	g_free(f->dir);
	g_free(f->path);
}

static void reopen(struct fixture *f)
{
	GError *error = NULL;

	ab_store_close(f->store);
	f->store = ab_store_open(f->path, &error);
	g_assert_no_error(error);
}

static gint64 add_device(struct fixture *f)
{
	struct ab_device_row d = { .serial = (char *)"S1",
				   .fastboot = (char *)"S1",
				   .platform = (char *)"A" };
	GError *error = NULL;

	ab_store_add_device(f->store, &d, &error);
	g_assert_no_error(error);
	return d.id;
}

static gint64 add_run(struct fixture *f, gint64 device)
{
	struct ab_session_row s = { .device = device, .variant = 1 };
	struct ab_run_row r = { .skin_c = NAN, .battery = -1, .slot = 3 };
	GError *error = NULL;

	ab_store_add_session(f->store, &s, &error);
	g_assert_no_error(error);
	r.session = s.id;
	ab_store_add_run(f->store, &r, &error);
	g_assert_no_error(error);
	return r.id;
}

static void test_private(struct fixture *f, gconstpointer data)
{
	struct stat st;

	(void)data;
	g_assert_cmpint(g_stat(f->path, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
}

static void test_rows(struct fixture *f, gconstpointer data)
{
	gint64 device = add_device(f);
	GError *error = NULL;
	g_autoptr(GPtrArray) rows = NULL;
	struct ab_run_row *run;

	(void)data;
	add_run(f, device);
	rows = ab_store_runs(f->store, 0, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(rows->len, ==, 1);
	run = rows->pdata[0];
	g_assert_cmpint(run->slot, ==, 3);
	g_assert_true(isnan(run->skin_c));
	g_assert_null(run->gate);
	run->state = AB_RUN_REJECTED;
	run->gate = g_strdup("trace-loss");
	run->skin_c = 31.5;
	g_assert_true(ab_store_update_run(f->store, run, &error));
	g_ptr_array_unref(rows);
	reopen(f);
	rows = ab_store_runs(f->store, 0, &error);
	run = rows->pdata[0];
	g_assert_cmpint(run->state, ==, AB_RUN_REJECTED);
	g_assert_cmpstr(run->gate, ==, "trace-loss");
	g_assert_cmpfloat(run->skin_c, ==, 31.5);
}

static void test_data(struct fixture *f, gconstpointer data)
{
	gint64 run = add_run(f, add_device(f));
	ab_autoptr(ab_run_data) in = ab_run_data_new();
	ab_autoptr(ab_run_data) out = NULL;
	const double values[] = { 3, 1, 2 };
	GError *error = NULL;
	const GArray *samples;
	double value;

	(void)data;
	ab_run_data_set(in, "frames.total", 120);
	g_array_append_vals(ab_run_data_samples(in, "wait"), values, 3);
	ab_run_data_samples(in, "empty");
	ab_run_data_withhold(in, "power.cpu", "no rails");
	g_assert_true(ab_store_put_data(f->store, run, in, &error));
	/* Twice: the second replaces the first. */
	g_assert_true(ab_store_put_data(f->store, run, in, &error));
	out = ab_store_data(f->store, run, &error);
	g_assert_no_error(error);
	g_assert_true(ab_run_data_get(out, "frames.total", &value));
	g_assert_cmpfloat(value, ==, 120);
	samples = ab_run_data_find(out, "wait");
	g_assert_cmpuint(samples->len, ==, 3);
	g_assert_cmpfloat(g_array_index(samples, double, 0), ==, 1);
	g_assert_cmpfloat(g_array_index(samples, double, 2), ==, 3);
	g_assert_cmpuint(ab_run_data_find(out, "empty")->len, ==, 0);
	g_assert_null(ab_run_data_find(out, "absent"));
	g_assert_cmpuint(out->withheld->len, ==, 1);
}

/* A digest is of the data that are stored: with others it is forgotten. */
static void test_digest(struct fixture *f, gconstpointer data)
{
	gint64 run = add_run(f, add_device(f));
	ab_autoptr(ab_run_data) none = ab_run_data_new();
	g_autofree char *digest = NULL;

	(void)data;
	g_assert_true(ab_store_set_digest(f->store, run, "a", NULL));
	g_assert_true(ab_store_set_digest(f->store, run, "b", NULL));
	digest = ab_store_digest(f->store, run, NULL);
	g_assert_cmpstr(digest, ==, "b");
	g_assert_true(ab_store_put_data(f->store, run, none, NULL));
	g_assert_null(ab_store_digest(f->store, run, NULL));
}

static bool collect(const char *kind, const char *key, const char *old,
		    void *user, GError **error)
{
	(void)error;
	g_string_append_printf(user, "%s/%s=%s ", kind, key, old ? old : "-");
	return true;
}

static void test_journal(struct fixture *f, gconstpointer data)
{
	struct ab_store_journal j = { f->store, add_device(f) };
	const struct ab_journal_ops *ops = &ab_store_journal_ops;
	g_autoptr(GString) seen = g_string_new(NULL);
	GError *error = NULL;
	int count;

	(void)data;
	g_assert_true(ops->record(&j, "global", "zen", "0", &error));
	g_assert_true(ops->record(&j, "system", "rate", NULL, &error));
	/* What is remembered stays: the second value would be our own. */
	g_assert_true(ops->record(&j, "global", "zen", "2", &error));
	reopen(f);
	j.store = f->store;
	g_assert_true(ops->each(&j, collect, seen, &error));
	g_assert_cmpstr(seen->str, ==, "system/rate=- global/zen=0 ");
	g_assert_true(ops->forget(&j, "system", "rate", &error));
	g_assert_true(
		ab_store_journal_count(f->store, j.device, &count, &error));
	g_assert_cmpint(count, ==, 1);
}

static void test_facts_and_notes(struct fixture *f, gconstpointer data)
{
	GError *error = NULL;
	g_autofree char *value = NULL;
	g_auto(GStrv) notes = NULL;

	(void)data;
	g_assert_null(ab_store_fact(f->store, "seed", &error));
	g_assert_no_error(error);
	g_assert_true(ab_store_set_fact(f->store, "seed", "42", &error));
	value = ab_store_fact(f->store, "seed", &error);
	g_assert_cmpstr(value, ==, "42");
	g_assert_true(ab_store_add_note(f->store, "no root", &error));
	g_assert_true(ab_store_add_note(f->store, "no root", &error));
	notes = ab_store_notes(f->store, &error);
	g_assert_cmpuint(g_strv_length(notes), ==, 1);
}

static void test_refused(struct fixture *f, gconstpointer data)
{
	g_autofree char *text = g_build_filename(f->dir, "text", NULL);
	g_autoptr(GError) error = NULL;

	(void)data;
	g_assert_true(g_file_set_contents(text,
					  "no database at all, but long "
					  "enough to look at",
					  -1, NULL));
	g_assert_null(ab_store_open(text, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	g_clear_error(&error);
	g_unlink(text);
	g_assert_null(ab_store_open(text, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_clear_error(&error);
	/* A second creation must not touch what exists. */
	g_assert_null(ab_store_create(f->path, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
}

static void exec_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
}

static struct ab_store *open_again(struct fixture *f, GError **error)
{
	g_clear_pointer(&f->store, ab_store_close);
	f->store = ab_store_open(f->path, error);
	return f->store;
}

/* A database as version 1 made it becomes one of today's, with its contents. */
static void test_migration(struct fixture *f, gconstpointer data)
{
	g_autofree char *fact = NULL;
	g_autoptr(GError) error = NULL;

	(void)data;
	g_assert_true(ab_store_set_fact(f->store, "plan", "p", NULL));
	g_clear_pointer(&f->store, ab_store_close);
	exec_sql(f->path, "DROP TABLE analysis; PRAGMA user_version = 1");
	g_assert_nonnull(open_again(f, &error));
	g_assert_no_error(error);
	fact = ab_store_fact(f->store, "plan", NULL);
	g_assert_cmpstr(fact, ==, "p");
	g_assert_null(ab_store_digest(f->store, 1, &error));
	g_assert_no_error(error);
	g_assert_nonnull(open_again(f, &error));
	exec_sql(f->path, "PRAGMA user_version = 3");
	g_assert_null(open_again(f, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	g_assert_nonnull(strstr(error->message, "newer abrig"));
}

#define TEST(name, fn) \
	g_test_add("/store/" name, struct fixture, NULL, setup, fn, teardown)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST("private", test_private);
	TEST("rows", test_rows);
	TEST("data", test_data);
	TEST("journal", test_journal);
	TEST("facts-and-notes", test_facts_and_notes);
	TEST("refused", test_refused);
	TEST("digest", test_digest);
	TEST("migration", test_migration);
	return g_test_run();
}
