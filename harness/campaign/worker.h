/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a worker share: worker.c, session.c, run.c, gates.c. */
#ifndef CAMPAIGN_WORKER_H
#define CAMPAIGN_WORKER_H

#include <abrig/campaign.h>
#include <abrig/capture.h>

#include "progress.h"

struct worker {
	const struct ab_plan *plan;
	const char *dir;
	struct ab_store *store;
	struct ab_device_row *row; /* of this device */
	struct ab_phone *phone;
	struct ab_intr *intr;
	GPtrArray *variants; /* struct ab_variant *, images loaded; [len]
				is NULL */
	struct ab_store_journal journal;
	struct progress progress;
	int status_fd;
};

/* A session that runs: its boot was proved. */
struct session {
	struct ab_session_row *row;
	const struct ab_variant *variant;
	char *mark; /* boot id and system_server's pid */
};

/* UTC now, ISO 8601 with seconds (caller frees). */
char *worker_now(void);
/* Say what the worker does now. */
void worker_phase(struct worker *w, const char *format, ...)
	G_GNUC_PRINTF(2, 3);
/* Count accepted and rejected runs anew, from the store. */
bool worker_count(struct worker *w, GError **error);
/* A wait of @ms that the worker's interrupt ends. */
struct ab_wait worker_wait(const struct worker *w, gint64 ms);
/*
 * A wait for leaving things tidy: the first Ctrl-C has come already and must
 * not stop it.
 */
struct ab_wait worker_cleanup_wait(void);

/* What an error says about who is to blame, hence what happens next. */
enum trouble {
	TROUBLE_NONE,
	TROUBLE_RUN,	 /* this run: reject and repeat it */
	TROUBLE_SESSION, /* this boot is lost: a new session */
	TROUBLE_DEVICE,	 /* nothing more can be done with this phone */
	TROUBLE_ALL,	 /* stop: interrupted, wrong kernel, broken host */
};

/* ---- run.c ---- */

/*
 * Execute @run in @session up to its verdict, which is in the store on
 * return.  @error is set for everything but TROUBLE_NONE and TROUBLE_RUN.
 */
enum trouble run_execute(struct worker *w, struct session *session,
			 struct ab_run_row *run, GError **error);
/* Write the verdict: rejected by @gate because of @reason. */
bool run_reject(struct worker *w, struct ab_run_row *run, const char *gate,
		const char *reason, GError **error);

/* ---- session.c ---- */

/*
 * Execute the session @row: start its variant (or, when its boot still runs,
 * go on with it), prepare the phone, execute every planned run, repeat the
 * rejected ones at the end.  What could not be done moves to a new session at
 * the end of the block.
 */
enum trouble session_execute(struct worker *w, struct ab_session_row *row,
			     GError **error);

/* Reject the runs that a killed harness left half done. */
bool session_reject_started(struct worker *w, const struct ab_session_row *row,
			    GError **error);

/* ---- gates.c ---- */

/* False: a gate closed; @gate_out its id (static), @reason_out the text. */
bool gates_before(struct worker *w, const struct ab_wait *wait,
		  struct ab_run_row *run, const char **gate_out,
		  char **reason_out, GError **error);
/* Gates over what was measured (also used offline). */
bool gates_after(const struct ab_scenario *scenario,
		 const struct ab_run_data *data, const char **gate_out,
		 char **reason_out);

/* ---- analyze.c ---- */

/*
 * All recorders of @scenario over the artefacts in @dir, then the gates.
 * @gate_out stays NULL when the run can be accepted.
 */
struct ab_run_data *analyze_run(const struct ab_scenario *scenario,
				const char *dir, const char **gate_out,
				char **reason_out);

#endif
