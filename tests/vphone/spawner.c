// SPDX-License-Identifier: GPL-3.0-or-later
// The process from which every process of the phone descends.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_FDS 4

static const char phone_path[] =
	"PATH=/product/bin:/apex/com.android.runtime/bin:"
	"/apex/com.android.art/bin:/system_ext/bin:/system/bin:"
	"/system/xbin:/odm/bin:/vendor/bin:/vendor/xbin";

struct child {
	guint32 id;
	pid_t pid;
	int status_fd;
};

struct spawner {
	int sock;
	const char *root;
	bool real_uids, own_pids;
	GArray *children; /* struct child */
};

static void become(const struct spawner *s, int uid)
{
	/* adbd's groups: input, log, adb, sdcard_rw, readproc */
	static const gid_t groups[] = { 1004, 1007, 1011, 1015, 3009 };

	if (!s->real_uids || uid == VP_UID_ROOT)
		return;
	if (setgroups(G_N_ELEMENTS(groups), groups) < 0 ||
	    setresgid((gid_t)uid, (gid_t)uid, (gid_t)uid) < 0 ||
	    setresuid((uid_t)uid, (uid_t)uid, (uid_t)uid) < 0)
		_exit(126);
}

static void default_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < SIGSYS; sig++)
		signal(sig, SIG_DFL);
}

static void take_fds(const int *fds, bool tty)
{
	setsid();
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			_exit(126);
	if (tty)
		ioctl(0, TIOCSCTTY, 0);
}

/* @strings: cwd, TERM, argv... */
G_GNUC_NORETURN static void run_child(const struct spawner *s,
				      const struct vp_spawn_msg *msg,
				      char **strings, const int *fds)
{
	g_autofree char *term = g_strconcat("TERM=", strings[1], NULL);
	g_autofree char *uid = g_strdup_printf("VPHONE_UID=%d", msg->uid);
	const char *env[] = {
		phone_path,
		"ANDROID_ROOT=/system",
		"ANDROID_DATA=/data",
		"ANDROID_STORAGE=/storage",
		"ANDROID_ART_ROOT=/apex/com.android.art",
		"EXTERNAL_STORAGE=/sdcard",
		"TMPDIR=/data/local/tmp",
		"HOSTNAME=localhost",
		"SHELL=/system/bin/sh",
		"HOME=/",
		msg->uid == VP_UID_ROOT ? "USER=root" : "USER=shell",
		msg->uid == VP_UID_ROOT ? "LOGNAME=root" : "LOGNAME=shell",
		uid,
		strings[1][0] ? term : NULL,
		NULL,
	};

	take_fds(fds, msg->tty);
	default_signals();
	umask(0);
	if (chroot(s->root) < 0 || chdir("/") < 0)
		_exit(126);
	become(s, msg->uid);
	(void)!chdir(strings[0]);
	execve(strings[2], strings + 2, (char **)env);
	_exit(errno == ENOENT ? 127 : 126);
}

static void start(struct spawner *s, const struct vp_spawn_msg *msg,
		  const char *text, size_t len, const int *fds)
{
	g_autofree char **strings = g_new0(char *, msg->strings + 1);
	struct child child = { .id = msg->id, .status_fd = fds[3] };
	const char *end = text + len;

	for (guint32 i = 0; i < msg->strings && text < end; i++) {
		strings[i] = (char *)text;
		text += strlen(text) + 1;
	}
	child.pid = fork();
	if (child.pid == 0)
		run_child(s, msg, strings, fds);
	if (child.pid > 0)
		g_array_append_val(s->children, child);
	else
		close(fds[3]);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static void reap(struct spawner *s, pid_t pid, int status)
{
	for (guint i = 0; i < s->children->len; i++) {
		struct child *c = &g_array_index(s->children, struct child, i);

		if (c->pid != pid)
			continue;
		vp_write_full(c->status_fd, &status, sizeof(status));
		close(c->status_fd);
		g_array_remove_index_fast(s->children, i);
		return;
	}
}

static void signal_child(struct spawner *s, const struct vp_spawn_msg *msg)
{
	for (guint i = 0; i < s->children->len; i++) {
		struct child *c = &g_array_index(s->children, struct child, i);

		if (c->id == msg->id)
			kill(c->pid, msg->sig);
	}
}

static void kill_descendants(void)
{
	g_autoptr(GArray) list = vp_processes(getpid());

	for (guint i = 0; i < list->len; i++)
		kill(g_array_index(list, struct vp_process, i).host_pid,
		     SIGKILL);
}

/* Orphans come to this process, so that no child left is no process left. */
static void kill_all(struct spawner *s)
{
	pid_t pid = 0;
	int status;

	while (pid >= 0) {
		if (s->own_pids)
			kill(-1, SIGKILL);
		else
			kill_descendants();
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			reap(s, pid, status);
		if (pid == 0)
			poll(NULL, 0, 1);
	}
}

static size_t take_rights(struct msghdr *msg, int *fds)
{
	size_t n = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c;
	     c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds, CMSG_DATA(c), n * sizeof(int));
	}
	return n;
}

/* False at the end of the program that we serve. */
static bool serve(struct spawner *s, char *buf)
{
	union {
		char buf[CMSG_SPACE(sizeof(int) * MAX_FDS)];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = buf, .iov_len = VP_SPAWN_MAX };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	ssize_t n = recvmsg(s->sock, &msg, MSG_CMSG_CLOEXEC);
	struct vp_spawn_msg head;
	int fds[MAX_FDS];
	size_t n_fds;

	if (n < 0)
		return errno == EINTR;
	if ((size_t)n < sizeof(head))
		return false;
	n_fds = take_rights(&msg, fds);
	memcpy(&head, buf, sizeof(head));
	if (head.op == VP_SPAWN_START && n_fds == MAX_FDS) {
		start(s, &head, buf + sizeof(head), (size_t)n - sizeof(head),
		      fds);
	} else if (head.op == VP_SPAWN_SIGNAL) {
		signal_child(s, &head);
	} else if (head.op == VP_SPAWN_KILL_ALL && n_fds == 1) {
		kill_all(s);
		close(fds[0]);
	}
	return true;
}

static int watch_children(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigdelset(&set, SIGINT);
	sigdelset(&set, SIGTERM);
	sigdelset(&set, SIGHUP);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void vp_spawner_main(int sock, const char *root, bool real_uids, bool own_pids)
{
	struct spawner s = { .sock = sock,
			     .root = root,
			     .real_uids = real_uids,
			     .own_pids = own_pids,
			     .children = g_array_new(FALSE, FALSE,
						     sizeof(struct child)) };
	char *buf = g_malloc(VP_SPAWN_MAX);
	int signals = watch_children();
	bool alive = true;

	setsid();
	prctl(PR_SET_NAME, "vphone-spawner");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (alive) {
		struct pollfd p[] = { { .fd = sock, .events = POLLIN },
				      { .fd = signals, .events = POLLIN } };
		struct signalfd_siginfo info;
		int status;
		pid_t pid;

		poll(p, 2, -1);
		if (p[1].revents) {
			(void)!read(signals, &info, sizeof(info));
			while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
				reap(&s, pid, status);
		}
		if (p[0].revents)
			alive = serve(&s, buf);
	}
	kill_all(&s);
	_exit(0);
}
