// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <abrig/jankbench.h>

#include <string.h>

/* What follows "TAG  : " in a threadtime line that has this tag, or NULL. */
static const char *message_of(const char *line, const char *tag)
{
	const char *at = strstr(line, tag);

	if (!at)
		return NULL;
	at += strlen(tag);
	at += strspn(at, " ");
	if (*at != ':')
		return NULL;
	return at + 1 + strspn(at + 1, " ");
}

/*
 * "FATAL EXCEPTION: main", then "Process: NAME, PID: N", then the exception.
 * Another app's crash does not concern the run.
 */
static bool crashed(struct bench_log *log, const char *message)
{
	if (g_str_has_prefix(message, "FATAL EXCEPTION")) {
		log->dying = true;
		return false;
	}
	if (!log->dying)
		return false;
	log->dying = false;
	return !g_str_has_prefix(message, "Process: ") ||
	       g_str_has_prefix(message, "Process: " AB_JANKBENCH_PACKAGE ",");
}

enum bench_line bench_log_line(struct bench_log *log, const char *line)
{
	const char *message;

	if (!log->begun) {
		log->begun = strstr(line, log->token);
		return log->begun ? BENCH_BEGIN : BENCH_OTHER;
	}
	message = message_of(line, " BENCH");
	if (message && g_str_has_prefix(message, "BenchmarkDone!"))
		return BENCH_DONE;
	message = message_of(line, " AndroidRuntime");
	if (message && crashed(log, message))
		return BENCH_CRASHED;
	message = message_of(line, " System.out");
	if (message && g_str_has_prefix(message, "iteration: "))
		log->iterations++;
	return BENCH_OTHER;
}
