/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this module share: statements with checked steps. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <abrig/store.h>
#include <sqlite3.h>

struct ab_store {
	sqlite3 *db;
	char *path;
	bool in_transaction;
};

/* Set @error from the connection's last error; returns false. */
bool store_fail(struct ab_store *store, const char *action, GError **error);

/* A prepared statement, or NULL. */
sqlite3_stmt *store_prepare(struct ab_store *store, const char *sql,
			    GError **error);
/* NULL binds NULL. */
void store_bind_text(sqlite3_stmt *stmt, int index, const char *text);
/* Run a statement that returns no rows, and finalise it. */
bool store_run(struct ab_store *store, sqlite3_stmt *stmt, const char *action,
	       GError **error);
/* Next row: 1; end: 0; failure: -1 with @error. */
int store_step(struct ab_store *store, sqlite3_stmt *stmt, const char *action,
	       GError **error);
/* A copy of a text column, NULL for NULL. */
char *store_text(sqlite3_stmt *stmt, int column);

/*
 * Collect rows: @fill makes one object from the current row.  Finalises @stmt.
 */
GPtrArray *store_collect(struct ab_store *store, sqlite3_stmt *stmt,
			 const char *action,
			 gpointer (*fill)(sqlite3_stmt *stmt),
			 GDestroyNotify free_row, GError **error);

#endif
