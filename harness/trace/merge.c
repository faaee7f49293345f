// SPDX-License-Identifier: GPL-3.0-or-later
#include "merge.h"

void ab_merge_init(struct ab_merge *merge, const gint64 *heads, guint n)
{
	guint32 leaves = 1, i;

	while (leaves < n)
		leaves *= 2;
	merge->n_leaves = leaves;
	merge->heads = g_new(gint64, 2 * leaves);
	merge->streams = g_new(guint32, 2 * leaves);
	for (i = 0; i < leaves; i++) {
		merge->heads[leaves + i] = i < n ? heads[i] : AB_MERGE_END;
		merge->streams[leaves + i] = i;
	}
	for (i = leaves - 1; i >= 1; i--) {
		guint32 left = 2 * i;

		left += merge->heads[left + 1] < merge->heads[left];
		merge->heads[i] = merge->heads[left];
		merge->streams[i] = merge->streams[left];
	}
}

void ab_merge_clear(struct ab_merge *merge)
{
	g_clear_pointer(&merge->heads, g_free);
	g_clear_pointer(&merge->streams, g_free);
}
