// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands that touch the screen. */
#include "android.h"

static int uiautomator(struct vp_call *call)
{
	vp_print(call->err, "ERROR: could not get idle state.\n");
	return 0;
}

/* One touch panel with the display's own coordinates. */
static int getevent(struct vp_call *call)
{
	const struct vp_hw *hw = call->vp->hw;

	vp_print(call->out,
		 "add device 1: /dev/input/event2\n"
		 "  name:     \"synaptics_tcm_touch\"\n"
		 "  events:\n"
		 "    KEY (0001): BTN_TOUCH\n"
		 "    ABS (0003): ABS_MT_SLOT           : value 0, min 0, "
		 "max 9, fuzz 0, flat 0, resolution 0\n"
		 "                ABS_MT_POSITION_X     : value 0, min 0, "
		 "max %d, fuzz 0, flat 0, resolution 0\n"
		 "                ABS_MT_POSITION_Y     : value 0, min 0, "
		 "max %d, fuzz 0, flat 0, resolution 0\n"
		 "                ABS_MT_TRACKING_ID    : value 0, min 0, "
		 "max 65535, fuzz 0, flat 0, resolution 0\n"
		 "  input props:\n"
		 "    INPUT_PROP_DIRECT\n"
		 "add device 2: /dev/input/event0\n"
		 "  name:     \"gpio_keys\"\n"
		 "  events:\n"
		 "    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP"
		 "          KEY_POWER\n"
		 "  input props:\n"
		 "    <none>\n",
		 hw->width - 1, hw->height - 1);
	return 0;
}

const struct vp_command vp_commands_ui[] = {
	{ "getevent", getevent },	   { "input", vp_cmd_script },
	{ "locksettings", vp_cmd_script }, { "uiautomator", uiautomator },
	{ "wm", vp_cmd_script },	   { NULL, NULL },
};
