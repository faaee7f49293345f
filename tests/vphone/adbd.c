// SPDX-License-Identifier: GPL-3.0-or-later
// adb's transport: packets, streams, connections.
#include "adbd.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define A_CNXN 0x4e584e43u
#define A_OPEN 0x4e45504fu
#define A_OKAY 0x59414b4fu
#define A_WRTE 0x45545257u
#define A_CLSE 0x45534c43u
#define A_VERSION 0x01000001u
#define A_VERSION_CHECKSUMS 0x01000000u

struct packet {
	guint32 command, arg0, arg1, length, check, magic;
};

struct vp_adb_conn {
	gint refs;
	struct vphone *vp;
	int fd;
	GMutex send_lock;
	GMutex lock; /* of streams and the number of the next */
	GHashTable *streams;
	guint32 next;
	guint32 version, max_data;
};

static void conn_unref(struct vp_adb_conn *c)
{
	if (!g_atomic_int_dec_and_test(&c->refs))
		return;
	close(c->fd);
	g_hash_table_unref(c->streams);
	g_mutex_clear(&c->send_lock);
	g_mutex_clear(&c->lock);
	g_free(c);
}

static void stream_unref(gpointer data)
{
	struct adb_stream *s = data;

	if (!g_atomic_int_dec_and_test(&s->refs))
		return;
	close(s->wake);
	g_free(s->in);
	g_mutex_clear(&s->lock);
	conn_unref(s->conn);
	g_free(s);
}

static void stream_wake(struct adb_stream *s)
{
	guint64 one = 1;

	(void)!write(s->wake, &one, sizeof(one));
}

static guint32 checksum(const guint8 *data, size_t len)
{
	guint32 sum = 0;

	while (len-- > 0)
		sum += *data++;
	return sum;
}

static bool send_packet(struct vp_adb_conn *c, guint32 command, guint32 arg0,
			guint32 arg1, const void *data, size_t len)
{
	bool sum = command == A_CNXN || c->version == A_VERSION_CHECKSUMS;
	struct packet p = {
		.command = GUINT32_TO_LE(command),
		.arg0 = GUINT32_TO_LE(arg0),
		.arg1 = GUINT32_TO_LE(arg1),
		.length = GUINT32_TO_LE((guint32)len),
		.check = GUINT32_TO_LE(sum ? checksum(data, len) : 0),
		.magic = GUINT32_TO_LE(~command),
	};
	struct iovec iov[] = { { &p, sizeof(p) }, { (void *)data, len } };
	ssize_t n;
	bool ok;

	g_mutex_lock(&c->send_lock);
	n = writev(c->fd, iov, len ? 2 : 1);
	if (n >= (ssize_t)sizeof(p))
		ok = vp_write_full(
			c->fd, (const char *)data + (n - (ssize_t)sizeof(p)),
			len + sizeof(p) - (size_t)n);
	else
		ok = n > 0 &&
		     vp_write_full(c->fd, (char *)&p + n,
				   sizeof(p) - (size_t)n) &&
		     vp_write_full(c->fd, data, len);
	g_mutex_unlock(&c->send_lock);
	return ok;
}

const guint8 *adb_stream_peek(struct adb_stream *s, size_t *len_out)
{
	const guint8 *at;

	g_mutex_lock(&s->lock);
	*len_out = s->in_len - s->in_off;
	at = s->in ? s->in + s->in_off : NULL;
	g_mutex_unlock(&s->lock);
	return at;
}

void adb_stream_consume(struct adb_stream *s, size_t len)
{
	bool done;

	g_mutex_lock(&s->lock);
	s->in_off += len;
	done = s->in && s->in_off == s->in_len;
	if (done) {
		g_free(s->in);
		s->in = NULL;
		s->in_len = s->in_off = 0;
	}
	g_mutex_unlock(&s->lock);
	if (done)
		send_packet(s->conn, A_OKAY, s->local, s->remote, "", 0);
}

void adb_stream_clear_wake(struct adb_stream *s)
{
	guint64 n;

	(void)!read(s->wake, &n, sizeof(n));
}

static void stream_wait(struct adb_stream *s)
{
	struct pollfd p = { .fd = s->wake, .events = POLLIN };

	poll(&p, 1, -1);
	adb_stream_clear_wake(s);
}

bool adb_stream_closed(struct adb_stream *s)
{
	bool closed;

	g_mutex_lock(&s->lock);
	closed = s->closed;
	g_mutex_unlock(&s->lock);
	return closed;
}

bool adb_stream_read(struct adb_stream *s, void *buf, size_t len)
{
	char *to = buf;

	while (len > 0) {
		size_t have;
		const guint8 *from = adb_stream_peek(s, &have);

		if (!from) {
			if (adb_stream_closed(s))
				return false;
			stream_wait(s);
			continue;
		}
		have = MIN(have, len);
		memcpy(to, from, have);
		adb_stream_consume(s, have);
		to += have;
		len -= have;
	}
	return true;
}

bool adb_stream_may_write(struct adb_stream *s)
{
	bool may;

	g_mutex_lock(&s->lock);
	may = s->may_write;
	g_mutex_unlock(&s->lock);
	return may;
}

size_t adb_stream_max(const struct adb_stream *s)
{
	return s->conn->max_data;
}

bool adb_stream_write(struct adb_stream *s, const void *buf, size_t len)
{
	const char *from = buf;

	while (len > 0) {
		size_t n = MIN(len, s->conn->max_data);

		while (!adb_stream_may_write(s)) {
			if (adb_stream_closed(s))
				return false;
			stream_wait(s);
		}
		s->may_write = false; /* the peer answers only what it got */
		if (!send_packet(s->conn, A_WRTE, s->local, s->remote, from, n))
			return false;
		from += n;
		len -= n;
	}
	return true;
}

/* True when the stream was still there. */
static bool forget_stream(struct vp_adb_conn *c, guint32 local)
{
	bool was;

	g_mutex_lock(&c->lock);
	was = g_hash_table_remove(c->streams, GUINT_TO_POINTER(local));
	g_mutex_unlock(&c->lock);
	return was;
}

static struct adb_stream *find_stream(struct vp_adb_conn *c, guint32 local)
{
	struct adb_stream *s;

	g_mutex_lock(&c->lock);
	s = g_hash_table_lookup(c->streams, GUINT_TO_POINTER(local));
	if (s)
		g_atomic_int_inc(&s->refs);
	g_mutex_unlock(&c->lock);
	return s;
}

struct job {
	struct adb_stream *stream;
	adb_service_fn run;
	char *arg;
};

static gpointer run_service(gpointer data)
{
	struct job *job = data;
	struct adb_stream *s = job->stream;

	job->run(s, job->arg);
	if (forget_stream(s->conn, s->local))
		send_packet(s->conn, A_CLSE, s->local, s->remote, "", 0);
	stream_unref(s);
	g_free(job->arg);
	g_free(job);
	return NULL;
}

static struct adb_stream *new_stream(struct vp_adb_conn *c, guint32 remote)
{
	struct adb_stream *s = g_new0(struct adb_stream, 1);

	s->refs = 2; /* of the table and of the service */
	s->vp = c->vp;
	s->conn = c;
	g_atomic_int_inc(&c->refs);
	s->remote = remote;
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->may_write = true;
	g_mutex_init(&s->lock);
	g_mutex_lock(&c->vp->lock);
	s->uid = c->vp->adb_root ? VP_UID_ROOT : VP_UID_SHELL;
	g_mutex_unlock(&c->vp->lock);
	g_mutex_lock(&c->lock);
	s->local = ++c->next;
	g_hash_table_insert(c->streams, GUINT_TO_POINTER(s->local), s);
	g_mutex_unlock(&c->lock);
	return s;
}

static void open_stream(struct vp_adb_conn *c, guint32 remote,
			const char *service)
{
	const char *arg = NULL;
	adb_service_fn run = adb_service_find(service, &arg);
	struct job *job;

	if (!run) {
		send_packet(c, A_CLSE, 0, remote, "", 0);
		return;
	}
	job = g_new0(struct job, 1);
	job->run = run;
	job->arg = g_strdup(arg);
	job->stream = new_stream(c, remote);
	send_packet(c, A_OKAY, job->stream->local, remote, "", 0);
	g_thread_unref(g_thread_new("adb-service", run_service, job));
}

static bool send_banner(struct vp_adb_conn *c, guint32 version,
			guint32 max_data)
{
	const struct vphone *vp = c->vp;
	g_autofree char *banner = g_strdup_printf(
		"device::ro.product.name=%s;ro.product.model=%s;"
		"ro.product.device=%s;features=%scmd,stat_v2,ls_v2,"
		"fixed_push_mkdir",
		vp->hw->product, vp->hw->model, vp->hw->product,
		vp->core->shell_v2 ? "shell_v2," : "");
	bool ok;

	ok = send_packet(c, A_CNXN, A_VERSION, ADB_MAX_DATA, banner,
			 strlen(banner));
	c->version = MIN(version, A_VERSION);
	c->max_data = MIN(max_data, ADB_MAX_DATA);
	return ok;
}

/* Takes @data.  False on a second write before the first was acknowledged. */
static bool deliver(struct vp_adb_conn *c, struct packet *p, guint8 *data)
{
	struct adb_stream *s = find_stream(c, p->arg1);
	bool ok;

	if (!s) {
		g_free(data);
		return send_packet(c, A_CLSE, 0, p->arg0, "", 0);
	}
	g_mutex_lock(&s->lock);
	ok = s->in == NULL;
	if (ok) {
		s->in = data;
		s->in_len = p->length;
		s->in_off = 0;
	}
	g_mutex_unlock(&s->lock);
	stream_wake(s);
	stream_unref(s);
	if (!ok)
		g_free(data);
	return ok;
}

static void acknowledged(struct vp_adb_conn *c, guint32 local)
{
	struct adb_stream *s = find_stream(c, local);

	if (!s)
		return;
	g_mutex_lock(&s->lock);
	s->may_write = true;
	g_mutex_unlock(&s->lock);
	stream_wake(s);
	stream_unref(s);
}

static void mark_closed(struct adb_stream *s)
{
	g_mutex_lock(&s->lock);
	s->closed = true;
	g_mutex_unlock(&s->lock);
	stream_wake(s);
}

static void closed_by_peer(struct vp_adb_conn *c, const struct packet *p)
{
	struct adb_stream *s = find_stream(c, p->arg1);

	if (!s)
		return;
	if (forget_stream(c, s->local))
		send_packet(c, A_CLSE, s->local, s->remote, "", 0);
	mark_closed(s);
	stream_unref(s);
}

/* Takes @data (NUL-terminated beyond its length). */
static bool handle_packet(struct vp_adb_conn *c, struct packet *p, guint8 *data)
{
	bool ok = true;

	if (p->command == A_WRTE && p->length > 0)
		return deliver(c, p, data);
	if (p->command == A_CNXN)
		ok = send_banner(c, p->arg0, p->arg1);
	else if (p->command == A_OPEN)
		open_stream(c, p->arg0, (char *)data);
	else if (p->command == A_OKAY)
		acknowledged(c, p->arg1);
	else if (p->command == A_CLSE)
		closed_by_peer(c, p);
	g_free(data);
	return ok;
}

static bool read_packet(int fd, struct packet *p)
{
	if (!vp_read_full(fd, p, sizeof(*p)))
		return false;
	p->command = GUINT32_FROM_LE(p->command);
	p->arg0 = GUINT32_FROM_LE(p->arg0);
	p->arg1 = GUINT32_FROM_LE(p->arg1);
	p->length = GUINT32_FROM_LE(p->length);
	p->magic = GUINT32_FROM_LE(p->magic);
	return p->magic == ~p->command && p->length <= ADB_MAX_DATA;
}

static void close_streams(struct vp_adb_conn *c)
{
	GHashTableIter it;
	gpointer s;

	g_mutex_lock(&c->lock);
	g_hash_table_iter_init(&it, c->streams);
	while (g_hash_table_iter_next(&it, NULL, &s))
		mark_closed(s);
	g_hash_table_remove_all(c->streams);
	g_mutex_unlock(&c->lock);
}

static gpointer conn_main(gpointer data)
{
	struct vp_adb_conn *c = data;
	struct packet p;
	bool ok = true;

	while (ok && read_packet(c->fd, &p)) {
		guint8 *payload = g_malloc(p.length + 1);

		payload[p.length] = '\0';
		ok = vp_read_full(c->fd, payload, p.length);
		if (ok)
			ok = handle_packet(c, &p, payload);
		else
			g_free(payload);
	}
	shutdown(c->fd, SHUT_RDWR);
	close_streams(c);
	g_mutex_lock(&c->vp->lock);
	g_ptr_array_remove_fast(c->vp->core->conns, c);
	g_mutex_unlock(&c->vp->lock);
	conn_unref(c);
	return NULL;
}

static void start_conn(struct vphone *vp, int fd)
{
	struct vp_adb_conn *c = g_new0(struct vp_adb_conn, 1);

	c->refs = 1;
	c->vp = vp;
	c->fd = fd;
	c->version = A_VERSION_CHECKSUMS;
	c->max_data = 4096;
	g_mutex_init(&c->send_lock);
	g_mutex_init(&c->lock);
	c->streams = g_hash_table_new_full(NULL, NULL, NULL, stream_unref);
	g_mutex_lock(&vp->lock);
	if (!vp->core->adb.open)
		shutdown(fd, SHUT_RDWR);
	g_ptr_array_add(vp->core->conns, c);
	g_mutex_unlock(&vp->lock);
	g_thread_unref(g_thread_new("adb-conn", conn_main, c));
}

gpointer vp_adbd_main(gpointer data)
{
	struct vphone *vp = data;
	int fd;

	while ((fd = vp_port_accept(&vp->core->adb, &vp_quit)) >= 0)
		start_conn(vp, fd);
	return NULL;
}

void vp_adbd_update(struct vphone *vp)
{
	struct vp_core *core = vp->core;
	bool up = core->android_up &&
		  g_get_monotonic_time() >= core->adb_back_host_us;

	if (up == core->adb.open)
		return;
	if (up) {
		vp_port_open(&core->adb);
		return;
	}
	vp_port_close(&core->adb);
	for (guint i = 0; i < core->conns->len; i++) {
		struct vp_adb_conn *c = core->conns->pdata[i];

		shutdown(c->fd, SHUT_RDWR);
	}
}

void vp_adb_drop(struct vphone *vp, gint64 gap_ns)
{
	g_mutex_lock(&vp->lock);
	vp->core->adb_back_host_us =
		g_get_monotonic_time() + vp_host_us(vp, gap_ns);
	vp_adbd_update(vp);
	g_mutex_unlock(&vp->lock);
}
