// SPDX-License-Identifier: GPL-3.0-or-later
/* A plan as an A/A plan: its baseline against itself. */
#include <abrig/plan.h>

#include <string.h>

#define SUFFIX "-again"

static const struct ab_pair *baseline(const struct ab_plan *plan)
{
	const struct ab_node *variants = ab_node_get(plan->tree, "variants");

	return g_ptr_array_index(variants->pairs, 0);
}

/* Another hash: neither campaign may go on as the other. */
static void change_names(struct ab_plan *plan)
{
	g_autofree char *name = plan->name;
	g_autofree char *key = g_strconcat("A/A\n", plan->sha256, NULL);

	plan->name = g_strconcat(name, "-aa", NULL);
	g_free(plan->sha256);
	plan->sha256 =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
}

bool ab_plan_again(struct ab_plan *plan, GError **error)
{
	const struct ab_pair *first = baseline(plan);
	g_autofree char *name = g_strconcat(first->key->text, SUFFIX, NULL);
	struct ab_variant *again = ab_variant_parse(name, first->value, error);

	if (!again)
		return false;
	g_ptr_array_set_size(plan->variants, 1);
	g_ptr_array_add(plan->variants, again);
	/* Where a difference ends the night, every alarm would be one. */
	g_clear_pointer(&plan->schedule.stop.when, g_free);
	plan->same = true;
	plan->again = true;
	change_names(plan);
	return true;
}
