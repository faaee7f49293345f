// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes to and from the adb server. */
#include "adb_private.h"

#include <abrig/log.h>

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A read of this size says that a bulk transfer is going on. */
#define BULK_READ 16384

void adb_conn_init(struct adb_conn *c, struct ab_adb *adb,
		   const struct ab_wait *w, const char *serial, char *action)
{
	*c = (struct adb_conn){
		.adb = adb,
		.w = w,
		.serial = serial,
		.action = action,
		.begin = g_get_monotonic_time(),
		.status = -1,
		.fd = -1,
	};
	c->what = serial ? g_strdup_printf("%s on %s", action, serial)
			 : g_strdup(action);
}

static void log_command(const struct adb_conn *c, const GError *why)
{
	gint64 ms = (g_get_monotonic_time() - c->begin) / 1000;

	ab_log("adb", AB_S("serial", c->serial), AB_S("command", c->action),
	       AB_I("ms", ms), AB_I("status", c->status),
	       AB_S("result", why ? why->message : "ok"));
}

bool adb_conn_end(struct adb_conn *c, GError *why, GError **error)
{
	bool ok = !why;

	if (c->fd >= 0)
		close(c->fd);
	if (c->serial)
		log_command(c, why);
	/* It may come back with another adbd. */
	if (g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE) && c->serial)
		adb_forget_features(c->adb, c->serial);
	g_free(c->buf);
	g_free(c->what);
	g_free(c->action);
	if (why)
		g_propagate_error(error, why);
	return ok;
}

void adb_set_lost(const struct adb_conn *c, GError **error)
{
	if (c->serial)
		g_set_error(error, AB_ERROR, AB_ERROR_OFFLINE,
			    "the connection was lost while %s; the phone "
			    "rebooted, adbd restarted or the cable is loose",
			    c->what);
	else
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "the adb server on port %d closed the connection "
			    "while %s; was it restarted by another adb?",
			    c->adb->port, c->what);
}

void adb_set_nonsense(const struct adb_conn *c, const char *detail,
		      GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "unexpected data while %s: %s; is port %d an adb server?",
		    c->what, detail, c->adb->port);
}

static void set_connect_error(const struct adb_conn *c, int err, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "no adb server answers on 127.0.0.1:%d while %s: %s; "
		    "start one with 'adb -P %d start-server'",
		    c->adb->port, c->what, g_strerror(err), c->adb->port);
}

static bool finish_connect(struct adb_conn *c, GError **error)
{
	socklen_t len = sizeof(int);
	int err = 0;

	if (!ab_wait_fd(c->w, c->fd, POLLOUT, c->what, error))
		return false;
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
		err = errno;
	if (!err)
		return true;
	set_connect_error(c, err, error);
	return false;
}

bool adb_conn_open(struct adb_conn *c, GError **error)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons((guint16)c->adb->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	c->buf = g_malloc(ADB_BUFFER);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->fd < 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot open a socket while %s: %s", c->what,
			    g_strerror(errno));
		return false;
	}
	if (!connect(c->fd, (struct sockaddr *)&to, sizeof(to)))
		return true;
	if (errno == EINPROGRESS)
		return finish_connect(c, error);
	set_connect_error(c, errno, error);
	return false;
}

void adb_conn_no_delay(struct adb_conn *c)
{
	int on = 1;

	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static bool peer_is_gone(int err)
{
	return err == EPIPE || err == ECONNRESET;
}

bool adb_send(struct adb_conn *c, const void *data, size_t len, GError **error)
{
	const guint8 *p = data;

	while (len) {
		ssize_t n = send(c->fd, p, len, MSG_NOSIGNAL);

		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			if (!ab_wait_fd(c->w, c->fd, POLLOUT, c->what, error))
				return false;
		} else if (errno != EINTR) {
			adb_set_lost(c, error);
			return false;
		}
	}
	return true;
}

/* Send what can be sent of the queue. */
static void flush_queue(struct adb_conn *c)
{
	while (c->out_len) {
		ssize_t n = send(c->fd, c->out, c->out_len, MSG_NOSIGNAL);

		if (n > 0) {
			c->out += n;
			c->out_len -= (size_t)n;
			continue;
		}
		/*
		 * A command that ended without reading its input is no
		 * failure: what it said before is still to be read.
		 */
		if (peer_is_gone(errno))
			c->out_len = 0;
		if (errno != EINTR)
			return;
	}
}

void adb_queue(struct adb_conn *c, const void *data, size_t len)
{
	c->out = data;
	c->out_len = len;
	flush_queue(c);
}

/* One read without waiting: > 0, 0 at the end, -1 with errno. */
static ssize_t receive(struct adb_conn *c)
{
	ssize_t n;

	if (c->start == c->end) {
		c->start = c->end = 0;
	} else if (c->end == ADB_BUFFER) {
		memmove(c->buf, c->buf + c->start, c->end - c->start);
		c->end -= c->start;
		c->start = 0;
	}
	do
		n = recv(c->fd, c->buf + c->end, ADB_BUFFER - c->end, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 && peer_is_gone(errno))
		n = 0;
	if (n > 0)
		c->end += (size_t)n;
	c->bulk = n >= BULK_READ;
	return n;
}

static bool wait_readable(struct adb_conn *c, GError **error)
{
	short events = (short)(POLLIN | (c->out_len ? POLLOUT : 0));

	/* In a bulk transfer the next bytes are there already. */
	if (c->bulk)
		return ab_wait_check(c->w, c->what, error);
	return ab_wait_fd(c->w, c->fd, events, c->what, error);
}

/* Read something: 1, 0 at the end of the connection, -1 on failure. */
static int fill(struct adb_conn *c, GError **error)
{
	for (;;) {
		ssize_t n;

		if (!wait_readable(c, error))
			return -1;
		flush_queue(c);
		n = receive(c);
		if (n >= 0)
			return n > 0;
		if (errno == EAGAIN)
			continue;
		g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
			    "reading failed while %s: %s", c->what,
			    g_strerror(errno));
		return -1;
	}
}

bool adb_send_until_reply(struct adb_conn *c, const void *data, size_t len,
			  GError **error)
{
	short both = POLLIN | POLLOUT;

	if (!ab_wait_check(c->w, c->what, error))
		return false;
	adb_queue(c, data, len);
	while (!adb_buffered(c)) {
		ssize_t n = receive(c);

		if (n == 0) {
			adb_set_lost(c, error);
			return false;
		}
		if (n > 0 || !c->out_len)
			return true;
		if (!ab_wait_fd(c->w, c->fd, both, c->what, error))
			return false;
		flush_queue(c);
	}
	return true;
}

size_t adb_buffered(const struct adb_conn *c)
{
	return c->end - c->start;
}

const guint8 *adb_take(struct adb_conn *c, size_t len, GError **error)
{
	const guint8 *data;

	while (adb_buffered(c) < len) {
		int more = fill(c, error);

		if (more == 0)
			adb_set_lost(c, error);
		if (more <= 0)
			return NULL;
	}
	data = c->buf + c->start;
	c->start += len;
	return data;
}

gssize adb_take_some(struct adb_conn *c, size_t max, const guint8 **data_out,
		     GError **error)
{
	size_t len;

	if (!adb_buffered(c)) {
		int more = fill(c, error);

		if (more <= 0)
			return more;
	}
	len = MIN(max, adb_buffered(c));
	*data_out = c->buf + c->start;
	c->start += len;
	return (gssize)len;
}
