// SPDX-License-Identifier: GPL-3.0-or-later
// Files and sockets of the virtual phone.
#include "core.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The adb server probes these for emulators when it starts. */
#define ADB_PROBE_FIRST 5555
#define ADB_PROBE_LAST 5585
#define SOCKET_BUFFER (4 << 20)

bool vp_read_full(int fd, void *buf, size_t len)
{
	char *at = buf;

	while (len > 0) {
		ssize_t n = read(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool vp_write_full(int fd, const void *buf, size_t len)
{
	const char *at = buf;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool vp_replace_file(const char *path, const void *data, size_t len,
		     mode_t mode)
{
	g_autofree char *tmp = g_strconcat(path, ".new", NULL);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool ok;

	if (fd < 0)
		return false;
	ok = vp_write_full(fd, data, len) && fchmod(fd, mode) == 0;
	ok = close(fd) == 0 && ok;
	return ok && rename(tmp, path) == 0;
}

/*
 * Exchange instead of replace: ext4 starts writing out a file that replaces
 * another, which is too slow for what changes 100 times a second.
 */
bool vp_swap_file(const char *tmp, const char *path, const GString *text,
		  mode_t mode)
{
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	bool ok;

	if (fd < 0)
		return false;
	ok = vp_write_full(fd, text->str, text->len);
	close(fd);
	if (ok && renameat2(AT_FDCWD, tmp, AT_FDCWD, path, RENAME_EXCHANGE) < 0)
		return rename(tmp, path) == 0;
	unlink(tmp);
	return ok;
}

static int bind_local(int number)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_port = htons((guint16)number),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int on = 1, size = SOCKET_BUFFER;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		return fd;
	close(fd);
	return -1;
}

static int bound_port(int fd)
{
	struct sockaddr_in addr = { 0 };
	socklen_t len = sizeof(addr);

	if (getsockname(fd, (struct sockaddr *)&addr, &len) < 0)
		return 0;
	return ntohs(addr.sin_port);
}

/*
 * A free port outside the probed ones; those that do not fit stay taken, so
 * that the next try gets another one.
 */
int vp_free_port(void)
{
	int number, fd;

	do {
		fd = bind_local(0);
		number = fd < 0 ? 0 : bound_port(fd);
	} while (number >= ADB_PROBE_FIRST && number <= ADB_PROBE_LAST);
	return number;
}

/*
 * The kernel keeps a port through vp_port_close() only when bind(2) named it:
 * so a chosen port, still held by the socket that chose it, is bound by name.
 */
bool vp_port_reserve(struct vp_port *port, int number, GError **error)
{
	if (number == 0)
		number = vp_free_port();
	port->fd = bind_local(number);
	if (port->fd < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot bind 127.0.0.1:%d: %s; choose another "
			    "port, or 0",
			    number, g_strerror(errno));
		return false;
	}
	port->port = number;
	port->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return port->wake >= 0;
}

static void wake(int fd)
{
	guint64 one = 1;

	(void)!write(fd, &one, sizeof(one));
}

void vp_port_open(struct vp_port *port)
{
	if (port->open)
		return;
	port->open = true;
	listen(port->fd, 16);
	wake(port->wake);
}

/* Shutting down a listening socket stops it and keeps its port bound. */
void vp_port_close(struct vp_port *port)
{
	if (port->open)
		shutdown(port->fd, SHUT_RDWR);
	port->open = false;
	wake(port->wake);
}

int vp_port_accept(struct vp_port *port, const gint *quit)
{
	int on = 1;

	while (!g_atomic_int_get(quit)) {
		struct pollfd p[2] = { { .fd = port->wake, .events = POLLIN },
				       { .fd = port->fd, .events = POLLIN } };
		int fd = accept4(port->fd, NULL, NULL,
				 SOCK_CLOEXEC | SOCK_NONBLOCK);
		guint64 n;

		if (fd >= 0) {
			fcntl(fd, F_SETFL, 0);
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on,
				   sizeof(on));
			return fd;
		}
		/* A socket that does not listen polls as hung up. */
		if (errno == EINVAL)
			p[1].fd = -1;
		poll(p, 2, 1000);
		(void)!read(port->wake, &n, sizeof(n));
	}
	return -1;
}

/* sun_path is short: the address is made relative to the directory. */
static int unix_socket(const char *path, int type,
		       int (*use)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *base = g_path_get_basename(path);
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	int rc = -1;

	g_strlcpy(addr.sun_path, base, sizeof(addr.sun_path));
	if (fd >= 0 && here >= 0 && chdir(dir) == 0) {
		rc = use(fd, (struct sockaddr *)&addr, sizeof(addr));
		if (fchdir(here) < 0)
			rc = -1;
	}
	if (here >= 0)
		close(here);
	if (rc == 0 || fd < 0)
		return fd;
	close(fd);
	return -1;
}

int vp_unix_listen(const char *path, int type, GError **error)
{
	int fd;

	unlink(path);
	fd = unix_socket(path, type, bind);
	if (fd < 0 || listen(fd, 64) < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot listen at %s: %s", path, g_strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

int vp_unix_connect(const char *path, int type, GError **error)
{
	int fd = unix_socket(path, type, connect);

	if (fd < 0)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot connect to %s: %s", path,
			    g_strerror(errno));
	return fd;
}
