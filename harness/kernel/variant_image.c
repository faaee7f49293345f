// SPDX-License-Identifier: GPL-3.0-or-later
/* Which partitions may be written, and what their images begin with. */
#include <abrig/error.h>

#include <stdio.h>
#include <string.h>

#include "variant.h"

const char *const ab_partition_allowlist[] = {
	"boot", "init_boot", "vendor_boot", "vendor_kernel_boot",
	"dtbo", "vbmeta",    "system_dlkm", "vendor_dlkm",
	NULL,
};

static const struct magic {
	const char *partition, *bytes;
	bool boot_image, kernel; /* header of boot.img; with a kernel */
} magics[] = {
	{ "boot", "ANDROID!", true, true },
	{ "init_boot", "ANDROID!", true, false },
	{ "vendor_boot", "VNDRBOOT", false, false },
	{ "vendor_kernel_boot", "VNDRBOOT", false, false },
	{ "dtbo", "\xd7\xb7\xab\x1e", false, false },
	{ "vbmeta", "AVB0", false, false },
};

static const struct magic *find_magic(const char *partition)
{
	for (size_t i = 0; i < G_N_ELEMENTS(magics); i++)
		if (g_str_equal(magics[i].partition, partition))
			return &magics[i];
	return NULL;
}

bool variant_holds_kernel(const char *partition)
{
	const struct magic *magic = find_magic(partition);

	return magic && magic->kernel;
}

static bool begins_with(const char *path, const char *bytes, GError **error)
{
	char head[8] = "";
	FILE *f = fopen(path, "rbe");
	size_t n;

	if (!f) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot read the image: %m", path);
		return false;
	}
	n = fread(head, 1, sizeof(head), f);
	fclose(f);
	return n >= strlen(bytes) && !memcmp(head, bytes, strlen(bytes));
}

struct ab_bootimg *variant_check_image(const char *partition, const char *path,
				       GError **error)
{
	const struct magic *magic = find_magic(partition);
	GError *why = NULL;
	ab_autoptr(ab_bootimg) image = NULL;

	if (!magic || !begins_with(path, magic->bytes, &why)) {
		if (why)
			g_propagate_error(error, why);
		else
			g_set_error(error, AB_ERROR, AB_ERROR_DATA,
				    "%s: it does not begin like an image for "
				    "%s; is it the right file?",
				    path, partition);
		return NULL;
	}
	if (!magic->boot_image)
		return NULL;
	image = ab_bootimg_load(path, error);
	if (!image || (image->kernel_size > 0) == magic->kernel)
		return g_steal_pointer(&image);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    magic->kernel ? "%s: it holds no kernel; %s needs one"
				  : "%s: it holds a kernel; an image for %s "
				    "has none",
		    path, partition);
	return NULL;
}
