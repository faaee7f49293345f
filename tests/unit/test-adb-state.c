// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices, states and adbd's restarts, against a scripted server. */
#include "helper-fakeadb.h"

#include <abrig/error.h>
#include <abrig/log.h>

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define DEVICES(list)                                           \
	{                                                       \
		FAKE(EXPECT, "host:devices"), FAKE(BLOCK, list) \
	}
#define SHELL(command, reply)                                      \
	{                                                          \
		FAKE_OPEN("shell,v2,raw:" command), FAKE_NO_STDIN, \
			FAKE(SEND, reply)                          \
	}
#define EXIT_0 "\x03\x01\0\0\0\0"
#define READY SHELL("echo ready", "\x01\x06\0\0\0ready\n" EXIT_0)
#define ID_SHELL                        \
	SHELL("id -u", "\x01\x05\0\0\0" \
		       "2000\n" EXIT_0)
#define ID_ROOT                         \
	SHELL("id -u", "\x01\x02\0\0\0" \
		       "0\n" EXIT_0)
#define IS_DEVICE DEVICES(FAKE_SERIAL "\tdevice\n")
#define COUNT(scripts) ((guint)G_N_ELEMENTS(scripts))

static void check_error(GError **error, int code, const char *part)
{
	g_assert_error(*error, AB_ERROR, code);
	if (!strstr((*error)->message, part))
		g_test_fail_printf("'%s' lacks '%s'", (*error)->message, part);
	g_clear_error(error);
}

static void test_devices(void)
{
	static const fake_script scripts[] = { {
		FAKE(EXPECT, "host:devices-l"),
		FAKE(BLOCK,
		     "SER1                   device usb:1-1 product:p model:M "
		     "device:d transport_id:4\nSER2                   offline "
		     "transport_id:5\n"),
	} };
	struct fake_adb *fake = fake_adb_start(scripts, 1);
	struct ab_wait w = fake_wait(5000);
	g_autoptr(GPtrArray) list =
		ab_adb_devices(fake_adb_client(fake), &w, NULL);

	g_assert_cmpuint(list->len, ==, 2);
	g_assert_cmpint(((struct ab_adb_device *)list->pdata[0])->transport_id,
			==, 4);
	fake_adb_stop(fake);
}

static void test_connect(void)
{
#define CONNECT(text)                                               \
	{                                                           \
		FAKE(EXPECT, "host:connect:h:1"), FAKE(BLOCK, text) \
	}
	static const fake_script scripts[] = {
		CONNECT("connected to h:1"),
		CONNECT("already connected to h:1"),
		CONNECT("failed to connect to 'h:1': Connection refused"),
		CONNECT("failed to authenticate to h:1"),
		CONNECT("something new"),
		{ FAKE(EXPECT, "host:disconnect:h:1"),
		  FAKE(BLOCK, "disconnected h:1") },
		{ FAKE(EXPECT, "host:disconnect:h:1"),
		  FAKE(FAIL, "no such device 'h:1'") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, COUNT(scripts));
	struct ab_adb *adb = fake_adb_client(fake);
	struct ab_wait w = fake_wait(5000);
	GError *error = NULL;

	g_assert_true(ab_adb_connect(adb, &w, "h:1", &error));
	g_assert_true(ab_adb_connect(adb, &w, "h:1", &error));
	g_assert_false(ab_adb_connect(adb, &w, "h:1", &error));
	check_error(&error, AB_ERROR_OFFLINE, "Connection refused");
	g_assert_false(ab_adb_connect(adb, &w, "h:1", &error));
	check_error(&error, AB_ERROR_ENV, "dialog");
	g_assert_false(ab_adb_connect(adb, &w, "h:1", &error));
	check_error(&error, AB_ERROR_OFFLINE, "something new");
	g_assert_true(ab_adb_disconnect(adb, &w, "h:1", &error));
	g_assert_true(ab_adb_disconnect(adb, &w, "h:1", &error));
	fake_adb_stop(fake);
}

static void check_wait(const fake_script *scripts, guint count,
		       const char *serial, const char *state, gint64 limit_ms,
		       GError **error)
{
	struct fake_adb *fake = fake_adb_start(scripts, count);
	struct ab_wait w = fake_wait(limit_ms);

	ab_adb_wait_state(fake_adb_client(fake), &w, serial, state, error);
	fake_adb_stop(fake);
}

/* Offline three times, then there: the server is left alone meanwhile. */
static void test_wait(void)
{
	static const fake_script scripts[] = {
		DEVICES(FAKE_SERIAL "\toffline\n"),
		DEVICES(FAKE_SERIAL "\toffline\n"),
		DEVICES(FAKE_SERIAL "\toffline\n"),
		IS_DEVICE,
		FAKE_FEATURES(FAKE_V2),
		READY,
	};
	GError *error = NULL;

	check_wait(scripts, COUNT(scripts), FAKE_SERIAL, "device", 5000,
		   &error);
	g_assert_no_error(error);
}

/* "device" may be said of a phone whose adbd is just going away. */
static void test_wait_not_usable(void)
{
	static const fake_script scripts[] = {
		IS_DEVICE,
		{ FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		  FAKE(FAIL, "device offline") },
		IS_DEVICE,
		FAKE_FEATURES(FAKE_V2),
		{ FAKE(EXPECT, "host:transport:" FAKE_SERIAL),
		  FAKE(FAIL, "closed") },
		IS_DEVICE,
		FAKE_FEATURES(FAKE_V2),
		READY,
	};
	GError *error = NULL;

	check_wait(scripts, COUNT(scripts), FAKE_SERIAL, "device", 5000,
		   &error);
	g_assert_no_error(error);
}

static void test_wait_tcp(void)
{
	static const fake_script scripts[] = {
		DEVICES("h:1\toffline\n"),
		{ FAKE(EXPECT, "host:disconnect:h:1"), FAKE(BLOCK, "ok") },
		{ FAKE(EXPECT, "host:connect:h:1"),
		  FAKE(BLOCK, "failed to connect to h:1") },
		DEVICES(""),
		{ FAKE(EXPECT, "host:connect:h:1"),
		  FAKE(BLOCK, "connected to h:1") },
		DEVICES("h:1\tdevice\n"),
		{ FAKE(EXPECT, "host-serial:h:1:features"),
		  FAKE(BLOCK, FAKE_V2) },
		{ FAKE(EXPECT, "host:transport:h:1"), FAKE(SEND, "OKAY"),
		  FAKE(EXPECT, "shell,v2,raw:echo ready"),
		  FAKE(SEND, "OKAY\x01\x06\0\0\0ready\n" EXIT_0) },
	};
	GError *error = NULL;

	check_wait(scripts, COUNT(scripts), "h:1", "device", 5000, &error);
	g_assert_no_error(error);
}

static void test_wait_fails(void)
{
	static const fake_script refused[] = {
		DEVICES(FAKE_SERIAL "\tunauthorized\n"),
		DEVICES(FAKE_SERIAL "\tunauthorized\n"),
	};
	static const fake_script absent[] = { DEVICES("SER2\tdevice\n") };
	static const fake_script twins[] = {
		DEVICES(FAKE_SERIAL "\tdevice\n" FAKE_SERIAL "\tdevice\n"),
	};
	static const fake_script silent[] = { { FAKE(HANG, "") } };
	GError *error = NULL;

	check_wait(refused, 2, FAKE_SERIAL, "device", 250, &error);
	check_error(&error, AB_ERROR_ENV, "accept");
	check_wait(absent, 1, FAKE_SERIAL, "device", 100, &error);
	check_error(&error, AB_ERROR_TIMEOUT, "absent");
	check_wait(twins, 1, FAKE_SERIAL, "device", 5000, &error);
	check_error(&error, AB_ERROR_ENV, "told apart");
	check_wait(silent, 1, FAKE_SERIAL, "device", 200, &error);
	check_error(&error, AB_ERROR_TIMEOUT, FAKE_SERIAL);
}

static void test_wait_disconnect(void)
{
	static const fake_script scripts[] = { IS_DEVICE, DEVICES("") };
	GError *error = NULL;

	check_wait(scripts, 2, FAKE_SERIAL, "disconnect", 5000, &error);
	g_assert_no_error(error);
}

static gpointer trigger_later(gpointer intr)
{
	g_usleep(200000);
	ab_intr_trigger(intr);
	return NULL;
}

static void test_wait_interrupted(void)
{
	static const fake_script scripts[] = { { FAKE(HANG, "") } };
	struct fake_adb *fake = fake_adb_start(scripts, 1);
	struct ab_intr *intr = ab_intr_new();
	struct ab_wait w = fake_wait(60000);
	gint64 begin = g_get_monotonic_time();
	GThread *t = g_thread_new("trigger", trigger_later, intr);
	GError *error = NULL;

	w.intr = intr;
	g_assert_false(ab_adb_wait_state(fake_adb_client(fake), &w, FAKE_SERIAL,
					 "device", &error));
	check_error(&error, AB_ERROR_INTERRUPTED, FAKE_SERIAL);
	g_assert_cmpint(g_get_monotonic_time() - begin, <, 1200000);
	g_thread_join(t);
	fake_adb_stop(fake);
	ab_intr_free(intr);
}

static bool root(const fake_script *scripts, guint count, bool want,
		 bool *was_out, GError **error)
{
	struct fake_adb *fake = fake_adb_start(scripts, count);
	struct ab_wait w = fake_wait(5000);
	bool ok = ab_adb_root(fake_adb_client(fake), &w, FAKE_SERIAL, want,
			      was_out, error);

	fake_adb_stop(fake);
	return ok;
}

#define ROOT(reply)                                   \
	{                                             \
		FAKE_OPEN("root:"), FAKE(SEND, reply) \
	}

/* Gone for a while, then still the old adbd, then the new one. */
static void test_root(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		ID_SHELL,
		ROOT("restarting adbd as root\n"),
		IS_DEVICE,
		FAKE_FEATURES(FAKE_V2),
		READY,
		ID_SHELL,
		DEVICES(""),
		DEVICES(FAKE_SERIAL "\toffline\n"),
		IS_DEVICE,
		READY,
		ID_ROOT,
	};
	GError *error = NULL;
	bool was = true;

	root(scripts, COUNT(scripts), true, &was, &error);
	g_assert_no_error(error);
	g_assert_false(was);
}

/* The connection may end before adbd says anything. */
static void test_root_cut(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		ID_ROOT,
		{ FAKE(EXPECT, "host:transport:" FAKE_SERIAL),
		  FAKE(SEND, "OKAY"), FAKE(EXPECT, "unroot:") },
		IS_DEVICE,
		FAKE_FEATURES(FAKE_V2),
		READY,
		ID_SHELL,
	};
	GError *error = NULL;
	bool was = false;

	root(scripts, COUNT(scripts), false, &was, &error);
	g_assert_no_error(error);
	g_assert_true(was);
}

static void test_root_refused(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		ID_SHELL,
		ROOT("adbd cannot run as root in production builds\n"),
	};
	static const fake_script already[] = {
		FAKE_FEATURES(FAKE_V2),
		ID_ROOT,
	};
	static const fake_script odd[] = {
		FAKE_FEATURES(FAKE_V2),
		SHELL("id -u", "\x01\x05\0\0\0root\n" EXIT_0),
	};
	GError *error = NULL;
	bool was = false;

	g_assert_false(root(scripts, COUNT(scripts), true, NULL, &error));
	check_error(&error, AB_ERROR_REMOTE, "production");
	g_assert_true(root(already, 2, true, &was, &error));
	g_assert_true(was);
	g_assert_false(root(odd, 2, true, NULL, &error));
	check_error(&error, AB_ERROR_PROTOCOL, "no number");
}

/* It returns when the idle stream ends, not when adbd has said OKAY. */
static void test_reboot(void)
{
	static const fake_script scripts[] = {
		{ FAKE_OPEN("sync:"), FAKE(PAUSE, ""), FAKE(PAUSE, "") },
		{ FAKE_OPEN("reboot:bootloader") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(5000);
	gint64 begin = g_get_monotonic_time();
	GError *error = NULL;

	ab_adb_reboot(fake_adb_client(fake), &w, FAKE_SERIAL, "bootloader",
		      &error);
	g_assert_no_error(error);
	g_assert_cmpint(g_get_monotonic_time() - begin, >=, 190000);
	fake_adb_stop(fake);
}

static void test_reboot_ignored(void)
{
	static const fake_script scripts[] = {
		{ FAKE_OPEN("sync:"), FAKE(HANG, "") },
		{ FAKE_OPEN("reboot:") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(300);
	GError *error = NULL;

	g_assert_false(ab_adb_reboot(fake_adb_client(fake), &w, FAKE_SERIAL, "",
				     &error));
	check_error(&error, AB_ERROR_TIMEOUT, "end of adb on " FAKE_SERIAL);
	fake_adb_stop(fake);
}

/* A directory that is the whole PATH, with an adb program that runs @script. */
static char *fake_program(const char *script)
{
	char *dir = g_dir_make_tmp("abrig-test.XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "adb", NULL);

	if (script) {
		g_assert_true(g_file_set_contents(path, script, -1, NULL));
		g_assert_cmpint(g_chmod(path, 0700), ==, 0);
	}
	g_setenv("PATH", dir, TRUE);
	return dir;
}

static void remove_program(char *dir, const char *old_path)
{
	g_autofree char *path = g_build_filename(dir, "adb", NULL);

	g_setenv("PATH", old_path, TRUE);
	g_unlink(path);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
	g_free(dir);
}

static guint count_text(const char *text, const char *part)
{
	guint n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

/* A server of another version is used as it is, and warned of once. */
static void test_version_mismatch(void)
{
	static const fake_script scripts[] = {
		{ FAKE(EXPECT, "host:version"), FAKE(BLOCK, "0029") },
		{ FAKE(EXPECT, "host:version"), FAKE(BLOCK, "0029") },
	};
	g_autofree char *old_path = g_strdup(g_getenv("PATH"));
	char *dir = fake_program(
		"#!/bin/sh\necho 'Android Debug Bridge version 1.0.39'\n");
	g_autofree char *log = g_build_filename(dir, "log", NULL);
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(10000);
	g_autofree char *text = NULL;
	GError *error = NULL;

	g_assert_true(ab_log_open(log, NULL));
	g_assert_true(ab_adb_start_server(fake_adb_client(fake), &w, &error));
	g_assert_true(ab_adb_start_server(fake_adb_client(fake), &w, &error));
	ab_log_close();
	g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
	g_unlink(log);
	g_assert_cmpuint(count_text(text, "\"event\":\"warning\""), ==, 1);
	g_assert_nonnull(strstr(text, "version 41"));
	g_assert_nonnull(strstr(text, "program 39"));
	remove_program(dir, old_path);
	fake_adb_stop(fake);
}

static void check_start(const char *script, const char *part)
{
	static const fake_script none[] = { { FAKE(HANG, "") } };
	struct fake_adb *fake = fake_adb_start(none, 0);
	int port = ab_adb_port(fake_adb_client(fake));
	g_autofree char *old_path = g_strdup(g_getenv("PATH"));
	char *dir = fake_program(script);
	struct ab_wait w = fake_wait(10000);
	ab_autoptr(ab_adb) adb = NULL;
	GError *error = NULL;

	fake_adb_stop(fake);
	adb = ab_adb_new(port);
	g_assert_false(ab_adb_start_server(adb, &w, &error));
	check_error(&error, AB_ERROR_ENV, part);
	remove_program(dir, old_path);
}

static void test_start_fails(void)
{
	check_start(NULL, "apt install adb");
	check_start("#!/bin/sh\necho 'cannot mkdir' >&2; exit 1\n",
		    "cannot mkdir");
	/* It says that it started, but nothing listens. */
	check_start("#!/bin/sh\nexit 0\n", "no adb server answers");
}

static void test_port(void)
{
	struct ab_adb *adb;

	g_setenv("ANDROID_ADB_SERVER_PORT", "6001", TRUE);
	adb = ab_adb_new(0);
	g_assert_cmpint(ab_adb_port(adb), ==, 6001);
	ab_adb_free(adb);
	adb = ab_adb_new(6002);
	g_assert_cmpint(ab_adb_port(adb), ==, 6002);
	ab_adb_free(adb);
	g_unsetenv("ANDROID_ADB_SERVER_PORT");
	adb = ab_adb_new(0);
	g_assert_cmpint(ab_adb_port(adb), ==, 5037);
	ab_adb_free(adb);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/adb/devices", test_devices);
	g_test_add_func("/adb/connect", test_connect);
	g_test_add_func("/adb/wait", test_wait);
	g_test_add_func("/adb/wait/not-usable", test_wait_not_usable);
	g_test_add_func("/adb/wait/tcp", test_wait_tcp);
	g_test_add_func("/adb/wait/fails", test_wait_fails);
	g_test_add_func("/adb/wait/disconnect", test_wait_disconnect);
	g_test_add_func("/adb/wait/interrupted", test_wait_interrupted);
	g_test_add_func("/adb/root", test_root);
	g_test_add_func("/adb/root/cut", test_root_cut);
	g_test_add_func("/adb/root/refused", test_root_refused);
	g_test_add_func("/adb/reboot", test_reboot);
	g_test_add_func("/adb/reboot/ignored", test_reboot_ignored);
	g_test_add_func("/adb/version-mismatch", test_version_mismatch);
	g_test_add_func("/adb/start-fails", test_start_fails);
	g_test_add_func("/adb/port", test_port);
	return g_test_run();
}
