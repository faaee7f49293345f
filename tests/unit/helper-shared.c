// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

char *shared_path(const char *name)
{
	const char *shared = g_getenv("ABRIG_SHARED");
	g_autofree char *path =
		g_build_filename(shared ? shared : "../shared", name, NULL);

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&path);
	g_test_skip("no captures: set ABRIG_SHARED");
	return NULL;
}

char *shared_text(const char *name)
{
	g_autofree char *path = shared_path(name);
	char *text = NULL;

	if (path)
		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}
