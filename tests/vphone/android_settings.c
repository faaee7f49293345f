// SPDX-License-Identifier: GPL-3.0-or-later
/* settings: three tables of text; an unset key reads `null`. */
#include "android.h"

#include <math.h>
#include <string.h>

static const char *const namespaces[VP_NAMESPACES] = { "system", "secure",
						       "global" };

bool vp_namespace_parse(const char *name, enum vp_namespace *ns_out)
{
	for (int i = 0; i < VP_NAMESPACES; i++) {
		if (g_ascii_strcasecmp(name, namespaces[i]))
			continue;
		*ns_out = (enum vp_namespace)i;
		return true;
	}
	return false;
}

static int usage(struct vp_call *call)
{
	vp_print(call->out,
		 "Settings provider (settings) commands:\n"
		 "  help\n"
		 "      Print this help text.\n"
		 "  get [--user <USER_ID> | current] NAMESPACE KEY\n"
		 "      Retrieve the current value of KEY.\n"
		 "  put [--user <USER_ID> | current] NAMESPACE KEY VALUE "
		 "[TAG] [default]\n"
		 "      Change the contents of KEY to VALUE.\n"
		 "  delete [--user <USER_ID> | current] NAMESPACE KEY\n"
		 "      Delete the entry for KEY.\n"
		 "  reset [--user <USER_ID> | current] NAMESPACE "
		 "{PACKAGE_NAME | RESET_MODE}\n"
		 "  list [--user <USER_ID> | current] NAMESPACE\n"
		 "      Print all defined keys.\n"
		 "      NAMESPACE is one of {system, secure, global}\n");
	return 255;
}

static int get(struct vp_call *call, enum vp_namespace ns, char **args)
{
	g_autofree char *value = NULL;

	{
		VP_LOCKED(call->vp);
		value = g_strdup(vp_setting(call->vp, ns, args[0]));
	}
	vp_print(call->out, "%s\n", value ? value : "null");
	return 0;
}

/*
 * The display settings code of recent builds rewrites a refresh rate that the
 * panel cannot exceed.
 */
static const char *rewritten(const struct vphone *vp, enum vp_namespace ns,
			     const char *key, const char *value)
{
	if (ns != VP_SYSTEM || !g_str_has_suffix(key, "_refresh_rate"))
		return value;
	return g_ascii_strtod(value, NULL) >= vp->hw->refresh_hz ? "Infinity"
								 : value;
}

static int put(struct vp_call *call, enum vp_namespace ns, char **args)
{
	struct vphone *vp = call->vp;

	VP_LOCKED(vp);
	if (vp_fault_take(vp, VP_FAULT_SETTING_REFUSED, NULL))
		return 0;
	vp_setting_set(vp, ns, args[0], rewritten(vp, ns, args[0], args[1]));
	return 0;
}

static int delete (struct vp_call *call, enum vp_namespace ns, char **args)
{
	bool had;

	{
		VP_LOCKED(call->vp);
		had = g_hash_table_remove(call->vp->settings[ns], args[0]);
	}
	vp_print(call->out, "Deleted %d rows\n", had);
	return 0;
}

static int list(struct vp_call *call, enum vp_namespace ns, char **args)
{
	g_autoptr(GString) out = g_string_new(NULL);

	(void)args;
	{
		VP_LOCKED(call->vp);
		GHashTable *table = call->vp->settings[ns];
		g_autoptr(GList) keys = g_list_sort(
			g_hash_table_get_keys(table), (GCompareFunc)strcmp);

		for (GList *l = keys; l; l = l->next)
			g_string_append_printf(
				out, "%s=%s\n", (char *)l->data,
				(char *)g_hash_table_lookup(table, l->data));
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

static int reset(struct vp_call *call, enum vp_namespace ns, char **args)
{
	static const char *const modes[] = { "untrusted_defaults",
					     "untrusted_clear",
					     "trusted_defaults", NULL };

	(void)ns;
	/* Only values that an app wrote would go; the shell's stay. */
	if (g_strv_contains(modes, args[0]) || vp_package_find(args[0]))
		return 0;
	vp_print(call->err, "Invalid reset mode '%s'\n", args[0]);
	return 255;
}

static const struct verb {
	const char *name;
	int args;
	int (*run)(struct vp_call *call, enum vp_namespace ns, char **args);
} verbs[] = {
	{ "get", 1, get },   { "put", 2, put },	    { "delete", 1, delete },
	{ "list", 0, list }, { "reset", 1, reset },
};

/* Options may stand anywhere before the namespace. */
static int skip_options(const struct vp_call *call, int i)
{
	while (i < call->argc && g_str_has_prefix(call->argv[i], "--"))
		i += !vp_is(call->argv[i], "--user") ? 1 : 2;
	return i;
}

int vp_cmd_settings(struct vp_call *call)
{
	const char *name = vp_arg(call, 1);
	const struct verb *verb = NULL;
	enum vp_namespace ns;
	int i = skip_options(call, 2);

	for (size_t v = 0; name && v < G_N_ELEMENTS(verbs); v++)
		if (vp_is(verbs[v].name, name))
			verb = &verbs[v];
	if (!verb)
		return usage(call);
	if (i >= call->argc) {
		vp_print(call->err, "Invalid arguments\n");
		return 255;
	}
	if (!vp_namespace_parse(call->argv[i], &ns)) {
		vp_print(call->err, "Invalid namespace '%s'\n", call->argv[i]);
		return 255;
	}
	if (call->argc - i - 1 < verb->args) {
		vp_print(call->err, "Bad arguments\n");
		return 255;
	}
	return verb->run(call, ns, call->argv + i + 1);
}
