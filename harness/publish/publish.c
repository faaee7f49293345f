// SPDX-License-Identifier: GPL-3.0-or-later
/* Attempts, pauses between them, and what the server is quoted with. */
#include "publish.h"

#include <abrig/error.h>
#include <curl/curl.h>
#include <string.h>

#define FIRST_PAUSE_MS 500
#define MAX_PAUSE_MS 30000
#define MAX_REDIRECTS 3
#define MAX_LINES 3 /* of the server, in a message */
#define MAX_LINE 200

char *ab_publish_key(const struct ab_publish *p)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256,
					   (const guchar *)p->body, p->length);
}

void ab_publish_describe(const struct ab_publish *p, GString *out)
{
	g_autofree char *key = ab_publish_key(p);
	g_autofree char *place = ab_publish_place(p->url);

	g_string_append_printf(out,
			       "POST %s\nContent-Type: %s\n"
			       "Content-Length: %" G_GSIZE_FORMAT
			       "\nIdempotency-Key: %s\n",
			       place, p->content_type, p->length, key);
	if (p->token) {
		g_autofree char *header = token_header(p, false);

		g_string_append_printf(out, "%s\n", header);
	}
	g_string_append_c(out, '\n');
	g_string_append_len(out, p->body, (gssize)p->length);
}

/* ---- what the server said ---- */

/* Its first lines as printable ASCII, without the token if it echoes that. */
static char *quote(const struct ab_publish *p, const struct reply *r)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint lines = 0, column = 0;

	for (gsize i = 0; i < r->body->len && lines < MAX_LINES; i++) {
		char c = r->body->str[i];

		if (c == '\n') {
			lines += column > 0;
			column = 0;
		} else if (column < MAX_LINE && c != '\r') {
			if (column++ == 0 && text->len)
				g_string_append(text, " | ");
			g_string_append_c(text, g_ascii_isprint(c) ? c : '?');
		}
	}
	if (p->token && *p->token)
		g_string_replace(text, p->token, "(token)", 0);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *remedy(long status)
{
	switch (status) {
	case 401:
	case 403:
		return "; check the token, --header and --scheme";
	case 404:
	case 405:
		return "; check the URL";
	case 413:
		return "; the report is too large for it";
	case 415:
		return "; it takes another --style";
	default:
		return "";
	}
}

static void set_refused(const struct ab_publish *p, const struct reply *r,
			int attempts, GError **error)
{
	g_autofree char *place = ab_publish_place(p->url);
	g_autofree char *said = quote(p, r);

	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: HTTP status %ld after %d attempt%s%s%s%s", place,
		    r->status, attempts, attempts == 1 ? "" : "s",
		    remedy(r->status), *said ? ": " : "", said);
}

static void set_failed(const struct ab_publish *p, const struct reply *r,
		       int attempts, GError **error)
{
	g_autofree char *place = ab_publish_place(p->url);

	g_set_error(error, AB_ERROR, AB_ERROR_OFFLINE, "%s: %s (%d attempt%s)",
		    place, r->failure, attempts, attempts == 1 ? "" : "s");
}

/* ---- once, with redirections ---- */

/* 307 and 308 ask for the same request elsewhere. */
static bool is_redirect(const struct reply *r)
{
	return (r->status == 307 || r->status == 308) && r->redirect;
}

static bool attempt(const struct ab_publish *p, const struct ab_wait *w,
		    struct reply *reply, GError **error)
{
	g_autofree char *url = g_strdup(p->url);

	for (int i = 0;; i++) {
		if (!transfer(p, url, w, reply, error))
			return false;
		if (!is_redirect(reply) || i == MAX_REDIRECTS ||
		    !same_origin(p->url, reply->redirect))
			return true;
		g_free(url);
		url = g_strdup(reply->redirect);
		reply_clear(reply);
	}
}

static void set_redirected(const struct ab_publish *p, const struct reply *r,
			   GError **error)
{
	g_autofree char *from = ab_publish_place(p->url);
	g_autofree char *to = ab_publish_place(r->redirect);

	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: HTTP status %ld, it redirects to %s, which is not "
		    "followed; if that is right, give it as --to",
		    from, r->status, to);
}

/* ---- again and again ---- */

static bool is_busy(const struct reply *r)
{
	return r->failure ? r->worth_retrying
			  : r->status == 408 || r->status == 429 ||
				    (r->status >= 500 && r->status != 501);
}

static gint64 pause_of(const struct reply *r, int attempts)
{
	gint64 ms = (gint64)FIRST_PAUSE_MS << CLAMP(attempts - 1, 0, 10);

	return r->retry_s > 0 ? r->retry_s * 1000 : MIN(ms, MAX_PAUSE_MS);
}

static bool judge(const struct ab_publish *p, const struct reply *r,
		  int attempts, GError **error)
{
	if (r->failure)
		set_failed(p, r, attempts, error);
	else if (r->status >= 200 && r->status < 300)
		return true;
	else if (r->status >= 300 && r->status < 400 && r->redirect)
		set_redirected(p, r, error);
	else
		set_refused(p, r, attempts, error);
	return false;
}

/* Whether there is another attempt; pauses before it. */
static bool again(const struct ab_publish *p, const struct ab_wait *w,
		  const struct reply *r, int attempts, GError **error)
{
	gint64 pause = pause_of(r, attempts);

	if (!is_busy(r) || attempts >= p->attempts ||
	    pause / ab_time_scale() >= ab_wait_left_ms(w))
		return false;
	return ab_wait_pause(w, pause, "waiting to publish again", error);
}

bool ab_publish_send(const struct ab_publish *publish, const struct ab_wait *w,
		     struct ab_publish_result *result_out, GError **error)
{
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		curl_global_init(CURL_GLOBAL_DEFAULT);
		g_once_init_leave(&ready, 1);
	}
	*result_out = (struct ab_publish_result){ 0 };
	if (!ab_publish_check(publish, error))
		return false;
	for (;;) {
		struct reply r = { 0 };
		g_autoptr(GError) why = NULL;
		bool ok = attempt(publish, w, &r, &why);
		bool more;

		result_out->attempts++;
		result_out->status = r.status;
		more = ok && again(publish, w, &r, result_out->attempts, &why);
		if (ok && !more && !why)
			ok = judge(publish, &r, result_out->attempts, &why);
		reply_clear(&r);
		if (why)
			g_propagate_error(error, g_steal_pointer(&why));
		else if (more)
			continue;
		else
			return ok;
		return false;
	}
}
