// SPDX-License-Identifier: GPL-3.0-or-later
/* input: keys and touches, each injected and waited for. */
#include "android.h"

#include <string.h>

/* An injected event comes back when its window has handled it. */
#define INJECT_NS (4 * VP_MSEC)

struct touch {
	double x1, y1, x2, y2;
	gint64 ns;
};

static int help(struct vp_call *call)
{
	vp_print(call->out,
		 "Usage: input [<source>] [-d DISPLAY_ID] <command> "
		 "[<arg>...]\n"
		 "\n"
		 "The sources are:\n"
		 "      trackball\n      joystick\n      touchnavigation\n"
		 "      mouse\n      keyboard\n      gamepad\n"
		 "      touchpad\n      dpad\n      stylus\n"
		 "      touchscreen\n      rotaryencoder\n"
		 "\n"
		 "The commands and default sources are:\n"
		 "      text <string> (Default: touchscreen)\n"
		 "      keyevent [--longpress|--doubletap|--async|--delay "
		 "<duration>] <key code number or name> ... (Default: "
		 "keyboard)\n"
		 "      tap <x> <y> (Default: touchscreen)\n"
		 "      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: "
		 "touchscreen)\n"
		 "      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] "
		 "(Default: touchscreen)\n"
		 "      press (Default: trackball)\n"
		 "      roll <dx> <dy> (Default: trackball)\n"
		 "      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: "
		 "touchscreen)\n"
		 "      keycombination [-t duration(ms)] <key code 1> <key "
		 "code 2> ... (Default: keyboard)\n");
	return 0;
}

/* ---- keys ---- */

static void key_power(struct vphone *vp)
{
	if (vp->awake)
		vp_screen_sleep(vp);
	else
		vp_screen_wake(vp);
}

static void key_home(struct vphone *vp)
{
	vp_shade_close(vp, 0);
	if (!vp_keyguard_showing(vp))
		vp_app_front(vp, VP_LAUNCHER_ACTIVITY);
}

/* Closes the shade, else goes on to the app in front, which leaves. */
static void key_back(struct vphone *vp)
{
	if (vp_shade_visible(vp))
		vp_shade_close(vp, 0);
	else if (!vp_keyguard_showing(vp))
		vp_app_front(vp, VP_LAUNCHER_ACTIVITY);
}

static void key_menu(struct vphone *vp)
{
	vp_keyguard_dismiss(vp);
}

static const struct key {
	const char *name;
	int code;
	bool while_asleep;
	void (*press)(struct vphone *vp); /* NULL: nobody listens */
} keys[] = {
	{ "HOME", 3, false, key_home },
	{ "BACK", 4, false, key_back },
	{ "DPAD_UP", 19, false, NULL },
	{ "DPAD_DOWN", 20, false, NULL },
	{ "DPAD_LEFT", 21, false, NULL },
	{ "DPAD_RIGHT", 22, false, NULL },
	{ "DPAD_CENTER", 23, false, NULL },
	{ "VOLUME_UP", 24, false, NULL },
	{ "VOLUME_DOWN", 25, false, NULL },
	{ "POWER", 26, true, key_power },
	{ "TAB", 61, false, NULL },
	{ "SPACE", 62, false, NULL },
	{ "ENTER", 66, false, NULL },
	{ "DEL", 67, false, NULL },
	{ "MENU", 82, false, key_menu },
	{ "ESCAPE", 111, false, key_back },
	{ "APP_SWITCH", 187, false, NULL },
	{ "SLEEP", 223, true, vp_screen_sleep },
	{ "WAKEUP", 224, true, vp_screen_wake },
};

static const struct key *key_find(const char *text, bool *valid_out)
{
	char *end = NULL;
	gint64 code = g_ascii_strtoll(text, &end, 10);
	bool number = end != text && !*end;

	*valid_out = number && code > 0 && code < 320;
	if (g_str_has_prefix(text, "KEYCODE_"))
		text += strlen("KEYCODE_");
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (number ? keys[i].code != code : !vp_is(keys[i].name, text))
			continue;
		*valid_out = true;
		return &keys[i];
	}
	return NULL;
}

static bool press(struct vp_call *call, const char *text)
{
	struct vphone *vp = call->vp;
	bool valid;
	const struct key *key = key_find(text, &valid);

	if (!valid) {
		vp_print(call->err,
			 "\nException occurred while executing 'keyevent':\n"
			 "java.lang.IllegalArgumentException: Invalid keycode: "
			 "%s\n",
			 text);
		return false;
	}
	{
		VP_LOCKED(vp);
		vp_android_settle(vp);
		if (vp->awake)
			vp->android->last_touch_ns = vp_now_ns(vp);
		if (key && key->press && (vp->awake || key->while_asleep))
			key->press(vp);
	}
	return vp_call_sleep(call, 2 * INJECT_NS);
}

static int keyevent(struct vp_call *call)
{
	int i = 1;

	if (call->argc < 2) {
		vp_print(call->err, "Error: Invalid arguments for command: "
				    "keyevent\n");
		return help(call);
	}
	while (i < call->argc && g_str_has_prefix(call->argv[i], "--"))
		i += !vp_is(call->argv[i], "--delay") ? 1 : 2;
	for (; i < call->argc; i++)
		if (!press(call, call->argv[i]))
			return 255;
	return 0;
}

/* ---- touches ---- */

static bool number(struct vp_call *call, const char *text, double *value_out)
{
	char *end = NULL;

	*value_out = text ? g_ascii_strtod(text, &end) : 0;
	if (text && end != text && !*end)
		return true;
	vp_print(call->err,
		 "\nException occurred while executing '%s':\n"
		 "java.lang.NumberFormatException: For input string: \"%s\"\n",
		 call->argv[0], text ? text : "null");
	return false;
}

/*
 * What a finger that goes from (x1, y1) to (x2, y2) does: from the top edge
 * down it pulls the shade; up it closes the shade, or goes home from the
 * bottom edge.  Returns the act, -1 when nothing of the shade moves.
 */
static int drag(struct vphone *vp, const struct touch *t)
{
	int width, height;
	double dy = t->y2 - t->y1;

	vp_android_settle(vp);
	if (!vp->awake)
		return -1;
	vp->android->last_touch_ns = vp_now_ns(vp);
	vp_display_size(vp, &width, &height);
	if (vp_display_rotation(vp) & 1)
		height = width;
	if (t->y1 < 0.04 * height && dy > 0.1 * height)
		return vp_shade_open(vp, t->ns);
	if (dy > -0.1 * height)
		return -1;
	if (vp_shade_visible(vp))
		return vp_shade_close(vp, t->ns);
	if (vp_keyguard_showing(vp))
		vp_keyguard_dismiss(vp);
	else if (t->y1 > 0.97 * height)
		vp_app_front(vp, VP_LAUNCHER_ACTIVITY);
	return -1;
}

/* The finger was lifted in the middle: the shade falls back. */
static void drag_cut(struct vphone *vp, int act)
{
	gint64 now_ns = vp_now_ns(vp);

	if (act < 0 || (guint)act >= vp->acts->len)
		return;
	g_array_index(vp->acts, struct vp_act, act).end_ns = now_ns;
	if (vp->shade_open_ns > now_ns)
		vp->shade_open_ns = vp->shade_closed_ns = 0;
}

static int swipe(struct vp_call *call)
{
	struct touch t = { 0 };
	double ms = 300;
	double *const args[] = { &t.x1, &t.y1, &t.x2, &t.y2 };
	int act;

	if (call->argc < 5) {
		vp_print(call->err,
			 "Error: Invalid arguments for command: %s\n",
			 call->argv[0]);
		return help(call);
	}
	for (int i = 0; i < 4; i++)
		if (!number(call, vp_arg(call, i + 1), args[i]))
			return 255;
	if (vp_arg(call, 5) && !number(call, call->argv[5], &ms))
		return 255;
	if (ms < 0)
		ms = 300;
	t.ns = (gint64)(MIN(ms, 600000) * (double)VP_MSEC);
	{
		VP_LOCKED(call->vp);
		act = drag(call->vp, &t);
	}
	if (vp_call_sleep(call, t.ns + 2 * INJECT_NS))
		return 0;
	VP_LOCKED(call->vp);
	drag_cut(call->vp, act);
	return 143;
}

/* Nothing on the screens of this phone answers to a tap but the shade. */
static int tap(struct vp_call *call)
{
	struct vphone *vp = call->vp;
	double x, y;

	if (!number(call, vp_arg(call, 1), &x) ||
	    !number(call, vp_arg(call, 2), &y))
		return 255;
	{
		VP_LOCKED(vp);
		vp_android_settle(vp);
		if (vp->awake)
			vp->android->last_touch_ns = vp_now_ns(vp);
	}
	return vp_call_sleep(call, 2 * INJECT_NS) ? 0 : 143;
}

/* The shade moved since the finger came down. */
static void act_backdate(struct vphone *vp, int index, gint64 begin_ns)
{
	struct vp_act *act;

	if (index < 0)
		return;
	act = &g_array_index(vp->acts, struct vp_act, index);
	if (index > 0)
		begin_ns = MAX(begin_ns, act[-1].begin_ns);
	act->begin_ns = MIN(act->begin_ns, begin_ns);
}

/* DOWN, any MOVEs and UP in separate commands are a drag. */
static void finger(struct vphone *vp, const char *action, double x, double y)
{
	struct vp_android *a = vp->android;
	struct touch t = { a->finger_x, a->finger_y, x, y, 0 };

	VP_LOCKED(vp);
	if (vp_is(action, "DOWN")) {
		a->finger_x = x;
		a->finger_y = y;
		a->finger_ns = vp_now_ns(vp);
	} else if (!vp_is(action, "MOVE")) {
		if (a->finger_ns && vp_is(action, "UP"))
			act_backdate(vp, drag(vp, &t), a->finger_ns);
		a->finger_ns = 0;
	}
}

static int motionevent(struct vp_call *call)
{
	static const char *const actions[] = { "DOWN", "UP", "MOVE", "CANCEL",
					       NULL };
	const char *action = vp_arg(call, 1);
	g_autofree char *upper = action ? g_ascii_strup(action, -1) : NULL;
	double x, y;

	if (!upper || !g_strv_contains(actions, upper)) {
		vp_print(call->err,
			 "\nException occurred while executing 'motionevent':\n"
			 "java.lang.IllegalArgumentException: Unknown action: "
			 "%s\n",
			 action ? action : "null");
		return 255;
	}
	if (!number(call, vp_arg(call, 2), &x) ||
	    !number(call, vp_arg(call, 3), &y))
		return 255;
	finger(call->vp, upper, x, y);
	return vp_call_sleep(call, INJECT_NS) ? 0 : 143;
}

static int text(struct vp_call *call)
{
	const char *typed = vp_arg(call, 1);

	if (!typed) {
		vp_print(call->err,
			 "Error: Invalid arguments for command: text\n");
		return help(call);
	}
	return vp_call_sleep(call, (gint64)strlen(typed) * 2 * INJECT_NS) ? 0
									  : 143;
}

static const struct vp_command commands[] = {
	{ "keyevent", keyevent }, { "keycombination", keyevent },
	{ "swipe", swipe },	  { "draganddrop", swipe },
	{ "tap", tap },		  { "motionevent", motionevent },
	{ "text", text },	  { NULL, NULL },
};

static int unknown(struct vp_call *call)
{
	if (vp_arg(call, 1))
		vp_print(call->out, "Error: Unknown command: %s\n",
			 call->argv[1]);
	return help(call);
}

static bool is_source(const char *word)
{
	static const char *const sources[] = {
		"keyboard",	   "dpad",	    "gamepad",
		"touchscreen",	   "mouse",	    "stylus",
		"trackball",	   "touchpad",	    "joystick",
		"touchnavigation", "rotaryencoder", NULL
	};

	return g_strv_contains(sources, word);
}

int vp_cmd_input(struct vp_call *call)
{
	struct vp_call rest = *call;

	if (vp_arg(&rest, 1) && is_source(rest.argv[1]))
		rest = vp_shift(&rest);
	if (vp_arg(&rest, 1) && vp_is(rest.argv[1], "-d")) {
		rest = vp_shift(&rest);
		if (vp_arg(&rest, 1))
			rest = vp_shift(&rest);
	}
	return vp_subcommand(&rest, commands, unknown);
}
