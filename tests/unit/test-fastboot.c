// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The fastboot calls against a program that prints what a test wants: for what
 * needs USB, or a client older than the one that is installed.
 */
#include <abrig/error.h>
#include <abrig/fastboot.h>

#include <glib/gstdio.h>
#include <string.h>

#define DONE "echo 'Finished. Total time: 0.001s' >&2\n"

struct box {
	char *dir, *program, *old_path;
	struct ab_wait w;
	GError *error;
};

/* A directory that comes first in PATH, with a fastboot that runs @script. */
static void box_open(struct box *b, const char *script, gint64 limit_ms)
{
	g_autofree char *path = NULL;
	g_autofree char *text = g_strconcat("#!/bin/sh\n", script, NULL);

	b->dir = g_dir_make_tmp("abrig-test.XXXXXX", NULL);
	b->program = g_build_filename(b->dir, "fastboot", NULL);
	b->old_path = g_strdup(g_getenv("PATH"));
	b->error = NULL;
	path = g_strdup_printf("%s:%s", b->dir, b->old_path);
	if (script) {
		g_assert_true(g_file_set_contents(b->program, text, -1, NULL));
		g_assert_cmpint(g_chmod(b->program, 0700), ==, 0);
	} else {
		g_free(path);
		path = g_strdup(b->dir);
	}
	g_setenv("PATH", path, TRUE);
	b->w = (struct ab_wait){
		.deadline = g_get_monotonic_time() + limit_ms * 1000,
	};
}

static void box_close(struct box *b)
{
	g_setenv("PATH", b->old_path, TRUE);
	g_unlink(b->program);
	g_assert_cmpint(g_rmdir(b->dir), ==, 0);
	g_free(b->dir);
	g_free(b->program);
	g_free(b->old_path);
	g_clear_error(&b->error);
}

static void check_error(struct box *b, int code, const char *part)
{
	g_assert_error(b->error, AB_ERROR, code);
	if (!strstr(b->error->message, part))
		g_test_fail_printf("'%s' lacks '%s'", b->error->message, part);
	g_clear_error(&b->error);
}

static void test_getvar(void)
{
	struct box b;
	char *value;

	box_open(&b, "echo \"$4: [$1|$2|$3|$4|$5]\" >&2\n" DONE, 10000);
	value = ab_fastboot_getvar(&b.w, "S 1; $x", "product", &b.error);
	g_assert_cmpstr(value, ==, "[-s|S 1; $x|getvar|product|]");
	g_free(value);
	box_close(&b);
}

static void test_getvar_fails(void)
{
	struct box b;

	box_open(&b, "echo 'getvar:x FAILED (remote: no)' >&2\n" DONE, 10000);
	g_assert_null(ab_fastboot_getvar(&b.w, "S", "x", &b.error));
	check_error(&b, AB_ERROR_REMOTE, "no");
	box_close(&b);
	box_open(&b, DONE, 10000);
	g_assert_null(ab_fastboot_getvar(&b.w, "S", "x", &b.error));
	check_error(&b, AB_ERROR_OFFLINE, "no result");
	box_close(&b);
	box_open(&b,
		 "echo 'FAILED (Status read failed (No such device))' >&2\n"
		 "exit 1\n",
		 10000);
	g_assert_null(ab_fastboot_getvar(&b.w, "S", "x", &b.error));
	check_error(&b, AB_ERROR_OFFLINE, "No such device");
	box_close(&b);
}

static void test_not_installed(void)
{
	struct box b;

	box_open(&b, NULL, 10000);
	g_assert_null(ab_fastboot_getvar(&b.w, "S", "x", &b.error));
	check_error(&b, AB_ERROR_ENV, "apt install fastboot");
	g_assert_false(ab_fastboot_wait(&b.w, "tcp:127.0.0.1:1", &b.error));
	check_error(&b, AB_ERROR_ENV, "apt install fastboot");
	g_assert_false(ab_fastboot_wait(&b.w, "S", &b.error));
	check_error(&b, AB_ERROR_ENV, "apt install fastboot");
	box_close(&b);
}

static void test_hangs(void)
{
	static const struct {
		const char *script, *part;
	} cases[] = {
		{ "echo '< waiting for S >' >&2; exec sleep 60\n",
		  "nobody answers" },
		{ "exec sleep 60\n", "never answered" },
		{ "while :; do :; done\n", "closed the connection" },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct box b;

		box_open(&b, cases[i].script, 700);
		g_assert_false(ab_fastboot_reboot(&b.w, "S", "", &b.error));
		check_error(&b, AB_ERROR_TIMEOUT, cases[i].part);
		box_close(&b);
	}
}

static gpointer trigger_later(gpointer intr)
{
	g_usleep(200000);
	ab_intr_trigger(intr);
	return NULL;
}

static void test_interrupted(void)
{
	struct ab_intr *intr = ab_intr_new();
	gint64 begin = g_get_monotonic_time();
	GThread *t;
	struct box b;

	box_open(&b, "echo '< waiting for S >' >&2; exec sleep 60\n", 60000);
	b.w.intr = intr;
	t = g_thread_new("trigger", trigger_later, intr);
	g_assert_false(ab_fastboot_wait(&b.w, "tcp:127.0.0.1:1", &b.error));
	check_error(&b, AB_ERROR_INTERRUPTED, "tcp:127.0.0.1:1");
	g_assert_cmpint(g_get_monotonic_time() - begin, <, 1200000);
	g_thread_join(t);
	box_close(&b);
	ab_intr_free(intr);
}

/* USB: asked for with `fastboot devices`, which does not wait. */
static void test_wait_usb(void)
{
	static const char there[] =
		"[ \"$1\" = devices ] && { printf 'S10\\tfastboot\\n"
		"S1\\tfastbootd\\n'; exit 0; }\n"
		"echo 'product: x' >&2\n" DONE;
	static const char other[] =
		"[ \"$1\" = devices ] && { printf 'S10\\tfastboot\\n'; "
		"exit 0; }\nexit 1\n";
	static const char refused[] =
		"printf 'no permissions; see [http://x]\\tfastboot\\n'\n";
	struct box b;

	box_open(&b, there, 10000);
	ab_fastboot_wait(&b.w, "S1", &b.error);
	g_assert_no_error(b.error);
	box_close(&b);
	box_open(&b, other, 900);
	g_assert_false(ab_fastboot_wait(&b.w, "S1", &b.error));
	check_error(&b, AB_ERROR_TIMEOUT, "not listed");
	box_close(&b);
	box_open(&b, refused, 900);
	g_assert_false(ab_fastboot_wait(&b.w, "S1", &b.error));
	check_error(&b, AB_ERROR_ENV, "udev");
	box_close(&b);
}

static void test_slots(void)
{
	static const char liar[] =
		"case $3 in set_active) echo \"Setting current slot to '$4' "
		"OKAY\" >&2 ;; *) echo 'current-slot: _a' >&2 ;; esac\n" DONE;
	static const char none[] = "echo 'current-slot: ' >&2\n" DONE;
	struct box b;
	char *slot;

	box_open(&b, liar, 10000);
	slot = ab_fastboot_current_slot(&b.w, "S", &b.error);
	g_assert_cmpstr(slot, ==, "a");
	g_free(slot);
	g_assert_true(ab_fastboot_set_active(&b.w, "S", "a", &b.error));
	g_assert_false(ab_fastboot_set_active(&b.w, "S", "b", &b.error));
	check_error(&b, AB_ERROR_REMOTE, "still 'a'");
	box_close(&b);
	box_open(&b, none, 10000);
	g_assert_null(ab_fastboot_current_slot(&b.w, "S", &b.error));
	check_error(&b, AB_ERROR_REMOTE, "A/B");
	box_close(&b);
}

static void test_userspace(void)
{
	struct box b;
	bool yes = false;

	box_open(&b, "echo 'is-userspace: yes' >&2\n" DONE, 10000);
	g_assert_true(ab_fastboot_is_userspace(&b.w, "S", &yes, &b.error));
	g_assert_true(yes);
	box_close(&b);
	/* A bootloader that does not know the variable is no fastbootd. */
	box_open(&b, "echo 'FAILED (remote: unknown variable)' >&2\n" DONE,
		 10000);
	g_assert_true(ab_fastboot_is_userspace(&b.w, "S", &yes, &b.error));
	g_assert_false(yes);
	box_close(&b);
}

static void test_flash(void)
{
	static const char script[] =
		"[ \"$*\" = \"-s S flash boot_a $0\" ] && {\n" DONE
		"exit 0; }\necho \"FAILED (remote: '$*')\" >&2; exit 1\n";
	struct box b;

	box_open(&b, script, 10000);
	g_assert_true(
		ab_fastboot_flash(&b.w, "S", "boot_a", b.program, &b.error));
	g_assert_false(
		ab_fastboot_flash(&b.w, "S", "boot_b", b.program, &b.error));
	check_error(&b, AB_ERROR_REMOTE, "flash boot_b");
	g_assert_false(ab_fastboot_boot(&b.w, "S", "/absent.img", &b.error));
	check_error(&b, AB_ERROR_ENV, "/absent.img");
	box_close(&b);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fastboot/getvar", test_getvar);
	g_test_add_func("/fastboot/getvar/fails", test_getvar_fails);
	g_test_add_func("/fastboot/not-installed", test_not_installed);
	g_test_add_func("/fastboot/hangs", test_hangs);
	g_test_add_func("/fastboot/interrupted", test_interrupted);
	g_test_add_func("/fastboot/wait/usb", test_wait_usb);
	g_test_add_func("/fastboot/slots", test_slots);
	g_test_add_func("/fastboot/userspace", test_userspace);
	g_test_add_func("/fastboot/flash", test_flash);
	return g_test_run();
}
