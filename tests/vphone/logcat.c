// SPDX-License-Identifier: GPL-3.0-or-later
// The log of this boot.
#include "core.h"
#include "pids.h"

#include <stdarg.h>

#define MAX_LOG (8u << 20)

/* Tags that the only app with a log of its own uses. */
static int pid_of(const struct vphone *vp, const char *tag)
{
	pid_t benchmark = vp_system_pid(vp, "com.android.benchmark");
	bool app = g_str_equal(tag, "System.out") ||
		   g_str_equal(tag, "SQLiteDatabase");

	return app && benchmark ? benchmark : VP_PID_SYSTEM_SERVER;
}

static void add_line(struct vphone *vp, const char *tag, char prio,
		     const char *line)
{
	gint64 ns = vp_realtime_ns(vp);
	g_autoptr(GDateTime) when = g_date_time_new_from_unix_utc(ns / VP_NSEC);
	g_autofree char *date = g_date_time_format(when, "%m-%d %H:%M:%S");
	int pid = pid_of(vp, tag);

	g_string_append_printf(vp->logcat, "%s.%03d %5d %5d %c %-8s: %s\n",
			       date, (int)(ns % VP_NSEC / VP_MSEC), pid, pid,
			       prio, tag, line);
}

void vp_log(struct vphone *vp, const char *tag, char prio, const char *format,
	    ...)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	lines = g_strsplit(text, "\n", -1);
	g_mutex_lock(&vp->lock);
	if (!vp->logcat)
		vp->logcat = g_string_new(NULL);
	for (char **line = lines; *line && vp->logcat->len < MAX_LOG; line++)
		if (**line || !line[1])
			add_line(vp, tag, prio, *line);
	g_mutex_unlock(&vp->lock);
}
