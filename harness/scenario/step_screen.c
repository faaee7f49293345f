// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps that bring the screen into a known state. */
#include "step_internal.h"

#define HOME_TIMEOUT_MS 10000
#define HOME_STABLE_MS 300

static bool run_wake(struct ab_scenario_run *run, const void *args,
		     GError **error)
{
	(void)args;
	return ab_phone_unlock(run->phone, &run->wait, error);
}

const struct ab_step_ops step_wake = {
	.name = "wake",
	.help = "Wake the phone up and dismiss the keyguard.",
	.run = run_wake,
};

static enum ab_tristate see_home(const struct ab_screen *screen,
				 const void *data)
{
	(void)data;
	return screen->awake == AB_YES && screen->keyguard == AB_NO &&
			       screen->shade == AB_NO && screen->focus
		       ? AB_YES
		       : AB_NO;
}

static bool run_home(struct ab_scenario_run *run, const void *args,
		     GError **error)
{
	static const struct look home = {
		.what = "the home screen is in front, unlocked, without shade",
		.timeout_ms = HOME_TIMEOUT_MS,
		.stable_ms = HOME_STABLE_MS,
		.see = see_home,
	};

	(void)args;
	return ab_phone_do(run->phone, &run->wait, error,
			   "input keyevent KEYCODE_HOME") &&
	       look_until(run, &home, error);
}

const struct ab_step_ops step_home = {
	.name = "home",
	.help = "Go to the home screen.",
	.run = run_home,
};
