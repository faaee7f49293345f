// SPDX-License-Identifier: GPL-3.0-or-later
/* pm: the installed packages. */
#include "android.h"

#include <string.h>

static const struct vp_package packages[] = {
	{ "android", "/system/framework/framework-res.apk", 1000, 34, false,
	  NULL },
	{ "com.android.shell", "/system/priv-app/Shell/Shell.apk", 2000, 34,
	  false, NULL },
	{ "com.android.systemui",
	  "/system_ext/priv-app/SystemUIGoogle/SystemUIGoogle.apk", 10201, 34,
	  false, NULL },
	{ "com.android.settings",
	  "/system_ext/priv-app/SettingsGoogle/SettingsGoogle.apk", 1000, 34,
	  false, ".Settings" },
	{ VP_LAUNCHER,
	  "/system_ext/priv-app/NexusLauncherRelease/NexusLauncherRelease.apk",
	  10210, 34, false, ".NexusLauncherActivity" },
	{ "com.google.android.gms",
	  "/product/priv-app/PrebuiltGmsCore/PrebuiltGmsCore.apk", 10145,
	  240913044, false, NULL },
	{ "com.android.vending", "/product/priv-app/Phonesky/Phonesky.apk",
	  10150, 84152010, false, NULL },
	{ VP_BENCHMARK,
	  "/data/app/~~9dq0XjUmBQm9J7mNMFmU2w==/"
	  "com.android.benchmark-hWm0vA8Cc2v4Ql8ZkKkGpA==/base.apk",
	  10243, 1, true, ".app.HomeActivity" },
};

const struct vp_package *vp_package_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(packages); i++)
		if (vp_is(packages[i].name, name))
			return &packages[i];
	return NULL;
}

struct list_options {
	bool file, uid, version, disabled, enabled, system, third;
	const char *filter;
};

static bool list_parse(struct vp_call *call, struct list_options *o)
{
	for (int i = 2; i < call->argc; i++) {
		const char *arg = call->argv[i];

		if (*arg != '-')
			o->filter = arg;
		else if (vp_is(arg, "--show-versioncode"))
			o->version = true;
		else if (vp_is(arg, "--user"))
			i++;
		else if (strlen(arg) != 2 || !strchr("fUdes3iula", arg[1])) {
			vp_print(call->err, "Error: Unknown option: %s\n", arg);
			return false;
		}
		o->file |= vp_is(arg, "-f");
		o->uid |= vp_is(arg, "-U");
		o->disabled |= vp_is(arg, "-d");
		o->enabled |= vp_is(arg, "-e");
		o->system |= vp_is(arg, "-s");
		o->third |= vp_is(arg, "-3");
	}
	return true;
}

static bool listed(const struct vphone *vp, const struct vp_package *p,
		   const struct list_options *o)
{
	bool disabled = g_hash_table_contains(vp->android->disabled, p->name);

	return !(o->disabled && !disabled) && !(o->enabled && disabled) &&
	       !(o->system && p->third_party) &&
	       !(o->third && !p->third_party) &&
	       !(o->filter && !strstr(p->name, o->filter));
}

static int list(struct vp_call *call)
{
	struct list_options o = { 0 };
	g_autoptr(GString) out = g_string_new(NULL);

	if (!vp_is(vp_arg(call, 1), "packages") &&
	    !vp_is(vp_arg(call, 1), "package")) {
		vp_print(call->err, "Error: unknown list type '%s'\n",
			 vp_arg(call, 1) ? call->argv[1] : "");
		return 255;
	}
	if (!list_parse(call, &o))
		return 255;
	{
		VP_LOCKED(call->vp);
		for (size_t i = 0; i < G_N_ELEMENTS(packages); i++) {
			const struct vp_package *p = &packages[i];

			if (!listed(call->vp, p, &o))
				continue;
			g_string_append(out, "package:");
			if (o.file)
				g_string_append_printf(out, "%s=", p->path);
			g_string_append(out, p->name);
			if (o.version)
				g_string_append_printf(out, " versionCode:%d",
						       p->version);
			if (o.uid)
				g_string_append_printf(out, " uid:%d", p->uid);
			g_string_append_c(out, '\n');
		}
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

/* The last word, past options; NULL and a message when it is no package. */
static const struct vp_package *target(struct vp_call *call, int from)
{
	const struct vp_package *p;
	int i = from;

	while (i < call->argc && call->argv[i][0] == '-')
		i += !vp_is(call->argv[i], "--user") ? 1 : 2;
	if (i >= call->argc) {
		vp_print(call->err, "Error: no package specified\n");
		return NULL;
	}
	p = vp_package_find(call->argv[i]);
	return p;
}

static int path(struct vp_call *call)
{
	const struct vp_package *p = target(call, 1);

	if (!p)
		return 1;
	vp_print(call->out, "package:%s\n", p->path);
	return 0;
}

static int clear(struct vp_call *call)
{
	const struct vp_package *p = target(call, 1);

	if (!p) {
		vp_print(call->out, "Failed\n");
		return 1;
	}
	vp_app_stop(call->vp, p->name);
	if (vp_is(p->name, VP_BENCHMARK))
		vp_bench_clear_data(call->vp);
	vp_print(call->out, "Success\n");
	return 0;
}

static int compile(struct vp_call *call)
{
	const char *filter = NULL, *name = vp_arg(call, call->argc - 1);
	bool reset = false;

	for (int i = 1; i < call->argc; i++) {
		if (vp_is(call->argv[i], "-m"))
			filter = vp_arg(call, i + 1);
		reset |= vp_is(call->argv[i], "--reset");
	}
	if (reset)
		filter = "verify";
	if (!name || call->argc < 2 || (!filter && !reset)) {
		vp_print(call->err, "Error: no package or compiler filter "
				    "specified\n");
		return 1;
	}
	if (!vp_package_find(name) && !vp_is(name, "-a")) {
		vp_print(call->out,
			 "Failure: package %s could not be "
			 "compiled\n",
			 name);
		return 1;
	}
	if (!vp_call_sleep(call, VP_NSEC))
		return 143;
	{
		VP_LOCKED(call->vp);
		g_hash_table_insert(call->vp->android->dexopt, g_strdup(name),
				    g_strdup(filter));
	}
	vp_print(call->out, "Success\n");
	return 0;
}

static int set_enabled(struct vp_call *call)
{
	bool enable = vp_is(call->argv[0], "enable");
	const struct vp_package *p = target(call, 1);
	GHashTable *set = call->vp->android->disabled;

	if (!p) {
		vp_print(call->err,
			 "\nException occurred while executing '%s':\n"
			 "java.lang.IllegalArgumentException: Unknown "
			 "package\n",
			 call->argv[0]);
		return 255;
	}
	{
		VP_LOCKED(call->vp);
		if (enable)
			g_hash_table_remove(set, p->name);
		else
			g_hash_table_insert(set, g_strdup(p->name),
					    g_strdup("1"));
	}
	vp_print(call->out, "Package %s new state: %s\n", p->name,
		 enable			   ? "enabled"
		 : call->argv[0][7] == '-' ? "disabled-user"
					   : "disabled");
	return 0;
}

static int grant(struct vp_call *call)
{
	if (!target(call, 1)) {
		vp_print(call->err,
			 "\nException occurred while executing '%s':\n"
			 "java.lang.IllegalArgumentException: Unknown package: "
			 "%s\n",
			 call->argv[0],
			 vp_arg(call, 1) ? call->argv[1] : "null");
		return 255;
	}
	return 0;
}

static int bg_dexopt_job(struct vp_call *call)
{
	const char *option = vp_arg(call, 1);
	struct vp_android *a = call->vp->android;

	if (!option) {
		if (!vp_call_sleep(call, 5 * VP_NSEC))
			return 143;
		vp_print(call->out, "Success\n");
		return 0;
	}
	if (!vp_is(option, "--disable") && !vp_is(option, "--enable") &&
	    !vp_is(option, "--cancel")) {
		vp_print(call->err, "Error: Unknown option: %s\n", option);
		return 1;
	}
	VP_LOCKED(call->vp);
	if (!vp_is(option, "--cancel"))
		a->bg_dexopt_disabled = vp_is(option, "--disable");
	return 0;
}

static int art(struct vp_call *call)
{
	struct vp_call dump;
	g_autoptr(GString) out = g_string_new(NULL);

	if (!vp_is(vp_arg(call, 1), "dump")) {
		vp_print(call->err, "Error: Unsupported command '%s'\n",
			 vp_arg(call, 1) ? call->argv[1] : "");
		return 1;
	}
	dump = vp_shift(call);
	{
		VP_LOCKED(call->vp);
		vp_dump_package(&dump, out);
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

static int unknown(struct vp_call *call)
{
	if (vp_arg(call, 1))
		vp_print(call->out, "Unknown command: %s\n", call->argv[1]);
	else
		vp_print(call->out, "Package manager (package) commands:\n"
				    "  help\n    Print this help text.\n");
	return 255;
}

int vp_cmd_pm(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "list", list },
		{ "path", path },
		{ "clear", clear },
		{ "compile", compile },
		{ "disable", set_enabled },
		{ "disable-user", set_enabled },
		{ "enable", set_enabled },
		{ "grant", grant },
		{ "revoke", grant },
		{ "bg-dexopt-job", bg_dexopt_job },
		{ "art", art },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, unknown);
}

/* The caller holds the lock. */
void vp_dump_package(struct vp_call *call, GString *out)
{
	const char *wanted = vp_arg(call, call->argc - 1);
	const struct vp_package *one = wanted ? vp_package_find(wanted) : NULL;

	g_string_append(out, "Dexopt state:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(packages); i++) {
		const struct vp_package *p = &packages[i];
		const char *filter =
			g_hash_table_lookup(call->vp->android->dexopt, p->name);

		if ((one && one != p) || !g_str_has_suffix(p->path, ".apk"))
			continue;
		g_string_append_printf(out,
				       "  [%s]\n    path: %s\n"
				       "      arm64: [status=%s] [reason=%s] "
				       "[primary-abi]\n",
				       p->name, p->path,
				       filter		? filter
				       : p->third_party ? "verify"
							: "speed-profile",
				       filter ? "cmdline" : "prebuilt");
	}
}
