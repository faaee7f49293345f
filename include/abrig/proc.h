/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run a program on the host: argv only (never a shell), stdin from /dev/null,
 * output captured up to a ceiling, its whole process group killed when the
 * deadline passes, the interrupt fires or the output exceeds the ceiling.
 */
#ifndef ABRIG_PROC_H
#define ABRIG_PROC_H

#include <abrig/wait.h>

#define AB_PROC_MAX_OUTPUT (4u << 20)

struct ab_proc_result {
	int status;   /* exit status; 128 + signal when killed by one */
	GString *out; /* stdout; NUL bytes possible */
	GString *err; /* stderr */
	gint64 duration_us;
};

/*
 * Run @argv (NULL-terminated; found through PATH) to its end.  A non-zero exit
 * is not an error here.  Fails with AB_ERROR_ENV when the program cannot be
 * started, AB_ERROR_TIMEOUT / _INTERRUPTED, or AB_ERROR_PROTOCOL when it
 * prints more than AB_PROC_MAX_OUTPUT.  On failure @result still holds what
 * was printed so far; free it in any case with ab_proc_result_clear().
 */
bool ab_proc_run(const struct ab_wait *w, const char *const *argv,
		 struct ab_proc_result *result, GError **error);
void ab_proc_result_clear(struct ab_proc_result *result);

#endif
