// SPDX-License-Identifier: GPL-3.0-or-later
/* The phone's old values, kept until they are restored. */
#include "store.h"

#include <abrig/phone.h>

static bool record(void *data, const char *kind, const char *key,
		   const char *old, GError **error)
{
	struct ab_store_journal *j = data;
	/* The first value seen is the user's; later ones are our own. */
	sqlite3_stmt *stmt = store_prepare(
		j->store,
		"INSERT OR IGNORE INTO journal (device, kind, key, old)"
		" VALUES (?, ?, ?, ?)",
		error);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, j->device);
	store_bind_text(stmt, 2, kind);
	store_bind_text(stmt, 3, key);
	store_bind_text(stmt, 4, old);
	return store_run(j->store, stmt, "remembering a setting", error);
}

struct entry {
	char *kind, *key, *old;
};

static gpointer fill_entry(sqlite3_stmt *stmt)
{
	struct entry *e = g_new0(struct entry, 1);

	e->kind = store_text(stmt, 0);
	e->key = store_text(stmt, 1);
	e->old = store_text(stmt, 2);
	return e;
}

static void free_entry(gpointer data)
{
	struct entry *e = data;

	g_free(e->kind);
	g_free(e->key);
	g_free(e->old);
	g_free(e);
}

static bool each(void *data,
		 bool (*fn)(const char *kind, const char *key, const char *old,
			    void *user, GError **error),
		 void *user, GError **error)
{
	struct ab_store_journal *j = data;
	sqlite3_stmt *stmt = store_prepare(
		j->store,
		"SELECT kind, key, old FROM journal WHERE device = ?"
		" ORDER BY id DESC",
		error);
	g_autoptr(GPtrArray) entries = NULL;
	guint i;

	if (stmt)
		sqlite3_bind_int64(stmt, 1, j->device);
	entries = store_collect(j->store, stmt, "reading old settings",
				fill_entry, free_entry, error);
	if (!entries)
		return false;
	for (i = 0; i < entries->len; i++) {
		const struct entry *e = entries->pdata[i];

		if (!fn(e->kind, e->key, e->old, user, error))
			return false;
	}
	return true;
}

static bool forget(void *data, const char *kind, const char *key,
		   GError **error)
{
	struct ab_store_journal *j = data;
	sqlite3_stmt *stmt = store_prepare(
		j->store,
		"DELETE FROM journal WHERE device = ? AND kind = ? AND key = ?",
		error);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, j->device);
	store_bind_text(stmt, 2, kind);
	store_bind_text(stmt, 3, key);
	return store_run(j->store, stmt, "forgetting a setting", error);
}

const struct ab_journal_ops ab_store_journal_ops = {
	.record = record,
	.each = each,
	.forget = forget,
};

bool ab_store_journal_count(struct ab_store *store, gint64 device,
			    int *count_out, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "SELECT count(*) FROM journal WHERE device = ?", error);
	int rc;

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, device);
	rc = store_step(store, stmt, "counting old settings", error);
	*count_out = rc > 0 ? sqlite3_column_int(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	return rc > 0;
}
