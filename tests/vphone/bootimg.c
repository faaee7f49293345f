// SPDX-License-Identifier: GPL-3.0-or-later
// What a boot image (header v3 or v4) holds: the kernel's banner, its
// configuration, and the model that a test kernel carries.
#include "core.h"

#include <string.h>
#include <zlib.h>

#define PAGE 4096u
#define CMDLINE_AT 44
#define CMDLINE_BYTES 1536
#define BANNER "Linux version "
#define MAX_BANNER 1024
#define CONFIG_BEGIN "IKCFG_ST"
#define CONFIG_END "IKCFG_ED"
#define MAX_CONFIG (4u << 20)
#define MODEL_BEGIN "VPHONE_MODEL\n"
#define MAX_MODEL (64u << 10)

static guint32 le32(const guint8 *p)
{
	guint32 v;

	memcpy(&v, p, sizeof(v));
	return GUINT32_FROM_LE(v);
}

static bool bad(GError **error, const char *what)
{
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "not bootable: %s",
		    what);
	return false;
}

/* The kernel's part of the image. */
static bool find_payload(const guint8 *image, gsize size,
			 const guint8 **kernel_out, gsize *len_out,
			 GError **error)
{
	guint32 version;
	guint64 len;

	if (size < PAGE || memcmp(image, "ANDROID!", 8) != 0)
		return bad(error, "no boot image header");
	version = le32(image + 40);
	if (version != 3 && version != 4)
		return bad(error, "the header is not version 3 or 4");
	len = le32(image + 8);
	if (len == 0 || (guint64)PAGE + len > size)
		return bad(error, "the kernel is cut off");
	*kernel_out = image + PAGE;
	*len_out = (gsize)len;
	return true;
}

static char *find_banner(const guint8 *at, gsize len)
{
	const guint8 *end = at + len;

	while ((at = memmem(at, (gsize)(end - at), BANNER, strlen(BANNER)))) {
		const guint8 *digit = at + strlen(BANNER);
		gsize n = 0;

		if (digit < end && g_ascii_isdigit(*digit)) {
			while (at + n < end && n < MAX_BANNER && at[n] &&
			       at[n] != '\n')
				n++;
			return g_strndup((const char *)at, n);
		}
		at = digit;
	}
	return NULL;
}

static bool inflate_config(const guint8 *at, gsize len,
			   struct vp_kernel *kernel)
{
	z_stream z = { .next_in = (Bytef *)at, .avail_in = (uInt)len };
	g_autofree char *text = g_malloc(MAX_CONFIG + 1);
	int rc;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return false;
	z.next_out = (Bytef *)text;
	z.avail_out = MAX_CONFIG;
	rc = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (rc != Z_STREAM_END || len - z.avail_in + strlen(CONFIG_END) > len ||
	    memcmp(z.next_in, CONFIG_END, strlen(CONFIG_END)) != 0)
		return false;
	kernel->config = g_strndup(text, z.total_out);
	kernel->config_gz = g_bytes_new(at, z.total_in);
	return true;
}

static bool find_config(const guint8 *at, gsize len, struct vp_kernel *kernel)
{
	const guint8 *end = at + len;
	const guint8 *begin =
		memmem(at, len, CONFIG_BEGIN, strlen(CONFIG_BEGIN));

	if (!begin)
		return false;
	begin += strlen(CONFIG_BEGIN);
	return inflate_config(begin, (gsize)(end - begin), kernel);
}

static bool find_model(const guint8 *at, gsize len, struct vp_kernel *kernel,
		       GError **error)
{
	const guint8 *begin = memmem(at, len, MODEL_BEGIN, strlen(MODEL_BEGIN));
	g_autofree char *text = NULL;

	if (!begin)
		return bad(error, "the kernel carries no model");
	begin += strlen(MODEL_BEGIN);
	text = g_strndup((const char *)begin,
			 MIN((gsize)(at + len - begin), MAX_MODEL));
	kernel->model = vp_model_parse(text, error);
	return kernel->model != NULL;
}

bool vp_kernel_parse(GBytes *image, struct vp_kernel *kernel_out,
		     GError **error)
{
	gsize size, len;
	const guint8 *data = g_bytes_get_data(image, &size);
	const guint8 *payload;
	bool ok;

	memset(kernel_out, 0, sizeof(*kernel_out));
	if (!find_payload(data, size, &payload, &len, error))
		return false;
	kernel_out->cmdline =
		g_strndup((const char *)data + CMDLINE_AT, CMDLINE_BYTES - 1);
	kernel_out->banner = find_banner(payload, len);
	if (!kernel_out->banner)
		ok = bad(error, "the kernel has no version banner");
	else if (!find_config(payload, len, kernel_out))
		ok = bad(error, "the kernel has no configuration");
	else
		ok = find_model(payload, len, kernel_out, error);
	if (!ok)
		vp_kernel_clear(kernel_out);
	return ok;
}

void vp_kernel_clear(struct vp_kernel *kernel)
{
	g_clear_pointer(&kernel->banner, g_free);
	g_clear_pointer(&kernel->config, g_free);
	g_clear_pointer(&kernel->config_gz, g_bytes_unref);
	g_clear_pointer(&kernel->cmdline, g_free);
	g_clear_pointer(&kernel->model, vp_model_free);
}
