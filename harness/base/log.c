// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/log.h>

#include <errno.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int log_fd = -1;

bool ab_log_open(const char *path, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot open the log: %s; check that the "
			    "directory is yours and the disk is not full",
			    path, g_strerror(errno));
		return false;
	}
	ab_log_close();
	log_fd = fd;
	return true;
}

void ab_log_close(void)
{
	if (log_fd >= 0)
		close(log_fd);
	log_fd = -1;
}

static void add_string(JsonBuilder *b, const char *key, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	json_builder_set_member_name(b, key);
	json_builder_add_string_value(b, valid);
}

static JsonBuilder *start_event(const char *event)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *stamp =
		g_date_time_format(now, "%Y-%m-%dT%H:%M:%S.%fZ");
	JsonBuilder *b = json_builder_new();

	json_builder_begin_object(b);
	add_string(b, "time", stamp);
	json_builder_set_member_name(b, "pid");
	json_builder_add_int_value(b, getpid());
	add_string(b, "event", event);
	return b;
}

void ab_log_fields(const char *event, const struct ab_log_field *fields)
{
	g_autoptr(JsonBuilder) b = NULL;
	g_autoptr(JsonNode) root = NULL;
	g_autofree char *text = NULL;
	g_autofree char *line = NULL;
	ssize_t n;

	if (log_fd < 0)
		return;
	b = start_event(event);
	for (; fields->key; fields++) {
		if (fields->s) {
			add_string(b, fields->key, fields->s);
			continue;
		}
		json_builder_set_member_name(b, fields->key);
		json_builder_add_int_value(b, fields->i);
	}
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	text = json_to_string(root, FALSE);
	line = g_strconcat(text, "\n", NULL);
	/* One write, so that lines of several processes never mix. */
	n = write(log_fd, line, strlen(line));
	(void)n; /* a full disk is found, and reported, by the database */
}

void ab_warn(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	fprintf(stderr, "abrig: %s\n", text);
	ab_log("warning", AB_S("text", text));
}
