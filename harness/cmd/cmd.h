/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sub-commands: one file each; main.c holds the table. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <abrig/error.h>
#include <abrig/wait.h>

struct cmd {
	const char *name;
	const char *args;    /* for the usage line */
	const char *summary; /* one line; NULL: not shown */
	/* argv[0] is the sub-command's name; returns the exit status. */
	int (*run)(int argc, char **argv);
};
extern const struct cmd *const cmds[]; /* NULL-ended */

int cmd_run(int argc, char **argv);
int cmd_aa(int argc, char **argv);
int cmd_worker(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_publish(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_power(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_help(int argc, char **argv);

/*
 * Parse @options; what remains are the arguments, @min to @max of them.  On
 * failure the message is printed and false returned: exit 2.
 */
bool cmd_parse(const char *name, const GOptionEntry *options, int *argc,
	       char ***argv, int min, int max);

/* Print the error as "abrig: ..." and return its exit status; frees it. */
int cmd_fail(GError *error);

/* A wrong command line: sets @error, returns false. */
bool cmd_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* To standard output, at once; what it cannot take (AB_ERROR_ENV). */
bool cmd_print(const char *text, size_t n, GError **error);

/* What abrig run and abrig aa are told. */
struct cmd_execution {
	char *dir; /* NULL: the default, which cmd_execute() puts here */
	gint port;
	gboolean plain;
	bool again; /* the plan's baseline against itself */
};
/* Their options, as many and an end. */
#define CMD_EXECUTION_OPTIONS 3
void cmd_execution_options(struct cmd_execution *e, GOptionEntry *options_out);
/*
 * Execute the plan in the file @path, and print its report also when that did
 * not end well.  Prints errors; returns the exit status.
 */
int cmd_execute(struct cmd_execution *e, const char *path);

/* An interrupt that Ctrl-C and SIGTERM trigger, for the process's life. */
struct ab_intr *cmd_intr(void);

struct ab_report_ops;
/* The report format @style, or NULL with all that there are in @error. */
const struct ab_report_ops *cmd_report_format(const char *style,
					      GError **error);
/* All of them, for --help; the caller frees it. */
char *cmd_styles_help(void);

struct cmd_report_options {
	gboolean effects, redact;
	char *origin; /* KCIDB's; NULL: that of the environment */
};
/* The report of the campaign in @dir; NULL with @error. */
char *cmd_report_text(const char *dir, const struct ab_report_ops *format,
		      const struct cmd_report_options *options, GError **error);
/*
 * Write a report to standard output and to its file in the campaign's
 * directory.  False with @error.
 */
bool cmd_write_report(const char *dir, const char *style, const char *out,
		      const struct cmd_report_options *options, GError **error);

#endif
