// SPDX-License-Identifier: GPL-3.0-or-later
#include "digest.h"

#include <abrig/error.h>
#include <abrig/trace.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEEPEST 8 /* folders below the run's; ours have none */

/* With its length: no two lists of texts look alike. */
static void add_text(GChecksum *sum, const char *text)
{
	g_autofree char *head = g_strdup_printf("%zu:", strlen(text));

	g_checksum_update(sum, (const guchar *)head, -1);
	g_checksum_update(sum, (const guchar *)text, -1);
}

static bool fail(const char *path, GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_ENV, "%s cannot be read: %s",
		    path, g_strerror(errno));
	return false;
}

static bool add_content(GChecksum *sum, const char *path, GError **error)
{
	g_autoptr(GChecksum) content = g_checksum_new(G_CHECKSUM_SHA256);
	guchar buf[64 * 1024];
	FILE *file = fopen(path, "rbe");
	size_t n;
	bool ok;

	if (!file)
		return fail(path, error);
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		g_checksum_update(content, buf, (gssize)n);
	ok = !ferror(file) || fail(path, error);
	fclose(file);
	add_text(sum, g_checksum_get_string(content));
	return ok;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *names_in(const char *path)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* A folder that is not there has no files: the analysis will say so. */
static bool add_folder(GChecksum *sum, const char *path, int depth,
		       GError **error)
{
	g_autoptr(GPtrArray) names = names_in(path);

	add_text(sum, "(");
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *file =
			g_build_filename(path, names->pdata[i], NULL);
		bool folder = g_file_test(file, G_FILE_TEST_IS_DIR);

		add_text(sum, names->pdata[i]);
		if (folder && depth < DEEPEST &&
		    !add_folder(sum, file, depth + 1, error))
			return false;
		if (!folder && g_file_test(file, G_FILE_TEST_IS_REGULAR) &&
		    !add_content(sum, file, error))
			return false;
	}
	add_text(sum, ")");
	return true;
}

char *digest_run(struct ab_store *store, const struct ab_run_row *run,
		 const char *dir, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *key = g_strdup_printf("scenario.%d", run->scenario);
	g_autoptr(GError) why = NULL;
	g_autofree char *scenario = ab_store_fact(store, key, &why);
	g_autofree char *version =
		g_strdup_printf("abrig %s %d", AB_VERSION, ANALYSIS_VERSION);

	if (why) {
		g_propagate_error(error, g_steal_pointer(&why));
		return NULL;
	}
	add_text(sum, version);
	add_text(sum, scenario ? scenario : "");
	add_text(sum, ab_thread_rules_default);
	if (!add_folder(sum, dir, 0, error))
		return NULL;
	return g_strdup(g_checksum_get_string(sum));
}
