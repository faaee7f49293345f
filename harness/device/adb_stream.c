// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that go on, read line by line. */
#include "adb_shell_private.h"
#include "clip.h"

#include <string.h>

#define MAX_STREAM_LINE (1u << 20)
#define MAX_STREAM_ERR 4096

struct ab_adb_stream {
	struct adb_conn c;
	char *serial;
	bool v2;
	struct adb_shell_packet packet; /* what is left of the current one */
	GString *pending;		/* output */
	gsize taken;			/* of @pending, as lines */
	gsize scanned; /* of @pending: no line end up to here */
	GString *err;
};

void ab_adb_stream_close(struct ab_adb_stream *stream)
{
	if (!stream)
		return;
	adb_conn_end(&stream->c, NULL, NULL);
	g_string_free(stream->pending, TRUE);
	g_string_free(stream->err, TRUE);
	g_free(stream->serial);
	g_free(stream);
}

struct ab_adb_stream *ab_adb_shell_stream(struct ab_adb *adb,
					  const struct ab_wait *w,
					  const char *serial,
					  const char *command, GError **error)
{
	ab_autoptr(ab_adb_stream) s = g_new0(struct ab_adb_stream, 1);

	s->serial = g_strdup(serial);
	s->pending = g_string_new(NULL);
	s->err = g_string_new(NULL);
	adb_conn_init(&s->c, adb, w, s->serial, adb_shell_action(command));
	if (!adb_shell_open(&s->c, command, command, &s->v2, error))
		return NULL;
	if (s->v2)
		adb_queue(&s->c, ADB_SHELL_NO_INPUT, ADB_SHELL_HEADER);
	return g_steal_pointer(&s);
}

static void set_ended(const struct ab_adb_stream *s, GError **error)
{
	g_autofree char *said = ab_clip(s->err->str, s->err->len);

	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "it ended with status %d while %s: %s", s->c.status,
		    s->c.what, *said ? said : "no message");
}

/* Make sure that bytes of output are next. */
static bool enter_packet(struct ab_adb_stream *s, GError **error)
{
	if (!s->v2)
		s->packet = (struct adb_shell_packet){ ADB_SHELL_STDOUT,
						       ADB_BUFFER };
	while (!s->packet.len) {
		if (!adb_shell_head(&s->c, &s->packet, error))
			return false;
		if (s->packet.id == ADB_SHELL_EXIT) {
			set_ended(s, error);
			return false;
		}
	}
	return true;
}

static bool read_more(struct ab_adb_stream *s, GError **error)
{
	const guint8 *data;
	gssize n;

	if (!enter_packet(s, error))
		return false;
	g_string_erase(s->pending, 0, (gssize)s->taken);
	s->scanned -= s->taken;
	s->taken = 0;
	n = adb_take_some(&s->c, s->packet.len, &data, error);
	if (n == 0)
		adb_set_lost(&s->c, error);
	if (n <= 0)
		return false;
	s->packet.len -= (size_t)n;
	if (s->packet.id == ADB_SHELL_STDOUT)
		g_string_append_len(s->pending, (const char *)data, n);
	else if (s->err->len < MAX_STREAM_ERR)
		g_string_append_len(s->err, (const char *)data,
				    MIN(n, MAX_STREAM_ERR));
	return true;
}

static char *take_line(struct ab_adb_stream *s)
{
	const char *begin = s->pending->str + s->taken;
	const char *end = memchr(s->pending->str + s->scanned, '\n',
				 s->pending->len - s->scanned);
	char *line;

	if (!end) {
		s->scanned = s->pending->len;
		return NULL;
	}
	line = g_strndup(begin, (gsize)(end - begin));
	s->taken = s->scanned = (gsize)(end + 1 - s->pending->str);
	if (g_str_has_suffix(line, "\r"))
		line[strlen(line) - 1] = '\0';
	return line;
}

char *ab_adb_stream_line(struct ab_adb_stream *stream, const struct ab_wait *w,
			 GError **error)
{
	char *line;

	stream->c.w = w;
	while (!(line = take_line(stream))) {
		if (stream->pending->len - stream->taken > MAX_STREAM_LINE) {
			adb_set_nonsense(&stream->c, "a line does not end",
					 error);
			return NULL;
		}
		if (stream->c.status >= 0) {
			set_ended(stream, error);
			return NULL;
		}
		if (!read_more(stream, error))
			return NULL;
	}
	return line;
}
