// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a boot image.
#include "mkboot.h"

#include <string.h>
#include <zlib.h>

#define PAGE 4096u
#define HEADER_BYTES 1584u
#define CMDLINE_AT 44
#define CMDLINE_MAX 1535u
#define OS_VERSION ((14u << 25) | (24u << 4) | 9u)
#define RODATA_AT (64u << 10) /* where the texts begin */

static void put_le32(guint8 *at, guint32 v)
{
	v = GUINT32_TO_LE(v);
	memcpy(at, &v, sizeof(v));
}

static void put_le64(guint8 *at, guint64 v)
{
	v = GUINT64_TO_LE(v);
	memcpy(at, &v, sizeof(v));
}

static void pad(GByteArray *b, guint to)
{
	guint old = b->len;

	if (to <= old)
		return;
	g_byte_array_set_size(b, to);
	memset(b->data + old, 0, to - old);
}

static void pad_page(GByteArray *b)
{
	pad(b, (b->len + PAGE - 1) / PAGE * PAGE);
}

static void put(GByteArray *b, const void *data, size_t len)
{
	g_byte_array_append(b, data, (guint)len);
}

static void put_text(GByteArray *b, const char *text)
{
	put(b, text, strlen(text));
}

static void put_gzip(GByteArray *b, const void *data, size_t len)
{
	z_stream z = { .next_in = (Bytef *)data, .avail_in = (uInt)len };
	uLong bound = len + len / 100 + 64;
	g_autofree guint8 *out = g_malloc(bound);

	deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9,
		     Z_DEFAULT_STRATEGY);
	z.next_out = out;
	z.avail_out = (uInt)bound;
	deflate(&z, Z_FINISH);
	put(b, out, z.total_out);
	deflateEnd(&z);
}

/* The traps of a real Image: format strings that look like the banner. */
static void put_rodata(GByteArray *b, const struct mkboot_kernel *k)
{
	put_text(b, "%s version %s (build@host) (clang) %s\n");
	put(b, "", 1);
	put_text(b, "Linux version %s\n");
	put(b, "", 1);
	put_text(b, k->banner);
	put(b, "\n", 2);
	put_text(b, "IKCFG_ST");
	put_gzip(b, k->config, strlen(k->config));
	put_text(b, "IKCFG_ED");
	put_text(b, "VPHONE_MODEL\n");
	put(b, k->model, strlen(k->model) + 1);
}

/* Instructions of no program: the same for every kernel, and not zeros. */
static void put_code(GByteArray *b, guint to)
{
	guint32 word = 0x14000010u;

	while (b->len < to) {
		guint8 le[4];

		word = word * 1664525u + 1013904223u;
		put_le32(le, word);
		put(b, le, sizeof(le));
	}
}

GByteArray *mkboot_kernel(const struct mkboot_kernel *k)
{
	GByteArray *b = g_byte_array_new();

	pad(b, 64);
	memcpy(b->data, "MZ", 2);
	put_le32(b->data + 4, 0x14000000u);
	put_le64(b->data + 24, 0xa); /* 4K pages, anywhere in memory */
	memcpy(b->data + 56, "ARMd", 4);
	put_le32(b->data + 60, 64);
	put_code(b, RODATA_AT);
	put_rodata(b, k);
	pad(b, (b->len + 3) / 4 * 4);
	put_code(b, (guint)k->size);
	/* With the BSS, which the file does not hold. */
	put_le64(b->data + 16, (guint64)b->len + (256u << 10));
	return b;
}

/* newc: "070701", 13 hexadecimal fields, name and data on 4 bytes. */
static void put_cpio_trailer(GByteArray *b)
{
	const char *name = "TRAILER!!!";

	put_text(b, "070701");
	for (int i = 0; i < 13; i++) {
		g_autofree char *field = g_strdup_printf(
			"%08x", i == 11	 ? (guint)strlen(name) + 1
				: i == 4 ? 1u
					 : 0u);

		put_text(b, field);
	}
	put(b, name, strlen(name) + 1);
	pad(b, (b->len + 3) / 4 * 4);
}

static GByteArray *make_ramdisk(void)
{
	g_autoptr(GByteArray) cpio = g_byte_array_new();
	GByteArray *b = g_byte_array_new();

	put_cpio_trailer(cpio);
	put_gzip(b, cpio->data, cpio->len);
	return b;
}

GByteArray *mkboot_image(const GByteArray *kernel, const char *cmdline)
{
	GByteArray *b = g_byte_array_new();
	g_autoptr(GByteArray) ramdisk = make_ramdisk();

	pad(b, PAGE);
	memcpy(b->data, "ANDROID!", 8);
	put_le32(b->data + 8, kernel->len);
	put_le32(b->data + 12, ramdisk->len);
	put_le32(b->data + 16, OS_VERSION);
	put_le32(b->data + 20, HEADER_BYTES);
	put_le32(b->data + 40, 4);
	memcpy(b->data + CMDLINE_AT, cmdline,
	       MIN(strlen(cmdline), CMDLINE_MAX));
	put(b, kernel->data, kernel->len);
	pad_page(b);
	put(b, ramdisk->data, ramdisk->len);
	pad_page(b);
	return b;
}
