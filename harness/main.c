// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of sub-commands. */
#include "cmd/cmd.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

static const struct cmd table[] = {
	{ "run", "PLAN [-C DIR]", "execute a plan, or go on with it", cmd_run },
	{ "aa", "PLAN | [DIR]", "a kernel against itself: false alarms, noise",
	  cmd_aa },
	{ "report", "DIR", "print the table of a campaign", cmd_report },
	{ "lint", "FILE...", "what readers of a table will object to",
	  cmd_lint },
	{ "publish", "DIR --to URL", "send a report to a server", cmd_publish },
	{ "analyze", "FILE... | DIR", "what traces say; or a campaign again",
	  cmd_analyze },
	{ "explain", "TRACE | DIR", "why frames were missed", cmd_explain },
	{ "compare", "FILE...", "benchmark numbers of others", cmd_compare },
	{ "power", "[DIR...]", "what a campaign could show, and at what cost",
	  cmd_power },
	{ "devices", "", "list the phones that adb sees", cmd_devices },
	{ "doctor", "[PLAN]", "check host, phones and plan", cmd_doctor },
	{ "restore", "DIR", "give phones back as they were found",
	  cmd_restore },
	{ "help", "[TOPIC]", "plan keys, scenario steps, gates", cmd_help },
	{ "worker", "", NULL, cmd_worker },
};

static const struct cmd *find(const char *name)
{
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(table); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

static int usage(FILE *to, int status)
{
	size_t i;

	fputs("usage: abrig COMMAND [OPTION...] [ARGUMENT...]\n\n", to);
	for (i = 0; i < G_N_ELEMENTS(table); i++)
		if (table[i].summary)
			fprintf(to, "  %-8s %-14s %s\n", table[i].name,
				table[i].args, table[i].summary);
	fputs("\nabrig COMMAND --help tells more; abrig --version.\n"
	      "Exit: 0 done, 1 something failed, 2 usage or plan, "
	      "3 environment, 130 interrupted.\n",
	      to);
	return status;
}

int main(int argc, char **argv)
{
	const struct cmd *cmd;

	/* What has no answer is NAN, which callers look at; GSL would abort. */
	gsl_set_error_handler_off();
	if (argc < 2)
		return usage(stderr, 2);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return usage(stdout, 0);
	if (!strcmp(argv[1], "--version")) {
		puts("abrig " AB_VERSION);
		return 0;
	}
	cmd = find(argv[1]);
	if (!cmd) {
		fprintf(stderr, "abrig: '%s' is no command\n", argv[1]);
		return usage(stderr, 2);
	}
	return cmd->run(argc - 1, argv + 1);
}
