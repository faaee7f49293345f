/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The client side of the adb server's socket protocol; no adb process per
 * command.  One ab_adb is one server (host is always loopback); a device is
 * named by its serial in each call.  Calls are safe from several threads.
 *
 * Errors: AB_ERROR_ENV (no adb program, no server, unauthorized, no
 * permissions; the message has the remedy), _OFFLINE (device not found, gone
 * or lost within the call), _REMOTE (the device refused), _PROTOCOL, _TIMEOUT,
 * _INTERRUPTED.  Every message names the serial and the action.
 */
#ifndef ABRIG_ADB_H
#define ABRIG_ADB_H

#include <abrig/auto.h>
#include <abrig/wait.h>

struct ab_adb;

/* @port 0: ANDROID_ADB_SERVER_PORT, else 5037. */
struct ab_adb *ab_adb_new(int port);
void ab_adb_free(struct ab_adb *adb);
AB_DEFINE_AUTO(ab_adb, ab_adb_free)
int ab_adb_port(const struct ab_adb *adb);

/*
 * Make sure that a server answers: start `adb start-server` when none does.
 * A server of another version than the adb program is warned of once.
 */
bool ab_adb_start_server(struct ab_adb *adb, const struct ab_wait *w,
			 GError **error);
/* Stop the server; only for servers that the caller started itself. */
bool ab_adb_kill_server(struct ab_adb *adb, const struct ab_wait *w,
			GError **error);

struct ab_adb_device {
	char *serial;
	char *state; /* "device", "offline", ... or a free "no permissions" */
	char *path, *product, *model, *device; /* NULL when absent */
	int transport_id;		       /* 0 when absent */
};
void ab_adb_device_free(struct ab_adb_device *device);

/*
 * Parse `adb devices -l` output, or the server's list (pure).  Lines that are
 * no device are skipped.  Returns struct ab_adb_device *, freed with the array.
 */
GPtrArray *ab_adb_parse_devices(const char *text);
GPtrArray *ab_adb_devices(struct ab_adb *adb, const struct ab_wait *w,
			  GError **error);
/* What to do about a state that is not "device"; static text. */
const char *ab_adb_state_remedy(const char *state);

/* For devices reached over TCP: @address is "host:port". */
bool ab_adb_connect(struct ab_adb *adb, const struct ab_wait *w,
		    const char *address, GError **error);
bool ab_adb_disconnect(struct ab_adb *adb, const struct ab_wait *w,
		       const char *address, GError **error);

/* ---- shell ---- */

#define AB_ADB_MAX_OUTPUT (64u << 20)

struct ab_shell_result {
	GString *out, *err; /* separate with shell_v2, else all in @out */
	int status;
};
void ab_shell_result_clear(struct ab_shell_result *result);

/*
 * Run @command in the device's shell with an empty stdin, collect all of it.
 * A non-zero exit is not an error here.  Without shell_v2 the status is taken
 * from an appended `echo $?`.  A connection that ends without a status is
 * AB_ERROR_OFFLINE.
 */
bool ab_adb_shell(struct ab_adb *adb, const struct ab_wait *w,
		  const char *serial, const char *command,
		  struct ab_shell_result *result, GError **error);
/* The same with @input (any bytes) on stdin; needs shell_v2. */
bool ab_adb_shell_input(struct ab_adb *adb, const struct ab_wait *w,
			const char *serial, const char *command,
			const char *input, size_t input_len,
			struct ab_shell_result *result, GError **error);
/*
 * Run @command, which must exit 0; returns its stdout (caller frees), or NULL
 * with AB_ERROR_REMOTE that quotes status and stderr.
 */
char *ab_adb_shell_text(struct ab_adb *adb, const struct ab_wait *w,
			const char *serial, const char *command,
			GError **error);

/* A command that goes on: logcat.  Its end is an error. */
struct ab_adb_stream;
struct ab_adb_stream *ab_adb_shell_stream(struct ab_adb *adb,
					  const struct ab_wait *w,
					  const char *serial,
					  const char *command, GError **error);
/* The next line of stdout without its end (caller frees). */
char *ab_adb_stream_line(struct ab_adb_stream *stream, const struct ab_wait *w,
			 GError **error);
void ab_adb_stream_close(struct ab_adb_stream *stream);
AB_DEFINE_AUTO(ab_adb_stream, ab_adb_stream_close)

/* ---- files ---- */

/*
 * Copy a file from / to the device.  The size is compared with what the
 * device says; the local file appears, whole and 0600, by rename only.
 * @size_out may be NULL.
 */
bool ab_adb_pull(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, const char *remote, const char *local,
		 guint64 *size_out, GError **error);
bool ab_adb_push(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, const char *local, const char *remote,
		 int mode, GError **error);

/* ---- state ---- */

/*
 * Wait until the device is in @state ("device", "disconnect", "recovery",
 * "bootloader").  A TCP device (serial is an address) is re-connected
 * explicitly when it is away: the server gives up after a while.
 */
bool ab_adb_wait_state(struct ab_adb *adb, const struct ab_wait *w,
		       const char *serial, const char *state, GError **error);
/*
 * Make adbd run as root (or, with @root false, as shell); waits for the
 * device to be back and verifies with `id -u`.  @was_root_out (may be NULL)
 * gets the state before.  AB_ERROR_REMOTE when the build does not allow it.
 */
bool ab_adb_root(struct ab_adb *adb, const struct ab_wait *w,
		 const char *serial, bool root, bool *was_root_out,
		 GError **error);
/* @target: "", "bootloader" or "fastboot".  Waits until adb has lost it. */
bool ab_adb_reboot(struct ab_adb *adb, const struct ab_wait *w,
		   const char *serial, const char *target, GError **error);

#endif
