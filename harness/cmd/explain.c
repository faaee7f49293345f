// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig explain: why frames were missed. */
#include "cmd.h"

#include <abrig/campaign.h>
#include <abrig/text.h>
#include <abrig/trace.h>
#include <abrig/why_report.h>
#include <math.h>
#include <stdio.h>

#define TRACE_FILE "trace.pftrace"
#define DATABASE "campaign.db"

struct flags {
	char *frame, *threads, *threshold;
	char **apps;
	gboolean worst, json;
};

static gint64 overrun(const struct ab_why_frame *f)
{
	return f->deadline_ns < 0 || f->not_explained
		       ? G_MININT64
		       : f->end_ns - f->deadline_ns;
}

static const struct ab_why_frame *worst(const struct ab_why *why)
{
	const struct ab_why_frame *found = NULL;
	guint i;

	for (i = 0; i < why->frames->len; i++) {
		const struct ab_why_frame *f = why->frames->pdata[i];

		if (!found || overrun(f) > overrun(found))
			found = f;
	}
	return found;
}

/* By token, else by number from 1. */
static const struct ab_why_frame *named(const struct ab_why *why,
					const char *name)
{
	gint64 n;
	guint i;

	if (!ab_text_to_int(name, &n))
		return NULL;
	for (i = 0; i < why->frames->len; i++) {
		const struct ab_why_frame *f = why->frames->pdata[i];

		if (f->token == n)
			return f;
	}
	return n >= 1 && n <= why->frames->len ? why->frames->pdata[n - 1]
					       : NULL;
}

/* Into *@frame_out the frame that is asked for; NULL: all. */
static bool choose(const struct ab_why *why, const struct flags *flags,
		   const struct ab_why_frame **frame_out, GError **error)
{
	*frame_out = NULL;
	if (flags->worst)
		*frame_out = worst(why);
	else if (flags->frame)
		*frame_out = named(why, flags->frame);
	if (*frame_out || (!flags->frame && !flags->worst))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "no such missed frame: there are %u; abrig explain "
		    "without --frame lists them",
		    why->frames->len);
	return false;
}

static bool threshold_of(const struct flags *flags, gint64 *ns_out,
			 GError **error)
{
	double ms;

	*ns_out = 0;
	if (!flags->threshold)
		return true;
	if (!ab_text_to_double(flags->threshold, &ms) || !(ms >= 1) ||
	    ms > 1000)
		return cmd_usage(error,
				 "--threshold '%s': 1 to 1000, in ms (shorter "
				 "waits are not kept)",
				 flags->threshold);
	*ns_out = (gint64)rint(ms * 1e6);
	return true;
}

/* @apps NULL: the processes that draw on any phone. */
static bool explain_trace(const char *path, const struct flags *flags,
			  char **apps, GString *out, GError **error)
{
	ab_autoptr(ab_thread_rules) rules = NULL;
	ab_autoptr(ab_trace) trace = NULL;
	ab_autoptr(ab_why) why = NULL;
	const struct ab_why_frame *frame;
	struct ab_trace_options options = {
		.ui_processes = (const char *const *)apps,
	};
	gint64 threshold_ns;

	if (!threshold_of(flags, &threshold_ns, error))
		return false;
	if (flags->threads) {
		rules = ab_thread_rules_load(flags->threads, error);
		options.rules = rules;
		if (!rules)
			return false;
	}
	trace = ab_trace_open(path, NULL, NULL, error);
	if (!trace)
		return false;
	why = ab_trace_why(trace, &options, threshold_ns);
	if (!choose(why, flags, &frame, error))
		return false;
	if (flags->json)
		ab_why_json(why, frame, path, out);
	else if (frame)
		ab_why_chain(why, frame, path, out);
	else
		ab_why_list(why, path, out);
	return true;
}

/* As the run's own analysis saw it: with the processes of its scenario. */
static bool explain_run(const char *dir, const struct flags *flags,
			GString *out, GError **error)
{
	g_autofree char *trace = g_build_filename(dir, TRACE_FILE, NULL);
	ab_autoptr(ab_scenario) scenario = NULL;

	if (!flags->apps && !ab_results_scenario(dir, &scenario, error))
		return false;
	return explain_trace(trace, flags,
			     scenario ? scenario->processes : flags->apps, out,
			     error);
}

static bool explain_campaign(const char *dir, const struct flags *flags,
			     GString *out, GError **error)
{
	struct ab_report *report;

	if (flags->frame || flags->worst || flags->json || flags->threads ||
	    flags->threshold || flags->apps)
		return cmd_usage(
			error,
			"%s is a campaign: what its runs stored is "
			"summed up without options; name one of its runs",
			dir);
	report = ab_results_load(dir, error);
	if (!report)
		return false;
	ab_why_campaign(report, dir, out);
	ab_results_free(report);
	return true;
}

/* A campaign, a run's directory, or a trace. */
static bool explain(const char *path, const struct flags *flags, GString *out,
		    GError **error)
{
	g_autofree char *database = g_build_filename(path, DATABASE, NULL);

	if (flags->frame && flags->worst)
		return cmd_usage(error, "--frame or --worst, not both");
	if (g_file_test(database, G_FILE_TEST_EXISTS))
		return explain_campaign(path, flags, out, error);
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return explain_run(path, flags, out, error);
	return explain_trace(path, flags, flags->apps, out, error);
}

static void clear(struct flags *flags)
{
	g_free(flags->frame);
	g_free(flags->threads);
	g_free(flags->threshold);
	g_strfreev(flags->apps);
}

int cmd_explain(int argc, char **argv)
{
	struct flags flags = { 0 };
	const GOptionEntry options[] = {
		{ "frame", 'f', 0, G_OPTION_ARG_STRING, &flags.frame,
		  "the chain of one frame, by its token or its number in the "
		  "list",
		  "TOKEN|N" },
		{ "worst", 'w', 0, G_OPTION_ARG_NONE, &flags.worst,
		  "the chain of the frame that was latest", NULL },
		{ "json", 0, 0, G_OPTION_ARG_NONE, &flags.json,
		  "everything, as one JSON document", NULL },
		{ "threshold", 0, 0, G_OPTION_ARG_STRING, &flags.threshold,
		  "waits that are as long count (default: 2)", "MS" },
		{ "app", 0, 0, G_OPTION_ARG_STRING_ARRAY, &flags.apps,
		  "the app's process, with * and ?; may be repeated",
		  "PROCESS" },
		{ "threads", 0, 0, G_OPTION_ARG_FILENAME, &flags.threads,
		  "classes of threads (abrig help threads)", "RULES" },
		{ .long_name = NULL },
	};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = 2;

	if (cmd_parse("explain", options, &argc, &argv, 1, 1)) {
		status = explain(argv[1], &flags, out, &error) &&
					 cmd_print(out->str, out->len, &error)
				 ? 0
				 : cmd_fail(error);
	}
	clear(&flags);
	return status;
}
