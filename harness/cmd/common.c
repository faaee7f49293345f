// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

#include <abrig/campaign.h>
#include <abrig/file.h>
#include <abrig/redact.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static struct ab_intr *intr;

static void on_signal(int signal)
{
	(void)signal;
	ab_intr_trigger(intr);
}

struct ab_intr *cmd_intr(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	if (intr)
		return intr;
	intr = ab_intr_new();
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	/* A write to a closed pipe is an error where it happens. */
	signal(SIGPIPE, SIG_IGN);
	return intr;
}

bool cmd_parse(const char *name, const GOptionEntry *options, int *argc,
	       char ***argv, int min, int max)
{
	GOptionContext *context = g_option_context_new(NULL);
	g_autofree char *program = g_strdup_printf("abrig %s", name);
	g_autoptr(GError) why = NULL;
	bool ok;

	g_set_prgname(program);
	g_option_context_add_main_entries(context, options, NULL);
	ok = g_option_context_parse(context, argc, argv, &why);
	g_option_context_free(context);
	if (ok && *argc - 1 >= min && (max < 0 || *argc - 1 <= max))
		return true;
	fprintf(stderr, "abrig %s: %s; see abrig %s --help\n", name,
		ok ? "wrong number of arguments" : why->message, name);
	return false;
}

int cmd_fail(GError *error)
{
	int status = ab_error_exit_status(error);

	fprintf(stderr, "abrig: %s\n", error->message);
	g_error_free(error);
	return status;
}

bool cmd_usage(GError **error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_propagate_error(error, g_error_new_valist(AB_ERROR, AB_ERROR_USAGE,
						    format, ap));
	va_end(ap);
	return false;
}

bool cmd_print(const char *text, size_t n, GError **error)
{
	/* A write that failed before is remembered by the stream. */
	if (fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0 &&
	    !ferror(stdout))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot print the results: %s", g_strerror(errno));
	return false;
}

char *cmd_styles_help(void)
{
	const struct ab_report_ops *const *f;
	GString *s = g_string_new("style:");

	for (f = ab_report_formats; *f; f++)
		g_string_append_printf(s, " %s (%s);", (*f)->name, (*f)->help);
	return g_string_free(s, FALSE);
}

const struct ab_report_ops *cmd_report_format(const char *style, GError **error)
{
	const struct ab_report_ops *const *f;
	g_autoptr(GString) names = g_string_new(NULL);

	if (ab_report_find(style))
		return ab_report_find(style);
	for (f = ab_report_formats; *f; f++)
		g_string_append_printf(names, " %s", (*f)->name);
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "'%s' is no report style; there are:%s", style, names->str);
	return NULL;
}

/* The option, else the environment; NULL: neither. */
static bool find_origin(const struct cmd_report_options *o,
			const char **origin_out, GError **error)
{
	const char *origin =
		o->origin ? o->origin : g_getenv("ABRIG_KCIDB_ORIGIN");

	*origin_out = origin;
	if (!origin || ab_report_origin_valid(origin))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "'%s' is no origin of KCIDB: lower case letters, digits "
		    "and _ only",
		    origin);
	return false;
}

static void write_redacted(const struct ab_report *report,
			   const struct ab_report_ops *format, GString *out)
{
	ab_autoptr(ab_secrets) secrets = ab_secrets_new(report);
	struct ab_report *redacted = ab_report_redact(report, secrets);

	format->write(redacted, out);
	ab_report_redacted_free(redacted);
	ab_secrets_hide(secrets, out);
}

char *cmd_report_text(const char *dir, const struct ab_report_ops *format,
		      const struct cmd_report_options *options, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct ab_report *report;
	const char *origin;

	if (!find_origin(options, &origin, error))
		return NULL;
	report = ab_results_load(dir, error);
	if (!report)
		return NULL;
	report->with_effects = options->effects;
	report->origin = origin;
	if (options->redact)
		write_redacted(report, format, text);
	else
		format->write(report, text);
	ab_results_free(report);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* What is for strangers does not replace what is not. */
static char *default_path(const char *dir, const struct ab_report_ops *format,
			  const struct cmd_report_options *options)
{
	g_autofree char *name = g_strconcat(options->redact ? "redacted-" : "",
					    format->file, NULL);

	return g_build_filename(dir, name, NULL);
}

bool cmd_write_report(const char *dir, const char *style, const char *out,
		      const struct cmd_report_options *options, GError **error)
{
	const struct ab_report_ops *format = cmd_report_format(style, error);
	g_autofree char *text = NULL;
	g_autofree char *path = NULL;

	if (!format)
		return false;
	text = cmd_report_text(dir, format, options, error);
	if (!text)
		return false;
	path = out ? g_strdup(out) : default_path(dir, format, options);
	if (!ab_file_write(path, text, -1, error))
		return false;
	return cmd_print(text, strlen(text), error);
}
