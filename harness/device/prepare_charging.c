// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Battery-only running through Pixel's charger: a stop level below the present
 * charge cuts the USB input while adb stays up.
 */
#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#include "prepare.h"

#define KIND "charging"
#define DIR "/sys/devices/platform/google,charger/"
#define STOP DIR "charge_stop_level"
#define START DIR "charge_start_level"
#define POLL_MS 250
#define SETTLE_MS 10000
#define MIN_LEVEL 20 /* below it the phone may die during the campaign */
#define BELOW 10

struct levels {
	gint64 start, stop;
	struct ab_battery battery;
};

/* False with @error NULL: this phone has no such node. */
static bool read_levels(const struct prepare *p, struct levels *out,
			GError **error)
{
	static const char *const commands[] = {
		"cat " START,
		"cat " STOP,
		"dumpsys battery",
		"cat /sys/class/power_supply/battery/current_now",
		NULL,
	};
	g_auto(GStrv) texts = ab_phone_texts(p->phone, p->w, commands, error);

	return texts && ab_text_to_int(texts[0], &out->start) &&
	       ab_text_to_int(texts[1], &out->stop) &&
	       ab_android_parse_battery(texts[2], texts[3], &out->battery);
}

static bool write_node(const struct prepare *p, const char *node, gint64 value,
		       GError **error)
{
	return ab_phone_do(p->phone, p->w, error,
			   "echo %" G_GINT64_FORMAT " > %s", value, node);
}

static bool record_level(const struct prepare *p, const char *node,
			 gint64 value, GError **error)
{
	g_autofree char *old = g_strdup_printf("%" G_GINT64_FORMAT, value);

	return prepare_record(p, KIND, node, old, error);
}

/* Start must stay below stop; the driver refuses anything else. */
static bool set_levels(const struct prepare *p, const struct levels *old,
		       GError **error)
{
	gint64 stop = MAX(old->battery.level - BELOW, 5);

	if (!record_level(p, STOP, old->stop, error))
		return false;
	if (old->start >= stop && (!record_level(p, START, old->start, error) ||
				   !write_node(p, START, 0, error)))
		return false;
	return write_node(p, STOP, stop, error);
}

static bool await_discharge(const struct prepare *p, GError **error)
{
	struct ab_wait sub = ab_wait_sub(p->w, SETTLE_MS);
	struct levels now = { 0 };

	for (;;) {
		g_autoptr(GError) over = NULL;
		g_autofree char *found = NULL;

		if (!ab_phone_battery(p->phone, p->w, &now.battery, error))
			return false;
		if (ab_battery_flow(&now.battery) < 0)
			return true;
		if (ab_wait_pause(&sub, POLL_MS, "cutting the charge current",
				  &over))
			continue;
		if (!g_error_matches(over, AB_ERROR, AB_ERROR_TIMEOUT)) {
			g_propagate_error(error, g_steal_pointer(&over));
			return false;
		}
		found = g_strdup_printf("%" G_GINT64_FORMAT " uA",
					now.battery.current_ua);
		return prepare_mismatch(p,
					"cutting the charge current (" STOP ")",
					"a negative current", found, error);
	}
}

static bool prepare(const struct prepare *p, GError **error)
{
	g_autoptr(GError) why = NULL;
	struct levels old;

	if (!p->options->charging_off)
		return true;
	if (!p->phone->root || !read_levels(p, &old, &why)) {
		if (why) {
			g_propagate_error(error, g_steal_pointer(&why));
			return false;
		}
		prepare_lost(p, "charging goes on: " STOP " %s",
			     p->phone->root ? "is not there" : "needs root");
		return true;
	}
	if (old.battery.level < MIN_LEVEL) {
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: the battery is at %d %%, too little to cut "
			    "charging; charge it above %d %%",
			    p->phone->serial, old.battery.level, MIN_LEVEL);
		return false;
	}
	if (ab_battery_flow(&old.battery) < 0 && old.stop < old.battery.level)
		return true;
	return set_levels(p, &old, error) && await_discharge(p, error);
}

/* ---- restoring ---- */

static bool known_node(const struct prepare *p, const char *node,
		       const char *old, gint64 *level_out, GError **error)
{
	if ((g_str_equal(node, STOP) || g_str_equal(node, START)) && old &&
	    ab_text_to_int(old, level_out))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "%s: '%s' = '%s' in the journal is no charge level",
		    p->phone->serial, node, old ? old : "(not set)");
	return false;
}

static bool has_level(const struct prepare *p, const char *node, gint64 level,
		      char **found_out, GError **error)
{
	gint64 now;

	*found_out = ab_phone_text(p->phone, p->w, error, "cat %s", node);
	return *found_out && ab_text_to_int(g_strstrip(*found_out), &now) &&
	       now == level;
}

/* A reboot may have set it back already, and taken root away. */
static bool restore(const struct prepare *p, const char *key, const char *old,
		    GError **error)
{
	g_autofree char *before = NULL, *after = NULL;
	gint64 level;

	if (!known_node(p, key, old, &level, error))
		return false;
	/* After a reboot adbd is no longer root, and cannot even look. */
	if (!ab_adb_root(p->phone->adb, p->w, p->phone->serial, true, NULL,
			 error))
		return false;
	if (has_level(p, key, level, &before, error))
		return true;
	if (!before || !write_node(p, key, level, error))
		return false;
	if (has_level(p, key, level, &after, error))
		return true;
	return after && prepare_mismatch(p, key, old, after, error);
}

static char *by_hand(const struct ab_phone *phone, const char *key,
		     const char *old)
{
	g_autofree char *node = ab_text_shell_quote(key);
	g_autofree char *level = ab_text_shell_quote(old ? old : "100");
	g_autofree char *command = g_strdup_printf("echo %s > %s", level, node);

	return prepare_shell_by_hand(phone, command);
}

const struct prepare_item prepare_charging = {
	.kind = KIND,
	.prepare = prepare,
	.restore = restore,
	.by_hand = by_hand,
};
