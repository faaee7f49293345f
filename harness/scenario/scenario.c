// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario_internal.h"

#include <abrig/capture.h>
#include <stddef.h>
#include <string.h>

#define MAX_NAME 32
#define MAX_PROCESSES 32

struct fields {
	char *name, *summary;
	char **processes;
	gint64 estimate_ms;
	const struct ab_node *params, *expect, *recorders;
	const struct ab_node *setup, *steps, *teardown;
};

#define FIELD(field) offsetof(struct fields, field)

const struct ab_key scenario_keys[] = {
	{ .name = "scenario",
	  .type = AB_KEY_STRING,
	  .offset = FIELD(name),
	  .required = true,
	  .help = "Name of the scenario, as in plans and reports." },
	{ .name = "summary",
	  .type = AB_KEY_STRING,
	  .offset = FIELD(summary),
	  .dflt = "''",
	  .help = "What it does, in one sentence." },
	{ .name = "params",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(params),
	  .help = "A map from names to default values, which a plan may "
		  "override; an unquoted $name below stands for the value." },
	{ .name = "processes",
	  .type = AB_KEY_STRINGS,
	  .offset = FIELD(processes),
	  .dflt = "[]",
	  .help = "Processes whose frames count, such as "
		  "com.android.systemui." },
	{ .name = "expect",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(expect),
	  .help = "The least that a run must have done; otherwise it is "
		  "rejected." },
	{ .name = "estimate",
	  .type = AB_KEY_DURATION,
	  .offset = FIELD(estimate_ms),
	  .dflt = "0",
	  .max = 24 * 3600e3,
	  .help = "How long one run takes; the sum over its steps when that is "
		  "longer." },
	{ .name = "recorders",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(recorders),
	  .help = "What to record in the measured window: a map from recorders "
		  "to their options." },
	{ .name = "setup",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(setup),
	  .help = "Steps before recording." },
	{ .name = "steps",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(steps),
	  .required = true,
	  .help = "Steps that are measured." },
	{ .name = "teardown",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(teardown),
	  .help = "Steps after recording, also after a failure." },
	AB_KEYS_END
};

const struct ab_key scenario_expect_keys[] = {
	{ .name = "frames",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct ab_scenario, min_frames),
	  .dflt = "0",
	  .max = 1000000,
	  .help = "Frames of the processes; gate min-frames." },
	{ .name = "work_items",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct ab_scenario, min_work_items),
	  .dflt = "0",
	  .max = 1000000,
	  .help = "Runtime-PM work items; gate min-work-items." },
	AB_KEYS_END
};

static bool check_processes(const struct ab_scenario *scenario,
			    const struct ab_node *tree, GError **error)
{
	const struct ab_node *where = ab_node_get(tree, "processes");
	char **name;

	if (scenario->min_frames && !*scenario->processes)
		return ab_node_error(where ? where : tree, error,
				     "expect.frames needs 'processes': whose "
				     "frames?");
	if (g_strv_length(scenario->processes) > MAX_PROCESSES)
		return ab_node_error(where, error, "more than %d processes",
				     MAX_PROCESSES);
	for (name = scenario->processes; *name; name++)
		if (!**name ||
		    strspn(*name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789._:/@-") != strlen(*name))
			return ab_node_error(where, error,
					     "'%.40s' cannot be the name of a "
					     "process; names are as in `ps -A` "
					     "on the phone",
					     *name);
	return true;
}

static const char **recorder_names(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint i;

	for (i = 0; ab_recorders[i]; i++)
		g_ptr_array_add(names, (char *)ab_recorders[i]->name);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_steal(names, NULL);
}

static bool add_recorder(struct ab_scenario *scenario,
			 const struct ab_pair *pair, GError **error)
{
	const struct ab_recorder_ops *ops = ab_recorder_find(pair->key->text);
	g_autofree const char **names = recorder_names();
	struct ab_recorder_use *use;

	if (!ops)
		return ab_node_unknown(pair->key, "recorder", pair->key->text,
				       names, error);
	use = g_new0(struct ab_recorder_use, 1);
	use->ops = ops;
	use->options = g_malloc0(MAX(ops->options_size, 1));
	g_ptr_array_add(scenario->recorders, use);
	return ab_keys_parse(ops->keys, pair->value, use->options, error);
}

static bool parse_recorders(struct ab_scenario *scenario,
			    const struct ab_node *node, GError **error)
{
	guint i;

	scenario->recorders = g_ptr_array_new_with_free_func(
		(GDestroyNotify)ab_recorder_use_free);
	if (ab_node_is_nothing(node))
		return true;
	if (node->type != AB_NODE_MAP)
		return ab_node_error(node, error,
				     "'recorders' must be a map from recorders "
				     "to their options, such as { perfetto: {} "
				     "}");
	for (i = 0; i < node->pairs->len; i++)
		if (!add_recorder(scenario, g_ptr_array_index(node->pairs, i),
				  error))
			return false;
	return true;
}

static bool parse_steps(const struct ab_node *node, GPtrArray **steps_out,
			GError **error)
{
	*steps_out = ab_steps_parse(node, error);
	return *steps_out;
}

static bool fill(struct ab_scenario *scenario, struct fields *f, GError **error)
{
	const struct ab_node *tree = scenario->tree;

	scenario->name = g_steal_pointer(&f->name);
	scenario->summary = g_steal_pointer(&f->summary);
	scenario->processes = g_steal_pointer(&f->processes);
	return ab_node_check_name(ab_node_get(tree, "scenario"), "scenario",
				  MAX_NAME, error) &&
	       ab_keys_parse(scenario_expect_keys, f->expect, scenario,
			     error) &&
	       check_processes(scenario, tree, error) &&
	       parse_recorders(scenario, f->recorders, error) &&
	       parse_steps(f->setup, &scenario->setup, error) &&
	       parse_steps(f->steps, &scenario->steps, error) &&
	       parse_steps(f->teardown, &scenario->teardown, error);
}

static bool parse(struct ab_scenario *scenario, GError **error)
{
	struct fields f = { 0 };
	bool ok = ab_keys_parse(scenario_keys, scenario->tree, &f, error) &&
		  fill(scenario, &f, error);

	if (ok && !scenario->steps->len)
		ok = ab_node_error(f.steps, error,
				   "'steps' is empty: nothing to measure");
	if (ok)
		scenario->estimate_ms =
			MAX(f.estimate_ms,
			    ab_steps_estimate(scenario->setup) +
				    ab_steps_estimate(scenario->steps) +
				    ab_steps_estimate(scenario->teardown));
	ab_keys_clear(scenario_keys, &f);
	return ok;
}

/* Takes @file and its @text. */
static struct ab_scenario *from_text(char *file, char *text, gsize len,
				     const struct ab_node *params,
				     GError **error)
{
	ab_autoptr(ab_scenario) scenario = g_new0(struct ab_scenario, 1);

	scenario->file = file;
	scenario->text = text;
	scenario->tree = ab_yaml_parse(text, (gssize)len, file, error);
	if (!scenario->tree ||
	    !scenario_apply_params(scenario->tree, params, error) ||
	    !parse(scenario, error))
		return NULL;
	return g_steal_pointer(&scenario);
}

struct ab_scenario *
ab_scenario_load(const char *name, const struct ab_node *params, GError **error)
{
	g_autofree char *file = ab_scenario_find(name, error);
	gsize len;
	char *text = file ? ab_yaml_read(file, &len, error) : NULL;

	if (!text)
		return NULL;
	return from_text(g_steal_pointer(&file), text, len, params, error);
}

struct ab_scenario *ab_scenario_parse(const char *text, const char *name,
				      GError **error)
{
	return from_text(g_strdup(name), g_strdup(text), strlen(text), NULL,
			 error);
}

void ab_scenario_free(struct ab_scenario *scenario)
{
	if (!scenario)
		return;
	g_free(scenario->name);
	g_free(scenario->summary);
	g_free(scenario->file);
	g_strfreev(scenario->processes);
	g_clear_pointer(&scenario->recorders, g_ptr_array_unref);
	g_clear_pointer(&scenario->setup, g_ptr_array_unref);
	g_clear_pointer(&scenario->steps, g_ptr_array_unref);
	g_clear_pointer(&scenario->teardown, g_ptr_array_unref);
	ab_node_free(scenario->tree);
	g_free(scenario->text);
	g_free(scenario);
}
