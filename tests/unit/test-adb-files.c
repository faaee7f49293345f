// SPDX-License-Identifier: GPL-3.0-or-later
/* Push and pull against a scripted server. */
#include "helper-fakeadb.h"

#include <abrig/error.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* STA2: a regular file 0644 of 10 bytes (mode at 24, size at 40). */
#define ZERO8 "\0\0\0\0\0\0\0\0"
#define STA2_TEN                                                \
	"STA2\0\0\0\0" ZERO8 ZERO8 "\xa4\x81\0\0\1\0\0\0" ZERO8 \
	"\x0a\0\0\0\0\0\0\0" ZERO8 ZERO8 ZERO8
#define STA2_ABSENT \
	"STA2\x02\0\0\0" ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8
/* 0x1000000000 bytes: never sent in full. */
#define STA2_HUGE                                               \
	"STA2\0\0\0\0" ZERO8 ZERO8 "\xa4\x81\0\0\1\0\0\0" ZERO8 \
	"\0\0\0\0\x10\0\0\0" ZERO8 ZERO8 ZERO8
#define STA2_DIRECTORY                                          \
	"STA2\0\0\0\0" ZERO8 ZERO8 "\xed\x41\0\0\1\0\0\0" ZERO8 \
	"\x0a\0\0\0\0\0\0\0" ZERO8 ZERO8 ZERO8
#define STAT_TEN "STAT\xa4\x81\0\0\x0a\0\0\0\0\0\0\0"
#define TEN              \
	"DATA\x0a\0\0\0" \
	"0123456789"
#define DONE "DONE\0\0\0\0"
#define ASK2 FAKE(READ, "STA2\x03\0\0\0/a/RECV\x03\0\0\0/a/")
#define ASK1 FAKE(READ, "STAT\x03\0\0\0/a/RECV\x03\0\0\0/a/")
#define PULL2 FAKE_OPEN("sync:"), ASK2

struct box {
	char *dir, *file;
	struct fake_adb *fake;
	struct ab_adb *adb;
	GError *error;
};

static void box_open(struct box *b, const fake_script *scripts, guint count)
{
	*b = (struct box){ 0 };
	b->dir = g_dir_make_tmp("abrig-test.XXXXXX", NULL);
	g_assert_nonnull(b->dir);
	b->file = g_build_filename(b->dir, "file", NULL);
	b->fake = fake_adb_start(scripts, count);
	b->adb = fake_adb_client(b->fake);
}

static guint box_entries(const struct box *b)
{
	GDir *dir = g_dir_open(b->dir, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(dir))
		n++;
	g_dir_close(dir);
	return n;
}

static void box_close(struct box *b)
{
	fake_adb_stop(b->fake);
	g_clear_error(&b->error);
	g_unlink(b->file);
	/* Fails when something was left behind. */
	g_assert_cmpint(g_rmdir(b->dir), ==, 0);
	g_free(b->dir);
	g_free(b->file);
}

static bool pull(struct box *b, gint64 limit_ms, guint64 *size_out)
{
	struct ab_wait w = fake_wait(limit_ms);

	return ab_adb_pull(b->adb, &w, FAKE_SERIAL, "/a/", b->file, size_out,
			   &b->error);
}

static void check_content(const struct box *b, const char *want)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(b->file, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, want);
}

static void test_pull(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(DRIP, STA2_TEN "DATA\x04\0\0\0"
					     "0123"
					     "DATA\x06\0\0\0"
					     "456789" DONE) },
	};
	guint64 size = 0;
	struct box b;
	GStatBuf st;

	box_open(&b, scripts, 2);
	g_assert_true(g_file_set_contents(b.file, "old", -1, NULL));
	pull(&b, 5000, &size);
	g_assert_no_error(b.error);
	g_assert_cmpuint(size, ==, 10);
	check_content(&b, "0123456789");
	g_assert_cmpint(g_stat(b.file, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
	box_close(&b);
}

static void test_pull_v1(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN("sync:"), ASK1, FAKE(SEND, STAT_TEN TEN DONE) },
	};
	struct box b;

	box_open(&b, scripts, 2);
	g_assert_true(pull(&b, 5000, NULL));
	check_content(&b, "0123456789");
	box_close(&b);
}

/* A pull that fails with @code and @part, and leaves what was there before. */
static void check_failure(const fake_script *scripts, int code,
			  const char *part)
{
	struct box b;

	box_open(&b, scripts, 2);
	g_assert_true(g_file_set_contents(b.file, "old", -1, NULL));
	g_assert_false(pull(&b, 5000, NULL));
	g_assert_error(b.error, AB_ERROR, code);
	if (!strstr(b.error->message, part) ||
	    !strstr(b.error->message, "pulling '/a/' on " FAKE_SERIAL))
		g_test_fail_printf("'%s' lacks '%s'", b.error->message, part);
	check_content(&b, "old");
	g_assert_cmpuint(box_entries(&b), ==, 1);
	box_close(&b);
}

static void test_pull_failures(void)
{
	static const fake_script fewer[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN "DATA\x04\0\0\0"
					     "0123" DONE) },
	};
	static const fake_script more[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN TEN), FAKE(FLOOD, TEN) },
	};
	static const fake_script absent[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_ABSENT), FAKE(HANG, "") },
	};
	static const fake_script absent_v1[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN("sync:"), ASK1, FAKE(SEND, "STAT" ZERO8 "\0\0\0\0"),
		  FAKE(HANG, "") },
	};
	static const fake_script directory[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_DIRECTORY), FAKE(HANG, "") },
	};
	static const fake_script refused[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN "FAIL\x06\0\0\0no way") },
	};
	static const fake_script lost[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN "DATA\x0a\0\0\0"
					     "0123") },
	};
	static const fake_script oversize[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_HUGE "DATA\x01\0\x01\0") },
	};
	static const fake_script long_fail[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN "FAIL\xff\xff\xff\x7f") },
	};
	static const fake_script odd_id[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN "DENT\0\0\0\0") },
	};
	static const fake_script odd_stat[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, "LST2" STA2_TEN) },
	};

	check_failure(fewer, AB_ERROR_PROTOCOL, "sent 4");
	check_failure(more, AB_ERROR_PROTOCOL, "or more");
	check_failure(absent, AB_ERROR_REMOTE, "No such file");
	check_failure(absent_v1, AB_ERROR_REMOTE, "No such file");
	check_failure(directory, AB_ERROR_REMOTE, "directory");
	check_failure(refused, AB_ERROR_REMOTE, "no way");
	check_failure(lost, AB_ERROR_OFFLINE, "lost");
	check_failure(oversize, AB_ERROR_PROTOCOL, "DATA");
	check_failure(long_fail, AB_ERROR_PROTOCOL, "length");
	check_failure(odd_id, AB_ERROR_PROTOCOL, "DATA");
	check_failure(odd_stat, AB_ERROR_PROTOCOL, "STA2");
}

static gpointer trigger_later(gpointer intr)
{
	g_usleep(150000);
	ab_intr_trigger(intr);
	return NULL;
}

/* From another thread, in the middle of a pull that would take for ever. */
static void test_pull_interrupted(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_HUGE), FAKE(FLOOD, TEN TEN TEN TEN) },
	};
	struct ab_intr *intr = ab_intr_new();
	struct ab_wait w = fake_wait(60000);
	gint64 begin = g_get_monotonic_time();
	struct box b;
	GThread *t;

	w.intr = intr;
	box_open(&b, scripts, 2);
	t = g_thread_new("trigger", trigger_later, intr);
	g_assert_false(ab_adb_pull(b.adb, &w, FAKE_SERIAL, "/a/", b.file, NULL,
				   &b.error));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_INTERRUPTED);
	g_assert_cmpint(g_get_monotonic_time() - begin, <, 1150000);
	g_assert_cmpuint(box_entries(&b), ==, 0);
	g_thread_join(t);
	box_close(&b);
	ab_intr_free(intr);
}

static void test_pull_silent(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN), FAKE(HANG, "") },
	};
	struct box b;

	box_open(&b, scripts, 2);
	g_assert_false(pull(&b, 300, NULL));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_TIMEOUT);
	g_assert_cmpuint(box_entries(&b), ==, 0);
	box_close(&b);
}

static void test_pull_no_directory(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ PULL2, FAKE(SEND, STA2_TEN), FAKE(HANG, "") },
	};
	struct ab_wait w = fake_wait(5000);
	g_autofree char *to = NULL;
	struct box b;

	box_open(&b, scripts, 2);
	to = g_build_filename(b.dir, "absent", "file", NULL);
	g_assert_false(
		ab_adb_pull(b.adb, &w, FAKE_SERIAL, "/a/", to, NULL, &b.error));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(b.error->message, to));
	box_close(&b);
}

#define SEND_A FAKE(READ, "SEND\x09\0\0\0/a/,33184") /* 0100640 */

static bool push(struct box *b, size_t size, gint64 limit_ms)
{
	g_autofree char *data = g_strnfill(size, 'x');
	struct ab_wait w = fake_wait(limit_ms);

	g_assert_true(g_file_set_contents(b->file, data, (gssize)size, NULL));
	return ab_adb_push(b->adb, &w, FAKE_SERIAL, b->file, "/a/", 0640,
			   &b->error);
}

static void test_push(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:"), SEND_A,
		  FAKE(READ, "DATA\x0a\0\0\0xxxxxxxxxxDONE"),
		  FAKE(SEND, "OKAY\0\0\0\0" STA2_TEN) },
	};
	struct box b;

	box_open(&b, scripts, 2);
	push(&b, 10, 5000);
	g_assert_no_error(b.error);
	box_close(&b);
}

static void check_push_failure(const fake_script *scripts, size_t size,
			       int code, const char *part)
{
	struct box b;

	box_open(&b, scripts, 2);
	g_assert_false(push(&b, size, 5000));
	g_assert_error(b.error, AB_ERROR, code);
	if (!strstr(b.error->message, part))
		g_test_fail_printf("'%s' lacks '%s'", b.error->message, part);
	box_close(&b);
}

static void test_push_failures(void)
{
	/* Refused at once: 64 MiB of the file are not sent for nothing. */
	static const fake_script early[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:"), SEND_A,
		  FAKE(SEND, "FAIL\x0b\0\0\0"
			     "no space :("),
		  FAKE(PAUSE, ""), FAKE(PAUSE, "") },
	};
	static const fake_script size[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:"), SEND_A,
		  FAKE(READ, "DATA\x05\0\0\0xxxxxDONE"),
		  FAKE(SEND, "OKAY\0\0\0\0" STA2_TEN) },
	};
	static const fake_script lost[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:"), SEND_A },
	};
	static const fake_script odd[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:"), SEND_A, FAKE(SEND, "DATA\0\0\0\0") },
	};
	check_push_failure(early, 64u << 20, AB_ERROR_REMOTE, "no space :(");
	check_push_failure(size, 5, AB_ERROR_PROTOCOL, "sizes differ");
	check_push_failure(lost, 64u << 20, AB_ERROR_OFFLINE, "lost");
	check_push_failure(odd, 64u << 20, AB_ERROR_PROTOCOL, "SEND");
}

static void test_push_local(void)
{
	static const fake_script none[] = { { FAKE(HANG, "") } };
	struct ab_wait w = fake_wait(5000);
	struct box b;

	box_open(&b, none, 0);
	g_assert_false(ab_adb_push(b.adb, &w, FAKE_SERIAL, b.file, "/a/", 0644,
				   &b.error));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_ENV);
	g_clear_error(&b.error);
	g_assert_false(ab_adb_push(b.adb, &w, FAKE_SERIAL, b.dir, "/a/", 0644,
				   &b.error));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(b.error->message, "not a regular file"));
	box_close(&b);
}

static void test_long_path(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("sync:") },
	};
	g_autofree char *path = g_strnfill(1025, 'p');
	struct ab_wait w = fake_wait(5000);
	struct box b;

	box_open(&b, scripts, 2);
	g_assert_false(ab_adb_pull(b.adb, &w, FAKE_SERIAL, path, b.file, NULL,
				   &b.error));
	g_assert_error(b.error, AB_ERROR, AB_ERROR_FAILED);
	box_close(&b);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/adb/pull", test_pull);
	g_test_add_func("/adb/pull/v1", test_pull_v1);
	g_test_add_func("/adb/pull/failures", test_pull_failures);
	g_test_add_func("/adb/pull/interrupted", test_pull_interrupted);
	g_test_add_func("/adb/pull/silent", test_pull_silent);
	g_test_add_func("/adb/pull/no-directory", test_pull_no_directory);
	g_test_add_func("/adb/push", test_push);
	g_test_add_func("/adb/push/failures", test_push_failures);
	g_test_add_func("/adb/push/local", test_push_local);
	g_test_add_func("/adb/long-path", test_long_path);
	return g_test_run();
}
