// SPDX-License-Identifier: GPL-3.0-or-later
// adb's sync: service, with the answers of the real adbd.
#include "adbd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PATH 1024
#define MAX_DATA 65536

struct sync {
	struct adb_stream *s;
	GByteArray *out; /* of LIST: many small records */
};

struct id_len {
	char id[4];
	guint32 len;
};

struct __attribute__((packed)) stat_v1 {
	char id[4];
	guint32 mode, size, mtime;
};

struct __attribute__((packed)) stat_v2 {
	char id[4];
	guint32 error;
	guint64 dev, ino;
	guint32 mode, nlink, uid, gid;
	guint64 size;
	gint64 atime, mtime, ctime;
};

static bool send_id(struct sync *y, const char *id, const char *text)
{
	size_t len = strlen(text);
	struct id_len head = { .len = GUINT32_TO_LE((guint32)len) };
	g_autoptr(GByteArray) msg = g_byte_array_new();

	memcpy(head.id, id, 4);
	g_byte_array_append(msg, (guint8 *)&head, sizeof(head));
	g_byte_array_append(msg, (const guint8 *)text, (guint)len);
	return adb_stream_write(y->s, msg->data, msg->len);
}

/* The real one ends the session after each failure. */
static bool fail(struct sync *y, const char *what, int err)
{
	g_autofree char *text =
		err ? g_strconcat(what, ": ", strerror(err), NULL)
		    : g_strdup(what);

	send_id(y, "FAIL", text);
	return false;
}

static void fill_v1(struct stat_v1 *r, const char *id, const struct stat *st)
{
	memcpy(r->id, id, 4);
	r->mode = GUINT32_TO_LE(st->st_mode);
	r->size = GUINT32_TO_LE((guint32)st->st_size);
	r->mtime = GUINT32_TO_LE((guint32)st->st_mtime);
}

static void fill_v2(struct stat_v2 *r, const char *id, const struct stat *st,
		    int err)
{
	memcpy(r->id, id, 4);
	r->error = GUINT32_TO_LE((guint32)err);
	if (err)
		return;
	r->dev = GUINT64_TO_LE(st->st_dev);
	r->ino = GUINT64_TO_LE(st->st_ino);
	r->mode = GUINT32_TO_LE(st->st_mode);
	r->nlink = GUINT32_TO_LE((guint32)st->st_nlink);
	r->uid = GUINT32_TO_LE(st->st_uid);
	r->gid = GUINT32_TO_LE(st->st_gid);
	r->size = GUINT64_TO_LE((guint64)st->st_size);
	r->atime = GINT64_TO_LE(st->st_atime);
	r->mtime = GINT64_TO_LE(st->st_mtime);
	r->ctime = GINT64_TO_LE(st->st_ctime);
}

static bool do_stat_v1(struct sync *y, const char *path)
{
	struct stat st = { 0 };
	struct stat_v1 r;

	if (lstat(path, &st) < 0)
		memset(&st, 0, sizeof(st));
	fill_v1(&r, "STAT", &st);
	return adb_stream_write(y->s, &r, sizeof(r));
}

static bool send_stat_v2(struct sync *y, const char *id, const char *path,
			 bool follow)
{
	struct stat st = { 0 };
	struct stat_v2 r = { 0 };
	int rc = follow ? stat(path, &st) : lstat(path, &st);

	fill_v2(&r, id, &st, rc < 0 ? errno : 0);
	return adb_stream_write(y->s, &r, sizeof(r));
}

static bool do_stat_v2(struct sync *y, const char *path)
{
	return send_stat_v2(y, "STA2", path, true);
}

static bool do_lstat_v2(struct sync *y, const char *path)
{
	return send_stat_v2(y, "LST2", path, false);
}

static void add_entry(struct sync *y, const char *dir, const char *name,
		      bool v2)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	guint32 len = GUINT32_TO_LE((guint32)strlen(name));
	struct stat st = { 0 };
	struct stat_v1 r1;
	struct stat_v2 r2 = { 0 };
	int err = lstat(path, &st) < 0 ? errno : 0;

	if (err && !v2)
		return;
	if (v2) {
		fill_v2(&r2, "DNT2", &st, err);
		g_byte_array_append(y->out, (guint8 *)&r2, sizeof(r2));
	} else {
		fill_v1(&r1, "DENT", &st);
		g_byte_array_append(y->out, (guint8 *)&r1, sizeof(r1));
	}
	g_byte_array_append(y->out, (guint8 *)&len, sizeof(len));
	g_byte_array_append(y->out, (const guint8 *)name, (guint)strlen(name));
}

static bool list(struct sync *y, const char *path, bool v2)
{
	static const guint8 zeros[sizeof(struct stat_v2)];
	DIR *dir = opendir(path);
	struct dirent *e;

	g_byte_array_set_size(y->out, 0);
	while (dir && (e = readdir(dir)))
		add_entry(y, path, e->d_name, v2);
	if (dir)
		closedir(dir);
	g_byte_array_append(y->out, (const guint8 *)"DONE", 4);
	g_byte_array_append(y->out, zeros, v2 ? 72 : 16);
	return adb_stream_write(y->s, y->out->data, y->out->len);
}

static bool do_list_v1(struct sync *y, const char *path)
{
	return list(y, path, false);
}

static bool do_list_v2(struct sync *y, const char *path)
{
	return list(y, path, true);
}

/* As many DATA messages as one write of the transport holds. */
static ssize_t fill_data(int fd, guint8 *buf, size_t max)
{
	size_t used = 0;

	while (used + sizeof(struct id_len) < max) {
		size_t room = MIN(MAX_DATA, max - used - sizeof(struct id_len));
		guint8 *at = buf + used;
		ssize_t n = read(fd, at + sizeof(struct id_len), room);
		guint32 len = GUINT32_TO_LE((guint32)n);

		if (n < 0)
			return -1;
		if (n == 0)
			break;
		memcpy(at, "DATA", 4);
		memcpy(at + 4, &len, sizeof(len));
		used += sizeof(struct id_len) + (size_t)n;
	}
	return (ssize_t)used;
}

static bool do_recv(struct sync *y, const char *path)
{
	size_t max = adb_stream_max(y->s);
	g_autofree guint8 *buf = g_malloc(max);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return fail(y, "open failed", errno);
	while ((n = fill_data(fd, buf, max)) > 0)
		if (!adb_stream_write(y->s, buf, (size_t)n))
			break;
	close(fd);
	if (n < 0)
		return fail(y, "read failed", errno);
	return n == 0 && send_id(y, "DONE", "");
}

static bool make_parents(const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);

	return g_mkdir_with_parents(dir, 0775) == 0;
}

static int open_target(const char *path, mode_t mode)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0 && errno == ENOENT && make_parents(path))
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC, mode);
	return fd;
}

struct incoming {
	const char *path;
	int fd; /* -1: failed, the rest is drained */
	const char *what;
	int err;
	guint32 mtime;
};

static void incoming_fails(struct incoming *in, const char *what, int err)
{
	if (in->fd >= 0) {
		close(in->fd);
		unlink(in->path);
	}
	if (!in->what) {
		in->what = what;
		in->err = err;
	}
	in->fd = -1;
}

/* DATA... DONE; false when the stream ends before. */
static bool receive(struct sync *y, struct incoming *in)
{
	g_autofree guint8 *buf = g_malloc(MAX_DATA);
	struct id_len head;

	while (adb_stream_read(y->s, &head, sizeof(head))) {
		guint32 len = GUINT32_FROM_LE(head.len);

		if (memcmp(head.id, "DONE", 4) == 0) {
			in->mtime = len;
			return true;
		}
		if (memcmp(head.id, "DATA", 4) != 0 || len > MAX_DATA) {
			incoming_fails(in,
				       len > MAX_DATA ? "oversize data message"
						      : "invalid data message",
				       0);
			return true;
		}
		if (!adb_stream_read(y->s, buf, len))
			return false;
		if (in->fd >= 0 && !vp_write_full(in->fd, buf, len))
			incoming_fails(in, "write failed", errno);
	}
	return false;
}

/* adbd gives group and others what the owner has. */
static mode_t widen(mode_t mode)
{
	mode &= 0777;
	mode |= (mode >> 3) & 0070;
	return mode | ((mode >> 3) & 0007);
}

static bool do_send(struct sync *y, const char *spec)
{
	char *comma = strrchr(spec, ',');
	g_autofree char *path =
		comma ? g_strndup(spec, (gsize)(comma - spec)) : NULL;
	mode_t mode;
	struct incoming in = { .path = path, .fd = -1 };
	bool ended;

	if (!path)
		return fail(y, "missing , in ID_SEND", 0);
	mode = widen((mode_t)g_ascii_strtoull(comma + 1, NULL, 10));
	in.fd = open_target(path, mode);
	if (in.fd < 0)
		incoming_fails(&in, "couldn't create file", errno);
	ended = receive(y, &in);
	if (in.fd >= 0) {
		struct timespec times[2] = { { .tv_sec = in.mtime },
					     { .tv_sec = in.mtime } };

		(void)!fchmod(in.fd, mode);
		(void)!futimens(in.fd, times);
		close(in.fd);
	}
	if (!ended)
		return false;
	return in.what ? fail(y, in.what, in.err) : send_id(y, "OKAY", "");
}

static const struct {
	char id[5];
	bool (*run)(struct sync *y, const char *path); /* false: session ends */
} requests[] = {
	{ "STAT", do_stat_v1 }, { "STA2", do_stat_v2 }, { "LST2", do_lstat_v2 },
	{ "LIST", do_list_v1 }, { "LIS2", do_list_v2 }, { "SEND", do_send },
	{ "RECV", do_recv },
};

static bool serve_request(struct sync *y)
{
	struct id_len head;
	char path[MAX_PATH + 1];
	guint32 len;

	if (!adb_stream_read(y->s, &head, sizeof(head)) ||
	    memcmp(head.id, "QUIT", 4) == 0)
		return false;
	len = GUINT32_FROM_LE(head.len);
	if (len > MAX_PATH)
		return fail(y, "path too long", 0);
	if (!adb_stream_read(y->s, path, len))
		return false;
	path[len] = '\0';
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
		if (memcmp(head.id, requests[i].id, 4) == 0)
			return requests[i].run(y, path);
	return fail(y, "unknown command", 0);
}

void adb_service_sync(struct adb_stream *s, const char *arg)
{
	struct sync y = { .s = s, .out = g_byte_array_new() };

	(void)arg;
	if (vp_root_enter_thread(s->vp, s->uid))
		while (serve_request(&y))
			;
	g_byte_array_unref(y.out);
}
