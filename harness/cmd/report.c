// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"
#include "report_mail.h"

#include <abrig/report.h>
#include <string.h>

struct request {
	char *style, *out, *cover;
	gboolean mbox;
	struct cmd_report_options options;
	struct report_mail mail;
};

#define N_OPTIONS 9

static void fill_options(struct request *r, const char *help,
			 GOptionEntry *options_out)
{
	const GOptionEntry options[N_OPTIONS] = {
		{ "style", 's', 0, G_OPTION_ARG_STRING, &r->style, help,
		  "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &r->out,
		  "file to write (default: in the campaign's directory)",
		  "FILE" },
		{ "effect", 0, 0, G_OPTION_ARG_NONE, &r->options.effects,
		  "also Wilcoxon's p, Hodges-Lehmann shift, Cliff's delta",
		  NULL },
		{ "redact", 0, 0, G_OPTION_ARG_NONE, &r->options.redact,
		  "hide serials, code names and directories", NULL },
		{ "kcidb-origin", 0, 0, G_OPTION_ARG_STRING, &r->options.origin,
		  "the submitter's name at KCIDB (default: abrig)", "NAME" },
		{ "into-cover", 0, 0, G_OPTION_ARG_FILENAME, &r->cover,
		  "fill the marked block of this cover letter", "FILE" },
		{ "mbox", 0, 0, G_OPTION_ARG_NONE, &r->mbox,
		  "write a mail for git send-email", NULL },
		{ "reply-to", 0, 0, G_OPTION_ARG_FILENAME, &r->mail.reply_to,
		  "the mail that it answers (implies --mbox)", "FILE" },
		{ "from", 0, 0, G_OPTION_ARG_STRING, &r->mail.from,
		  "its sender (default: git's user, or $EMAIL)", "ADDRESS" },
	};

	memcpy(options_out, options, sizeof(options));
}

static bool check(const struct request *r, const struct ab_report_ops *format,
		  GError **error)
{
	if (r->cover && (r->mbox || r->out))
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--into-cover does not go with %s",
			    r->mbox ? "--mbox" : "--output");
	else if (!r->mbox && r->mail.from)
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--from is for --mbox");
	else if (!g_str_has_suffix(format->file, ".txt"))
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "style %s is no text for a mail", format->name);
	else
		return true;
	return false;
}

static bool write_mail(struct request *r, const char *dir, GError **error)
{
	const struct ab_report_ops *format = cmd_report_format(r->style, error);
	g_autofree char *text = NULL;

	if (!format || !check(r, format, error))
		return false;
	text = cmd_report_text(dir, format, &r->options, error);
	if (!text)
		return false;
	r->mail.out = r->out;
	return r->cover ? report_into_cover(r->cover, text, error)
			: report_mbox(&r->mail, text, error);
}

static bool write_report(struct request *r, const char *dir, GError **error)
{
	if (!r->style)
		r->style = g_strdup("rows");
	r->mbox |= r->mail.reply_to != NULL;
	if (r->cover || r->mbox || r->mail.from)
		return write_mail(r, dir, error);
	return cmd_write_report(dir, r->style, r->out, &r->options, error);
}

static void clear(struct request *r)
{
	g_free(r->style);
	g_free(r->out);
	g_free(r->cover);
	g_free(r->options.origin);
	g_free(r->mail.reply_to);
	g_free(r->mail.from);
}

int cmd_report(int argc, char **argv)
{
	g_autofree char *help = cmd_styles_help();
	GOptionEntry options[N_OPTIONS + 1] = { 0 };
	struct request r = { 0 };
	GError *error = NULL;
	int status = 2;

	fill_options(&r, help, options);
	if (cmd_parse("report", options, &argc, &argv, 1, 1))
		status =
			write_report(&r, argv[1], &error) ? 0 : cmd_fail(error);
	clear(&r);
	return status;
}
