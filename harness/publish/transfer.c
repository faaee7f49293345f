// SPDX-License-Identifier: GPL-3.0-or-later
/* One attempt, with libcurl's multi interface: it can be interrupted. */
#include "publish.h"

#include <abrig/error.h>
#include <curl/curl.h>
#include <poll.h>
#include <string.h>

#define MAX_REPLY 4096 /* bytes that are kept */
#define CONNECT_MS 10000
#define STALL_S 30 /* without a byte */
#define SLICE_MS 1000

void reply_clear(struct reply *reply)
{
	g_free(reply->redirect);
	g_free(reply->failure);
	if (reply->body)
		g_string_free(reply->body, TRUE);
	*reply = (struct reply){ 0 };
}

static size_t keep(char *bytes, size_t size, size_t n, void *context)
{
	GString *body = context;
	size_t room = MAX_REPLY - body->len;

	g_string_append_len(body, bytes, (gssize)MIN(size * n, room));
	return size * n;
}

static struct curl_slist *add_header(struct curl_slist *list, const char *name,
				     const char *value)
{
	g_autofree char *line = g_strdup_printf("%s: %s", name, value);

	return curl_slist_append(list, line);
}

static struct curl_slist *headers(const struct ab_publish *p)
{
	struct curl_slist *list = NULL;
	g_autofree char *key = ab_publish_key(p);

	list = add_header(list, "Content-Type", p->content_type);
	list = add_header(list, "Idempotency-Key", key);
	/* Else libcurl waits for a server's leave to send a body. */
	list = curl_slist_append(list, "Expect:");
	if (p->token) {
		g_autofree char *line = token_header(p, true);

		list = curl_slist_append(list, line);
	}
	return list;
}

static CURL *new_handle(const struct ab_publish *p, const char *url,
			struct curl_slist *list, GString *body, char *failure)
{
	CURL *curl = curl_easy_init();

	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	/* See publish.c: libcurl would take the token along. */
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "abrig/" AB_VERSION);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
			 (curl_off_t)p->length);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, p->body);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, failure);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
	if (p->cacert)
		curl_easy_setopt(curl, CURLOPT_CAINFO, p->cacert);
	return curl;
}

/* Until it is done; false when @w is over. */
static bool perform(CURLM *multi, const struct ab_wait *w, GError **error)
{
	struct curl_waitfd intr = {
		.fd = w->intr ? ab_intr_fd(w->intr) : -1,
		.events = CURL_WAIT_POLLIN,
	};
	int running = 1;

	for (;;) {
		gint64 left = ab_wait_left_ms(w);

		curl_multi_perform(multi, &running);
		if (!running)
			return true;
		if (!ab_wait_check(w, "publishing", error))
			return false;
		curl_multi_poll(multi, &intr, w->intr ? 1 : 0,
				(int)MIN(left, SLICE_MS), NULL);
	}
}

static CURLcode code_of(CURLM *multi)
{
	CURLMsg *message;
	CURLcode code = CURLE_OK;
	int left;

	while ((message = curl_multi_info_read(multi, &left)))
		if (message->msg == CURLMSG_DONE)
			code = message->data.result;
	return code;
}

/* What may be otherwise in a moment; a wrong certificate will not. */
static bool passes(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
	case CURLE_SSL_CONNECT_ERROR:
		return true;
	default:
		return false;
	}
}

static void fill_reply(CURL *curl, CURLcode code, const char *failure,
		       struct reply *r)
{
	curl_off_t retry = 0;
	char *redirect = NULL;

	if (code != CURLE_OK) {
		r->failure =
			g_strdup(*failure ? failure : curl_easy_strerror(code));
		r->worth_retrying = passes(code);
		return;
	}
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &r->status);
	curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry);
	curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
	r->retry_s = retry;
	r->redirect = g_strdup(redirect);
}

bool transfer(const struct ab_publish *publish, const char *url,
	      const struct ab_wait *w, struct reply *reply_out, GError **error)
{
	char failure[CURL_ERROR_SIZE] = "";
	struct curl_slist *list = headers(publish);
	CURLM *multi = curl_multi_init();
	CURL *curl;
	bool ok;

	*reply_out = (struct reply){ .body = g_string_new(NULL) };
	curl = new_handle(publish, url, list, reply_out->body, failure);
	curl_multi_add_handle(multi, curl);
	ok = perform(multi, w, error);
	if (ok)
		fill_reply(curl, code_of(multi), failure, reply_out);
	curl_multi_remove_handle(multi, curl);
	curl_easy_cleanup(curl);
	curl_multi_cleanup(multi);
	curl_slist_free_all(list);
	return ok;
}
