// SPDX-License-Identifier: GPL-3.0-or-later
#include "merge.h"

void ab_merge_init(struct ab_merge *merge, const gint64 *heads, guint n)
{
	guint32 leaves = 1, i;

	while (leaves < n)
		leaves *= 2;
	merge->n_leaves = leaves;
	merge->nodes = g_new(struct ab_merge_node, 2 * leaves);
	for (i = 0; i < leaves; i++) {
		struct ab_merge_node *leaf = &merge->nodes[leaves + i];

		leaf->head = i < n ? heads[i] : AB_MERGE_END;
		leaf->stream = i;
	}
	for (i = leaves - 1; i >= 1; i--) {
		const struct ab_merge_node *left = &merge->nodes[2 * i];

		merge->nodes[i] = left[left[1].head < left[0].head];
	}
}

void ab_merge_clear(struct ab_merge *merge)
{
	g_clear_pointer(&merge->nodes, g_free);
}
