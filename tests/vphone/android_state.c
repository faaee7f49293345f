// SPDX-License-Identifier: GPL-3.0-or-later
/* The state of Android: what a boot sets, what passing time changes. */
#include "android.h"
#include "pids.h"

#include <string.h>

struct pair {
	const char *key, *value;
};

static const struct pair fixed_props[] = {
	{ "dalvik.vm.heapsize", "512m" },
	{ "gsm.sim.state", "ABSENT,ABSENT" },
	{ "init.svc.adbd", "running" },
	{ "init.svc.surfaceflinger", "running" },
	{ "init.svc.traced", "running" },
	{ "init.svc.traced_probes", "running" },
	{ "init.svc.zygote", "running" },
	{ "init.svc.bootanim", "running" },
	{ "persist.sys.timezone", "Etc/UTC" },
	{ "persist.sys.usb.config", "adb" },
	{ "persist.traced.enable", "1" },
	{ "ro.adb.secure", "1" },
	{ "ro.boot.boot_devices", "14700000.ufs" },
	{ "ro.boot.bootreason", "reboot,shell" },
	{ "ro.boot.dynamic_partitions", "true" },
	{ "ro.boot.flash.locked", "0" },
	{ "ro.boot.vbmeta.device_state", "unlocked" },
	{ "ro.boot.verifiedbootstate", "orange" },
	{ "ro.build.characteristics", "nosdcard" },
	{ "ro.build.id", "AP2A.240905.003" },
	{ "ro.build.version.codename", "REL" },
	{ "ro.build.version.incremental", "12231197" },
	{ "ro.build.version.release", "14" },
	{ "ro.build.version.sdk", "34" },
	{ "ro.build.version.security_patch", "2024-09-05" },
	{ "ro.crypto.state", "encrypted" },
	{ "ro.crypto.type", "file" },
	{ "ro.hardware.egl", "mali" },
	{ "ro.product.brand", "google" },
	{ "ro.product.cpu.abi", "arm64-v8a" },
	{ "ro.product.cpu.abilist", "arm64-v8a" },
	{ "ro.product.manufacturer", "Google" },
	{ "ro.surface_flinger.set_idle_timer_ms", "80" },
	{ "ro.vendor.build.security_patch", "2024-09-05" },
	{ "sys.boot.reason", "reboot,shell" },
	{ "sys.boot.reason.last", "reboot,shell" },
	{ "sys.usb.config", "adb" },
	{ "sys.usb.state", "adb" },
};

static const struct pair completed_props[] = {
	{ "dev.bootcomplete", "1" },
	{ "init.svc.bootanim", "stopped" },
	{ "service.bootanim.exit", "1" },
	{ "sys.boot_completed", "1" },
	{ "sys.user.0.ce_available", "true" },
};

/* What a Pixel's settings say before anybody touched them. */
static const struct pair default_system[] = {
	{ "accelerometer_rotation", "1" },
	{ "font_scale", "1.0" },
	{ "haptic_feedback_enabled", "1" },
	{ "peak_refresh_rate", "Infinity" },
	{ "screen_brightness", "102" },
	{ "screen_brightness_mode", "1" },
	{ "screen_off_timeout", "30000" },
	{ "sound_effects_enabled", "1" },
	{ "volume_music", "5" },
	{ NULL, NULL },
};
static const struct pair default_secure[] = {
	{ "adaptive_charging_enabled", "1" },
	{ "doze_always_on", "1" },
	{ "location_mode", "3" },
	{ "long_press_timeout", "400" },
	{ "screensaver_activate_on_dock", "1" },
	{ "screensaver_enabled", "1" },
	{ "user_setup_complete", "1" },
	{ NULL, NULL },
};
static const struct pair default_global[] = {
	{ "adb_enabled", "1" },
	{ "airplane_mode_on", "0" },
	{ "airplane_mode_radios", "cell,bluetooth,uwb,wifi,wimax" },
	{ "auto_time", "1" },
	{ "ble_scan_always_enabled", "0" },
	{ "bluetooth_on", "1" },
	{ "development_settings_enabled", "1" },
	{ "device_name", "Pixel" },
	{ "device_provisioned", "1" },
	{ "heads_up_notifications_enabled", "1" },
	{ "low_power", "0" },
	{ "mobile_data", "1" },
	{ "mode_ringer", "2" },
	{ "stay_on_while_plugged_in", "0" },
	{ "wifi_on", "1" },
	{ "wifi_scan_always_enabled", "0" },
	{ "zen_mode", "0" },
	{ NULL, NULL },
};

const char *vp_setting(const struct vphone *vp, enum vp_namespace ns,
		       const char *key)
{
	return g_hash_table_lookup(vp->settings[ns], key);
}

double vp_setting_number(const struct vphone *vp, enum vp_namespace ns,
			 const char *key, double unset)
{
	const char *text = vp_setting(vp, ns, key);
	char *end = NULL;
	double number;

	if (!text)
		return unset;
	number = g_ascii_strtod(text, &end);
	return end == text ? unset : number;
}

void vp_setting_set(struct vphone *vp, enum vp_namespace ns, const char *key,
		    const char *value)
{
	if (value)
		g_hash_table_insert(vp->settings[ns], g_strdup(key),
				    g_strdup(value));
	else
		g_hash_table_remove(vp->settings[ns], key);
}

const char *vp_prop(const struct vphone *vp, const char *name)
{
	const char *value = g_hash_table_lookup(vp->props, name);

	return value ? value : "";
}

void vp_prop_set(struct vphone *vp, const char *name, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_hash_table_insert(vp->props, g_strdup(name),
			    g_strdup_vprintf(format, ap));
	va_end(ap);
}

bool vp_boot_completed(const struct vphone *vp)
{
	return vp->mode == VP_ANDROID && vp->android &&
	       vp_now_ns(vp) >= vp->android->up_ns + VP_BOOT_COMPLETED_NS;
}

bool vp_powered(const struct vphone *vp)
{
	static const char *const sources[] = { "ac", "usb", "wireless" };

	if (g_hash_table_size(vp->android->battery) == 0)
		return !vp->charging_held ||
		       vp_fault_on(vp, VP_FAULT_CHARGING, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
		if (vp_is(g_hash_table_lookup(vp->android->battery, sources[i]),
			  "1"))
			return true;
	return false;
}

static GHashTable *text_table(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void fill(GHashTable *table, const struct pair *pairs)
{
	for (; pairs->key; pairs++)
		g_hash_table_insert(table, g_strdup(pairs->key),
				    g_strdup(pairs->value));
}

static void settings_once(struct vphone *vp)
{
	static const struct pair *const defaults[] = { default_system,
						       default_secure,
						       default_global };

	for (int ns = 0; ns < VP_NAMESPACES; ns++) {
		if (!vp->settings[ns])
			vp->settings[ns] = text_table();
		if (g_hash_table_size(vp->settings[ns]) == 0)
			fill(vp->settings[ns], defaults[ns]);
	}
}

static void props_boot(struct vphone *vp)
{
	const struct vp_hw *hw = vp->hw;

	if (!vp->props)
		vp->props = text_table();
	for (size_t i = 0; i < G_N_ELEMENTS(fixed_props); i++)
		vp_prop_set(vp, fixed_props[i].key, "%s", fixed_props[i].value);
	for (size_t i = 0; i < G_N_ELEMENTS(completed_props); i++)
		if (!vp_is(completed_props[i].key, "init.svc.bootanim"))
			g_hash_table_remove(vp->props, completed_props[i].key);
	vp_prop_set(vp, "ro.build.fingerprint", "%s", hw->fingerprint);
	vp_prop_set(vp, "ro.build.product", "%s", hw->product);
	vp_prop_set(vp, "ro.build.type", "%s",
		    vp->rooted ? "userdebug" : "user");
	vp_prop_set(vp, "ro.build.tags", "%s",
		    vp->rooted ? "dev-keys" : "release-keys");
	vp_prop_set(vp, "ro.debuggable", "%d", vp->rooted);
	vp_prop_set(vp, "ro.secure", "1");
	vp_prop_set(vp, "ro.product.device", "%s", hw->product);
	vp_prop_set(vp, "ro.product.name", "%s", hw->product);
	vp_prop_set(vp, "ro.product.board", "%s", hw->product);
	vp_prop_set(vp, "ro.product.model", "%s", hw->model);
	vp_prop_set(vp, "ro.hardware", "%s", hw->product);
	vp_prop_set(vp, "ro.boot.hardware.platform", "%s", hw->soc);
	vp_prop_set(vp, "ro.board.platform", "%s", hw->soc);
	vp_prop_set(vp, "ro.soc.model", "%s", hw->soc);
	vp_prop_set(vp, "ro.serialno", "%s", vp->serial);
	vp_prop_set(vp, "ro.boot.serialno", "%s", vp->serial);
	vp_prop_set(vp, "ro.boot.slot_suffix", "_%s", vp->slot);
	vp_prop_set(vp, "ro.sf.lcd_density", "420");
	vp_prop_set(vp, "service.adb.root", "%d", vp->adb_root);
}

static void clear_set(GHashTable **set)
{
	if (*set)
		g_hash_table_remove_all(*set);
	else
		*set = text_table();
}

static struct vp_android *android_once(struct vphone *vp)
{
	struct vp_android *a = vp->android;

	if (a)
		return a;
	a = vp->android = g_new0(struct vp_android, 1);
	a->device_config = text_table();
	a->config_sync_disabled = g_strdup("none");
	a->disabled = text_table();
	a->dexopt = text_table();
	return a;
}

static void android_boot(struct vphone *vp)
{
	struct vp_android *a = android_once(vp);

	clear_set(&a->battery);
	clear_set(&a->ambient_tokens);
	clear_set(&a->running);
	a->up_ns = a->last_touch_ns = a->gfx_since_ns = vp_now_ns(vp);
	a->panel_on_ns = a->finger_ns = 0;
	a->thermal_status = -1;
	a->disable1 = a->disable2 = 0;
	a->fixed_performance = a->bg_dexopt_disabled = false;
	a->quick_settings = a->meter_read = false;
	a->adaptive_saver = true;
	a->log_cleared++;
	if (vp_is(a->config_sync_disabled, "until_reboot")) {
		g_free(a->config_sync_disabled);
		a->config_sync_disabled = g_strdup("none");
	}
}

void vp_android_reset(struct vphone *vp)
{
	settings_once(vp);
	props_boot(vp);
	android_boot(vp);
	vp_notifications_boot(vp);
	if (!vp->acts)
		vp->acts = g_array_new(false, false, sizeof(struct vp_act));
	if (!vp->logcat)
		vp->logcat = g_string_new(NULL);
	vp->shade_open_ns = vp->shade_closed_ns = 0;
	vp->awake = true;
	vp->keyguard =
		!vp->android->lockscreen_disabled || vp_keyguard_secure(vp);
	vp->keyguard_gone_ns = 0;
	vp_app_front(vp, VP_LAUNCHER_ACTIVITY);
}

static bool screen_timed_out(struct vphone *vp, gint64 now_ns)
{
	double timeout_ms =
		vp_setting_number(vp, VP_SYSTEM, "screen_off_timeout", 30000);
	int stay = (int)vp_setting_number(vp, VP_GLOBAL,
					  "stay_on_while_plugged_in", 0);

	/* Bit 1 is USB, the only power this phone ever gets. */
	if ((stay & 2) && vp_powered(vp)) {
		vp->android->last_touch_ns = now_ns;
		return false;
	}
	return (double)(now_ns - vp->android->last_touch_ns) >
	       timeout_ms * (double)VP_MSEC;
}

void vp_android_settle(struct vphone *vp)
{
	gint64 now_ns = vp_now_ns(vp);

	if (!vp->android || vp->mode != VP_ANDROID)
		return;
	if (vp_boot_completed(vp) && !*vp_prop(vp, "sys.boot_completed"))
		for (size_t i = 0; i < G_N_ELEMENTS(completed_props); i++)
			vp_prop_set(vp, completed_props[i].key, "%s",
				    completed_props[i].value);
	if (vp->keyguard && vp->keyguard_gone_ns &&
	    now_ns >= vp->keyguard_gone_ns)
		vp->keyguard = false;
	if (!vp_shade_visible(vp)) {
		vp->shade_open_ns = vp->shade_closed_ns = 0;
		vp->android->quick_settings = false;
	}
	if (vp->awake && screen_timed_out(vp, now_ns))
		vp_screen_sleep(vp);
}
