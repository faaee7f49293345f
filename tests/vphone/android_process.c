// SPDX-License-Identifier: GPL-3.0-or-later
/* Which of Android's processes run. */
#include "android.h"
#include "pids.h"

#include <string.h>

static const struct process {
	pid_t pid;
	const char *name;
	bool app; /* runs only while vp->android->running has it */
} processes[] = {
	{ VP_PID_INIT, "init", false },
	{ VP_PID_KTHREADD, "kthreadd", false },
	{ VP_PID_LOGD, "logd", false },
	{ VP_PID_SERVICEMANAGER, "servicemanager", false },
	{ VP_PID_ADBD, "adbd", false },
	{ VP_PID_TRACED, "traced", false },
	{ VP_PID_TRACED_PROBES, "traced_probes", false },
	{ VP_PID_THERMAL_HAL, "android.hardware.thermal-service.pixel", false },
	{ VP_PID_POWERSTATS_HAL, "android.hardware.power.stats-service.pixel",
	  false },
	{ VP_PID_COMPOSER, "android.hardware.composer.hwc3-service.pixel",
	  false },
	{ VP_PID_SURFACEFLINGER, "surfaceflinger", false },
	{ VP_PID_ZYGOTE64, "zygote64", false },
	{ VP_PID_SYSTEM_SERVER, "system_server", false },
	{ VP_PID_SYSTEMUI, "com.android.systemui", false },
	{ VP_PID_LAUNCHER, VP_LAUNCHER, false },
	{ VP_PID_GMS, "com.google.android.gms", false },
	{ VP_PID_SETTINGS, "com.android.settings", true },
	{ VP_PID_BENCHMARK, VP_BENCHMARK, true },
};

static bool runs(const struct vphone *vp, const struct process *p)
{
	if (vp->mode != VP_ANDROID || !vp->android)
		return false;
	if (!p->app)
		return true;
	return g_hash_table_contains(vp->android->running, p->name);
}

pid_t vp_system_pid(const struct vphone *vp, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(processes); i++)
		if (!strcmp(processes[i].name, name))
			return runs(vp, &processes[i]) ? processes[i].pid : 0;
	return 0;
}

pid_t vp_system_process(const struct vphone *vp, size_t i,
			const char **name_out)
{
	for (size_t p = 0; p < G_N_ELEMENTS(processes); p++) {
		if (!runs(vp, &processes[p]) || i-- > 0)
			continue;
		*name_out = processes[p].name;
		return processes[p].pid;
	}
	return 0;
}
