// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * clang -fsanitize=fuzzer,address,undefined: any bytes as a boot image, and as
 * the kernel inside one.
 */
#include <abrig/kernel.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

static void as_kernel(const guint8 *data, size_t size)
{
	size_t len = 4096 + size;
	g_autofree guint8 *image = g_malloc0(len);

	memcpy(image, "ANDROID!", 8);
	for (int i = 0; i < 4; i++)
		image[8 + i] = (guint8)(size >> (8 * i));
	image[20] = 0x30;
	image[21] = 0x06;
	image[40] = 4;
	memcpy(image + 4096, data, size);
	ab_bootimg_free(ab_bootimg_parse(image, len, NULL));
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	ab_bootimg_free(ab_bootimg_parse(data, size, NULL));
	if (size)
		as_kernel(data, size);
	return 0;
}
