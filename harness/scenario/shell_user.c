// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a command posts or cancels belongs to the user that runs it, so both
 * must come from the same one: the shell user, also where adbd is root.
 */
#include "step_internal.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#define SHELL_UID "2000"

/* Builds differ in their su: Magisk's takes -c, AOSP's only a program. */
static const char *const forms[] = {
	"su " SHELL_UID " -c ",
	"su " SHELL_UID " sh -c ",
	"su shell -c ",
	NULL,
};

static const char *find_form(struct ab_scenario_run *run, GError **error)
{
	guint i;

	for (i = 0; forms[i]; i++) {
		g_autofree char *text =
			ab_phone_text(run->phone, &run->wait, error,
				      "%s'id -u' 2>/dev/null || true",
				      forms[i]);

		if (!text)
			return NULL;
		if (!strcmp(g_strstrip(text), SHELL_UID))
			return forms[i];
	}
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: adbd is root, and no form of `su " SHELL_UID
		    "` runs a command "
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
