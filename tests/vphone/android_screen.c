// SPDX-License-Identifier: GPL-3.0-or-later
/* Screen, keyguard and notification shade. */
#include "android.h"

/* The power manager is awake before the panel shows anything. */
#define PANEL_ON_NS (250 * VP_MSEC)

bool vp_keyguard_secure(const struct vphone *vp)
{
	return vp->secure_lock || vp_fault_on(vp, VP_FAULT_LOCKED, NULL);
}

bool vp_keyguard_showing(const struct vphone *vp)
{
	return vp->keyguard &&
	       !(vp->keyguard_gone_ns && vp_now_ns(vp) >= vp->keyguard_gone_ns);
}

void vp_screen_wake(struct vphone *vp)
{
	vp->android->last_touch_ns = vp_now_ns(vp);
	if (!vp->awake)
		vp->android->panel_on_ns = vp_now_ns(vp) + PANEL_ON_NS;
	vp->awake = true;
}

bool vp_panel_on(const struct vphone *vp)
{
	return vp->awake && vp_now_ns(vp) >= vp->android->panel_on_ns;
}

void vp_screen_sleep(struct vphone *vp)
{
	if (!vp->awake)
		return;
	vp->awake = false;
	vp_shade_close(vp, 0);
	if (vp->android->lockscreen_disabled && !vp_keyguard_secure(vp))
		return;
	vp->keyguard = true;
	vp->keyguard_gone_ns = 0;
}

/* A PIN raises its bouncer and the keyguard stays. */
void vp_keyguard_dismiss(struct vphone *vp)
{
	if (!vp->awake || !vp->keyguard || vp->keyguard_gone_ns ||
	    vp_keyguard_secure(vp))
		return;
	vp->keyguard_gone_ns = vp_now_ns(vp) + VP_KEYGUARD_ANIMATION_NS;
}

bool vp_shade_visible(const struct vphone *vp)
{
	return vp->shade_open_ns &&
	       (!vp->shade_closed_ns || vp_now_ns(vp) < vp->shade_closed_ns);
}

bool vp_shade_expanded(const struct vphone *vp)
{
	return vp->shade_open_ns && !vp->shade_closed_ns &&
	       vp_now_ns(vp) >= vp->shade_open_ns;
}

/* Whatever moved before ends where the next movement begins. */
static int act_begin(struct vphone *vp, gint64 now_ns, gint64 end_ns)
{
	struct vp_act act = { .kind = VP_ACT_SHADE,
			      .begin_ns = now_ns,
			      .end_ns = end_ns };

	for (guint i = vp->acts->len; i-- > 0;) {
		struct vp_act *old = &g_array_index(vp->acts, struct vp_act, i);

		if (old->kind != VP_ACT_SHADE)
			continue;
		old->end_ns = MIN(old->end_ns, now_ns);
		break;
	}
	if (end_ns <= now_ns)
		return -1;
	g_array_append_val(vp->acts, act);
	return (int)vp->acts->len - 1;
}

static gint64 animation_ns(const struct vphone *vp)
{
	double scale =
		vp_setting_number(vp, VP_GLOBAL, "animator_duration_scale", 1);

	return (gint64)((double)VP_SHADE_ANIMATION_NS * CLAMP(scale, 0, 10));
}

int vp_shade_open(struct vphone *vp, gint64 gesture_ns)
{
	gint64 now_ns = vp_now_ns(vp);
	gint64 end_ns = now_ns + gesture_ns + animation_ns(vp);

	/* DISABLE_EXPAND, DISABLE2_NOTIFICATION_SHADE */
	if ((vp->android->disable1 & 0x10000) || (vp->android->disable2 & 4))
		return -1;
	if (!vp->awake || vp_keyguard_showing(vp) ||
	    vp_fault_take(vp, VP_FAULT_SHADE_STUCK, NULL))
		return -1;
	/* A second pull on an open shade brings quick settings. */
	if (vp_shade_expanded(vp))
		vp->android->quick_settings = true;
	else
		vp->shade_open_ns = end_ns;
	vp->shade_closed_ns = 0;
	return act_begin(vp, now_ns, end_ns);
}

int vp_shade_close(struct vphone *vp, gint64 gesture_ns)
{
	gint64 now_ns = vp_now_ns(vp);
	gint64 end_ns = now_ns + gesture_ns + animation_ns(vp);

	if (!vp_shade_visible(vp) || vp->shade_closed_ns)
		return -1;
	vp->shade_closed_ns = end_ns;
	return act_begin(vp, now_ns, end_ns);
}

bool vp_app_resumed(const struct vphone *vp)
{
	return vp->awake && !vp_keyguard_showing(vp) && !vp_shade_visible(vp);
}
