// SPDX-License-Identifier: GPL-3.0-or-later
// Starting the phone's processes.  A small process without threads does the
// forking (spawner.c): forking this one would be slow, and what may be done
// between fork and exec in a program with threads is little.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void put_string(GByteArray *out, const char *s)
{
	g_byte_array_append(out, (const guint8 *)s, (guint)strlen(s) + 1);
}

static bool send_msg(struct vphone *vp, const void *data, size_t len,
		     const int *fds, size_t n_fds)
{
	union {
		char buf[CMSG_SPACE(sizeof(int) * 4)];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov = { .iov_base = (void *)data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (n_fds > 0) {
		struct cmsghdr *c = &control.align;

		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
		memcpy(CMSG_DATA(c), fds, sizeof(int) * n_fds);
	}
	return sendmsg(vp->core->spawner, &msg, MSG_NOSIGNAL) == (ssize_t)len;
}

bool vp_spawn(struct vphone *vp, const struct vp_spawn *spawn,
	      struct vp_child *child_out)
{
	static gint ids;
	struct vp_spawn_msg msg = { .op = VP_SPAWN_START,
				    .id = (guint32)g_atomic_int_add(&ids, 1),
				    .uid = spawn->uid,
				    .tty = spawn->tty };
	g_autoptr(GByteArray) out = g_byte_array_new();
	int pipe_fds[2];
	bool ok;

	g_byte_array_append(out, (guint8 *)&msg, sizeof(msg));
	put_string(out, spawn->cwd);
	put_string(out, spawn->term ? spawn->term : "");
	for (msg.strings = 2; spawn->argv[msg.strings - 2]; msg.strings++)
		put_string(out, spawn->argv[msg.strings - 2]);
	memcpy(out->data, &msg, sizeof(msg));
	if (out->len > VP_SPAWN_MAX || pipe2(pipe_fds, O_CLOEXEC) < 0)
		return false;

	int fds[] = { spawn->in, spawn->out, spawn->err, pipe_fds[1] };

	ok = send_msg(vp, out->data, out->len, fds, G_N_ELEMENTS(fds));
	close(pipe_fds[1]);
	child_out->id = msg.id;
	child_out->status_fd = pipe_fds[0];
	if (!ok)
		close(pipe_fds[0]);
	return ok;
}

void vp_child_signal(struct vphone *vp, const struct vp_child *child, int sig)
{
	struct vp_spawn_msg msg = { .op = VP_SPAWN_SIGNAL,
				    .id = child->id,
				    .sig = sig };

	send_msg(vp, &msg, sizeof(msg), NULL, 0);
}

int vp_child_wait(struct vp_child *child)
{
	int status = -1;
	bool ok = vp_read_full(child->status_fd, &status, sizeof(status));

	close(child->status_fd);
	child->status_fd = -1;
	if (!ok)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void vp_kill_all(struct vphone *vp)
{
	struct vp_spawn_msg msg = { .op = VP_SPAWN_KILL_ALL };
	int pipe_fds[2];
	char byte;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return;
	send_msg(vp, &msg, sizeof(msg), &pipe_fds[1], 1);
	close(pipe_fds[1]);
	(void)!read(pipe_fds[0], &byte, 1); /* its end says: done */
	close(pipe_fds[0]);
}

/*
 * With a process-id namespace the end of the spawner ends every process, a
 * `kill -9 -1` in the phone stays in the phone, and its pids are small.
 * Without it the spawner adopts orphans and finds them through /proc.
 */
bool vp_spawner_start(struct vphone *vp, GError **error)
{
	bool own_pids = true;
	int pair[2];
	long pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot make a socket pair: %s", g_strerror(errno));
		return false;
	}
	pid = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL,
		      NULL);
	if (pid < 0) {
		own_pids = false;
		pid = fork();
	}
	if (pid == 0) {
		close(pair[0]);
		vp_spawner_main(pair[1], vp->root, vp->core->real_uids,
				own_pids);
	}
	close(pair[1]);
	if (pid < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot fork: %s", g_strerror(errno));
		close(pair[0]);
		return false;
	}
	vp->core->spawner = pair[0];
	vp->core->spawner_pid = (pid_t)pid;
	return true;
}
