// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the core: who, when, which kernel, reboot.
#include "core.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define KILLED (128 + SIGTERM)

static const char *user_name(int uid)
{
	if (uid == VP_UID_ROOT)
		return "root";
	return uid == VP_UID_SHELL ? "shell" : "nobody";
}

static int cmd_whoami(struct vp_call *call)
{
	vp_print(call->out, "%s\n", user_name(call->uid));
	return 0;
}

static int cmd_id(struct vp_call *call)
{
	const char *option = call->argc > 1 ? call->argv[1] : "";
	const char *name = user_name(call->uid);

	if (g_str_equal(option, "-u") || g_str_equal(option, "-g"))
		vp_print(call->out, "%d\n", call->uid);
	else if (g_str_equal(option, "-un") || g_str_equal(option, "-gn"))
		vp_print(call->out, "%s\n", name);
	else if (call->uid == VP_UID_ROOT)
		vp_print(call->out,
			 "uid=0(root) gid=0(root) groups=0(root),1004(input),"
			 "1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),"
			 "3001(net_bt_admin),3009(readproc) "
			 "context=u:r:su:s0\n");
	else
		vp_print(call->out,
			 "uid=%d(%s) gid=%d(%s) groups=%d(%s),1004(input),"
			 "1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),"
			 "3001(net_bt_admin),3009(readproc) "
			 "context=u:r:shell:s0\n",
			 call->uid, name, call->uid, name, call->uid, name);
	return 0;
}

/* The command's end, or the end of whoever waits for it. */
static int wait_child(struct vp_call *call, struct vp_child *child)
{
	struct pollfd p[] = { { .fd = child->status_fd, .events = POLLIN },
			      { .fd = call->peer, .events = POLLIN } };

	while (poll(p, 2, -1) >= 0 && !p[0].revents)
		if (p[1].revents) {
			vp_child_signal(call->vp, child, SIGTERM);
			p[1].fd = -1;
		}
	return vp_child_wait(child);
}

static int run_as(struct vp_call *call, int uid, const char *const *argv)
{
	struct vp_spawn spawn = { .argv = argv,
				  .cwd = call->cwd,
				  .uid = uid,
				  .in = call->in,
				  .out = call->out,
				  .err = call->err };
	struct vp_child child;

	if (!vp_spawn(call->vp, &spawn, &child)) {
		vp_print(call->err, "su: cannot start %s\n", argv[0]);
		return 1;
	}
	return wait_child(call, &child);
}

static int parse_user(const char *s)
{
	if (g_str_equal(s, "root") || g_str_equal(s, "0"))
		return VP_UID_ROOT;
	if (g_str_equal(s, "shell") || g_str_equal(s, "2000"))
		return VP_UID_SHELL;
	return -1;
}

/* su [USER] [-c COMMAND | PROGRAM ARGUMENT...] */
static int cmd_su(struct vp_call *call)
{
	const char *shell[] = { "/system/bin/sh", NULL, NULL, NULL };
	const char *program[] = { "/system/bin/sh", "-c", "exec \"$@\"", "su" };
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int uid = VP_UID_ROOT, i = 1;

	if (!call->vp->rooted) {
		vp_print(call->err, "/system/bin/sh: su: inaccessible or not "
				    "found\n");
		return 127;
	}
	if (i < call->argc && call->argv[i][0] != '-') {
		uid = parse_user(call->argv[i++]);
		if (uid < 0) {
			vp_print(call->err, "su: invalid uid/gid '%s'\n",
				 call->argv[i - 1]);
			return 1;
		}
	}
	if (i >= call->argc)
		return run_as(call, uid, shell);
	if (g_str_equal(call->argv[i], "-c") && i + 1 < call->argc) {
		if (vp_fault_seen(call->vp, VP_FAULT_SU_AOSP)) {
			vp_print(call->err, "su: failed to exec -c: No such "
					    "file or directory\n");
			return 1;
		}
		shell[1] = "-c";
		shell[2] = call->argv[i + 1];
		return run_as(call, uid, shell);
	}
	for (size_t k = 0; k < G_N_ELEMENTS(program); k++)
		g_ptr_array_add(argv, (gpointer)program[k]);
	for (; i < call->argc; i++)
		g_ptr_array_add(argv, call->argv[i]);
	g_ptr_array_add(argv, NULL);
	return run_as(call, uid, (const char *const *)argv->pdata);
}

/* "1.5", "2m": as toybox; -1 when it is no time. */
static double parse_seconds(const char *s)
{
	static const char units[] = "smhd";
	static const double factors[] = { 1, 60, 3600, 86400 };
	char *end;
	double n = g_ascii_strtod(s, &end);
	const char *unit = *end ? strchr(units, *end) : units;

	if (end == s || n < 0 || !unit || (*end && end[1]))
		return -1;
	return n * factors[unit - units];
}

static int cmd_sleep(struct vp_call *call)
{
	double total = 0, unit = 1;

	if (g_str_equal(call->argv[0], "usleep"))
		unit = 1e-6;
	for (int i = 1; i < call->argc; i++) {
		double s = parse_seconds(call->argv[i]);

		if (s < 0) {
			vp_print(call->err, "%s: '%s' is not a time\n",
				 call->argv[0], call->argv[i]);
			return 1;
		}
		total += s * unit;
	}
	if (call->argc < 2) {
		vp_print(call->err, "%s: needs 1 argument\n", call->argv[0]);
		return 1;
	}
	return vp_call_sleep(call, (gint64)(total * (double)VP_NSEC)) ? 0
								      : KILLED;
}

/* %N is not strftime's: nanoseconds, as toybox has it. */
static char *expand_nanoseconds(const char *format, gint64 ns)
{
	GString *out = g_string_new(NULL);

	for (const char *p = format; *p; p++) {
		if (p[0] == '%' && p[1] == 'N') {
			g_string_append_printf(out, "%09d",
					       (int)(ns % VP_NSEC));
			p++;
		} else {
			g_string_append_c(out, *p);
			if (p[0] == '%' && p[1])
				g_string_append_c(out, *++p);
		}
	}
	return g_string_free(out, FALSE);
}

static int cmd_date(struct vp_call *call)
{
	const char *format = "%a %b %e %H:%M:%S UTC %Y";
	gint64 ns = vp_realtime_ns(call->vp);
	g_autoptr(GDateTime) when = NULL;
	g_autofree char *expanded = NULL;
	g_autofree char *text = NULL;

	for (int i = 1; i < call->argc; i++) {
		const char *arg = call->argv[i];

		if (arg[0] == '+') {
			format = arg + 1;
		} else if (g_str_equal(arg, "-d") && i + 1 < call->argc &&
			   call->argv[i + 1][0] == '@') {
			ns = g_ascii_strtoll(call->argv[++i] + 1, NULL, 10) *
			     VP_NSEC;
		} else if (!g_str_equal(arg, "-u")) {
			vp_print(call->err, "date: cannot set date: Operation "
					    "not permitted\n");
			return 1;
		}
	}
	when = g_date_time_new_from_unix_utc(ns / VP_NSEC);
	expanded = expand_nanoseconds(format, ns);
	text = when ? g_date_time_format(when, expanded) : NULL;
	vp_print(call->out, "%s\n", text ? text : "");
	return 0;
}

static int cmd_uptime(struct vp_call *call)
{
	gint64 minutes = vp_now_ns(call->vp) / VP_NSEC / 60;
	gint64 day = vp_realtime_ns(call->vp) / VP_NSEC % 86400;

	vp_print(call->out,
		 " %02d:%02d:%02d up %d min,  0 users,  load average: 0.92, "
		 "0.84, 0.71\n",
		 (int)(day / 3600), (int)(day / 60 % 60), (int)(day % 60),
		 (int)minutes);
	return 0;
}

/* Field @letter of uname for "Linux version RELEASE (...) #N ...". */
static char *uname_field(const char *banner, char letter)
{
	g_auto(GStrv) words = g_strsplit(banner, " ", 4);
	const char *version = strstr(banner, " #");

	switch (letter) {
	case 'n':
		return g_strdup("localhost");
	case 'r':
		return g_strdup(words[2]);
	case 'v':
		return g_strdup(version ? version + 1 : "");
	case 'm':
		return g_strdup("aarch64");
	case 'o':
		return g_strdup("Toybox");
	default:
		return g_strdup("Linux");
	}
}

static int cmd_uname(struct vp_call *call)
{
	g_autoptr(GString) wanted = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *banner = NULL;

	g_mutex_lock(&call->vp->lock);
	banner = g_strdup(call->vp->kernel_banner);
	g_mutex_unlock(&call->vp->lock);
	for (int i = 1; i < call->argc; i++)
		if (call->argv[i][0] == '-')
			g_string_append(wanted, call->argv[i] + 1);
	if (strchr(wanted->str, 'a'))
		g_string_assign(wanted, "snrvmo");
	for (const char *p = "snrvmo"; *p; p++) {
		g_autofree char *field = uname_field(banner, *p);

		if (strchr(wanted->len ? wanted->str : "s", *p))
			g_string_append_printf(out, "%s%s", out->len ? " " : "",
					       field);
	}
	vp_print(call->out, "%s\n", out->str);
	return 0;
}

/* Returns only when the reboot ends it, as on a phone. */
static int cmd_reboot(struct vp_call *call)
{
	vp_reboot(call->vp, call->argc > 1 ? call->argv[1] : "");
	vp_call_sleep(call, 60 * VP_NSEC);
	return KILLED;
}

const struct vp_command vp_commands_core[] = {
	{ "date", cmd_date },	  { "id", cmd_id },
	{ "reboot", cmd_reboot }, { "sleep", cmd_sleep },
	{ "su", cmd_su },	  { "uname", cmd_uname },
	{ "uptime", cmd_uptime }, { "usleep", cmd_sleep },
	{ "whoami", cmd_whoami }, { NULL, NULL },
};
