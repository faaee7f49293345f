// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps that act on any app. */
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#define GONE_MS 5000
#define GONE_POLL_MS 100

struct start_args {
	char *component;
};

static const struct ab_key start_keys[] = {
	{ .name = "component",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct start_args, component),
	  .required = true,
	  .help = "Package and activity: com.example.app/.MainActivity." },
	AB_KEYS_END
};

struct package_args {
	char *package;
};

static const struct ab_key package_keys[] = {
	{ .name = "package",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct package_args, package),
	  .required = true,
	  .help = "Package of the app: com.example.app." },
	AB_KEYS_END
};

static bool check_start(void *data, const struct ab_node *node, GError **error)
{
	const struct start_args *args = data;

	return am_check_name(args->component, "component", node, error);
}

static bool check_package(void *data, const struct ab_node *node,
			  GError **error)
{
	const struct package_args *args = data;

	return am_check_name(args->package, "package", node, error);
}

static bool run_start(struct ab_scenario_run *run, const void *data,
		      GError **error)
{
	const struct start_args *args = data;
	g_autofree char *component = ab_text_shell_quote(args->component);
	g_autofree char *text =
		ab_phone_text(run->phone, &run->wait, error,
			      "am start -W -n %s 2>&1 || true", component);
	g_autofree char *problem = text ? am_problem(text, true) : NULL;

	if (text && problem)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: cannot start %s: %s; is the app installed, "
			    "and does it start by hand?",
			    run->phone->serial, args->component, problem);
	return text && !problem;
}

const struct ab_step_ops step_start_app = {
	.name = "start_app",
	.help = "Start an activity and wait until it is in front.",
	.keys = start_keys,
	.size = sizeof(struct start_args),
	.check = check_start,
	.run = run_start,
};

static bool run_force_stop(struct ab_scenario_run *run, const void *data,
			   GError **error)
{
	const struct package_args *args = data;
	struct ab_wait w = ab_wait_sub(&run->wait, GONE_MS);
	g_autofree char *what =
		g_strdup_printf("waiting until %s has stopped on %s",
				args->package, run->phone->serial);

	if (!ab_phone_do(run->phone, &w, error, "am force-stop %s",
			 args->package))
		return false;
	for (;;) {
		g_autofree char *pids =
			ab_phone_text(run->phone, &w, error, "pidof %s || true",
				      args->package);

		if (!pids)
			return false;
		if (!*g_strstrip(pids))
			return true;
		if (!ab_wait_pause(&w, GONE_POLL_MS, what, error))
			return false;
	}
}

const struct ab_step_ops step_force_stop = {
	.name = "force_stop",
	.help = "Stop an app and check that no process of it is left.",
	.keys = package_keys,
	.size = sizeof(struct package_args),
	.check = check_package,
	.run = run_force_stop,
};

static bool run_clear(struct ab_scenario_run *run, const void *data,
		      GError **error)
{
	const struct package_args *args = data;
	g_autofree char *text =
		ab_phone_text(run->phone, &run->wait, error,
			      "pm clear %s 2>&1 || true", args->package);

	if (!text)
		return false;
	if (!strcmp(g_strstrip(text), "Success"))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: `pm clear %s` says '%.200s'; is the app installed?",
		    run->phone->serial, args->package, text);
	return false;
}

const struct ab_step_ops step_clear_data = {
	.name = "clear_data",
	.help = "Delete all data of an app, results of earlier runs included.",
	.keys = package_keys,
	.size = sizeof(struct package_args),
	.check = check_package,
	.run = run_clear,
};
