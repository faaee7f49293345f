/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the host. */
#ifndef ABRIG_FILE_H
#define ABRIG_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Replace @path by @len bytes (-1: up to the NUL) at once or not at all; only
 * the user may read it.
 */
bool ab_file_write(const char *path, const char *bytes, gssize len,
		   GError **error);

/* All @n bytes where @fd stands; false with errno. */
bool ab_file_put(int fd, const void *bytes, gsize n);

#endif
