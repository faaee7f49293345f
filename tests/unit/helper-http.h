/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A web server on this host that says what a test wants, request by request. */
#ifndef UNIT_HELPER_HTTP_H
#define UNIT_HELPER_HTTP_H

#include <abrig/wait.h>

struct http; /* opaque */

/* Instead of an answer: */
#define HTTP_CLOSE "close" /* the connection ends without one */
#define HTTP_STALL "stall" /* none comes until the server is stopped */

/*
 * Answer with @answers (NULL-terminated; the last one for all that follow).
 * @intr, if any, is triggered once a request is there.
 */
struct http *http_start(const char *const *answers, struct ab_intr *intr);
/* Stop it; what it was sent is kept until http_free(). */
void http_stop(struct http *http);
void http_free(struct http *http);
int http_port(const struct http *http);
/* "http://127.0.0.1:PORT/in", for as long as the server is. */
const char *http_url(const struct http *http);
/* After http_stop(): how many requests there were, and one of them whole. */
guint http_count(const struct http *http);
const char *http_request(const struct http *http, guint i);

#endif
