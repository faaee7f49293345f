// SPDX-License-Identifier: GPL-3.0-or-later
/* Which of Android's processes run. */
#include "android.h"
#include "pids.h"

#include <string.h>

static const struct process {
	const char *name;
	pid_t pid;
	bool app; /* runs only while vp->android->running has it */
} processes[] = {
	{ "init", VP_PID_INIT, false },
	{ "kthreadd", VP_PID_KTHREADD, false },
	{ "logd", VP_PID_LOGD, false },
	{ "servicemanager", VP_PID_SERVICEMANAGER, false },
	{ "adbd", VP_PID_ADBD, false },
	{ "traced", VP_PID_TRACED, false },
	{ "traced_probes", VP_PID_TRACED_PROBES, false },
	{ "android.hardware.thermal-service.pixel", VP_PID_THERMAL_HAL, false },
	{ "android.hardware.power.stats-service.pixel", VP_PID_POWERSTATS_HAL,
	  false },
	{ "android.hardware.composer.hwc3-service.pixel", VP_PID_COMPOSER,
	  false },
	{ "surfaceflinger", VP_PID_SURFACEFLINGER, false },
	{ "zygote64", VP_PID_ZYGOTE64, false },
	{ "system_server", VP_PID_SYSTEM_SERVER, false },
	{ "com.android.systemui", VP_PID_SYSTEMUI, false },
	{ VP_LAUNCHER, VP_PID_LAUNCHER, false },
	{ "com.google.android.gms", VP_PID_GMS, false },
	{ "com.android.settings", VP_PID_SETTINGS, true },
	{ VP_BENCHMARK, VP_PID_BENCHMARK, true },
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
		if (vp_is(processes[i].name, name))
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
