// SPDX-License-Identifier: GPL-3.0-or-later
/* dumpsys activity, window, trust, statusbar: screen, keyguard, shade. */
#include "android.h"

#include <string.h>

/* SystemUI answers late. */
#define SYSTEMUI_DUMP_NS (300 * VP_MSEC)

static const char *yes_no(bool value)
{
	return value ? "true" : "false";
}

static void front_window(const struct vphone *vp, GString *out,
			 const char *label)
{
	const char *window = vp->focus;

	if (!vp->awake && vp->android->lockscreen_disabled) {
		g_string_append_printf(out, "  %s=null\n", label);
		return;
	}
	if (vp_keyguard_showing(vp) || vp_shade_visible(vp))
		window = "NotificationShade";
	g_string_append_printf(out, "  %s=Window{%x u0 %s}\n", label,
			       g_str_hash(window) & 0xfffffff, window);
}

static void keyguard_delegate(const struct vphone *vp, GString *out)
{
	bool showing = vp_keyguard_showing(vp);
	const char *screen = "OFF", *interactive = "SLEEP";

	if (vp->awake) {
		screen = vp_panel_on(vp) ? "ON" : "TURNING_ON";
		interactive = vp_panel_on(vp) ? "AWAKE" : "WAKING";
	}
	g_string_append_printf(out,
			       "    KeyguardServiceDelegate\n"
			       "      showing=%s\n"
			       "      inputRestricted=%s\n"
			       "      occluded=false\n"
			       "      secure=%s\n"
			       "      dreaming=false\n"
			       "      systemIsReady=true\n"
			       "      deviceHasKeyguard=true\n"
			       "      enabled=true\n"
			       "      offReason=OFF_BECAUSE_OF_TIMEOUT\n"
			       "      currentUser=-10000\n"
			       "      bootCompleted=true\n"
			       "      screenState=SCREEN_STATE_%s\n"
			       "      interactiveState=INTERACTIVE_STATE_%s\n",
			       yes_no(showing), yes_no(showing),
			       yes_no(vp_keyguard_secure(vp)), screen,
			       interactive);
}

static void dump_policy(const struct vphone *vp, GString *out)
{
	g_string_append_printf(
		out,
		"WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
		"    mSafeMode=false mSystemReady=true mSystemBooted=true\n"
		"    mWakeGestureEnabledSetting=true\n"
		"    mAwake=%s\n",
		yes_no(vp->awake));
	keyguard_delegate(vp, out);
}

static void window_block(const struct vphone *vp, GString *out, int number,
			 const char *title, bool visible)
{
	g_string_append_printf(
		out,
		"  Window #%d Window{%x u0 %s}:\n"
		"    mDisplayId=0 mSession=Session{b3c1 2100:u0a10201} "
		"mClient=android.os.BinderProxy@%x\n"
		"    mViewVisibility=0x%x mHaveFrame=true mObscured=false\n"
		"    mHasSurface=%s isReadyForDisplay()=%s\n"
		"    isOnScreen=%s\n"
		"    isVisible=%s\n",
		number, g_str_hash(title) & 0xfffffff, title,
		g_str_hash(title) & 0xffffff, visible ? 0 : 4, yes_no(visible),
		yes_no(visible), yes_no(visible), yes_no(visible));
	(void)vp;
}

static void dump_windows(const struct vphone *vp, GString *out)
{
	bool shade = vp_keyguard_showing(vp) || vp_shade_visible(vp);

	g_string_append(out, "WINDOW MANAGER WINDOWS (dumpsys window "
			     "windows)\n");
	window_block(vp, out, 0, "NavigationBar0", vp->awake);
	window_block(vp, out, 1, "NotificationShade", vp->awake && shade);
	window_block(vp, out, 2, "StatusBar", vp->awake);
	window_block(vp, out, 3, vp->focus,
		     vp->awake && !vp_keyguard_showing(vp));
	g_string_append_c(out, '\n');
}

static void dump_displays(const struct vphone *vp, GString *out)
{
	int width, height;

	vp_display_size(vp, &width, &height);
	g_string_append_printf(
		out,
		"WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
		"  Display: mDisplayId=0 (organized)\n"
		"    init=%dx%d 420dpi cur=%dx%d app=%dx%d\n"
		"    mCurrentRotation=ROTATION_%d\n",
		vp->hw->width, vp->hw->height, width, height, width, height,
		vp_display_rotation(vp) * 90);
	g_string_append_printf(
		out,
		"    DisplayPolicy\n"
		"      mCarDockEnablesAccelerometer=false\n"
		"      mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
		"      mExpandedPanel=Window{%x u0 NotificationShade}\n"
		"      isKeyguardShowing=%s\n",
		yes_no(vp->awake), yes_no(vp->awake), yes_no(vp_panel_on(vp)),
		g_str_hash("NotificationShade") & 0xfffffff,
		yes_no(vp_keyguard_showing(vp)));
}

static void dump_focus(const struct vphone *vp, GString *out)
{
	front_window(vp, out, "mCurrentFocus");
	g_string_append_printf(out,
			       "  mFocusedApp=ActivityRecord{%x u0 %s t7}\n",
			       g_str_hash(vp->focus) & 0xfffffff, vp->focus);
}

void vp_dump_window(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	const char *part = vp_arg(call, call->argc - 1);

	if (call->argc < 2 || part[0] == '-')
		part = "all";
	if (vp_is(part, "policy") || vp_is(part, "p") || vp_is(part, "all"))
		dump_policy(vp, out);
	if (vp_is(part, "displays") || vp_is(part, "d") || vp_is(part, "all"))
		dump_displays(vp, out);
	if (vp_is(part, "windows") || vp_is(part, "w") || vp_is(part, "all"))
		dump_windows(vp, out);
	if (!vp_is(part, "policy") && !vp_is(part, "p"))
		dump_focus(vp, out);
}

/* ---- activity ---- */

/* The lock screen lives in the shade's window and counts as expanded. */
static void dump_systemui(const struct vphone *vp, GString *out)
{
	bool visible = vp_shade_visible(vp), keyguard = vp_keyguard_showing(vp);

	g_string_append_printf(
		out,
		"SERVICE com.android.systemui/.SystemUIService 5e12f4b "
		"pid=2100 user=0\n"
		"  Client:\n"
		"Current Status Bar state:\n"
		"  mExpandedVisible=%s\n"
		"  mDisplayMetrics=DisplayMetrics{density=2.625}\n"
		"  mBubblesOptional=true\n"
		"NotificationShadeWindowControllerImpl:\n"
		"  mKeyguardMaxRefreshRate=0.0\n"
		"  mKeyguardPreferredRefreshRate=0.0\n"
		"  Window State {\n"
		"  mKeyguardShowing: %s\n"
		"  mKeyguardOccluded: false\n"
		"  mNotificationShadeFocusable: %s\n"
		"  mPanelVisible: %s\n"
		"  mPanelExpanded: %s\n"
		"  mQsExpanded: %s\n"
		"  mHeadsUpShowing: false\n"
		"  mBouncerShowing: false\n"
		"  }\n",
		yes_no(visible || keyguard), yes_no(keyguard), yes_no(visible),
		yes_no(visible || keyguard),
		yes_no(keyguard || vp_shade_expanded(vp)),
		yes_no(visible && vp->android->quick_settings));
}

static void dump_activities(const struct vphone *vp, GString *out)
{
	bool showing = vp_keyguard_showing(vp);
	bool going = showing && vp->keyguard_gone_ns;

	g_string_append_printf(
		out,
		"ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
		"Display #0 (activities from top to bottom):\n"
		"  topResumedActivity=ActivityRecord{%x u0 %s t7}\n"
		"  ResumedActivity: ActivityRecord{%x u0 %s t7}\n\n"
		"KeyguardController:\n"
		"  mKeyguardShowing=%s\n"
		"  mAodShowing=%s\n"
		"  mKeyguardGoingAway=%s\n"
		" KeyguardShowing=%s AodShowing=%s KeyguardGoingAway=%s "
		"DismissalRequested=false  Occluded=false "
		"DismissKeyguardActivity=null at display=0\n",
		g_str_hash(vp->focus) & 0xfffffff, vp->focus,
		g_str_hash(vp->focus) & 0xfffffff, vp->focus, yes_no(showing),
		yes_no(!vp->awake), yes_no(going), yes_no(showing),
		yes_no(!vp->awake), yes_no(going));
}

/* The caller holds the lock; SystemUI is asked without it. */
static bool ask_systemui(struct vp_call *call)
{
	bool alive;

	g_mutex_unlock(&call->vp->lock);
	alive = vp_call_sleep(call, SYSTEMUI_DUMP_NS);
	g_mutex_lock(&call->vp->lock);
	return alive;
}

void vp_dump_activity(struct vp_call *call, GString *out)
{
	const char *part = vp_arg(call, 1);
	const char *service = vp_arg(call, 2);

	if (vp_is(part, "service")) {
		if (!service || !strstr(service, "com.android.systemui/"))
			g_string_append_printf(out,
					       "No services match: %s\n"
					       "Use -h for help.\n",
					       service ? service : "");
		else if (ask_systemui(call))
			dump_systemui(call->vp, out);
		return;
	}
	if (!part || vp_is(part, "activities") || vp_is(part, "a"))
		dump_activities(call->vp, out);
	if (!part || vp_is(part, "top") || vp_is(part, "activities"))
		g_string_append_printf(out, "  mFocusedApp=%s\n",
				       call->vp->focus);
}

/* ---- trust, statusbar ---- */

void vp_dump_trust(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	bool locked = vp_keyguard_secure(vp) && vp_keyguard_showing(vp);

	g_string_append_printf(
		out,
		"Trust manager state:\n"
		" User \"Owner\" (id=0, flags=0x4c13) (current): "
		"trustState=UNTRUSTED, trustManaged=0, deviceLocked=%d, "
		"isActiveUnlockRunning=0, strongAuthRequired=0x%x\n"
		"   Enabled agents:\n"
		"   Events:\n",
		locked, locked ? 1 : 0);
}

void vp_dump_statusbar(struct vp_call *call, GString *out)
{
	const struct vp_android *a = call->vp->android;

	g_string_append_printf(out,
			       "  displayId=0\n"
			       "    mDisabled1=0x%x\n"
			       "    mDisabled2=0x%x\n"
			       "  mDisableRecords.size=%d\n",
			       a->disable1, a->disable2,
			       (a->disable1 | a->disable2) != 0);
}
