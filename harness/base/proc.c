// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/log.h>
#include <abrig/proc.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a killed program may take to be gone. */
#define REAP_STEP_US 2000

struct child {
	GPid pid;
	int out;
	int err;
	const char *name;
};

static void own_process_group(gpointer data)
{
	(void)data;
	setpgid(0, 0);
	/* The program must not outlive a harness that was killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static bool start(const char *const *argv, struct child *c, GError **error)
{
	g_autoptr(GError) why = NULL;

	c->name = argv[0];
	if (g_spawn_async_with_pipes(NULL, (char **)argv, NULL,
				     G_SPAWN_SEARCH_PATH |
					     G_SPAWN_DO_NOT_REAP_CHILD,
				     own_process_group, NULL, &c->pid, NULL,
				     &c->out, &c->err, &why))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot start '%s': %s; install it or correct PATH",
		    argv[0], why->message);
	return false;
}

/* Move what is there from *@fd to @text; closes *@fd (to -1) at its end. */
static bool drain(int *fd, GString *text, const char *name, GError **error)
{
	char buf[16384];
	ssize_t n = read(*fd, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return true;
	}
	if (text->len + (size_t)n > AB_PROC_MAX_OUTPUT) {
		g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
			    "'%s' printed more than %u MiB; it was stopped",
			    name, AB_PROC_MAX_OUTPUT >> 20);
		return false;
	}
	g_string_append_len(text, buf, n);
	return true;
}

static bool collect(const struct ab_wait *w, struct child *c,
		    struct ab_proc_result *r, GError **error)
{
	g_autofree char *what = g_strdup_printf("running '%s'", c->name);

	while (c->out >= 0 || c->err >= 0) {
		struct pollfd p[3] = {
			{ .fd = c->out, .events = POLLIN },
			{ .fd = c->err, .events = POLLIN },
			{ .fd = w->intr ? ab_intr_fd(w->intr) : -1,
			  .events = POLLIN },
		};

		if (!ab_wait_check(w, what, error))
			return false;
		if (poll(p, 3, (int)MIN(ab_wait_left_ms(w), 3600 * 1000)) <= 0)
			continue;
		if (p[0].revents && !drain(&c->out, r->out, c->name, error))
			return false;
		if (p[1].revents && !drain(&c->err, r->err, c->name, error))
			return false;
	}
	return true;
}

/* Wait for the exit within @w; a program may close its output and stay. */
static bool reap(const struct ab_wait *w, struct child *c, int *status_out,
		 GError **error)
{
	g_autofree char *what =
		g_strdup_printf("waiting for '%s' to exit", c->name);
	int status;

	for (;;) {
		pid_t pid = waitpid(c->pid, &status, WNOHANG);
		struct ab_wait step = *w;

		if (pid == c->pid)
			break;
		if (pid < 0 && errno != EINTR) {
			g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
				    "lost track of '%s': %s", c->name,
				    g_strerror(errno));
			return false;
		}
		if (!ab_wait_check(w, what, error))
			return false;
		step.deadline =
			MIN(w->deadline, g_get_monotonic_time() + REAP_STEP_US);
		ab_wait_fd(&step, -1, 0, what, NULL);
	}
	*status_out = WIFEXITED(status) ? WEXITSTATUS(status)
					: 128 + WTERMSIG(status);
	c->pid = 0;
	return true;
}

static void finish(struct child *c)
{
	if (c->out >= 0)
		close(c->out);
	if (c->err >= 0)
		close(c->err);
	if (c->pid <= 0)
		return;
	kill(-c->pid, SIGKILL);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool ab_proc_run(const struct ab_wait *w, const char *const *argv,
		 struct ab_proc_result *result, GError **error)
{
	struct child c = { .out = -1, .err = -1 };
	gint64 begin = g_get_monotonic_time();
	g_autofree char *line = g_strjoinv(" ", (char **)argv);
	bool ok;

	*result = (struct ab_proc_result){
		.status = -1,
		.out = g_string_new(NULL),
		.err = g_string_new(NULL),
	};
	if (!start(argv, &c, error))
		return false;
	ok = collect(w, &c, result, error) &&
	     reap(w, &c, &result->status, error);
	finish(&c);
	result->duration_us = g_get_monotonic_time() - begin;
	ab_log("proc", AB_S("argv", line), AB_I("status", result->status),
	       AB_I("us", result->duration_us));
	return ok;
}

void ab_proc_result_clear(struct ab_proc_result *result)
{
	if (result->out)
		g_string_free(result->out, TRUE);
	if (result->err)
		g_string_free(result->err, TRUE);
	*result = (struct ab_proc_result){ 0 };
}
