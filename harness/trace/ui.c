// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

static const char *base_name(const char *command)
{
	const char *slash = strrchr(command, '/');

	return slash ? slash + 1 : command;
}

static bool matches(const struct ab_analysis *a, const char *name)
{
	const char *const *pattern;

	for (pattern = a->ui_processes; *pattern; pattern++)
		if (g_pattern_match_simple(*pattern, name))
			return true;
	return false;
}

static const char *process_name(const struct ab_analysis *a, gint32 pid)
{
	return g_hash_table_lookup(a->trace->processes, GINT_TO_POINTER(pid));
}

bool ab_ui_process(const struct ab_analysis *a, gint32 pid)
{
	const char *name = process_name(a, pid);

	return name && matches(a, base_name(name));
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

	const char *process = th->tgid < 0 ? NULL : process_name(a, th->tgid);

	if (!process)
		return comm_matches(a, th->comm);
	if (!matches(a, base_name(process)))
		return false;
	/* A composer works in whichever binder thread was called. */
	return th->tid == th->tgid || !strcmp(th->comm, "RenderThread") ||
	       strstr(base_name(process), "composer");
}
