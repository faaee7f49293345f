// SPDX-License-Identifier: GPL-3.0-or-later
// Faults: what a test can make go wrong.
#include "core.h"

static const char *const names[VP_FAULTS] = {
	[VP_FAULT_FLASH_IGNORED] = "flash-ignored",
	[VP_FAULT_SET_ACTIVE_IGNORED] = "set-active-ignored",
	[VP_FAULT_BOOT_LOOP] = "boot-loop",
	[VP_FAULT_ADB_OFFLINE] = "adb-offline",
	[VP_FAULT_ADB_DROP] = "adb-drop",
	[VP_FAULT_SILENT] = "silent",
	[VP_FAULT_HOT] = "hot",
	[VP_FAULT_CHARGING] = "charging",
	[VP_FAULT_LOCKED] = "locked",
	[VP_FAULT_TRACE_TRUNCATED] = "trace-truncated",
	[VP_FAULT_TRACE_LOST] = "trace-lost",
	[VP_FAULT_JANKBENCH_EMPTY] = "jankbench-empty",
	[VP_FAULT_JANKBENCH_SILENT] = "jankbench-silent",
	[VP_FAULT_ODPM_EMPTY] = "odpm-empty",
	[VP_FAULT_SHADE_STUCK] = "shade-stuck",
	[VP_FAULT_REBOOT] = "reboot",
	[VP_FAULT_SETTING_REFUSED] = "setting-refused",
	[VP_FAULT_FB_SILENT] = "fb-silent",
	[VP_FAULT_FB_CLOSE] = "fb-close",
	[VP_FAULT_FB_NO_HANDSHAKE] = "fb-no-handshake",
	[VP_FAULT_FB_FAIL] = "fb-fail",
	[VP_FAULT_FB_ABSENT] = "fb-absent",
	[VP_FAULT_WRONG_SLOT] = "wrong-slot",
	[VP_FAULT_PERFETTO_OLD] = "perfetto-old",
	[VP_FAULT_SU_AOSP] = "su-aosp",
};

int vp_fault_number(const char *name)
{
	for (int i = 0; i < VP_FAULTS; i++)
		if (g_str_equal(name, names[i]))
			return i;
	return -1;
}

const char *vp_fault_name(int fault)
{
	return names[fault];
}

bool vp_fault_on(const struct vphone *vp, enum vp_fault fault, int *arg_out)
{
	const struct vp_fault_state *f = &vp->fault[fault];

	if (f->left != 0 && arg_out)
		*arg_out = f->arg;
	return f->left != 0;
}

bool vp_fault_seen(struct vphone *vp, enum vp_fault fault)
{
	bool on;

	g_mutex_lock(&vp->lock);
	on = vp_fault_on(vp, fault, NULL);
	g_mutex_unlock(&vp->lock);
	return on;
}

bool vp_fault_take(struct vphone *vp, enum vp_fault fault, int *arg_out)
{
	if (!vp_fault_on(vp, fault, arg_out))
		return false;
	if (vp->fault[fault].left > 0)
		vp->fault[fault].left--;
	return true;
}
