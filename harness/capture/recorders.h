/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the recorders share; the table of them is in recorders.c. */
#ifndef CAPTURE_RECORDERS_H
#define CAPTURE_RECORDERS_H

#include <abrig/capture.h>

extern const struct ab_recorder_ops recorder_perfetto;
extern const struct ab_recorder_ops recorder_odpm;
extern const struct ab_recorder_ops recorder_jankbench;

/* Note that the run must be rejected, unless that is noted; returns true. */
bool recorder_reject(const char **gate_out, char **reason_out, const char *gate,
		     const char *format, ...) G_GNUC_PRINTF(4, 5);

/*
 * A background process of a recorder on the phone, and the file it writes:
 * the recording's state.
 */
struct remote_job {
	char *pid;  /* digits */
	char *path; /* on the phone */
};

/*
 * End the job: ask it to, wait until it is gone (perfetto writes its file on
 * the way), pull the file as the artefact @name and remove it from the phone.
 */
bool remote_job_finish(struct ab_recording *rec, const struct ab_wait *w,
		       const char *name, GError **error);
/* Kill it and remove the file, whatever state they are in. */
void remote_job_discard(struct ab_recording *rec, const struct ab_wait *w);
/* Digits only, as `echo $!` and perfetto --background-wait print. */
bool remote_job_set_pid(struct remote_job *job, const char *text);

#endif
