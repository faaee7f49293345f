// SPDX-License-Identifier: GPL-3.0-or-later
/* Boot images, header versions 0 to 4, read by offset. */
#include <abrig/error.h>

#include <string.h>

#include "image.h"

#define MAGIC "ANDROID!"
#define MIN_SIZE 1632 /* the oldest header, and less than the newest */
#define PAGE_V3 4096
#define MAX_IMAGE (512u << 20)
#define MAX_VERSION 4
#define OFF_KERNEL 8
#define OFF_VERSION 40
#define OFF_RAMDISK 16 /* v0 to v2 */
#define OFF_PAGE 36
#define OFF_CMDLINE 64
#define OFF_EXTRA 608
#define OFF_RAMDISK_3 12 /* v3, v4 */
#define OFF_SIZE_3 20
#define OFF_CMDLINE_3 44

static bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list ap;

	va_start(ap, format);
	message = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA, "%s", message);
	return false;
}

static char *text_at(const guint8 *data, size_t offset, size_t max)
{
	return g_strndup((const char *)data + offset, max);
}

/* Some sizes come as "v0 with a dt part": what follows 4 is no version. */
static int version_of(const guint8 *data)
{
	guint32 version = image_u32(data + OFF_VERSION);

	return version <= MAX_VERSION ? (int)version : 0;
}

struct layout {
	guint64 page, kernel, ramdisk; /* where they start; u64: no overflow */
};

static guint64 round_up(guint64 n, guint64 page)
{
	return (n + page - 1) / page * page;
}

static void set_layout(struct layout *l, guint64 page,
		       const struct ab_bootimg *image)
{
	l->page = page;
	l->kernel = page;
	l->ramdisk = page + round_up(image->kernel_size, page);
}

static bool parse_old(const guint8 *data, struct ab_bootimg *image,
		      struct layout *l, GError **error)
{
	guint32 page = image_u32(data + OFF_PAGE);
	g_autofree char *first = text_at(data, OFF_CMDLINE, 512);
	g_autofree char *extra = text_at(data, OFF_EXTRA, 1024);

	if (page < 2048 || page > 16384 || (page & (page - 1)))
		return fail(error,
			    "its page size is %u; it should be 2048 to "
			    "16384",
			    page);
	image->ramdisk_size = image_u32(data + OFF_RAMDISK);
	image->cmdline = g_strconcat(first, extra, NULL);
	set_layout(l, page, image);
	return true;
}

static bool parse_new(const guint8 *data, struct ab_bootimg *image,
		      struct layout *l, GError **error)
{
	guint32 size = image_u32(data + OFF_SIZE_3);
	guint32 expected = image->header_version == 3 ? 1580 : 1584;

	if (size != expected)
		return fail(error,
			    "its header says %u bytes; a header version %d has "
			    "%u",
			    size, image->header_version, expected);
	image->ramdisk_size = image_u32(data + OFF_RAMDISK_3);
	image->cmdline = text_at(data, OFF_CMDLINE_3, 1536);
	set_layout(l, PAGE_V3, image);
	return true;
}

static bool check_part(const char *what, guint64 start, guint64 size,
		       size_t len, GError **error)
{
	if (start + size <= len)
		return true;
	return fail(error,
		    "its %s should be %" G_GUINT64_FORMAT
		    " bytes at %" G_GUINT64_FORMAT
		    ", but the file has only %zu: it is cut off",
		    what, size, start, len);
}

/* What the kernel part says; images without kernel (init_boot) have none. */
static bool look_inside(const guint8 *kernel, struct ab_bootimg *image,
			GError **error)
{
	g_autoptr(GBytes) raw = NULL;
	g_autoptr(GError) why = NULL;
	const guint8 *data;
	size_t len;

	if (!image->kernel_size)
		return true;
	raw = kernel_payload(kernel, image->kernel_size, error);
	if (!raw)
		return false;
	data = g_bytes_get_data(raw, &len);
	image->banner = kernel_banner(data, len, error);
	if (!image->banner)
		return false;
	image->release = kernel_release(image->banner);
	image->config = kernel_config(data, len, &why);
	if (why) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	if (image->config)
		image->config_sha256 = kernel_config_hash(
			image->config, strlen(image->config));
	return true;
}

static bool parse(const guint8 *data, size_t len, struct ab_bootimg *image,
		  GError **error)
{
	struct layout l = { 0 };

	if (len < MIN_SIZE || memcmp(data, MAGIC, strlen(MAGIC)) != 0)
		return fail(error, "it is no boot image: it does not begin "
				   "with 'ANDROID!' and a whole header");
	image->header_version = version_of(data);
	image->kernel_size = image_u32(data + OFF_KERNEL);
	if (!(image->header_version < 3 ? parse_old : parse_new)(data, image,
								 &l, error))
		return false;
	if (!check_part("kernel", l.kernel, image->kernel_size, len, error) ||
	    !check_part("ramdisk", l.ramdisk, image->ramdisk_size, len, error))
		return false;
	return look_inside(data + l.kernel, image, error);
}

struct ab_bootimg *ab_bootimg_parse(const guint8 *data, size_t len,
				    GError **error)
{
	struct ab_bootimg *image = g_new0(struct ab_bootimg, 1);

	if (parse(data, len, image, error))
		return image;
	ab_bootimg_free(image);
	return NULL;
}

struct ab_bootimg *ab_bootimg_load(const char *path, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &why);
	struct ab_bootimg *image;

	if (!file) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot read the image: %s", path,
			    why->message);
		return NULL;
	}
	if (g_mapped_file_get_length(file) > MAX_IMAGE) {
		fail(error, "%s: the image is larger than 512 MiB", path);
		return NULL;
	}
	image = ab_bootimg_parse(
		(const guint8 *)g_mapped_file_get_contents(file),
		g_mapped_file_get_length(file), error);
	if (!image)
		g_prefix_error(error, "%s: ", path);
	return image;
}

void ab_bootimg_free(struct ab_bootimg *image)
{
	if (!image)
		return;
	g_free(image->cmdline);
	g_free(image->banner);
	g_free(image->release);
	g_free(image->config_sha256);
	g_free(image->config);
	g_free(image);
}
