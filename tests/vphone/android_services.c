// SPDX-License-Identifier: GPL-3.0-or-later
/* Services of cmd that say little: statusbar, the radios and others. */
#include "android.h"

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

static int statusbar(struct vp_call *call)
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

const struct vp_command vp_small_services[] = {
	{ "bluetooth_manager", bluetooth_manager },
	{ "connectivity", connectivity },
	{ "deviceidle", deviceidle },
	{ "jobscheduler", jobscheduler },
	{ "location", location },
	{ "statusbar", statusbar },
	{ "uimode", uimode },
	{ "wifi", wifi },
	{ NULL, NULL },
};
