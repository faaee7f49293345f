// SPDX-License-Identifier: GPL-3.0-or-later
/* Bring a phone into the measured state, and back. */
#include <abrig/error.h>
#include <abrig/log.h>
#include <abrig/text.h>

#include <stddef.h>

#include "prepare.h"

#define FIELD(name) offsetof(struct ab_prepare_options, name)

const struct ab_key ab_prepare_keys[] = {
	{ .name = "refresh",
	  .type = AB_KEY_INT,
	  .offset = FIELD(refresh_hz),
	  .dflt = "0",
	  .max = 480,
	  .help = "Refresh rate in Hz that the display is pinned to, proved by "
		  "its active mode. 0 leaves it alone." },
	{ .name = "brightness",
	  .type = AB_KEY_INT,
	  .offset = FIELD(brightness),
	  .dflt = "102",
	  .min = -1,
	  .max = 255,
	  .help = "Fixed brightness of the screen, 0 to 255. -1 leaves it "
		  "alone." },
	{ .name = "airplane",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(airplane),
	  .dflt = "true",
	  .help = "Airplane mode. Left alone where adb comes over the phone's "
		  "own network." },
	{ .name = "root",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(root),
	  .dflt = "true",
	  .help = "Run adbd as root where the build allows it; kernel events "
		  "and power rails need it." },
	{ .name = "charging_off",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(charging_off),
	  .dflt = "false",
	  .help = "Run from the battery although USB is plugged, where the "
		  "phone can; proved by the sign of the battery current." },
	AB_KEYS_END
};

/*
 * In this order; restored in the opposite one, so that root goes last.  The
 * keyguard comes after the settings that keep the screen on.
 */
static const struct prepare_item *const items[] = {
	&prepare_root,	   &prepare_airplane, &prepare_dnd,
	&prepare_settings, &prepare_keyguard, &prepare_refresh,
	&prepare_charging, &prepare_dexopt,
};

bool prepare_record(const struct prepare *p, const char *kind, const char *key,
		    const char *old, GError **error)
{
	ab_log("prepare.record", AB_S("serial", p->phone->serial),
	       AB_S("kind", kind), AB_S("key", key),
	       AB_S("old", old ? old : "(not set)"));
	return p->journal->record(p->data, kind, key, old, error);
}

void prepare_lost(const struct prepare *p, const char *format, ...)
{
	g_autofree char *line = NULL;
	va_list ap;

	va_start(ap, format);
	line = g_strdup_vprintf(format, ap);
	va_end(ap);
	ab_log("prepare.lost", AB_S("serial", p->phone->serial),
	       AB_S("what", line));
	if (p->lost)
		g_ptr_array_add(p->lost, g_steal_pointer(&line));
}

bool prepare_mismatch(const struct prepare *p, const char *what,
		      const char *wanted, const char *found, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: %s did not take: wanted '%s', the phone says '%s'; "
		    "an app, a policy or a vendor service may control it",
		    p->phone->serial, what, wanted,
		    found ? found : "(not set)");
	return false;
}

char *prepare_shell_by_hand(const struct ab_phone *phone, const char *command)
{
	g_autofree char *quoted = g_shell_quote(command);
	g_autofree char *serial = ab_text_shell_quote(phone->serial);

	return g_strdup_printf("adb -s %s shell %s", serial, quoted);
}

bool ab_phone_prepare(struct ab_phone *phone, const struct ab_wait *w,
		      const struct ab_prepare_options *options,
		      const struct ab_journal_ops *journal, void *data,
		      GPtrArray *lost_out, GError **error)
{
	const struct prepare p = { phone, w, options, journal, data, lost_out };

	for (size_t i = 0; i < G_N_ELEMENTS(items); i++) {
		gint64 start = g_get_monotonic_time();

		if (!items[i]->prepare(&p, error))
			return false;
		ab_log("prepare.done", AB_S("serial", phone->serial),
		       AB_S("item", items[i]->kind),
		       AB_I("ms", (g_get_monotonic_time() - start) / 1000));
	}
	return true;
}

/* ---- restore ---- */

struct remembered {
	char *kind, *key, *old;
};

static void remembered_clear(gpointer data)
{
	struct remembered *r = data;

	g_free(r->kind);
	g_free(r->key);
	g_free(r->old);
}

/* Collected first: the journal must not change while it is walked. */
static bool collect(const char *kind, const char *key, const char *old,
		    void *user, GError **error)
{
	struct remembered r = { g_strdup(kind), g_strdup(key), g_strdup(old) };

	(void)error;
	g_array_append_val((GArray *)user, r);
	return true;
}

static const struct prepare_item *find_item(const char *kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(items); i++)
		if (items[i]->restore && g_str_equal(items[i]->kind, kind))
			return items[i];
	return NULL;
}

static bool restore_one(const struct prepare *p, const struct remembered *r,
			GError **error)
{
	const struct prepare_item *item = find_item(r->kind);

	if (!item) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: the journal remembers a '%s', which this "
			    "version does not know; restore with the version "
			    "that recorded it",
			    p->phone->serial, r->kind);
		return false;
	}
	if (!item->restore(p, r->key, r->old, error))
		return false;
	ab_log("prepare.restored", AB_S("serial", p->phone->serial),
	       AB_S("kind", r->kind), AB_S("key", r->key),
	       AB_S("value", r->old ? r->old : "(not set)"));
	return p->journal->forget(p->data, r->kind, r->key, error);
}

static void note_failure(const struct prepare *p, const struct remembered *r,
			 const GError *why, GString *failures)
{
	const struct prepare_item *item = find_item(r->kind);
	g_autofree char *command =
		item ? item->by_hand(p->phone, r->key, r->old) : NULL;

	ab_log("prepare.restore-failed", AB_S("serial", p->phone->serial),
	       AB_S("kind", r->kind), AB_S("key", r->key),
	       AB_S("error", why->message));
	g_string_append_printf(failures, "\n  %s %s: %s", r->kind, r->key,
			       why->message);
	if (command)
		g_string_append_printf(failures, "\n    by hand: %s", command);
}

/* No use in trying the rest: each would wait for its own deadline. */
static bool is_final(const GError *why)
{
	return g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE) ||
	       g_error_matches(why, AB_ERROR, AB_ERROR_TIMEOUT) ||
	       g_error_matches(why, AB_ERROR, AB_ERROR_INTERRUPTED);
}

static bool restore_all(const struct prepare *p, const GArray *all,
			GError **error)
{
	g_autoptr(GString) failures = g_string_new(NULL);
	g_autoptr(GError) final = NULL;

	for (guint i = 0; i < all->len; i++) {
		const struct remembered *r =
			&g_array_index(all, struct remembered, i);
		g_autoptr(GError) why = NULL;

		if (final) {
			note_failure(p, r, final, failures);
			continue;
		}
		if (restore_one(p, r, &why))
			continue;
		note_failure(p, r, why, failures);
		if (is_final(why))
			final = g_steal_pointer(&why);
	}
	if (!failures->len)
		return true;
	g_set_error(error, AB_ERROR, final ? final->code : AB_ERROR_REMOTE,
		    "%s: not everything could be restored; it is still "
		    "remembered and tried again at the next start:%s",
		    p->phone->serial, failures->str);
	return false;
}

bool ab_phone_restore(struct ab_phone *phone, const struct ab_wait *w,
		      const struct ab_journal_ops *journal, void *data,
		      GError **error)
{
	const struct prepare p = {
		.phone = phone, .w = w, .journal = journal, .data = data
	};
	g_autoptr(GArray) all =
		g_array_new(FALSE, FALSE, sizeof(struct remembered));

	g_array_set_clear_func(all, remembered_clear);
	return journal->each(data, collect, all, error) &&
	       restore_all(&p, all, error);
}
