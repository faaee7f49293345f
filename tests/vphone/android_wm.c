// SPDX-License-Identifier: GPL-3.0-or-later
/* The display: wm, cmd display.  Overrides live in settings, as on a phone. */
#include "android.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PHYSICAL_DENSITY 420

void vp_display_size(const struct vphone *vp, int *width_out, int *height_out)
{
	const char *forced = vp_setting(vp, VP_GLOBAL, "display_size_forced");

	*width_out = vp->hw->width;
	*height_out = vp->hw->height;
	if (forced)
		sscanf(forced, "%d,%d", width_out, height_out);
}

int vp_display_density(const struct vphone *vp)
{
	return (int)vp_setting_number(vp, VP_SECURE, "display_density_forced",
				      PHYSICAL_DENSITY);
}

/*
 * The panel has two modes, 60 Hz and its best one.  The user's preferred mode
 * wins over the limits of Smooth display.
 */
double vp_display_rate(const struct vphone *vp)
{
	double best = vp->hw->refresh_hz;
	double peak =
		vp_setting_number(vp, VP_SYSTEM, "peak_refresh_rate", best);
	double least = vp_setting_number(vp, VP_SYSTEM, "min_refresh_rate", 0);
	double user = vp_setting_number(vp, VP_GLOBAL,
					"user_preferred_refresh_rate", 0);

	if (vp_setting_number(vp, VP_GLOBAL, "low_power", 0) > 0)
		return 60;
	if (user > 0)
		return user > 60.5 ? best : 60;
	return MAX(peak, least) > 60.5 ? best : 60;
}

int vp_display_rotation(const struct vphone *vp)
{
	if (vp_setting_number(vp, VP_SYSTEM, "accelerometer_rotation", 1) > 0)
		return 0; /* the phone lies flat */
	return (int)vp_setting_number(vp, VP_SYSTEM, "user_rotation", 0) & 3;
}

double vp_display_brightness(const struct vphone *vp)
{
	if (vp_setting_number(vp, VP_SYSTEM, "screen_brightness_mode", 1) > 0)
		return 0.2843;
	return CLAMP(vp_setting_number(vp, VP_SYSTEM, "screen_brightness", 102),
		     0, 255) /
	       255;
}

/* ---- wm ---- */

static int wm_help(struct vp_call *call)
{
	vp_print(call->out,
		 "Window manager (window) commands:\n"
		 "  help\n"
		 "      Print this help text.\n"
		 "  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n"
		 "    Return or override display size.\n"
		 "  density [reset|DENSITY] [-d DISPLAY_ID]\n"
		 "    Return or override display density.\n"
		 "  dismiss-keyguard\n"
		 "    Dismiss the keyguard, prompting user for auth if "
		 "necessary.\n"
		 "  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]\n"
		 "    Print or set user rotation mode and user rotation.\n");
	return 255;
}

static int wm_size(struct vp_call *call)
{
	struct vphone *vp = call->vp;
	const char *arg = vp_arg(call, 1);
	int width, height;

	if (!arg) {
		g_autofree char *forced = NULL;

		{
			VP_LOCKED(vp);
			forced = g_strdup(vp_setting(vp, VP_GLOBAL,
						     "display_size_forced"));
			vp_display_size(vp, &width, &height);
		}
		vp_print(call->out, "Physical size: %dx%d\n", vp->hw->width,
			 vp->hw->height);
		if (forced)
			vp_print(call->out, "Override size: %dx%d\n", width,
				 height);
		return 0;
	}
	if (vp_is(arg, "reset")) {
		VP_LOCKED(vp);
		vp_setting_set(vp, VP_GLOBAL, "display_size_forced", NULL);
		return 0;
	}
	if (sscanf(arg, "%dx%d", &width, &height) != 2 || width < 200 ||
	    height < 200) {
		vp_print(call->err, "Error: bad size %s\n", arg);
		return 255;
	}
	VP_LOCKED(vp);
	{
		g_autofree char *forced =
			g_strdup_printf("%d,%d", width, height);
		vp_setting_set(vp, VP_GLOBAL, "display_size_forced", forced);
	}
	return 0;
}

static int wm_density(struct vp_call *call)
{
	struct vphone *vp = call->vp;
	const char *arg = vp_arg(call, 1);
	char *end = NULL;
	gint64 density;

	if (!arg) {
		{
			VP_LOCKED(vp);
			density = vp_setting(vp, VP_SECURE,
					     "display_density_forced")
					  ? vp_display_density(vp)
					  : 0;
		}
		vp_print(call->out, "Physical density: %d\n", PHYSICAL_DENSITY);
		if (density)
			vp_print(call->out, "Override density: %d\n",
				 (int)density);
		return 0;
	}
	density = g_ascii_strtoll(arg, &end, 10);
	if (!vp_is(arg, "reset") && (*end || density < 72)) {
		vp_print(call->err, "Error: density must be >= 72\n");
		return 255;
	}
	VP_LOCKED(vp);
	vp_setting_set(vp, VP_SECURE, "display_density_forced",
		       !vp_is(arg, "reset") ? arg : NULL);
	return 0;
}

static int wm_dismiss_keyguard(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_android_settle(call->vp);
	vp_keyguard_dismiss(call->vp);
	return 0;
}

static int wm_user_rotation(struct vp_call *call)
{
	struct vphone *vp = call->vp;
	const char *mode = vp_arg(call, 1), *rotation = vp_arg(call, 2);

	if (!mode) {
		bool free;
		int now;

		{
			VP_LOCKED(vp);
			free = vp_setting_number(vp, VP_SYSTEM,
						 "accelerometer_rotation",
						 1) > 0;
			now = (int)vp_setting_number(vp, VP_SYSTEM,
						     "user_rotation", 0);
		}
		if (free)
			vp_print(call->out, "free\n");
		else
			vp_print(call->out, "lock %d\n", now);
		return 0;
	}
	if (!vp_is(mode, "free") && !vp_is(mode, "lock")) {
		vp_print(call->err, "Error: unknown rotation mode %s\n", mode);
		return 255;
	}
	VP_LOCKED(vp);
	vp_setting_set(vp, VP_SYSTEM, "accelerometer_rotation",
		       !vp_is(mode, "free") ? "0" : "1");
	if (rotation)
		vp_setting_set(vp, VP_SYSTEM, "user_rotation", rotation);
	return 0;
}

static const struct vp_command wm_commands[] = {
	{ "size", wm_size },
	{ "density", wm_density },
	{ "dismiss-keyguard", wm_dismiss_keyguard },
	{ "user-rotation", wm_user_rotation },
	{ NULL, NULL },
};

int vp_cmd_wm(struct vp_call *call)
{
	return vp_subcommand(call, wm_commands, wm_help);
}

/* ---- cmd display ---- */

static int display_help(struct vp_call *call)
{
	vp_print(call->out,
		 "Display manager commands:\n"
		 "  help\n"
		 "    Print this help text.\n\n"
		 "  set-brightness BRIGHTNESS\n"
		 "    Sets the current brightness to BRIGHTNESS (a number "
		 "between 0 and 1).\n"
		 "  reset-brightness-configuration\n"
		 "  set-user-preferred-display-mode WIDTH HEIGHT REFRESH-RATE "
		 "DISPLAY_ID (optional)\n"
		 "  clear-user-preferred-display-mode DISPLAY_ID (optional)\n"
		 "  get-user-preferred-display-mode DISPLAY_ID (optional)\n"
		 "  get-active-display-mode-at-start DISPLAY_ID\n");
	return 255;
}

static int set_brightness(struct vp_call *call)
{
	const char *arg = vp_arg(call, 1);
	char *end = NULL;
	double value = arg ? g_ascii_strtod(arg, &end) : -1;
	g_autofree char *level = NULL;

	if (!arg) {
		vp_print(call->err, "Error: no brightness specified\n");
		return 1;
	}
	if (*end || !(value >= 0 && value <= 1)) {
		vp_print(call->err, "Error: brightness should be a number "
				    "between 0 and 1\n");
		return 1;
	}
	level = g_strdup_printf("%d", (int)lround(value * 255));
	VP_LOCKED(call->vp);
	vp_setting_set(call->vp, VP_SYSTEM, "screen_brightness", level);
	return 0;
}

static int reset_brightness(struct vp_call *call)
{
	(void)call;
	return 0;
}

static int set_preferred_mode(struct vp_call *call)
{
	static const char *const keys[] = {
		"user_preferred_resolution_width",
		"user_preferred_resolution_height",
		"user_preferred_refresh_rate",
	};

	if (call->argc < 4) {
		vp_print(call->err, "Error: no width, height or refresh rate "
				    "specified\n");
		return 1;
	}
	VP_LOCKED(call->vp);
	for (int i = 0; i < 3; i++)
		vp_setting_set(call->vp, VP_GLOBAL, keys[i], call->argv[i + 1]);
	return 0;
}

static int clear_preferred_mode(struct vp_call *call)
{
	VP_LOCKED(call->vp);
	vp_setting_set(call->vp, VP_GLOBAL, "user_preferred_resolution_width",
		       NULL);
	vp_setting_set(call->vp, VP_GLOBAL, "user_preferred_resolution_height",
		       NULL);
	vp_setting_set(call->vp, VP_GLOBAL, "user_preferred_refresh_rate",
		       NULL);
	return 0;
}

static int get_preferred_mode(struct vp_call *call)
{
	double rate;

	{
		VP_LOCKED(call->vp);
		rate = vp_setting_number(call->vp, VP_GLOBAL,
					 "user_preferred_refresh_rate", 0);
	}
	if (rate > 0)
		vp_print(call->out, "User preferred display mode: %d %d %.5f\n",
			 call->vp->hw->width, call->vp->hw->height, rate);
	else
		vp_print(call->out, "User preferred display mode: null\n");
	return 0;
}

static int get_start_mode(struct vp_call *call)
{
	const struct vp_hw *hw = call->vp->hw;

	if (!vp_arg(call, 1)) {
		vp_print(call->err, "Error: no displayId specified\n");
		return 1;
	}
	vp_print(call->out, "Boot display mode: %d %d %.5f\n", hw->width,
		 hw->height, 60.0);
	return 0;
}

static const struct vp_command display_commands[] = {
	{ "set-brightness", set_brightness },
	{ "reset-brightness-configuration", reset_brightness },
	{ "set-user-preferred-display-mode", set_preferred_mode },
	{ "clear-user-preferred-display-mode", clear_preferred_mode },
	{ "get-user-preferred-display-mode", get_preferred_mode },
	{ "get-active-display-mode-at-start", get_start_mode },
	{ NULL, NULL },
};

int vp_cmd_display(struct vp_call *call)
{
	return vp_subcommand(call, display_commands, display_help);
}
