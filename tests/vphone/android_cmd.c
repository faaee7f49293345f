// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd: which service gets the words, and the services that say little. */
#include "android.h"

#include <string.h>

const char *vp_arg(const struct vp_call *call, int i)
{
	return i >= 0 && i < call->argc ? call->argv[i] : NULL;
}

struct vp_call vp_shift(const struct vp_call *call)
{
	struct vp_call rest = *call;

	rest.argc--;
	rest.argv++;
	return rest;
}

int vp_subcommand(struct vp_call *call, const struct vp_command *table,
		  vp_command_fn unknown)
{
	const char *name = vp_arg(call, 1);
	struct vp_call rest;

	for (; name && table->name; table++) {
		if (!vp_is(table->name, name))
			continue;
		rest = vp_shift(call);
		return table->run(&rest);
	}
	return unknown(call);
}

bool vp_parse_bool(const char *text, bool *value_out)
{
	static const char *const yes[] = { "true",   "1",	"on",
					   "enable", "enabled", NULL };
	static const char *const no[] = { "false",   "0",	 "off",
					  "disable", "disabled", NULL };

	if (!text)
		return false;
	*value_out = g_strv_contains(yes, text);
	return *value_out || g_strv_contains(no, text);
}

/* ---- statusbar: says nothing, whatever happens ---- */

static int expand(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_shade_open(call->vp, 0);
	if (vp_is(call->argv[0], "expand-settings"))
		call->vp->android->quick_settings = true;
	return 0;
}

static int collapse(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_shade_close(call->vp, 0);
	return 0;
}

static int send_disable_flag(struct vp_call *call)
{
	static const struct {
		const char *word;
		int flag1, flag2;
	} flags[] = {
		{ "search", 0x2000000, 0 },
		{ "home", 0x200000, 0 },
		{ "recents", 0x1000000, 0 },
		{ "notification-alerts", 0x40000, 0 },
		{ "statusbar-expansion", 0x10000, 0 },
		{ "system-icons", 0x100000, 0 },
		{ "clock", 0x800000, 0 },
		{ "notification-icons", 0x20000, 0 },
		{ "quick-settings", 0, 1 },
	};
	struct vp_android *a = call->vp->android;

	VP_LOCKED(call->vp);
	a->disable1 = a->disable2 = 0;
	for (int i = 1; i < call->argc; i++)
		for (size_t f = 0; f < G_N_ELEMENTS(flags); f++) {
			if (!vp_is(call->argv[i], flags[f].word))
				continue;
			a->disable1 |= flags[f].flag1;
			a->disable2 |= flags[f].flag2;
		}
	return 0;
}

static int silence(struct vp_call *call)
{
	(void)call;
	return 0;
}

static int statusbar_help(struct vp_call *call)
{
	const char *word = vp_arg(call, 1);

	/* An unknown word goes to SystemUI, which shrugs. */
	if (word && !vp_is(word, "help"))
		return 0;
	vp_print(call->out,
		 "Status bar commands:\n"
		 "  help\n    Print this help text.\n\n"
		 "  expand-notifications\n"
		 "    Open the notifications panel.\n\n"
		 "  expand-settings\n"
		 "    Open the notifications panel and expand quick settings "
		 "if present.\n\n"
		 "  collapse\n"
		 "    Collapse the notifications and settings panel.\n\n"
		 "  send-disable-flag FLAG...\n"
		 "        Valid options are:\n"
		 "          search, home, recents, notification-peek,\n"
		 "          statusbar-expansion, system-icons, clock,\n"
		 "          notification-icons, quick-settings\n");
	return word ? 0 : 255;
}

int vp_cmd_statusbar(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "expand-notifications", expand },
		{ "expand-settings", expand },
		{ "collapse", collapse },
		{ "send-disable-flag", send_disable_flag },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, statusbar_help);
}

/* ---- radios ---- */

static int print_help(struct vp_call *call)
{
	vp_print(call->out, "%s commands:\n  help\n    Print this help text.\n",
		 call->argv[0]);
	return 255;
}

static int set_global(struct vp_call *call, const char *key, bool on)
{
	VP_LOCKED(call->vp);
	vp_setting_set(call->vp, VP_GLOBAL, key, on ? "1" : "0");
	return 0;
}

static bool get_global(struct vp_call *call, const char *key)
{
	VP_LOCKED(call->vp);
	return vp_setting_number(call->vp, VP_GLOBAL, key, 0) > 0;
}

/*
 * Airplane mode switches the radios off, but not Wi-Fi: this build has the
 * enhanced mode that remembers a Wi-Fi kept on.
 */
static int airplane_mode(struct vp_call *call)
{
	const char *word = vp_arg(call, 1);
	bool on;

	if (!word) {
		vp_print(call->out, get_global(call, "airplane_mode_on")
					    ? "enabled\n"
					    : "disabled\n");
		return 0;
	}
	if (!vp_parse_bool(word, &on))
		return print_help(call);
	return set_global(call, "airplane_mode_on", on);
}

static int connectivity(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "airplane-mode", airplane_mode },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int wifi_status(struct vp_call *call)
{
	bool on = get_global(call, "wifi_on");

	vp_print(call->out, "Wifi is %s\n", on ? "enabled" : "disabled");
	if (on)
		vp_print(call->out,
			 "Wifi scanning is only available when wifi is "
			 "enabled\nWifi is not connected\n");
	return 0;
}

static int wifi_set(struct vp_call *call)
{
	bool on;

	if (!vp_parse_bool(vp_arg(call, 1), &on))
		return print_help(call);
	return set_global(call, "wifi_on", on);
}

static int wifi(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "status", wifi_status },
		{ "set-wifi-enabled", wifi_set },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int bluetooth_switch(struct vp_call *call)
{
	bool on = vp_is(call->argv[0], "enable");

	set_global(call, "bluetooth_on", on);
	vp_print(call->out, "%s: Success\n", call->argv[0]);
	return 0;
}

static int bluetooth_manager(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "enable", bluetooth_switch },
		{ "disable", bluetooth_switch },
		{ "wait-for-state:STATE_OFF", silence },
		{ "wait-for-state:STATE_ON", silence },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int location_set(struct vp_call *call)
{
	bool on;

	if (!vp_parse_bool(vp_arg(call, 1), &on))
		return print_help(call);
	VP_LOCKED(call->vp);
	vp_setting_set(call->vp, VP_SECURE, "location_mode", on ? "3" : "0");
	return 0;
}

static int location_get(struct vp_call *call)
{
	bool on;

	{
		VP_LOCKED(call->vp);
		on = vp_setting_number(call->vp, VP_SECURE, "location_mode",
				       0) > 0;
	}
	vp_print(call->out, on ? "true\n" : "false\n");
	return 0;
}

static int location(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "set-location-enabled", location_set },
		{ "is-location-enabled", location_get },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int jobscheduler(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "cancel", silence },	{ "run", silence },
		{ "timeout", silence }, { "monitor-battery", silence },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int deviceidle(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "force-idle", silence },
		{ "unforce", silence },
		{ "disable", silence },
		{ "enable", silence },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static int uimode_night(struct vp_call *call)
{
	const char *word = vp_arg(call, 1);
	bool on = false;

	if (word && !vp_parse_bool(word[0] == 'y'   ? "true"
				   : word[0] == 'n' ? "false"
						    : word,
				   &on))
		return print_help(call);
	if (word) {
		VP_LOCKED(call->vp);
		vp_setting_set(call->vp, VP_SECURE, "ui_night_mode",
			       on ? "2" : "1");
	} else {
		VP_LOCKED(call->vp);
		on = vp_setting_number(call->vp, VP_SECURE, "ui_night_mode",
				       1) > 1;
	}
	vp_print(call->out, "Night mode: %s\n", on ? "yes" : "no");
	return 0;
}

static int uimode(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "night", uimode_night },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, print_help);
}

static const struct vp_command services[] = {
	{ "activity", vp_cmd_am },
	{ "bluetooth_manager", bluetooth_manager },
	{ "connectivity", connectivity },
	{ "device_config", vp_cmd_device_config },
	{ "deviceidle", deviceidle },
	{ "display", vp_cmd_display },
	{ "input", vp_cmd_input },
	{ "jobscheduler", jobscheduler },
	{ "location", location },
	{ "lock_settings", vp_cmd_locksettings },
	{ "notification", vp_cmd_notification },
	{ "package", vp_cmd_pm },
	{ "power", vp_cmd_power },
	{ "settings", vp_cmd_settings },
	{ "statusbar", vp_cmd_statusbar },
	{ "thermalservice", vp_cmd_thermalservice },
	{ "uimode", uimode },
	{ "wifi", wifi },
	{ "window", vp_cmd_wm },
	{ NULL, NULL },
};

/* Commands of their own that are scripts around `cmd SERVICE`. */
static const struct {
	const char *command, *service;
} scripts[] = {
	{ "am", "activity" }, { "device_config", "device_config" },
	{ "input", "input" }, { "locksettings", "lock_settings" },
	{ "pm", "package" },  { "settings", "settings" },
	{ "wm", "window" },
};

static int no_service(struct vp_call *call)
{
	const char *name = vp_arg(call, 1);

	if (!name) {
		vp_print(call->err, "cmd: No service specified; use -l to list "
				    "all running services. Use -w to start "
				    "and wait for a polled service.\n");
		return 20;
	}
	vp_print(call->err, "cmd: Can't find service: %s\n", name);
	return 20;
}

static int list_services(struct vp_call *call)
{
	vp_print(call->out, "Currently running services:\n");
	for (size_t i = 0; services[i].name; i++)
		vp_print(call->out, "  %s\n", services[i].name);
	return 0;
}

/* Before the system server is up nobody has registered. */
static bool services_up(struct vphone *vp)
{
	VP_LOCKED(vp);
	vp_android_settle(vp);
	return vp_boot_completed(vp);
}

int vp_cmd_cmd(struct vp_call *call)
{
	struct vp_call rest = *call;

	if (vp_arg(&rest, 1) && vp_is(rest.argv[1], "-w"))
		rest = vp_shift(&rest);
	if (!services_up(call->vp))
		return no_service(&rest);
	if (vp_is(vp_arg(&rest, 1), "-l"))
		return list_services(call);
	return vp_subcommand(&rest, services, no_service);
}

int vp_cmd_script(struct vp_call *call)
{
	g_autofree char **argv = g_new0(char *, (gsize)call->argc + 2);
	struct vp_call cmd = *call;

	memcpy(argv + 1, call->argv, sizeof(*argv) * (gsize)call->argc);
	for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++)
		if (vp_is(scripts[i].command, call->argv[0]))
			argv[1] = (char *)scripts[i].service;
	cmd.argv = argv;
	cmd.argc++;
	return vp_cmd_cmd(&cmd);
}

/* ---- service call: numbers of this build only ---- */

/* The word after the @n-th `s16` or `i32`. */
static const char *parcel_arg(const struct vp_call *call, int n)
{
	int i = 5 + 2 * n;

	return vp_arg(call, i) ? call->argv[i] : "";
}

static void print_parcel_ok(struct vp_call *call)
{
	vp_print(call->out, "Result: Parcel(00000000    '....')\n");
}

/* cancelAllNotifications(String pkg, int userId) */
static int call_notification(struct vp_call *call)
{
	const char *package = parcel_arg(call, 0);

	if (call->uid != 0 && !vp_is(package, "com.android.shell")) {
		vp_print(call->out,
			 "Result: Parcel(\n"
			 "  0x00000000: ffffffff 00000031 00430061 006c006c "
			 "'....1...a.C.l.l.'\n"
			 "  0x00000010: 006e0069 00200067 00690075 00200064 "
			 "'i.n.g. .u.i.d. .')\n");
		return 0;
	}
	{
		VP_LOCKED(call->vp);
		vp_notifications_cancel(call->vp, package);
	}
	print_parcel_ok(call);
	return 0;
}

int vp_cmd_service(struct vp_call *call)
{
	const char *verb = vp_arg(call, 1), *name = vp_arg(call, 2);
	const char *code = vp_arg(call, 3);

	if (vp_is(verb, "list"))
		return list_services(call);
	if (vp_is(verb, "check") && name) {
		bool found = false;

		for (size_t i = 0; services[i].name; i++)
			found |= vp_is(services[i].name, name);
		vp_print(call->out, "Service %s: %s\n", name,
			 found ? "found" : "not found");
		return 0;
	}
	if (!vp_is(verb, "call") || !name || !code) {
		vp_print(call->err, "service: No service specified for call\n");
		return 10;
	}
	if (vp_is(name, "notification") && vp_is(code, "1"))
		return call_notification(call);
	print_parcel_ok(call);
	return 0;
}
