/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The campaign's database, campaign.db (SQLite, WAL).  The supervisor creates
 * it with the whole schedule; each worker writes the rows of its own device.
 * Opened by several processes at once; every function is one transaction.
 *
 * The schema has a version (PRAGMA user_version): migrated forward, refused
 * backward.  Errors: AB_ERROR_ENV (disk full, no permission), AB_ERROR_DATA
 * (not a campaign database, damaged, newer version).
 */
#ifndef ABRIG_STORE_H
#define ABRIG_STORE_H

#include <abrig/metric.h>

#define AB_STORE_VERSION 2

struct ab_store;

struct ab_store *ab_store_create(const char *path, GError **error);
struct ab_store *ab_store_open(const char *path, GError **error);
void ab_store_close(struct ab_store *store);
AB_DEFINE_AUTO(ab_store, ab_store_close)

/* Join several calls into one transaction; they do not nest. */
bool ab_store_begin(struct ab_store *store, GError **error);
bool ab_store_commit(struct ab_store *store, GError **error);

/* ---- facts about the campaign: plan, plan_sha256, seed, tool, ... ---- */

bool ab_store_set_fact(struct ab_store *store, const char *key,
		       const char *value, GError **error);
/* NULL without an error when there is none (caller frees). */
char *ab_store_fact(struct ab_store *store, const char *key, GError **error);

/* ---- devices ---- */

struct ab_device_row {
	gint64 id;
	char *serial, *fastboot, *platform;
	/* Known once the phone was seen. */
	char *product, *model, *soc, *fingerprint, *home_slot;
	int cpus, refresh_hz;
	char *failed; /* why nothing more is done with it; NULL: fine */
};
bool ab_store_add_device(struct ab_store *store, struct ab_device_row *row,
			 GError **error); /* sets row->id */
bool ab_store_update_device(struct ab_store *store,
			    const struct ab_device_row *row, GError **error);
/* struct ab_device_row *, by id. */
GPtrArray *ab_store_devices(struct ab_store *store, GError **error);
void ab_device_row_free(struct ab_device_row *row);

/* ---- sessions: one boot of one variant on one device ---- */

enum ab_session_state {
	AB_SESSION_PLANNED,
	AB_SESSION_OPEN, /* its boot is, or should be, running */
	AB_SESSION_DONE,
	AB_SESSION_LOST,   /* the boot ended before its runs did */
	AB_SESSION_FAILED, /* the variant could not be started */
	AB_SESSION_LEFT,   /* its boot ended while the rig was stopped */
};

struct ab_session_row {
	gint64 id, device;
	int block, position; /* position within the block, from 0 */
	int variant;	     /* index into the plan's variants */
	enum ab_session_state state;
	char *boot_id, *slot, *banner, *config_sha256;
	char *began, *ended; /* UTC, ISO 8601 */
	char *reason;	     /* lost, failed: why */
};
bool ab_store_add_session(struct ab_store *store, struct ab_session_row *row,
			  GError **error);
bool ab_store_update_session(struct ab_store *store,
			     const struct ab_session_row *row, GError **error);
/* The device's sessions (0: all), by block and position. */
GPtrArray *ab_store_sessions(struct ab_store *store, gint64 device,
			     GError **error);
void ab_session_row_free(struct ab_session_row *row);

/* ---- runs ---- */

enum ab_run_state {
	AB_RUN_PLANNED,
	AB_RUN_STARTED,
	AB_RUN_ACCEPTED,
	AB_RUN_REJECTED,
};

struct ab_run_row {
	gint64 id, session;
	int position; /* within the session */
	int scenario; /* index into the plan's scenarios */
	int slot;     /* which planned run of its block, variant and scenario
			   it fills: what a repeat has in common with the run
			   that it repeats */
	int attempt;  /* 0 for the planned one, 1 for its first repeat */
	bool warmup;
	enum ab_run_state state;
	char *gate, *reason; /* rejected: by which gate, and why */
	char *dir;	     /* artefacts, relative to the campaign */
	char *began, *ended;
	double skin_c; /* at its start; NAN: unknown */
	int battery;   /* percent at its start; -1: unknown */
};
bool ab_store_add_run(struct ab_store *store, struct ab_run_row *row,
		      GError **error);
bool ab_store_update_run(struct ab_store *store, const struct ab_run_row *row,
			 GError **error);
/* The session's runs (0: all), by session and position. */
GPtrArray *ab_store_runs(struct ab_store *store, gint64 session,
			 GError **error);
void ab_run_row_free(struct ab_run_row *row);

/* What was measured; replaces what was stored for the run. */
bool ab_store_put_data(struct ab_store *store, gint64 run,
		       const struct ab_run_data *data, GError **error);
struct ab_run_data *ab_store_data(struct ab_store *store, gint64 run,
				  GError **error);

/*
 * What the run's data were made from, as text; NULL without an error when it
 * is not known (caller frees).  ab_store_put_data() forgets it.
 */
char *ab_store_digest(struct ab_store *store, gint64 run, GError **error);
bool ab_store_set_digest(struct ab_store *store, gint64 run, const char *digest,
			 GError **error);

/* ---- warnings for the report ---- */

bool ab_store_add_note(struct ab_store *store, const char *text,
		       GError **error); /* once per text */
/* NULL-terminated; g_strfreev(). */
char **ab_store_notes(struct ab_store *store, GError **error);

/* ---- the phone's old values (see ab_journal_ops in phone.h) ---- */

struct ab_store_journal {
	struct ab_store *store;
	gint64 device;
};
struct ab_journal_ops;
extern const struct ab_journal_ops ab_store_journal_ops;
/* How many values of @device are not restored yet. */
bool ab_store_journal_count(struct ab_store *store, gint64 device,
			    int *count_out, GError **error);

#endif
