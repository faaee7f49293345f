// SPDX-License-Identifier: GPL-3.0-or-later
// trace_marker: a FIFO, read at once so that a mark gets the time it was made.
#include "core.h"
#include "pids.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_MARKS 100000

struct reader {
	struct vphone *vp;
	int fd;
};

static void add_mark(struct vphone *vp, const char *text, size_t len)
{
	struct vp_mark mark = { .ts_ns = vp_now_ns(vp),
				.tid = VP_PID_ADBD,
				.text = g_strndup(text, len) };

	if (vp->marks->len < MAX_MARKS)
		g_array_append_val(vp->marks, mark);
	else
		g_free(mark.text);
}

/* Several writes may arrive as one read: each ended with a newline. */
static gpointer read_marks(gpointer data)
{
	struct reader *r = data;
	char buf[65536];
	ssize_t n;

	while ((n = read(r->fd, buf, sizeof(buf))) > 0) {
		const char *at = buf, *end = buf + n;

		g_mutex_lock(&r->vp->lock);
		while (at < end) {
			const char *nl = memchr(at, '\n', (size_t)(end - at));
			size_t len = (size_t)((nl ? nl + 1 : end) - at);

			add_mark(r->vp, at, len);
			at += len;
		}
		g_mutex_unlock(&r->vp->lock);
	}
	return NULL;
}

bool vp_marker_start(struct vphone *vp, GError **error)
{
	g_autofree char *dir =
		g_build_filename(vp->root, "sys/kernel/tracing", NULL);
	g_autofree char *path = g_build_filename(dir, "trace_marker", NULL);
	struct reader *r;
	int fd = -1;

	unlink(path);
	if (g_mkdir_with_parents(dir, 0755) == 0 && mkfifo(path, 0600) == 0 &&
	    chmod(path, 0622) == 0)
		fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot make the FIFO %s: %s", path,
			    g_strerror(errno));
		return false;
	}
	r = g_new0(struct reader, 1);
	r->vp = vp;
	r->fd = fd;
	g_thread_unref(g_thread_new("marks", read_marks, r));
	return true;
}
