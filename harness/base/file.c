// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/file.h>

bool ab_file_write(const char *path, const char *bytes, gssize len,
		   GError **error)
{
	g_autoptr(GError) why = NULL;

	if (g_file_set_contents_full(path, bytes, len,
				     G_FILE_SET_CONTENTS_CONSISTENT, 0600,
				     &why))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s; check free space and permissions", why->message);
	return false;
}
