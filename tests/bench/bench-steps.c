// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A scenario from the shell, without a campaign around it: what the tests in
 * tests/e2e do with a phone, and how long its steps take.
 */
#include <abrig/error.h>
#include <abrig/scenario.h>

#include <stdio.h>

static char *serial;
static int deadline_ms = 3600000;

static const GOptionEntry entries[] = {
	{ "serial", 's', 0, G_OPTION_ARG_STRING, &serial, "for adb", "S" },
	{ "deadline", 0, 0, G_OPTION_ARG_INT, &deadline_ms, "of the whole",
	  "MS" },
	{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
};

static bool part(struct ab_scenario_run *run, const char *name,
		 const GPtrArray *steps, GError **error)
{
	gint64 begin = g_get_monotonic_time();
	bool ok = ab_steps_run(run, steps, error);

	printf("%s: %u steps, %" G_GINT64_FORMAT
	       " ms, estimate %" G_GINT64_FORMAT " ms\n",
	       name, steps->len,
	       (g_get_monotonic_time() - begin) * ab_time_scale() / 1000,
	       ab_steps_estimate(steps));
	return ok;
}

static bool run(const char *name, GError **error)
{
	ab_autoptr(ab_adb) adb = ab_adb_new(0);
	ab_autoptr(ab_phone) phone = ab_phone_new(adb, NULL, serial, serial);
	ab_autoptr(ab_scenario) scenario = ab_scenario_load(name, NULL, error);
	struct ab_scenario_run r = {
		.phone = phone,
		.wait = ab_wait_in(NULL, deadline_ms),
		.scenario = scenario,
	};

	return scenario && ab_adb_start_server(adb, &r.wait, error) &&
	       ab_phone_identify(phone, &r.wait, error) &&
	       part(&r, "setup", scenario->setup, error) &&
	       part(&r, "steps", scenario->steps, error) &&
	       part(&r, "teardown", scenario->teardown, error);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new("SCENARIO");
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || !serial ||
	    argc != 2) {
		fprintf(stderr, "bench-steps: %s\n",
			error ? error->message : "see --help");
		return 2;
	}
	if (run(argv[1], &error))
		return 0;
	fflush(stdout);
	fprintf(stderr, "bench-steps: error %d: %s\n", error->code,
		error->message);
	return ab_error_exit_status(error);
}
