// SPDX-License-Identifier: GPL-3.0-or-later
/* Restarting adbd as another user, and the phone as a whole. */
#include "adb_private.h"
#include "clip.h"

#include <abrig/text.h>

#include <string.h>

#define MAX_REPLY 4096
/* How long adbd may go on as the old user after it said that it restarts. */
#define RESTART_MS 20000
#define RESTART_POLL_MS 100

static bool read_uid(struct ab_adb *adb, const struct ab_wait *w,
		     const char *serial, gint64 *uid_out, GError **error)
{
	g_autofree char *text =
		ab_adb_shell_text(adb, w, serial, "id -u", error);

	if (!text)
		return false;
	if (ab_text_to_int(g_strstrip(text), uid_out))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "%s: 'id -u' printed '%.40s', which is no number", serial,
		    text);
	return false;
}

/*
 * Ask adbd to restart.  What it says (in @said_out) is a hint at best, and
 * the connection may end before: only `id -u` tells.
 */
static bool ask_restart(struct ab_adb *adb, const struct ab_wait *w,
			const char *serial, bool root, char **said_out,
			GError **error)
{
	GError *why = NULL;
	struct adb_conn c;

	adb_conn_init(&c, adb, w, serial,
		      g_strdup_printf("restarting adbd as %s",
				      root ? "root" : "shell"));
	if (adb_open_service(&c, root ? "root:" : "unroot:", &why))
		*said_out = adb_read_all(&c, MAX_REPLY, &why);
	if (!*said_out)
		*said_out = g_strdup(why ? why->message : "");
	if (g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE))
		g_clear_error(&why);
	adb_forget_features(adb, serial);
	return adb_conn_end(&c, why, error);
}

static bool set_refused(const char *serial, bool root, const char *said,
			GError **error)
{
	g_autofree char *clipped = ab_clip(said, strlen(said));

	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: adbd does not run as %s: %s%s", serial,
		    root ? "root" : "shell", clipped,
		    root ? "; a userdebug build is needed" : "");
	return false;
}

/* Wait until `id -u` says what was asked for. */
static bool wait_for_uid(struct ab_adb *adb, const struct ab_wait *w,
			 const char *serial, bool root, const char *said,
			 GError **error)
{
	struct ab_wait limit = ab_wait_sub(w, RESTART_MS);
	g_autofree char *what = g_strdup_printf("adbd restarts on %s", serial);
	gint64 uid = -1;

	do {
		g_autoptr(GError) why = NULL;

		if (!ab_adb_wait_state(adb, w, serial, "device", error))
			return false;
		if (read_uid(adb, w, serial, &uid, &why) && (uid == 0) == root)
			return true;
		if (!ab_wait_check(w, what, error))
			return false;
	} while (ab_wait_pause(&limit, RESTART_POLL_MS, what, NULL));
	return ab_wait_check(w, what, error) &&
	       set_refused(serial, root, said, error);
}

bool ab_adb_root(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, bool root, bool *was_root_out,
		 GError **error)
{
	g_autofree char *said = NULL;
	gint64 uid;

	if (!read_uid(adb, w, serial, &uid, error))
		return false;
	if (was_root_out)
		*was_root_out = uid == 0;
	if ((uid == 0) == root)
		return true;
	if (!ask_restart(adb, w, serial, root, &said, error))
		return false;
	if (strstr(said, "cannot run as root"))
		return set_refused(serial, root, said, error);
	return wait_for_uid(adb, w, serial, root, said, error);
}

/* Ask for the reboot and read until adbd closes, or is gone. */
static bool ask_reboot(struct adb_conn *c, const char *target, GError **error)
{
	g_autofree char *service = g_strconcat("reboot:", target, NULL);
	g_autoptr(GError) why = NULL;
	g_autofree char *said = NULL;

	if (!adb_open_service(c, service, error))
		return false;
	said = adb_read_all(c, MAX_REPLY, &why);
	if (said || g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE))
		return true;
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

/*
 * Wait until the server has lost the device.  @witness is an idle stream to
 * it that ends with the connection: polling the state would miss a phone that
 * is soon back, and the server does not tell its trackers of every loss.
 */
static bool wait_until_lost(struct adb_conn *witness, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *said = adb_read_all(witness, 0, &why);

	if (said || g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE))
		return true;
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

bool ab_adb_reboot(struct ab_adb *adb, const struct ab_wait *w,
		   const char *serial, const char *target, GError **error)
{
	struct adb_conn witness, c;
	GError *why = NULL;
	bool ok;

	adb_conn_init(&witness, adb, w, serial,
		      g_strdup("waiting for the end of adb"));
	adb_conn_init(&c, adb, w, serial,
		      g_strdup_printf("rebooting%s%s", *target ? " to " : "",
				      target));
	/* A process would do, but is killed before adbd leaves. */
	(void)(adb_open_service(&witness, "sync:", &why) &&
	       ask_reboot(&c, target, &why) && wait_until_lost(&witness, &why));
	ok = adb_conn_end(&c, why, error);
	adb_conn_end(&witness, NULL, NULL);
	adb_forget_features(adb, serial);
	return ok;
}
