// SPDX-License-Identifier: GPL-3.0-or-later
#include "store.h"

#include <abrig/error.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BUSY_MS 20000

/* Since version 2. */
#define ANALYSIS                        \
	"CREATE TABLE analysis ("       \
	" run INTEGER PRIMARY KEY"      \
	" REFERENCES run(id) NOT NULL," \
	" digest TEXT NOT NULL);"

/* What makes a version of the one before it; [0] is of version 2. */
static const char *const migrations[] = { ANALYSIS };
G_STATIC_ASSERT(G_N_ELEMENTS(migrations) == AB_STORE_VERSION - 1);

static const char schema[] =
	"CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
	"CREATE TABLE device ("
	" id INTEGER PRIMARY KEY, serial TEXT NOT NULL UNIQUE,"
	" fastboot TEXT NOT NULL, platform TEXT NOT NULL, product TEXT,"
	" model TEXT, soc TEXT, fingerprint TEXT, home_slot TEXT,"
	" cpus INTEGER NOT NULL DEFAULT 0,"
	" refresh_hz INTEGER NOT NULL DEFAULT 0, failed TEXT);"
	"CREATE TABLE session ("
	" id INTEGER PRIMARY KEY,"
	" device INTEGER NOT NULL REFERENCES device(id),"
	" block INTEGER NOT NULL, position INTEGER NOT NULL,"
	" variant INTEGER NOT NULL, state INTEGER NOT NULL, boot_id TEXT,"
	" slot TEXT, banner TEXT, config_sha256 TEXT, began TEXT, ended TEXT,"
	" reason TEXT, UNIQUE (device, block, position));"
	"CREATE TABLE run ("
	" id INTEGER PRIMARY KEY,"
	" session INTEGER NOT NULL REFERENCES session(id),"
	" position INTEGER NOT NULL, scenario INTEGER NOT NULL,"
	" slot INTEGER NOT NULL, attempt INTEGER NOT NULL,"
	" warmup INTEGER NOT NULL, state INTEGER NOT NULL, gate TEXT,"
	" reason TEXT, dir TEXT, began TEXT, ended TEXT, skin_c REAL,"
	" battery INTEGER NOT NULL DEFAULT -1, UNIQUE (session, position));"
	"CREATE TABLE value ("
	" run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL,"
	" value REAL NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;"
	/* Samples are doubles, little-endian, sorted ascending. */
	"CREATE TABLE samples ("
	" run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL,"
	" n INTEGER NOT NULL, doubles BLOB NOT NULL,"
	" PRIMARY KEY (run, name)) WITHOUT ROWID;"
	"CREATE TABLE withheld ("
	" run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL,"
	" reason TEXT NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;"
	"CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE);"
	"CREATE TABLE journal ("
	" id INTEGER PRIMARY KEY,"
	" device INTEGER NOT NULL REFERENCES device(id),"
	" kind TEXT NOT NULL, key TEXT NOT NULL, old TEXT,"
	" UNIQUE (device, kind, key));" ANALYSIS;

bool store_fail(struct ab_store *store, const char *action, GError **error)
{
	int code = sqlite3_extended_errcode(store->db) & 0xff;
	bool env = code == SQLITE_FULL || code == SQLITE_READONLY ||
		   code == SQLITE_CANTOPEN || code == SQLITE_PERM ||
		   code == SQLITE_IOERR;

	g_set_error(error, AB_ERROR, env ? AB_ERROR_ENV : AB_ERROR_DATA,
		    "%s: %s failed: %s%s", store->path, action,
		    sqlite3_errmsg(store->db),
		    env ? "; check free space and permissions of the campaign "
			  "directory"
			: "");
	return false;
}

sqlite3_stmt *store_prepare(struct ab_store *store, const char *sql,
			    GError **error)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK)
		return stmt;
	store_fail(store, "reading the tables", error);
	return NULL;
}

void store_bind_text(sqlite3_stmt *stmt, int index, const char *text)
{
	if (text)
		sqlite3_bind_text(stmt, index, text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(stmt, index);
}

int store_step(struct ab_store *store, sqlite3_stmt *stmt, const char *action,
	       GError **error)
{
	switch (sqlite3_step(stmt)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		store_fail(store, action, error);
		return -1;
	}
}

bool store_run(struct ab_store *store, sqlite3_stmt *stmt, const char *action,
	       GError **error)
{
	int rc;

	if (!stmt)
		return false;
	rc = store_step(store, stmt, action, error);
	sqlite3_finalize(stmt);
	return rc == 0;
}

char *store_text(sqlite3_stmt *stmt, int column)
{
	return g_strdup((const char *)sqlite3_column_text(stmt, column));
}

GPtrArray *store_collect(struct ab_store *store, sqlite3_stmt *stmt,
			 const char *action,
			 gpointer (*fill)(sqlite3_stmt *stmt),
			 GDestroyNotify free_row, GError **error)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
	int rc;

	if (!stmt)
		return NULL;
	while ((rc = store_step(store, stmt, action, error)) > 0)
		g_ptr_array_add(rows, fill(stmt));
	sqlite3_finalize(stmt);
	return rc < 0 ? NULL : g_steal_pointer(&rows);
}

static bool exec(struct ab_store *store, const char *sql, const char *action,
		 GError **error)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	return store_fail(store, action, error);
}

static bool read_version(struct ab_store *store, int *version_out,
			 GError **error)
{
	sqlite3_stmt *stmt = store_prepare(store, "PRAGMA user_version", error);
	int rc;

	if (!stmt)
		return false;
	rc = store_step(store, stmt, "reading the version", error);
	*version_out = rc > 0 ? sqlite3_column_int(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	return rc >= 0;
}

static bool refuse_version(struct ab_store *store, int version, GError **error)
{
	if (version > AB_STORE_VERSION)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: written by a newer abrig (database version "
			    "%d, this one knows %d); use that abrig",
			    store->path, version, AB_STORE_VERSION);
	else
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: not a campaign's database; give the directory "
			    "that `abrig run PLAN -C DIR` made",
			    store->path);
	return false;
}

/* Whoever comes second finds that it is done. */
static bool migrate(struct ab_store *store, GError **error)
{
	int version = 0;
	bool ok = exec(store, "BEGIN IMMEDIATE", "starting to write", error);

	ok = ok && read_version(store, &version, error);
	for (; ok && version > 0 && version < AB_STORE_VERSION; version++) {
		g_autofree char *sql =
			g_strdup_printf("%s PRAGMA user_version=%d",
					migrations[version - 1], version + 1);

		ok = exec(store, sql, "migrating the database", error);
	}
	if (ok && exec(store, "COMMIT", "writing", error))
		return true;
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

static bool check_version(struct ab_store *store, GError **error)
{
	int version;

	if (!read_version(store, &version, error))
		return false;
	if (version < 1 || version > AB_STORE_VERSION)
		return refuse_version(store, version, error);
	return version == AB_STORE_VERSION || migrate(store, error);
}

static struct ab_store *open_db(const char *path, int flags, GError **error)
{
	ab_autoptr(ab_store) store = g_new0(struct ab_store, 1);
	struct ab_store *done;

	store->path = g_strdup(path);
	if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) {
		store_fail(store, "opening", error);
		return NULL;
	}
	sqlite3_busy_timeout(store->db, BUSY_MS);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, 256 << 20);
	/*
	 * WAL with synchronous=FULL: a run that was said to be done is done
	 * after a power loss too.
	 */
	if (!exec(store,
		  "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
		  "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF",
		  "preparing the database", error))
		return NULL;
	done = store;
	store = NULL;
	return done;
}

struct ab_store *ab_store_create(const char *path, GError **error)
{
	/* Create it ourselves: SQLite would make it readable for others. */
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	g_autofree char *sql = NULL;
	struct ab_store *store;

	if (fd < 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot create the database: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	close(fd);
	store = open_db(path, SQLITE_OPEN_READWRITE, error);
	if (!store)
		return NULL;
	sql = g_strdup_printf("BEGIN IMMEDIATE; %s PRAGMA user_version=%d; "
			      "COMMIT",
			      schema, AB_STORE_VERSION);
	if (exec(store, sql, "creating the tables", error))
		return store;
	ab_store_close(store);
	return NULL;
}

struct ab_store *ab_store_open(const char *path, GError **error)
{
	struct ab_store *store;

	if (access(path, F_OK)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "there is no campaign: %s: %s; give the directory "
			    "that `abrig run PLAN -C DIR` made",
			    path, g_strerror(errno));
		return NULL;
	}
	store = open_db(path, SQLITE_OPEN_READWRITE, error);
	if (store && !check_version(store, error)) {
		ab_store_close(store);
		return NULL;
	}
	return store;
}

void ab_store_close(struct ab_store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	g_free(store->path);
	g_free(store);
}

bool ab_store_begin(struct ab_store *store, GError **error)
{
	g_assert(!store->in_transaction);
	store->in_transaction =
		exec(store, "BEGIN IMMEDIATE", "starting to write", error);
	return store->in_transaction;
}

bool ab_store_commit(struct ab_store *store, GError **error)
{
	g_assert(store->in_transaction);
	store->in_transaction = false;
	if (exec(store, "COMMIT", "writing", error))
		return true;
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

bool ab_store_set_fact(struct ab_store *store, const char *key,
		       const char *value, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT OR REPLACE INTO fact VALUES (?, ?)", error);

	if (!stmt)
		return false;
	store_bind_text(stmt, 1, key);
	store_bind_text(stmt, 2, value);
	return store_run(store, stmt, "writing a fact", error);
}

char *ab_store_fact(struct ab_store *store, const char *key, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "SELECT value FROM fact WHERE key = ?", error);
	char *value = NULL;

	if (!stmt)
		return NULL;
	store_bind_text(stmt, 1, key);
	if (store_step(store, stmt, "reading a fact", error) > 0)
		value = store_text(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static gpointer fill_string(sqlite3_stmt *stmt)
{
	return store_text(stmt, 0);
}

bool ab_store_add_note(struct ab_store *store, const char *text, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT OR IGNORE INTO note (text) VALUES (?)", error);

	if (!stmt)
		return false;
	store_bind_text(stmt, 1, text);
	return store_run(store, stmt, "writing a note", error);
}

char **ab_store_notes(struct ab_store *store, GError **error)
{
	GPtrArray *notes = store_collect(
		store,
		store_prepare(store, "SELECT text FROM note ORDER BY id",
			      error),
		"reading notes", fill_string, NULL, error);

	if (!notes)
		return NULL;
	g_ptr_array_add(notes, NULL);
	return (char **)g_ptr_array_free(notes, FALSE);
}
