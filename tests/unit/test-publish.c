// SPDX-License-Identifier: GPL-3.0-or-later
/* Publishing to a server of the test's own, good and bad. */
#include "helper-http.h"

#include <abrig/error.h>
#include <abrig/publish.h>
#include <glib/gstdio.h>
#include <string.h>

#define TOKEN "s3cr3t-T0KEN"
#define BODY "{\"schema\": 1}\n"
#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define BUSY "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nlate"

static struct ab_publish new_publish(const char *url)
{
	return (struct ab_publish){
		.url = url,
		.token = TOKEN,
		.header = "Authorization",
		.scheme = "Bearer",
		.content_type = "application/json",
		.body = BODY,
		.length = strlen(BODY),
		.attempts = 4,
	};
}

/* Post to a server that says @answers; it is stopped when this returns. */
static struct http *post(const char *const *answers, struct ab_intr *intr,
			 gint64 ms, struct ab_publish_result *result,
			 GError **error)
{
	struct http *http = http_start(answers, intr);
	struct ab_publish p = new_publish(http_url(http));
	struct ab_wait w = ab_wait_in(intr, ms);
	bool ok = ab_publish_send(&p, &w, result, error);

	g_assert_true(ok == !*error);
	/* Wherever a message goes, the token does not go with it. */
	if (*error)
		g_assert_null(strstr((*error)->message, TOKEN));
	http_stop(http);
	return http;
}

static void test_ok(void)
{
	static const char *const answers[] = { OK, NULL };
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(answers, NULL, 10000, &result, &error);
	g_autofree char *key =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, BODY, -1);
	const char *request;

	g_assert_no_error(error);
	g_assert_cmpint(result.status, ==, 200);
	g_assert_cmpint(result.attempts, ==, 1);
	g_assert_cmpuint(http_count(http), ==, 1);
	request = http_request(http, 0);
	g_assert_true(g_str_has_prefix(request, "POST /in HTTP/1.1\r\n"));
	g_assert_nonnull(
		strstr(request, "\r\nContent-Type: application/json\r\n"));
	g_assert_nonnull(
		strstr(request, "\r\nAuthorization: Bearer " TOKEN "\r\n"));
	g_assert_nonnull(strstr(request, key));
	g_assert_true(g_str_has_suffix(request, "\r\n\r\n" BODY));
	http_free(http);
}

static void test_again(void)
{
	static const char *const busy[] = { BUSY, BUSY, OK, NULL };
	static const char *const closed[] = { HTTP_CLOSE, OK, NULL };
	static const char *const told[] = {
		"HTTP/1.1 429 Slow\r\nRetry-After: 2\r\nContent-Length: "
		"0\r\n\r\n",
		OK, NULL
	};
	static const struct {
		const char *const *answers;
		int attempts;
	} cases[] = { { busy, 3 }, { closed, 2 }, { told, 2 } };

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct ab_publish_result result;
		GError *error = NULL;
		struct http *http =
			post(cases[i].answers, NULL, 60000, &result, &error);

		g_assert_no_error(error);
		g_assert_cmpint(result.attempts, ==, cases[i].attempts);
		g_assert_cmpint((int)http_count(http), ==, cases[i].attempts);
		/* Each is the same request. */
		g_assert_cmpstr(http_request(http, 0), ==,
				http_request(http, 1));
		http_free(http);
	}
}

static void test_gives_up(void)
{
	static const char *const busy[] = { BUSY, NULL };
	static const char *const later[] = {
		"HTTP/1.1 503 Later\r\nRetry-After: 864000\r\n"
		"Content-Length: 0\r\n\r\n",
		NULL
	};
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(busy, NULL, 60000, &result, &error);

	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_nonnull(
		strstr(error->message, "status 500 after 4 attempts: late"));
	g_assert_cmpuint(http_count(http), ==, 4);
	http_free(http);
	g_clear_error(&error);

	/* Ten days are more than there are. */
	http = post(later, NULL, 10000, &result, &error);
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_cmpuint(http_count(http), ==, 1);
	http_free(http);
	g_clear_error(&error);
}

static void test_refused(void)
{
	static const char *const answers[] = {
		"HTTP/1.1 401 No\r\nConnection: close\r\n\r\n"
		"wrong token " TOKEN "\r\n\r\n\x1b[31msecond\nthird\nfourth\n",
		NULL
	};
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(answers, NULL, 10000, &result, &error);

	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_cmpuint(http_count(http), ==, 1);
	g_assert_true(g_str_has_suffix(
		error->message,
		"/in: HTTP status 401 after 1 attempt; check the token, "
		"--header and --scheme: wrong token (token) | ?[31msecond | "
		"third"));
	http_free(http);
	g_clear_error(&error);
}

static char *redirect(const char *host, int port)
{
	return g_strdup_printf("HTTP/1.1 308 There\r\nLocation: "
			       "http://%s:%d/else\r\nContent-Length: 0\r\n\r\n",
			       host, port);
}

static void test_redirect(void)
{
	static const char *const ok[] = { OK, NULL };
	struct http *other = http_start(ok, NULL);
	g_autofree char *away = redirect("127.0.0.1", http_port(other));
	const char *const answers[] = { away, NULL };
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(answers, NULL, 10000, &result, &error);

	/* Another port is another server: it never gets the token. */
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	g_assert_nonnull(
		strstr(error->message, "/else, which is not followed"));
	http_stop(other);
	g_assert_cmpuint(http_count(other), ==, 0);
	http_free(other);
	http_free(http);
	g_clear_error(&error);
}

static void test_same_server(void)
{
	static const char *const answers[] = {
		"HTTP/1.1 307 There\r\nLocation: /else\r\n"
		"Content-Length: 0\r\n\r\n",
		OK, NULL
	};
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(answers, NULL, 10000, &result, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(http_count(http), ==, 2);
	g_assert_true(g_str_has_prefix(http_request(http, 1), "POST /else "));
	http_free(http);
}

static void test_over(void)
{
	static const char *const answers[] = { HTTP_STALL, NULL };
	struct ab_intr *intr = ab_intr_new();
	struct ab_publish_result result;
	GError *error = NULL;
	struct http *http = post(answers, NULL, 200, &result, &error);

	g_assert_error(error, AB_ERROR, AB_ERROR_TIMEOUT);
	http_free(http);
	g_clear_error(&error);

	http = post(answers, intr, 600000, &result, &error);
	g_assert_error(error, AB_ERROR, AB_ERROR_INTERRUPTED);
	g_assert_cmpint(ab_error_exit_status(error), ==, 130);
	g_assert_cmpuint(http_count(http), ==, 1);
	http_free(http);
	g_clear_error(&error);
	ab_intr_free(intr);
}

static void test_nobody(void)
{
	static const char *const answers[] = { OK, NULL };
	struct http *http = http_start(answers, NULL);
	struct ab_publish p = new_publish(http_url(http));
	struct ab_wait w = ab_wait_in(NULL, 60000);
	struct ab_publish_result result;
	g_autoptr(GError) error = NULL;

	/* The port is free again. */
	http_stop(http);
	g_assert_false(ab_publish_send(&p, &w, &result, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_OFFLINE);
	g_assert_cmpint(result.attempts, ==, 4);
	http_free(http);
}

/* ---- what is refused at once ---- */

static void check_usage(struct ab_publish p, bool ok)
{
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_publish_check(&p, &error) == ok);
	if (!ok)
		g_assert_error(error, AB_ERROR, AB_ERROR_USAGE);
}

static void test_check(void)
{
	static const struct {
		const char *url;
		bool ok;
	} urls[] = {
		{ "https://example.org/in", true },
		{ "http://127.0.0.1:80/", true },
		{ "http://[::1]/", true },
		{ "http://localhost/", true },
		{ "http://example.org/in", false },
		{ "http://127.example.org/", false },
		{ "https://kim:pw@example.org/", false },
		{ "ftp://example.org/", false },
		{ "file:///etc/passwd", false },
		{ "no url", false },
		{ "", false },
	};
	struct ab_publish p;

	for (size_t i = 0; i < G_N_ELEMENTS(urls); i++)
		check_usage(new_publish(urls[i].url), urls[i].ok);
	p = new_publish("http://example.org/");
	p.insecure_http = true;
	check_usage(p, true);
	p.header = "X-Token\r\nEvil";
	check_usage(p, false);
	p = new_publish("https://example.org/");
	p.token = "a\r\nEvil: b";
	check_usage(p, false);
	p.token = NULL;
	p.scheme = "Bearer\n";
	check_usage(p, false);
}

static void test_describe(void)
{
	struct ab_publish p = new_publish("https://example.org/in?key=" TOKEN);
	g_autoptr(GString) out = g_string_new(NULL);

	ab_publish_describe(&p, out);
	g_assert_null(strstr(out->str, TOKEN));
	g_assert_true(g_str_has_prefix(out->str,
				       "POST https://example.org:443/in\n"
				       "Content-Type: application/json\n"
				       "Content-Length: 14\n"));
	g_assert_nonnull(strstr(out->str, "\nAuthorization: Bearer ...\n\n"));
	g_assert_true(g_str_has_suffix(out->str, BODY));
}

static void test_token(void)
{
	g_autofree char *dir = g_dir_make_tmp("abrig-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "token", NULL);
	g_autofree char *none = ab_publish_token(NULL, NULL);
	g_autofree char *env = NULL;
	g_autofree char *file = NULL;
	g_autoptr(GError) error = NULL;

	g_assert_null(none);
	g_setenv("ABRIG_TOKEN", "of the environment", TRUE);
	env = ab_publish_token(NULL, NULL);
	g_assert_cmpstr(env, ==, "of the environment");
	g_file_set_contents(path, " " TOKEN "\n", -1, NULL);
	file = ab_publish_token(path, NULL);
	g_assert_cmpstr(file, ==, TOKEN);
	g_file_set_contents(path, "\n", -1, NULL);
	g_assert_null(ab_publish_token(path, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_unsetenv("ABRIG_TOKEN");
	g_unlink(path);
	g_rmdir(dir);
}

int main(int argc, char **argv)
{
	static const char *const proxies[] = { "http_proxy", "https_proxy",
					       "all_proxy", "ALL_PROXY" };

	for (size_t i = 0; i < G_N_ELEMENTS(proxies); i++)
		g_unsetenv(proxies[i]);
	g_unsetenv("ABRIG_TOKEN");
	/* Pauses shrink with it. */
	g_setenv("ABRIG_TIME_SCALE", "100", TRUE);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/publish/ok", test_ok);
	g_test_add_func("/publish/again", test_again);
	g_test_add_func("/publish/gives-up", test_gives_up);
	g_test_add_func("/publish/refused", test_refused);
	g_test_add_func("/publish/redirect", test_redirect);
	g_test_add_func("/publish/same-server", test_same_server);
	g_test_add_func("/publish/over", test_over);
	g_test_add_func("/publish/nobody", test_nobody);
	g_test_add_func("/publish/check", test_check);
	g_test_add_func("/publish/describe", test_describe);
	g_test_add_func("/publish/token", test_token);
	return g_test_run();
}
