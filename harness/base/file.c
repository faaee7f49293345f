// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/file.h>

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
