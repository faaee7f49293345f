// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig aa: a kernel against itself, and what is on record of that. */
#include "cmd.h"

#include <abrig/aa_report.h>
#include <abrig/campaign.h>
#include <abrig/log.h>
#include <stdio.h>
#include <string.h>

struct flags {
	struct cmd_execution execution;
	char *device;
	gboolean json;
};

static void free_summary(gpointer summary)
{
	ab_aa_summary_free(summary);
}

static void add_name(GString *names, const struct ab_aa_summary *s, bool add)
{
	if (add)
		g_string_append_printf(names, "%s%s", names->len ? ", " : "",
				       s->serial);
}

/*
 * Prints @summaries; false, with @error, when one of them failed or has files
 * that cannot be read.
 */
static bool print(const GPtrArray *summaries, bool json, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) failed = g_string_new(NULL);
	g_autoptr(GString) damaged = g_string_new(NULL);

	if (json)
		ab_aa_json(summaries, out);
	for (guint i = 0; i < summaries->len; i++) {
		const struct ab_aa_summary *s = summaries->pdata[i];

		if (!json)
			ab_aa_page(s, out);
		add_name(failed, s, s->failed);
		add_name(damaged, s, *s->problems);
	}
	if (!cmd_print(out->str, out->len, error))
		return false;
	if (!failed->len && damaged->len)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "not all of the record of %s can be read",
			    damaged->str);
	if (!failed->len)
		return !damaged->len;
	g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
		    "the A/A of %s failed; docs/HOWTO-aa.md says what to look "
		    "for",
		    failed->str);
	return false;
}

/* ---- what is on record ---- */

static bool list(const struct flags *f, GError **error)
{
	g_autofree char *dir = ab_aa_dir();
	g_autoptr(GPtrArray) records = ab_aa_records(dir, error);
	g_autoptr(GPtrArray) summaries =
		g_ptr_array_new_with_free_func(free_summary);

	for (guint i = 0; records && i < records->len; i++) {
		const struct ab_aa_record *record = records->pdata[i];

		if (!f->device || !strcmp(f->device, record->serial))
			g_ptr_array_add(summaries, ab_aa_judge(record));
	}
	if (!records)
		return false;
	if (summaries->len == 0 && !f->json) {
		printf("no A/A on record%s%s in %s; abrig aa PLAN makes one\n",
		       f->device ? " for " : "", f->device ? f->device : "",
		       dir);
		return true;
	}
	return print(summaries, f->json, error);
}

/* ---- a campaign ---- */

static bool record_night(const struct ab_aa_night *night, const char *dir,
			 GPtrArray *summaries, GError **error)
{
	ab_autoptr(ab_aa_record) record = NULL;
	g_autofree char *path = NULL;

	if (night->tests->len == 0) {
		ab_warn("A/A of %s: not enough blocks: nothing is tested, and "
			"nothing recorded; schedule.blocks must be at least %d",
			night->serial, AB_AA_MIN_BLOCKS);
		return true;
	}
	if (!ab_aa_record_put(dir, night, &path, error))
		return false;
	fprintf(stderr, "recorded %s\n", path);
	record = ab_aa_record_load(dir, night->serial, error);
	if (record)
		g_ptr_array_add(summaries, ab_aa_judge(record));
	return record;
}

static bool evaluate(const struct flags *f, const char *campaign,
		     GError **error)
{
	g_autofree char *dir = ab_aa_dir();
	g_autoptr(GPtrArray) nights = ab_aa_evaluate(campaign, error);
	g_autoptr(GPtrArray) summaries =
		g_ptr_array_new_with_free_func(free_summary);

	if (!nights)
		return false;
	for (guint i = 0; i < nights->len; i++) {
		const struct ab_aa_night *night = nights->pdata[i];

		if (f->device && strcmp(f->device, night->serial) != 0)
			continue;
		if (!record_night(night, dir, summaries, error))
			return false;
	}
	if (summaries->len > 0)
		return print(summaries, f->json, error);
	g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
		    "%s: no device has enough blocks for an A/A", campaign);
	return false;
}

/* The night is not recorded when runs are missing: it may go on. */
static int execute(struct flags *f, const char *plan)
{
	int status;

	f->execution.again = true;
	status = cmd_execute(&f->execution, plan);
	if (status == 1 && f->execution.dir)
		fprintf(stderr,
			"not recorded; abrig aa %s records what is "
			"there\n",
			f->execution.dir);
	return status;
}

static bool check(const struct flags *f, const char *argument, GError **error)
{
	const struct cmd_execution *e = &f->execution;
	bool plan = argument && !g_file_test(argument, G_FILE_TEST_IS_DIR);

	if (!plan && (e->dir || e->port || e->plain)) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--directory, --adb-port and --plain go with a "
			    "plan; see abrig aa --help");
		return false;
	}
	if (!plan || (!f->device && !f->json))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "--device and --json go with what is on record, or a "
		    "campaign's directory; see abrig aa --help");
	return false;
}

static int answer(struct flags *f, const char *argument)
{
	GError *error = NULL;
	const char *campaign = argument;
	bool ok;

	if (!check(f, argument, &error))
		return cmd_fail(error);
	if (argument && !g_file_test(argument, G_FILE_TEST_IS_DIR)) {
		int status = execute(f, argument);

		if (status != 0)
			return status;
		campaign = f->execution.dir;
	}
	ok = campaign ? evaluate(f, campaign, &error) : list(f, &error);
	return ok ? 0 : cmd_fail(error);
}

int cmd_aa(int argc, char **argv)
{
	struct flags f = { 0 };
	GOptionEntry options[CMD_EXECUTION_OPTIONS + 3];
	int status = 2;

	cmd_execution_options(&f.execution, options);
	options[CMD_EXECUTION_OPTIONS] =
		(GOptionEntry){ "device",  0,
				0,	   G_OPTION_ARG_STRING,
				&f.device, "only this device's record",
				"SERIAL" };
	options[CMD_EXECUTION_OPTIONS + 1] =
		(GOptionEntry){ "json",	 0,	    0,	 G_OPTION_ARG_NONE,
				&f.json, "as JSON", NULL };
	options[CMD_EXECUTION_OPTIONS + 2] =
		(GOptionEntry){ .long_name = NULL };
	if (cmd_parse("aa", options, &argc, &argv, 0, 1))
		status = answer(&f, argc > 1 ? argv[1] : NULL);
	g_free(f.execution.dir);
	g_free(f.device);
	return status;
}
