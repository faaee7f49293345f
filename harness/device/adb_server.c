// SPDX-License-Identifier: GPL-3.0-or-later
/* The server itself: find it, start it, know its version. */
#include "adb_private.h"
#include "clip.h"

#include <abrig/log.h>
#include <abrig/proc.h>
#include <abrig/text.h>

#include <stdio.h>
#include <string.h>

#define DEFAULT_PORT 5037
#define START_MS 20000
#define VERSION_MS 5000
#define GONE_POLL_MS 20

static int port_from_environment(void)
{
	const char *text = g_getenv("ANDROID_ADB_SERVER_PORT");
	gint64 port;

	if (!text || !*text)
		return DEFAULT_PORT;
	if (ab_text_to_int(text, &port) && port > 0 && port < 65536)
		return (int)port;
	ab_warn("ANDROID_ADB_SERVER_PORT=%s is no port; %d is used", text,
		DEFAULT_PORT);
	return DEFAULT_PORT;
}

struct ab_adb *ab_adb_new(int port)
{
	struct ab_adb *adb = g_new0(struct ab_adb, 1);

	adb->port = port ? port : port_from_environment();
	g_mutex_init(&adb->lock);
	adb->features =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return adb;
}

void ab_adb_free(struct ab_adb *adb)
{
	if (!adb)
		return;
	g_hash_table_unref(adb->features);
	g_mutex_clear(&adb->lock);
	g_free(adb);
}

int ab_adb_port(const struct ab_adb *adb)
{
	return adb->port;
}

static bool server_version(struct ab_adb *adb, const struct ab_wait *w,
			   int *version_out, GError **error)
{
	g_autofree char *text =
		adb_ask(adb, w, NULL, g_strdup("host:version"),
			g_strdup("asking the adb server for its version"),
			error);

	if (!text)
		return false;
	*version_out = (int)g_ascii_strtoull(text, NULL, 16);
	return true;
}

/* "Android Debug Bridge version 1.0.41" -> 41; 0 when there is none. */
static int program_version(const struct ab_wait *w)
{
	static const char *const argv[] = { "adb", "version", NULL };
	static const char intro[] = "Android Debug Bridge version 1.0.";
	struct ab_wait limit = ab_wait_sub(w, VERSION_MS);
	struct ab_proc_result r;
	const char *at = NULL;
	int version = 0;

	if (ab_proc_run(&limit, argv, &r, NULL))
		at = strstr(r.out->str, intro);
	if (at)
		version = (int)g_ascii_strtoull(at + strlen(intro), NULL, 10);
	ab_proc_result_clear(&r);
	return version;
}

/*
 * The server may be somebody else's, with sessions of its own: it is never
 * restarted for its version.
 */
static void compare_versions(struct ab_adb *adb, const struct ab_wait *w,
			     int server)
{
	bool checked;
	int program;

	g_mutex_lock(&adb->lock);
	checked = adb->version_checked;
	adb->version_checked = true;
	g_mutex_unlock(&adb->lock);
	if (checked)
		return;
	program = program_version(w);
	if (program && program != server)
		ab_warn("the adb server on port %d has version %d, the adb "
			"program %d: running 'adb' by hand will restart the "
			"server and cut every phone off; use one adb only",
			adb->port, server, program);
}

static bool start(struct ab_adb *adb, const struct ab_wait *w, GError **error)
{
	g_autofree char *found = g_find_program_in_path("adb");
	g_autofree char *port = g_strdup_printf("%d", adb->port);
	const char *argv[] = { "adb", "-P", port, "start-server", NULL };
	struct ab_wait limit = ab_wait_sub(w, START_MS);
	struct ab_proc_result r;
	bool ok;

	if (!found) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "adb: not found; install platform-tools "
			    "(Debian: apt install adb)");
		return false;
	}
	ok = ab_proc_run(&limit, argv, &r, error);
	if (ok && r.status != 0) {
		g_autofree char *said = ab_clip(r.err->str, r.err->len);

		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "'adb -P %d start-server' failed with status %d: "
			    "%s; is HOME a writable directory, and the port "
			    "free?",
			    adb->port, r.status, said);
		ok = false;
	}
	ab_proc_result_clear(&r);
	return ok;
}

bool ab_adb_start_server(struct ab_adb *adb, const struct ab_wait *w,
			 GError **error)
{
	g_autoptr(GError) why = NULL;
	int version;

	if (!server_version(adb, w, &version, &why)) {
		if (!g_error_matches(why, AB_ERROR, AB_ERROR_ENV)) {
			g_propagate_error(error, g_steal_pointer(&why));
			return false;
		}
		if (!start(adb, w, error) ||
		    !server_version(adb, w, &version, error))
			return false;
	}
	compare_versions(adb, w, version);
	return true;
}

bool ab_adb_kill_server(struct ab_adb *adb, const struct ab_wait *w,
			GError **error)
{
	static const char what[] = "stopping the adb server";
	GError *why = NULL;
	struct adb_conn c;
	int version;

	adb_conn_init(&c, adb, w, NULL, g_strdup(what));
	if (adb_conn_open(&c, &why))
		adb_request(&c, "host:kill", &why);
	if (!adb_conn_end(&c, why, error))
		return false;
	/* It answers before it lets go of the port. */
	while (server_version(adb, w, &version, NULL))
		if (!ab_wait_pause(w, GONE_POLL_MS, what, error))
			return false;
	return true;
}
