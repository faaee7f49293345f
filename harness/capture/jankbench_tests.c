// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/jankbench.h>
#include <string.h>

const struct ab_jankbench_test ab_jankbench_tests[] = {
	{ "list_view", "List View Fling" },
	{ "image_list_view", "Image List View Fling" },
	{ "shadow_grid", "Shadow Grid Fling" },
	{ "high_hitrate_text", "High-hitrate text render" },
	{ "low_hitrate_text", "Low-hitrate text render" },
	{ "edit_text", "Edit Text Input" },
	{ "overdraw", "Overdraw Test" },
	{ NULL, NULL },
};

int ab_jankbench_find(const char *id)
{
	int i;

	for (i = 0; ab_jankbench_tests[i].id; i++)
		if (!strcmp(ab_jankbench_tests[i].id, id))
			return i;
	return -1;
}
