// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>

#define POLL_MS 100

static void describe(const struct ab_screen *screen, GString *out)
{
	static const char *const words[] = {
		[AB_NO] = "no",
		[AB_YES] = "yes",
		[AB_UNKNOWN] = "unknown",
	};

	g_string_printf(out, "awake: %s, keyguard: %s, shade: %s, focus: %s",
			words[screen->awake], words[screen->keyguard],
			words[screen->shade],
			screen->focus ? screen->focus : "none");
}

static bool look(struct ab_scenario_run *run, const struct look *l,
		 enum ab_tristate *seen_out, GString *last, GError **error)
{
	struct ab_wait w = ab_wait_sub(&run->wait, LOOK_MS);
	struct ab_screen screen = { 0 };

	if (!ab_phone_screen(run->phone, &w, &screen, error))
		return false;
	*seen_out = l->see(&screen, l->data);
	describe(&screen, last);
	ab_screen_clear(&screen);
	return true;
}

/*
 * Two looks that agree, @stable_ms apart.  Not more in between: each one keeps
 * system_server busy, and some are made while the run is measured.
 */
bool look_until(struct ab_scenario_run *run, const struct look *l,
		GError **error)
{
	struct ab_wait w = ab_wait_sub(&run->wait, l->timeout_ms);
	g_autoptr(GString) last = g_string_new("not looked yet");
	bool before = false;

	for (;;) {
		g_autofree char *what = NULL;
		enum ab_tristate seen;

		if (!look(run, l, &seen, last, error))
			return false;
		if (seen == AB_YES && (before || !l->stable_ms))
			return true;
		before = seen == AB_YES;
		what = g_strdup_printf("waiting until %s on %s (last seen: %s)",
				       l->what, run->phone->serial, last->str);
		if (!ab_wait_pause(&w, before ? l->stable_ms : POLL_MS, what,
				   error))
			return false;
	}
}
