// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/text.h>

#define LISTED_MS 5000

struct args {
	char *tag;
	gint64 count, interval_ms;
};

static const struct ab_key keys[] = {
	NOTIFY_TAG_KEY(struct args),
	{ .name = "count",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct args, count),
	  .dflt = "11",
	  .min = 1,
	  .max = NOTIFY_MAX,
	  .help = "How many; the contents are always the same." },
	{ .name = "interval",
	  .type = AB_KEY_DURATION,
	  .offset = offsetof(struct args, interval_ms),
	  .dflt = "250ms",
	  .min = 250,
	  .max = 60000,
	  .help = "Time from one to the next; Android drops what comes "
		  "faster." },
	AB_KEYS_END
};

/* The content is a part of the load: it never changes. */
static const char *const texts[] = {
	"Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
	"Sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.",
	"Ut enim ad minim veniam, quis nostrud exercitation ullamco.",
	"Duis aute irure dolor in reprehenderit in voluptate velit.",
	"Excepteur sint occaecat cupidatat non proident, sunt in culpa.",
};

static bool check(void *data, const struct ab_node *node, GError **error)
{
	const struct args *args = data;

	return notify_check_tag(args->tag, node, error);
}

static gint64 estimate(const void *data)
{
	const struct args *args = data;

	return args->count * args->interval_ms + 1000;
}

/* One command for all, so that the phone keeps the time between them. */
static char *posts(const struct args *args)
{
	g_autoptr(GString) script = g_string_new(NULL);
	unsigned int n;

	for (n = 1; n <= args->count; n++) {
		g_autofree char *text =
			ab_text_shell_quote(texts[n % G_N_ELEMENTS(texts)]);

		g_string_append_printf(script,
				       "cmd notification post -S bigtext "
				       "-t 'Notification %u' %s-%u %s; "
				       "sleep %" G_GINT64_FORMAT
				       ".%03" G_GINT64_FORMAT "; ",
				       n, args->tag, n, text,
				       args->interval_ms / 1000,
				       args->interval_ms % 1000);
	}
	g_string_append(script, "true");
	return g_string_free(g_steal_pointer(&script), FALSE);
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *args = data;
	g_autofree char *script = posts(args);
	g_autofree char *command = shell_user_command(run, script, error);

	/* Its output proves nothing; the list does. */
	if (!command ||
	    !ab_phone_do(run->phone, &run->wait, error, "%s", command))
		return false;
	if (notify_wait(run, args->tag, (1u << args->count) - 1, LISTED_MS,
			error))
		return true;
	g_prefix_error(error, "clear_notifications first, and see whether "
			      "`cmd notification post` works by hand: ");
	return false;
}

const struct ab_step_ops step_notifications = {
	.name = "notifications",
	.help = "Post a fixed set of notifications as the shell user and check "
		"that exactly these are listed.",
	.keys = keys,
	.size = sizeof(struct args),
	.check = check,
	.estimate = estimate,
	.run = run_step,
};
