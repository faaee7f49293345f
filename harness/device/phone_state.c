// SPDX-License-Identifier: GPL-3.0-or-later
/* Looks at screen, shade, battery and temperature; unlocking. */
#include <abrig/android.h>
#include <abrig/error.h>

#include <math.h>

#define POLL_MS 250
#define UNLOCK_MS 15000

bool ab_phone_screen(struct ab_phone *phone, const struct ab_wait *w,
		     struct ab_screen *screen_out, GError **error)
{
	/* One pipeline: a look is repeated often, and each process costs. */
	g_autofree char *text = ab_phone_text(
		phone, w, error,
		"{ dumpsys window; dumpsys power; } | grep -E '%s'; true",
		AB_ANDROID_WINDOW_LINES "|mWakefulness=");

	if (!text)
		return false;
	ab_android_parse_screen(text, text, screen_out);
	return true;
}

bool ab_phone_shade(struct ab_phone *phone, const struct ab_wait *w,
		    enum ab_tristate *open_out, GError **error)
{
	g_autofree char *text = ab_phone_text(
		phone, w, error,
		"dumpsys activity service com.android.systemui/.SystemUIService"
		" | grep -E 'Visible|xpanded'; true");

	if (!text)
		return false;
	*open_out = ab_android_parse_shade(text);
	return true;
}

/* ---- unlocking ---- */

static bool fail_credential(const struct ab_phone *phone, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: the screen is locked with a PIN, pattern or password; "
		    "set Settings > Security > Screen lock to 'None' on the "
		    "phone, then start again",
		    phone->serial);
	return false;
}

static const char *lock_missing(const struct ab_screen *screen)
{
	if (screen->awake != AB_YES)
		return "the screen does not wake up";
	if (screen->keyguard == AB_UNKNOWN)
		return "dumpsys window does not say whether it is locked";
	return "the keyguard stays; set Settings > Security > Screen lock to "
	       "'None' on the phone";
}

static bool unlock_step(struct ab_phone *phone, const struct ab_wait *w,
			GError **error)
{
	return ab_phone_do(phone, w, error,
			   "input keyevent KEYCODE_WAKEUP; "
			   "wm dismiss-keyguard");
}

bool ab_phone_unlock(struct ab_phone *phone, const struct ab_wait *w,
		     GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, UNLOCK_MS);

	/* Repeated: a dismissal that meets a sleeping screen is lost. */
	while (unlock_step(phone, w, error)) {
		struct ab_screen s;
		g_autofree char *what = NULL;

		if (!ab_phone_screen(phone, w, &s, error))
			return false;
		ab_screen_clear(&s);
		if (s.awake == AB_YES && s.keyguard == AB_NO)
			return true;
		if (s.awake == AB_YES && s.keyguard == AB_YES &&
		    s.secure == AB_YES)
			return fail_credential(phone, error);
		what = g_strdup_printf("unlocking %s: %s", phone->serial,
				       lock_missing(&s));
		if (!ab_wait_pause(&sub, POLL_MS, what, error))
			return false;
	}
	return false;
}

/* ---- battery and temperature ---- */

bool ab_phone_battery(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_battery *battery_out, GError **error)
{
	static const char *const commands[] = {
		"dumpsys battery",
		"cat /sys/class/power_supply/battery/current_now",
		NULL,
	};
	g_auto(GStrv) texts = ab_phone_texts(phone, w, commands, error);

	if (!texts)
		return false;
	if (ab_android_parse_battery(texts[0], texts[1], battery_out))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "%s: `dumpsys battery` does not say how full the battery "
		    "is: '%.200s'",
		    phone->serial, texts[0]);
	return false;
}

bool ab_phone_thermal(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_thermal *thermal_out, GError **error)
{
	g_autofree char *text =
		ab_phone_text(phone, w, error, "dumpsys thermalservice");

	if (!text)
		return false;
	ab_android_parse_thermal(text, thermal_out);
	return true;
}
