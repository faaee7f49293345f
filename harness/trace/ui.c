// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"
#include "thread_rules.h"

static bool matches(const struct ab_analysis *a, const char *name)
{
	const char *const *pattern;

	for (pattern = a->ui_processes; *pattern; pattern++)
		if (g_pattern_match_simple(*pattern, name))
			return true;
	return false;
}

const char *ab_process_name(const struct ab_trace *trace, gint32 pid)
{
	guint32 text = GPOINTER_TO_UINT(
		g_hash_table_lookup(trace->processes, GINT_TO_POINTER(pid)));

	return text ? ab_trace_text(trace, text) : NULL;
}

const char *ab_command_base(const char *command)
{
	const char *slash = strrchr(command, '/');

	return slash ? slash + 1 : command;
}

bool ab_ui_process(const struct ab_analysis *a, gint32 pid)
{
	const char *name = ab_process_name(a->trace, pid);

	return name && matches(a, ab_command_base(name));
}

/*
 * Without a process tree only the main thread's comm is left, which is the
 * end of an app's package name or the beginning of a program's.
 */
static bool comm_matches(const struct ab_analysis *a, const char *comm)
{
	const char *const *pattern;

	for (pattern = a->ui_processes; *pattern; pattern++) {
		gsize n = strlen(*pattern);
		const char *tail =
			*pattern +
			(n > AB_COMM_SIZE - 1 ? n - (AB_COMM_SIZE - 1) : 0);

		if (g_pattern_match_simple(tail, comm) ||
		    !strncmp(*pattern, comm, AB_COMM_SIZE - 1))
			return true;
	}
	return false;
}

bool ab_ui_thread(const struct ab_analysis *a, guint32 thread)
{
	const struct ab_thread *th = ab_thread(a->trace->threads, thread);
	const char *comm = ab_trace_text(a->trace, th->comm);
	const char *process = ab_process_name(a->trace, th->tgid);

	if (ab_thread_rules_ui(a->rules, a->trace, th))
		return true;
	if (!process)
		return comm_matches(a, comm);
	if (!matches(a, ab_command_base(process)))
		return false;
	/* A composer works in whichever binder thread was called. */
	return th->tid == th->tgid || !strcmp(comm, "RenderThread") ||
	       strstr(ab_command_base(process), "composer");
}

guint8 *ab_ui_threads(const struct ab_analysis *a)
{
	guint n = a->trace->threads->all->len, i;
	guint8 *ui = g_new(guint8, n);

	for (i = 0; i < n; i++)
		ui[i] = ab_ui_thread(a, i);
	return ui;
}
