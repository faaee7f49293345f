// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/jankbench.h>
#include <abrig/text.h>
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

int ab_jankbench_count(void)
{
	return (int)G_N_ELEMENTS(ab_jankbench_tests) - 1;
}

int ab_jankbench_find(const char *text)
{
	gint64 index;
	int i;

	if (ab_text_to_int(text, &index))
		return index >= 0 && index < ab_jankbench_count() ? (int)index
								  : -1;
	for (i = 0; ab_jankbench_tests[i].id; i++)
		if (!strcmp(ab_jankbench_tests[i].id, text) ||
		    !strcmp(ab_jankbench_tests[i].name, text))
			return i;
	return -1;
}
