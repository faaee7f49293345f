// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>
#include <math.h>

struct args {
	struct ab_point from, to;
	gint64 ms;
};

static const struct ab_key keys[] = { { .name = "from",
					.type = AB_KEY_POINT,
					.offset = offsetof(struct args, from),
					.required = true,
					.help = "Where the finger goes down." },
				      { .name = "to",
					.type = AB_KEY_POINT,
					.offset = offsetof(struct args, to),
					.required = true,
					.help = "Where it is lifted." },
				      { .name = "time",
					.type = AB_KEY_DURATION,
					.offset = offsetof(struct args, ms),
					.dflt = "300ms",
					.min = 1,
					.max = 60000,
					.help = "How long it takes." },
				      AB_KEYS_END };

int swipe_pixel(double fraction, int size)
{
	return size < 1 ? 0 : (int)lround(fraction * (size - 1));
}

static gint64 estimate(const void *data)
{
	const struct args *args = data;

	return args->ms + 200;
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *a = data;
	const struct ab_phone *p = run->phone;
	g_autofree char *text =
		ab_phone_text(run->phone, &run->wait, error,
			      "input swipe %d %d %d %d %" G_GINT64_FORMAT
			      " 2>&1",
			      swipe_pixel(a->from.x, p->width),
			      swipe_pixel(a->from.y, p->height),
			      swipe_pixel(a->to.x, p->width),
			      swipe_pixel(a->to.y, p->height), a->ms);

	if (!text)
		return false;
	g_strstrip(text);
	/* It says nothing when all is well, and exits 0 in any case. */
	if (!*text)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: `input swipe` on a display of %dx%d says '%.200s'; "
		    "try it in `adb shell`",
		    p->serial, p->width, p->height, text);
	return false;
}

const struct ab_step_ops step_swipe = {
	.name = "swipe",
	.help = "Swipe over the display.",
	.keys = keys,
	.size = sizeof(struct args),
	.estimate = estimate,
	.run = run_step,
};
