// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

struct args {
	gint64 ms;
};

static const struct ab_key keys[] = { { .name = "time",
					.type = AB_KEY_DURATION,
					.offset = offsetof(struct args, ms),
					.required = true,
					.min = 1,
					.max = 3600e3,
					.help = "How long to do nothing." },
				      AB_KEYS_END };

static gint64 estimate(const void *data)
{
	const struct args *args = data;

	return args->ms;
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *args = data;
	g_autofree char *what =
		g_strdup_printf("pausing on %s", run->phone->serial);

	return ab_wait_pause(&run->wait, args->ms, what, error);
}

const struct ab_step_ops step_pause = {
	.name = "pause",
	.help = "Do nothing for a while. To wait for something, use the step "
		"that looks at it.",
	.keys = keys,
	.size = sizeof(struct args),
	.estimate = estimate,
	.run = run_step,
};
