// SPDX-License-Identifier: GPL-3.0-or-later
/* What runs measured: values, samples, and why something is missing. */
#include "store.h"

#include <abrig/error.h>
#include <string.h>

static bool clear_run(struct ab_store *store, gint64 run, GError **error)
{
	static const char *const deletes[] = {
		"DELETE FROM value WHERE run = ?",
		"DELETE FROM samples WHERE run = ?",
		"DELETE FROM withheld WHERE run = ?",
		"DELETE FROM analysis WHERE run = ?",
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(deletes); i++) {
		sqlite3_stmt *stmt = store_prepare(store, deletes[i], error);

		if (stmt)
			sqlite3_bind_int64(stmt, 1, run);
		if (!store_run(store, stmt, "replacing results", error))
			return false;
	}
	return true;
}

static bool put_value(struct ab_store *store, gint64 run,
		      const struct ab_run_value *v, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT INTO value VALUES (?, ?, ?)", error);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	store_bind_text(stmt, 2, v->name);
	sqlite3_bind_double(stmt, 3, v->value);
	return store_run(store, stmt, "writing a value", error);
}

static bool put_samples(struct ab_store *store, gint64 run,
			const struct ab_sample_set *s, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT INTO samples VALUES (?, ?, ?, ?)", error);
	gsize size = (gsize)s->values->len * sizeof(double);

	if (!stmt)
		return false;
	ab_samples_sort(s->values);
	sqlite3_bind_int64(stmt, 1, run);
	store_bind_text(stmt, 2, s->name);
	sqlite3_bind_int64(stmt, 3, s->values->len);
	sqlite3_bind_blob64(stmt, 4, size ? s->values->data : "", size,
			    SQLITE_STATIC);
	return store_run(store, stmt, "writing samples", error);
}

static bool put_withheld(struct ab_store *store, gint64 run,
			 const struct ab_withheld *w, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT OR REPLACE INTO withheld VALUES (?, ?, ?)",
		error);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	store_bind_text(stmt, 2, w->name);
	store_bind_text(stmt, 3, w->reason);
	return store_run(store, stmt, "writing what is missing", error);
}

static bool put_all(struct ab_store *store, gint64 run,
		    const struct ab_run_data *data, GError **error)
{
	guint i;

	if (!clear_run(store, run, error))
		return false;
	for (i = 0; i < data->values->len; i++)
		if (!put_value(store, run, data->values->pdata[i], error))
			return false;
	for (i = 0; i < data->samples->len; i++)
		if (!put_samples(store, run, data->samples->pdata[i], error))
			return false;
	for (i = 0; i < data->withheld->len; i++)
		if (!put_withheld(store, run, data->withheld->pdata[i], error))
			return false;
	return true;
}

bool ab_store_put_data(struct ab_store *store, gint64 run,
		       const struct ab_run_data *data, GError **error)
{
	if (store->in_transaction)
		return put_all(store, run, data, error);
	if (!ab_store_begin(store, error))
		return false;
	if (put_all(store, run, data, error))
		return ab_store_commit(store, error);
	store->in_transaction = false;
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

static bool read_rows(struct ab_store *store, gint64 run, const char *sql,
		      void (*take)(sqlite3_stmt *stmt, struct ab_run_data *d),
		      struct ab_run_data *data, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(store, sql, error);
	int rc;

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	while ((rc = store_step(store, stmt, "reading results", error)) > 0)
		take(stmt, data);
	sqlite3_finalize(stmt);
	return rc == 0;
}

static const char *name_of(sqlite3_stmt *stmt)
{
	return (const char *)sqlite3_column_text(stmt, 0);
}

static void take_value(sqlite3_stmt *stmt, struct ab_run_data *data)
{
	ab_run_data_set(data, name_of(stmt), sqlite3_column_double(stmt, 1));
}

static void take_samples(sqlite3_stmt *stmt, struct ab_run_data *data)
{
	GArray *values = ab_run_data_samples(data, name_of(stmt));
	const void *blob = sqlite3_column_blob(stmt, 1);
	guint n = (guint)sqlite3_column_bytes(stmt, 1) / sizeof(double);

	if (n)
		g_array_append_vals(values, blob, n);
}

static void take_withheld(sqlite3_stmt *stmt, struct ab_run_data *data)
{
	ab_run_data_withhold(data, name_of(stmt),
			     (const char *)sqlite3_column_text(stmt, 1));
}

struct ab_run_data *ab_store_data(struct ab_store *store, gint64 run,
				  GError **error)
{
	struct ab_run_data *data = ab_run_data_new();

	if (read_rows(store, run, "SELECT name, value FROM value WHERE run = ?",
		      take_value, data, error) &&
	    read_rows(store, run,
		      "SELECT name, doubles FROM samples WHERE run = ?",
		      take_samples, data, error) &&
	    read_rows(store, run,
		      "SELECT name, reason FROM withheld WHERE run = ?",
		      take_withheld, data, error))
		return data;
	ab_run_data_free(data);
	return NULL;
}

char *ab_store_digest(struct ab_store *store, gint64 run, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "SELECT digest FROM analysis WHERE run = ?", error);
	char *digest = NULL;

	if (!stmt)
		return NULL;
	sqlite3_bind_int64(stmt, 1, run);
	if (store_step(store, stmt, "reading a digest", error) > 0)
		digest = store_text(stmt, 0);
	sqlite3_finalize(stmt);
	return digest;
}

bool ab_store_set_digest(struct ab_store *store, gint64 run, const char *digest,
			 GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store, "INSERT OR REPLACE INTO analysis VALUES (?, ?)", error);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	store_bind_text(stmt, 2, digest);
	return store_run(store, stmt, "writing a digest", error);
}
