// SPDX-License-Identifier: GPL-3.0-or-later
// The two platforms.
#include "vphone.h"

/* Names and grouping as on the Pixel generation with these chips. */
static const struct vp_rail rails_a[] = {
	{ "S10M_VDD_TPU", "BUCK10M", "TPU", 0, 6, 0, 0 },
	{ "VSYS_PWR_MODEM", "VSYS1", "Modem", 0, 38, 1, 1 },
	{ "VSYS_PWR_RFFE", "VSYS2", "Cellular", 0, 9, 0, 0 },
	{ "S2M_VDD_CPUCL2", "BUCK2M", "CPU(BIG)", 0, 18, 310, 420 },
	{ "S3M_VDD_CPUCL1", "BUCK3M", "CPU(MID)", 0, 22, 190, 260 },
	{ "S4M_VDD_CPUCL0", "BUCK4M", "CPU(LITTLE)", 0, 48, 150, 120 },
	{ "S5M_VDD_INT", "BUCK5M", "INFRA", 0, 52, 45, 40 },
	{ "S1M_VDD_MIF", "BUCK1M", "DDR", 0, 61, 120, 110 },
	{ "VSYS_PWR_WLAN_BT", "VSYS1", "WLAN", 1, 24, 2, 2 },
	{ "L2S_VDD_AOC_RET", "LDO2S", "AOC", 1, 4, 0, 0 },
	{ "S9S_VDD_AOC", "BUCK9S", "AOC", 1, 8, 1, 1 },
	{ "S5S_VDDQ_MEM", "BUCK5S", "DDR", 1, 12, 22, 20 },
	{ "S10S_VDD2L", "BUCK10S", "DDR", 1, 14, 25, 22 },
	{ "S4S_VDD2H_MEM", "BUCK4S", "DDR", 1, 31, 48, 45 },
	{ "S2S_VDD_G3D", "BUCK2S", "GPU", 1, 15, 210, 240 },
	{ "VSYS_PWR_DISPLAY", "VSYS2", "Display", 1, 410, 95, 80 },
	{ NULL, NULL, NULL, 0, 0, 0, 0 },
};

static const struct vp_rail rails_b[] = {
	{ "S7M_VDD_TPU", "BUCK7M", "TPU", 0, 5, 0, 0 },
	{ "VSYS_PWR_MODEM", "VSYS1", "Modem", 0, 33, 1, 1 },
	{ "VSYS_PWR_RFFE", "VSYS2", "Cellular", 0, 8, 0, 0 },
	{ "S3M_VDD_CPUCL2", "BUCK3M", "CPU(BIG)", 0, 14, 260, 380 },
	{ "S2M_VDD_CPUCL1", "BUCK2M", "CPU(MID)", 0, 19, 170, 220 },
	{ "S4M_VDD_CPUCL0", "BUCK4M", "CPU(LITTLE)", 0, 41, 120, 100 },
	{ "S5M_VDD_INT", "BUCK5M", "INFRA", 0, 47, 40, 36 },
	{ "S1M_VDD_MIF", "BUCK1M", "DDR", 0, 55, 105, 95 },
	{ "VSYS_PWR_WLAN_BT", "VSYS1", "WLAN", 1, 22, 2, 2 },
	{ "L9S_GNSS_CORE", "LDO9S", "GNSS", 1, 2, 0, 0 },
	{ "S9S_VDD_AOC", "BUCK9S", "AOC", 1, 7, 1, 1 },
	{ "S5S_VDDQ_MEM", "BUCK5S", "DDR", 1, 11, 20, 18 },
	{ "S10S_VDD2L", "BUCK10S", "DDR", 1, 12, 22, 20 },
	{ "L8S_UFS_VCCQ", "LDO8S", "UFS", 1, 9, 3, 4 },
	{ "S2S_VDD_G3D", "BUCK2S", "GPU", 1, 13, 180, 205 },
	{ "VSYS_PWR_DISPLAY", "VSYS2", "Display", 1, 365, 85, 70 },
	{ NULL, NULL, NULL, 0, 0, 0, 0 },
};

static const struct vp_hw platforms[] = {
	{
		.platform = "A",
		.product = "virt8",
		.model = "Virtual 8",
		.soc = "VS800",
		.fingerprint = "abrig/virt8/virt8:14/UV1A.240105.004/"
			       "11206848:userdebug/dev-keys",
		.chip_name = { "s2mpg12-odpm", "s2mpg13-odpm" },
		.cpus = 8,
		.clusters = 3,
		.cluster_first = { 0, 4, 6, 8 },
		.cluster_max_khz = { 1803000, 2348000, 2850000 },
		.width = 1080,
		.height = 2400,
		.refresh_hz = 120,
		.rails = rails_a,
	},
	{
		.platform = "B",
		.product = "virt7",
		.model = "Virtual 7",
		.soc = "VS700",
		.fingerprint = "abrig/virt7/virt7:15/AV2A.250305.012/"
			       "13047112:userdebug/dev-keys",
		.chip_name = { "s2mpg14-odpm", "s2mpg15-odpm" },
		.cpus = 7,
		.clusters = 3,
		.cluster_first = { 0, 3, 6, 7 },
		.cluster_max_khz = { 1950000, 2600000, 3105000 },
		.width = 1280,
		.height = 2856,
		.refresh_hz = 120,
		.rails = rails_b,
	},
};

const struct vp_hw *vp_hw_find(const char *platform)
{
	for (size_t i = 0; i < G_N_ELEMENTS(platforms); i++)
		if (g_ascii_strcasecmp(platform, platforms[i].platform) == 0)
			return &platforms[i];
	return NULL;
}
