/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent pieces of work, each in a process of its own: a crash, a hang or
 * memory without end in one of them touches no other.  The results come in
 * order.
 */
#ifndef ABRIG_JOBS_H
#define ABRIG_JOBS_H

#include <abrig/wait.h>

/* Of what a job says on standard output and error this much is kept. */
#define AB_JOB_SAID_MAX 65536

/* 0: no limit. */
struct ab_job_limits {
	guint64 memory_bytes; /* private; not enforced under sanitizers */
	guint64 cpu_s, wall_s;
};

struct ab_job_end {
	int status; /* exit status, when it was not killed */
	int signal; /* that killed it, or 0 */
	bool late;  /* killed because it took longer than limits.wall_s */
	struct ab_job_limits limits;
	int out;    /* what it wrote, from the beginning; closed by the caller
		       of done() */
	char *said; /* on standard output and error; not NULL */
};

struct ab_jobs {
	guint n, parallel; /* jobs 0 to n - 1; so many at once */
	void *user;
	/* Before job @i starts; may be NULL. */
	void (*limits)(void *user, guint i, struct ab_job_limits *limits_out);
	/* In the job's own process: write the result to @out.  Returns the
	 * exit status. */
	int (*run)(void *user, guint i, int out);
	/* In the order of @i, as soon as can be; false with @error stops all.
	 * A job that was killed is no error here. */
	bool (*done)(void *user, guint i, const struct ab_job_end *end,
		     GError **error);
	/* Now and then: @ended of the jobs have ended.  May be NULL. */
	void (*tick)(void *user, guint ended);
};

/*
 * Run all.  False with AB_ERROR_INTERRUPTED, AB_ERROR_ENV (no process can be
 * started) or done()'s error; then no job is left running.
 */
bool ab_jobs_run(const struct ab_jobs *jobs, struct ab_intr *intr,
		 GError **error);

/*
 * Why a job ended without saying so itself: "crashed (signal 11, Segmentation
 * fault)", "used more than 60 s of CPU time"; NULL when it exited.  To be
 * freed.
 */
char *ab_job_why(const struct ab_job_end *end);

#endif
