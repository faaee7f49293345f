// SPDX-License-Identifier: GPL-3.0-or-later
// adb's shell: and exec: services.
#include "adbd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ID_STDIN, ID_STDOUT, ID_STDERR, ID_EXIT, ID_CLOSE_STDIN, ID_WINDOW };

#define HEAD 5 /* id, u32 length */
#define PIPE_BYTES (1 << 20)
#define CHUNK (256u << 10)
#define MAX_WINDOW 64

struct shell {
	struct adb_stream *s;
	bool v2, tty;
	char *term;
	const char *command;
	struct vp_child child;
	int in, out, err; /* our ends; -1: closed */
	bool stuffed;	  /* stdin takes no more at the moment */
	/* the message that is arriving */
	guint8 head[HEAD];
	size_t head_len, left;
	char window[MAX_WINDOW];
	size_t window_len;
	guint8 *buf;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void set_window(struct shell *sh)
{
	struct winsize ws = { 0 };

	sh->window[MIN(sh->window_len, MAX_WINDOW - 1)] = '\0';
	sh->window_len = 0;
	if (sscanf(sh->window, "%hux%hu,%hux%hu", &ws.ws_row, &ws.ws_col,
		   &ws.ws_xpixel, &ws.ws_ypixel) == 4 &&
	    sh->tty && sh->in >= 0)
		ioctl(sh->in, TIOCSWINSZ, &ws);
}

/* How much of @data stdin took; sets stuffed when it was not all. */
static size_t to_stdin(struct shell *sh, const guint8 *data, size_t len)
{
	ssize_t n;

	if (sh->in < 0)
		return len;
	n = write(sh->in, data, len);
	if (n < 0 && errno == EAGAIN) {
		sh->stuffed = true;
		return 0;
	}
	if (n < 0) {
		close_fd(&sh->in);
		return len;
	}
	return (size_t)n;
}

static void message_begins(struct shell *sh)
{
	guint32 len;

	memcpy(&len, sh->head + 1, sizeof(len));
	sh->left = GUINT32_FROM_LE(len);
	if (sh->head[0] == ID_CLOSE_STDIN && !sh->tty)
		close_fd(&sh->in);
}

static size_t message_data(struct shell *sh, const guint8 *data, size_t len)
{
	size_t n = MIN(len, sh->left);

	if (sh->head[0] == ID_STDIN) {
		n = to_stdin(sh, data, n);
	} else if (sh->head[0] == ID_WINDOW) {
		size_t room = MAX_WINDOW - 1 - sh->window_len;

		memcpy(sh->window + sh->window_len, data, MIN(n, room));
		sh->window_len += MIN(n, room);
	}
	sh->left -= n;
	return n;
}

/* Take one piece of a v2 stream: header or data. */
static size_t take_v2(struct shell *sh, const guint8 *data, size_t len)
{
	size_t n;

	if (sh->head_len == HEAD) {
		n = message_data(sh, data, len);
	} else {
		n = MIN(len, HEAD - sh->head_len);
		memcpy(sh->head + sh->head_len, data, n);
		sh->head_len += n;
		if (sh->head_len == HEAD)
			message_begins(sh);
	}
	if (sh->head_len == HEAD && sh->left == 0) {
		if (sh->head[0] == ID_WINDOW)
			set_window(sh);
		sh->head_len = 0;
	}
	return n;
}

static void take_input(struct shell *sh)
{
	const guint8 *data;
	size_t len, n;

	while (!sh->stuffed && (data = adb_stream_peek(sh->s, &len))) {
		n = sh->v2 ? take_v2(sh, data, len) : to_stdin(sh, data, len);
		if (n > 0)
			adb_stream_consume(sh->s, n);
	}
}

static size_t put_head(guint8 *at, int id, size_t len)
{
	guint32 le = GUINT32_TO_LE((guint32)len);

	at[0] = (guint8)id;
	memcpy(at + 1, &le, sizeof(le));
	return HEAD;
}

/* Read what *@fd has, as a message at @at; 0 when it has ended. */
static size_t take_output(struct shell *sh, int *fd, int id, guint8 *at)
{
	size_t head = sh->v2 ? HEAD : 0;
	size_t room = MIN(CHUNK, adb_stream_max(sh->s) / 2) - HEAD;
	ssize_t n = read(*fd, at + head, room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) {
		close_fd(fd);
		return 0;
	}
	if (sh->v2)
		put_head(at, id, (size_t)n);
	return head + (size_t)n;
}

static void send_exit(struct shell *sh)
{
	int status = vp_child_wait(&sh->child);
	guint8 msg[HEAD + 1];

	put_head(msg, ID_EXIT, 1);
	msg[HEAD] = (guint8)status;
	if (sh->v2)
		adb_stream_write(sh->s, msg, sizeof(msg));
}

static void pump_output(struct shell *sh, const struct pollfd *out,
			const struct pollfd *err)
{
	size_t n = 0;

	if (out->revents)
		n += take_output(sh, &sh->out, ID_STDOUT, sh->buf);
	if (err->revents)
		n += take_output(sh, &sh->err, ID_STDERR, sh->buf + n);
	if (n > 0)
		adb_stream_write(sh->s, sh->buf, n);
}

/* As adbd: the shell gets SIGHUP, what it started may live on. */
static void hang_up(struct shell *sh)
{
	vp_child_signal(sh->s->vp, &sh->child, SIGHUP);
	close_fd(&sh->child.status_fd);
}

static void pump(struct shell *sh)
{
	for (;;) {
		bool may = adb_stream_may_write(sh->s);
		bool ended = sh->out < 0 && sh->err < 0;
		struct pollfd p[] = {
			{ .fd = sh->s->wake, .events = POLLIN },
			{ .fd = may ? sh->out : -1, .events = POLLIN },
			{ .fd = may ? sh->err : -1, .events = POLLIN },
			{ .fd = sh->stuffed ? sh->in : -1, .events = POLLOUT },
			{ .fd = ended ? sh->child.status_fd : -1,
			  .events = POLLIN },
		};

		poll(p, G_N_ELEMENTS(p), -1);
		if (p[0].revents)
			adb_stream_clear_wake(sh->s);
		if (p[3].revents)
			sh->stuffed = false;
		take_input(sh);
		if (adb_stream_closed(sh->s)) {
			hang_up(sh);
			return;
		}
		if (p[4].revents) {
			send_exit(sh);
			return;
		}
		pump_output(sh, &p[1], &p[2]);
	}
}

/* @child_fds are the child's ends, to be closed here after the start. */
static bool open_pipes(struct shell *sh, int *child_fds)
{
	int fds[3][2];

	for (int i = 0; i < 3; i++) {
		if (pipe2(fds[i], O_CLOEXEC) < 0)
			return false; /* rare; the descriptors are the phone's */
		fcntl(fds[i][0], F_SETPIPE_SZ, PIPE_BYTES);
	}
	child_fds[0] = fds[0][0];
	sh->in = fds[0][1];
	sh->out = fds[1][0];
	child_fds[1] = fds[1][1];
	sh->err = fds[2][0];
	child_fds[2] = fds[2][1];
	return true;
}

static bool open_pair(struct shell *sh, int *child_fds)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	sh->out = pair[0];
	sh->in = fcntl(pair[0], F_DUPFD_CLOEXEC, 0);
	for (int i = 0; i < 3; i++)
		child_fds[i] = fcntl(pair[1], F_DUPFD_CLOEXEC, 0);
	close(pair[1]);
	return true;
}

static bool open_tty(struct shell *sh, int *child_fds)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];
	int slave = -1;

	if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
	    ptsname_r(master, name, sizeof(name)) == 0)
		slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0) {
		if (master >= 0)
			close(master);
		return false;
	}
	sh->out = master;
	sh->in = fcntl(master, F_DUPFD_CLOEXEC, 0);
	for (int i = 0; i < 3; i++)
		child_fds[i] = i < 2 ? fcntl(slave, F_DUPFD_CLOEXEC, 0) : slave;
	return true;
}

static bool start_shell(struct shell *sh)
{
	const char *run[] = { "/system/bin/sh", "-c", sh->command, NULL };
	const char *login[] = { "/system/bin/sh", "-", NULL };
	int fds[3] = { -1, -1, -1 };
	struct vp_spawn spawn = { .argv = sh->command[0] ? run : login,
				  .cwd = "/",
				  .term = sh->term,
				  .uid = sh->s->uid,
				  .tty = sh->tty };
	bool ok;

	if (sh->tty)
		ok = open_tty(sh, fds);
	else
		ok = sh->v2 ? open_pipes(sh, fds) : open_pair(sh, fds);
	if (!ok)
		return false;
	fcntl(sh->in, F_SETFL, O_NONBLOCK);
	spawn.in = fds[0];
	spawn.out = fds[1];
	spawn.err = fds[2];
	ok = vp_spawn(sh->s->vp, &spawn, &sh->child);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	return ok;
}

/* Fault: the device took the command and says nothing more. */
static bool is_silenced(struct adb_stream *s)
{
	bool silent;

	g_mutex_lock(&s->vp->lock);
	silent = vp_fault_take(s->vp, VP_FAULT_SILENT, NULL);
	g_mutex_unlock(&s->vp->lock);
	while (silent && !adb_stream_closed(s)) {
		struct pollfd p = { .fd = s->wake, .events = POLLIN };

		poll(&p, 1, -1);
		adb_stream_clear_wake(s);
	}
	return silent;
}

static void run_shell(struct shell *sh)
{
	sh->in = sh->out = sh->err = -1;
	if (is_silenced(sh->s))
		return;
	sh->buf = g_malloc(2 * (size_t)(CHUNK + HEAD));
	if (start_shell(sh))
		pump(sh);
	else if (sh->v2)
		adb_stream_write(sh->s, "\3\1\0\0\0\176", HEAD + 1);
	close_fd(&sh->in);
	close_fd(&sh->out);
	close_fd(&sh->err);
	g_free(sh->buf);
}

void adb_service_shell(struct adb_stream *s, const char *arg)
{
	struct shell sh = { .s = s, .command = arg, .tty = !arg[0] };

	run_shell(&sh);
}

/* @arg: "v2,TERM=xterm,raw:COMMAND" */
void adb_service_shell_v2(struct adb_stream *s, const char *arg)
{
	const char *colon = strchr(arg, ':');
	g_autofree char *options =
		colon ? g_strndup(arg, (gsize)(colon - arg)) : g_strdup(arg);
	g_auto(GStrv) words = g_strsplit(options, ",", -1);
	struct shell sh = { .s = s, .command = colon ? colon + 1 : "" };

	sh.tty = !sh.command[0];
	for (char **w = words; *w; w++) {
		if (g_str_equal(*w, "v2"))
			sh.v2 = true;
		else if (g_str_equal(*w, "raw"))
			sh.tty = false;
		else if (g_str_equal(*w, "pty"))
			sh.tty = true;
		else if (g_str_has_prefix(*w, "TERM="))
			sh.term = *w + strlen("TERM=");
	}
	run_shell(&sh);
}
