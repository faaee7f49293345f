// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Names for the CSV files of each trace: its base name where that is the only
 * one of its kind, else its whole path in one word, so that one knows which is
 * which (all traces of a campaign are called trace.pftrace).
 */
#include "analyze.h"

#include <string.h>

/* A file name holds 255 bytes; ".<table>.csv" and a number come behind. */
#define MOST_BYTES 200

static char *shortened(char *name)
{
	size_t n = strlen(name);

	if (n > MOST_BYTES)
		memmove(name, name + n - MOST_BYTES, MOST_BYTES + 1);
	return name;
}

static char *whole_path(const char *path)
{
	while (g_str_has_prefix(path, "./") || g_str_has_prefix(path, "/"))
		path = strchr(path, '/') + 1;
	return shortened(g_strdelimit(g_strdup(path), "/", '_'));
}

static char *base_name(const char *path)
{
	return shortened(g_path_get_basename(path));
}

/* "x", "x-2", "x-3", ... */
static char *unused(GHashTable *used, const char *name)
{
	char *result = g_strdup(name);
	guint i;

	for (i = 2; g_hash_table_contains(used, result); i++) {
		g_free(result);
		result = g_strdup_printf("%s-%u", name, i);
	}
	return result;
}

static GHashTable *count_bases(char *const *files)
{
	GHashTable *counts =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (; *files; files++) {
		char *base = base_name(*files);
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, base));

		g_hash_table_insert(counts, base, GUINT_TO_POINTER(n + 1));
	}
	return counts;
}

GPtrArray *analyze_names(char *const *files)
{
	g_autoptr(GHashTable) counts = count_bases(files);
	g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (; *files; files++) {
		g_autofree char *base = base_name(*files);
		g_autofree char *path = whole_path(*files);
		bool alone = GPOINTER_TO_UINT(
				     g_hash_table_lookup(counts, base)) == 1;
		char *name = unused(used, alone ? base : path);

		g_ptr_array_add(names, name);
		g_hash_table_add(used, name);
	}
	return names;
}
