// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#define MAX_NAME 255

bool am_check_name(const char *name, const char *what,
		   const struct ab_node *node, GError **error)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789._/$");
	bool slash = strchr(name, '/');

	if (len && !name[len] && len <= MAX_NAME && g_ascii_isalpha(*name) &&
	    slash == !strcmp(what, "component"))
		return true;
	return ab_node_error(node, error,
			     "'%.60s' is not the name of a %s, such as %s",
			     name, what,
			     strcmp(what, "component") ? "com.example.app"
						       : "com.example.app/"
							 ".MainActivity");
}

static bool is_problem(const char *line, bool front_ok)
{
	if (g_str_has_prefix(line, "Warning:"))
		return !front_ok || (!strstr(line, "brought to the front") &&
				     !strstr(line, "top-most instance"));
	if (g_str_has_prefix(line, "Status:"))
		return strcmp(line, "Status: ok") != 0;
	return g_str_has_prefix(line, "Error") || strstr(line, "FAILURE") ||
	       strstr(line, "Exception");
}

char *am_problem(const char *text, bool front_ok)
{
	bool status = false;

	for (;;) {
		g_autofree char *line = ab_text_next_line(&text);

		if (!line)
			break;
		g_strstrip(line);
		if (is_problem(line, front_ok))
			return g_steal_pointer(&line);
		status = status || g_str_has_prefix(line, "Status:");
	}
	return status ? NULL : g_strdup("it printed no 'Status: ok'");
}

bool am_check_installed(struct ab_scenario_run *run, const char *package,
			const char *remedy, GError **error)
{
	g_autofree char *text =
		ab_phone_text(run->phone, &run->wait, error,
			      "pm path %s 2>&1 || true", package);

	if (!text)
		return false;
	if (g_str_has_prefix(text, "package:"))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: %s is not installed; %s", run->phone->serial, package,
		    remedy);
	return false;
}
