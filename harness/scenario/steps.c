// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

#include <string.h>

#define MAX_STEPS 1000
#define DEFAULT_ESTIMATE_MS 1000
#define MAX_ESTIMATE_MS (G_GINT64_CONSTANT(24) * 3600 * 1000)

const struct ab_step_ops *const ab_steps[] = {
	&step_wake,
	&step_home,
	&step_notifications,
	&step_clear_notifications,
	&step_swipe,
	&step_shade,
	&step_shade_proof,
	&step_collapse,
	&step_pause,
	&step_repeat,
	&step_start_app,
	&step_force_stop,
	&step_clear_data,
	&step_jankbench,
	NULL,
};

static const struct ab_step_ops *find(const char *name)
{
	guint i;

	for (i = 0; ab_steps[i]; i++)
		if (!strcmp(ab_steps[i]->name, name))
			return ab_steps[i];
	return NULL;
}

static bool unknown_step(const struct ab_node *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint i;

	for (i = 0; ab_steps[i]; i++)
		g_ptr_array_add(names, (char *)ab_steps[i]->name);
	g_ptr_array_add(names, NULL);
	return ab_node_unknown(name, "step", name->text,
			       (const char *const *)names->pdata, error);
}

static void step_free(void *data)
{
	struct ab_step *step = data;
	const struct ab_step_ops *ops = step->ops;

	if (ops && ops->clear)
		ops->clear(step->args);
	if (ops && step->args)
		ab_keys_clear(ops->keys, step->args);
	g_free(step->args);
	g_free(step);
}

/* "name", or a map with one key: the name, and its arguments. */
static bool split(const struct ab_node *item, const struct ab_node **name_out,
		  const struct ab_node **args_out, GError **error)
{
	const struct ab_pair *pair;

	*name_out = item;
	*args_out = NULL;
	if (item->type == AB_NODE_SCALAR && !ab_node_is_nothing(item))
		return true;
	if (item->type != AB_NODE_MAP || item->pairs->len != 1)
		return ab_node_error(item, error,
				     "a step is a name, or a map with one name "
				     "and its arguments, such as swipe: { "
				     "from: [0.5, 0], to: [0.5, 0.9] }");
	pair = g_ptr_array_index(item->pairs, 0);
	*name_out = pair->key;
	*args_out = ab_node_is_nothing(pair->value) ? NULL : pair->value;
	return true;
}

static bool parse_args(struct ab_step *step, const struct ab_node *args,
		       GError **error)
{
	const struct ab_step_ops *ops = step->ops;
	g_autoptr(GError) why = NULL;

	step->args = ops->size ? g_malloc0(ops->size) : NULL;
	if (!args && !ab_keys_parse(ops->keys, NULL, step->args, &why))
		return ab_node_error(step->where, error, "step '%s': %s",
				     ops->name, why->message);
	if (args && !ab_keys_parse(ops->keys, args, step->args, error))
		return false;
	return !ops->check ||
	       ops->check(step->args, args ? args : step->where, error);
}

static bool parse_step(struct ab_step *step, const struct ab_node *item,
		       GError **error)
{
	const struct ab_node *args;

	if (!split(item, &step->where, &args, error))
		return false;
	step->ops = find(step->where->text);
	if (!step->ops)
		return unknown_step(step->where, error);
	return parse_args(step, args, error);
}

GPtrArray *ab_steps_parse(const struct ab_node *list, GError **error)
{
	g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);
	guint i;

	if (ab_node_is_nothing(list))
		return g_steal_pointer(&steps);
	if (list->type != AB_NODE_LIST || list->items->len > MAX_STEPS) {
		ab_node_error(list, error,
			      "steps are a list of at most %d, each on a line "
			      "that begins with '- '",
			      MAX_STEPS);
		return NULL;
	}
	for (i = 0; i < list->items->len; i++) {
		struct ab_step *step = g_new0(struct ab_step, 1);

		g_ptr_array_add(steps, step);
		if (!parse_step(step, g_ptr_array_index(list->items, i), error))
			return NULL;
	}
	return g_steal_pointer(&steps);
}

gint64 ab_steps_estimate(const GPtrArray *steps)
{
	gint64 sum = 0;
	guint i;

	for (i = 0; i < steps->len; i++) {
		const struct ab_step *step = g_ptr_array_index(steps, i);

		sum += step->ops->estimate ? step->ops->estimate(step->args)
					   : DEFAULT_ESTIMATE_MS;
	}
	return MIN(sum, MAX_ESTIMATE_MS);
}

bool ab_steps_run(struct ab_scenario_run *run, const GPtrArray *steps,
		  GError **error)
{
	guint i;

	for (i = 0; i < steps->len; i++) {
		const struct ab_step *step = g_ptr_array_index(steps, i);
		g_autofree char *what =
			g_strdup_printf("running step '%s' on %s",
					step->ops->name, run->phone->serial);

		if (!ab_wait_check(&run->wait, what, error) ||
		    !step->ops->run(run, step->args, error)) {
			g_prefix_error(error,
				       "step '%s' (%s:%d): ", step->ops->name,
				       step->where->file, step->where->line);
			return false;
		}
	}
	return true;
}
