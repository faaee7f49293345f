// SPDX-License-Identifier: GPL-3.0-or-later
/* Variants, scenarios and metrics of a plan. */
#include "plan_internal.h"

#include <abrig/error.h>
#include <abrig/metric.h>
#include <string.h>

#define MAX_NAME 32
#define MAX_VARIANTS 32
#define MAX_SCENARIOS 64

bool plan_check_map(const struct ab_node *node, const char *what, guint min,
		    guint max, GError **error)
{
	guint n = node->type == AB_NODE_MAP ? node->pairs->len : 0;

	if (node->type != AB_NODE_MAP && !ab_node_is_nothing(node))
		return ab_node_error(node, error,
				     "'%s' must be a map from names to what "
				     "they mean",
				     what);
	if (n < min)
		return ab_node_error(node, error,
				     "'%s' needs at least %u entr%s, and has "
				     "%u",
				     what, min, min == 1 ? "y" : "ies", n);
	if (n > max)
		return ab_node_error(node, error,
				     "'%s' has more than %u "
				     "entries",
				     what, max);
	return true;
}

bool plan_parse_variants(struct ab_plan *plan, const struct ab_node *node,
			 GError **error)
{
	guint i;

	plan->variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)ab_variant_free);
	if (!plan_check_map(node, "variants", 2, MAX_VARIANTS, error))
		return false;
	for (i = 0; i < node->pairs->len; i++) {
		const struct ab_pair *pair = g_ptr_array_index(node->pairs, i);
		struct ab_variant *variant;

		if (!ab_node_check_name(pair->key, "variant", MAX_NAME, error))
			return false;
		variant = ab_variant_parse(pair->key->text, pair->value, error);
		if (!variant)
			return false;
		g_ptr_array_add(plan->variants, variant);
	}
	return true;
}

/* "name", or "name: { params }". */
static bool split_scenario(const struct ab_node *item,
			   const struct ab_node **name_out,
			   const struct ab_node **params_out, GError **error)
{
	const struct ab_pair *pair;

	*name_out = item;
	*params_out = NULL;
	if (item->type == AB_NODE_SCALAR && !ab_node_is_nothing(item))
		return true;
	if (item->type != AB_NODE_MAP || item->pairs->len != 1)
		return ab_node_error(item, error,
				     "a scenario is a name, or a map with one "
				     "name and its parameters, such as "
				     "jankbench: { iterations: 3 }");
	pair = g_ptr_array_index(item->pairs, 0);
	*name_out = pair->key;
	*params_out = pair->value;
	return true;
}

/* Files that a plan names stand beside it. */
static char *find_scenario(const struct ab_plan *plan,
			   const struct ab_node *name, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *beside =
		strchr(name->text, '/') && !g_path_is_absolute(name->text) &&
				strcmp(plan->dir, ".") != 0
			? g_build_filename(plan->dir, name->text, NULL)
			: g_strdup(name->text);
	char *path = ab_scenario_find(beside, &why);

	if (!path)
		ab_node_error(name, error, "%s", why->message);
	return path;
}

static bool check_new(const struct ab_plan *plan,
		      const struct ab_scenario *scenario,
		      const struct ab_node *where, GError **error)
{
	guint i;

	for (i = 0; i < plan->scenarios->len; i++) {
		const struct ab_scenario *other =
			g_ptr_array_index(plan->scenarios, i);

		if (!strcmp(other->name, scenario->name))
			return ab_node_error(
				where, error,
				"scenario '%s' is in the plan twice; copy its "
				"file under another name to run it with other "
				"parameters",
				scenario->name);
	}
	return true;
}

static bool parse_scenario(struct ab_plan *plan, const struct ab_node *item,
			   GError **error)
{
	const struct ab_node *name, *params;
	g_autofree char *path = NULL;
	ab_autoptr(ab_scenario) scenario = NULL;

	if (!split_scenario(item, &name, &params, error))
		return false;
	path = find_scenario(plan, name, error);
	if (!path)
		return false;
	scenario = ab_scenario_load(path, params, error);
	if (!scenario || !check_new(plan, scenario, name, error))
		return false;
	g_ptr_array_add(plan->scenarios, g_steal_pointer(&scenario));
	return true;
}

bool plan_parse_scenarios(struct ab_plan *plan, const struct ab_node *node,
			  GError **error)
{
	guint i;

	plan->scenarios = g_ptr_array_new_with_free_func(
		(GDestroyNotify)ab_scenario_free);
	if (node->type != AB_NODE_LIST || !node->items->len)
		return ab_node_error(node, error,
				     "'scenarios' must list at least one, such "
				     "as [notification-shade]");
	if (node->items->len > MAX_SCENARIOS)
		return ab_node_error(node, error, "more than %d scenarios",
				     MAX_SCENARIOS);
	for (i = 0; i < node->items->len; i++)
		if (!parse_scenario(plan, g_ptr_array_index(node->items, i),
				    error))
			return false;
	return true;
}

static bool check_metric(const struct ab_node *node, GError **error)
{
	if (ab_metric_find(node->text))
		return true;
	return ab_node_unknown(node, "metric", node->text, ab_metric_ids(),
			       error);
}

static bool parse_margin(struct ab_plan *plan, const struct ab_pair *pair,
			 GError **error)
{
	const struct ab_key key = { .name = pair->key->text,
				    .type = AB_KEY_PERCENT,
				    .max = 100 };
	double pct = 0;
	struct ab_margin *margin;

	if (!check_metric(pair->key, error) ||
	    !ab_keys_parse_value(&key, pair->value, &pct, error))
		return false;
	if (pct == 0)
		return ab_node_error(pair->value, error,
				     "a margin of 0%% can never be met; leave "
				     "'%s' out instead",
				     pair->key->text);
	margin = g_new(struct ab_margin, 1);
	*margin = (struct ab_margin){ g_strdup(pair->key->text), pct };
	g_ptr_array_add(plan->margins, margin);
	return true;
}

static void margin_free(void *data)
{
	struct ab_margin *margin = data;

	g_free(margin->metric);
	g_free(margin);
}

static bool parse_margins(struct ab_plan *plan, const struct ab_node *node,
			  GError **error)
{
	guint i;

	plan->margins = g_ptr_array_new_with_free_func(margin_free);
	if (ab_node_is_nothing(node))
		return true;
	if (!plan_check_map(node, "margins", 0, G_MAXUINT, error))
		return false;
	for (i = 0; i < node->pairs->len; i++)
		if (!parse_margin(plan, g_ptr_array_index(node->pairs, i),
				  error))
			return false;
	return true;
}

/* The key was parsed: it is a text or a list of texts. */
static bool check_primary(const struct ab_node *node, GError **error)
{
	guint i, j;

	if (!node || node->type == AB_NODE_SCALAR)
		return !node || check_metric(node, error);
	for (i = 0; i < node->items->len; i++) {
		const struct ab_node *item = g_ptr_array_index(node->items, i);

		if (!check_metric(item, error))
			return false;
		for (j = 0; j < i; j++) {
			const struct ab_node *other =
				g_ptr_array_index(node->items, j);

			if (!strcmp(other->text, item->text))
				return ab_node_error(item, error,
						     "metric '%s' is listed "
						     "twice",
						     item->text);
		}
	}
	return true;
}

bool plan_parse_stop(struct ab_plan *plan, GError **error)
{
	struct ab_schedule *schedule = &plan->schedule;
	const struct ab_node *node = schedule->stop_node;

	if (!node || ab_node_is_nothing(node))
		return true;
	if (!ab_keys_parse(plan_stop_keys, node, &schedule->stop, error))
		return false;
	if (!plan->primary || !*plan->primary)
		return ab_node_error(node, error,
				     "'stop' needs metrics.primary: they "
				     "decide when the answer is clear");
	if (schedule->stop.first < schedule->blocks)
		return true;
	return ab_node_error(node, error,
			     "the first look is after %" G_GINT64_FORMAT
			     " blocks, and the plan has %" G_GINT64_FORMAT
			     "; set schedule.blocks higher, or stop.first "
			     "lower",
			     schedule->stop.first, schedule->blocks);
}

bool plan_parse_metrics(struct ab_plan *plan, const struct ab_node *node,
			GError **error)
{
	struct plan_metrics fields = { 0 };
	bool ok = ab_keys_parse(plan_metrics_keys, node, &fields, error) &&
		  check_primary(ab_node_get(node, "primary"), error) &&
		  parse_margins(plan, fields.margins, error);

	plan->primary = g_steal_pointer(&fields.primary);
	return ok;
}
