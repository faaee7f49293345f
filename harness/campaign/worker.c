// SPDX-License-Identifier: GPL-3.0-or-later
/* One device's part of a campaign, in a process of its own. */
#include "worker.h"
#include "stop.h"

#include <abrig/error.h>
#include <abrig/fastboot.h>
#include <abrig/log.h>
#include <string.h>

#define REACH_MS (60 * 1000)
#define BOOTLOADER_MS (20 * 1000)
#define BOOT_MS (10 * 60 * 1000)
#define CLEANUP_MS (60 * 1000)
#define RESTORE_MS (10 * 60 * 1000)

char *worker_now(void)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();

	return g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
}

void worker_phase(struct worker *w, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_free(w->progress.phase);
	w->progress.phase = g_strdup_vprintf(format, ap);
	va_end(ap);
	ab_log("phase", AB_S("serial", w->row->serial),
	       AB_S("phase", w->progress.phase));
	progress_send(w->status_fd, &w->progress);
}

struct ab_wait worker_wait(const struct worker *w, gint64 ms)
{
	return ab_wait_in(w->intr, ms);
}

struct ab_wait worker_cleanup_wait(void)
{
	return ab_wait_in(NULL, CLEANUP_MS);
}

bool worker_count(struct worker *w, GError **error)
{
	g_autoptr(GPtrArray) sessions =
		ab_store_sessions(w->store, w->row->id, error);
	guint i, j;

	if (!sessions)
		return false;
	w->progress.accepted = 0;
	w->progress.rejected = 0;
	for (i = 0; i < sessions->len; i++) {
		const struct ab_session_row *s = sessions->pdata[i];
		g_autoptr(GPtrArray) runs =
			ab_store_runs(w->store, s->id, error);

		if (!runs)
			return false;
		for (j = 0; j < runs->len; j++) {
			const struct ab_run_row *run = runs->pdata[j];

			if (run->state == AB_RUN_REJECTED)
				w->progress.rejected++;
			else if (run->state == AB_RUN_ACCEPTED && !run->warmup)
				w->progress.accepted++;
		}
	}
	w->progress.done = w->progress.accepted;
	return true;
}

/* The phone may be anywhere after a killed campaign: bring Android up. */
static bool reach(struct worker *w, GError **error)
{
	struct ab_wait adb = worker_wait(w, REACH_MS);
	struct ab_wait fb = worker_wait(w, BOOTLOADER_MS);
	struct ab_wait boot = worker_wait(w, BOOT_MS);
	GError *why = NULL;

	worker_phase(w, "looking for the phone");
	if (ab_adb_wait_state(w->phone->adb, &adb, w->phone->serial, "device",
			      &why))
		return ab_phone_wait_boot(w->phone, &boot, error);
	/* Only a phone that may have been left there by us. */
	if (w->row->home_slot && why->code != AB_ERROR_INTERRUPTED &&
	    ab_fastboot_wait(&fb, w->phone->fastboot, NULL)) {
		g_error_free(why);
		worker_phase(w, "starting Android from the bootloader");
		return ab_fastboot_reboot(&fb, w->phone->fastboot, "", error) &&
		       ab_phone_wait_boot(w->phone, &boot, error);
	}
	g_propagate_error(error, why);
	return false;
}

/*
 * What the phone is, and the slot that it is given back in; noted before
 * anything changes.
 */
static bool note_phone(struct worker *w, GError **error)
{
	struct ab_wait wait = worker_wait(w, REACH_MS);
	struct ab_identity id = { 0 };
	bool ok;

	if (!ab_phone_identify(w->phone, &wait, error))
		return false;
	if (w->row->home_slot)
		return true;
	ok = ab_identity_read(w->phone, &wait, &id, error);
	if (ok) {
		w->row->home_slot = g_strdup(id.slot ? id.slot : "");
		ok = ab_store_update_device(w->store, w->row, error);
	}
	ab_identity_clear(&id);
	return ok;
}

/* Recorders of a killed harness still hold the phone's tracing. */
static bool sweep(struct worker *w, GError **error)
{
	struct ab_wait wait = worker_wait(w, REACH_MS);

	return ab_phone_do(w->phone, &wait, error,
			   "for p in $(pgrep -f '[/]abrig-[0-9]'); do "
			   "kill -9 $p 2>/dev/null; done; "
			   "rm -f /data/misc/perfetto-traces/abrig-[0-9]* "
			   "/data/local/tmp/abrig-[0-9]*; true");
}

static bool load_variants(struct worker *w, GError **error)
{
	guint i, j;

	for (i = 0; i < w->plan->variants->len; i++) {
		struct ab_variant *v =
			ab_variant_load_images(w->plan->variants->pdata[i],
					       w->row->platform, w->plan->dir,
					       error);

		if (!v)
			return false;
		g_ptr_array_add(w->variants, v);
	}
	for (i = 0; !w->plan->same && i < w->variants->len; i++)
		for (j = i + 1; j < w->variants->len; j++)
			if (!ab_variant_distinct(w->variants->pdata[i],
						 w->variants->pdata[j], error))
				return false;
	return true;
}

/* The session to execute next, or NULL without @error when all is done. */
static struct ab_session_row *next_session(struct worker *w, GError **error)
{
	g_autoptr(GPtrArray) sessions =
		ab_store_sessions(w->store, w->row->id, error);
	guint i;

	for (i = 0; sessions && i < sessions->len; i++) {
		const struct ab_session_row *s = sessions->pdata[i];

		if (s->state == AB_SESSION_PLANNED ||
		    s->state == AB_SESSION_OPEN)
			return g_ptr_array_steal_index(sessions, i);
	}
	return NULL;
}

/* The campaign has its answer: what is left of it will not be executed. */
static bool leave_session(struct worker *w, struct ab_session_row *row,
			  GError **error)
{
	if (!session_reject_started(w, row, error))
		return false;
	row->state = AB_SESSION_LEFT;
	row->reason = g_strdup("the campaign was stopped: its answer is clear");
	return ab_store_update_session(w->store, row, error);
}

/* False with @error; *@left_out: @row is not to be executed any more. */
static bool leave_if_stopped(struct worker *w, struct ab_session_row *row,
			     bool *left_out, GError **error)
{
	worker_phase(w, "looking at the results so far");
	if (!stop_check(w->store, w->dir, left_out, error))
		return false;
	return !*left_out || leave_session(w, row, error);
}

static bool fail_device(struct worker *w, const char *why)
{
	g_free(w->row->failed);
	w->row->failed = g_strdup(why);
	return ab_store_update_device(w->store, w->row, NULL);
}

static bool execute_sessions(struct worker *w, GError **error)
{
	struct ab_session_row *row;
	GError *why = NULL;

	while ((row = next_session(w, &why))) {
		enum trouble trouble = TROUBLE_ALL;
		bool left = false;

		if (leave_if_stopped(w, row, &left, &why))
			trouble = left ? TROUBLE_NONE
				       : session_execute(w, row, &why);
		ab_session_row_free(row);
		if (trouble == TROUBLE_DEVICE)
			fail_device(w, why->message);
		if (trouble != TROUBLE_NONE)
			break;
	}
	if (!why)
		return true;
	g_propagate_error(error, why);
	return false;
}

/* Settings first, while this kernel runs; then the slot, which reboots. */
static bool give_back(struct worker *w, GError **error)
{
	struct ab_wait wait = ab_wait_in(NULL, RESTORE_MS);

	worker_phase(w, "restoring the phone");
	return ab_phone_restore(w->phone, &wait, &ab_store_journal_ops,
				&w->journal, error) &&
	       (!w->row->home_slot || !*w->row->home_slot ||
		ab_kernel_restore_slot(w->phone, &wait, w->row->home_slot,
				       error));
}

static bool execute(struct worker *w, GError **error)
{
	GError *why = NULL;
	GError *restore = NULL;
	bool ok;

	ok = reach(w, &why) && note_phone(w, &why) && sweep(w, &why) &&
	     worker_count(w, &why) && execute_sessions(w, &why);
	if (!give_back(w, &restore)) {
		ab_warn("%s: the phone was not restored: %s; try abrig restore "
			"%s",
			w->row->serial, restore->message, w->dir);
		if (ok)
			g_propagate_error(&why, g_steal_pointer(&restore));
		ok = false;
	}
	g_clear_error(&restore);
	if (ok) {
		worker_phase(w, "done");
		return true;
	}
	g_propagate_error(error, why);
	return false;
}

static struct ab_device_row *find_device(struct ab_store *store,
					 const char *serial, GError **error)
{
	g_autoptr(GPtrArray) rows = ab_store_devices(store, error);
	guint i;

	for (i = 0; rows && i < rows->len; i++) {
		const struct ab_device_row *row = rows->pdata[i];

		if (!strcmp(row->serial, serial))
			return g_ptr_array_steal_index(rows, i);
	}
	if (rows)
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "the campaign has no device %s", serial);
	return NULL;
}

static void free_variant(gpointer data)
{
	ab_variant_free(data);
}

static const char *expected_product(const struct ab_plan *plan,
				    const char *platform)
{
	guint i;

	for (i = 0; i < plan->platforms->len; i++) {
		const struct ab_plan_platform *p = plan->platforms->pdata[i];

		if (!strcmp(p->name, platform))
			return p->product;
	}
	return NULL;
}

static bool open_worker(struct worker *w, const char *serial, int adb_port,
			GError **error)
{
	g_autofree char *path = g_build_filename(w->dir, "campaign.db", NULL);
	struct ab_adb *adb;

	w->store = ab_store_open(path, error);
	if (!w->store)
		return false;
	w->row = find_device(w->store, serial, error);
	if (!w->row)
		return false;
	w->journal = (struct ab_store_journal){ w->store, w->row->id };
	adb = ab_adb_new(adb_port);
	w->phone = ab_phone_new(adb, w->intr, w->row->serial, w->row->fastboot);
	if (w->plan)
		w->phone->expect_product =
			g_strdup(expected_product(w->plan, w->row->platform));
	w->variants = g_ptr_array_new_with_free_func(free_variant);
	w->progress.variant = g_strdup("-");
	w->progress.phase = g_strdup("");
	return true;
}

static void close_worker(struct worker *w)
{
	if (w->phone) {
		struct ab_adb *adb = w->phone->adb;

		ab_phone_free(w->phone);
		ab_adb_free(adb);
	}
	ab_device_row_free(w->row);
	if (w->variants)
		g_ptr_array_unref(w->variants);
	progress_clear(&w->progress);
	ab_store_close(w->store);
}

static bool log_open(const char *dir, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "log.jsonl", NULL);

	return ab_log_open(path, error);
}

bool ab_worker_run(const struct ab_plan *plan,
		   const struct ab_worker_options *options,
		   struct ab_intr *intr, GError **error)
{
	struct worker w = {
		.plan = plan,
		.dir = options->dir,
		.intr = intr,
		.status_fd = options->status_fd,
	};
	GError *why = NULL;
	bool ok;

	ok = log_open(options->dir, &why) &&
	     open_worker(&w, options->serial, options->adb_port, &why) &&
	     load_variants(&w, &why);
	if (ok) {
		/* ab_kernel_start() wants the list ended by NULL. */
		g_ptr_array_add(w.variants, NULL);
		w.progress.blocks = (int)plan->schedule.blocks;
		w.progress.total =
			(int)(plan->schedule.blocks * plan->schedule.runs *
			      plan->scenarios->len * plan->variants->len);
		ok = execute(&w, &why);
	}
	if (why)
		progress_send_error(options->status_fd, why);
	close_worker(&w);
	if (why)
		g_propagate_error(error, why);
	return ok;
}

static bool restore_one(const char *dir, const char *serial, int adb_port,
			struct ab_intr *intr, GError **error)
{
	struct worker w = { .dir = dir, .intr = intr, .status_fd = -1 };
	bool ok;

	ok = open_worker(&w, serial, adb_port, error) && reach(&w, error) &&
	     give_back(&w, error);
	close_worker(&w);
	return ok;
}

/* Phones that still have a changed setting, or another slot than their own. */
static GPtrArray *find_changed(struct ab_store *store, const char *serial,
			       GError **error)
{
	g_autoptr(GPtrArray) rows = ab_store_devices(store, error);
	g_autoptr(GPtrArray) serials = g_ptr_array_new_with_free_func(g_free);
	guint i;

	for (i = 0; rows && i < rows->len; i++) {
		const struct ab_device_row *row = rows->pdata[i];
		int count;

		if (serial && strcmp(serial, row->serial))
			continue;
		if (!ab_store_journal_count(store, row->id, &count, error))
			return NULL;
		if (count || (row->home_slot && *row->home_slot))
			g_ptr_array_add(serials, g_strdup(row->serial));
	}
	return rows ? g_steal_pointer(&serials) : NULL;
}

bool ab_campaign_restore(const char *dir, const char *serial, int adb_port,
			 struct ab_intr *intr, int *count_out, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "campaign.db", NULL);
	ab_autoptr(ab_store) store = ab_store_open(path, error);
	g_autoptr(GPtrArray) serials = NULL;
	guint i;

	*count_out = 0;
	serials = store ? find_changed(store, serial, error) : NULL;
	if (!serials)
		return false;
	for (i = 0; i < serials->len; i++) {
		if (!restore_one(dir, serials->pdata[i], adb_port, intr, error))
			return false;
		++*count_out;
	}
	return true;
}
