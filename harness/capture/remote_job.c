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
			const char *pid, GError **error)
{
	return ab_phone_do(phone, w, error,
			   "kill -TERM %s 2>/dev/null; i=0; "
			   "while kill -0 %s 2>/dev/null; do i=$((i+1)); "
			   "if [ $i -gt %d ]; then echo 'process %s does not "
			   "end' >&2; exit 9; fi; sleep 0.1; done",
			   pid, pid, MAX_WAIT_S * 10, pid);
}

bool remote_job_finish(struct ab_recording *rec, const struct ab_wait *w,
		       const char *name, GError **error)
{
	struct remote_job *job = rec->state;
	g_autofree char *local = g_build_filename(rec->dir, name, NULL);
	g_autofree char *path = ab_text_shell_quote(job->path);

	if (!end_process(rec->phone, w, job->pid, error))
		return false;
	g_clear_pointer(&job->pid, g_free);
	if (!ab_adb_pull(rec->phone->adb, w, rec->phone->serial, job->path,
			 local, NULL, error))
		return false;
	if (!ab_phone_do(rec->phone, w, error, "rm -f %s", path))
		return false;
	g_clear_pointer(&job->path, g_free);
	return true;
}

void remote_job_discard(struct ab_recording *rec, const struct ab_wait *w)
{
	struct remote_job *job = rec->state;

	if (!job)
		return;
	if (job->pid)
		ab_phone_do(rec->phone, w, NULL, "kill -9 %s", job->pid);
	if (job->path) {
		g_autofree char *path = ab_text_shell_quote(job->path);

		ab_phone_do(rec->phone, w, NULL, "rm -f %s", path);
	}
	g_free(job->pid);
	g_free(job->path);
	g_clear_pointer(&rec->state, g_free);
}
