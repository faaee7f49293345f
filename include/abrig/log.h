/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The structured log of a campaign: JSON lines, one event each, appended with
 * O_APPEND so that worker processes share one file.  No secrets, ever: a
 * caller passes what a stranger may read.
 *
 *	ab_log("adb.shell", AB_S("serial", serial), AB_I("ms", ms));
 */
#ifndef ABRIG_LOG_H
#define ABRIG_LOG_H

#include <glib.h>
#include <stdbool.h>

struct ab_log_field {
	const char *key;
	const char *s; /* NULL: the value is @i */
	gint64 i;
};

#define AB_S(k, v) ((struct ab_log_field){ .key = (k), .s = (v) ? (v) : "" })
#define AB_I(k, v) ((struct ab_log_field){ .key = (k), .i = (v) })

#define ab_log(event, ...)                                               \
	ab_log_fields(event, (const struct ab_log_field[]){ __VA_ARGS__, \
							    { .key = NULL } })

/* Open @path for appending (0600); before that events are dropped. */
bool ab_log_open(const char *path, GError **error);
void ab_log_close(void);
/* @fields ends with a NULL key.  Each line also carries time, pid, event. */
void ab_log_fields(const char *event, const struct ab_log_field *fields);

/*
 * For people: a line on stderr, prefixed "abrig: ".  ab_warn() also lands in
 * the structured log.
 */
void ab_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
