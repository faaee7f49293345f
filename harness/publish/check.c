// SPDX-License-Identifier: GPL-3.0-or-later
/* What is refused before anything is sent. */
#include "publish.h"

#include <abrig/error.h>
#include <curl/curl.h>
#include <gio/gio.h>
#include <string.h>

#define MAX_TOKEN 8192

struct place {
	char *scheme, *host, *port, *path, *user;
};

static void place_clear(struct place *p)
{
	curl_free(p->scheme);
	curl_free(p->host);
	curl_free(p->port);
	curl_free(p->path);
	curl_free(p->user);
}

static bool place_init(struct place *p, const char *text)
{
	CURLU *url = curl_url();
	bool ok = !curl_url_set(url, CURLUPART_URL, text, 0) &&
		  !curl_url_get(url, CURLUPART_SCHEME, &p->scheme, 0) &&
		  !curl_url_get(url, CURLUPART_HOST, &p->host, 0) &&
		  !curl_url_get(url, CURLUPART_PORT, &p->port,
				CURLU_DEFAULT_PORT) &&
		  !curl_url_get(url, CURLUPART_PATH, &p->path, 0);

	if (ok)
		curl_url_get(url, CURLUPART_USER, &p->user, 0);
	curl_url_cleanup(url);
	return ok;
}

bool same_origin(const char *a, const char *b)
{
	struct place x = { 0 }, y = { 0 };
	bool same = place_init(&x, a) && place_init(&y, b) &&
		    !g_ascii_strcasecmp(x.scheme, y.scheme) &&
		    !g_ascii_strcasecmp(x.host, y.host) &&
		    !strcmp(x.port, y.port);

	place_clear(&x);
	place_clear(&y);
	return same;
}

char *ab_publish_place(const char *url)
{
	struct place p = { 0 };
	char *text = place_init(&p, url)
			     ? g_strdup_printf("%s://%s:%s%s", p.scheme, p.host,
					       p.port, p.path)
			     : g_strdup("(no URL)");

	place_clear(&p);
	return text;
}

/* A name could be given another address by whoever answers for it. */
static bool is_loopback(const char *host)
{
	return !strcmp(host, "[::1]") || !strcmp(host, "localhost") ||
	       (g_str_has_prefix(host, "127.") &&
		g_hostname_is_ip_address(host));
}

static bool check_place(const struct ab_publish *p, const struct place *at,
			GError **error)
{
	const char *why = NULL;

	if (at->user)
		why = "a user's name or password in the URL can be seen by "
		      "all; use --token-file";
	else if (g_strcmp0(at->scheme, "http") &&
		 g_strcmp0(at->scheme, "https"))
		why = "only https and http are spoken";
	else if (!g_strcmp0(at->scheme, "http") && !is_loopback(at->host) &&
		 !p->insecure_http)
		why = "http can be read by all on the way; use https, or "
		      "--insecure-http";
	if (why)
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE, "--to: %s", why);
	return !why;
}

static bool check_url(const struct ab_publish *p, GError **error)
{
	struct place at = { 0 };
	bool ok = place_init(&at, p->url);

	if (!ok)
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--to: this is no URL, as https://host/path");
	ok = ok && check_place(p, &at, error);
	place_clear(&at);
	return ok;
}

/* A line end would be the end of the header, and the begin of another. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!g_ascii_isprint(*text))
			return false;
	return true;
}

static bool is_name(const char *text)
{
	for (const char *p = text; *p; p++)
		if (!g_ascii_isalnum(*p) && !strchr("!#$%&'*+-.^_`|~", *p))
			return false;
	return *text != '\0';
}

bool ab_publish_check(const struct ab_publish *p, GError **error)
{
	const char *why = NULL;

	if (!is_name(p->header))
		why = "--header: letters, digits and dashes only";
	else if (!is_plain(p->scheme))
		why = "--scheme: printable ASCII only";
	else if (p->token && !is_plain(p->token))
		why = "the token has bytes that are not printable ASCII";
	if (!why)
		return check_url(p, error);
	g_set_error_literal(error, AB_ERROR, AB_ERROR_USAGE, why);
	return false;
}

char *token_header(const struct ab_publish *p, bool whole)
{
	return g_strdup_printf("%s: %s%s%s", p->header, p->scheme,
			       *p->scheme ? " " : "", whole ? p->token : "...");
}

/* ---- the token ---- */

static char *read_token(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) why = NULL;
	gsize length;

	if (!g_file_get_contents(path, &text, &length, &why)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV, "--token-file: %s",
			    why->message);
		return NULL;
	}
	g_strstrip(text);
	if (*text && strlen(text) <= MAX_TOKEN)
		return g_steal_pointer(&text);
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s: %s; it must hold the token and nothing else", path,
		    *text ? "this is too long for a token" : "no token in it");
	return NULL;
}

char *ab_publish_token(const char *path, GError **error)
{
	const char *token = g_getenv("ABRIG_TOKEN");

	if (path)
		return read_token(path, error);
	return token && *token ? g_strdup(token) : NULL;
}
