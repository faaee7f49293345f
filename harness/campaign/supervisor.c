// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The supervisor: starts one worker process per device, shows what they say,
 * passes Ctrl-C on, restarts a worker that crashed.  It drives no phone, so
 * nothing that a phone does can stop it.
 */
#include "directory.h"
#include "stop.h"
#include "worker.h"

#include <abrig/error.h>
#include <abrig/log.h>
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOCK_MS (60 * 1000)
#define ADB_START_MS (30 * 1000)
#define MAX_RESTARTS 3
#define MAX_LINE 8192
#define STATUS_FD 3

struct member {
	struct ab_device_row *row;
	GPid pid; /* 0: ended */
	int fd;	  /* its status pipe; -1: closed */
	GString *buffer;
	int line; /* in the display */
	int restarts;
	bool ok;
	GError *error; /* what it said last */
};

struct supervisor {
	const struct ab_plan *plan;
	const struct ab_campaign_options *options;
	struct ab_intr *intr;
	struct ab_store *store;
	struct display *display;
	GArray *members; /* struct member */
	int stops;	 /* how often we were asked to stop */
	int lock_fd;
};

static struct member *member_at(struct supervisor *s, guint i)
{
	return &g_array_index(s->members, struct member, i);
}

static void in_worker(gpointer data)
{
	(void)data;
	/* Ctrl-C reaches the supervisor alone, which passes it on. */
	setpgid(0, 0);
	/* A killed supervisor's workers restore their phones and end. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static bool start_worker(struct supervisor *s, struct member *m, GError **error)
{
	g_autofree char *port = g_strdup_printf("%d", s->options->adb_port);
	const char *argv[] = { s->options->program,
			       "worker",
			       "--dir",
			       s->options->dir,
			       "--serial",
			       m->row->serial,
			       "--adb-port",
			       port,
			       s->plan->file,
			       s->plan->again ? "--again" : NULL,
			       NULL };
	g_autoptr(GError) why = NULL;
	int pipe_fds[2];
	int from[2], to[2] = { STATUS_FD, STATUS_FD + 1 };
	bool ok;

	if (!g_unix_open_pipe(pipe_fds, FD_CLOEXEC, &why)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot start a worker for %s: %s; raise "
			    "`ulimit -n`",
			    m->row->serial, why->message);
		return false;
	}
	from[0] = pipe_fds[1];
	from[1] = s->lock_fd;
	/* Standard error joins the status lines: one stream, one order. */
	ok = g_spawn_async_with_pipes_and_fds(NULL, argv, NULL,
					      G_SPAWN_DO_NOT_REAP_CHILD,
					      in_worker, NULL, -1, -1,
					      pipe_fds[1], from, to, 2, &m->pid,
					      NULL, NULL, NULL, &why);
	close(pipe_fds[1]);
	if (!ok) {
		close(pipe_fds[0]);
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot start a worker for %s: %s", m->row->serial,
			    why->message);
		return false;
	}
	m->fd = pipe_fds[0];
	g_string_truncate(m->buffer, 0);
	return true;
}

static void take_line(struct supervisor *s, struct member *m, const char *text)
{
	struct progress_line line;

	if (!progress_parse(text, &line)) {
		display_say(s->display, "%s: %s", m->row->serial, text);
	} else if (line.is_error) {
		g_clear_error(&m->error);
		m->error =
			g_error_new_literal(AB_ERROR, line.code, line.message);
	} else {
		display_update(s->display, m->line, &line.progress);
	}
	progress_line_clear(&line);
}

static void take_lines(struct supervisor *s, struct member *m)
{
	char *end;

	while ((end = memchr(m->buffer->str, '\n', m->buffer->len))) {
		g_autofree char *text = g_strndup(
			m->buffer->str, (gsize)(end - m->buffer->str));

		g_string_erase(m->buffer, 0, end - m->buffer->str + 1);
		take_line(s, m, text);
	}
	if (m->buffer->len > MAX_LINE)
		g_string_truncate(m->buffer, 0);
}

/* The worker's pipe is at its end: it exited, or is about to. */
static void bury(struct supervisor *s, struct member *m)
{
	int status = 0;

	close(m->fd);
	m->fd = -1;
	while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
		;
	m->pid = 0;
	m->ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	ab_log("worker.ended", AB_S("serial", m->row->serial),
	       AB_I("status", status));
	if (m->ok || m->error)
		return;
	if (!s->stops && m->restarts < MAX_RESTARTS) {
		m->restarts++;
		display_say(s->display,
			    "%s: its worker crashed (status 0x%x); "
			    "starting it again",
			    m->row->serial, (unsigned int)status);
		start_worker(s, m, &m->error);
		return;
	}
	g_set_error(&m->error, AB_ERROR, AB_ERROR_FAILED,
		    "its worker crashed (status 0x%x)", (unsigned int)status);
}

static void signal_workers(struct supervisor *s, int signal)
{
	guint i;

	for (i = 0; i < s->members->len; i++)
		if (member_at(s, i)->pid > 0)
			kill(signal == SIGKILL ? -member_at(s, i)->pid
					       : member_at(s, i)->pid,
			     signal);
}

static void read_member(struct supervisor *s, struct member *m)
{
	char buf[4096];
	ssize_t n = read(m->fd, buf, sizeof(buf));

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0) {
		g_string_append_len(m->buffer, buf, n);
		take_lines(s, m);
		return;
	}
	bury(s, m);
	/* A wrong kernel on one phone puts the whole campaign in doubt. */
	if (g_error_matches(m->error, AB_ERROR, AB_ERROR_IDENTITY) &&
	    !s->stops++) {
		display_say(s->display, "%s: %s", m->row->serial,
			    m->error->message);
		display_say(s->display, "stopping the campaign");
		signal_workers(s, SIGINT);
	}
}

static void stop_request(struct supervisor *s)
{
	ab_intr_reset(s->intr);
	if (++s->stops == 1) {
		display_say(s->display,
			    "stopping: restoring the phones (once more to "
			    "leave them as they are)");
		signal_workers(s, SIGINT);
	} else {
		display_say(s->display,
			    "left as they are; later: abrig "
			    "restore %s",
			    s->options->dir);
		signal_workers(s, SIGKILL);
	}
}

static void supervise(struct supervisor *s)
{
	guint n = s->members->len, i;
	g_autofree struct pollfd *p = g_new0(struct pollfd, n + 1);

	for (;;) {
		guint alive = 0;

		p[n] = (struct pollfd){ .fd = ab_intr_fd(s->intr),
					.events = POLLIN };
		for (i = 0; i < n; i++) {
			p[i] = (struct pollfd){ .fd = member_at(s, i)->fd,
						.events = POLLIN };
			alive += p[i].fd >= 0;
		}
		if (!alive)
			return;
		if (poll(p, n + 1, -1) <= 0)
			continue;
		if (p[n].revents)
			stop_request(s);
		for (i = 0; i < n; i++)
			if (p[i].revents)
				read_member(s, member_at(s, i));
	}
}

static bool add_members(struct supervisor *s, GError **error)
{
	g_autoptr(GPtrArray) rows = ab_store_devices(s->store, error);

	if (!rows)
		return false;
	while (rows->len) {
		struct member m = { .fd = -1 };

		m.row = g_ptr_array_steal_index(rows, 0);
		m.buffer = g_string_new(NULL);
		m.line =
			display_add(s->display, m.row->serial, m.row->platform);
		/* A phone that failed last time gets another chance. */
		g_clear_pointer(&m.row->failed, g_free);
		g_array_append_val(s->members, m);
		if (!ab_store_update_device(s->store, m.row, error))
			return false;
	}
	return true;
}

static void free_members(struct supervisor *s)
{
	guint i;

	for (i = 0; i < s->members->len; i++) {
		struct member *m = member_at(s, i);

		ab_device_row_free(m->row);
		g_string_free(m->buffer, TRUE);
		g_clear_error(&m->error);
	}
	g_array_unref(s->members);
}

/* Accepted runs that are analysed, and how many the plan asks for. */
static bool count_runs(struct supervisor *s, int *accepted_out,
		       int *planned_out, GError **error)
{
	const struct ab_plan *p = s->plan;
	g_autoptr(GPtrArray) runs = ab_store_runs(s->store, 0, error);
	int stopped = stop_blocks(s->store);
	gint64 blocks = stopped ? stopped : p->schedule.blocks;
	guint i;

	*accepted_out = 0;
	*planned_out =
		(int)(blocks * p->schedule.runs) *
		(int)(p->scenarios->len * p->variants->len * s->members->len);
	for (i = 0; runs && i < runs->len; i++) {
		const struct ab_run_row *run = runs->pdata[i];

		*accepted_out += run->state == AB_RUN_ACCEPTED && !run->warmup;
	}
	return runs != NULL;
}

static const char *why_missing(const struct supervisor *s, bool failed)
{
	if (!failed)
		return ": they were rejected more often than schedule.retries "
		       "allows; the report says by which gates";
	return s->plan->again ? "; abrig aa on the same directory goes on"
			      : "; abrig run on the same directory goes on";
}

/* The first error decides the kind; all of them are told. */
static bool verdict(struct supervisor *s, GError **error)
{
	GString *text = g_string_new(NULL);
	int code = AB_ERROR_FAILED, accepted, planned;
	bool failed = false;
	guint i;

	if (!count_runs(s, &accepted, &planned, error)) {
		g_string_free(text, TRUE);
		return false;
	}
	for (i = 0; i < s->members->len; i++) {
		const struct member *m = member_at(s, i);

		if (!m->error)
			continue;
		if (!failed &&
		    (!accepted || m->error->code == AB_ERROR_IDENTITY))
			code = m->error->code;
		failed = true;
		g_string_append_printf(text, "\n  %s: %s", m->row->serial,
				       m->error->message);
	}
	if (s->stops && code != AB_ERROR_IDENTITY)
		code = AB_ERROR_INTERRUPTED;
	if (failed || accepted < planned)
		g_set_error(error, AB_ERROR, code,
			    "%d of %d runs are missing%s%s", planned - accepted,
			    planned, why_missing(s, failed), text->str);
	g_string_free(text, TRUE);
	return !failed && accepted >= planned;
}

static bool start_all(struct supervisor *s, GError **error)
{
	struct ab_wait wait = ab_wait_in(s->intr, ADB_START_MS);
	ab_autoptr(ab_adb) adb = ab_adb_new(s->options->adb_port);
	guint i;

	/* Once, here: workers would each try. */
	if (!ab_adb_start_server(adb, &wait, error))
		return false;
	for (i = 0; i < s->members->len; i++)
		if (!start_worker(s, member_at(s, i), error)) {
			signal_workers(s, SIGTERM);
			supervise(s);
			return false;
		}
	return true;
}

static bool run(struct supervisor *s, GError **error)
{
	g_autofree char *log =
		g_build_filename(s->options->dir, "log.jsonl", NULL);
	g_autofree char *ended = NULL;
	bool resumed;

	s->store = directory_open(s->options->dir, s->plan, &resumed, error);
	if (!s->store || !ab_log_open(log, error) || !add_members(s, error))
		return false;
	ab_log("campaign", AB_S("plan", s->plan->name),
	       AB_S("resumed", resumed ? "yes" : "no"));
	if (!start_all(s, error))
		return false;
	supervise(s);
	ended = worker_now();
	return ab_store_set_fact(s->store, "ended", ended, error) &&
	       verdict(s, error);
}

bool ab_campaign_run(const struct ab_plan *plan,
		     const struct ab_campaign_options *options,
		     struct ab_intr *intr, GError **error)
{
	struct supervisor s = {
		.plan = plan,
		.options = options,
		.intr = intr,
		.members = g_array_new(FALSE, TRUE, sizeof(struct member)),
	};
	struct ab_wait lock = ab_wait_in(intr, LOCK_MS);
	bool ok = false;

	s.lock_fd = directory_lock(options->dir, &lock, error);
	if (s.lock_fd >= 0) {
		s.display = display_new(options->progress);
		ok = run(&s, error);
		display_free(s.display);
		close(s.lock_fd);
	}
	free_members(&s);
	ab_store_close(s.store);
	return ok;
}
