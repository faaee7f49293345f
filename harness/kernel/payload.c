// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernel inside a boot image: its form, its banner, its configuration. */
#include <abrig/error.h>

#include <string.h>
#include <zlib.h>

#include "image.h"

#define BANNER "Linux version "
#define MAX_BANNER 1024
#define MAX_CONFIG (8u << 20)
#define CHUNK (256u << 10)

/* ---- gzip ---- */

/* One inflate step into the end of @out; Z_OK, Z_STREAM_END or an error. */
static int inflate_chunk(z_stream *z, GByteArray *out, size_t max)
{
	guint before = out->len;
	size_t room = MIN(CHUNK, max + 1 - before);
	int rc;

	g_byte_array_set_size(out, before + (guint)room);
	z->next_out = out->data + before;
	z->avail_out = (uInt)room;
	rc = inflate(z, Z_NO_FLUSH);
	g_byte_array_set_size(out, before + (guint)(room - z->avail_out));
	/* No progress although there is room: the data ends too early. */
	if (rc == Z_OK && z->avail_out && !z->avail_in)
		return Z_BUF_ERROR;
	return rc;
}

GByteArray *kernel_gunzip(const guint8 *data, size_t len, size_t max,
			  size_t *used_out, GError **error)
{
	z_stream z = { .next_in = (Bytef *)data,
		       .avail_in = (uInt)MIN(len, G_MAXUINT) };
	g_autoptr(GByteArray) out = g_byte_array_new();
	int rc = inflateInit2(&z, 16 + MAX_WBITS);

	while (rc == Z_OK && out->len <= max)
		rc = inflate_chunk(&z, out, max);
	if (used_out)
		*used_out = z.total_in;
	inflateEnd(&z);
	if (rc == Z_STREAM_END && out->len <= max)
		return g_steal_pointer(&out);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    out->len > max ? "its gzip data expands to more than %zu "
				     "bytes"
				   : "its gzip data is damaged or cut off "
				     "(limit %zu bytes)",
		    max);
	return NULL;
}

/* ---- forms ---- */

static bool starts_with(const guint8 *data, size_t len, const char *magic,
			size_t magic_len)
{
	return len >= magic_len && !memcmp(data, magic, magic_len);
}

static GBytes *fail_form(const char *form, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "its kernel is %s, which cannot be looked into; use "
		    "Image, Image.gz or Image.lz4 as the kernel's build makes "
		    "them",
		    form);
	return NULL;
}

static GBytes *bytes_of(GByteArray *array, GError **error)
{
	if (!array || array->len)
		return array ? g_byte_array_free_to_bytes(array) : NULL;
	g_byte_array_unref(array);
	return fail_form("empty once it is decompressed", error);
}

#define STARTS(magic) starts_with(data, len, magic, sizeof(magic) - 1)

GBytes *kernel_payload(const guint8 *data, size_t len, GError **error)
{
	if (len > KERNEL_MAX)
		return fail_form("larger than 128 MiB", error);
	if (len >= 64 && !memcmp(data + 56, "ARM\x64", 4))
		return g_bytes_new(data, len);
	if (STARTS("\x1f\x8b\x08"))
		return bytes_of(kernel_gunzip(data, len, KERNEL_MAX, NULL,
					      error),
				error);
	if (STARTS("\x02\x21\x4c\x18"))
		return bytes_of(kernel_lz4_legacy(data, len, KERNEL_MAX, error),
				error);
	if (STARTS("\x04\x22\x4d\x18"))
		return fail_form("in the lz4 frame format", error);
	if (STARTS("\xfd\x37\x7a\x58\x5a"))
		return fail_form("compressed with xz", error);
	if (STARTS("\x28\xb5\x2f\xfd"))
		return fail_form("compressed with zstd", error);
	return fail_form("neither an arm64 Image nor compressed in a known way",
			 error);
}

/* ---- banner ---- */

/* The banner at @at, or NULL for a format string that only looks like one. */
static char *banner_at(const guint8 *at, size_t left)
{
	size_t prefix = strlen(BANNER);
	size_t max = MIN(left, MAX_BANNER), n = prefix;

	if (left <= prefix || !g_ascii_isdigit(at[prefix]))
		return NULL;
	while (n < max && at[n] != '\n' && at[n] != '\0')
		n++;
	return n == max ? NULL : g_strndup((const char *)at, n);
}

static char *fail_copies(char *a, char *b, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "its kernel carries two different banners, '%s' and '%s'",
		    a, b);
	g_free(a);
	g_free(b);
	return NULL;
}

char *kernel_banner(const guint8 *data, size_t len, GError **error)
{
	const guint8 *at = data, *end = data + len;
	char *banner = NULL;

	while ((at = memmem(at, (size_t)(end - at), BANNER, strlen(BANNER)))) {
		char *copy = banner_at(at, (size_t)(end - at));

		if (copy && banner && !g_str_equal(copy, banner))
			return fail_copies(banner, copy, error);
		if (banner)
			g_free(copy);
		else
			banner = copy;
		at += strlen(BANNER);
	}
	if (!banner)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "its kernel has no banner 'Linux version ...'");
	return banner;
}

char *kernel_release(const char *banner)
{
	const char *release = banner;

	if (!g_str_has_prefix(banner, BANNER))
		return NULL;
	release += strlen(BANNER);
	return g_strndup(release, strcspn(release, " "));
}

/* ---- configuration ---- */

#define CONFIG_START "IKCFG_ST"
#define CONFIG_END "IKCFG_ED"

char *kernel_config(const guint8 *data, size_t len, GError **error)
{
	const guint8 *at = memmem(data, len, CONFIG_START "\x1f\x8b\x08", 11);
	g_autoptr(GByteArray) text = NULL;
	size_t left, used;

	if (!at)
		return NULL;
	at += strlen(CONFIG_START);
	left = len - (size_t)(at - data);
	text = kernel_gunzip(at, left, MAX_CONFIG, &used, error);
	if (!text) {
		g_prefix_error(error, "the configuration in its kernel: ");
		return NULL;
	}
	if (!starts_with(at + used, left - used, CONFIG_END, 8) || !text->len ||
	    memchr(text->data, '\0', text->len)) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "the configuration in its kernel does not end "
			    "where it should");
		return NULL;
	}
	return g_strndup((const char *)text->data, text->len);
}

char *kernel_config_hash(const char *text, size_t len)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256,
					   (const guchar *)text, len);
}
