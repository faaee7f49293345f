// SPDX-License-Identifier: GPL-3.0-or-later
#include "adb_sync_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct push {
	struct adb_conn c;
	const char *local;
	const char *remote;
	int fd;
	struct stat st; /* of the local file */
	guint64 size;	/* sent */
	guint8 frame[8 + ADB_SYNC_CHUNK];
};

static void set_local_error(const struct push *p, const char *message,
			    GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot read '%s' while %s: %s", p->local, p->c.what,
		    message);
}

static bool open_local(struct push *p, GError **error)
{
	p->fd = open(p->local, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0 || fstat(p->fd, &p->st) < 0) {
		set_local_error(p, g_strerror(errno), error);
		return false;
	}
	if (!S_ISREG(p->st.st_mode)) {
		set_local_error(p, "not a regular file", error);
		return false;
	}
	return true;
}

static bool announce(struct push *p, int mode, bool *v2_out, GError **error)
{
	g_autoptr(GByteArray) request = g_byte_array_new();
	g_autofree char *path = g_strdup_printf("%s,%d", p->remote,
						S_IFREG | (mode & ACCESSPERMS));

	return adb_sync_open(&p->c, v2_out, error) &&
	       adb_sync_add(request, &p->c, "SEND", path, error) &&
	       adb_sync_send(&p->c, request, error);
}

/* Send the frame whose @len bytes of data are in place. */
static bool send_frame(struct push *p, const char *id, guint32 number,
		       size_t len, GError **error)
{
	memcpy(p->frame, id, 4);
	adb_put_le32(p->frame + 4, number);
	return adb_send_until_reply(&p->c, p->frame, 8 + len, error);
}

/*
 * Send DATA until the file's end or until the phone speaks, which is a
 * refusal then: it drains what is sent after it, which can take long.
 */
static bool send_data(struct push *p, GError **error)
{
	while (!adb_buffered(&p->c)) {
		ssize_t n = read(p->fd, p->frame + 8, ADB_SYNC_CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			set_local_error(p, g_strerror(errno), error);
			return false;
		}
		if (n == 0)
			return send_frame(p, "DONE", (guint32)p->st.st_mtime, 0,
					  error);
		if (!send_frame(p, "DATA", (guint32)n, (size_t)n, error))
			return false;
		p->size += (guint64)n;
	}
	return true;
}

static bool read_verdict(struct push *p, GError **error)
{
	struct adb_sync_head head;

	if (!adb_sync_head(&p->c, &head, error))
		return false;
	if (!memcmp(head.id, "OKAY", 4) && head.len == 0)
		return true;
	adb_set_nonsense(&p->c, "not an answer to SEND", error);
	return false;
}

static bool compare_size(struct push *p, bool v2, GError **error)
{
	g_autoptr(GByteArray) request = g_byte_array_new();
	struct adb_sync_stat st;

	if (!adb_sync_add(request, &p->c, v2 ? "STA2" : "STAT", p->remote,
			  error) ||
	    !adb_sync_send(&p->c, request, error) ||
	    !adb_sync_read_stat(&p->c, v2, &st, error))
		return false;
	if (st.size == p->size && p->size == (guint64)p->st.st_size)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "sizes differ while %s: '%s' has %" G_GUINT64_FORMAT
		    " bytes, %" G_GUINT64_FORMAT
		    " were sent, the phone has %" G_GUINT64_FORMAT
		    "; is its storage full?",
		    p->c.what, p->local, (guint64)p->st.st_size, p->size,
		    st.size);
	return false;
}

bool ab_adb_push(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, const char *local, const char *remote,
		 int mode, GError **error)
{
	struct push p = { .local = local, .remote = remote, .fd = -1 };
	GError *why = NULL;
	bool v2;

	adb_conn_init(&p.c, adb, w, serial,
		      g_strdup_printf("pushing to '%s'", remote));
	(void)(open_local(&p, &why) && announce(&p, mode, &v2, &why) &&
	       send_data(&p, &why) && read_verdict(&p, &why) &&
	       compare_size(&p, v2, &why));
	if (p.fd >= 0)
		close(p.fd);
	return adb_conn_end(&p.c, why, error);
}
