// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands that drive services. */
#include "android.h"

#include <string.h>

static int bootctl(struct vp_call *call)
{
	const char *verb = vp_arg(call, 1);
	int slot;

	{
		VP_LOCKED(call->vp);
		slot = vp_is(call->vp->slot, "b");
	}
	if (call->uid != 0) {
		vp_print(call->err, "Error getting bootctrl v1.0 module.\n");
		return 70;
	}
	if (vp_is(verb, "get-current-slot"))
		vp_print(call->out, "%d\n", slot);
	else if (vp_is(verb, "get-number-slots"))
		vp_print(call->out, "2\n");
	else if (vp_is(verb, "get-suffix") && vp_arg(call, 2))
		vp_print(call->out, "_%c\n", 'a' + (call->argv[2][0] == '1'));
	else if (!vp_is(verb, "is-slot-marked-successful"))
		return 64;
	return 0;
}

const struct vp_command vp_commands_system[] = {
	{ "am", vp_cmd_script },
	{ "bootctl", bootctl },
	{ "cmd", vp_cmd_cmd },
	{ "device_config", vp_cmd_script },
	{ "getprop", vp_cmd_getprop },
	{ "log", vp_cmd_log },
	{ "logcat", vp_cmd_logcat },
	{ "pm", vp_cmd_script },
	{ "service", vp_cmd_service },
	{ "setprop", vp_cmd_setprop },
	{ "settings", vp_cmd_script },
	{ "svc", vp_cmd_svc },
	{ NULL, NULL },
};
