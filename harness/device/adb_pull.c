// SPDX-License-Identifier: GPL-3.0-or-later
#include "adb_sync_private.h"

#include <abrig/file.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For files whose size is fictional: nothing in /proc or /sys is larger. */
#define MAX_VIRTUAL (64u << 20)

struct pull {
	struct adb_conn c;
	const char *remote;
	const char *local;
	char *temp; /* what is written; becomes @local at the end */
	int fd;
	struct adb_sync_stat st;
	guint64 size;
};

static void set_local_error(const struct pull *p, int err, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot write '%s' while %s: %s", p->local, p->c.what,
		    g_strerror(err));
}

static bool is_virtual(const struct pull *p)
{
	return g_str_has_prefix(p->remote, "/proc/") ||
	       g_str_has_prefix(p->remote, "/sys/");
}

static bool ask(struct pull *p, GError **error)
{
	g_autoptr(GByteArray) requests = g_byte_array_new();
	bool v2;

	/* Both at once: one round trip less. */
	if (!adb_sync_open(&p->c, &v2, error) ||
	    !adb_sync_add(requests, &p->c, v2 ? "STA2" : "STAT", p->remote,
			  error) ||
	    !adb_sync_add(requests, &p->c, "RECV", p->remote, error) ||
	    !adb_sync_send(&p->c, requests, error) ||
	    !adb_sync_read_stat(&p->c, v2, &p->st, error))
		return false;
	if (S_ISDIR(p->st.mode)) {
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "it is a directory, not a file, while %s",
			    p->c.what);
		return false;
	}
	return true;
}

static bool open_temp(struct pull *p, GError **error)
{
	p->temp = g_strdup_printf("%s.XXXXXX", p->local);
	p->fd = g_mkstemp_full(p->temp, O_WRONLY | O_CLOEXEC, 0600);
	if (p->fd >= 0)
		return true;
	set_local_error(p, errno, error);
	g_clear_pointer(&p->temp, g_free);
	return false;
}

static bool copy_chunk(struct pull *p, size_t len, GError **error)
{
	while (len) {
		const guint8 *data;
		gssize n = adb_take_some(&p->c, len, &data, error);

		if (n == 0)
			adb_set_lost(&p->c, error);
		if (n <= 0)
			return false;
		if (!ab_file_put(p->fd, data, (gsize)n)) {
			set_local_error(p, errno, error);
			return false;
		}
		len -= (size_t)n;
		p->size += (guint64)n;
	}
	return true;
}

static void set_size_error(const struct pull *p, GError **error)
{
	g_set_error(
		error, AB_ERROR, AB_ERROR_PROTOCOL,
		"sizes differ while %s: the phone announced %" G_GUINT64_FORMAT
		" bytes and sent %" G_GUINT64_FORMAT
		"%s; is the file still being written?",
		p->c.what, p->st.size, p->size,
		p->size > p->st.size ? " or more" : "");
}

static bool receive(struct pull *p, GError **error)
{
	guint64 limit = is_virtual(p) ? MAX_VIRTUAL : p->st.size;
	struct adb_sync_head head;

	for (;;) {
		if (!adb_sync_head(&p->c, &head, error))
			return false;
		if (!memcmp(head.id, "DONE", 4))
			break;
		if (memcmp(head.id, "DATA", 4) != 0 ||
		    head.len > ADB_SYNC_CHUNK) {
			adb_set_nonsense(&p->c, "not a sync DATA frame", error);
			return false;
		}
		if (!copy_chunk(p, head.len, error))
			return false;
		if (p->size > limit) {
			set_size_error(p, error);
			return false;
		}
	}
	if (p->size == p->st.size || is_virtual(p))
		return true;
	set_size_error(p, error);
	return false;
}

/* Errors of delayed writes show here, before the file gets its name. */
static bool publish(struct pull *p, GError **error)
{
	int failed = close(p->fd);

	p->fd = -1;
	if (!failed && !g_rename(p->temp, p->local)) {
		g_clear_pointer(&p->temp, g_free);
		return true;
	}
	set_local_error(p, errno, error);
	return false;
}

static void discard(struct pull *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->temp)
		g_unlink(p->temp);
	g_free(p->temp);
}

bool ab_adb_pull(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, const char *remote, const char *local,
		 guint64 *size_out, GError **error)
{
	struct pull p = { .remote = remote, .local = local, .fd = -1 };
	GError *why = NULL;

	adb_conn_init(&p.c, adb, w, serial,
		      g_strdup_printf("pulling '%s'", remote));
	if (ask(&p, &why) && open_temp(&p, &why) && receive(&p, &why) &&
	    publish(&p, &why) && size_out)
		*size_out = p.size;
	discard(&p);
	return adb_conn_end(&p.c, why, error);
}
