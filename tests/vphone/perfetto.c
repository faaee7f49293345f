// SPDX-License-Identifier: GPL-3.0-or-later
/* The perfetto command: a recording of what the phone does meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"
#include "model.h"
#include "perfetto.h"

#define TRACES_DIR "/data/misc/perfetto-traces/"
#define CONFIGS_DIR "/data/misc/perfetto-configs/"
#define MAX_CONFIG (1u << 20)
#define START_NS (500 * VP_MSEC) /* until all data sources run */
#define FLUSH_NS (100 * VP_MSEC)
#define TERMINATED 143
#define ADB_GAP_S 2

struct options {
	char *config, *out, *time;
	gboolean text, background, wait, version;
	char **rest; /* events and categories, without a configuration */
};

static bool complain(const struct vp_call *call, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

static bool complain(const struct vp_call *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	vp_print(call->err, "%s\n", text);
	return false;
}

static bool parse_options(struct vp_call *call, struct options *o)
{
	const GOptionEntry entries[] = {
		{ "config", 'c', 0, G_OPTION_ARG_FILENAME, &o->config, NULL,
		  NULL },
		{ "out", 'o', 0, G_OPTION_ARG_FILENAME, &o->out, NULL, NULL },
		{ "txt", 0, 0, G_OPTION_ARG_NONE, &o->text, NULL, NULL },
		{ "time", 't', 0, G_OPTION_ARG_STRING, &o->time, NULL, NULL },
		{ "background", 'd', 0, G_OPTION_ARG_NONE, &o->background, NULL,
		  NULL },
		{ "background-wait", 'D', 0, G_OPTION_ARG_NONE, &o->wait, NULL,
		  NULL },
		{ "version", 0, 0, G_OPTION_ARG_NONE, &o->version, NULL, NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->rest,
		  NULL, NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) argv = g_strdupv(call->argv);

	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse_strv(context, &argv, &error))
		return complain(call, "perfetto: %s", error->message);
	if (o->wait && vp_fault_seen(call->vp, VP_FAULT_PERFETTO_OLD))
		return complain(call,
				"perfetto: unknown option -- background-wait");
	if (o->version)
		return true;
	if (!o->out)
		return complain(call, "--out must be specified");
	if (!o->config && !o->time && !o->rest)
		return complain(call, "--config or --time must be specified");
	if (o->config && (o->time || o->rest))
		return complain(call, "Cannot specify both -c/--config and any "
				      "of --time, ATRACE_CAT, FTRACE_GROUP");
	if (o->config && !o->text)
		return complain(call,
				"The trace config is invalid, bailing out.");
	return true;
}

static gint64 time_ms(const char *text)
{
	char *end;
	gint64 n = g_ascii_strtoll(text, &end, 10);

	if (strcmp(end, "ms") == 0)
		return n;
	if (strcmp(end, "m") == 0)
		return n * 60000;
	return n * 1000;
}

/* `perfetto -o FILE -t 5s sched freq`: what the command makes of that. */
static char *light_config(const struct options *o)
{
	g_autoptr(GString) text = g_string_new("buffers { size_kb: 32768 }\n");

	g_string_append_printf(text, "duration_ms: %" G_GINT64_FORMAT "\n",
			       o->time ? time_ms(o->time) : 10000);
	g_string_append(text, "data_sources { config { name: \"linux.ftrace\" "
			      "ftrace_config {\n");
	for (char **arg = o->rest; arg && *arg; arg++) {
		g_autofree char *quoted = g_strescape(*arg, NULL);
		g_string_append_printf(text, "%s: \"%s\"\n",
				       strchr(*arg, '/') ? "ftrace_events"
							 : "atrace_categories",
				       quoted);
	}
	g_string_append(text, "} } }\ndata_sources { config { name: "
			      "\"linux.process_stats\" } }\n");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *read_config(struct vp_call *call, const struct options *o)
{
	char *text = NULL;
	int saved = EACCES; /* its security label hides other files from it */

	if (!o->config)
		return light_config(o);
	if (strcmp(o->config, "-") == 0)
		return vp_read_all(call->in, MAX_CONFIG);
	if (g_str_has_prefix(o->config, CONFIGS_DIR)) {
		g_autofree char *path = vp_root_path(call, o->config);
		errno = 0;
		if (g_file_get_contents(path, &text, NULL, NULL))
			return text;
		saved = errno ? errno : ENOENT;
	}
	complain(call, "Could not open %s (errno: %d, %s)", o->config, saved,
		 g_strerror(saved));
	return NULL;
}

/* The caller's rights, which the phone's program has to apply itself. */
static int open_as(const struct vp_call *call, const char *path)
{
	struct stat st;

	if (call->vp->core->real_uids && call->uid != VP_UID_ROOT &&
	    stat(path, &st) == 0 && st.st_uid != (uid_t)call->uid) {
		errno = EACCES;
		return -1;
	}
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0 && call->vp->core->real_uids &&
	    fchown(fd, (uid_t)call->uid, (gid_t)call->uid) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int open_output(const struct vp_call *call, const char *out)
{
	g_autofree char *path = NULL;
	int fd = -1;

	errno = EACCES;
	if (g_str_has_prefix(out, TRACES_DIR) && !strstr(out, "/../")) {
		path = vp_root_path(call, out);
		fd = open_as(call, path);
	}
	if (fd < 0)
		complain(call,
			 "Failed to open %s. If you get permission denied in "
			 "/data/misc/perfetto-traces, the file might have been "
			 "created by another user, try deleting it first. "
			 "(errno: %d, %s)",
			 out, errno, g_strerror(errno));
	return fd;
}

/* A recording that runs. */
struct session {
	struct vp_call *call;
	struct vp_config config;
	const char *out;
	int fd;
	int boot_number;
	gint64 begin_ns, started_ns;
	guint64 run_seed;
	bool truncated;
};

/* What the phone did, copied so that it can be looked at without its lock. */
struct snapshot {
	struct vp_boot boot;
	struct vp_model model;
	GArray *acts, *marks;
	gint64 end_ns, realtime_ns, mono_offset_ns;
	int skin_mc;
	bool charging;
	char *release, *version;
};

static void session_begin(struct session *s)
{
	struct vphone *vp = s->call->vp;
	int gap_s = ADB_GAP_S;

	g_mutex_lock(&vp->lock);
	s->boot_number = vp->boot_number;
	s->begin_ns = vp_now_ns(vp);
	s->run_seed = vp_mix(vp->boot.seed, (guint64)vp->traces++);
	s->config.wants.lost = vp_fault_take(vp, VP_FAULT_TRACE_LOST, NULL);
	s->truncated = vp_fault_take(vp, VP_FAULT_TRACE_TRUNCATED, NULL);
	bool drop = vp_fault_take(vp, VP_FAULT_ADB_DROP, &gap_s);
	bool reboot = vp_fault_take(vp, VP_FAULT_REBOOT, NULL);
	vp->tracing++;
	g_mutex_unlock(&vp->lock);
	if (drop)
		vp_adb_drop(vp, MAX(gap_s, 1) * VP_NSEC);
	if (reboot)
		vp_reboot(vp, "");
}

static void session_end(struct session *s)
{
	struct vphone *vp = s->call->vp;

	g_mutex_lock(&vp->lock);
	if (vp->boot_number == s->boot_number && vp->tracing > 0)
		vp->tracing--;
	g_mutex_unlock(&vp->lock);
}

/* "Linux version RELEASE (...) #1 SMP ...": cut as uname does. */
static void split_banner(const char *banner, struct snapshot *snap)
{
	const char *prefix = "Linux version ";
	const char *release = g_str_has_prefix(banner, prefix)
				      ? banner + strlen(prefix)
				      : banner;
	const char *version = strstr(release, " #");

	snap->release = g_strndup(release, strcspn(release, " "));
	snap->version = g_strchomp(g_strdup(version ? version + 1 : ""));
}

static GArray *copy_marks(const GArray *marks)
{
	GArray *copy = g_array_copy((GArray *)marks);

	for (guint i = 0; i < copy->len; i++) {
		struct vp_mark *mark = &g_array_index(copy, struct vp_mark, i);
		mark->text = g_strdup(mark->text);
	}
	return copy;
}

/* False when the phone is no longer in the boot in which it began. */
static bool take_snapshot(const struct session *s, struct snapshot *snap)
{
	struct vphone *vp = s->call->vp;

	g_mutex_lock(&vp->lock);
	bool same = vp->boot_number == s->boot_number && vp->mode == VP_ANDROID;
	if (same) {
		snap->boot = vp->boot;
		snap->model = *vp->boot.model;
		snap->boot.model = &snap->model;
		snap->acts = g_array_copy(vp->acts);
		snap->marks = copy_marks(vp->marks);
		snap->end_ns = vp_now_ns(vp);
		snap->mono_offset_ns = vp_mono_offset_ns(vp);
		snap->realtime_ns =
			vp_realtime_ns(vp) - (snap->end_ns - s->begin_ns);
		snap->skin_mc = vp_skin_now_mc(vp);
		snap->charging = !vp->charging_held ||
				 vp_fault_on(vp, VP_FAULT_CHARGING, NULL);
		split_banner(vp->kernel_banner, snap);
	}
	g_mutex_unlock(&vp->lock);
	return same;
}

static void snapshot_clear(struct snapshot *snap)
{
	for (guint i = 0; i < snap->marks->len; i++)
		g_free(g_array_index(snap->marks, struct vp_mark, i).text);
	g_array_unref(snap->marks);
	g_array_unref(snap->acts);
	g_free(snap->release);
	g_free(snap->version);
}

static GByteArray *build(const struct session *s, const struct snapshot *snap)
{
	struct vp_trace_request rq = s->config.wants;

	rq.boot = &snap->boot;
	rq.acts = (const struct vp_act *)snap->acts->data;
	rq.n_acts = snap->acts->len;
	rq.begin_ns = s->begin_ns;
	rq.started_ns = s->started_ns;
	rq.end_ns = snap->end_ns;
	rq.mono_offset_ns = snap->mono_offset_ns;
	rq.realtime_ns = snap->realtime_ns;
	rq.skin_mc = snap->skin_mc;
	rq.charging = snap->charging;
	rq.uname_release = snap->release;
	rq.uname_version = snap->version;
	rq.fingerprint = s->call->vp->hw->fingerprint;
	rq.marks = (const struct vp_mark *)snap->marks->data;
	rq.n_marks = snap->marks->len;
	rq.config_pb = (const char *)s->config.pb->data;
	rq.config_pb_len = s->config.pb->len;
	if (s->config.unknown->len > 1)
		rq.unknown_events = (char *const *)s->config.unknown->pdata;
	rq.run_seed = s->run_seed;
	return vp_trace_build(&rq);
}

static int write_file(struct session *s)
{
	struct snapshot snap = { 0 };

	if (!take_snapshot(s, &snap))
		return TERMINATED;
	g_autoptr(GByteArray) pb = build(s, &snap);
	snapshot_clear(&snap);
	size_t len = s->truncated ? pb->len * 3 / 5 : pb->len;
	if (!vp_write_full(s->fd, pb->data, len)) {
		complain(s->call, "Failed to write %s (errno: %d, %s)", s->out,
			 errno, g_strerror(errno));
		return 1;
	}
	complain(s->call, "Wrote %zu bytes into %s", len, s->out);
	return 0;
}

/* After an interrupted pause: was it asked to stop, or is it dead? */
static bool asked_to_stop(const struct vp_call *call)
{
	guint8 sig;

	return recv(call->peer, &sig, 1, MSG_DONTWAIT) == 1 &&
	       (sig == SIGINT || sig == SIGTERM);
}

static int record(struct session *s)
{
	struct vp_call *call = s->call;
	gint64 dur_ns = s->config.duration_ns;
	bool whole = true;

	do
		whole = vp_call_sleep(call, dur_ns ? dur_ns : 60 * VP_NSEC);
	while (whole && !dur_ns);
	if (!whole && !asked_to_stop(call))
		return TERMINATED;
	if (!vp_call_sleep(call, FLUSH_NS) && !asked_to_stop(call))
		return TERMINATED;
	return write_file(s);
}

static void note_start(struct session *s)
{
	g_mutex_lock(&s->call->vp->lock);
	s->started_ns = vp_now_ns(s->call->vp);
	g_mutex_unlock(&s->call->vp->lock);
}

static int run_session(struct session *s, const struct options *o)
{
	struct vp_call *call = s->call;
	pid_t pid = 0;

	if (o->background || o->wait) {
		pid = vp_call_detach(call);
		if (pid < 0)
			return 1;
	} else {
		complain(call,
			 "Connected to the Perfetto traced service, starting "
			 "tracing for %" G_GINT64_FORMAT " ms",
			 s->config.duration_ns / VP_MSEC);
	}
	session_begin(s);
	if (pid && !o->wait) {
		vp_print(call->out, "%d\n", (int)pid);
		vp_call_release(call, 0);
	}
	if (!vp_call_sleep(call, START_NS) && !asked_to_stop(call))
		return TERMINATED;
	note_start(s);
	if (pid && o->wait) {
		vp_print(call->out, "%d\n", (int)pid);
		vp_call_release(call, 0);
	}
	return record(s);
}

static int configured(struct vp_call *call, const struct options *o,
		      const char *text)
{
	struct session s = { .call = call, .out = o->out };
	g_autoptr(GError) error = NULL;
	int status = 1;

	if (!vp_config_parse(&s.config, o->config ? o->config : "-", text,
			     &error)) {
		complain(call, "%s", error->message);
	} else if ((s.fd = open_output(call, o->out)) >= 0) {
		status = run_session(&s, o);
		session_end(&s);
		close(s.fd);
	}
	vp_config_clear(&s.config);
	return status;
}

static int cmd_perfetto(struct vp_call *call)
{
	struct options o = { 0 };
	int status = 1;

	if (parse_options(call, &o)) {
		g_autofree char *text = NULL;
		if (o.version) {
			vp_print(call->out, "Perfetto v47.0 (N/A)\n");
			status = 0;
		} else if ((text = read_config(call, &o))) {
			status = configured(call, &o, text);
		}
	}
	g_free(o.config);
	g_free(o.out);
	g_free(o.time);
	g_strfreev(o.rest);
	return status;
}

const struct vp_command vp_commands_perfetto[] = {
	{ "perfetto", cmd_perfetto },
	{ NULL, NULL },
};
