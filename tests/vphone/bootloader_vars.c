// SPDX-License-Identifier: GPL-3.0-or-later
// The bootloader's variables, in the order and style of a real Pixel's.
#include "core.h"

#include <string.h>

static const struct vp_partition partitions[] = {
	{ "persist", 0x4000000, "f2fs", false, false },
	{ "misc", 0x100000, "raw", false, false },
	{ "frp", 0x80000, "raw", false, false },
	{ "metadata", 0x4000000, "raw", false, false },
	{ "boot", 0x4000000, "raw", true, true },
	{ "init_boot", 0x800000, "raw", true, true },
	{ "vendor_boot", 0x4000000, "raw", true, true },
	{ "vendor_kernel_boot", 0x4000000, "raw", true, true },
	{ "dtbo", 0x1000000, "raw", true, true },
	{ "vbmeta", 0x10000, "raw", true, true },
	{ "vbmeta_system", 0x10000, "raw", true, false },
	{ "modem", 0xc800000, "raw", true, false },
	{ "super", 0x1fc800000, "raw", false, false },
	{ "userdata", 0x1b7a615000, "raw", false, false },
};

const struct vp_partition *vp_partition_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(partitions); i++) {
		const struct vp_partition *p = &partitions[i];
		size_t len = strlen(p->name);

		if (strncmp(name, p->name, len) != 0)
			continue;
		if (p->slotted
			    ? name[len] == '_' && vp_slot_index(name + len) >= 0
			    : name[len] == '\0')
			return p;
	}
	return NULL;
}

G_GNUC_PRINTF(2, 3)
static void add(GPtrArray *vars, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_ptr_array_add(vars, g_strdup_vprintf(format, ap));
	va_end(ap);
}

static void add_partitions(GPtrArray *vars)
{
	static const char *const suffixes[] = { "_a", "_b" };

	for (size_t i = 0; i < G_N_ELEMENTS(partitions); i++)
		add(vars, "has-slot:%s:%s", partitions[i].name,
		    partitions[i].slotted ? "yes" : "no");
	for (size_t i = 0; i < G_N_ELEMENTS(partitions); i++) {
		const struct vp_partition *p = &partitions[i];

		for (int s = 0; s < (p->slotted ? VP_SLOTS : 1); s++) {
			const char *suffix = p->slotted ? suffixes[s] : "";

			add(vars, "is-logical:%s%s:no", p->name, suffix);
			add(vars,
			    "partition-size:%s%s:0x%" G_GINT64_MODIFIER "x",
			    p->name, suffix, p->size);
			add(vars, "partition-type:%s%s:%s", p->name, suffix,
			    p->type);
		}
	}
}

static const char *yes(bool b)
{
	return b ? "yes" : "no";
}

/* fastbootd has no retry count: that is the bootloader's own affair. */
static void add_slots(const struct vphone *vp, GPtrArray *vars)
{
	add(vars, "current-slot:%s", vp->slot);
	add(vars, "slot-count:%d", VP_SLOTS);
	add(vars, "slot-suffixes:_a,_b");
	for (int i = 0; i < VP_SLOTS; i++) {
		const struct vp_slot *s = &vp->core->slots[i];
		int name = 'a' + i;

		if (!vp->core->fastbootd)
			add(vars, "slot-retry-count:%c:%d", name, s->retries);
		add(vars, "slot-successful:%c:%s", name, yes(s->successful));
		add(vars, "slot-unbootable:%c:%s", name, yes(s->unbootable));
		add(vars, "slot-fastboot-ok:%c:yes", name);
	}
}

static void add_battery(const struct vphone *vp, GPtrArray *vars)
{
	int percent = vp->battery_percent;

	add(vars, "battery-current:280 mA");
	add(vars, "battery-soc:%d %%", percent);
	add(vars, "battery-soc-ok:%s", yes(percent >= 15));
	add(vars, "battery-voltage:%d mV", 3500 + percent * 8);
}

GPtrArray *vp_bootloader_vars(const struct vphone *vp)
{
	static const char *const fixed[] = {
		"ddr-size:12GB",
		"ddr-type:LPDDR5",
		"erase-block-size:0x1000",
		"hw-revision:MP1.0",
		"is-ramdump-mode:no",
		"logical-block-size:0x1000",
		"max-download-size:0xf900000",
		"max-fetch-size:0xf900000",
		"nos-production:yes",
		"off-mode-charge:1",
		"secure:yes",
		"secure-boot:PRODUCTION",
		"snapshot-update-status:none",
		"storage-capacity:128 GB",
		"storage-temperature:30 degrees celsius",
		"storage-power-mode:lanes=2 gear=4 mode=FAST hs_series=SERIES_B",
		"unlocked:yes",
		"variant:N/A",
		"version:0.4",
		"version-baseband:virtual-1.0",
		"version-bootloader:vphone-1.0-1",
	};
	GPtrArray *vars = g_ptr_array_new_with_free_func(g_free);

	add_battery(vp, vars);
	add(vars, "enter-reason:reboot bootloader");
	add(vars, "is-userspace:%s", yes(vp->core->fastbootd));
	add(vars, "product:%s", vp->hw->product);
	add(vars, "serialno:%s", vp->serial);
	add_slots(vp, vars);
	add_partitions(vars);
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		add(vars, "%s", fixed[i]);
	return vars;
}
