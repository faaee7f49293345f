// SPDX-License-Identifier: GPL-3.0-or-later
// What the live files of /proc and /sys say at a moment.
#include "core.h"

#include <string.h>

#define ODPM_SNAPSHOT_MS 50
/* The two chips are not refreshed at the same moment. */
#define ODPM_SKEW_MS 17
#define BATTERY_FULL_UAH 4870000
#define CPU_IDLE_KHZ 300000

static const struct vp_act *acts_of(const struct vphone *vp, size_t *n_out)
{
	*n_out = vp->acts ? vp->acts->len : 0;
	return vp->acts ? (const struct vp_act *)vp->acts->data : NULL;
}

static gint64 energy(const struct vphone *vp, int rail, gint64 t_ns)
{
	size_t n;
	const struct vp_act *acts = acts_of(vp, &n);

	return vp_energy_uws(&vp->boot, acts, n, rail, t_ns);
}

static void make_energy(const struct vphone *vp, int chip, gint64 now_ns,
			GString *out)
{
	gint64 skew = chip ? ODPM_SKEW_MS : 0;
	gint64 t = MAX(now_ns / VP_MSEC - skew, 0);
	int channel = 0;

	if (vp_fault_on(vp, VP_FAULT_ODPM_EMPTY, NULL))
		return;
	t = t / ODPM_SNAPSHOT_MS * ODPM_SNAPSHOT_MS + skew;
	g_string_append_printf(out, "t=%" G_GINT64_FORMAT "\n", t);
	for (int i = 0; vp->hw->rails[i].name; i++) {
		const struct vp_rail *r = &vp->hw->rails[i];

		if (r->chip != chip)
			continue;
		g_string_append_printf(out,
				       "CH%d(T=%" G_GINT64_FORMAT
				       ")[%s], %" G_GINT64_FORMAT "\n",
				       channel++, t, r->name,
				       energy(vp, i, t * VP_MSEC));
	}
}

static void make_uptime(const struct vphone *vp, int arg, gint64 now_ns,
			GString *out)
{
	gint64 cs = now_ns / (10 * VP_MSEC);
	gint64 idle = cs * vp->hw->cpus * 9 / 10;

	(void)arg;
	g_string_append_printf(
		out, "%" G_GINT64_FORMAT ".%02d %" G_GINT64_FORMAT ".%02d\n",
		cs / 100, (int)(cs % 100), idle / 100, (int)(idle % 100));
}

static void make_loadavg(const struct vphone *vp, int arg, gint64 now_ns,
			 GString *out)
{
	/* High after a boot, then it settles. */
	int load = (int)(300 * 30 / (30 + now_ns / VP_NSEC)) + 60;

	(void)vp;
	(void)arg;
	g_string_append_printf(out, "%d.%02d %d.%02d %d.%02d 2/1834 6021\n",
			       load / 100, load % 100, load / 110,
			       load * 10 / 11 % 100, load / 130,
			       load * 10 / 13 % 100);
}

struct zone {
	const char *type;
	int offset_mc, per_degree_mc; /* above skin; more when it is warm */
};

static const struct zone zones[] = {
	{ "BIG", 9000, 900 },	       { "MID", 7500, 600 },
	{ "LITTLE", 6000, 500 },       { "G3D", 6500, 600 },
	{ "TPU", 3000, 100 },	       { "battery", -2200, 0 },
	{ "VIRTUAL-SKIN", 0, 0 },      { "skin_therm1", 800, 0 },
	{ "usb_pwr_therm2", -900, 0 },
};
#define ZONES ((int)G_N_ELEMENTS(zones))

static int zone_mc(const struct vphone *vp, const struct zone *z)
{
	int skin = vp_skin_now_mc(vp);

	return skin + z->offset_mc +
	       MAX(skin - 30000, 0) / 1000 * z->per_degree_mc;
}

static void make_temp(const struct vphone *vp, int zone, gint64 now_ns,
		      GString *out)
{
	(void)now_ns;
	g_string_append_printf(out, "%d\n", zone_mc(vp, &zones[zone]));
}

static bool charging(const struct vphone *vp)
{
	return !vp->charging_held || vp_fault_on(vp, VP_FAULT_CHARGING, NULL);
}

static int voltage_uv(const struct vphone *vp)
{
	return 3500000 + vp->battery_percent * 8000;
}

/* What all rails drew in the last second. */
static gint64 total_uw(const struct vphone *vp, gint64 now_ns)
{
	gint64 before_ns = MAX(now_ns - VP_NSEC, 0), uws = 0;

	if (now_ns <= before_ns)
		return 0;
	for (int i = 0; vp->hw->rails[i].name; i++)
		uws += energy(vp, i, now_ns) - energy(vp, i, before_ns);
	return uws * VP_NSEC / (now_ns - before_ns);
}

static void make_current(const struct vphone *vp, int arg, gint64 now_ns,
			 GString *out)
{
	gint64 ua = VP_CHARGING_UA;

	(void)arg;
	if (!charging(vp))
		ua = -total_uw(vp, now_ns) * 1000000 / voltage_uv(vp);
	g_string_append_printf(out, "%" G_GINT64_FORMAT "\n", ua);
}

static void make_status(const struct vphone *vp, int arg, gint64 now_ns,
			GString *out)
{
	(void)arg;
	(void)now_ns;
	g_string_append(out, charging(vp) ? "Charging\n" : "Discharging\n");
}

enum { CAPACITY, VOLTAGE, TEMP, COUNTER, USB_ONLINE, USB_CURRENT };

static void make_supply(const struct vphone *vp, int what, gint64 now_ns,
			GString *out)
{
	int values[] = {
		[CAPACITY] = vp->battery_percent,
		[VOLTAGE] = voltage_uv(vp),
		[TEMP] = (vp_skin_now_mc(vp) - 2200) / 100,
		[COUNTER] = BATTERY_FULL_UAH / 100 * vp->battery_percent,
		[USB_ONLINE] = charging(vp),
		[USB_CURRENT] = charging(vp) ? VP_CHARGING_UA : 0,
	};

	(void)now_ns;
	g_string_append_printf(out, "%d\n", values[what]);
}

static void make_freq(const struct vphone *vp, int cluster, gint64 now_ns,
		      GString *out)
{
	int khz = CPU_IDLE_KHZ;
	size_t n;
	const struct vp_act *acts = acts_of(vp, &n);

	for (size_t i = 0; i < n; i++)
		if (acts[i].begin_ns <= now_ns && now_ns < acts[i].end_ns)
			khz = vp->hw->cluster_max_khz[cluster] / 4 * 3;
	g_string_append_printf(out, "%d\n", khz);
}

static void add(GArray *files, char *path, mode_t mode, gint64 period_ns,
		void (*make)(const struct vphone *, int, gint64, GString *),
		int arg)
{
	struct vp_live f = { .path = path,
			     .mode = mode,
			     .period_ns = period_ns,
			     .make = make,
			     .arg = arg };

	g_array_append_val(files, f);
}

static void add_supply(GArray *files)
{
	static const struct {
		const char *path;
		int what;
	} supplies[] = {
		{ "battery/capacity", CAPACITY },
		{ "battery/voltage_now", VOLTAGE },
		{ "battery/temp", TEMP },
		{ "battery/charge_counter", COUNTER },
		{ "usb/online", USB_ONLINE },
		{ "usb/current_now", USB_CURRENT },
	};
	const char *dir = "/sys/class/power_supply/";

	for (size_t i = 0; i < G_N_ELEMENTS(supplies); i++)
		add(files, g_strconcat(dir, supplies[i].path, NULL), 0444,
		    VP_NSEC, make_supply, supplies[i].what);
	add(files, g_strconcat(dir, "battery/status", NULL), 0444,
	    100 * VP_MSEC, make_status, 0);
	add(files, g_strconcat(dir, "battery/current_now", NULL), 0444,
	    250 * VP_MSEC, make_current, 0);
}

/* The numbers of the zones change from boot to boot, as on a phone. */
static void add_zones(const struct vphone *vp, GArray *files)
{
	for (int i = 0; i < ZONES; i++) {
		int zone = (i + vp->boot_number) % ZONES;
		g_autofree char *type = g_strdup_printf(
			"/sys/class/thermal/thermal_zone%d/type", i);

		vp_file_put(vp, type, 0444, "%s\n", zones[zone].type);
		add(files,
		    g_strdup_printf("/sys/class/thermal/thermal_zone%d/temp",
				    i),
		    0444, VP_NSEC, make_temp, zone);
	}
}

GArray *vp_live_files(const struct vphone *vp)
{
	GArray *files = g_array_new(FALSE, TRUE, sizeof(struct vp_live));

	for (int chip = 0; chip < 2; chip++)
		add(files,
		    g_strdup_printf(
			    "/sys/bus/iio/devices/iio:device%d/energy_value",
			    chip),
		    0400, 0, make_energy, chip);
	add(files, g_strdup("/proc/uptime"), 0444, 50 * VP_MSEC, make_uptime,
	    0);
	add(files, g_strdup("/proc/loadavg"), 0444, VP_NSEC, make_loadavg, 0);
	add_supply(files);
	add_zones(vp, files);
	for (int i = 0; i < vp->hw->clusters; i++)
		add(files,
		    g_strdup_printf("/sys/devices/system/cpu/cpufreq/policy%d/"
				    "scaling_cur_freq",
				    vp->hw->cluster_first[i]),
		    0444, 100 * VP_MSEC, make_freq, i);
	return files;
}
