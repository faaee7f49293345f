// SPDX-License-Identifier: GPL-3.0-or-later
/* What the fastboot program prints, on stderr but for `fastboot devices`. */
#include "clip.h"
#include "fastboot_private.h"

#include <abrig/fastboot.h>
#include <abrig/text.h>

#include <string.h>

#define MAX_VARIABLES 4096
#define MAX_INFO 4096
#define MAX_LINE 4096

static const char bootloader[] = "(bootloader) ";

/* Keys that take a sub-key: "partition-size:boot_a: 0x4000000". */
static const char *const two_part[] = {
	"partition-size",
	"partition-type",
	"has-slot",
	"is-logical",
	"slot-successful",
	"slot-unbootable",
	"slot-retry-count",
	"slot-fastboot-ok",
	"sbdp",
	NULL,
};

void ab_fastboot_reply_free(struct ab_fastboot_reply *reply)
{
	if (!reply)
		return;
	g_free(reply->failed);
	g_free(reply->value);
	if (reply->vars)
		g_hash_table_unref(reply->vars);
	g_ptr_array_unref(reply->info);
	g_free(reply);
}

/* The colon between key and value; NULL when @line is no variable. */
static const char *find_value(const char *line)
{
	const char *first = strchr(line, ':');
	const char *second = first ? strchr(first + 1, ':') : NULL;
	g_autofree char *key = NULL;

	if (!second)
		return first;
	key = g_strndup(line, (size_t)(first - line));
	return g_strv_contains(two_part, key) ? second : first;
}

static char *trimmed(const char *text)
{
	return g_strstrip(g_strdup(text));
}

/* Motorola's slots are called "_a", everybody else's "a". */
static char *normal_key(const char *line, size_t len)
{
	char *key = g_strndup(line, len);
	char *slot = g_str_has_prefix(key, "slot-") ? strstr(key, ":_") : NULL;

	if (slot)
		memmove(slot + 1, slot + 2, strlen(slot + 2) + 1);
	return g_strstrip(key);
}

static void add_variable(struct ab_fastboot_reply *r, const char *line)
{
	const char *colon = find_value(line);

	if (!colon || g_hash_table_size(r->vars) >= MAX_VARIABLES)
		return;
	g_hash_table_replace(r->vars, normal_key(line, (size_t)(colon - line)),
			     trimmed(colon + 1));
}

static void add_info(struct ab_fastboot_reply *r, const char *text)
{
	if (r->info->len < MAX_INFO)
		g_ptr_array_add(r->info, g_strdup(text));
}

/* FAILED (remote: 'text'), FAILED (remote: text), FAILED (text (more)) */
static void parse_failed(struct ab_fastboot_reply *r, const char *text)
{
	static const char remote[] = "remote:";
	const char *end = strrchr(text, ')');
	size_t len = end ? (size_t)(end - text) : strlen(text);
	g_autofree char *inner = g_strstrip(g_strndup(text, len));
	char *said = inner;

	if (g_str_has_prefix(said, remote)) {
		r->remote = true;
		said = g_strstrip(said + strlen(remote));
		len = strlen(said);
		if (len >= 2 && said[0] == '\'' && said[len - 1] == '\'') {
			said[len - 1] = '\0';
			said++;
		}
	}
	g_free(r->failed);
	r->failed = ab_clip(said, strlen(said));
}

static void parse_error(struct ab_fastboot_reply *r, const char *text)
{
	/* "Command failed" follows a FAILED that says more. */
	if (!r->failed)
		r->failed = ab_clip(text, strlen(text));
}

/* The value in "name: value", or NULL. */
static const char *value_of(const char *line, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(line, name, len) != 0 || line[len] != ':')
		return NULL;
	return line + len + 1;
}

static void parse_bootloader(struct ab_fastboot_reply *r, const char *text,
			     const char *name)
{
	const char *value = name ? value_of(text, name) : NULL;

	if (r->vars)
		add_variable(r, text);
	else if (value && !r->value)
		r->value = trimmed(value);
	else
		add_info(r, text);
}

/* Returns whether @line says that the work is finished. */
static bool parse_line(struct ab_fastboot_reply *r, const char *line,
		       const char *name)
{
	static const char failed[] = "FAILED (";
	static const char fatal[] = "fastboot: error: ";
	const char *at;

	if (g_str_has_prefix(line, "< waiting for")) {
		r->waiting = true;
	} else if ((at = strstr(line, bootloader))) {
		parse_bootloader(r, at + strlen(bootloader), name);
	} else if ((at = strstr(line, failed))) {
		parse_failed(r, at + strlen(failed));
	} else if (g_str_has_prefix(line, fatal)) {
		parse_error(r, line + strlen(fatal));
	} else if (!g_ascii_strncasecmp(line, "finished. total time", 20)) {
		return true;
	} else if (name && !r->vars && (at = value_of(line, name))) {
		g_free(r->value);
		r->value = trimmed(at);
	}
	return false;
}

struct ab_fastboot_reply *ab_fastboot_parse(const char *err, int status,
					    const char *name)
{
	struct ab_fastboot_reply *r = g_new0(struct ab_fastboot_reply, 1);
	bool finished = false;
	char *line;

	r->info = g_ptr_array_new_with_free_func(g_free);
	if (name && !strcmp(name, "all"))
		r->vars = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						g_free);
	while ((line = ab_text_next_line(&err))) {
		if (strlen(line) <= MAX_LINE && parse_line(r, line, name))
			finished = true;
		g_free(line);
	}
	r->ok = finished && status == 0 && !r->failed;
	return r;
}

enum fastboot_seen fastboot_find_device(const char *out, const char *serial)
{
	enum fastboot_seen seen = FASTBOOT_ABSENT;
	char *line;

	while ((line = ab_text_next_line(&out))) {
		char *tab = strchr(line, '\t');
		bool refused = strstr(line, "no permissions");

		if (tab)
			*tab = '\0';
		if (tab && !refused && !strcmp(line, serial))
			seen = FASTBOOT_PRESENT;
		else if (refused && seen == FASTBOOT_ABSENT)
			seen = FASTBOOT_REFUSED;
		g_free(line);
	}
	return seen;
}
