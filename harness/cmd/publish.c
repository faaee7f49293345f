// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig publish: any report, over HTTP. */
#include "cmd.h"

#include <abrig/campaign.h>
#include <abrig/log.h>
#include <abrig/publish.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_TIMEOUT_S 120
#define MAX_TIMEOUT_S 86400
#define MAX_ATTEMPTS 100

struct request {
	char *style, *url, *token_file, *header, *scheme, *cacert;
	gint timeout_s, attempts;
	gboolean insecure_http, dry_run;
	struct cmd_report_options report;
};

#define N_OPTIONS 12

static void fill_options(struct request *r, const char *help,
			 GOptionEntry *options_out)
{
	const GOptionEntry options[N_OPTIONS] = {
		{ "style", 's', 0, G_OPTION_ARG_STRING, &r->style, help,
		  "NAME" },
		{ "to", 0, 0, G_OPTION_ARG_STRING, &r->url,
		  "where it is posted", "URL" },
		{ "token-file", 0, 0, G_OPTION_ARG_FILENAME, &r->token_file,
		  "holds the token (default: $ABRIG_TOKEN)", "FILE" },
		{ "header", 0, 0, G_OPTION_ARG_STRING, &r->header,
		  "that carries the token (default: Authorization)", "NAME" },
		{ "scheme", 0, 0, G_OPTION_ARG_STRING, &r->scheme,
		  "before the token (default: Bearer; '' for none)", "WORD" },
		{ "cacert", 0, 0, G_OPTION_ARG_FILENAME, &r->cacert,
		  "certificates to trust instead of the system's", "FILE" },
		{ "insecure-http", 0, 0, G_OPTION_ARG_NONE, &r->insecure_http,
		  "allow http to other hosts than this one", NULL },
		{ "timeout", 0, 0, G_OPTION_ARG_INT, &r->timeout_s,
		  "for all attempts together (default: 120)", "SECONDS" },
		{ "attempts", 0, 0, G_OPTION_ARG_INT, &r->attempts,
		  "at most (default: 5)", "N" },
		{ "dry-run", 'n', 0, G_OPTION_ARG_NONE, &r->dry_run,
		  "print what would be sent", NULL },
		{ "redact", 0, 0, G_OPTION_ARG_NONE, &r->report.redact,
		  "hide serials, code names and directories", NULL },
		{ "kcidb-origin", 0, 0, G_OPTION_ARG_STRING, &r->report.origin,
		  "the submitter's name at KCIDB (default: abrig)", "NAME" },
	};

	memcpy(options_out, options, sizeof(options));
}

/* By the name of the file that the format would be in. */
static const char *content_type(const struct ab_report_ops *format)
{
	static const struct {
		const char *suffix, *type;
	} types[] = {
		{ ".json", "application/json" },
		{ ".csv", "text/csv; charset=utf-8" },
		{ ".xml", "application/xml" },
		{ ".html", "text/html; charset=utf-8" },
		{ ".prom", "text/plain; version=0.0.4" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		if (g_str_has_suffix(format->file, types[i].suffix))
			return types[i].type;
	return "text/plain; charset=utf-8";
}

static bool check(const struct request *r, GError **error)
{
	const char *why = NULL;

	if (!r->style)
		why = "--style is missing: what is to be sent?";
	else if (!r->url)
		why = "--to is missing: where is it to be sent?";
	else if (r->timeout_s < 1 || r->timeout_s > MAX_TIMEOUT_S)
		why = "--timeout must be 1 to 86400";
	else if (r->attempts < 1 || r->attempts > MAX_ATTEMPTS)
		why = "--attempts must be 1 to 100";
	if (why)
		g_set_error_literal(error, AB_ERROR, AB_ERROR_USAGE, why);
	return !why;
}

/* The campaign's log says who got what. */
static void note(const char *dir, const struct request *r,
		 const struct ab_publish *p,
		 const struct ab_publish_result *result)
{
	g_autofree char *path = g_build_filename(dir, "log.jsonl", NULL);
	g_autofree char *place = ab_publish_place(p->url);
	g_autofree char *key = ab_publish_key(p);

	if (!ab_log_open(path, NULL))
		return;
	ab_log("publish", AB_S("style", r->style), AB_S("to", place),
	       AB_S("sha256", key), AB_I("status", result->status),
	       AB_I("attempts", result->attempts));
	ab_log_close();
}

static bool send_it(const char *dir, const struct request *r,
		    const struct ab_publish *p, GError **error)
{
	struct ab_wait w = ab_wait_in(cmd_intr(), (gint64)r->timeout_s * 1000);
	g_autofree char *place = ab_publish_place(p->url);
	struct ab_publish_result result;
	bool ok = ab_publish_send(p, &w, &result, error);

	note(dir, r, p, &result);
	if (ok)
		printf("%s: %" G_GSIZE_FORMAT " bytes taken (HTTP status %ld, "
		       "%d attempt%s)\n",
		       place, p->length, result.status, result.attempts,
		       result.attempts == 1 ? "" : "s");
	return ok;
}

static bool show(const struct ab_publish *p, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	ab_publish_describe(p, text);
	return cmd_print(text->str, text->len, error);
}

static bool publish(const struct request *r, const char *dir, GError **error)
{
	const struct ab_report_ops *format;
	g_autofree char *text = NULL;
	g_autofree char *token = NULL;
	g_autoptr(GError) why = NULL;
	struct ab_publish p = {
		.url = r->url,
		.header = r->header ? r->header : "Authorization",
		.scheme = r->scheme ? r->scheme : "Bearer",
		.cacert = r->cacert,
		.insecure_http = r->insecure_http,
		.attempts = r->attempts,
	};

	format = check(r, error) ? cmd_report_format(r->style, error) : NULL;
	if (!format)
		return false;
	token = ab_publish_token(r->token_file, &why);
	p.token = token;
	if (why) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	/* Before the report, which may take a while. */
	if (!ab_publish_check(&p, error))
		return false;
	p.body = text = cmd_report_text(dir, format, &r->report, error);
	if (!text)
		return false;
	p.length = strlen(text);
	p.content_type = content_type(format);
	return r->dry_run ? show(&p, error) : send_it(dir, r, &p, error);
}

static void clear(struct request *r)
{
	g_free(r->style);
	g_free(r->url);
	g_free(r->token_file);
	g_free(r->header);
	g_free(r->scheme);
	g_free(r->cacert);
	g_free(r->report.origin);
}

int cmd_publish(int argc, char **argv)
{
	g_autofree char *help = cmd_styles_help();
	GOptionEntry options[N_OPTIONS + 1] = { 0 };
	struct request r = { .timeout_s = DEFAULT_TIMEOUT_S,
			     .attempts = AB_PUBLISH_ATTEMPTS };
	GError *error = NULL;
	int status = 2;

	fill_options(&r, help, options);
	if (cmd_parse("publish", options, &argc, &argv, 1, 1))
		status = publish(&r, argv[1], &error) ? 0 : cmd_fail(error);
	clear(&r);
	return status;
}
