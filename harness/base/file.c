// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/file.h>

#include <errno.h>
#include <unistd.h>

bool ab_file_write(const char *path, const char *bytes, gssize len,
		   GError **error)
{
	g_autoptr(GError) why = NULL;
	/* A device or a pipe is written into, not replaced by a file. */
	bool replace = g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
		       !g_file_test(path, G_FILE_TEST_EXISTS);

	if (g_file_set_contents_full(path, bytes, len,
				     replace ? G_FILE_SET_CONTENTS_CONSISTENT
					     : G_FILE_SET_CONTENTS_NONE,
				     0600, &why))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s; check free space and permissions", why->message);
	return false;
}

bool ab_file_put(int fd, const void *bytes, gsize n)
{
	const char *p = bytes;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		p += done;
		n -= (gsize)done;
	}
	return true;
}
