// SPDX-License-Identifier: GPL-3.0-or-later
/* One run: gates, recorders, scenario, proof, verdict. */
#include "digest.h"
#include "worker.h"

#include <abrig/error.h>
#include <abrig/log.h>
#include <abrig/window.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Beyond the scenario's own estimate: gates, recorders, pull, slow phones. */
#define RUN_SLACK_MS (10 * 60 * 1000)
#define ALIVE_MS (90 * 1000)

struct run {
	struct worker *w;
	struct session *session;
	struct ab_run_row *row;
	const struct ab_scenario *scenario;
	struct ab_wait wait;
	char *dir;
	GPtrArray *recordings; /* struct ab_recording *, started */
	struct ab_window window;
	const char *gate; /* the first that closed */
	char *reason;
};

static bool make_dir(struct run *r, GError **error)
{
	r->row->dir = g_strdup_printf("artefacts/%" G_GINT64_FORMAT
				      "/%" G_GINT64_FORMAT,
				      r->row->session, r->row->id);
	r->dir = g_build_filename(r->w->dir, r->row->dir, NULL);
	if (g_mkdir_with_parents(r->dir, 0700) == 0)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s: cannot create the directory: %s; check free space and "
		    "permissions",
		    r->dir, g_strerror(errno));
	return false;
}

static struct ab_recording *new_recording(struct run *r,
					  const struct ab_recorder_use *use)
{
	struct ab_recording *rec = g_new0(struct ab_recording, 1);

	rec->phone = r->w->phone;
	rec->scenario = r->scenario;
	rec->options = use->options;
	rec->dir = r->dir;
	rec->run_id = g_strdup_printf("%" G_GINT64_FORMAT, r->row->id);
	return rec;
}

static const struct ab_recorder_ops *ops_of(const struct run *r, guint i)
{
	const struct ab_recorder_use *use = r->scenario->recorders->pdata[i];

	return use->ops;
}

static bool start_recorders(struct run *r, GError **error)
{
	guint i;

	for (i = 0; i < r->scenario->recorders->len; i++) {
		struct ab_recording *rec =
			new_recording(r, r->scenario->recorders->pdata[i]);

		/* Listed before it starts: half a start is discarded too. */
		g_ptr_array_add(r->recordings, rec);
		if (!ops_of(r, i)->start(rec, &r->wait, error)) {
			g_prefix_error(error,
				       "recorder %s: ", ops_of(r, i)->name);
			return false;
		}
	}
	return true;
}

/* Newest first, so that the one that began first sees everything. */
static bool stop_recorders(struct run *r, GError **error)
{
	guint i;

	for (i = r->recordings->len; i-- > 0;)
		if (!ops_of(r, i)->stop(r->recordings->pdata[i], &r->wait,
					error)) {
			g_prefix_error(error,
				       "recorder %s: ", ops_of(r, i)->name);
			return false;
		}
	return true;
}

static void discard_recorders(struct run *r)
{
	struct ab_wait tidy = worker_cleanup_wait();
	guint i;

	for (i = r->recordings->len; i-- > 0;) {
		struct ab_recording *rec = r->recordings->pdata[i];

		ops_of(r, i)->discard(rec, &tidy);
		g_free((char *)rec->run_id);
		g_free(rec);
	}
	g_ptr_array_unref(r->recordings);
}

static bool steps(struct run *r, const GPtrArray *list, GError **error)
{
	struct ab_scenario_run sr = {
		.phone = r->w->phone,
		.wait = r->wait,
		.scenario = r->scenario,
	};

	return ab_steps_run(&sr, list, error);
}

/* The measured part.  False with @error, or with r->gate set. */
static bool measure(struct run *r, GError **error)
{
	struct worker *w = r->w;

	if (!gates_before(w, &r->wait, r->row, &r->gate, &r->reason, error))
		return false;
	worker_phase(w, "%s: setting up", r->scenario->name);
	if (!steps(r, r->scenario->setup, error))
		return false;
	worker_phase(w, "%s: recording", r->scenario->name);
	if (!start_recorders(r, error) ||
	    !ab_window_begin(w->phone, &r->wait, &r->window, error) ||
	    !steps(r, r->scenario->steps, error) ||
	    !ab_window_end(w->phone, &r->wait, &r->window, error))
		return false;
	worker_phase(w, "%s: collecting", r->scenario->name);
	return stop_recorders(r, error) &&
	       ab_window_save(&r->window, r->dir, error);
}

/* The kernel and the boot are still those that were proved. */
static bool prove(struct run *r, GError **error)
{
	struct worker *w = r->w;
	g_autofree char *mark = ab_phone_boot_mark(w->phone, &r->wait, error);
	struct ab_identity id = { 0 };
	bool ok;

	if (!mark)
		return false;
	if (strcmp(mark, r->session->mark)) {
		r->gate = "boot";
		r->reason = g_strdup_printf("boot mark was '%s', is '%s'",
					    r->session->mark, mark);
		return false;
	}
	ok = ab_identity_read(w->phone, &r->wait, &id, error) &&
	     ab_kernel_prove(r->session->variant,
			     (struct ab_variant *const *)w->variants->pdata,
			     &id, w->row->home_slot, w->phone->serial, error);
	ab_identity_clear(&id);
	return ok;
}

/* With what it was made from, so that it need not be analysed again. */
static bool store_data(struct run *r, const struct ab_run_data *data,
		       GError **error)
{
	struct ab_store *store = r->w->store;
	g_autofree char *digest = digest_run(store, r->row, r->dir, error);

	return digest && ab_store_put_data(store, r->row->id, data, error) &&
	       ab_store_set_digest(store, r->row->id, digest, error);
}

static bool store_result(struct run *r, struct ab_run_data *data,
			 GError **error)
{
	struct worker *w = r->w;

	if (data && !store_data(r, data, error))
		return false;
	if (r->gate)
		return run_reject(w, r->row, r->gate, r->reason, error);
	r->row->state = AB_RUN_ACCEPTED;
	r->row->ended = worker_now();
	ab_log("run.accepted", AB_I("run", r->row->id));
	return ab_store_update_run(w->store, r->row, error);
}

bool run_reject(struct worker *w, struct ab_run_row *run, const char *gate,
		const char *reason, GError **error)
{
	run->state = AB_RUN_REJECTED;
	g_free(run->gate);
	g_free(run->reason);
	g_free(run->ended);
	run->gate = g_strdup(gate);
	run->reason = g_strdup(reason);
	run->ended = worker_now();
	ab_log("run.rejected", AB_I("run", run->id), AB_S("gate", gate),
	       AB_S("reason", reason));
	return ab_store_update_run(w->store, run, error);
}

/* Which gate stands for an error that ended the run. */
static const char *gate_of(const GError *error)
{
	if (g_error_matches(error, AB_ERROR, AB_ERROR_INTERRUPTED))
		return "interrupted";
	if (g_error_matches(error, AB_ERROR, AB_ERROR_OFFLINE))
		return "device";
	if (g_str_has_prefix(error->message, "recorder "))
		return "artefacts";
	return "scenario";
}

/* Does the boot of @session still run?  Waits for a phone that flaps. */
static bool boot_alive(struct worker *w, const struct session *session)
{
	struct ab_wait wait = worker_wait(w, ALIVE_MS);
	g_autofree char *mark = NULL;

	worker_phase(w, "waiting for the phone");
	if (!ab_adb_wait_state(w->phone->adb, &wait, w->phone->serial, "device",
			       NULL))
		return false;
	mark = ab_phone_boot_mark(w->phone, &wait, NULL);
	return mark && !strcmp(mark, session->mark);
}

/* The verdict for a run that ended with @why, and what that means. */
static enum trouble after_failure(struct run *r, GError *why, GError **error)
{
	struct worker *w = r->w;

	if (!run_reject(w, r->row, gate_of(why), why->message, error)) {
		g_error_free(why);
		return TROUBLE_ALL;
	}
	switch (why->domain == AB_ERROR ? why->code : AB_ERROR_FAILED) {
	case AB_ERROR_INTERRUPTED:
	case AB_ERROR_IDENTITY:
	case AB_ERROR_ENV:
		g_propagate_error(error, why);
		return TROUBLE_ALL;
	default:
		break;
	}
	if (boot_alive(w, r->session)) {
		g_error_free(why);
		return TROUBLE_RUN;
	}
	if (w->intr && ab_intr_triggered(w->intr)) {
		g_error_free(why);
		g_set_error(error, AB_ERROR, AB_ERROR_INTERRUPTED,
			    "interrupted while waiting for %s",
			    w->phone->serial);
		return TROUBLE_ALL;
	}
	g_propagate_error(error, why);
	return TROUBLE_SESSION;
}

/* The scenario's own tidying; a failure must not hide the first one. */
static void tear_down(struct run *r)
{
	struct ab_scenario_run sr = {
		.phone = r->w->phone,
		.wait = worker_cleanup_wait(),
		.scenario = r->scenario,
	};
	g_autoptr(GError) why = NULL;

	if (!ab_steps_run(&sr, r->scenario->teardown, &why))
		ab_log("run.teardown", AB_I("run", r->row->id),
		       AB_S("error", why->message));
}

static enum trouble conclude(struct run *r, GError **error)
{
	struct ab_run_data *data = NULL;
	enum trouble trouble = TROUBLE_NONE;

	if (!r->gate)
		data = analyze_run(r->scenario, r->dir, &r->gate, &r->reason);
	if (!store_result(r, data, error))
		trouble = TROUBLE_ALL;
	else if (r->gate)
		trouble = TROUBLE_RUN;
	if (trouble == TROUBLE_RUN && !strcmp(r->gate, "boot")) {
		g_set_error(error, AB_ERROR, AB_ERROR_OFFLINE,
			    "%s: rebooted during the run: %s",
			    r->w->phone->serial, r->reason);
		trouble = TROUBLE_SESSION;
	}
	ab_run_data_free(data);
	return trouble;
}

static bool begin(struct run *r, GError **error)
{
	r->row->state = AB_RUN_STARTED;
	r->row->began = worker_now();
	ab_log("run.started", AB_I("run", r->row->id),
	       AB_S("scenario", r->scenario->name));
	return make_dir(r, error) &&
	       ab_store_update_run(r->w->store, r->row, error);
}

enum trouble run_execute(struct worker *w, struct session *session,
			 struct ab_run_row *row, GError **error)
{
	const struct ab_scenario *scenario =
		w->plan->scenarios->pdata[row->scenario];
	struct run r = {
		.w = w,
		.session = session,
		.row = row,
		.scenario = scenario,
		.wait = worker_wait(w, scenario->estimate_ms * 4 +
					       w->plan->gates.cool_ms +
					       RUN_SLACK_MS),
		.recordings = g_ptr_array_new(),
	};
	enum trouble trouble = TROUBLE_ALL;
	GError *why = NULL;
	bool ok;

	if (begin(&r, error)) {
		ok = measure(&r, &why);
		discard_recorders(&r);
		tear_down(&r);
		ok = ok && prove(&r, &why);
		trouble = !ok && why ? after_failure(&r, why, error)
				     : conclude(&r, error);
	} else {
		g_ptr_array_unref(r.recordings);
	}
	g_free(r.dir);
	g_free(r.reason);
	return trouble;
}
