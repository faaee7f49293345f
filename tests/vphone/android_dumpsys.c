// SPDX-License-Identifier: GPL-3.0-or-later
/* dumpsys: which service dumps. */
#include "android.h"

#include <string.h>

/* A dump is printed by the service while this holds for a moment. */
#define DUMP_NS (15 * VP_MSEC)

static const struct service {
	const char *name;
	vp_dump_fn dump;
} services[] = {
	{ "SurfaceFlinger", vp_dump_surfaceflinger },
	{ "activity", vp_dump_activity },
	{ "android.hardware.power.stats.IPowerStats/default",
	  vp_dump_powerstats },
	{ "battery", vp_dump_battery },
	{ "display", vp_dump_display },
	{ "gfxinfo", vp_dump_gfxinfo },
	{ "jobscheduler", vp_dump_jobscheduler },
	{ "meminfo", vp_dump_meminfo },
	{ "notification", vp_dump_notification },
	{ "package", vp_dump_package },
	{ "power", vp_dump_power },
	{ "statusbar", vp_dump_statusbar },
	{ "thermalservice", vp_dump_thermal },
	{ "trust", vp_dump_trust },
	{ "window", vp_dump_window },
};

static int dump(struct vp_call *call, const struct service *s)
{
	struct vphone *vp = call->vp;
	g_autoptr(GString) out = g_string_new(NULL);

	if (!vp_call_sleep(call, DUMP_NS))
		return 143;
	{
		VP_LOCKED(vp);
		vp_android_settle(vp);
		s->dump(call, out);
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

static void list(struct vp_call *call)
{
	vp_print(call->out, "Currently running services:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(services); i++)
		vp_print(call->out, "  %s\n", services[i].name);
}

static int dump_all(struct vp_call *call)
{
	int rc = 0;

	list(call);
	for (size_t i = 0; i < G_N_ELEMENTS(services) && !rc; i++) {
		vp_print(call->out,
			 "----------------------------------------------------"
			 "---------------------------\nDUMP OF SERVICE %s:\n",
			 services[i].name);
		rc = dump(call, &services[i]);
	}
	return rc;
}

/* Options of dumpsys itself stand before the service. */
static struct vp_call skip_options(const struct vp_call *call)
{
	struct vp_call rest = vp_shift(call);

	while (rest.argc > 0 && rest.argv[0][0] == '-' &&
	       !vp_is(rest.argv[0], "-l")) {
		bool word = vp_is(rest.argv[0], "-t") ||
			    vp_is(rest.argv[0], "-T") ||
			    vp_is(rest.argv[0], "--priority");

		rest = vp_shift(&rest);
		if (word && rest.argc > 0)
			rest = vp_shift(&rest);
	}
	return rest;
}

static bool is_up(struct vphone *vp)
{
	VP_LOCKED(vp);
	return vp_boot_completed(vp);
}

static int dumpsys(struct vp_call *call)
{
	struct vp_call rest = skip_options(call);

	if (rest.argc == 0)
		return dump_all(&rest);
	if (vp_is(rest.argv[0], "-l")) {
		list(call);
		return 0;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(services); i++)
		if (vp_is(services[i].name, rest.argv[0]) && is_up(call->vp))
			return dump(&rest, &services[i]);
	vp_print(call->err, "Can't find service: %s\n", rest.argv[0]);
	return 0;
}

const struct vp_command vp_commands_dumpsys[] = {
	{ "dumpsys", dumpsys },
	{ NULL, NULL },
};
