// SPDX-License-Identifier: GPL-3.0-or-later
/* Where scenarios are. */
#include <abrig/error.h>
#include <abrig/scenario.h>
#include <abrig/text.h>

#include <string.h>

#define SUFFIX ".yaml"
#define MAX_NAMES 1000 /* of which a wrong name is compared with */

/* NULL-terminated, in the order of precedence. */
static char **search_path(void)
{
	g_autoptr(GStrvBuilder) dirs = g_strv_builder_new();
	const char *own = g_getenv("ABRIG_SCENARIOS");

	if (own && *own)
		g_strv_builder_add(dirs, own);
	g_strv_builder_add(dirs, "scenarios");
	g_strv_builder_add(dirs, AB_DATADIR "/scenarios");
	return g_strv_builder_end(dirs);
}

static bool is_file_name(const char *name)
{
	return strchr(name, '/') || g_str_has_suffix(name, SUFFIX) ||
	       g_str_has_suffix(name, ".yml");
}

static void add_names(GPtrArray *names, const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *file;

	while (dir && names->len < MAX_NAMES) {
		file = g_dir_read_name(dir);
		if (!file)
			break;
		if (g_str_has_suffix(file, SUFFIX))
			g_ptr_array_add(
				names,
				g_strndup(file, strlen(file) - strlen(SUFFIX)));
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void drop_doubles(GPtrArray *sorted)
{
	guint i;

	for (i = sorted->len; i-- > 1;)
		if (!strcmp(sorted->pdata[i], sorted->pdata[i - 1]))
			g_ptr_array_remove_index(sorted, i);
}

char **ab_scenario_names(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) dirs = search_path();
	char **dir;

	for (dir = dirs; *dir; dir++)
		add_names(names, *dir);
	g_ptr_array_sort(names, by_name);
	drop_doubles(names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_steal(names, NULL);
}

static void fail_unknown(const char *name, char **dirs, GError **error)
{
	g_auto(GStrv) names = ab_scenario_names();
	g_autofree char *places = g_strjoinv(", ", dirs);
	g_autofree char *all = g_strjoinv(", ", names);
	const char *closest = ab_text_closest(name, (const char *const *)names);

	if (closest)
		g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
			    "unknown scenario '%s', did you mean '%s'?", name,
			    closest);
	else
		g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
			    "unknown scenario '%s'; known are: %s (looked in "
			    "%s)",
			    name, *all ? all : "none", places);
}

char *ab_scenario_find(const char *name, GError **error)
{
	g_auto(GStrv) dirs = search_path();
	char **dir;

	if (is_file_name(name)) {
		if (g_file_test(name, G_FILE_TEST_EXISTS))
			return g_strdup(name);
		g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
			    "there is no scenario file '%s'; check the path",
			    name);
		return NULL;
	}
	for (dir = dirs; *dir; dir++) {
		g_autofree char *file = g_strconcat(name, SUFFIX, NULL);
		g_autofree char *path = g_build_filename(*dir, file, NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&path);
	}
	fail_unknown(name, dirs, error);
	return NULL;
}
