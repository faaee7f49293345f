// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

#include <abrig/fastboot.h>

#include <string.h>

#define DONE "Finished. Total time: 0.001s\n"

static void test_value(void)
{
	static const struct {
		const char *err, *name, *value;
	} cases[] = {
		{ "product: cheetah\n" DONE, "product", "cheetah" },
		{ "product:cheetah\r\n" DONE, "product", "cheetah" },
		{ "battery-voltage: 4055 mV\n" DONE, "battery-voltage",
		  "4055 mV" },
		{ "has-slot:boot: yes\n" DONE, "has-slot:boot", "yes" },
		{ "current-slot: _a\n" DONE, "current-slot", "_a" },
		{ "version-bootloader: \n" DONE, "version-bootloader", "" },
		{ "variant: N/A\nfinished. total time: 0.001s\n", "variant",
		  "N/A" },
		{ "(bootloader) slot-count: 2\n" DONE, "slot-count", "2" },
		{ "< waiting for any device >\nproduct: x\n" DONE, "product",
		  "x" },
		{ "date: a:b:c\n" DONE, "date", "a:b:c" },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		ab_autoptr(ab_fastboot_reply) r =
			ab_fastboot_parse(cases[i].err, 0, cases[i].name);

		g_assert_true(r->ok);
		g_assert_cmpstr(r->value, ==, cases[i].value);
		g_assert_null(r->failed);
		g_assert_null(r->vars);
	}
}

static void check_failed(const char *err, int status, const char *name,
			 const char *failed, bool remote)
{
	ab_autoptr(ab_fastboot_reply) r = ab_fastboot_parse(err, status, name);

	g_assert_false(r->ok);
	g_assert_cmpstr(r->failed, ==, failed);
	g_assert_cmpint(r->remote, ==, remote);
	g_assert_null(r->value);
}

static void test_failure(void)
{
	/* A refused getvar: the exit status is 0. */
	check_failed("getvar:nosuch         FAILED (remote: 'Unknown "
		     "variable')\n" DONE,
		     0, "nosuch", "Unknown variable", true);
	check_failed("Sending 'boot_a' (8192 KB)    OKAY [  0.1s]\n"
		     "Writing 'boot_a'              FAILED (remote: 'no "
		     "(really) not')\nfastboot: error: Command failed\n",
		     1, NULL, "no (really) not", true);
	check_failed("FAILED (remote: partition unknown)\n", 1, NULL,
		     "partition unknown", true);
	check_failed("FAILED (remote: '')\n", 1, NULL, "", true);
	check_failed("FAILED (Write to device failed (no link))\n", 1, NULL,
		     "Write to device failed (no link)", false);
	check_failed("FAILED (Status read failed (No such device))\n", 1, NULL,
		     "Status read failed (No such device)", false);
	check_failed("fastboot: error: cannot load 'x'\n", 1, NULL,
		     "cannot load 'x'", false);
	check_failed("FAILED (\n", 1, NULL, "", false);
	/* Not finished; finished but for the exit status; nothing at all. */
	check_failed("Sending 'boot_a' (8192 KB)    OKAY [  0.1s]\n", 0, NULL,
		     NULL, false);
	check_failed(DONE, 1, NULL, NULL, false);
	check_failed("", 0, NULL, NULL, false);
}

static const char *var(const struct ab_fastboot_reply *r, const char *key)
{
	return g_hash_table_lookup(r->vars, key);
}

static void test_all_variants(void)
{
	static const char err[] =
		"(bootloader) slot-count: 2\n"
		"(bootloader) slot-successful:_a: no\n"
		"(bootloader) slot-retry-count:b:3\r\n"
		"(bootloader) partition-size:product_b:0x0\n"
		"(bootloader) partition-size:boot_a: 1400000\n"
		"(bootloader) primary-display[0]: 1080x2400\n"
		"(bootloader) storage-power-mode:lanes=2 gear=4 mode=FAST\n"
		"(bootloader) version-bootloader:\n"
		"(bootloader) slot-suffixes:_a,_b\n"
		"(bootloader) slot-unbootable: no\n"
		"(bootloader) build: 10:22:33\n"
		"(bootloader) no colon here\n"
		"all: Done!!\n" DONE;
	ab_autoptr(ab_fastboot_reply) r = ab_fastboot_parse(err, 0, "all");

	g_assert_true(r->ok);
	g_assert_cmpstr(var(r, "slot-count"), ==, "2");
	g_assert_cmpstr(var(r, "slot-successful:a"), ==, "no");
	g_assert_cmpstr(var(r, "slot-retry-count:b"), ==, "3");
	g_assert_cmpstr(var(r, "partition-size:product_b"), ==, "0x0");
	g_assert_cmpstr(var(r, "partition-size:boot_a"), ==, "1400000");
	g_assert_cmpstr(var(r, "primary-display[0]"), ==, "1080x2400");
	g_assert_cmpstr(var(r, "storage-power-mode"), ==,
			"lanes=2 gear=4 mode=FAST");
	g_assert_cmpstr(var(r, "version-bootloader"), ==, "");
	g_assert_cmpstr(var(r, "slot-suffixes"), ==, "_a,_b");
	g_assert_cmpstr(var(r, "slot-unbootable"), ==, "no");
	g_assert_cmpstr(var(r, "build"), ==, "10:22:33");
	g_assert_cmpuint(g_hash_table_size(r->vars), ==, 11);
	g_assert_null(r->value);
}

/* An info line can come between a command's text and its OKAY. */
static void test_info(void)
{
	static const char err[] =
		"Writing 'boot_a'             (bootloader) image is signed\n"
		"(bootloader) writing boot_a\nOKAY [  0.085s]\n" DONE;
	ab_autoptr(ab_fastboot_reply) r = ab_fastboot_parse(err, 0, NULL);

	g_assert_true(r->ok);
	g_assert_cmpuint(r->info->len, ==, 2);
	g_assert_cmpstr(r->info->pdata[0], ==, "image is signed");
	g_assert_cmpstr(r->info->pdata[1], ==, "writing boot_a");
}

static void test_waiting(void)
{
	static const char *const texts[] = {
		"< waiting for any device >\n",
		"< waiting for device >\n",
		"< waiting for 2A101FDH2000XX >\n",
		"< waiting for tcp:127.0.0.1:5554 >",
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(texts); i++) {
		ab_autoptr(ab_fastboot_reply) r =
			ab_fastboot_parse(texts[i], -1, "product");

		g_assert_true(r->waiting);
		g_assert_false(r->ok);
	}
}

static void test_ceilings(void)
{
	g_autoptr(GString) err = g_string_new(NULL);
	ab_autoptr(ab_fastboot_reply) all = NULL;
	ab_autoptr(ab_fastboot_reply) other = NULL;
	g_autofree char *long_text = g_strnfill(100000, 'x');
	int i;

	g_string_append_printf(err, "(bootloader) long:%s\n", long_text);
	for (i = 0; i < 10000; i++)
		g_string_append_printf(err, "(bootloader) key%d:1\n", i);
	g_string_append(err, DONE);
	all = ab_fastboot_parse(err->str, 0, "all");
	g_assert_true(all->ok);
	g_assert_cmpuint(g_hash_table_size(all->vars), ==, 4096);
	g_assert_null(var(all, "long"));
	other = ab_fastboot_parse(err->str, 0, NULL);
	g_assert_cmpuint(other->info->len, ==, 4096);
}

static void test_pixel(void)
{
	static const struct {
		const char *key, *value;
	} want[] = {
		{ "product", "cheetah" },
		{ "current-slot", "a" },
		{ "slot-count", "2" },
		{ "slot-successful:a", "yes" },
		{ "slot-successful:b", "no" },
		{ "slot-retry-count:a", "2" },
		{ "slot-retry-count:b", "3" },
		{ "partition-size:boot_a", "0x4000000" },
		{ "partition-size:vendor_kernel_boot_a", "0x4000000" },
		{ "partition-size:dtbo_a", "0x1000000" },
		{ "partition-size:init_boot_a", "0x800000" },
		{ "unlocked", "yes" },
		{ "is-userspace", "no" },
		{ "max-download-size", "0xf900000" },
		{ "battery-soc", "68 %" },
		{ "battery-voltage", "4055 mV" },
		{ "fg-soc", "65.64 %" },
		{ "has-slot:boot", "yes" },
		{ "has-slot:userdata", "no" },
	};
	g_autofree char *text = shared_text(
		"data/fastboot/pixel7pro-cheetah-AP5A-getvar-all.stderr.txt");
	ab_autoptr(ab_fastboot_reply) r = NULL;
	size_t i;

	if (!text)
		return;
	r = ab_fastboot_parse(text, 0, "all");
	g_assert_true(r->ok);
	for (i = 0; i < G_N_ELEMENTS(want); i++)
		g_assert_cmpstr(var(r, want[i].key), ==, want[i].value);
	g_assert_cmpuint(r->info->len, ==, 0);
}

static void test_flash(void)
{
	g_autofree char *text =
		shared_text("data/fastboot/flash-boot_a.stderr.txt");
	ab_autoptr(ab_fastboot_reply) r = NULL;

	if (!text)
		return;
	r = ab_fastboot_parse(text, 0, NULL);
	g_assert_true(r->ok);
	g_assert_null(r->failed);
	g_assert_false(r->waiting);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fastboot/parse/value", test_value);
	g_test_add_func("/fastboot/parse/failure", test_failure);
	g_test_add_func("/fastboot/parse/all", test_all_variants);
	g_test_add_func("/fastboot/parse/info", test_info);
	g_test_add_func("/fastboot/parse/waiting", test_waiting);
	g_test_add_func("/fastboot/parse/ceilings", test_ceilings);
	g_test_add_func("/fastboot/parse/pixel", test_pixel);
	g_test_add_func("/fastboot/parse/flash", test_flash);
	return g_test_run();
}
