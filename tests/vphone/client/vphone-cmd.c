// SPDX-License-Identifier: GPL-3.0-or-later
// Every Android command in the phone's root is a link to this program, which
// hands its call to the virtual phone.
#include "vphone-cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define UNREACHABLE 126

static int peer = -1;

static void forward_signal(int sig)
{
	int saved = errno;
	unsigned char byte = (unsigned char)sig;

	send(peer, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	errno = saved;
}

static int connect_phone(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX,
				    .sun_path = VPHONE_CMD_SOCKET };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		return fd;
	return -1;
}

static size_t put(char *buf, size_t at, const char *s)
{
	size_t len = strlen(s) + 1;

	if (at + len > VPHONE_CMD_MAX)
		return at;
	memcpy(buf + at, s, len);
	return at + len;
}

/* Where user ids cannot change, the phone says who we are. */
static int32_t phone_uid(void)
{
	const char *s = getenv("VPHONE_UID");
	uid_t uid = getuid();

	return s && uid == 0 ? (int32_t)strtol(s, NULL, 10) : (int32_t)uid;
}

static size_t build_request(char *buf, int argc, char **argv)
{
	char cwd[4096];
	int32_t uid = phone_uid();
	const char *base = strrchr(argv[0], '/');
	size_t at = sizeof(uid);

	memcpy(buf, &uid, sizeof(uid));
	at = put(buf, at, getcwd(cwd, sizeof(cwd)) ? cwd : "/");
	at = put(buf, at, base ? base + 1 : argv[0]);
	for (int i = 1; i < argc; i++)
		at = put(buf, at, argv[i]);
	return at;
}

static int send_request(int argc, char **argv)
{
	static char buf[VPHONE_CMD_MAX];
	static const int fds[VPHONE_CMD_FDS] = { 0, 1, 2 };
	union {
		char buf[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov = { .iov_base = buf,
			     .iov_len = build_request(buf, argc, argv) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };

	control.align.cmsg_level = SOL_SOCKET;
	control.align.cmsg_type = SCM_RIGHTS;
	control.align.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&control.align), fds, sizeof(fds));
	return sendmsg(peer, &msg, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

/* A descriptor that the caller closed must not become our socket's number. */
static void fill_standard_fds(void)
{
	FILE *null = fopen("/dev/null", "r+");

	while (null && fileno(null) < 3) {
		int fd = dup(fileno(null));

		if (fd < 0 || fd >= 3)
			break;
	}
}

static ssize_t receive_status(int32_t *status_out)
{
	ssize_t n;

	do
		n = recv(peer, status_out, sizeof(*status_out), 0);
	while (n < 0 && errno == EINTR);
	return n;
}

static void leave_terminal(void)
{
	FILE *null = fopen("/dev/null", "r+");

	setsid();
	for (int fd = 0; null && fd < 3; fd++)
		dup2(fileno(null), fd);
}

/* Go on as a child; the parent ends with the status that comes first. */
static void detach(void)
{
	int ends[2];
	int32_t message = UNREACHABLE;

	if (pipe(ends) < 0)
		exit(UNREACHABLE);
	message = (int32_t)fork();
	if (message > 0) {
		close(ends[1]);
		if (read(ends[0], &message, sizeof(message)) !=
		    (ssize_t)sizeof(message))
			message = UNREACHABLE;
		_exit(message & 255);
	}
	if (message == 0)
		message = (int32_t)getpid();
	send(peer, &message, sizeof(message), MSG_NOSIGNAL);
	if (message < 0)
		return;
	if (receive_status(&message) != (ssize_t)sizeof(message))
		exit(UNREACHABLE);
	if (write(ends[1], &message, sizeof(message)) < 0)
		exit(UNREACHABLE);
	close(ends[0]);
	close(ends[1]);
	leave_terminal();
}

int main(int argc, char **argv)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction sa = { .sa_handler = forward_signal,
				.sa_flags = SA_RESTART };
	int32_t status = UNREACHABLE;
	ssize_t n;

	fill_standard_fds();
	peer = connect_phone();
	if (peer < 0) {
		fprintf(stderr, "%s: Android is not running\n", argv[0]);
		return UNREACHABLE;
	}
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old;

		/* nohup's SIG_IGN stays */
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	}
	if (send_request(argc, argv) < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		return UNREACHABLE;
	}
	n = receive_status(&status);
	if (n == (ssize_t)sizeof(status) && status == VPHONE_CMD_DETACH) {
		detach();
		n = receive_status(&status);
	}
	return n == (ssize_t)sizeof(status) ? status & 255 : UNREACHABLE;
}
