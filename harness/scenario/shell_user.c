// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a command posts or cancels belongs to the user that runs it, so both
 * must come from the same one: the shell user, also where adbd is root.
 */
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

/* Builds differ in their su: toybox-like, by name, AOSP's. */
static const char *const forms[] = {
	"su 2000 -c ",
	"su shell -c ",
	"su 2000 sh -c ",
	NULL,
};

static const char *find_form(struct ab_scenario_run *run, GError **error)
{
	guint i;

	for (i = 0; forms[i]; i++) {
		g_autofree char *text =
			ab_phone_text(run->phone, &run->wait, error,
				      "%s'echo shell user' 2>/dev/null || true",
				      forms[i]);

		if (!text)
			return NULL;
		if (g_str_has_prefix(text, "shell user"))
			return forms[i];
	}
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: adbd is root, and no form of `su 2000` runs a command "
		    "as the shell user, whose notifications these must be; "
		    "set prepare.root to false",
		    run->phone->serial);
	return NULL;
}

char *shell_user_command(struct ab_scenario_run *run, const char *command,
			 GError **error)
{
	g_autofree char *quoted = NULL;
	const char *form;

	if (!run->phone->root)
		return g_strdup(command);
	form = find_form(run, error);
	if (!form)
		return NULL;
	quoted = ab_text_shell_quote(command);
	return g_strconcat(form, quoted, NULL);
}
