/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include <abrig/publish.h>

/* What came of one attempt. */
struct reply {
	long status;	     /* 0: none came */
	gint64 retry_s;	     /* what the server asks for; 0: nothing */
	char *redirect;	     /* whole URL; or NULL */
	GString *body;	     /* its beginning */
	char *failure;	     /* why none came; or NULL */
	bool worth_retrying; /* with a failure */
};
void reply_clear(struct reply *reply);

/* One attempt at @url.  False only when @w is over. */
bool transfer(const struct ab_publish *publish, const char *url,
	      const struct ab_wait *w, struct reply *reply_out, GError **error);

/* Both are the same server: scheme, host and port. */
bool same_origin(const char *a, const char *b);

/* "Authorization: Bearer TOKEN", with "..." in its place unless @whole. */
char *token_header(const struct ab_publish *publish, bool whole);

#endif
