// SPDX-License-Identifier: GPL-3.0-or-later
/* The notification shade. */
#include "step_internal.h"

#include <abrig/error.h>
#include <string.h>

#define PROOF_POLL_MS 250

struct args {
	char *state;
	gint64 timeout_ms, stable_ms;
};

static const char *const states[] = { "open", "closed", NULL };

#define STATE_KEY                                                         \
	{                                                                 \
		.name = "state", .type = AB_KEY_STRING,                   \
		.offset = offsetof(struct args, state), .required = true, \
		.choices = states,                                        \
		.help = "The state that the shade must be in."            \
	}
#define TIMEOUT_KEY(default_)                                  \
	{                                                      \
		.name = "timeout", .type = AB_KEY_DURATION,    \
		.offset = offsetof(struct args, timeout_ms),   \
		.dflt = (default_), .min = 100, .max = 300000, \
		.help = "How long it is waited for."           \
	}
#define STABLE_KEY                                                           \
	{                                                                    \
		.name = "stable", .type = AB_KEY_DURATION,                   \
		.offset = offsetof(struct args, stable_ms), .dflt = "500ms", \
		.max = 10000,                                                \
		.help = "The time between two looks that agree; the shade "  \
			"is animated."                                       \
	}

static const struct ab_key shade_keys[] = { STATE_KEY, TIMEOUT_KEY("5s"),
					    STABLE_KEY, AB_KEYS_END };

static const struct ab_key proof_keys[] = { STATE_KEY, TIMEOUT_KEY("15s"),
					    AB_KEYS_END };

static const struct ab_key collapse_keys[] = { TIMEOUT_KEY("5s"), STABLE_KEY,
					       AB_KEYS_END };

static enum ab_tristate see_open(const struct ab_screen *screen,
				 const void *data)
{
	(void)data;
	/* The lock screen uses the same window. */
	return screen->keyguard == AB_NO ? screen->shade : AB_NO;
}

static enum ab_tristate see_closed(const struct ab_screen *screen,
				   const void *data)
{
	(void)data;
	return screen->shade == AB_NO && screen->focus ? AB_YES : AB_NO;
}

static bool wait_for(struct ab_scenario_run *run, const struct args *args,
		     bool open, GError **error)
{
	const struct look l = {
		.what = open ? "the shade is open" : "the shade is closed",
		.timeout_ms = args->timeout_ms,
		.stable_ms = args->stable_ms,
		.see = open ? see_open : see_closed,
	};

	return look_until(run, &l, error);
}

static bool is_open(const struct args *args)
{
	return !strcmp(args->state, "open");
}

static gint64 estimate(const void *data)
{
	const struct args *args = data;

	return args->stable_ms + 1000;
}

static bool run_shade(struct ab_scenario_run *run, const void *data,
		      GError **error)
{
	return wait_for(run, data, is_open(data), error);
}

const struct ab_step_ops step_shade = {
	.name = "shade",
	.help = "Wait until the notification shade is seen open or closed, and "
		"settled.",
	.keys = shade_keys,
	.size = sizeof(struct args),
	.estimate = estimate,
	.run = run_shade,
};

static bool run_proof(struct ab_scenario_run *run, const void *data,
		      GError **error)
{
	const struct args *args = data;
	struct ab_wait w = ab_wait_sub(&run->wait, args->timeout_ms);
	enum ab_tristate wanted = is_open(args) ? AB_YES : AB_NO;
	enum ab_tristate found;

	for (;;) {
		struct ab_wait one = ab_wait_sub(&run->wait, LOOK_MS);
		g_autofree char *what = NULL;

		if (!ab_phone_shade(run->phone, &one, &found, error))
			return false;
		if (found == wanted)
			return true;
		what = g_strdup_printf(
			"waiting until SystemUI of %s says that the shade is "
			"%s (%s)",
			run->phone->serial, args->state,
			found == AB_UNKNOWN ? "this Android's dump does not "
					      "tell; use the step 'shade'"
					    : "it is not");
		if (!ab_wait_pause(&w, PROOF_POLL_MS, what, error))
			return false;
	}
}

const struct ab_step_ops step_shade_proof = {
	.name = "shade_proof",
	.help = "Have SystemUI itself prove the state of the shade. Loads the "
		"phone: for setup and teardown, not for the measured steps.",
	.keys = proof_keys,
	.size = sizeof(struct args),
	.run = run_proof,
};

static bool run_collapse(struct ab_scenario_run *run, const void *data,
			 GError **error)
{
	return ab_phone_do(run->phone, &run->wait, error,
			   "cmd statusbar collapse") &&
	       wait_for(run, data, false, error);
}

const struct ab_step_ops step_collapse = {
	.name = "collapse",
	.help = "Close the notification shade and wait until it is closed.",
	.keys = collapse_keys,
	.size = sizeof(struct args),
	.estimate = estimate,
	.run = run_collapse,
};
