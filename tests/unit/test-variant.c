// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/kernel.h>

#include <glib/gstdio.h>
#include <string.h>

/* ---- parsing ---- */

static struct ab_variant *parse(const char *yaml, GError **error)
{
	ab_autoptr(ab_node) node = ab_yaml_parse(yaml, -1, "plan.yaml", error);

	return node ? ab_variant_parse("v", node, error) : NULL;
}

static void test_flash(void)
{
	g_autoptr(GError) error = NULL;
	struct ab_variant *v = parse("flash:\n  dtbo: d.img\n  boot: b.img\n"
				     "verify: { uname: -hi, cmdline: x=1 }\n",
				     &error);
	const struct ab_image *image;

	g_assert_no_error(error);
	g_assert_cmpstr(v->ops->name, ==, "flash");
	g_assert_cmpstr(v->slot, ==, "inactive");
	g_assert_cmpstr(v->verify_uname, ==, "-hi");
	g_assert_cmpstr(v->verify_cmdline, ==, "x=1");
	g_assert_cmpstr(v->file, ==, "plan.yaml");
	g_assert_cmpuint(v->images->len, ==, 2);
	image = v->images->pdata[1];
	g_assert_cmpstr(image->partition, ==, "boot");
	g_assert_cmpstr(image->path, ==, "b.img");
	g_assert_cmpstr(v->ops->slot(v, "a"), ==, "b");
	g_assert_cmpstr(v->ops->slot(v, "b"), ==, "a");
	g_assert_null(v->ops->slot(v, NULL));
	ab_variant_free(v);
}

static void test_active(void)
{
	g_autoptr(GError) error = NULL;
	struct ab_variant *v =
		parse("flash: { boot: b.img, slot: active }", &error);

	g_assert_no_error(error);
	g_assert_cmpstr(v->ops->slot(v, "b"), ==, "b");
	ab_variant_free(v);
}

static void test_boot(void)
{
	g_autoptr(GError) error = NULL;
	struct ab_variant *v = parse("boot: b.img", &error);

	g_assert_no_error(error);
	g_assert_cmpstr(v->ops->name, ==, "boot");
	g_assert_cmpuint(v->images->len, ==, 1);
	g_assert_cmpstr(v->ops->slot(v, "b"), ==, "b");
	ab_variant_free(v);
}

static const struct refusal {
	const char *name, *yaml, *where, *says;
} refusals[] = {
	{ "no-kind", "verify: { uname: x }", "plan.yaml:1:", "how its kernel" },
	{ "two-kinds", "flash: { boot: a }\nboot: b",
	  "plan.yaml:2:", "exclude each other" },
	{ "unknown-key", "flahs: { boot: a }", "plan.yaml:1:", "flash" },
	{ "unknown-partition", "flash:\n  boot: a\n  bootloader: b\n",
	  "plan.yaml:3:", "bootloader" },
	{ "userdata", "flash:\n  userdata: b\n", "plan.yaml:2:", "userdata" },
	{ "logical", "flash:\n  boot: a\n  vendor_dlkm: b\n",
	  "plan.yaml:3:", "fastbootd" },
	{ "no-image", "flash: { slot: active }", "plan.yaml:1:", "no image" },
	{ "slot", "flash: { boot: a, slot: c }", "plan.yaml:1:", "c" },
	{ "url", "flash: { boot: 'https://x/b.img' }", "plan.yaml:1:", "URL" },
	{ "empty-path", "flash: { boot: '' }", "plan.yaml:1:", "boot" },
	{ "boot-map", "boot: { boot: a }", "plan.yaml:1:", "path" },
	{ "verify-key", "boot: a\nverify: { unmae: x }",
	  "plan.yaml:2:", "uname" },
	{ "no-file", "no-such-variant", "plan.yaml:1:", "no-such-variant" },
	{ "list", "[a, b]", "plan.yaml:1:", "" },
};

static void test_refusal(gconstpointer data)
{
	const struct refusal *r = data;
	g_autoptr(GError) error = NULL;

	g_assert_null(parse(r->yaml, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	if (!g_str_has_prefix(error->message, r->where) ||
	    !strstr(error->message, r->says))
		g_error("'%s' is not '%s...%s'", error->message, r->where,
			r->says);
}

/* ---- a variant in a file of its own; images ---- */

struct dir {
	char *path;
};

static void dir_setup(struct dir *d, gconstpointer data)
{
	(void)data;
	d->path = g_dir_make_tmp("abrig-test-XXXXXX", NULL);
}

static void dir_teardown(struct dir *d, gconstpointer data)
{
	g_autoptr(GDir) dir = g_dir_open(d->path, 0, NULL);
	const char *name;

	(void)data;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(d->path, name, NULL);

		g_unlink(path);
	}
	g_rmdir(d->path);
	g_free(d->path);
}

static void write_file(struct dir *d, const char *name, const void *data,
		       size_t len)
{
	g_autofree char *path = g_build_filename(d->path, name, NULL);

	g_assert_true(g_file_set_contents(path, data, (gssize)len, NULL));
}

/* A v4 image with a raw kernel that says @banner; "" has no kernel. */
static void write_boot(struct dir *d, const char *name, const char *banner)
{
	guint8 image[4096 * 3] = "ANDROID!";

	image[20] = 0x30;
	image[21] = 0x06;
	image[40] = 4;
	if (*banner) {
		image[9] = 0x10;
		memcpy(image + 4096 + 56, "ARM\x64", 4);
		memcpy(image + 4096 + 100, banner, strlen(banner));
	}
	write_file(d, name, image, sizeof(image));
}

#define BANNER_A "Linux version 6.12.0-base (b@h) (clang) #1 SMP"
#define BANNER_B "Linux version 6.12.0-highpri (b@h) (clang) #2 SMP"

static void test_file(struct dir *d, gconstpointer data)
{
	static const char yaml[] = "flash: { boot: 'boot-{platform}.img' }\n";
	g_autoptr(GError) error = NULL;
	g_autofree char *plan = g_build_filename(d->path, "plan.yaml", NULL);
	ab_autoptr(ab_node) node = ab_yaml_parse("base", -1, plan, &error);
	struct ab_variant *v, *loaded;
	g_autofree char *file = NULL;

	(void)data;
	write_file(d, "base.yaml", yaml, strlen(yaml));
	write_boot(d, "boot-A.img", BANNER_A);
	v = ab_variant_parse("base", node, &error);
	g_assert_no_error(error);
	file = g_build_filename(d->path, "base.yaml", NULL);
	g_assert_cmpstr(v->file, ==, file);
	g_assert_cmpstr(v->dir, ==, d->path);
	loaded = ab_variant_load_images(v, "A", "/nonexistent", &error);
	g_assert_no_error(error);
	g_assert_cmpstr(loaded->boot->banner, ==, BANNER_A);
	g_assert_cmpstr(loaded->platform, ==, "A");
	ab_variant_free(loaded);
	g_assert_null(ab_variant_load_images(v, "B", NULL, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(error->message, "boot-B.img"));
	ab_variant_free(v);
}

static void refuse_images(struct dir *d, const char *yaml, int code,
			  const char *says)
{
	g_autoptr(GError) error = NULL;
	struct ab_variant *v = parse(yaml, &error);

	g_assert_no_error(error);
	g_assert_null(ab_variant_load_images(v, "A", d->path, &error));
	g_assert_error(error, AB_ERROR, code);
	if (!strstr(error->message, says))
		g_error("'%s' does not say '%s'", error->message, says);
	g_assert_true(g_str_has_prefix(error->message, "plan.yaml:1: variant"));
	ab_variant_free(v);
}

static void test_images(struct dir *d, gconstpointer data)
{
	(void)data;
	write_boot(d, "a.img", BANNER_A);
	write_boot(d, "none.img", "");
	write_file(d, "text.img", "hello", 5);
	refuse_images(d, "flash: { boot: text.img }", AB_ERROR_DATA,
		      "is it the right file");
	refuse_images(d, "flash: { boot: none.img }", AB_ERROR_DATA,
		      "holds no kernel");
	refuse_images(d, "boot: none.img", AB_ERROR_DATA, "holds no kernel");
	refuse_images(d, "flash: { init_boot: a.img }", AB_ERROR_DATA,
		      "holds a kernel");
	refuse_images(d, "flash: { dtbo: a.img }", AB_ERROR_DATA, "dtbo");
	refuse_images(d, "flash: { vendor_boot: a.img }", AB_ERROR_DATA,
		      "vendor_boot");
}

static void test_expectation(struct dir *d, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	struct ab_variant *v =
		parse("{ boot: a.img, verify: { uname: -highpri } }", &error);

	(void)data;
	write_boot(d, "a.img", BANNER_A);
	g_assert_null(ab_variant_load_images(v, "A", d->path, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_IDENTITY);
	g_assert_nonnull(strstr(error->message, "6.12.0-base"));
	ab_variant_free(v);
}

/* ---- telling apart ---- */

struct side {
	const char *banner, *config, *uname, *cmdline;
};

static struct ab_variant *variant_of(const struct side *s)
{
	struct ab_variant *v = parse("flash: { boot: x.img }", NULL);

	v->verify_uname = g_strdup(s->uname);
	v->verify_cmdline = g_strdup(s->cmdline);
	v->boot = g_new0(struct ab_bootimg, 1);
	v->boot->banner = g_strdup(s->banner);
	v->boot->release = s->banner ? g_strndup(s->banner + 14,
						 strcspn(s->banner + 14, " "))
				     : NULL;
	v->boot->config_sha256 = g_strdup(s->config);
	return v;
}

static void test_distinct(void)
{
	static const struct {
		struct side a, b;
		bool distinct;
	} cases[] = {
		{ { BANNER_A, NULL, NULL, NULL },
		  { BANNER_B, NULL, NULL, NULL },
		  true },
		{ { BANNER_A, NULL, NULL, NULL },
		  { BANNER_A, NULL, NULL, NULL },
		  false },
		{ { BANNER_A, "1", NULL, NULL },
		  { BANNER_A, "2", NULL, NULL },
		  true },
		{ { BANNER_A, "1", NULL, NULL },
		  { BANNER_A, NULL, NULL, NULL },
		  false },
		{ { NULL, NULL, NULL, NULL },
		  { NULL, NULL, NULL, NULL },
		  false },
		{ { NULL, NULL, "-x", NULL },
		  { NULL, NULL, "-y", NULL },
		  true },
		{ { NULL, NULL, "-x", NULL },
		  { NULL, NULL, "-xy", NULL },
		  false },
		{ { NULL, NULL, "-x", NULL },
		  { BANNER_A, NULL, NULL, NULL },
		  true },
		{ { NULL, NULL, "-base", NULL },
		  { BANNER_A, NULL, NULL, NULL },
		  false },
		{ { NULL, NULL, "-x", NULL },
		  { NULL, NULL, NULL, NULL },
		  false },
		{ { BANNER_A, NULL, NULL, "m=1" },
		  { BANNER_A, NULL, NULL, "m=2" },
		  true },
		{ { BANNER_A, NULL, NULL, "m=1" },
		  { BANNER_A, NULL, NULL, NULL },
		  false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct ab_variant *a = variant_of(&cases[i].a);
		struct ab_variant *b = variant_of(&cases[i].b);
		g_autoptr(GError) error = NULL;

		g_assert_cmpint(ab_variant_distinct(a, b, &error), ==,
				cases[i].distinct);
		g_assert_cmpint(ab_variant_distinct(b, a, NULL), ==,
				cases[i].distinct);
		if (!cases[i].distinct)
			g_assert_error(error, AB_ERROR, AB_ERROR_IDENTITY);
		ab_variant_free(a);
		ab_variant_free(b);
	}
}

/* ---- proving ---- */

static const struct proof_case {
	const char *name;
	struct side wanted;
	struct ab_identity found; /* borrowed texts */
	const char *says[3];	  /* NULL: proved */
} proofs[] = {
#define FOUND(banner_, release_, config_, slot_)                      \
	{                                                             \
		.banner = (char *)(banner_), .slot = (char *)(slot_), \
		.release = (char *)(release_),                        \
		.config_sha256 = (char *)(config_),                   \
	}
	{ "right",
	  { BANNER_B, "22222222", NULL, NULL },
	  FOUND(BANNER_B, "6.12.0-highpri", "22222222", "b"),
	  { NULL } },
	{ "no-config-on-phone",
	  { BANNER_B, "22222222", NULL, NULL },
	  FOUND(BANNER_B, "6.12.0-highpri", NULL, "b"),
	  { NULL } },
	{ "flash-ignored",
	  { BANNER_B, "22222222", NULL, NULL },
	  FOUND(BANNER_A, "6.12.0-base", "11111111", "b"),
	  { "flash of boot_b did not take effect",
	    "S1 runs the kernel of variant 'base'",
	    "found 6.12.0-base (#1 SMP), config 11111111, slot b" } },
	{ "wrong-slot",
	  { BANNER_B, "22222222", NULL, NULL },
	  FOUND(BANNER_A, "6.12.0-base", "11111111", "a"),
	  { "booted slot a instead of b", "variant 'base'",
	    "expected 6.12.0-highpri (#2 SMP), config 22222222, slot b" } },
	{ "right-kernel-wrong-slot",
	  { BANNER_B, NULL, NULL, NULL },
	  FOUND(BANNER_B, "6.12.0-highpri", NULL, "a"),
	  { "booted slot a instead of b", "slot a", "slot b" } },
	{ "stranger",
	  { BANNER_B, NULL, NULL, NULL },
	  FOUND("Linux version 5.10.1 (x) #9", "5.10.1", NULL, "b"),
	  { "the kernel of no variant", "5.10.1 (#9)", "boot_b" } },
	{ "config",
	  { BANNER_B, "22222222", NULL, NULL },
	  FOUND(BANNER_B, "6.12.0-highpri", "33333333", "b"),
	  { "config 22222222", "config 33333333", "boot_b" } },
	{ "same-description",
	  { BANNER_B, NULL, NULL, NULL },
	  FOUND("Linux version 6.12.0-highpri (other@h) (clang) #2 SMP",
		"6.12.0-highpri", NULL, "b"),
	  { "(b@h)", "(other@h)", "boot_b" } },
	{ "uname",
	  { NULL, NULL, "-highpri", NULL },
	  FOUND(BANNER_A, "6.12.0-base", NULL, "b"),
	  { "'-highpri' is not in its release", "6.12.0-base", "base" } },
	{ "cmdline-unreadable",
	  { BANNER_B, NULL, NULL, "m=1" },
	  FOUND(BANNER_B, "6.12.0-highpri", NULL, "b"),
	  { "/proc/cmdline cannot be read", "root", "highpri" } },
};

static void test_proof(gconstpointer data)
{
	static const struct side base = { BANNER_A, "11111111", NULL, NULL };
	const struct proof_case *c = data;
	struct ab_variant *wanted = variant_of(&c->wanted);
	struct ab_variant *other = variant_of(&base);
	struct ab_variant *others[] = { wanted, other, NULL };
	g_autoptr(GError) error = NULL;
	bool ok;

	g_free(wanted->name);
	wanted->name = g_strdup("highpri");
	g_free(other->name);
	other->name = g_strdup("base");
	ok = ab_kernel_prove(wanted, others, &c->found, "a", "S1", &error);
	g_assert_cmpint(ok, ==, c->says[0] == NULL);
	if (!ok)
		g_assert_error(error, AB_ERROR, AB_ERROR_IDENTITY);
	for (size_t i = 0; i < 3 && c->says[i]; i++)
		if (!strstr(error->message, c->says[i]))
			g_error("'%s' does not say '%s'", error->message,
				c->says[i]);
	ab_variant_free(wanted);
	ab_variant_free(other);
}

/* Nothing else may ever be written. */
static void test_allowlist(void)
{
	static const char *const allowed[] = {
		"boot", "init_boot", "vendor_boot", "vendor_kernel_boot",
		"dtbo", "vbmeta",    "system_dlkm", "vendor_dlkm",
		NULL,
	};

	g_assert_true(g_strv_equal(ab_partition_allowlist, allowed));
	for (size_t i = 0; ab_variant_kinds[i]; i++)
		for (const struct ab_key *key = ab_variant_kinds[i]->keys;
		     key && key->name; key++)
			g_assert_true(g_str_equal(key->name, "slot") ||
				      g_strv_contains(allowed, key->name));
}

static void add_tables(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		g_autofree char *path =
			g_strdup_printf("/variant/refuse/%s", refusals[i].name);

		g_test_add_data_func(path, &refusals[i], test_refusal);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(proofs); i++) {
		g_autofree char *path =
			g_strdup_printf("/variant/prove/%s", proofs[i].name);

		g_test_add_data_func(path, &proofs[i], test_proof);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/variant/flash", test_flash);
	g_test_add_func("/variant/active", test_active);
	g_test_add_func("/variant/boot", test_boot);
	add_tables();
	g_test_add("/variant/file", struct dir, NULL, dir_setup, test_file,
		   dir_teardown);
	g_test_add("/variant/images", struct dir, NULL, dir_setup, test_images,
		   dir_teardown);
	g_test_add("/variant/expectation", struct dir, NULL, dir_setup,
		   test_expectation, dir_teardown);
	g_test_add_func("/variant/distinct", test_distinct);
	g_test_add_func("/variant/allowlist", test_allowlist);
	return g_test_run();
}
