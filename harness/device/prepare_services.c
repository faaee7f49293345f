// SPDX-License-Identifier: GPL-3.0-or-later
/* What a service does, and a setting proves: airplane, do not disturb, dexopt. */
#include <abrig/error.h>

#include <string.h>

#include "prepare.h"

#define POLL_MS 250
#define SETTLE_MS 10000
#define IDLE_MS 60000

/* Wait until the setting says @wanted; these services work in their own time. */
static bool await_setting(const struct prepare *p, const char *ns,
			  const char *key, const char *wanted, GError **error)
{
	struct ab_wait sub = ab_wait_sub(p->w, SETTLE_MS);
	g_autofree char *what =
		g_strdup_printf("waiting for %s of %s", key, p->phone->serial);

	for (;;) {
		g_autofree char *found = NULL, *setting = NULL;
		g_autoptr(GError) over = NULL;

		if (!prepare_get_setting(p, ns, key, &found, error))
			return false;
		if (ab_android_same_value(wanted, found))
			return true;
		if (ab_wait_pause(&sub, POLL_MS, what, &over))
			continue;
		if (!g_error_matches(over, AB_ERROR, AB_ERROR_TIMEOUT)) {
			g_propagate_error(error, g_steal_pointer(&over));
			return false;
		}
		setting = g_strdup_printf("setting %s %s", ns, key);
		return prepare_mismatch(p, setting, wanted, found, error);
	}
}

/* A service leaves a setting that was not set before: remove it again. */
static bool unset(const struct prepare *p, const char *ns, const char *key,
		  GError **error)
{
	return ab_phone_do(p->phone, p->w, error,
			   "settings delete %s %s >/dev/null", ns, key);
}

static bool restore_by(const struct prepare *p, const char *command,
		       const char *key, const char *old, const char *unset_is,
		       GError **error)
{
	return ab_phone_do(p->phone, p->w, error, "%s", command) &&
	       await_setting(p, "global", key, old ? old : unset_is, error) &&
	       (old || unset(p, "global", key, error));
}

/* ---- airplane mode ---- */

#define AIRPLANE_KEY "airplane_mode_on"

/* Over loopback the radio is not what carries adb. */
static bool adb_needs_radio(const char *serial)
{
	return strstr(serial, "._adb-tls-connect.") ||
	       (strchr(serial, ':') && !g_str_has_prefix(serial, "127.") &&
		!g_str_has_prefix(serial, "localhost:") &&
		!g_str_has_prefix(serial, "[::1]:"));
}

static const char *airplane_command(const char *value)
{
	return g_strcmp0(value, "1") == 0
		       ? "cmd connectivity airplane-mode enable"
		       : "cmd connectivity airplane-mode disable";
}

static bool airplane_prepare(const struct prepare *p, GError **error)
{
	g_autofree char *old = NULL;

	if (!p->options->airplane)
		return true;
	if (adb_needs_radio(p->phone->serial)) {
		prepare_lost(p, "airplane mode left alone: adb comes over the "
				"phone's network");
		return true;
	}
	if (!prepare_get_setting(p, "global", AIRPLANE_KEY, &old, error))
		return false;
	if (g_strcmp0(old, "1") == 0)
		return true;
	return prepare_record(p, "airplane", AIRPLANE_KEY, old, error) &&
	       ab_phone_do(p->phone, p->w, error, "%s",
			   airplane_command("1")) &&
	       await_setting(p, "global", AIRPLANE_KEY, "1", error);
}

static bool airplane_restore(const struct prepare *p, const char *key,
			     const char *old, GError **error)
{
	(void)key;
	return restore_by(p, airplane_command(old), AIRPLANE_KEY, old, "0",
			  error);
}

static char *airplane_by_hand(const struct ab_phone *phone, const char *key,
			      const char *old)
{
	(void)key;
	return prepare_shell_by_hand(phone, airplane_command(old));
}

const struct prepare_item prepare_airplane = {
	.kind = "airplane",
	.prepare = airplane_prepare,
	.restore = airplane_restore,
	.by_hand = airplane_by_hand,
};

/* ---- do not disturb ---- */

#define ZEN_KEY "zen_mode"
#define ZEN_SILENT "2"

static const char *dnd_command(const char *zen)
{
	static const char *const commands[] = {
		"cmd notification set_dnd off >/dev/null",
		"cmd notification set_dnd priority >/dev/null",
		"cmd notification set_dnd none >/dev/null",
		"cmd notification set_dnd alarms >/dev/null",
	};
	guint64 mode = zen ? g_ascii_strtoull(zen, NULL, 10) : 0;

	return commands[mode < G_N_ELEMENTS(commands) ? mode : 0];
}

static bool dnd_prepare(const struct prepare *p, GError **error)
{
	g_autofree char *old = NULL;
	g_autoptr(GError) why = NULL;

	if (!prepare_get_setting(p, "global", ZEN_KEY, &old, error))
		return false;
	if (g_strcmp0(old, ZEN_SILENT) == 0)
		return true;
	if (!prepare_record(p, "dnd", ZEN_KEY, old, error) ||
	    !ab_phone_do(p->phone, p->w, error, "%s", dnd_command(ZEN_SILENT)))
		return false;
	if (await_setting(p, "global", ZEN_KEY, ZEN_SILENT, &why))
		return true;
	if (!g_error_matches(why, AB_ERROR, AB_ERROR_REMOTE)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	/* Not in every release's `cmd notification`. */
	prepare_lost(p, "do not disturb cannot be switched on: %s",
		     why->message);
	return true;
}

static bool dnd_restore(const struct prepare *p, const char *key,
			const char *old, GError **error)
{
	(void)key;
	return restore_by(p, dnd_command(old), ZEN_KEY, old, "0", error);
}

static char *dnd_by_hand(const struct ab_phone *phone, const char *key,
			 const char *old)
{
	(void)key;
	return prepare_shell_by_hand(phone, dnd_command(old));
}

const struct prepare_item prepare_dnd = {
	.kind = "dnd",
	.prepare = dnd_prepare,
	.restore = dnd_restore,
	.by_hand = dnd_by_hand,
};

/* ---- background compilation ---- */

#define DEXOPT_ENABLE "pm bg-dexopt-job --enable"
#define DEXOPT_PIDS "pidof dex2oat dex2oat32 dex2oat64"

static bool dexopt_hold(const struct prepare *p, bool *idle_out, GError **error)
{
	static const char *const commands[] = {
		"pm bg-dexopt-job --disable 2>&1; echo =$?", DEXOPT_PIDS, NULL
	};
	g_auto(GStrv) texts = ab_phone_texts(p->phone, p->w, commands, error);

	if (!texts)
		return false;
	if (!g_str_has_suffix(texts[0], "=0") || strstr(texts[0], "Error"))
		prepare_lost(p,
			     "background compilation cannot be held on this "
			     "release (pm bg-dexopt-job): %.200s",
			     texts[0]);
	*idle_out = !*texts[1];
	return true;
}

/* Nothing tells whether it is held: that none runs is all that can be seen. */
static bool dexopt_prepare(const struct prepare *p, GError **error)
{
	struct ab_wait sub = ab_wait_sub(p->w, IDLE_MS);
	g_autofree char *what = g_strdup_printf(
		"waiting for dex2oat on %s to end; is an app being installed?",
		p->phone->serial);
	bool idle = false;

	if (!prepare_record(p, "dexopt", "bg-dexopt-job", "enabled", error) ||
	    !dexopt_hold(p, &idle, error))
		return false;
	while (!idle) {
		g_autofree char *pids = NULL;

		if (!ab_wait_pause(&sub, POLL_MS, what, error))
			return false;
		pids = ab_phone_text(p->phone, p->w, error,
				     DEXOPT_PIDS "; true");
		if (!pids)
			return false;
		idle = !*g_strstrip(pids);
	}
	return true;
}

static bool dexopt_restore(const struct prepare *p, const char *key,
			   const char *old, GError **error)
{
	(void)key;
	(void)old;
	return ab_phone_do(p->phone, p->w, error,
			   DEXOPT_ENABLE " >/dev/null 2>&1; true");
}

static char *dexopt_by_hand(const struct ab_phone *phone, const char *key,
			    const char *old)
{
	(void)key;
	(void)old;
	return prepare_shell_by_hand(phone, DEXOPT_ENABLE);
}

const struct prepare_item prepare_dexopt = {
	.kind = "dexopt",
	.prepare = dexopt_prepare,
	.restore = dexopt_restore,
	.by_hand = dexopt_by_hand,
};
