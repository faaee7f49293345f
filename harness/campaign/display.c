// SPDX-License-Identifier: GPL-3.0-or-later
/* Progress for people: live lines on a terminal, plain lines elsewhere. */
#include "progress.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 79

struct device_line {
	char *name;
	char *text;
	int said_done; /* plain mode: said when the number of runs changes */
	gint64 began_us;
	int first_done; /* runs that were done when this abrig began */
};

struct display {
	bool live;
	GArray *lines; /* struct device_line */
	guint drawn;   /* live lines on the screen */
};

struct display *display_new(bool live)
{
	struct display *d = g_new0(struct display, 1);

	d->live = live;
	d->lines = g_array_new(FALSE, TRUE, sizeof(struct device_line));
	return d;
}

static struct device_line *line_at(struct display *d, guint i)
{
	return &g_array_index(d->lines, struct device_line, i);
}

void display_free(struct display *d)
{
	guint i;

	if (!d)
		return;
	for (i = 0; i < d->lines->len; i++) {
		g_free(line_at(d, i)->name);
		g_free(line_at(d, i)->text);
	}
	g_array_unref(d->lines);
	g_free(d);
}

int display_add(struct display *d, const char *serial, const char *platform)
{
	struct device_line line = {
		.name = g_strdup_printf("%s %s", platform, serial),
		.text = g_strdup("waiting"),
		.said_done = -1,
		.first_done = -1,
		.began_us = g_get_monotonic_time(),
	};

	g_array_append_val(d->lines, line);
	return (int)d->lines->len - 1;
}

static void erase(struct display *d)
{
	if (d->drawn)
		fprintf(stderr, "\033[%uA\033[J", d->drawn);
	d->drawn = 0;
}

static void draw(struct display *d)
{
	guint i;

	erase(d);
	for (i = 0; i < d->lines->len; i++)
		fprintf(stderr, "%.*s\n", LINE_MAX_BYTES, line_at(d, i)->text);
	d->drawn = d->lines->len;
	fflush(stderr);
}

/* " 12 min left", from the pace so far; empty while there is none. */
static char *time_left(const struct device_line *line, const struct progress *p)
{
	int did = p->done - line->first_done;
	gint64 elapsed = g_get_monotonic_time() - line->began_us;
	gint64 s;

	if (did <= 0 || p->done >= p->total)
		return g_strdup("");
	s = elapsed / did * (p->total - p->done) / G_USEC_PER_SEC;
	if (s < 120)
		return g_strdup_printf(", %" G_GINT64_FORMAT " s left", s);
	if (s < 7200)
		return g_strdup_printf(", %" G_GINT64_FORMAT " min left",
				       s / 60);
	return g_strdup_printf(", %.1f h left", (double)s / 3600);
}

void display_update(struct display *d, int device, const struct progress *p)
{
	struct device_line *line = line_at(d, (guint)device);
	g_autofree char *left = NULL;

	if (line->first_done < 0)
		line->first_done = p->done;
	left = time_left(line, p);
	g_free(line->text);
	line->text = g_strdup_printf(
		"%s: block %d/%d %s, run %d/%d (%d accepted, %d rejected)%s: %s",
		line->name, p->block, p->blocks, p->variant, p->done, p->total,
		p->accepted, p->rejected, left, p->phase);
	if (d->live) {
		draw(d);
	} else if (line->said_done != p->done + p->rejected) {
		line->said_done = p->done + p->rejected;
		fprintf(stderr, "%s\n", line->text);
	}
}

void display_say(struct display *d, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	erase(d);
	fprintf(stderr, "%s\n", text);
	if (d->live)
		draw(d);
}
