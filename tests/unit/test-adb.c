// SPDX-License-Identifier: GPL-3.0-or-later
/* The protocol and the shell service, against a scripted server. */
#include "helper-fakeadb.h"

#include <abrig/error.h>
#include <abrig/log.h>

#include <string.h>
#include <unistd.h>

#define TRUE_SERVICE FAKE_OPEN("shell,v2,raw:true")
#define EXIT_0 "\x03\x01\0\0\0\0"

struct outcome {
	bool ok;
	GError *error;
	struct ab_shell_result r;
	gint64 ms;
};

static void run_shell(struct ab_adb *adb, const char *command, gint64 limit_ms,
		      struct outcome *o)
{
	struct ab_wait w = fake_wait(limit_ms);
	gint64 begin = g_get_monotonic_time();

	*o = (struct outcome){ 0 };
	o->ok = ab_adb_shell(adb, &w, FAKE_SERIAL, command, &o->r, &o->error);
	o->ms = (g_get_monotonic_time() - begin) / 1000;
	g_assert_cmpint(o->ok, ==, !o->error);
}

static void outcome_clear(struct outcome *o)
{
	ab_shell_result_clear(&o->r);
	g_clear_error(&o->error);
}

/* `true` against @scripts must fail with @code and a text that has @part. */
static void check_failure(const fake_script *scripts, guint count, int code,
			  const char *part)
{
	struct fake_adb *fake = fake_adb_start(scripts, count);
	struct outcome o;

	run_shell(fake_adb_client(fake), "true", 5000, &o);
	g_assert_error(o.error, AB_ERROR, code);
	if (!strstr(o.error->message, part) ||
	    !strstr(o.error->message, FAKE_SERIAL))
		g_test_fail_printf("'%s' lacks '%s'", o.error->message, part);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_shell(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("shell,v2,raw:echo hi; false"), FAKE_NO_STDIN,
		  FAKE(SEND, "\x01\x03\0\0\0hi\n"
			     "\x02\x04\0\0\0oops"
			     "\x01\x02\0\0\0\0x"
			     "\x03\x01\0\0\0\x2a") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), "echo hi; false", 5000, &o);
	g_assert_no_error(o.error);
	g_assert_cmpmem(o.r.out->str, o.r.out->len, "hi\n\0x", 5);
	g_assert_cmpstr(o.r.err->str, ==, "oops");
	g_assert_cmpint(o.r.status, ==, 42);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

/* Everything in pieces of one byte. */
static void test_split(void)
{
	static const fake_script scripts[] = {
		{ FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		  FAKE(DRIP, "OKAY0008shell_v2") },
		{ FAKE(EXPECT, "host:transport:" FAKE_SERIAL),
		  FAKE(DRIP, "OKAY"), FAKE(EXPECT, "shell,v2,raw:true"),
		  FAKE(DRIP, "OKAY\x01\x03\0\0\0one\x02\x01\0\0\0E" EXIT_0) },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), "true", 5000, &o);
	g_assert_no_error(o.error);
	g_assert_cmpstr(o.r.out->str, ==, "one");
	g_assert_cmpstr(o.r.err->str, ==, "E");
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_refusals(void)
{
	static const fake_script absent[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(FAIL, "device 'SER1' not found"),
	} };
	static const fake_script refused[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(FAIL, "device unauthorized.\nCheck the dialog"),
	} };
	static const fake_script forbidden[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(FAIL, "insufficient permissions for device"),
	} };
	static const fake_script unknown[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(FAIL, "unknown host service"),
	} };
	static const fake_script other[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(FAIL, "no\x01 way\n"),
	} };
	static const fake_script closed[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE(EXPECT, "host:transport:" FAKE_SERIAL),
		  FAKE(SEND, "OKAY"), FAKE(EXPECT, "shell,v2,raw:true"),
		  FAKE(FAIL, "closed") },
	};

	check_failure(absent, 1, AB_ERROR_OFFLINE, "not found");
	check_failure(refused, 1, AB_ERROR_ENV, "accept");
	check_failure(forbidden, 1, AB_ERROR_ENV, "udev");
	check_failure(unknown, 1, AB_ERROR_PROTOCOL, "unknown host");
	check_failure(other, 1, AB_ERROR_REMOTE, "no  way");
	check_failure(closed, 2, AB_ERROR_OFFLINE, "closed");
}

static void test_hostile(void)
{
	static const fake_script hex[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(SEND, "OKAY-001abc"),
	} };
	static const fake_script http[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(SEND, "HTTP/1.1 400 Bad Request"),
	} };
	static const fake_script huge[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x01\xff\xff\xff\xff....") },
	};
	static const fake_script ceiling[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE,
		  FAKE(SEND, "\x01\x01\0\0\0a\x02\0\0\0\x04....") },
	};
	static const fake_script long_exit[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x03\x02\0\0\0\0\0") },
	};
	static const fake_script odd_id[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x2a\x01\0\0\0x" EXIT_0) },
	};

	check_failure(hex, 1, AB_ERROR_PROTOCOL, "hexadecimal");
	check_failure(http, 1, AB_ERROR_PROTOCOL, "neither OKAY nor FAIL");
	check_failure(huge, 2, AB_ERROR_PROTOCOL, "64 MiB");
	check_failure(ceiling, 2, AB_ERROR_PROTOCOL, "64 MiB");
	check_failure(long_exit, 2, AB_ERROR_PROTOCOL, "shell protocol");
	check_failure(odd_id, 2, AB_ERROR_PROTOCOL, "shell protocol");
}

static void test_lost(void)
{
	static const fake_script no_status[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x01\x03\0\0\0one") },
	};
	static const fake_script in_packet[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x01\x08\0\0\0one") },
	};
	static const fake_script in_block[] = { {
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"),
		FAKE(SEND, "OKAY00ffshort"),
	} };

	check_failure(no_status, 2, AB_ERROR_OFFLINE, "running 'true'");
	check_failure(in_packet, 2, AB_ERROR_OFFLINE, "running 'true'");
	check_failure(in_block, 1, AB_ERROR_OFFLINE, "features");
}

static void test_silence(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(HANG, "") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), "true", 300, &o);
	g_assert_error(o.error, AB_ERROR, AB_ERROR_TIMEOUT);
	g_assert_nonnull(
		strstr(o.error->message, "running 'true' on " FAKE_SERIAL));
	g_assert_cmpint(o.ms, >=, 300);
	g_assert_cmpint(o.ms, <, 1300);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

/* A command whose output never ends is stopped by its deadline too. */
static void test_endless_output(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(FLOOD, "\x01\x01\0\0\0x") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), "true", 300, &o);
	g_assert_error(o.error, AB_ERROR, AB_ERROR_TIMEOUT);
	g_assert_cmpint(o.ms, <, 1300);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_no_server(void)
{
	static const fake_script none[] = { { FAKE(HANG, "") } };
	struct fake_adb *fake = fake_adb_start(none, 0);
	int port = ab_adb_port(fake_adb_client(fake));
	ab_autoptr(ab_adb) adb = NULL;
	struct outcome o;

	fake_adb_stop(fake);
	adb = ab_adb_new(port);
	run_shell(adb, "true", 5000, &o);
	g_assert_error(o.error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(o.error->message, "start-server"));
	outcome_clear(&o);
}

#define V1(command) "shell:(" command "\n) </dev/null; s=$?; echo; echo $s"

static void check_v1(const fake_script *scripts, const char *out, int status)
{
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), "cmd", 5000, &o);
	if (out) {
		g_assert_no_error(o.error);
		g_assert_cmpstr(o.r.out->str, ==, out);
		g_assert_cmpint(o.r.status, ==, status);
	} else {
		g_assert_error(o.error, AB_ERROR, AB_ERROR_OFFLINE);
	}
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_v1(void)
{
	static const fake_script crlf[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN(V1("cmd")), FAKE(SEND, "foo\r\nbar\r\n\r\n1\r\n") },
	};
	static const fake_script lf[] = {
		FAKE_FEATURES(""),
		{ FAKE_OPEN(V1("cmd")), FAKE(DRIP, "a\r\nb\n255\n") },
	};
	static const fake_script nothing[] = {
		FAKE_FEATURES("xshell_v2,shell_v22"),
		{ FAKE_OPEN(V1("cmd")), FAKE(SEND, "\n0\n") },
	};
	static const fake_script cut[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN(V1("cmd")), FAKE(SEND, "foo\n1") },
	};
	static const fake_script absurd[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN(V1("cmd")), FAKE(SEND, "foo\n256\n") },
	};
	static const fake_script empty[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN(V1("cmd")) },
	};

	check_v1(crlf, "foo\nbar\n", 1);
	check_v1(lf, "a\r\nb", 255);
	check_v1(nothing, "", 0);
	check_v1(cut, NULL, 0);
	check_v1(absurd, NULL, 0);
	check_v1(empty, NULL, 0);
}

static void test_input(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("shell,v2,raw:cat"),
		  FAKE(READ, "\0\x03\0\0\0a\0b\x04\0\0\0\0"),
		  FAKE(SEND, EXIT_0) },
		{ FAKE_OPEN("shell,v2,raw:cat"), FAKE(BIG_OUTPUT, ""),
		  FAKE(SEND, EXIT_0) },
		/* The command does not read; it just ends. */
		{ FAKE_OPEN("shell,v2,raw:true"),
		  FAKE(SEND, "\x01\x02\0\0\0ok" EXIT_0) },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 4);
	struct ab_adb *adb = fake_adb_client(fake);
	struct ab_wait w = fake_wait(20000);
	g_autoptr(GError) error = NULL;
	size_t big = 5u << 20;
	g_autofree char *data = g_strnfill(big, 'x');
	struct ab_shell_result r;

	g_assert_true(ab_adb_shell_input(adb, &w, FAKE_SERIAL, "cat", "a\0b", 3,
					 &r, &error));
	ab_shell_result_clear(&r);
	g_assert_true(ab_adb_shell_input(adb, &w, FAKE_SERIAL, "cat", data, big,
					 &r, &error));
	g_assert_cmpuint(r.out->len, ==, 4u << 20);
	ab_shell_result_clear(&r);
	g_assert_true(ab_adb_shell_input(adb, &w, FAKE_SERIAL, "true", data,
					 big, &r, &error));
	g_assert_cmpstr(r.out->str, ==, "ok");
	ab_shell_result_clear(&r);
	fake_adb_stop(fake);
}

static void test_input_needs_v2(void)
{
	static const fake_script scripts[] = { FAKE_FEATURES("cmd") };
	struct fake_adb *fake = fake_adb_start(scripts, 1);
	struct ab_wait w = fake_wait(5000);
	g_autoptr(GError) error = NULL;
	struct ab_shell_result r;

	g_assert_false(ab_adb_shell_input(fake_adb_client(fake), &w,
					  FAKE_SERIAL, "cat", "a", 1, &r,
					  &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	ab_shell_result_clear(&r);
	fake_adb_stop(fake);
}

static void test_text(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x01\x03\0\0\0yes" EXIT_0) },
		{ TRUE_SERVICE, FAKE(SEND, "\x02\x04\0\0\0oops"
					   "\x03\x01\0\0\0\x07") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 3);
	struct ab_adb *adb = fake_adb_client(fake);
	struct ab_wait w = fake_wait(5000);
	g_autoptr(GError) error = NULL;
	g_autofree char *text =
		ab_adb_shell_text(adb, &w, FAKE_SERIAL, "true", &error);

	g_assert_cmpstr(text, ==, "yes");
	g_assert_null(ab_adb_shell_text(adb, &w, FAKE_SERIAL, "true", &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_nonnull(strstr(error->message, "status 7: oops"));
	fake_adb_stop(fake);
}

/* Features are asked for once, and again after the device was lost. */
static void test_feature_cache(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, EXIT_0) },
		{ TRUE_SERVICE },
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN(V1("true")), FAKE(SEND, "\n0\n") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 5);
	struct ab_adb *adb = fake_adb_client(fake);
	struct outcome o;

	run_shell(adb, "true", 5000, &o);
	g_assert_no_error(o.error);
	outcome_clear(&o);
	run_shell(adb, "true", 5000, &o);
	g_assert_error(o.error, AB_ERROR, AB_ERROR_OFFLINE);
	outcome_clear(&o);
	run_shell(adb, "true", 5000, &o);
	g_assert_no_error(o.error);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_too_long(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE(EXPECT, "host:transport:" FAKE_SERIAL),
		  FAKE(SEND, "OKAY") },
	};
	g_autofree char *command = g_strnfill(70000, 'x');
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct outcome o;

	run_shell(fake_adb_client(fake), command, 5000, &o);
	g_assert_error(o.error, AB_ERROR, AB_ERROR_FAILED);
	g_assert_cmpuint(strlen(o.error->message), <, 400);
	outcome_clear(&o);
	fake_adb_stop(fake);
}

static void test_stream(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ FAKE_OPEN("shell,v2,raw:logcat"), FAKE_NO_STDIN,
		  FAKE(SEND, "\x01\x09\0\0\0one\r\ntwo\n"
			     "\x01\x02\0\0\0th"),
		  FAKE(PAUSE, ""), FAKE(PAUSE, ""), FAKE(PAUSE, ""),
		  FAKE(SEND, "\x02\x04\0\0\0oops"
			     "\x01\x06\0\0\0ree\nfo"
			     "\x03\x01\0\0\0\x05") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(5000);
	struct ab_wait brief = fake_wait(100);
	g_autoptr(GError) error = NULL;
	struct ab_adb_stream *s = ab_adb_shell_stream(
		fake_adb_client(fake), &w, FAKE_SERIAL, "logcat", &error);
	g_autofree char *one = ab_adb_stream_line(s, &w, &error);
	g_autofree char *two = ab_adb_stream_line(s, &w, &error);
	g_autofree char *three = NULL;

	g_assert_cmpstr(one, ==, "one");
	g_assert_cmpstr(two, ==, "two");
	/* A deadline does not cost what has arrived of a line. */
	g_assert_null(ab_adb_stream_line(s, &brief, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_TIMEOUT);
	g_clear_error(&error);
	three = ab_adb_stream_line(s, &w, &error);
	g_assert_cmpstr(three, ==, "three");
	/* Its end is an error, however often it is asked. */
	g_assert_null(ab_adb_stream_line(s, &w, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_nonnull(strstr(error->message, "status 5"));
	g_assert_nonnull(strstr(error->message, "oops"));
	g_clear_error(&error);
	g_assert_null(ab_adb_stream_line(s, &w, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	ab_adb_stream_close(s);
	fake_adb_stop(fake);
}

static void test_stream_lost(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN("shell:logcat"), FAKE(SEND, "one\r\ntw") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(5000);
	g_autoptr(GError) error = NULL;
	struct ab_adb_stream *s = ab_adb_shell_stream(
		fake_adb_client(fake), &w, FAKE_SERIAL, "logcat", &error);
	g_autofree char *one = ab_adb_stream_line(s, &w, &error);

	g_assert_cmpstr(one, ==, "one");
	g_assert_null(ab_adb_stream_line(s, &w, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_OFFLINE);
	ab_adb_stream_close(s);
	fake_adb_stop(fake);
}

static void test_stream_endless_line(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES("cmd"),
		{ FAKE_OPEN("shell:logcat"), FAKE(FLOOD, "xxxxxxxxxxxxxxxx") },
	};
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	struct ab_wait w = fake_wait(20000);
	g_autoptr(GError) error = NULL;
	struct ab_adb_stream *s = ab_adb_shell_stream(
		fake_adb_client(fake), &w, FAKE_SERIAL, "logcat", &error);

	g_assert_null(ab_adb_stream_line(s, &w, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PROTOCOL);
	ab_adb_stream_close(s);
	fake_adb_stop(fake);
}

static void test_log(void)
{
	static const fake_script scripts[] = {
		FAKE_FEATURES(FAKE_V2),
		{ TRUE_SERVICE, FAKE(SEND, "\x03\x01\0\0\0\x09") },
	};
	g_autofree char *path = g_build_filename(g_get_tmp_dir(),
						 "abrig-test-adb.XXXXXX", NULL);
	struct fake_adb *fake = fake_adb_start(scripts, 2);
	g_autofree char *text = NULL;
	struct outcome o;

	close(g_mkstemp(path));
	g_assert_true(ab_log_open(path, NULL));
	run_shell(fake_adb_client(fake), "true", 5000, &o);
	ab_log_close();
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	g_assert_nonnull(strstr(text, "\"serial\":\"" FAKE_SERIAL "\""));
	g_assert_nonnull(strstr(text, "\"command\":\"running 'true'\""));
	g_assert_nonnull(strstr(text, "\"status\":9"));
	g_assert_nonnull(strstr(text, "\"result\":\"ok\""));
	outcome_clear(&o);
	fake_adb_stop(fake);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/adb/shell", test_shell);
	g_test_add_func("/adb/split", test_split);
	g_test_add_func("/adb/refusals", test_refusals);
	g_test_add_func("/adb/hostile", test_hostile);
	g_test_add_func("/adb/lost", test_lost);
	g_test_add_func("/adb/silence", test_silence);
	g_test_add_func("/adb/endless-output", test_endless_output);
	g_test_add_func("/adb/no-server", test_no_server);
	g_test_add_func("/adb/v1", test_v1);
	g_test_add_func("/adb/input", test_input);
	g_test_add_func("/adb/input-needs-v2", test_input_needs_v2);
	g_test_add_func("/adb/text", test_text);
	g_test_add_func("/adb/feature-cache", test_feature_cache);
	g_test_add_func("/adb/too-long", test_too_long);
	g_test_add_func("/adb/stream", test_stream);
	g_test_add_func("/adb/stream-lost", test_stream_lost);
	g_test_add_func("/adb/stream-endless-line", test_stream_endless_line);
	g_test_add_func("/adb/log", test_log);
	return g_test_run();
}
