// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_internal.h"

#include <string.h>

#define MAX_PLAN_NAME 64

static bool parse_name(struct ab_plan *plan, struct plan_keys *keys,
		       GError **error)
{
	plan->name = g_steal_pointer(&keys->name);
	plan->same = keys->same;
	return ab_node_check_name(ab_node_get(plan->tree, "plan"), "plan",
				  MAX_PLAN_NAME, error);
}

static bool parse(struct ab_plan *plan, GError **error)
{
	struct plan_keys keys = { 0 };
	bool ok = ab_keys_parse(plan_keys, plan->tree, &keys, error) &&
		  parse_name(plan, &keys, error) &&
		  plan_parse_platforms(plan, keys.platforms, error) &&
		  plan_parse_variants(plan, keys.variants, error) &&
		  plan_parse_scenarios(plan, keys.scenarios, error) &&
		  ab_keys_parse(plan_schedule_keys, keys.schedule,
				&plan->schedule, error) &&
		  ab_keys_parse(ab_prepare_keys, keys.prepare, &plan->prepare,
				error) &&
		  ab_keys_parse(plan_gate_keys, keys.gates, &plan->gates,
				error) &&
		  plan_parse_metrics(plan, keys.metrics, error) &&
		  plan_parse_stop(plan, error);

	ab_keys_clear(plan_keys, &keys);
	return ok;
}

/* Each file with its length before it, so that contents cannot shift. */
static void digest_text(GChecksum *sum, const char *text, size_t len)
{
	g_autofree char *head = g_strdup_printf("%zu\n", len);

	g_checksum_update(sum, (const guchar *)head, -1);
	g_checksum_update(sum, (const guchar *)text, (gssize)len);
}

static bool digest_variant(GChecksum *sum, const struct ab_plan *plan,
			   const struct ab_variant *variant, GError **error)
{
	g_autofree char *text = NULL;
	gsize len;

	if (!variant->file || !strcmp(variant->file, plan->file))
		return true;
	text = ab_yaml_read(variant->file, &len, error);
	if (text)
		digest_text(sum, text, len);
	return text;
}

static bool digest(struct ab_plan *plan, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint i;

	digest_text(sum, plan->text, strlen(plan->text));
	for (i = 0; i < plan->scenarios->len; i++) {
		const struct ab_scenario *scenario =
			g_ptr_array_index(plan->scenarios, i);

		digest_text(sum, scenario->text, strlen(scenario->text));
	}
	for (i = 0; i < plan->variants->len; i++)
		if (!digest_variant(sum, plan,
				    g_ptr_array_index(plan->variants, i),
				    error))
			return false;
	plan->sha256 = g_strdup(g_checksum_get_string(sum));
	return true;
}

struct ab_plan *ab_plan_load(const char *path, GError **error)
{
	ab_autoptr(ab_plan) plan = g_new0(struct ab_plan, 1);
	gsize len;

	plan->file = g_strdup(path);
	plan->dir = g_path_get_dirname(path);
	plan->text = ab_yaml_read(path, &len, error);
	if (!plan->text)
		return NULL;
	plan->tree = ab_yaml_parse(plan->text, (gssize)len, path, error);
	if (!plan->tree || !parse(plan, error) || !digest(plan, error))
		return NULL;
	return g_steal_pointer(&plan);
}

void ab_plan_free(struct ab_plan *plan)
{
	if (!plan)
		return;
	g_free(plan->name);
	g_free(plan->file);
	g_free(plan->dir);
	g_free(plan->sha256);
	g_free(plan->text);
	g_clear_pointer(&plan->platforms, g_ptr_array_unref);
	g_clear_pointer(&plan->variants, g_ptr_array_unref);
	g_clear_pointer(&plan->scenarios, g_ptr_array_unref);
	ab_keys_clear(ab_prepare_keys, &plan->prepare);
	ab_keys_clear(plan_stop_keys, &plan->schedule.stop);
	g_strfreev(plan->primary);
	g_clear_pointer(&plan->margins, g_ptr_array_unref);
	ab_node_free(plan->tree);
	g_free(plan);
}
