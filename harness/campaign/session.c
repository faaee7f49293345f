// SPDX-License-Identifier: GPL-3.0-or-later
/* One session: a variant is started and proved, the phone prepared, runs run. */
#include "kernel_facts.h"
#include "repeat.h"
#include "worker.h"

#include <abrig/error.h>
#include <abrig/log.h>
#include <string.h>

/* Flash, reboot, boot of a slow phone, optimising apps after an update. */
#define START_MS (20 * 60 * 1000)
#define ADOPT_MS (30 * 1000)
#define PREPARE_MS (5 * 60 * 1000)

/* What an error outside a run means. */
static enum trouble classify(const GError *error)
{
	if (error->domain != AB_ERROR)
		return TROUBLE_SESSION;
	switch (error->code) {
	case AB_ERROR_INTERRUPTED:
	case AB_ERROR_IDENTITY:
	case AB_ERROR_ENV:
	case AB_ERROR_DATA:
		return TROUBLE_ALL;
	case AB_ERROR_REMOTE:
		return TROUBLE_DEVICE;
	default:
		return TROUBLE_SESSION;
	}
}

static void keep_identity(struct ab_session_row *row,
			  const struct ab_identity *id)
{
	g_free(row->boot_id);
	g_free(row->slot);
	g_free(row->banner);
	g_free(row->config_sha256);
	row->boot_id = g_strdup(id->boot_id);
	row->slot = g_strdup(id->slot);
	row->banner = g_strdup(id->banner);
	row->config_sha256 = g_strdup(id->config_sha256);
}

static struct ab_variant *const *variants(const struct worker *w)
{
	return (struct ab_variant *const *)w->variants->pdata;
}

static bool open_session(struct worker *w, struct session *s, GError **error)
{
	struct ab_wait wait = worker_wait(w, START_MS);
	struct ab_identity id = { 0 };
	bool ok;

	worker_phase(w, "starting kernel %s", s->variant->name);
	ok = ab_kernel_start(s->variant, variants(w), w->phone, &wait,
			     w->row->home_slot, &id, error);
	if (ok) {
		keep_identity(s->row, &id);
		s->row->state = AB_SESSION_OPEN;
		s->row->began = worker_now();
		ok = ab_store_update_session(w->store, s->row, error) &&
		     kernel_facts_started(w, s->row->variant, &id, error);
	}
	ab_identity_clear(&id);
	return ok;
}

/* After a restart of the rig: is this session's boot still there? */
static bool adopt_session(struct worker *w, struct session *s)
{
	struct ab_wait wait = worker_wait(w, ADOPT_MS);
	struct ab_identity id = { 0 };
	bool same;

	worker_phase(w, "looking for the boot of session %" G_GINT64_FORMAT,
		     s->row->id);
	same = ab_identity_read(w->phone, &wait, &id, NULL) &&
	       !g_strcmp0(id.boot_id, s->row->boot_id) &&
	       ab_kernel_prove(s->variant, variants(w), &id, w->row->home_slot,
			       w->phone->serial, NULL);
	ab_identity_clear(&id);
	return same;
}

static bool add_notes(struct worker *w, const GPtrArray *lost, GError **error)
{
	guint i;

	for (i = 0; i < lost->len; i++)
		if (!ab_store_add_note(w->store, lost->pdata[i], error))
			return false;
	return true;
}

static bool probe_recorders(struct worker *w, const struct ab_wait *wait,
			    GError **error)
{
	guint i, j;

	for (i = 0; i < w->plan->scenarios->len; i++) {
		const struct ab_scenario *s = w->plan->scenarios->pdata[i];

		for (j = 0; j < s->recorders->len; j++) {
			const struct ab_recorder_use *use =
				s->recorders->pdata[j];

			if (use->ops->probe &&
			    !use->ops->probe(w->phone, use->options, wait,
					     error)) {
				g_prefix_error(error, "scenario %s: ", s->name);
				return false;
			}
		}
	}
	return true;
}

static bool note_device(struct worker *w, GError **error)
{
	struct ab_device_row *row = w->row;
	const struct ab_phone *p = w->phone;

	g_free(row->product);
	g_free(row->model);
	g_free(row->soc);
	g_free(row->fingerprint);
	row->product = g_strdup(p->product);
	row->model = g_strdup(p->model);
	row->soc = g_strdup(p->soc);
	row->fingerprint = g_strdup(p->fingerprint);
	row->cpus = p->cpus;
	row->refresh_hz = p->refresh_hz;
	return ab_store_update_device(w->store, row, error);
}

static bool prepare(struct worker *w, struct session *s, GError **error)
{
	struct ab_wait wait = worker_wait(w, PREPARE_MS);
	g_autoptr(GPtrArray) lost = g_ptr_array_new_with_free_func(g_free);

	worker_phase(w, "preparing the phone");
	if (!ab_phone_prepare(w->phone, &wait, &w->plan->prepare,
			      &ab_store_journal_ops, &w->journal, lost,
			      error) ||
	    !add_notes(w, lost, error) ||
	    !ab_phone_identify(w->phone, &wait, error) ||
	    !note_device(w, error) ||
	    !kernel_facts_prepared(w, s->row->variant, &wait, error) ||
	    !probe_recorders(w, &wait, error))
		return false;
	s->mark = ab_phone_boot_mark(w->phone, &wait, error);
	return s->mark != NULL;
}

bool session_reject_started(struct worker *w, const struct ab_session_row *row,
			    GError **error)
{
	g_autoptr(GPtrArray) runs = ab_store_runs(w->store, row->id, error);
	guint i;

	for (i = 0; runs && i < runs->len; i++) {
		struct ab_run_row *run = runs->pdata[i];

		if (run->state == AB_RUN_STARTED &&
		    !run_reject(w, run, "interrupted",
				"the rig ended during the run", error))
			return false;
	}
	return runs != NULL;
}

/* The next run to execute, or NULL without @error at the end. */
static struct ab_run_row *next_run(struct worker *w, gint64 session,
				   GError **error)
{
	g_autoptr(GPtrArray) runs = ab_store_runs(w->store, session, error);
	guint i;

	for (i = 0; runs && i < runs->len; i++) {
		struct ab_run_row *run = runs->pdata[i];

		if (run->state == AB_RUN_PLANNED)
			return g_ptr_array_steal_index(runs, i);
	}
	return NULL;
}

static enum trouble execute_runs(struct worker *w, struct session *s,
				 GError **error)
{
	struct ab_run_row *run;
	GError *why = NULL;

	while ((run = next_run(w, s->row->id, &why))) {
		enum trouble trouble = run_execute(w, s, run, error);

		ab_run_row_free(run);
		if (trouble == TROUBLE_RUN &&
		    !repeat_rejected(w, s->row, s->row->id, error))
			trouble = TROUBLE_ALL;
		if (!worker_count(w, trouble > TROUBLE_RUN ? NULL : error))
			return MAX(trouble, TROUBLE_ALL);
		if (trouble > TROUBLE_RUN)
			return trouble;
	}
	if (!why)
		return TROUBLE_NONE;
	g_propagate_error(error, why);
	return TROUBLE_ALL;
}

/* The boot is gone: what is left goes to a new session, or we give up. */
static enum trouble lose(struct worker *w, struct ab_session_row *row,
			 enum ab_session_state state, GError *why,
			 GError **error)
{
	bool given_up = false;
	bool ok;

	ab_log("session.lost", AB_I("session", row->id),
	       AB_S("reason", why->message));
	ok = repeat_session(w, row, state, why->message, &given_up, error);
	if (ok && given_up) {
		g_prefix_error(&why,
			       "%s: given up after %" G_GINT64_FORMAT
			       " boots of one variant in one block: ",
			       w->phone->serial, w->plan->schedule.retries + 1);
		g_propagate_error(error, why);
		return TROUBLE_DEVICE;
	}
	g_error_free(why);
	return ok ? TROUBLE_NONE : TROUBLE_ALL;
}

static enum trouble close_session(struct worker *w, struct ab_session_row *row,
				  GError **error)
{
	row->state = AB_SESSION_DONE;
	row->ended = worker_now();
	return ab_store_update_session(w->store, row, error) ? TROUBLE_NONE
							     : TROUBLE_ALL;
}

/* Start, prepare and run; what ends it early is left to the caller. */
static enum trouble execute(struct worker *w, struct session *s, GError **error)
{
	enum trouble trouble;
	GError *why = NULL;

	if ((s->row->state == AB_SESSION_PLANNED &&
	     !open_session(w, s, &why)) ||
	    !prepare(w, s, &why)) {
		trouble = classify(why);
		g_propagate_error(error, why);
		return trouble;
	}
	trouble = execute_runs(w, s, error);
	return trouble == TROUBLE_NONE ? close_session(w, s->row, error)
				       : trouble;
}

static enum trouble leave_old_boot(struct worker *w, struct session *s,
				   GError **error)
{
	bool given_up;

	return repeat_session(w, s->row, AB_SESSION_LEFT,
			      "the boot ended while the rig was stopped",
			      &given_up, error)
		       ? TROUBLE_NONE
		       : TROUBLE_ALL;
}

enum trouble session_execute(struct worker *w, struct ab_session_row *row,
			     GError **error)
{
	struct session s = {
		.row = row,
		.variant = w->variants->pdata[row->variant],
	};
	enum trouble trouble;
	GError *why = NULL;

	w->progress.block = row->block + 1;
	g_free(w->progress.variant);
	w->progress.variant = g_strdup(s.variant->name);
	if (row->state == AB_SESSION_OPEN) {
		if (!session_reject_started(w, row, error) ||
		    !repeat_rejected(w, row, row->id, error))
			return TROUBLE_ALL;
		if (!adopt_session(w, &s)) {
			struct ab_wait now = worker_wait(w, ADOPT_MS);

			if (!ab_wait_check(&now, "looking for its boot", error))
				return TROUBLE_ALL;
			return leave_old_boot(w, &s, error);
		}
	}
	trouble = execute(w, &s, &why);
	if (trouble == TROUBLE_SESSION)
		trouble =
			lose(w, row,
			     row->state == AB_SESSION_OPEN ? AB_SESSION_LOST
							   : AB_SESSION_FAILED,
			     why, error);
	else if (why)
		g_propagate_error(error, why);
	g_free(s.mark);
	return trouble;
}
