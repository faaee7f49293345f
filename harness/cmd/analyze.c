// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig analyze: what traces say; or a whole campaign's artefacts again. */
#include "analyze.h"
#include "cmd.h"

#include <abrig/campaign.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST_JOBS 1024
#define NARROWEST 80

struct flags {
	gboolean list, json, csv, force;
	char *samples, *window, *threads;
	int jobs;
};

static int analyze_campaign(const char *dir, bool force)
{
	struct ab_reanalysis done;
	GError *error = NULL;

	if (!ab_results_analyze(dir, force, cmd_intr(), &done, &error))
		return cmd_fail(error);
	printf("%d runs analysed, %d unchanged", done.analysed, done.unchanged);
	if (done.gone)
		printf(", %d whose artefacts are gone (they keep their values)",
		       done.gone);
	printf("; abrig report %s prints the table\n", dir);
	return 0;
}

static int analyze_campaigns(char *const *dirs, bool force)
{
	int status = 0;

	for (; *dirs; dirs++) {
		int one = analyze_campaign(*dirs, force);

		status = MAX(status, one);
	}
	return status;
}

static bool for_traces(const struct flags *flags)
{
	return flags->json || flags->csv || flags->samples || flags->window ||
	       flags->threads || flags->jobs;
}

/* All directories, or none: *@dirs_out. */
static bool check_arguments(char *const *args, const struct flags *flags,
			    bool *dirs_out, GError **error)
{
	char *const *p;

	if (!*args)
		return cmd_usage(error,
				 "name traces or a campaign's directory");
	*dirs_out = g_file_test(*args, G_FILE_TEST_IS_DIR);
	for (p = args; *p; p++)
		if (g_file_test(*p, G_FILE_TEST_IS_DIR) != *dirs_out)
			return cmd_usage(
				error,
				"%s is a directory: name either traces "
				"or campaigns' directories",
				*dirs_out ? *args : *p);
	if (*dirs_out && for_traces(flags))
		return cmd_usage(
			error,
			"%s is a directory: a campaign's artefacts are "
			"analysed with --force only; abrig report prints "
			"the results as CSV or JSON",
			*args);
	if (!*dirs_out && flags->force)
		return cmd_usage(error,
				 "--force is for a campaign's directory");
	return true;
}

static bool make_samples_dir(const char *dir, GError **error)
{
	if (g_mkdir_with_parents(dir, 0700) == 0)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot create --samples %s: %s; name another directory",
		    dir, g_strerror(errno));
	return false;
}

/* A wide terminal has room for whole tables. */
static guint terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return MAX(size.ws_col, NARROWEST);
}

static bool check_flags(const struct flags *flags, struct analyze *a,
			GError **error)
{
	if (flags->json && flags->csv)
		return cmd_usage(error, "--json or --csv, not both");
	if (flags->jobs < 0 || flags->jobs > MOST_JOBS)
		return cmd_usage(error, "--jobs %d: 1 to %d processes",
				 flags->jobs, MOST_JOBS);
	a->format = flags->json	 ? &ab_trace_format_json
		    : flags->csv ? &ab_trace_format_csv
				 : &ab_trace_format_page;
	a->parallel = flags->jobs ? (guint)flags->jobs : g_get_num_processors();
	a->samples = flags->samples;
	a->width = terminal_width();
	return true;
}

static int analyze_traces(char **files, const struct flags *flags,
			  GError **error)
{
	struct analyze a = { .files = files, .n_files = g_strv_length(files) };
	ab_autoptr(ab_thread_rules) rules = NULL;
	g_autoptr(GPtrArray) names = NULL;
	struct ab_trace_window window;

	if (!check_flags(flags, &a, error))
		return 2;
	if (flags->window) {
		if (!analyze_window(flags->window, &window, error))
			return 2;
		a.window = &window;
	}
	if (flags->threads) {
		rules = ab_thread_rules_load(flags->threads, error);
		a.rules = rules;
		if (!rules)
			return ab_error_exit_status(*error);
	}
	if (flags->samples && !make_samples_dir(flags->samples, error))
		return 3;
	names = analyze_names(files);
	a.sample_names = names;
	return analyze_files(&a);
}

static int analyze(char **args, const struct flags *flags)
{
	g_autoptr(GError) error = NULL;
	bool dirs = false;
	int status = 2;

	if (check_arguments(args, flags, &dirs, &error))
		status = dirs ? analyze_campaigns(args, flags->force)
			      : analyze_traces(args, flags, &error);
	if (error)
		fprintf(stderr, "abrig analyze: %s\n", error->message);
	return status;
}

static void clear(struct flags *flags)
{
	g_free(flags->samples);
	g_free(flags->window);
	g_free(flags->threads);
}

int cmd_analyze(int argc, char **argv)
{
	struct flags flags = { 0 };
	const GOptionEntry options[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &flags.json,
		  "everything, as one JSON document", NULL },
		{ "csv", 0, 0, G_OPTION_ARG_NONE, &flags.csv,
		  "everything, as CSV: one line per value", NULL },
		{ "samples", 0, 0, G_OPTION_ARG_FILENAME, &flags.samples,
		  "write all samples there, one CSV file per trace and "
		  "analysis",
		  "DIR" },
		{ "window", 0, 0, G_OPTION_ARG_STRING, &flags.window,
		  "measure only this, in seconds from the first event", "A:B" },
		{ "threads", 0, 0, G_OPTION_ARG_FILENAME, &flags.threads,
		  "classes of threads (abrig help threads)", "RULES" },
		{ "jobs", 0, 0, G_OPTION_ARG_INT, &flags.jobs,
		  "traces at once (default: one per CPU)", "N" },
		{ "force", 0, 0, G_OPTION_ARG_NONE, &flags.force,
		  "of a campaign's directory: also runs that are unchanged",
		  NULL },
		{ "list-metrics", 0, 0, G_OPTION_ARG_NONE, &flags.list,
		  "print name, unit, direction and definition of all metrics",
		  NULL },
		{ .long_name = NULL },
	};
	char *topic[] = { (char *)"help", (char *)"metrics", NULL };
	int status = 2;

	if (cmd_parse("analyze", options, &argc, &argv, 0, -1))
		status = flags.list ? cmd_help(2, topic)
				    : analyze(argv + 1, &flags);
	clear(&flags);
	return status;
}
