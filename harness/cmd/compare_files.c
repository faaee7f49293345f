// SPDX-License-Identifier: GPL-3.0-or-later
/* Which files, what their variants are called, and their bytes. */
#include "compare.h"

#include <abrig/error.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES (64 * 1024 * 1024)
#define MOST_FILES 1000
#define WA_RESULTS "results.csv"

static void free_file(gpointer data)
{
	struct compare_file *f = data;

	g_free(f->path);
	g_free(f->variant);
	g_free(f->sha256);
	g_free(f);
}

/* The file's own name says enough when no two are the same. */
static bool names_differ(char **arguments)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (; *arguments; arguments++)
		if (!g_hash_table_add(seen, g_path_get_basename(*arguments)))
			return false;
	return true;
}

static bool check_arguments(char **arguments, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	if (g_strv_length(arguments) > MOST_FILES) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "more than %d files", MOST_FILES);
		return false;
	}
	for (; *arguments; arguments++)
		if (!g_hash_table_add(seen, *arguments)) {
			g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
				    "%s is given twice", *arguments);
			return false;
		}
	return true;
}

GPtrArray *compare_files(char **arguments, GError **error)
{
	GPtrArray *files;
	bool shortened = names_differ(arguments);

	if (!check_arguments(arguments, error))
		return NULL;
	files = g_ptr_array_new_with_free_func(free_file);
	for (; *arguments; arguments++) {
		struct compare_file *f = g_new0(struct compare_file, 1);

		f->variant = shortened ? g_path_get_basename(*arguments)
				       : g_strdup(*arguments);
		f->path =
			g_file_test(*arguments, G_FILE_TEST_IS_DIR)
				? g_build_filename(*arguments, WA_RESULTS, NULL)
				: g_strdup(*arguments);
		g_ptr_array_add(files, f);
	}
	return files;
}

/* What may be a pipe, up to a ceiling. */
static GByteArray *read_bytes(const char *path, GError **error)
{
	bool in = !strcmp(path, "-");
	FILE *file = in ? stdin : fopen(path, "rbe");
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	guint8 buf[64 * 1024];
	size_t n = 0;
	bool ok = file != NULL;

	while (ok && (n = fread(buf, 1, sizeof(buf), file)) > 0 &&
	       bytes->len <= MOST_BYTES)
		g_byte_array_append(bytes, buf, (guint)n);
	ok = ok && !ferror(file);
	if (!ok)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: cannot be read: %s", path, g_strerror(errno));
	else if (bytes->len > MOST_BYTES)
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: larger than %d MB", path,
			    MOST_BYTES / (1024 * 1024));
	if (file && !in)
		fclose(file);
	return ok && bytes->len <= MOST_BYTES ? g_steal_pointer(&bytes) : NULL;
}

bool compare_read(const GPtrArray *files, struct ab_import *import,
		  GError **error)
{
	for (guint i = 0; i < files->len; i++) {
		struct compare_file *f = files->pdata[i];
		g_autoptr(GByteArray) bytes = read_bytes(f->path, error);

		if (!bytes ||
		    !ab_import_add(import, f->path, f->variant,
				   bytes->len ? (const char *)bytes->data : "",
				   bytes->len, error))
			return false;
		f->sha256 = g_compute_checksum_for_data(
			G_CHECKSUM_SHA256, bytes->data, bytes->len);
	}
	return true;
}
