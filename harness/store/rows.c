// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices, sessions and runs: rows in, rows out. */
#include "store.h"

#include <math.h>

static char *column_text(sqlite3_stmt *stmt, int *column)
{
	return store_text(stmt, (*column)++);
}

/* ---- devices ---- */

#define DEVICE_COLUMNS                                                   \
	"serial, fastboot, platform, product, model, soc, fingerprint, " \
	"home_slot, cpus, refresh_hz, failed"

static void bind_device(sqlite3_stmt *stmt, const struct ab_device_row *row)
{
	int i = 1;

	store_bind_text(stmt, i++, row->serial);
	store_bind_text(stmt, i++, row->fastboot);
	store_bind_text(stmt, i++, row->platform);
	store_bind_text(stmt, i++, row->product);
	store_bind_text(stmt, i++, row->model);
	store_bind_text(stmt, i++, row->soc);
	store_bind_text(stmt, i++, row->fingerprint);
	store_bind_text(stmt, i++, row->home_slot);
	sqlite3_bind_int(stmt, i++, row->cpus);
	sqlite3_bind_int(stmt, i++, row->refresh_hz);
	store_bind_text(stmt, i++, row->failed);
	if (row->id)
		sqlite3_bind_int64(stmt, i, row->id);
}

static gpointer fill_device(sqlite3_stmt *stmt)
{
	struct ab_device_row *row = g_new0(struct ab_device_row, 1);
	int i = 0;

	row->id = sqlite3_column_int64(stmt, i++);
	row->serial = column_text(stmt, &i);
	row->fastboot = column_text(stmt, &i);
	row->platform = column_text(stmt, &i);
	row->product = column_text(stmt, &i);
	row->model = column_text(stmt, &i);
	row->soc = column_text(stmt, &i);
	row->fingerprint = column_text(stmt, &i);
	row->home_slot = column_text(stmt, &i);
	row->cpus = sqlite3_column_int(stmt, i++);
	row->refresh_hz = sqlite3_column_int(stmt, i++);
	row->failed = column_text(stmt, &i);
	return row;
}

static void free_device(gpointer data)
{
	ab_device_row_free(data);
}

bool ab_store_add_device(struct ab_store *store, struct ab_device_row *row,
			 GError **error)
{
	sqlite3_stmt *stmt =
		store_prepare(store,
			      "INSERT INTO device (" DEVICE_COLUMNS
			      ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      error);

	row->id = 0;
	if (stmt)
		bind_device(stmt, row);
	if (!store_run(store, stmt, "adding a device", error))
		return false;
	row->id = sqlite3_last_insert_rowid(store->db);
	return true;
}

bool ab_store_update_device(struct ab_store *store,
			    const struct ab_device_row *row, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store,
		"UPDATE device SET (" DEVICE_COLUMNS
		") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
		error);

	if (stmt)
		bind_device(stmt, row);
	return store_run(store, stmt, "writing a device", error);
}

GPtrArray *ab_store_devices(struct ab_store *store, GError **error)
{
	return store_collect(store,
			     store_prepare(store,
					   "SELECT id, " DEVICE_COLUMNS
					   " FROM device ORDER BY id",
					   error),
			     "reading devices", fill_device, free_device,
			     error);
}

void ab_device_row_free(struct ab_device_row *row)
{
	if (!row)
		return;
	g_free(row->serial);
	g_free(row->fastboot);
	g_free(row->platform);
	g_free(row->product);
	g_free(row->model);
	g_free(row->soc);
	g_free(row->fingerprint);
	g_free(row->home_slot);
	g_free(row->failed);
	g_free(row);
}

/* ---- sessions ---- */

#define SESSION_COLUMNS                                                    \
	"device, block, position, variant, state, boot_id, slot, banner, " \
	"config_sha256, began, ended, reason"

static void bind_session(sqlite3_stmt *stmt, const struct ab_session_row *row)
{
	int i = 1;

	sqlite3_bind_int64(stmt, i++, row->device);
	sqlite3_bind_int(stmt, i++, row->block);
	sqlite3_bind_int(stmt, i++, row->position);
	sqlite3_bind_int(stmt, i++, row->variant);
	sqlite3_bind_int(stmt, i++, (int)row->state);
	store_bind_text(stmt, i++, row->boot_id);
	store_bind_text(stmt, i++, row->slot);
	store_bind_text(stmt, i++, row->banner);
	store_bind_text(stmt, i++, row->config_sha256);
	store_bind_text(stmt, i++, row->began);
	store_bind_text(stmt, i++, row->ended);
	store_bind_text(stmt, i++, row->reason);
	if (row->id)
		sqlite3_bind_int64(stmt, i, row->id);
}

static gpointer fill_session(sqlite3_stmt *stmt)
{
	struct ab_session_row *row = g_new0(struct ab_session_row, 1);
	int i = 0;

	row->id = sqlite3_column_int64(stmt, i++);
	row->device = sqlite3_column_int64(stmt, i++);
	row->block = sqlite3_column_int(stmt, i++);
	row->position = sqlite3_column_int(stmt, i++);
	row->variant = sqlite3_column_int(stmt, i++);
	row->state = (enum ab_session_state)sqlite3_column_int(stmt, i++);
	row->boot_id = column_text(stmt, &i);
	row->slot = column_text(stmt, &i);
	row->banner = column_text(stmt, &i);
	row->config_sha256 = column_text(stmt, &i);
	row->began = column_text(stmt, &i);
	row->ended = column_text(stmt, &i);
	row->reason = column_text(stmt, &i);
	return row;
}

static void free_session(gpointer data)
{
	ab_session_row_free(data);
}

bool ab_store_add_session(struct ab_store *store, struct ab_session_row *row,
			  GError **error)
{
	sqlite3_stmt *stmt =
		store_prepare(store,
			      "INSERT INTO session (" SESSION_COLUMNS
			      ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      error);

	row->id = 0;
	if (stmt)
		bind_session(stmt, row);
	if (!store_run(store, stmt, "adding a session", error))
		return false;
	row->id = sqlite3_last_insert_rowid(store->db);
	return true;
}

bool ab_store_update_session(struct ab_store *store,
			     const struct ab_session_row *row, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store,
		"UPDATE session SET (" SESSION_COLUMNS
		") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
		error);

	if (stmt)
		bind_session(stmt, row);
	return store_run(store, stmt, "writing a session", error);
}

GPtrArray *ab_store_sessions(struct ab_store *store, gint64 device,
			     GError **error)
{
	sqlite3_stmt *stmt =
		store_prepare(store,
			      "SELECT id, " SESSION_COLUMNS
			      " FROM session WHERE ?1 IN (0, device)"
			      " ORDER BY device, block, position",
			      error);

	if (stmt)
		sqlite3_bind_int64(stmt, 1, device);
	return store_collect(store, stmt, "reading sessions", fill_session,
			     free_session, error);
}

void ab_session_row_free(struct ab_session_row *row)
{
	if (!row)
		return;
	g_free(row->boot_id);
	g_free(row->slot);
	g_free(row->banner);
	g_free(row->config_sha256);
	g_free(row->began);
	g_free(row->ended);
	g_free(row->reason);
	g_free(row);
}

/* ---- runs ---- */

#define RUN_COLUMNS                                                         \
	"session, position, scenario, slot, attempt, warmup, state, gate, " \
	"reason, dir, began, ended, skin_c, battery"

static void bind_run(sqlite3_stmt *stmt, const struct ab_run_row *row)
{
	int i = 1;

	sqlite3_bind_int64(stmt, i++, row->session);
	sqlite3_bind_int(stmt, i++, row->position);
	sqlite3_bind_int(stmt, i++, row->scenario);
	sqlite3_bind_int(stmt, i++, row->slot);
	sqlite3_bind_int(stmt, i++, row->attempt);
	sqlite3_bind_int(stmt, i++, row->warmup);
	sqlite3_bind_int(stmt, i++, (int)row->state);
	store_bind_text(stmt, i++, row->gate);
	store_bind_text(stmt, i++, row->reason);
	store_bind_text(stmt, i++, row->dir);
	store_bind_text(stmt, i++, row->began);
	store_bind_text(stmt, i++, row->ended);
	if (isnan(row->skin_c))
		sqlite3_bind_null(stmt, i++);
	else
		sqlite3_bind_double(stmt, i++, row->skin_c);
	sqlite3_bind_int(stmt, i++, row->battery);
	if (row->id)
		sqlite3_bind_int64(stmt, i, row->id);
}

static gpointer fill_run(sqlite3_stmt *stmt)
{
	struct ab_run_row *row = g_new0(struct ab_run_row, 1);
	int i = 0;

	row->id = sqlite3_column_int64(stmt, i++);
	row->session = sqlite3_column_int64(stmt, i++);
	row->position = sqlite3_column_int(stmt, i++);
	row->scenario = sqlite3_column_int(stmt, i++);
	row->slot = sqlite3_column_int(stmt, i++);
	row->attempt = sqlite3_column_int(stmt, i++);
	row->warmup = sqlite3_column_int(stmt, i++) != 0;
	row->state = (enum ab_run_state)sqlite3_column_int(stmt, i++);
	row->gate = column_text(stmt, &i);
	row->reason = column_text(stmt, &i);
	row->dir = column_text(stmt, &i);
	row->began = column_text(stmt, &i);
	row->ended = column_text(stmt, &i);
	row->skin_c = sqlite3_column_type(stmt, i) == SQLITE_NULL
			      ? NAN
			      : sqlite3_column_double(stmt, i);
	i++;
	row->battery = sqlite3_column_int(stmt, i++);
	return row;
}

static void free_run(gpointer data)
{
	ab_run_row_free(data);
}

bool ab_store_add_run(struct ab_store *store, struct ab_run_row *row,
		      GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store,
		"INSERT INTO run (" RUN_COLUMNS
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		error);

	row->id = 0;
	if (stmt)
		bind_run(stmt, row);
	if (!store_run(store, stmt, "adding a run", error))
		return false;
	row->id = sqlite3_last_insert_rowid(store->db);
	return true;
}

bool ab_store_update_run(struct ab_store *store, const struct ab_run_row *row,
			 GError **error)
{
	sqlite3_stmt *stmt = store_prepare(
		store,
		"UPDATE run SET (" RUN_COLUMNS
		") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
		error);

	if (stmt)
		bind_run(stmt, row);
	return store_run(store, stmt, "writing a run", error);
}

GPtrArray *ab_store_runs(struct ab_store *store, gint64 session, GError **error)
{
	sqlite3_stmt *stmt = store_prepare(store,
					   "SELECT id, " RUN_COLUMNS
					   " FROM run WHERE ?1 IN (0, session)"
					   " ORDER BY session, position",
					   error);

	if (stmt)
		sqlite3_bind_int64(stmt, 1, session);
	return store_collect(store, stmt, "reading runs", fill_run, free_run,
			     error);
}

void ab_run_row_free(struct ab_run_row *row)
{
	if (!row)
		return;
	g_free(row->gate);
	g_free(row->reason);
	g_free(row->dir);
	g_free(row->began);
	g_free(row->ended);
	g_free(row);
}
