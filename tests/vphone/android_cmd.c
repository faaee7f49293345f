// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd, service: which service gets the words. */
#include "android.h"

#include <string.h>

const char *vp_arg(const struct vp_call *call, int i)
{
	return i >= 0 && i < call->argc ? call->argv[i] : NULL;
}

struct vp_call vp_shift(const struct vp_call *call)
{
	struct vp_call rest = *call;

	rest.argc--;
	rest.argv++;
	return rest;
}

int vp_subcommand(struct vp_call *call, const struct vp_command *table,
		  vp_command_fn unknown)
{
	const char *name = vp_arg(call, 1);
	struct vp_call rest;

	for (; name && table->name; table++) {
		if (!vp_is(table->name, name))
			continue;
		rest = vp_shift(call);
		return table->run(&rest);
	}
	return unknown(call);
}

bool vp_parse_bool(const char *text, bool *value_out)
{
	static const char *const yes[] = { "true",   "1",	"on",
					   "enable", "enabled", NULL };
	static const char *const no[] = { "false",   "0",	 "off",
					  "disable", "disabled", NULL };

	if (!text)
		return false;
	*value_out = g_strv_contains(yes, text);
	return *value_out || g_strv_contains(no, text);
}

static const struct vp_command services[] = {
	{ "activity", vp_cmd_am },
	{ "device_config", vp_cmd_device_config },
	{ "display", vp_cmd_display },
	{ "input", vp_cmd_input },
	{ "lock_settings", vp_cmd_locksettings },
	{ "notification", vp_cmd_notification },
	{ "package", vp_cmd_pm },
	{ "power", vp_cmd_power },
	{ "settings", vp_cmd_settings },
	{ "thermalservice", vp_cmd_thermalservice },
	{ "window", vp_cmd_wm },
	{ NULL, NULL },
};

/* Commands of their own that are scripts around `cmd SERVICE`. */
static const struct {
	const char *command, *service;
} scripts[] = {
	{ "am", "activity" }, { "device_config", "device_config" },
	{ "input", "input" }, { "locksettings", "lock_settings" },
	{ "pm", "package" },  { "settings", "settings" },
	{ "wm", "window" },
};

static int no_service(struct vp_call *call)
{
	const char *name = vp_arg(call, 1);

	if (!name) {
		vp_print(call->err, "cmd: No service specified; use -l to list "
				    "all running services. Use -w to start "
				    "and wait for a polled service.\n");
		return 20;
	}
	vp_print(call->err, "cmd: Can't find service: %s\n", name);
	return 20;
}

static int list_services(struct vp_call *call)
{
	vp_print(call->out, "Currently running services:\n");
	for (size_t i = 0; services[i].name; i++)
		vp_print(call->out, "  %s\n", services[i].name);
	for (size_t i = 0; vp_small_services[i].name; i++)
		vp_print(call->out, "  %s\n", vp_small_services[i].name);
	return 0;
}

static int small_service(struct vp_call *call)
{
	return vp_subcommand(call, vp_small_services, no_service);
}

/* Before the system server is up nobody has registered. */
static bool services_up(struct vphone *vp)
{
	VP_LOCKED(vp);
	vp_android_settle(vp);
	return vp_boot_completed(vp);
}

int vp_cmd_cmd(struct vp_call *call)
{
	struct vp_call rest = *call;

	if (vp_arg(&rest, 1) && vp_is(rest.argv[1], "-w"))
		rest = vp_shift(&rest);
	if (!services_up(call->vp))
		return no_service(&rest);
	if (vp_is(vp_arg(&rest, 1), "-l"))
		return list_services(call);
	return vp_subcommand(&rest, services, small_service);
}

int vp_cmd_script(struct vp_call *call)
{
	g_autofree char **argv = g_new0(char *, (gsize)call->argc + 2);
	struct vp_call cmd = *call;

	memcpy(argv + 1, call->argv, sizeof(*argv) * (gsize)call->argc);
	for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++)
		if (vp_is(scripts[i].command, call->argv[0]))
			argv[1] = (char *)scripts[i].service;
	cmd.argv = argv;
	cmd.argc++;
	return vp_cmd_cmd(&cmd);
}

/* ---- service call: numbers of this build only ---- */

/* The word after the @n-th `s16` or `i32`. */
static const char *parcel_arg(const struct vp_call *call, int n)
{
	int i = 5 + 2 * n;

	return vp_arg(call, i) ? call->argv[i] : "";
}

static void print_parcel_ok(struct vp_call *call)
{
	vp_print(call->out, "Result: Parcel(00000000    '....')\n");
}

/* cancelAllNotifications(String pkg, int userId) */
static int call_notification(struct vp_call *call)
{
	const char *package = parcel_arg(call, 0);

	if (call->uid != 0 && !vp_is(package, "com.android.shell")) {
		vp_print(call->out,
			 "Result: Parcel(\n"
			 "  0x00000000: ffffffff 00000031 00430061 006c006c "
			 "'....1...a.C.l.l.'\n"
			 "  0x00000010: 006e0069 00200067 00690075 00200064 "
			 "'i.n.g. .u.i.d. .')\n");
		return 0;
	}
	{
		VP_LOCKED(call->vp);
		vp_notifications_cancel(call->vp, package);
	}
	print_parcel_ok(call);
	return 0;
}

static int check_service(struct vp_call *call, const char *name)
{
	bool found = vp_is(name, "SurfaceFlinger");

	for (size_t i = 0; services[i].name; i++)
		found |= vp_is(services[i].name, name);
	for (size_t i = 0; vp_small_services[i].name; i++)
		found |= vp_is(vp_small_services[i].name, name);
	vp_print(call->out, "Service %s: %s\n", name,
		 found && services_up(call->vp) ? "found" : "not found");
	return 0;
}

int vp_cmd_service(struct vp_call *call)
{
	const char *verb = vp_arg(call, 1), *name = vp_arg(call, 2);
	const char *code = vp_arg(call, 3);

	if (vp_is(verb, "list"))
		return list_services(call);
	if (vp_is(verb, "check") && name)
		return check_service(call, name);
	if (!vp_is(verb, "call") || !name || !code) {
		vp_print(call->err, "service: No service specified for call\n");
		return 10;
	}
	if (!services_up(call->vp)) {
		vp_print(call->err, "service: Service %s does not exist\n",
			 name);
		return 10;
	}
	if (vp_is(name, "notification") && vp_is(code, "1"))
		return call_notification(call);
	print_parcel_ok(call);
	return 0;
}
