// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper-fakeadb.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_CONNECTIONS 32
#define BIG (4u << 20)

struct connection {
	const struct fake_step *steps;
	int fd;
	GThread *thread;
};

struct fake_adb {
	const fake_script *scripts;
	guint count;
	int listener;
	GThread *thread;
	struct connection connections[MAX_CONNECTIONS];
	guint seen;
	struct ab_adb *client;
};

struct ab_wait fake_wait(gint64 ms)
{
	return (struct ab_wait){
		.deadline = g_get_monotonic_time() + ms * 1000,
	};
}

static bool send_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool read_all(int fd, void *data, size_t len)
{
	return recv(fd, data, len, MSG_WAITALL) == (ssize_t)len;
}

static void expect_bytes(int fd, const char *want, size_t len)
{
	g_autofree char *got = g_malloc0(len + 1);

	g_assert_true(read_all(fd, got, len));
	g_assert_cmpmem(got, len, want, len);
}

static void expect_request(int fd, const char *want)
{
	char head[5] = "";
	g_autofree char *got = NULL;
	size_t len;

	g_assert_true(read_all(fd, head, 4));
	len = strtoul(head, NULL, 16);
	got = g_malloc0(len + 1);
	g_assert_true(read_all(fd, got, len));
	g_assert_cmpstr(got, ==, want);
}

static void send_block(int fd, const char *status, const struct fake_step *s)
{
	g_autofree char *head =
		g_strdup_printf("%s%04x", status, (unsigned int)s->len);

	send_all(fd, head, strlen(head));
	send_all(fd, s->data, s->len);
}

static void drip(int fd, const struct fake_step *s)
{
	size_t i;

	for (i = 0; i < s->len; i++) {
		send_all(fd, s->data + i, 1);
		g_usleep(500);
	}
}

static void hang(int fd)
{
	char byte;

	while (recv(fd, &byte, 1, 0) > 0)
		;
}

/* Nothing is read before all is sent: a client that only sends deadlocks. */
static void big_output(int fd)
{
	static const char head[] = "\x01\0\0\x40"; /* 4 MiB */
	g_autofree char *data = g_malloc0(BIG);

	send_all(fd, head, sizeof(head));
	send_all(fd, data, BIG);
	g_assert_true(read_all(fd, data, BIG));
}

static void play(int fd, const struct fake_step *s)
{
	switch (s->op) {
	case FAKE_END:
		break;
	case FAKE_EXPECT:
		expect_request(fd, s->data);
		break;
	case FAKE_READ:
		expect_bytes(fd, s->data, s->len);
		break;
	case FAKE_SEND:
		send_all(fd, s->data, s->len);
		break;
	case FAKE_DRIP:
		drip(fd, s);
		break;
	case FAKE_BLOCK:
		send_block(fd, "OKAY", s);
		break;
	case FAKE_FAIL:
		send_block(fd, "FAIL", s);
		break;
	case FAKE_FLOOD:
		while (send_all(fd, s->data, s->len))
			;
		break;
	case FAKE_PAUSE:
		g_usleep(100000);
		break;
	case FAKE_HANG:
		hang(fd);
		break;
	case FAKE_BIG_OUTPUT:
		big_output(fd);
		break;
	}
}

static gpointer serve(gpointer data)
{
	struct connection *c = data;
	const struct fake_step *s;

	for (s = c->steps; s && s->op != FAKE_END; s++)
		play(c->fd, s);
	shutdown(c->fd, SHUT_WR);
	if (s)
		hang(c->fd);
	close(c->fd);
	return NULL;
}

static gpointer accept_all(gpointer data)
{
	struct fake_adb *f = data;
	int fd, on = 1;

	while ((fd = accept(f->listener, NULL, NULL)) >= 0) {
		struct connection *c = &f->connections[f->seen];

		g_assert_cmpuint(f->seen, <, MAX_CONNECTIONS);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		c->fd = fd;
		c->steps = f->seen < f->count ? f->scripts[f->seen] : NULL;
		f->seen++;
		c->thread = g_thread_new("fake-adb", serve, c);
	}
	return NULL;
}

static int listen_anywhere(int *port_out)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	g_assert_cmpint(fd, >=, 0);
	g_assert_false(bind(fd, (struct sockaddr *)&at, sizeof(at)));
	g_assert_false(listen(fd, 16));
	g_assert_false(getsockname(fd, (struct sockaddr *)&at, &len));
	*port_out = ntohs(at.sin_port);
	return fd;
}

struct fake_adb *fake_adb_start(const fake_script *scripts, guint count)
{
	struct fake_adb *f = g_new0(struct fake_adb, 1);
	int port;

	f->scripts = scripts;
	f->count = count;
	f->listener = listen_anywhere(&port);
	f->client = ab_adb_new(port);
	f->thread = g_thread_new("fake-adb-accept", accept_all, f);
	return f;
}

struct ab_adb *fake_adb_client(struct fake_adb *fake)
{
	return fake->client;
}

void fake_adb_stop(struct fake_adb *f)
{
	guint i;

	shutdown(f->listener, SHUT_RDWR);
	g_thread_join(f->thread);
	for (i = 0; i < f->seen; i++)
		g_thread_join(f->connections[i].thread);
	close(f->listener);
	g_assert_cmpuint(f->seen, ==, f->count);
	ab_adb_free(f->client);
	g_free(f);
}
