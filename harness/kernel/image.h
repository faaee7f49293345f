/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private: what is inside a boot image.  All of it is hostile. */
#ifndef KERNEL_IMAGE_H
#define KERNEL_IMAGE_H

#include <abrig/kernel.h>

/* No arm64 kernel for a phone comes near it. */
#define KERNEL_MAX (128u << 20)

/*
 * The uncompressed kernel in @data, whatever form it has (raw, gzip, lz4
 * legacy); AB_ERROR_DATA says which form was found and what is wrong.
 */
GBytes *kernel_payload(const guint8 *data, size_t len, GError **error);

/*
 * The banner "Linux version ..." in an uncompressed kernel; all copies must
 * agree.
 */
char *kernel_banner(const guint8 *data, size_t len, GError **error);
/* Its second word. */
char *kernel_release(const char *banner);
/* The embedded configuration's text; NULL without @error: there is none. */
char *kernel_config(const guint8 *data, size_t len, GError **error);

/*
 * Inflate the gzip member at the start of @data, at most @max bytes.
 * *@used_out (may be NULL) gets how much of @data it took.
 */
GByteArray *kernel_gunzip(const guint8 *data, size_t len, size_t max,
			  size_t *used_out, GError **error);
/* Decode one lz4 block into @out (grows, at most @max); false: damaged. */
bool kernel_lz4_block(const guint8 *data, size_t len, GByteArray *out,
		      size_t max);
/* The legacy container that the kernel's build makes. */
GByteArray *kernel_lz4_legacy(const guint8 *data, size_t len, size_t max,
			      GError **error);

/* SHA-256 of a configuration's text, as identities carry it. */
char *kernel_config_hash(const char *text, size_t len);

static inline guint32 image_u32(const guint8 *p)
{
	return (guint32)p[0] | (guint32)p[1] << 8 | (guint32)p[2] << 16 |
	       (guint32)p[3] << 24;
}

#endif
