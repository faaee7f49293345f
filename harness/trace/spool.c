// SPDX-License-Identifier: GPL-3.0-or-later
#include "spool.h"

#include <abrig/error.h>
#include <abrig/file.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define MB ((gsize)1 << 20)

struct ab_spool {
	gsize size, ceiling, in_memory;
	GByteArray *memory; /* NULL: all is in the file */
	int fd;
	void *map;
	gsize mapped;
	bool full;
};

struct ab_spool *ab_spool_new(gsize ceiling, gsize memory)
{
	struct ab_spool *spool = g_new0(struct ab_spool, 1);

	spool->ceiling = ceiling;
	spool->in_memory = MIN(memory, G_MAXINT32);
	spool->memory = g_byte_array_new();
	spool->fd = -1;
	return spool;
}

static void unmap(struct ab_spool *spool)
{
	if (spool->map)
		munmap(spool->map, spool->mapped);
	spool->map = NULL;
	spool->mapped = 0;
}

void ab_spool_free(struct ab_spool *spool)
{
	if (!spool)
		return;
	unmap(spool);
	g_clear_pointer(&spool->memory, g_byte_array_unref);
	if (spool->fd >= 0)
		close(spool->fd);
	g_free(spool);
}

gsize ab_spool_size(const struct ab_spool *spool)
{
	return spool->size;
}

bool ab_spool_full(const struct ab_spool *spool)
{
	return spool->full;
}

static bool failed(const char *what, const struct ab_spool *spool,
		   GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot %s a temporary file in %s (%" G_GSIZE_FORMAT
		    " MB in it): %s; make room there, or set TMPDIR to a "
		    "directory with room",
		    what, g_get_tmp_dir(), spool->size / MB, g_strerror(errno));
	return false;
}

static bool write_at(const struct ab_spool *spool, gsize at,
		     struct ab_bytes bytes, GError **error)
{
	if (lseek(spool->fd, (off_t)at, SEEK_SET) < 0 ||
	    !ab_file_put(spool->fd, bytes.p, bytes.n))
		return failed("write", spool, error);
	return true;
}

static bool move_to_file(struct ab_spool *spool, GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(),
						 "abrig-unpacked-XXXXXX", NULL);
	struct ab_bytes all = { spool->memory->data, spool->size };

	spool->fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
	if (spool->fd < 0)
		return failed("create", spool, error);
	g_unlink(path);
	if (!write_at(spool, 0, all, error)) {
		close(spool->fd);
		spool->fd = -1;
		return false;
	}
	g_clear_pointer(&spool->memory, g_byte_array_unref);
	return true;
}

bool ab_spool_append(struct ab_spool *spool, struct ab_bytes bytes,
		     GError **error)
{
	if (bytes.n > spool->ceiling - spool->size) {
		spool->full = true;
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "it unpacks to more than %" G_GSIZE_FORMAT
			    " MB, the ceiling for a file of its size; if you "
			    "trust it, unpack it yourself",
			    spool->ceiling / MB);
		return false;
	}
	if (!bytes.n)
		return true;
	if (spool->memory && spool->size + bytes.n > spool->in_memory &&
	    !move_to_file(spool, error))
		return false;
	if (spool->memory)
		g_byte_array_append(spool->memory, bytes.p, (guint)bytes.n);
	else if (!write_at(spool, spool->size, bytes, error))
		return false;
	spool->size += bytes.n;
	return true;
}

void ab_spool_truncate(struct ab_spool *spool, gsize size)
{
	spool->size = size;
	if (spool->memory)
		g_byte_array_set_size(spool->memory, (guint)size);
}

static bool map(struct ab_spool *spool, GError **error)
{
	void *p;

	if (spool->mapped >= spool->size)
		return true;
	unmap(spool);
	p = mmap(NULL, spool->size, PROT_READ, MAP_SHARED, spool->fd, 0);
	if (p == MAP_FAILED)
		return failed("map", spool, error);
	spool->map = p;
	spool->mapped = spool->size;
	return true;
}

bool ab_spool_bytes(struct ab_spool *spool, gsize from,
		    struct ab_bytes *bytes_out, GError **error)
{
	const guint8 *all;

	if (!spool->memory && !map(spool, error))
		return false;
	all = spool->memory ? spool->memory->data : spool->map;
	*bytes_out = (struct ab_bytes){ all ? all + from : NULL,
					spool->size - from };
	return true;
}
