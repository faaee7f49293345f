/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Post a text to a server over HTTP.  A token is sent to the host of the URL
 * and to no other, is never part of a message, and never of a command line.
 */
#ifndef ABRIG_PUBLISH_H
#define ABRIG_PUBLISH_H

#include <abrig/wait.h>

#define AB_PUBLISH_ATTEMPTS 5

struct ab_publish {
	const char *url;
	const char *token;	  /* NULL: none is sent */
	const char *header;	  /* that carries it: "Authorization" */
	const char *scheme;	  /* before it: "Bearer"; "": nothing */
	const char *content_type; /* "application/json" */
	const char *body;
	gsize length;
	const char *cacert; /* certificates to trust instead; or NULL */
	bool insecure_http; /* http to other hosts than this one, too */
	int attempts;	    /* at most, from 1 */
};

struct ab_publish_result {
	long status;  /* of HTTP */
	int attempts; /* that it took */
};

/*
 * Whether @publish can be sent: URL, header and token are well-formed, and the
 * token will not go over an open line.  AB_ERROR_USAGE.
 */
bool ab_publish_check(const struct ab_publish *publish, GError **error);

/*
 * Post it, again after a pause when the server is busy or broken (429, 5xx) or
 * the connection fails; as long as the server says (Retry-After), but not
 * beyond @w.  Blocks.  AB_ERROR_REMOTE when the server refuses, with the first
 * lines that it said; AB_ERROR_OFFLINE when it cannot be reached; _TIMEOUT,
 * _INTERRUPTED.
 */
bool ab_publish_send(const struct ab_publish *publish, const struct ab_wait *w,
		     struct ab_publish_result *result_out, GError **error);

/* Append what would be sent, without the token. */
void ab_publish_describe(const struct ab_publish *publish, GString *out);

/* The same content has the same, and is not taken twice (caller frees). */
char *ab_publish_key(const struct ab_publish *publish);
/* The URL without what may be secret: its query (caller frees). */
char *ab_publish_place(const char *url);

/*
 * The token in the file @path, or with NULL that of the environment's
 * ABRIG_TOKEN; NULL without an error when there is none (caller frees).
 */
char *ab_publish_token(const char *path, GError **error);

#endif
