// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers of other benchmarks, without a campaign. */
#include "compare.h"
#include "cmd.h"

#include <abrig/file.h>
#include <abrig/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 0.95
#define SEED 1

struct arguments {
	char *names[AB_IMPORT_N_ROLES], *baseline, *unit, *level, *style, *out;
	char **columns, **split, **higher, **lower, **events, **margins,
		**primary;
	gint64 seed;
	gboolean by_file, effect, plot;
};

static void clear_arguments(struct arguments *a)
{
	for (int i = 0; i < AB_IMPORT_N_ROLES; i++)
		g_free(a->names[i]);
	g_free(a->baseline);
	g_free(a->unit);
	g_free(a->level);
	g_free(a->style);
	g_free(a->out);
	g_strfreev(a->columns);
	g_strfreev(a->split);
	g_strfreev(a->higher);
	g_strfreev(a->lower);
	g_strfreev(a->events);
	g_strfreev(a->margins);
	g_strfreev(a->primary);
}

/* "95%", "0.95"; @percent: in percent also without the sign. */
static bool parse_share(const char *text, bool percent, double *value_out)
{
	g_autofree char *number = g_strdup(text);
	bool sign = g_str_has_suffix(number, "%");

	if (sign)
		number[strlen(number) - 1] = '\0';
	if (!ab_text_to_double(g_strchomp(number), value_out))
		return false;
	if (percent == sign)
		return true;
	*value_out *= percent ? 1 : 0.01;
	return true;
}

static bool parse_level(const char *text, double *level_out, GError **error)
{
	*level_out = LEVEL;
	if (!text)
		return true;
	if (parse_share(text, false, level_out) && *level_out >= 0.5 &&
	    *level_out < 1)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "--level %s: expected from 50%% to below 100%%", text);
	return false;
}

/* "5%", or "metric=5%" */
static bool parse_margins(char **texts, GArray *margins, GError **error)
{
	for (; texts && *texts; texts++) {
		char *equal = strrchr(*texts, '=');
		struct compare_margin margin = { .metric = equal ? *texts
								 : NULL };

		if (!parse_share(equal ? equal + 1 : *texts, true,
				 &margin.pct) ||
		    !(margin.pct > 0)) {
			g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
				    "--margin %s: expected as 5%% or "
				    "METRIC=5%%",
				    *texts);
			return false;
		}
		if (equal)
			*equal = '\0';
		g_array_append_val(margins, margin);
	}
	return true;
}

/* A name on the command line that fits nothing is a mistake. */
static bool check_name(const struct ab_import *import, const char *option,
		       const char *name, GError **error)
{
	const GPtrArray *metrics = ab_import_metrics(import);

	for (guint i = 0; name && i < metrics->len; i++) {
		struct ab_import_metric *m = metrics->pdata[i];

		if (compare_is(&m->metric, name))
			return true;
	}
	if (name)
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "%s: there is no metric '%s'", option, name);
	return !name;
}

static bool check_names(const struct ab_import *import,
			const struct compare_request *request, GError **error)
{
	const char *const *p = request->primary;

	for (guint i = 0; i < request->margins->len; i++) {
		const struct compare_margin *margin = &g_array_index(
			request->margins, struct compare_margin, i);

		if (!check_name(import, "--margin", margin->metric, error))
			return false;
	}
	for (; p && *p; p++)
		if (!check_name(import, "--primary", *p, error))
			return false;
	return true;
}

static struct ab_import_options import_options(const struct arguments *a)
{
	struct ab_import_options o = {
		.columns = (const char *const *)a->columns,
		.split = (const char *const *)a->split,
		.higher = (const char *const *)a->higher,
		.lower = (const char *const *)a->lower,
		.events = (const char *const *)a->events,
		.unit = a->unit,
		.by_file = a->by_file,
	};

	for (int i = 0; i < AB_IMPORT_N_ROLES; i++)
		o.names[i] = a->names[i];
	return o;
}

static bool write_report(const struct ab_import *import, const GPtrArray *files,
			 const struct compare_request *request,
			 const struct arguments *a, GError **error)
{
	const struct ab_report_ops *format =
		cmd_report_format(a->style ? a->style : "rows", error);
	g_autoptr(GString) text = g_string_new(NULL);
	struct compare_report report;

	if (!format)
		return false;
	compare_report_fill(&report, import, files, request);
	format->write(&report.report, text);
	if (a->plot)
		compare_plot(import, &report, request->level, text);
	compare_report_clear(&report);
	if (a->out &&
	    !ab_file_write(a->out, text->str, (gssize)text->len, error))
		return false;
	return cmd_print(text->str, text->len, error);
}

static bool compare(char **paths, const struct arguments *a,
		    const char *command, GError **error)
{
	const struct ab_import_options options = import_options(a);
	ab_autoptr(ab_import) import = ab_import_new(&options);
	g_autoptr(GArray) margins =
		g_array_new(FALSE, FALSE, sizeof(struct compare_margin));
	g_autoptr(GPtrArray) files = NULL;
	struct compare_request request = {
		.seed = (guint64)a->seed,
		.margins = margins,
		.primary = (const char *const *)a->primary,
		.effects = a->effect,
		.command = command,
	};

	if (!parse_level(a->level, &request.level, error) ||
	    !parse_margins(a->margins, margins, error))
		return false;
	files = compare_files(paths, error);
	return files && compare_read(files, import, error) &&
	       ab_import_finish(import, a->baseline, error) &&
	       check_names(import, &request, error) &&
	       write_report(import, files, &request, a, error);
}

static char *command_of(int argc, char **argv)
{
	GString *s = g_string_new("regenerate: abrig");

	for (int i = 0; i < argc; i++) {
		g_autofree char *word = ab_text_shell_quote(argv[i]);

		g_string_append_printf(s, " %s", word);
	}
	return g_string_free(s, FALSE);
}

static bool has_text_style(const struct arguments *a)
{
	return !a->style || !strcmp(a->style, "rows") ||
	       !strcmp(a->style, "grid");
}

/* Wrong input is the user's to mend: 2, as a wrong plan is. */
static int finish(GError *error)
{
	bool input = g_error_matches(error, AB_ERROR, AB_ERROR_DATA);
	int status = cmd_fail(error);

	return input ? 2 : status;
}

#define NAMED(role, option, what)                                              \
	{                                                                      \
		option, 0, 0, G_OPTION_ARG_STRING, &a.names[AB_IMPORT_##role], \
			"column or key " what, "NAME"                          \
	}
#define EACH(option, variable, help)                                        \
	{                                                                   \
		option, 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.variable, help, \
			"NAME"                                              \
	}
#define TEXT(option, letter, variable, help, word)                         \
	{                                                                  \
		option, letter, 0, G_OPTION_ARG_STRING, &a.variable, help, \
			word                                               \
	}

int cmd_compare(int argc, char **argv)
{
	struct arguments a = { .seed = SEED };
	g_autofree char *styles = cmd_styles_help();
	g_autofree char *command = command_of(argc, argv);
	const GOptionEntry options[] = {
		NAMED(VARIANT, "by", "that tells the variants apart"),
		NAMED(VARIANT, "variant-column", "the same"),
		{ "by-file", 0, 0, G_OPTION_ARG_NONE, &a.by_file,
		  "each file is a variant, whatever columns there are", NULL },
		TEXT("baseline", 'b', baseline,
		     "variant to compare with (default: the first)", "NAME"),
		EACH("column", columns,
		     "column of numbers, by name or from 1; may be repeated"),
		NAMED(METRIC, "metric-column", "with the metric's name"),
		NAMED(VALUE, "value-column", "with the number"),
		NAMED(UNIT, "unit-column", "with the unit"),
		NAMED(WORKLOAD, "workload-column", "with the workload"),
		NAMED(DEVICE, "device-column", "with the device"),
		NAMED(BLOCK, "block-column", "with the block"),
		NAMED(BOOT, "boot-column", "with the boot"),
		NAMED(RUN, "run-column", "with the run"),
		EACH("split", split,
		     "column or key that makes metrics of their own"),
		EACH("higher", higher, "metric of which more is better"),
		EACH("lower", lower, "metric of which less is better"),
		EACH("events", events, "metric that counts events"),
		TEXT("unit", 0, unit, "unit where the input tells none",
		     "TEXT"),
		TEXT("level", 0, level, "of the intervals (default: 95%)", "P"),
		EACH("primary", primary,
		     "metric whose verdict is protected from the others"),
		EACH("margin", margins,
		     "that counts as equivalent: 5%, or METRIC=5%"),
		{ "seed", 0, 0, G_OPTION_ARG_INT64, &a.seed,
		  "of resampling (default: 1)", "N" },
		{ "effect", 0, 0, G_OPTION_ARG_NONE, &a.effect,
		  "also rank tests, shifts and Cliff's delta", NULL },
		{ "plot", 0, 0, G_OPTION_ARG_NONE, &a.plot,
		  "also a dot plot of each metric", NULL },
		TEXT("style", 's', style, styles, "NAME"),
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &a.out,
		  "file to write as well", "FILE" },
		{ .long_name = NULL },
	};
	GError *error = NULL;
	int status = 2;

	if (!cmd_parse("compare", options, &argc, &argv, 1, -1))
		goto out;
	if (a.plot && !has_text_style(&a)) {
		fputs("abrig compare: --plot is for the styles rows and grid\n",
		      stderr);
		goto out;
	}
	status = compare(argv + 1, &a, command, &error) ? 0 : finish(error);
out:
	clear_arguments(&a);
	return status;
}
