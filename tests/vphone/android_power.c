// SPDX-License-Identifier: GPL-3.0-or-later
/* svc, cmd power, cmd thermalservice, locksettings. */
#include "android.h"

#include <string.h>

static int usage(struct vp_call *call)
{
	vp_print(call->err, "Usage: %s: see %s help\n", call->argv[0],
		 call->argv[0]);
	return 255;
}

/* ---- svc ---- */

static int stayon(struct vp_call *call)
{
	static const struct {
		const char *word, *bits;
	} modes[] = {
		{ "true", "7" }, { "false", "0" },    { "usb", "2" },
		{ "ac", "1" },	 { "wireless", "4" }, { "dock", "8" },
	};
	const char *word = vp_arg(call, 1);

	for (size_t i = 0; word && i < G_N_ELEMENTS(modes); i++) {
		if (!vp_is(modes[i].word, word))
			continue;
		VP_LOCKED(call->vp);
		vp_setting_set(call->vp, VP_GLOBAL, "stay_on_while_plugged_in",
			       modes[i].bits);
		if (!vp_is(word, "false"))
			vp_screen_wake(call->vp);
		return 0;
	}
	return usage(call);
}

static int svc_reboot(struct vp_call *call)
{
	vp_reboot(call->vp, "");
	return 0;
}

static int svc_power(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "stayon", stayon },
		{ "reboot", svc_reboot },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, usage);
}

static int svc_radio(struct vp_call *call)
{
	static const struct {
		const char *service, *key;
	} radios[] = {
		{ "wifi", "wifi_on" },
		{ "data", "mobile_data" },
		{ "bluetooth", "bluetooth_on" },
	};
	bool on;

	if (!vp_parse_bool(vp_arg(call, 1), &on))
		return usage(call);
	VP_LOCKED(call->vp);
	for (size_t i = 0; i < G_N_ELEMENTS(radios); i++)
		if (vp_is(radios[i].service, call->argv[0]))
			vp_setting_set(call->vp, VP_GLOBAL, radios[i].key,
				       on ? "1" : "0");
	return 0;
}

static int svc_help(struct vp_call *call)
{
	vp_print(call->err,
		 "Available commands:\n"
		 "    help     Show information about the subcommands\n"
		 "    power    Control the power manager\n"
		 "    data     Control mobile data connectivity\n"
		 "    wifi     Control the Wi-Fi manager\n"
		 "    bluetooth    Control Bluetooth service\n");
	return 0;
}

int vp_cmd_svc(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "power", svc_power }, { "wifi", svc_radio },
		{ "data", svc_radio },	{ "bluetooth", svc_radio },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, svc_help);
}

/* ---- cmd power ---- */

static int set_mode(struct vp_call *call)
{
	const char *mode = vp_arg(call, 1);

	if (!mode) {
		vp_print(call->err, "Error: mode is required\n");
		return 255;
	}
	VP_LOCKED(call->vp);
	vp_setting_set(call->vp, VP_GLOBAL, "low_power",
		       !vp_is(mode, "1") ? "0" : "1");
	return 0;
}

static int set_flag(struct vp_call *call)
{
	struct vp_android *a = call->vp->android;
	bool on = false;

	/* Boolean.parseBoolean: whatever is not "true" is false. */
	if (vp_arg(call, 1))
		on = !g_ascii_strcasecmp(call->argv[1], "true");
	VP_LOCKED(call->vp);
	if (vp_is(call->argv[0], "set-fixed-performance-mode-enabled"))
		a->fixed_performance = on;
	else if (vp_is(call->argv[0], "set-adaptive-power-saver-enabled"))
		a->adaptive_saver = on;
	return 0;
}

static int wakeup(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_screen_wake(call->vp);
	return 0;
}

static int go_to_sleep(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_screen_sleep(call->vp);
	return 0;
}

static int suppress_ambient(struct vp_call *call)
{
	const char *token = vp_arg(call, 1);
	bool on = vp_is(vp_arg(call, 2), "true");

	if (!token || !vp_arg(call, 2)) {
		vp_print(call->err, "Error: expected token and boolean\n");
		return 255;
	}
	VP_LOCKED(call->vp);
	if (on)
		g_hash_table_insert(call->vp->android->ambient_tokens,
				    g_strdup(token), g_strdup("1"));
	else
		g_hash_table_remove(call->vp->android->ambient_tokens, token);
	return 0;
}

static int list_ambient(struct vp_call *call)
{
	g_autofree char *joined = NULL;

	{
		VP_LOCKED(call->vp);
		GHashTable *set = call->vp->android->ambient_tokens;
		g_autofree char **names =
			(char **)g_hash_table_get_keys_as_array(set, NULL);

		if (g_hash_table_size(set))
			joined = g_strjoinv(", ", names);
	}
	if (joined)
		vp_print(call->out, "[%s]\n", joined);
	else
		vp_print(call->out, "none\n");
	return 0;
}

static int power_help(struct vp_call *call)
{
	vp_print(call->out,
		 "Power manager (power) commands:\n"
		 "  help\n    Print this help text.\n\n"
		 "  set-adaptive-power-saver-enabled [true|false]\n"
		 "  set-fixed-performance-mode-enabled [true|false]\n"
		 "  set-mode MODE\n"
		 "  suppress-ambient-display <token> [true|false]\n"
		 "  list-ambient-display-suppression-tokens\n"
		 "  set-face-down-detector [true|false]\n"
		 "  sleep\n"
		 "  wakeup <delay>\n");
	return 255;
}

int vp_cmd_power(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "set-mode", set_mode },
		{ "set-fixed-performance-mode-enabled", set_flag },
		{ "set-adaptive-power-saver-enabled", set_flag },
		{ "set-face-down-detector", set_flag },
		{ "wakeup", wakeup },
		{ "sleep", go_to_sleep },
		{ "suppress-ambient-display", suppress_ambient },
		{ "list-ambient-display-suppression-tokens", list_ambient },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, power_help);
}

/* ---- cmd thermalservice ---- */

static int override_status(struct vp_call *call)
{
	const char *arg = vp_arg(call, 1);
	char *end = NULL;
	gint64 status = arg ? g_ascii_strtoll(arg, &end, 10) : -1;

	if (!arg || *end || status < 0 || status > 6) {
		vp_print(call->err, "Invalid status: %s\n", arg ? arg : "null");
		return 255;
	}
	VP_LOCKED(call->vp);
	call->vp->android->thermal_status = (int)status;
	return 0;
}

static int override_reset(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	call->vp->android->thermal_status = -1;
	return 0;
}

static int thermal_help(struct vp_call *call)
{
	vp_print(call->out,
		 "Thermal service (thermalservice) commands:\n"
		 "  help\n    Print this help text.\n\n"
		 "  override-status STATUS\n"
		 "    sets and locks the thermal status of the device to "
		 "STATUS.\n"
		 "    status code is defined in android.os.Temperature.\n\n"
		 "  reset\n"
		 "    unlocks the thermal status of the device.\n\n");
	return 255;
}

int vp_cmd_thermalservice(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "override-status", override_status },
		{ "reset", override_reset },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, thermal_help);
}

/* ---- locksettings ---- */

static int set_disabled(struct vp_call *call)
{
	bool on = vp_is(vp_arg(call, 1), "true");

	{
		VP_LOCKED(call->vp);
		call->vp->android->lockscreen_disabled = on;
		/* Does not take away a keyguard that shows. */
	}
	vp_print(call->out, "Lock screen disabled set to %s\n",
		 on ? "true" : "false");
	return 0;
}

static int get_disabled(struct vp_call *call)
{
	bool on;

	{
		VP_LOCKED(call->vp);
		on = call->vp->android->lockscreen_disabled &&
		     !vp_keyguard_secure(call->vp);
	}
	vp_print(call->out, on ? "true\n" : "false\n");
	return 0;
}

static int lock_help(struct vp_call *call)
{
	vp_print(call->out,
		 "lockSettings service commands:\n\n"
		 "  get-disabled [--old <CREDENTIAL>] [--user USER_ID]\n"
		 "    Prints true if the lock screen is completely disabled "
		 "for the user, or false otherwise.\n\n"
		 "  set-disabled [--old <CREDENTIAL>] [--user USER_ID] "
		 "<true|false>\n"
		 "    Sets whether the lock screen is disabled.\n\n");
	return 255;
}

int vp_cmd_locksettings(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "set-disabled", set_disabled },
		{ "get-disabled", get_disabled },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, lock_help);
}
