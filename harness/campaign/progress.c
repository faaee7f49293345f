// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include <abrig/error.h>
#include <abrig/text.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIELDS 8
#define MAX_RUNS 10000000

void progress_clear(struct progress *p)
{
	g_free(p->variant);
	g_free(p->phase);
	*p = (struct progress){ 0 };
}

static void send_line(int fd, char *line)
{
	ssize_t n;

	g_strdelimit(line, "\n\r", ' ');
	line[strlen(line) - 1] = '\n';
	n = write(fd, line, strlen(line));
	(void)n;
}

void progress_send(int fd, const struct progress *p)
{
	g_autofree char *line = NULL;

	if (fd < 0)
		return;
	line = g_strdup_printf("progress\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%s\n",
			       p->block, p->blocks, p->variant, p->done,
			       p->total, p->accepted, p->rejected, p->phase);
	send_line(fd, line);
}

void progress_send_error(int fd, const GError *error)
{
	g_autofree char *line = NULL;

	if (fd < 0)
		return;
	line = g_strdup_printf("error\t%d\t%s\n",
			       error->domain == AB_ERROR ? error->code
							 : AB_ERROR_FAILED,
			       error->message);
	send_line(fd, line);
}

static bool count_field(const char *text, int *out)
{
	gint64 value;

	if (!ab_text_to_int(text, &value) || value < 0 || value > MAX_RUNS)
		return false;
	*out = (int)value;
	return true;
}

static bool parse_progress(char **f, struct progress *p)
{
	if (g_strv_length(f) != FIELDS + 1 || !count_field(f[1], &p->block) ||
	    !count_field(f[2], &p->blocks) || !count_field(f[4], &p->done) ||
	    !count_field(f[5], &p->total) || !count_field(f[6], &p->accepted) ||
	    !count_field(f[7], &p->rejected))
		return false;
	p->variant = g_strdup(f[3]);
	p->phase = g_strdup(f[8]);
	return true;
}

bool progress_parse(const char *line, struct progress_line *out)
{
	g_auto(GStrv) f = g_strsplit(line, "\t", FIELDS + 1);

	*out = (struct progress_line){ 0 };
	if (!f[0])
		return false;
	if (!strcmp(f[0], "progress"))
		return parse_progress(f, &out->progress);
	if (strcmp(f[0], "error") || !f[1] || !f[2] ||
	    !count_field(f[1], &out->code))
		return false;
	out->is_error = true;
	out->message = g_strjoinv("\t", f + 2);
	return true;
}

void progress_line_clear(struct progress_line *line)
{
	progress_clear(&line->progress);
	g_clear_pointer(&line->message, g_free);
}
