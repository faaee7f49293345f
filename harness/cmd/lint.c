// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmd.h"

#include <abrig/lint.h>
#include <stdio.h>
#include <string.h>

/* Not those of the other commands: scripts look for findings. */
enum { CLEAN, REFUSED, USAGE, UNREADABLE };

static int print_findings(const char *name, const GPtrArray *findings)
{
	int status = CLEAN;

	for (guint i = 0; i < findings->len; i++) {
		const struct ab_lint_finding *f = findings->pdata[i];

		printf("%s:%d:%d: %s: %s\n", name, f->line, f->column,
		       f->refused ? "refused" : "warning", f->text);
		if (f->refused)
			status = REFUSED;
	}
	return status;
}

static int lint_file(const char *path)
{
	bool standard = !strcmp(path, "-");
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) findings = NULL;
	gsize len;

	if (!g_file_get_contents(standard ? "/dev/stdin" : path, &text, &len,
				 &error)) {
		fprintf(stderr, "abrig lint: %s\n", error->message);
		return UNREADABLE;
	}
	if (len > AB_LINT_MAX || memchr(text, '\0', len)) {
		fprintf(stderr, "abrig lint: %s: no text of a mail: %s\n", path,
			len > AB_LINT_MAX ? "too large" : "NUL bytes");
		return UNREADABLE;
	}
	findings = ab_lint(text, len);
	return print_findings(standard ? "<stdin>" : path, findings);
}

int cmd_lint(int argc, char **argv)
{
	const GOptionEntry options[] = { { .long_name = NULL } };
	int status = CLEAN;

	if (!cmd_parse("lint", options, &argc, &argv, 1, -1))
		return USAGE;
	for (int i = 1; i < argc; i++) {
		int one = lint_file(argv[i]);

		status = MAX(status, one);
	}
	return status;
}
