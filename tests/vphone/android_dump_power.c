// SPDX-License-Identifier: GPL-3.0-or-later
/* dumpsys battery, thermalservice, power, the power meter's HAL. */
#include "android.h"

#include <string.h>

/* ---- battery ---- */

static int skin_mc(const struct vphone *vp)
{
	int hot = 0;

	vp_fault_on(vp, VP_FAULT_HOT, &hot);
	return vp_skin_mc(&vp->boot, (const struct vp_act *)vp->acts->data,
			  vp->acts->len, vp->start_mc, vp_now_ns(vp)) +
	       hot * 1000;
}

/* 1 unknown, 2 charging, 3 discharging, 4 not charging, 5 full */
static int battery_status(const struct vphone *vp)
{
	if (vp_fault_on(vp, VP_FAULT_CHARGING, NULL))
		return 2;
	if (vp->charging_held)
		return 3;
	return vp->battery_percent >= 100 ? 5 : 2;
}

static int faked(const struct vphone *vp, const char *key, int real)
{
	const char *text = g_hash_table_lookup(vp->android->battery, key);

	return text ? (int)g_ascii_strtoll(text, NULL, 10) : real;
}

static bool battery_set(struct vphone *vp, const char *key, const char *value)
{
	static const char *const keys[] = { "present",	"ac",	   "usb",
					    "wireless", "dock",	   "status",
					    "level",	"counter", "temp",
					    "invalid",	NULL };

	if (!key || !value || !g_strv_contains(keys, key))
		return false;
	g_hash_table_insert(vp->android->battery, g_strdup(key),
			    g_strdup(value));
	return true;
}

/* True when the words were a command and nothing is to be dumped. */
static bool battery_command(struct vp_call *call, GString *out)
{
	struct vphone *vp = call->vp;
	const char *verb = vp_arg(call, 1);
	int i = 2;

	if (!verb || verb[0] == '-')
		return false;
	while (vp_arg(call, i) && call->argv[i][0] == '-')
		i++;
	if (vp_is(verb, "unplug")) {
		battery_set(vp, "ac", "0");
		battery_set(vp, "usb", "0");
		battery_set(vp, "wireless", "0");
	} else if (vp_is(verb, "reset")) {
		g_hash_table_remove_all(vp->android->battery);
	} else if (!vp_is(verb, "set")) {
		g_string_append_printf(out, "Unknown command: %s\n", verb);
	} else if (!battery_set(vp, vp_arg(call, i), vp_arg(call, i + 1))) {
		g_string_append(out, "No level specified or unknown set "
				     "option\n");
	}
	return true;
}

void vp_dump_battery(struct vp_call *call, GString *out)
{
	struct vphone *vp = call->vp;
	bool usb;

	if (battery_command(call, out))
		return;
	usb = faked(vp, "usb", vp_powered(vp));
	g_string_append(out, "Current Battery Service state:\n");
	if (g_hash_table_size(vp->android->battery))
		g_string_append(out, "  (UPDATES STOPPED -- use 'reset' to "
				     "restart)\n");
	g_string_append_printf(
		out,
		"  AC powered: %s\n  USB powered: %s\n"
		"  Wireless powered: %s\n  Dock powered: false\n"
		"  Max charging current: %d\n  Max charging voltage: %d\n"
		"  Charge counter: %d\n  status: %d\n  health: 2\n"
		"  present: true\n  level: %d\n  scale: 100\n"
		"  voltage: %d\n  temperature: %d\n  technology: Li-ion\n",
		faked(vp, "ac", 0) ? "true" : "false", usb ? "true" : "false",
		faked(vp, "wireless", 0) ? "true" : "false", usb ? 500000 : 0,
		usb ? 5000000 : 0,
		faked(vp, "counter", vp->battery_percent * 43000),
		faked(vp, "status", battery_status(vp)),
		faked(vp, "level", vp->battery_percent),
		3600 + vp->battery_percent * 8,
		faked(vp, "temp", (skin_mc(vp) - 2000) / 100));
}

/* ---- thermalservice ---- */

static int skin_status(int mc)
{
	static const int steps_mc[] = {
		39000, 43000, 45000, 46500, 52000, 55000
	};
	int status = 0;

	while (status < 6 && mc >= steps_mc[status])
		status++;
	return status;
}

static void temperatures(GString *out, int skin, int age_mc)
{
	struct {
		const char *name;
		int type, mc;
	} rows[] = {
		{ "BIG", 0, skin + 9000 },     { "MID", 0, skin + 7000 },
		{ "LITTLE", 0, skin + 6000 },  { "G3D", 1, skin + 5000 },
		{ "battery", 2, skin - 2000 }, { "VIRTUAL-SKIN", 3, skin },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int mc = rows[i].mc - age_mc;

		g_string_append_printf(
			out,
			"\tTemperature{mValue=%d.%03d, mType=%d, mName=%s, "
			"mStatus=%d}\n",
			mc / 1000, mc % 1000, rows[i].type, rows[i].name,
			rows[i].type == 3 ? skin_status(mc) : 0);
	}
	g_string_append(out, "\tTemperature{mValue=100.0, mType=8, mName=soc, "
			     "mStatus=0}\n");
}

void vp_dump_thermal(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	int override = vp->android->thermal_status, skin = skin_mc(vp);

	g_string_append_printf(out,
			       "IsStatusOverride: %s\n"
			       "ThermalEventListeners:\n"
			       "\tcallbacks: 2\n"
			       "\tkilled: false\n"
			       "\tbroadcasts count: -1\n"
			       "ThermalStatusListeners:\n"
			       "\tcallbacks: 7\n"
			       "Thermal Status: %d\n"
			       "Cached temperatures:\n",
			       override >= 0 ? "true" : "false",
			       override >= 0 ? override : skin_status(skin));
	/* The cache is from the last event, some time ago. */
	temperatures(out, skin, 700);
	g_string_append(out, "HAL Ready: true\n"
			     "HAL connection:\n"
			     "\tThermalHAL AIDL 1  connected: yes\n"
			     "Current temperatures from HAL:\n");
	temperatures(out, skin, 0);
	g_string_append_printf(out,
			       "Current cooling devices from HAL:\n"
			       "\tCoolingDevice{mValue=%d, mType=2, "
			       "mName=thermal-cpufreq-0}\n",
			       skin_status(skin));
}

/* ---- power ---- */

void vp_dump_power(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	int stay = (int)vp_setting_number(vp, VP_GLOBAL,
					  "stay_on_while_plugged_in", 0);

	g_string_append_printf(
		out,
		"POWER MANAGER (dumpsys power)\n\n"
		"Power Manager State:\n"
		"  Settings power_manager_constants:\n"
		"  mDirty=0x0\n"
		"  mWakefulness=%s\n"
		"  mWakefulnessChanging=false\n"
		"  mIsPowered=%s\n"
		"  mPlugType=%d\n"
		"  mBatteryLevel=%d\n"
		"  mStayOn=%s\n"
		"  mBootCompleted=true\n"
		"  mSystemReady=true\n"
		"  mLowPowerModeEnabled=%s\n"
		"  mStayOnWhilePluggedInSetting=%d\n"
		"  mScreenOffTimeoutSetting=%s\n",
		vp->awake ? "Awake" : "Asleep",
		vp_powered(vp) ? "true" : "false", vp_powered(vp) ? 2 : 0,
		faked(vp, "level", vp->battery_percent),
		(stay & 2) && vp_powered(vp) ? "true" : "false",
		vp_setting_number(vp, VP_GLOBAL, "low_power", 0) > 0 ? "true"
								     : "false",
		stay, vp_setting(vp, VP_SYSTEM, "screen_off_timeout"));
	g_string_append_printf(out, "\nDisplay Power: state=%s\n",
			       vp_panel_on(vp) ? "ON" : "OFF");
}

/* ---- the power meter ---- */

struct meter {
	gint64 now_ns, elapsed_ms;
	double mws[G_N_ELEMENTS(((struct vp_android *)0)->meter_mws)];
	size_t n;
};

/* The HAL carries energies in a float. */
static void meter_read(const struct vphone *vp, struct meter *m)
{
	m->now_ns = vp_now_ns(vp);
	for (m->n = 0; m->n < G_N_ELEMENTS(m->mws) && vp->hw->rails[m->n].name;
	     m->n++)
		m->mws[m->n] =
			(float)((double)vp_energy_uws(
					&vp->boot,
					(const struct vp_act *)vp->acts->data,
					vp->acts->len, (int)m->n, m->now_ns) /
				1000);
}

static void meter_rows(const struct vphone *vp, const struct meter *m,
		       bool delta, GString *out)
{
	const struct vp_android *a = vp->android;

	for (size_t i = 0; i < m->n; i++) {
		const struct vp_rail *rail = &vp->hw->rails[i];
		g_autofree char *channel =
			g_strdup_printf("[%s]:%s", rail->name, rail->subsys);

		g_string_append_printf(out, "  %32s   %14.2f mWs", channel,
				       m->mws[i]);
		if (delta)
			g_string_append_printf(
				out, " (%14.2f)",
				a->meter_read ? m->mws[i] - a->meter_mws[i]
					      : 0.0);
		g_string_append_c(out, '\n');
	}
}

/* The baseline belongs to the HAL: every reader of a delta moves it. */
static void meter_keep(struct vp_android *a, const struct meter *m)
{
	a->meter_read = true;
	a->meter_ns = m->now_ns;
	memcpy(a->meter_mws, m->mws, sizeof(a->meter_mws));
}

void vp_dump_powerstats(struct vp_call *call, GString *out)
{
	struct vphone *vp = call->vp;
	bool delta = vp_is(vp_arg(call, 1), "delta");
	struct meter m = { 0 };

	meter_read(vp, &m);
	g_string_append(out, "\n============= PowerStats HAL 2.0 energy meter "
			     "==============\n");
	if (delta) {
		gint64 since_ns = vp->android->meter_read
					  ? m.now_ns - vp->android->meter_ns
					  : 0;

		g_string_append_printf(out,
				       "Elapsed time: %" G_GINT64_FORMAT
				       " ms\n",
				       since_ns / VP_MSEC);
		g_string_append_printf(out, "  %32s   %18s (%14s)\n", "Channel",
				       "Cumulative Energy", "Delta   ");
	} else {
		g_string_append_printf(out, "  %32s   %18s\n", "Channel",
				       "Cumulative Energy");
	}
	meter_rows(vp, &m, delta, out);
	if (delta)
		meter_keep(vp->android, &m);
	g_string_append(out, "========== End of PowerStats HAL 2.0 energy "
			     "meter ==========\n"
			     "\n============= PowerStats HAL 2.0 energy "
			     "consumers ==============\n"
			     "  Display      :       12345.67 mWs\n"
			     "========== End of PowerStats HAL 2.0 energy "
			     "consumers ==========\n");
}
