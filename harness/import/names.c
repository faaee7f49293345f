// SPDX-License-Identifier: GPL-3.0-or-later
#include "import.h"

#include <abrig/error.h>

#include <string.h>

void import_error(const struct import_place *at, GError **error,
		  const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list ap;

	va_start(ap, format);
	what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA, "%s:%u:%u: %s", at->file,
		    at->line, at->column, what);
}

void names_init(struct names *names, const char *what, guint limit)
{
	names->index = g_hash_table_new(g_str_hash, g_str_equal);
	names->list = g_ptr_array_new_with_free_func(g_free);
	names->what = what;
	names->limit = limit;
}

void names_clear(struct names *names)
{
	g_hash_table_unref(names->index);
	g_ptr_array_unref(names->list);
}

bool names_add(struct names *names, const struct import_place *at,
	       const char *name, int *index_out, GError **error)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(names->index, name));
	char *copy;

	if (known) {
		*index_out = (int)known - 1;
		return true;
	}
	if (names->list->len >= names->limit) {
		import_error(at, error, "more than %u %s", names->limit,
			     names->what);
		return false;
	}
	copy = g_strdup(name);
	g_ptr_array_add(names->list, copy);
	g_hash_table_insert(names->index, copy,
			    GUINT_TO_POINTER(names->list->len));
	*index_out = (int)names->list->len - 1;
	return true;
}

/* ---- the names of columns and keys ---- */

#define MOST_USUAL 4

static const char *const usual[AB_IMPORT_N_ROLES][MOST_USUAL] = {
	[AB_IMPORT_VARIANT] = { "variant", "arm", "kernel", "tag" },
	[AB_IMPORT_WORKLOAD] = { "workload", "scenario", "benchmark" },
	[AB_IMPORT_METRIC] = { "metric", "name" },
	[AB_IMPORT_VALUE] = { "value" },
	[AB_IMPORT_UNIT] = { "units", "unit" },
	[AB_IMPORT_DEVICE] = { "device", "serial" },
	[AB_IMPORT_BLOCK] = { "block" },
	[AB_IMPORT_BOOT] = { "boot", "session", "boot_seq" },
	[AB_IMPORT_RUN] = { "run", "iteration", "run_id" },
};

enum ab_import_role import_role(const struct ab_import_options *options,
				const char *name)
{
	for (int role = 0; role < AB_IMPORT_N_ROLES; role++) {
		if (options->names[role]) {
			if (!strcmp(options->names[role], name))
				return (enum ab_import_role)role;
			continue;
		}
		for (int i = 0; i < MOST_USUAL && usual[role][i]; i++)
			if (!g_ascii_strcasecmp(usual[role][i], name))
				return (enum ab_import_role)role;
	}
	return AB_IMPORT_N_ROLES;
}

static int find_usual(enum ab_import_role role, const GPtrArray *names)
{
	for (int i = 0; i < MOST_USUAL && usual[role][i]; i++)
		for (guint k = 0; k < names->len; k++)
			if (!g_ascii_strcasecmp(usual[role][i],
						names->pdata[k]))
				return (int)k;
	return -1;
}

int import_find(const struct ab_import_options *options,
		enum ab_import_role role, const GPtrArray *names)
{
	if (!options->names[role])
		return find_usual(role, names);
	for (guint k = 0; k < names->len; k++)
		if (!strcmp(options->names[role], names->pdata[k]))
			return (int)k;
	return -1;
}

bool import_listed(const char *const *list, const char *name)
{
	return list && g_strv_contains(list, name);
}
