// SPDX-License-Identifier: GPL-3.0-or-later
/* Properties: getprop, setprop; flags: device_config. */
#include "android.h"

#include <string.h>

static void print_sorted(GHashTable *table, GString *out, const char *format)
{
	g_autoptr(GList) keys = g_hash_table_get_keys(table);

	keys = g_list_sort(keys, (GCompareFunc)strcmp);
	for (GList *l = keys; l; l = l->next) {
		const char *value = g_hash_table_lookup(table, l->data);

		if (vp_is(format, "props"))
			g_string_append_printf(out, "[%s]: [%s]\n",
					       (char *)l->data, value);
		else
			g_string_append_printf(out, "%s=%s\n", (char *)l->data,
					       value);
	}
}

int vp_cmd_getprop(struct vp_call *call)
{
	struct vphone *vp = call->vp;
	g_autoptr(GString) out = g_string_new(NULL);

	{
		VP_LOCKED(vp);
		vp_android_settle(vp);
		if (call->argc < 2)
			print_sorted(vp->props, out, "props");
		else if (g_hash_table_contains(vp->props, call->argv[1]))
			g_string_append_printf(out, "%s\n",
					       vp_prop(vp, call->argv[1]));
		else
			g_string_append_printf(out, "%s\n",
					       vp_arg(call, 2) ? call->argv[2]
							       : "");
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

/* What the shell's SELinux domain may set. */
static bool shell_may_set(const char *name)
{
	static const char *const prefixes[] = { "debug.", "log.",
						"persist.log.",
						"persist.traced.",
						"sys.powerctl" };

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return true;
	return false;
}

static bool may_set(struct vp_call *call, const char *name)
{
	VP_LOCKED(call->vp);

	if (g_str_has_prefix(name, "ro.") &&
	    g_hash_table_contains(call->vp->props, name))
		return false;
	return call->uid == 0 || shell_may_set(name);
}

int vp_cmd_setprop(struct vp_call *call)
{
	const char *name = vp_arg(call, 1), *value = vp_arg(call, 2);

	if (!name || !value || call->argc > 3) {
		vp_print(call->err, "usage: setprop NAME VALUE\n\n"
				    "Sets an Android system property.\n");
		return 1;
	}
	if (!may_set(call, name)) {
		vp_print(call->err,
			 "Failed to set property '%s' to '%s'.\n"
			 "See dmesg for error reason.\n",
			 name, value);
		return 1;
	}
	if (vp_is(name, "sys.powerctl") && g_str_has_prefix(value, "reboot")) {
		vp_reboot(call->vp, value[6] == ',' ? value + 7 : "");
		return 0;
	}
	VP_LOCKED(call->vp);
	vp_prop_set(call->vp, name, "%s", value);
	return 0;
}

/* ---- device_config ---- */

static int config_usage(struct vp_call *call)
{
	vp_print(call->err, "Invalid command or arguments\n");
	return 255;
}

static int config_get(struct vp_call *call)
{
	g_autofree char *key = NULL, *value = NULL;

	if (call->argc < 3)
		return config_usage(call);
	key = g_strdup_printf("%s/%s", call->argv[1], call->argv[2]);
	{
		VP_LOCKED(call->vp);
		value = g_strdup(g_hash_table_lookup(
			call->vp->android->device_config, key));
	}
	vp_print(call->out, "%s\n", value ? value : "null");
	return 0;
}

static int config_put(struct vp_call *call)
{
	if (call->argc < 4)
		return config_usage(call);
	{
		VP_LOCKED(call->vp);
		g_hash_table_insert(call->vp->android->device_config,
				    g_strdup_printf("%s/%s", call->argv[1],
						    call->argv[2]),
				    g_strdup(call->argv[3]));
	}
	vp_print(call->out, "Successfully set %s/%s to %s\n", call->argv[1],
		 call->argv[2], call->argv[3]);
	return 0;
}

static int config_delete(struct vp_call *call)
{
	g_autofree char *key = NULL;
	bool had;

	if (call->argc < 3)
		return config_usage(call);
	key = g_strdup_printf("%s/%s", call->argv[1], call->argv[2]);
	{
		VP_LOCKED(call->vp);
		had = g_hash_table_remove(call->vp->android->device_config,
					  key);
	}
	vp_print(call->out,
		 had ? "Successfully deleted %s from %s\n"
		     : "Failed to delete %s from %s\n",
		 call->argv[2], call->argv[1]);
	return 0;
}

static int config_list(struct vp_call *call)
{
	const char *ns = vp_arg(call, 1);
	g_autoptr(GString) all = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;
	g_autofree char *prefix = ns ? g_strdup_printf("%s/", ns) : NULL;

	{
		VP_LOCKED(call->vp);
		print_sorted(call->vp->android->device_config, all, "flags");
	}
	lines = g_strsplit(all->str, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (prefix && g_str_has_prefix(*line, prefix))
			vp_print(call->out, "%s\n", *line + strlen(prefix));
		else if (!prefix && **line)
			vp_print(call->out, "%s\n", *line);
	}
	return 0;
}

static int config_sync_set(struct vp_call *call)
{
	static const char *const modes[] = { "none", "persistent",
					     "until_reboot", NULL };
	const char *mode = vp_arg(call, 1);

	if (!mode || !g_strv_contains(modes, mode))
		return config_usage(call);
	VP_LOCKED(call->vp);
	g_free(call->vp->android->config_sync_disabled);
	call->vp->android->config_sync_disabled = g_strdup(mode);
	return 0;
}

static int config_sync_get(struct vp_call *call)
{
	g_autofree char *mode = NULL;

	{
		VP_LOCKED(call->vp);
		mode = g_strdup(call->vp->android->config_sync_disabled);
	}
	vp_print(call->out, "%s\n", mode);
	return 0;
}

static const struct vp_command config_commands[] = {
	{ "get", config_get },
	{ "put", config_put },
	{ "delete", config_delete },
	{ "list", config_list },
	{ "set_sync_disabled_for_tests", config_sync_set },
	{ "get_sync_disabled_for_tests", config_sync_get },
	{ NULL, NULL },
};

int vp_cmd_device_config(struct vp_call *call)
{
	return vp_subcommand(call, config_commands, config_usage);
}
