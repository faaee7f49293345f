// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <abrig/file.h>

#include "dat.h"

/* Larger ones go to a disk: a file in memory is memory, too. */
#define IN_MEMORY_MAX (64UL << 20)

int dat_file_new(struct ab_bytes bytes)
{
	int fd = -1;

	if (bytes.n > IN_MEMORY_MAX)
		fd = open(g_get_tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC,
			  0600);
	if (fd < 0)
		fd = memfd_create("trace.dat", MFD_CLOEXEC);
	if (fd >= 0 && !ab_file_put(fd, bytes.p, bytes.n)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static const char table_name[] = "flyrecord";

static guint64 swap64(guint64 v, bool big)
{
	return big ? GUINT64_FROM_BE(v) : GUINT64_FROM_LE(v);
}

/*
 * Version 6 has, behind the name, offset and size of each CPU's data, and
 * libtracecmd opens no file in which one of them reaches beyond the end.
 */
bool dat_file_mend(int file, struct ab_bytes bytes)
{
	const gsize endian_at = 12;
	const guint64 page = 4096;
	const guint8 *table =
		memmem(bytes.p, bytes.n, table_name, sizeof(table_name));
	bool mended = false;
	guint64 entry[2], offset, size;
	gsize at;

	if (!table || bytes.p[endian_at - 2] != '6')
		return false;
	at = (gsize)(table - bytes.p) + sizeof(table_name);
	for (; bytes.n - at >= sizeof(entry); at += sizeof(entry)) {
		bool big = bytes.p[endian_at];

		memcpy(entry, bytes.p + at, sizeof(entry));
		offset = swap64(entry[0], big);
		size = swap64(entry[1], big);
		if (offset % page || (size && offset <= at))
			break;
		if (offset <= bytes.n && size <= bytes.n - offset)
			continue;
		size = offset < bytes.n ? (bytes.n - offset) / page * page : 0;
		entry[0] = size ? entry[0] : 0;
		entry[1] = swap64(size, big);
		if (pwrite(file, entry, sizeof(entry), (off_t)at) !=
		    sizeof(entry))
			return false;
		mended = true;
	}
	return mended;
}
