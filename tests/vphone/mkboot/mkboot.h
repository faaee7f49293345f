/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building boot images whose kernel the virtual phone can run. */
#ifndef MKBOOT_H
#define MKBOOT_H

#include <glib.h>
#include <stdbool.h>

struct mkboot_kernel {
	const char *banner; /* without newline */
	const char *config; /* text */
	const char *model;  /* text; docs/VPHONE.md has the keys */
	size_t size;	    /* bytes, at least what the above needs */
};

/* Something with the outside of an uncompressed arm64 Image. */
GByteArray *mkboot_kernel(const struct mkboot_kernel *k);
/* A boot image with header version 4. */
GByteArray *mkboot_image(const GByteArray *kernel, const char *cmdline);

#endif
