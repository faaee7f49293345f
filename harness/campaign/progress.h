/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a worker tells the supervisor, as lines on a pipe:
 *
 *	progress <block> <blocks> <variant> <done> <total> <accepted>
 *		<rejected> <phase...>
 *	error <code> <message...>
 *
 * separated by tabs.  The supervisor trusts a worker no more than a phone:
 * lines are bounded and parsed with checks.
 */
#ifndef CAMPAIGN_PROGRESS_H
#define CAMPAIGN_PROGRESS_H

#include <glib.h>
#include <stdbool.h>

struct progress {
	int block, blocks;
	char *variant;
	int done, total; /* runs with a verdict that counts, and planned */
	int accepted, rejected;
	char *phase;
};

void progress_clear(struct progress *p);
/* Write one line to @fd; a broken pipe is ignored (the supervisor is gone). */
void progress_send(int fd, const struct progress *p);
void progress_send_error(int fd, const GError *error);

struct progress_line {
	bool is_error;
	struct progress progress;
	int code; /* enum ab_error */
	char *message;
};
/* False when @line is neither. */
bool progress_parse(const char *line, struct progress_line *out);
void progress_line_clear(struct progress_line *line);

/* ---- the display: one line per device ---- */

struct display;

/* @live: redraw in place (stderr is a terminal). */
struct display *display_new(bool live);
void display_free(struct display *d);
/* Add a device; returns its index. */
int display_add(struct display *d, const char *serial, const char *platform);
void display_update(struct display *d, int device, const struct progress *p);
/* A line that stays, above the live ones. */
void display_say(struct display *d, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

#endif
