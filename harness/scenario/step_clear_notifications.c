// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>

#define CLEARED_MS 5000
#define TRY_MS 2000

struct args {
	char *tag;
};

static const struct ab_key keys[] = { NOTIFY_TAG_KEY(struct args),
				      AB_KEYS_END };

/*
 * Android has no command for it.  The first transaction of the service is
 * cancelAllNotifications(package, user) in the releases known; where it is
 * another one the list tells, and the package is stopped instead.
 */
static const char *const routes[] = {
	"service call notification 1 s16 com.android.shell i32 0",
	"am force-stop com.android.shell",
	NULL,
};

static bool check(void *data, const struct ab_node *node, GError **error)
{
	const struct args *args = data;

	return notify_check_tag(args->tag, node, error);
}

static bool take_route(struct ab_scenario_run *run, const char *route,
		       GError **error)
{
	g_autofree char *command = shell_user_command(run, route, error);

	return command && ab_phone_do(run->phone, &run->wait, error,
				      "%s || true", command);
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *args = data;
	const char *const *route;
	guint32 set;

	if (!notify_list(run, args->tag, &set, error))
		return false;
	for (route = routes; set && *route; route++) {
		bool last = !route[1];

		if (!take_route(run, *route, error))
			return false;
		if (notify_wait(run, args->tag, 0, last ? CLEARED_MS : TRY_MS,
				last ? error : NULL))
			return true;
		if (!last && !ab_wait_check(&run->wait,
					    "clearing "
					    "notifications",
					    error))
			return false;
	}
	if (set)
		g_prefix_error(error, "swipe the notifications away by hand: "
				      "neither `service call notification 1` "
				      "nor stopping com.android.shell removes "
				      "them on this Android: ");
	return !set;
}

const struct ab_step_ops step_clear_notifications = {
	.name = "clear_notifications",
	.help = "Remove the notifications that an earlier step or run posted "
		"and check that none is left.",
	.keys = keys,
	.size = sizeof(struct args),
	.check = check,
	.run = run_step,
};
