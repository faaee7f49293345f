// SPDX-License-Identifier: GPL-3.0-or-later
/* Boot images built here, by offset, from the format's description. */
#include <abrig/error.h>
#include <abrig/kernel.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#define BANNER                                                            \
	"Linux version 6.12.0-ab-highpri (build@host) (clang 18) #2 SMP " \
	"PREEMPT Mon Jan 5 10:00:00 UTC 2026"
#define OTHER "Linux version 6.12.0-ab-other (build@host) (clang 18) #1 SMP"
#define CONFIG "CONFIG_SMP=y\nCONFIG_WQ_HIGHPRI=y\n"

static void put_u32(GByteArray *a, size_t at, guint32 value)
{
	for (int i = 0; i < 4; i++)
		a->data[at + (size_t)i] = (guint8)(value >> (8 * i));
}

static void put_text(GByteArray *a, size_t at, const char *text)
{
	memcpy(a->data + at, text, strlen(text));
}

static void append(GByteArray *a, const void *data, size_t len)
{
	g_byte_array_append(a, data, (guint)len);
}

static void append_text(GByteArray *a, const char *text)
{
	append(a, text, strlen(text));
}

static void pad(GByteArray *a, guint page)
{
	guint before = a->len;

	g_byte_array_set_size(a, (a->len + page - 1) / page * page);
	memset(a->data + before, 0, a->len - before);
}

static GByteArray *zeros(guint size)
{
	GByteArray *a = g_byte_array_sized_new(size);

	g_byte_array_set_size(a, size);
	if (size)
		memset(a->data, 0, size);
	return a;
}

static GByteArray *gzip(const void *data, size_t len)
{
	GByteArray *out = zeros((guint)len + 1024);
	z_stream z = { .next_in = (Bytef *)data,
		       .avail_in = (uInt)len,
		       .next_out = out->data,
		       .avail_out = out->len };

	g_assert_cmpint(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8,
				     Z_DEFAULT_STRATEGY),
			==, Z_OK);
	g_assert_cmpint(deflate(&z, Z_FINISH), ==, Z_STREAM_END);
	g_byte_array_set_size(out, (guint)z.total_out);
	deflateEnd(&z);
	return out;
}

/* A raw arm64 Image with its banner, format strings beside it. */
static GByteArray *kernel(const char *banner, const char *second,
			  const char *config)
{
	GByteArray *k = zeros(4096);

	put_text(k, 0, "MZ");
	put_text(k, 56, "ARM\x64");
	append_text(k, "%s version %s (build@host)");
	append(k, "", 1);
	append_text(k, "Linux version %s");
	append(k, "", 1);
	append_text(k, banner);
	append(k, "\n", 2);
	append_text(k, second);
	append(k, "\n", 2);
	if (config) {
		g_autoptr(GByteArray) gz = gzip(config, strlen(config));

		append_text(k, "IKCFG_ST");
		append(k, gz->data, gz->len);
		append_text(k, "IKCFG_ED");
	}
	pad(k, 512);
	return k;
}

/* The caller keeps @k. */
static GByteArray *image_v4(const GByteArray *k)
{
	GByteArray *a = zeros(4096);

	put_text(a, 0, "ANDROID!");
	put_u32(a, 8, k->len);
	put_u32(a, 12, 5);
	put_u32(a, 20, 1584);
	put_u32(a, 40, 4);
	put_text(a, 44, "console=ttyS0 abrig=1");
	append(a, k->data, k->len);
	pad(a, 4096);
	append_text(a, "cpio!");
	pad(a, 4096);
	return a;
}

static GByteArray *image_old(const GByteArray *k, guint32 version, guint32 page)
{
	GByteArray *a = zeros(page);

	put_text(a, 0, "ANDROID!");
	put_u32(a, 8, k->len);
	put_u32(a, 36, page);
	put_u32(a, 40, version);
	memset(a->data + 64, 'x', 511);
	put_text(a, 608, " tail=1");
	append(a, k->data, k->len);
	pad(a, page);
	return a;
}

static struct ab_bootimg *parse(const GByteArray *a)
{
	g_autoptr(GError) error = NULL;
	struct ab_bootimg *image = ab_bootimg_parse(a->data, a->len, &error);

	g_assert_no_error(error);
	g_assert_nonnull(image);
	return image;
}

static void refuse(const GByteArray *a, const char *text)
{
	g_autoptr(GError) error = NULL;
	/* Exactly as large as it says, for the sanitizer. */
	g_autofree guint8 *data = g_memdup2(a->data, a->len);

	g_assert_null(ab_bootimg_parse(data, a->len, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	if (!strstr(error->message, text))
		g_error("'%s' does not say '%s'", error->message, text);
}

/* ---- versions ---- */

static void check_kernel(const struct ab_bootimg *image)
{
	g_autofree char *sha =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, CONFIG, -1);

	g_assert_cmpstr(image->banner, ==, BANNER);
	g_assert_cmpstr(image->release, ==, "6.12.0-ab-highpri");
	g_assert_cmpstr(image->config, ==, CONFIG);
	g_assert_cmpstr(image->config_sha256, ==, sha);
}

static void test_v4(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, BANNER, CONFIG);
	g_autoptr(GByteArray) a = image_v4(k);
	ab_autoptr(ab_bootimg) image = parse(a);

	check_kernel(image);
	g_assert_cmpint(image->header_version, ==, 4);
	g_assert_cmpuint(image->kernel_size, ==, k->len);
	g_assert_cmpuint(image->ramdisk_size, ==, 5);
	g_assert_cmpstr(image->cmdline, ==, "console=ttyS0 abrig=1");
}

static void test_v3(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);
	g_autoptr(GByteArray) a = image_v4(k);
	ab_autoptr(ab_bootimg) image = NULL;

	put_u32(a, 40, 3);
	refuse(a, "header says 1584");
	put_u32(a, 20, 1580);
	image = parse(a);
	check_kernel(image);
	g_assert_cmpint(image->header_version, ==, 3);
}

static void test_old(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);

	for (guint32 version = 0; version <= 2; version++) {
		g_autoptr(GByteArray) a = image_old(k, version, 2048);
		ab_autoptr(ab_bootimg) image = parse(a);

		check_kernel(image);
		g_assert_cmpint(image->header_version, ==, (int)version);
		g_assert_cmpuint(strlen(image->cmdline), ==, 511 + 7);
		g_assert_true(g_str_has_suffix(image->cmdline, "x tail=1"));
	}
}

/* Where the version stands, old vendor images had a size. */
static void test_v0_with_dt(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", NULL);
	g_autoptr(GByteArray) a = image_old(k, 123456, 4096);
	ab_autoptr(ab_bootimg) image = parse(a);

	g_assert_cmpint(image->header_version, ==, 0);
	g_assert_null(image->config);
}

static void test_init_boot(void)
{
	g_autoptr(GByteArray) k = zeros(0);
	g_autoptr(GByteArray) a = image_v4(k);
	ab_autoptr(ab_bootimg) image = parse(a);

	g_assert_null(image->banner);
	g_assert_cmpuint(image->kernel_size, ==, 0);
}

/* ---- forms of the kernel ---- */

static void test_gzip(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);
	g_autoptr(GByteArray) gz = gzip(k->data, k->len);
	g_autoptr(GByteArray) a = NULL;
	ab_autoptr(ab_bootimg) image = NULL;

	append_text(gz, "\xd0\x0d\xfe\xed appended device tree");
	a = image_v4(gz);
	image = parse(a);
	check_kernel(image);
}

/* One lz4 block of literals only, a match that overlaps itself, literals. */
static void append_lz4(GByteArray *out, const GByteArray *k)
{
	g_autoptr(GByteArray) block = zeros(0);
	guint left;

	/* 1 literal, then a match of 4 + 15 + 41 at distance 1 */
	append(block, "\x1f", 1);
	append(block, k->data, 1);
	append(block, "\x01\x00\x29", 3);
	left = k->len - 61;
	append(block, "\xf0", 1);
	for (left -= 15; left >= 255; left -= 255)
		append(block, "\xff", 1);
	g_byte_array_append(block, (guint8[]){ (guint8)left }, 1);
	append(block, k->data + 61, k->len - 61);
	g_byte_array_set_size(out, out->len + 4);
	put_u32(out, out->len - 4, block->len);
	append(out, block->data, block->len);
}

static GByteArray *lz4_kernel(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);
	GByteArray *out = zeros(0);

	memset(k->data, 'A', 61);
	memcpy(k->data + 56, "AAAAA", 5);
	append(out, "\x02\x21\x4c\x18", 4);
	append_lz4(out, k);
	return out;
}

static void test_lz4(void)
{
	g_autoptr(GByteArray) lz4 = lz4_kernel();
	g_autoptr(GByteArray) a = image_v4(lz4);
	ab_autoptr(ab_bootimg) image = parse(a);

	check_kernel(image);
}

/* Cut anywhere, with any byte changed: an error or an image, no more. */
static void test_lz4_damaged(void)
{
	g_autoptr(GByteArray) lz4 = lz4_kernel();

	for (guint i = 0; i < lz4->len; i += 7) {
		g_autoptr(GByteArray) bad = zeros(0);
		g_autoptr(GByteArray) a = NULL;

		append(bad, lz4->data, lz4->len);
		bad->data[i] ^= 0x5a;
		a = image_v4(bad);
		ab_bootimg_free(ab_bootimg_parse(a->data, a->len, NULL));
		g_byte_array_set_size(bad, i);
		g_byte_array_unref(a);
		a = image_v4(bad);
		ab_bootimg_free(ab_bootimg_parse(a->data, a->len, NULL));
	}
}

static void test_lz4_program(void)
{
	g_autofree char *program = g_find_program_in_path("lz4");
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);
	g_autoptr(GSubprocess) p = NULL;
	g_autoptr(GBytes) in = NULL, out = NULL;
	g_autoptr(GByteArray) a = NULL;
	ab_autoptr(ab_bootimg) image = NULL;

	if (!program) {
		g_test_skip("there is no lz4 program");
		return;
	}
	/* Larger than one block. */
	g_byte_array_set_size(k, 9u << 20);
	for (guint i = 8192; i < k->len; i++)
		k->data[i] = (guint8)(i * 2654435761u >> 27);
	in = g_bytes_new(k->data, k->len);
	p = g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE |
				     G_SUBPROCESS_FLAGS_STDOUT_PIPE,
			     NULL, program, "-l", "-c", "-9", NULL);
	g_assert_true(g_subprocess_communicate(p, in, NULL, &out, NULL, NULL));
	g_byte_array_set_size(k, 0);
	append(k, g_bytes_get_data(out, NULL), g_bytes_get_size(out));
	a = image_v4(k);
	image = parse(a);
	check_kernel(image);
}

static void test_forms(void)
{
	static const struct {
		const char *magic, *says;
	} cases[] = {
		{ "\xfd\x37\x7a\x58\x5a", "compressed with xz" },
		{ "\x28\xb5\x2f\xfd", "compressed with zstd" },
		{ "\x04\x22\x4d\x18", "lz4 frame" },
		{ "hello", "neither an arm64 Image" },
		{ "\x1f\x8b\x08", "gzip data is damaged" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GByteArray) k = zeros(100);
		g_autoptr(GByteArray) a = NULL;

		put_text(k, 0, cases[i].magic);
		a = image_v4(k);
		refuse(a, cases[i].says);
	}
}

/* More zeros than a kernel may have, without holding them here. */
static GByteArray *gzip_zeros(unsigned int mib)
{
	g_autoptr(GByteArray) chunk = zeros(1u << 20);
	GByteArray *out = zeros(4u << 20);
	z_stream z = { .next_out = out->data, .avail_out = out->len };

	g_assert_cmpint(deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8,
				     Z_DEFAULT_STRATEGY),
			==, Z_OK);
	for (unsigned int i = 0; i <= mib; i++) {
		z.next_in = chunk->data;
		z.avail_in = chunk->len;
		deflate(&z, i < mib ? Z_NO_FLUSH : Z_FINISH);
	}
	g_byte_array_set_size(out, (guint)z.total_out);
	deflateEnd(&z);
	return out;
}

static void test_gzip_bomb(void)
{
	g_autoptr(GByteArray) gz = gzip_zeros(130);
	g_autoptr(GByteArray) a = image_v4(gz);

	refuse(a, "expands to more than");
}

/* ---- banner and configuration ---- */

static void test_banners(void)
{
	g_autoptr(GByteArray) two = kernel(BANNER, OTHER, NULL);
	g_autoptr(GByteArray) none = kernel("Linux", "", NULL);
	g_autoptr(GByteArray) a = image_v4(two), b = image_v4(none);

	refuse(a, "two different banners");
	refuse(b, "no banner");
}

static void test_config_damaged(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);
	guint8 *end = memmem(k->data, k->len, "IKCFG_ED", 8);
	g_autoptr(GByteArray) a = NULL, b = NULL;

	g_assert_nonnull(end);
	end[7] = 'X';
	a = image_v4(k);
	refuse(a, "does not end where");
	end[-12] ^= 0xff;
	b = image_v4(k);
	refuse(b, "configuration in its kernel");
}

/* ---- hostile sizes ---- */

static void test_sizes(void)
{
	static const struct {
		size_t offset;
		guint32 value;
		const char *says;
	} cases[] = {
		{ 0, 0, "no boot image" },
		{ 8, 0xffffffff, "its kernel should be" },
		{ 8, 0xfffff001, "its kernel should be" },
		{ 12, 0xffffffff, "its ramdisk should be" },
		{ 20, 0xffffffff, "its header says" },
	};
	g_autoptr(GByteArray) k = kernel(BANNER, "", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GByteArray) a = image_v4(k);

		put_u32(a, cases[i].offset, cases[i].value);
		refuse(a, cases[i].says);
	}
}

static void test_page_size(void)
{
	static const guint32 pages[] = { 0, 1, 2049, 1u << 31, 0xffffffff };
	g_autoptr(GByteArray) k = kernel(BANNER, "", NULL);
	g_autoptr(GByteArray) a = image_old(k, 2, 2048);

	for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
		put_u32(a, 36, pages[i]);
		refuse(a, "page size");
	}
	/* Valid, but the kernel then lies behind the end. */
	put_u32(a, 36, 16384);
	refuse(a, "cut off");
}

static void test_cut(void)
{
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);

	for (guint len = 0; len < 9000; len += 97) {
		g_autoptr(GByteArray) a = image_v4(k);

		g_byte_array_set_size(a, len);
		refuse(a, "");
	}
}

static void test_load(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = g_dir_make_tmp("abrig-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "boot.img", NULL);

	g_assert_null(ab_bootimg_load(path, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(error->message, path));
	g_clear_error(&error);
	/* Empty files cannot be mapped everywhere. */
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	g_assert_null(ab_bootimg_load(path, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	g_assert_nonnull(strstr(error->message, path));
	g_unlink(path);
	g_rmdir(dir);
}

/* Debian's mkbootimg, where it is installed. */
static void test_mkbootimg(void)
{
	g_autofree char *program = g_find_program_in_path("mkbootimg");
	g_autofree char *dir = NULL, *in = NULL, *out = NULL;
	g_autoptr(GByteArray) k = kernel(BANNER, "", CONFIG);

	if (!program) {
		g_test_skip("there is no mkbootimg program");
		return;
	}
	dir = g_dir_make_tmp("abrig-test-XXXXXX", NULL);
	in = g_build_filename(dir, "Image", NULL);
	out = g_build_filename(dir, "boot.img", NULL);
	g_assert_true(
		g_file_set_contents(in, (const char *)k->data, k->len, NULL));
	for (int version = 0; version <= 3; version++) {
		g_autofree char *number = g_strdup_printf("%d", version);
		const char *argv[] = { program,	    "--header_version",
				       number,	    "--kernel",
				       in,	    "--ramdisk",
				       in,	    "--dtb",
				       in,	    "--cmdline",
				       "console=x", "--output",
				       out,	    NULL };
		ab_autoptr(ab_bootimg) image = NULL;
		int status = -1;

		g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL,
					   NULL, NULL, NULL, &status, NULL));
		g_assert_cmpint(status, ==, 0);
		image = ab_bootimg_load(out, NULL);
		g_assert_nonnull(image);
		check_kernel(image);
		g_assert_cmpint(image->header_version, ==, version);
		g_assert_cmpstr(image->cmdline, ==, "console=x");
	}
	g_unlink(in);
	g_unlink(out);
	g_rmdir(dir);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/bootimg/v4", test_v4);
	g_test_add_func("/bootimg/v3", test_v3);
	g_test_add_func("/bootimg/v0-v2", test_old);
	g_test_add_func("/bootimg/v0-with-dt", test_v0_with_dt);
	g_test_add_func("/bootimg/init-boot", test_init_boot);
	g_test_add_func("/bootimg/gzip", test_gzip);
	g_test_add_func("/bootimg/lz4", test_lz4);
	g_test_add_func("/bootimg/lz4-damaged", test_lz4_damaged);
	g_test_add_func("/bootimg/lz4-program", test_lz4_program);
	g_test_add_func("/bootimg/forms", test_forms);
	g_test_add_func("/bootimg/gzip-bomb", test_gzip_bomb);
	g_test_add_func("/bootimg/banners", test_banners);
	g_test_add_func("/bootimg/config-damaged", test_config_damaged);
	g_test_add_func("/bootimg/sizes", test_sizes);
	g_test_add_func("/bootimg/page-size", test_page_size);
	g_test_add_func("/bootimg/cut", test_cut);
	g_test_add_func("/bootimg/load", test_load);
	g_test_add_func("/bootimg/mkbootimg", test_mkbootimg);
	return g_test_run();
}
