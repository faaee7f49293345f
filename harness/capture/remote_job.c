// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorders.h"

#include <abrig/error.h>
#include <abrig/text.h>
#include <string.h>

#define MAX_WAIT_S 60

bool remote_job_set_pid(struct remote_job *job, const char *text)
{
	g_autofree char *pid = g_strstrip(g_strdup(text));

	if (!*pid || strlen(pid) > 9 ||
	    strspn(pid, "0123456789") != strlen(pid))
		return false;
	g_free(job->pid);
	job->pid = g_steal_pointer(&pid);
	return true;
}

/* The phone waits for the end itself: one round trip instead of a poll. */
static bool end_process(struct ab_phone *phone, const struct ab_wait *w,
			const struct remote_job *job, const char *signal,
			GError **error)
{
	return ab_phone_do(phone, w, error,
			   "kill -%s %s 2>/dev/null; i=0; "
			   "while kill -0 %s 2>/dev/null; do i=$((i+1)); "
			   "if [ $i -gt %d ]; then echo 'process %s does not "
			   "end' >&2; exit 9; fi; sleep 0.1; done",
			   signal, job->pid, job->pid, MAX_WAIT_S * 10,
			   job->pid);
}

bool remote_job_finish(struct ab_phone *phone, const struct ab_wait *w,
		       struct remote_job *job, const char *signal,
		       const char *local, GError **error)
{
	g_autofree char *path = ab_text_shell_quote(job->path);

	if (!end_process(phone, w, job, signal, error))
		return false;
	g_clear_pointer(&job->pid, g_free);
	if (!ab_adb_pull(phone->adb, w, phone->serial, job->path, local, NULL,
			 error))
		return false;
	if (!ab_phone_do(phone, w, error, "rm -f %s", path))
		return false;
	g_clear_pointer(&job->path, g_free);
	return true;
}

void remote_job_discard(struct ab_phone *phone, const struct ab_wait *w,
			struct remote_job *job)
{
	if (job->pid)
		ab_phone_do(phone, w, NULL, "kill -9 %s", job->pid);
	if (job->path) {
		g_autofree char *path = ab_text_shell_quote(job->path);

		ab_phone_do(phone, w, NULL, "rm -f %s", path);
	}
	g_clear_pointer(&job->pid, g_free);
	g_clear_pointer(&job->path, g_free);
}
