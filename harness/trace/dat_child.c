// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abrig/sanitize.h>
#include <abrig/wait.h>

#include "dat.h"

/*
 * The child's bounds.  Memory: what the parent has mapped, and this.  A file
 * is mapped piece by piece; the names of a kernel's functions and the formats
 * of its events take some MB.
 */
#define MEMORY_FLOOR (256ULL << 20)
#define MEMORY_RATIO 2
/* CPU time; libtracecmd reads some 50 MB/s. */
#define CPU_FLOOR_S 2
#define CPU_BYTES_PER_S (2ULL << 20)
/* It is never silent while it works; this is for one that hangs. */
#define SILENCE_MS 60000

/* Descriptors of the child. */
enum { FILE_FD = 3, OUT_FD = 4, END_FD = 5 };

static void limit(int what, rlim_t value)
{
	struct rlimit bound;

	/* Never above what the user allows. */
	if (getrlimit(what, &bound))
		return;
	bound.rlim_cur = MIN(value, bound.rlim_max);
	bound.rlim_max = bound.rlim_cur;
	setrlimit(what, &bound);
}

static guint64 mapped_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (guint64)pages * (guint64)sysconf(_SC_PAGESIZE);
}

static void limit_all(gsize size)
{
	guint64 mapped = mapped_bytes();

	if (mapped && !AB_ADDRESS_SANITIZER)
		limit(RLIMIT_AS,
		      mapped + MEMORY_FLOOR + MEMORY_RATIO * (guint64)size);
	limit(RLIMIT_CPU, CPU_FLOOR_S + size / CPU_BYTES_PER_S);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, END_FD);
	limit(RLIMIT_NPROC, 0);
	/* A core_pattern that is a pipe ignores the limit. */
	prctl(PR_SET_DUMPABLE, 0);
}

/* The parent's handlers would act on the parent's descriptors. */
static void reset_signals(void)
{
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The libraries print; and what is open elsewhere is none of its business. */
static bool take_descriptors(int file, int out)
{
	int null = open("/dev/null", O_RDWR);
	int i;

	file = fcntl(file, F_DUPFD, END_FD);
	out = fcntl(out, F_DUPFD, END_FD);
	if (null < 0 || file < 0 || out < 0)
		return false;
	for (i = 0; i < FILE_FD; i++)
		if (dup2(null, i) < 0)
			return false;
	return dup2(file, FILE_FD) >= 0 && dup2(out, OUT_FD) >= 0 &&
	       !close_range(END_FD, ~0U, 0);
}

static G_GNUC_NORETURN void run(int file, int out, gsize size, pid_t parent,
				dat_child_body *body,
				const struct dat_info *info)
{
	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !take_descriptors(file, out))
		_exit(1);
	limit_all(size);
	_exit(body(FILE_FD, OUT_FD, info) ? 0 : 1);
}

bool dat_child_start(struct dat_child *child, int file, gsize size,
		     dat_child_body *body, const struct dat_info *info)
{
	pid_t parent = getpid();
	int ends[2];

	*child = (struct dat_child){ 0, -1 };
	if (pipe2(ends, O_CLOEXEC))
		return false;
	child->pid = fork();
	if (!child->pid)
		run(file, ends[1], size, parent, body, info);
	close(ends[1]);
	if (child->pid > 0) {
		child->fd = ends[0];
		return true;
	}
	close(ends[0]);
	child->pid = 0;
	return false;
}

gsize dat_child_read(struct dat_child *child, guint8 *to, gsize size)
{
	struct ab_wait wait = ab_wait_in(NULL, SILENCE_MS);
	ssize_t n;

	do {
		if (!ab_wait_fd(&wait, child->fd, POLLIN,
				"a trace-cmd file is decoded", NULL))
			return 0;
		n = read(child->fd, to, size);
	} while (n < 0 && errno == EINTR);
	return n > 0 ? (gsize)n : 0;
}

void dat_child_finish(struct dat_child *child)
{
	pid_t pid;

	if (!child->pid)
		return;
	close(child->fd);
	kill(child->pid, SIGKILL);
	do
		pid = waitpid(child->pid, NULL, 0);
	while (pid < 0 && errno != ECHILD); /* a signal interrupted it */
	child->pid = 0;
}
