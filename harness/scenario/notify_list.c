// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#define PACKAGE "|com.android.shell|"
#define MAX_TAG 32
#define POLL_MS 100

bool notify_check_tag(const char *tag, const struct ab_node *node,
		      GError **error)
{
	size_t len = strspn(tag, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	if (len && !tag[len] && len <= MAX_TAG && g_ascii_isalnum(*tag))
		return true;
	return ab_node_error(node, error,
			     "'tag' must be 1 to %d letters, digits, '.', '_' "
			     "or '-', a letter or digit first",
			     MAX_TAG);
}

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

/*
 * user|package|id|tag|uid, and a sixth field for an overridden group.  Tags of
 * others may hold '|', so the tag is what is left between both ends.
 */
static char *own_tag(const char *line)
{
	const char *package = strchr(line, '|');
	const char *id, *tag;
	char *copy, *end;

	if (!package || !g_str_has_prefix(package, PACKAGE))
		return NULL;
	id = package + strlen(PACKAGE);
	tag = strchr(id, '|');
	if (!tag)
		return NULL;
	copy = g_strdup(tag + 1);
	end = strrchr(copy, '|');
	if (end && !is_number(end + 1)) {
		*end = '\0';
		end = strrchr(copy, '|');
	}
	if (end)
		*end = '\0';
	return copy;
}

guint32 notify_parse_list(const char *text, const char *tag)
{
	g_autofree char *prefix = g_strconcat(tag, "-", NULL);
	guint32 set = 0;

	for (;;) {
		g_autofree char *line = ab_text_next_line(&text);
		g_autofree char *own = line ? own_tag(line) : NULL;
		gint64 n;

		if (!line)
			return set;
		if (own && g_str_has_prefix(own, prefix) &&
		    is_number(own + strlen(prefix)) &&
		    ab_text_to_int(own + strlen(prefix), &n) && n >= 1 &&
		    n <= NOTIFY_MAX)
			set |= 1u << (n - 1);
	}
}

bool notify_list(struct ab_scenario_run *run, const char *tag, guint32 *set_out,
		 GError **error)
{
	struct ab_wait w = ab_wait_sub(&run->wait, LOOK_MS);
	g_autofree char *text =
		ab_phone_text(run->phone, &w, error, "cmd notification list");

	if (!text)
		return false;
	*set_out = notify_parse_list(text, tag);
	return true;
}

bool notify_wait(struct ab_scenario_run *run, const char *tag, guint32 set,
		 gint64 timeout_ms, GError **error)
{
	struct ab_wait w = ab_wait_sub(&run->wait, timeout_ms);
	guint32 found;

	for (;;) {
		g_autofree char *what = NULL;

		if (!notify_list(run, tag, &found, error))
			return false;
		if (found == set)
			return true;
		what = g_strdup_printf(
			"waiting until %s shows %u notifications tagged "
			"'%s-N' (it shows %u)",
			run->phone->serial,
			(unsigned int)__builtin_popcount(set), tag,
			(unsigned int)__builtin_popcount(found));
		if (!ab_wait_pause(&w, POLL_MS, what, error))
			return false;
	}
}
