// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/jobs.h>
#include <abrig/sanitize.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 200

struct job {
	pid_t pid; /* 0: not started, or ended */
	int pidfd, out, err;
	gint64 deadline; /* monotonic, us */
	struct ab_job_end end;
	bool ended;
};

struct pool {
	const struct ab_jobs *jobs;
	struct ab_intr *intr;
	struct job *all;
	guint started, ended, reported;
};

static void limit(int resource, guint64 value)
{
	/* Hard above soft: SIGXCPU tells what a plain kill would not. */
	struct rlimit r = { .rlim_cur = value, .rlim_max = value + 1 };

	if (value)
		setrlimit(resource, &r);
}

/* A signal for the parent is not for its jobs, and they have no terminal. */
static void become_job(const struct job *job, pid_t parent)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	size_t i;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (i = 0; i < G_N_ELEMENTS(signals); i++)
		signal(signals[i], SIG_DFL);
	dup2(null, STDIN_FILENO);
	/* Libraries that talk must not talk into somebody's results. */
	dup2(job->err, STDOUT_FILENO);
	dup2(job->err, STDERR_FILENO);
	limit(RLIMIT_DATA,
	      AB_ADDRESS_SANITIZER ? 0 : job->end.limits.memory_bytes);
	limit(RLIMIT_CPU, job->end.limits.cpu_s);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
}

static bool cannot_start(const struct job *job, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot start a process: %s; close programs, or see "
		    "`ulimit -u` and `ulimit -n`",
		    g_strerror(errno));
	if (job->out >= 0)
		close(job->out);
	if (job->err >= 0)
		close(job->err);
	return false;
}

static bool start(struct pool *p, GError **error)
{
	guint i = p->started;
	struct job *job = &p->all[i];
	pid_t parent = getpid();

	if (p->jobs->limits)
		p->jobs->limits(p->jobs->user, i, &job->end.limits);
	job->out = memfd_create("abrig-job", MFD_CLOEXEC);
	job->err = memfd_create("abrig-job-err", MFD_CLOEXEC);
	if (job->out < 0 || job->err < 0)
		return cannot_start(job, error);
	job->pid = fork();
	if (job->pid == 0) {
		become_job(job, parent);
		_exit(p->jobs->run(p->jobs->user, i, job->out));
	}
	if (job->pid < 0)
		return cannot_start(job, error);
	/* Here and there: whoever comes first. */
	setpgid(job->pid, job->pid);
	job->pidfd = pidfd_open(job->pid, 0);
	if (job->pidfd < 0) {
		int why = errno;

		kill(job->pid, SIGKILL);
		waitpid(job->pid, NULL, 0);
		job->pid = 0;
		errno = why;
		return cannot_start(job, error);
	}
	job->deadline = job->end.limits.wall_s
				? g_get_monotonic_time() +
					  (gint64)job->end.limits.wall_s *
						  G_USEC_PER_SEC
				: G_MAXINT64;
	p->started++;
	return true;
}

static char *read_said(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	size_t n = (size_t)CLAMP(size, 0, AB_JOB_SAID_MAX);
	char *text = g_malloc0(n + 1);
	ssize_t got = pread(fd, text, n, 0);

	text[MAX(got, 0)] = '\0';
	return text;
}

/* Wait for its end, which is there or sure to come. */
static void reap(struct pool *p, struct job *job)
{
	int status = 0;

	/* What it left behind; once it is reaped, its number may be another's. */
	kill(-job->pid, SIGKILL);
	while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
		;
	job->pid = 0;
	if (job->pidfd >= 0)
		close(job->pidfd);
	if (WIFSIGNALED(status))
		job->end.signal = WTERMSIG(status);
	else
		job->end.status = WEXITSTATUS(status);
	job->end.said = read_said(job->err);
	close(job->err);
	lseek(job->out, 0, SEEK_SET);
	job->end.out = job->out;
	job->ended = true;
	p->ended++;
}

static void kill_job(struct pool *p, struct job *job)
{
	kill(job->pid, SIGKILL);
	reap(p, job);
}

static void release(struct job *job)
{
	if (job->ended)
		close(job->end.out);
	g_clear_pointer(&job->end.said, g_free);
	job->ended = false;
}

static bool report(struct pool *p, GError **error)
{
	while (p->reported < p->started && p->all[p->reported].ended) {
		struct job *job = &p->all[p->reported];

		if (!p->jobs->done(p->jobs->user, p->reported, &job->end,
				   error))
			return false;
		release(job);
		p->reported++;
	}
	return true;
}

/* As many as are wanted, but not far ahead of what can be reported. */
static bool start_some(struct pool *p, GError **error)
{
	guint parallel = MAX(p->jobs->parallel, 1);

	while (p->started < p->jobs->n && p->started - p->ended < parallel &&
	       p->started - p->reported < 2 * parallel)
		if (!start(p, error))
			return false;
	return true;
}

static void take_ended(struct pool *p, const struct pollfd *fds, guint n,
		       struct job *const *running)
{
	gint64 now = g_get_monotonic_time();
	guint i;

	for (i = 0; i < n; i++) {
		struct job *job = running[i];

		if (fds[i].revents) {
			reap(p, job);
		} else if (now >= job->deadline) {
			job->end.late = true;
			kill_job(p, job);
		}
	}
}

static bool wait_some(struct pool *p, GError **error)
{
	guint max = p->started - p->reported, n = 0, i;
	g_autofree struct pollfd *fds = g_new0(struct pollfd, max + 1);
	g_autofree struct job **running = g_new0(struct job *, max);

	for (i = p->reported; i < p->started; i++)
		if (p->all[i].pid) {
			running[n] = &p->all[i];
			fds[n++] = (struct pollfd){ .fd = p->all[i].pidfd,
						    .events = POLLIN };
		}
	fds[n] = (struct pollfd){ .fd = p->intr ? ab_intr_fd(p->intr) : -1,
				  .events = POLLIN };
	if (n && poll(fds, n + 1, TICK_MS) > 0 && fds[n].revents) {
		g_set_error(error, AB_ERROR, AB_ERROR_INTERRUPTED,
			    "interrupted");
		return false;
	}
	take_ended(p, fds, n, running);
	if (p->jobs->tick)
		p->jobs->tick(p->jobs->user, p->ended);
	return true;
}

bool ab_jobs_run(const struct ab_jobs *jobs, struct ab_intr *intr,
		 GError **error)
{
	struct pool p = { .jobs = jobs, .intr = intr };
	bool ok = true;
	guint i;

	p.all = g_new0(struct job, MAX(jobs->n, 1));
	while (ok && p.reported < jobs->n)
		ok = start_some(&p, error) && wait_some(&p, error) &&
		     report(&p, error);
	for (i = p.reported; i < p.started; i++) {
		if (p.all[i].pid)
			kill_job(&p, &p.all[i]);
		release(&p.all[i]);
	}
	g_free(p.all);
	return ok;
}

char *ab_job_why(const struct ab_job_end *end)
{
	if (end->late)
		return g_strdup_printf("did not end within %" G_GUINT64_FORMAT
				       " s",
				       end->limits.wall_s);
	if (end->signal == SIGXCPU)
		return g_strdup_printf("used more than %" G_GUINT64_FORMAT
				       " s of CPU time",
				       end->limits.cpu_s);
	if (end->signal)
		return g_strdup_printf("crashed (signal %d, %s)", end->signal,
				       g_strsignal(end->signal));
	return NULL;
}
