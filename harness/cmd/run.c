// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig run: execute a plan; abrig worker: one device of it. */
#include "cmd.h"

#include <abrig/aa.h>
#include <abrig/campaign.h>
#include <abrig/error.h>
#include <abrig/log.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define STATUS_FD 3

static char *default_dir(const struct ab_plan *plan)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");

	return g_strdup_printf("out/%s-%s", plan->name, stamp);
}

/* What is there is reported, also when the campaign did not end well. */
static int finish(const char *dir, GError *error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *db = g_build_filename(dir, "campaign.db", NULL);
	const struct cmd_report_options options = { 0 };

	if (g_file_test(db, G_FILE_TEST_EXISTS)) {
		if (!cmd_write_report(dir, "rows", NULL, &options, &why))
			ab_warn("no report: %s", why->message);
		else
			fprintf(stderr, "campaign %s, report %s/report.txt\n",
				dir, dir);
	}
	return error ? cmd_fail(error) : 0;
}

/* Workers are this program again. */
static char *own_path(GError **error)
{
	g_autoptr(GError) why = NULL;
	char *path = g_file_read_link("/proc/self/exe", &why);

	if (!path)
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot find this program: %s; is /proc mounted?",
			    why->message);
	return path;
}

void cmd_execution_options(struct cmd_execution *e, GOptionEntry *options_out)
{
	const GOptionEntry options[] = {
		{ "directory", 'C', 0, G_OPTION_ARG_FILENAME, &e->dir,
		  "the campaign's directory, new or to go on with "
		  "(default: out/<plan>-<time>)",
		  "DIR" },
		{ "plain", 0, 0, G_OPTION_ARG_NONE, &e->plain,
		  "progress as plain lines, also on a terminal", NULL },
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &e->port,
		  "port of the adb server (default: ANDROID_ADB_SERVER_PORT, "
		  "else 5037)",
		  "N" },
		{ .long_name = NULL },
	};

	G_STATIC_ASSERT(G_N_ELEMENTS(options) == CMD_EXECUTION_OPTIONS + 1);
	memcpy(options_out, options, sizeof(options));
}

static struct ab_plan *load_plan(const char *path, bool again, GError **error)
{
	ab_autoptr(ab_plan) plan = ab_plan_load(path, error);

	if (!plan || (again && !ab_plan_again(plan, error)))
		return NULL;
	return g_steal_pointer(&plan);
}

int cmd_execute(struct cmd_execution *e, const char *path)
{
	GError *error = NULL;
	ab_autoptr(ab_plan) plan = load_plan(path, e->again, &error);
	g_autofree char *program = plan ? own_path(&error) : NULL;
	struct ab_campaign_options o = { 0 };

	if (!program)
		return cmd_fail(error);
	if (e->again && plan->schedule.blocks < AB_AA_MIN_BLOCKS)
		ab_warn("%s: not enough blocks for an A/A: nothing will be "
			"tested; schedule.blocks must be at least %d",
			path, AB_AA_MIN_BLOCKS);
	if (!e->dir)
		e->dir = default_dir(plan);
	o.dir = e->dir;
	o.progress = !e->plain && isatty(STDERR_FILENO);
	o.program = program;
	o.adb_port = e->port;
	ab_campaign_run(plan, &o, cmd_intr(), &error);
	/* Somebody else's campaign, or another plan's: nothing of ours. */
	if (error && ab_error_exit_status(error) == 2)
		return cmd_fail(error);
	return finish(e->dir, error);
}

int cmd_run(int argc, char **argv)
{
	struct cmd_execution e = { 0 };
	GOptionEntry options[CMD_EXECUTION_OPTIONS + 1];
	int status = 2;

	cmd_execution_options(&e, options);
	if (cmd_parse("run", options, &argc, &argv, 1, 1))
		status = cmd_execute(&e, argv[1]);
	g_free(e.dir);
	return status;
}

int cmd_worker(int argc, char **argv)
{
	g_autofree char *dir = NULL;
	g_autofree char *serial = NULL;
	gboolean again = FALSE;
	gint port = 0;
	const GOptionEntry options[] = {
		{ "dir", 0, 0, G_OPTION_ARG_FILENAME, &dir, "", "DIR" },
		{ "serial", 0, 0, G_OPTION_ARG_STRING, &serial, "", "SERIAL" },
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &port, "", "N" },
		{ "again", 0, 0, G_OPTION_ARG_NONE, &again, "", NULL },
		{ .long_name = NULL },
	};
	struct ab_worker_options o = { .status_fd = STATUS_FD };
	ab_autoptr(ab_plan) plan = NULL;
	GError *error = NULL;

	if (!cmd_parse("worker", options, &argc, &argv, 1, 1) || !dir ||
	    !serial)
		return 2;
	cmd_intr();
	/* The supervisor may have been killed before we asked to be told. */
	if (getppid() == 1)
		return 130;
	plan = load_plan(argv[1], again, &error);
	if (!plan)
		return cmd_fail(error);
	o.dir = dir;
	o.serial = serial;
	o.adb_port = port;
	/* The supervisor prints the error: it came over the pipe. */
	if (ab_worker_run(plan, &o, cmd_intr(), &error))
		return 0;
	return ab_error_exit_status(error);
}
