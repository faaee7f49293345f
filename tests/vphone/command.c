// SPDX-License-Identifier: GPL-3.0-or-later
// Serves Android's commands: the program vphone-cmd in the root passes its
// arguments and descriptors through a socket, a thread here does the work.
#include "core.h"

#include "client/vphone-cmd.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct vp_command *const tables[] = {
	vp_commands_core, vp_commands_ps,      vp_commands_system,
	vp_commands_ui,	  vp_commands_dumpsys, vp_commands_perfetto,
};

GPtrArray *vp_command_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
		for (const struct vp_command *c = tables[i]; c->name; c++)
			g_ptr_array_add(names, (gpointer)c->name);
	return names;
}

static const struct vp_command *find_command(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
		for (const struct vp_command *c = tables[i]; c->name; c++)
			if (g_str_equal(c->name, name))
				return c;
	return NULL;
}

void vp_print(int fd, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	vp_write_full(fd, text, strlen(text));
}

char *vp_read_all(int fd, size_t max)
{
	GString *text = g_string_new(NULL);
	char buf[16384];
	ssize_t n;

	while (text->len < max && (n = read(fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			g_string_append_len(text, buf, n);
	}
	g_string_truncate(text, MIN(text->len, max));
	return g_string_free(text, FALSE);
}

bool vp_call_sleep(struct vp_call *call, gint64 ns)
{
	gint64 until =
		g_get_monotonic_time() + vp_host_us(call->vp, MAX(ns, 0));
	gint64 left_us;

	while ((left_us = until - g_get_monotonic_time()) > 0) {
		struct pollfd p = { .fd = call->peer, .events = POLLIN };
		struct timespec ts = { .tv_sec = left_us / G_USEC_PER_SEC,
				       .tv_nsec = left_us % G_USEC_PER_SEC *
						  1000 };

		if (ppoll(&p, 1, &ts, NULL) > 0)
			return false;
	}
	return true;
}

static void call_free(struct vp_call *call)
{
	const int fds[] = { call->in, call->out, call->err, call->peer };

	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	g_strfreev(call->argv);
	g_free(call->cwd);
	g_free(call);
}

/* @text: cwd, then the arguments, each with its NUL. */
static bool parse_request(struct vp_call *call, const char *text, size_t len)
{
	g_autoptr(GPtrArray) strings = g_ptr_array_new_with_free_func(g_free);
	const char *end = text + len;

	while (text < end) {
		size_t n = strnlen(text, (size_t)(end - text));

		if (n == (size_t)(end - text))
			return false;
		g_ptr_array_add(strings, g_strdup(text));
		text += n + 1;
	}
	if (strings->len < 2)
		return false;
	call->cwd = g_ptr_array_steal_index(strings, 0);
	g_ptr_array_add(strings, NULL);
	call->argc = (int)strings->len - 1;
	call->argv = (char **)g_ptr_array_steal(strings, NULL);
	return true;
}

static bool take_rights(struct msghdr *msg, struct vp_call *call)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int fds[VPHONE_CMD_FDS];

	if (!c || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof(fds)))
		return false;
	memcpy(fds, CMSG_DATA(c), sizeof(fds));
	call->in = fds[0];
	call->out = fds[1];
	call->err = fds[2];
	return true;
}

static bool receive_request(struct vp_call *call)
{
	union {
		char buf[CMSG_SPACE(sizeof(int) * VPHONE_CMD_FDS)];
		struct cmsghdr align;
	} control;
	g_autofree char *buf = g_malloc(VPHONE_CMD_MAX);
	struct iovec iov = { .iov_base = buf, .iov_len = VPHONE_CMD_MAX };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	ssize_t n = recvmsg(call->peer, &msg, MSG_CMSG_CLOEXEC);
	gint32 uid;

	if (n < (ssize_t)sizeof(uid) || !take_rights(&msg, call))
		return false;
	memcpy(&uid, buf, sizeof(uid));
	call->uid = uid;
	return parse_request(call, buf + sizeof(uid), (size_t)n - sizeof(uid));
}

static int run_call(struct vp_call *call)
{
	const struct vp_command *c = find_command(call->argv[0]);

	if (c)
		return c->run(call);
	vp_print(call->err, "vphone-cmd: %s: not a command of this phone\n",
		 call->argv[0]);
	return 127;
}

static void count_call(struct vphone *vp, int by)
{
	g_mutex_lock(&vp->lock);
	vp->core->calls += by;
	g_cond_broadcast(&vp->changed);
	g_mutex_unlock(&vp->lock);
}

static gpointer serve_call(gpointer data)
{
	struct vp_call *call = data;
	gint32 status;

	if (receive_request(call)) {
		count_call(call->vp, 1);
		status = run_call(call);
		send(call->peer, &status, sizeof(status), MSG_NOSIGNAL);
		count_call(call->vp, -1);
	}
	call_free(call);
	return NULL;
}

struct server {
	struct vphone *vp;
	int fd;
};

static gpointer accept_calls(gpointer data)
{
	struct server *server = data;
	int fd;

	while ((fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		struct vp_call *call = g_new0(struct vp_call, 1);

		call->vp = server->vp;
		call->in = call->out = call->err = -1;
		call->peer = fd;
		g_thread_unref(g_thread_new("command", serve_call, call));
	}
	return NULL;
}

bool vp_command_start(struct vphone *vp, GError **error)
{
	g_autofree char *path = g_strconcat(vp->root, VPHONE_CMD_SOCKET, NULL);
	struct server *server = g_new0(struct server, 1);

	server->vp = vp;
	server->fd = vp_unix_listen(path, SOCK_SEQPACKET, error);
	if (server->fd < 0 || chmod(path, 0666) < 0) {
		g_free(server);
		return false;
	}
	g_thread_unref(g_thread_new("commands", accept_calls, server));
	return true;
}
