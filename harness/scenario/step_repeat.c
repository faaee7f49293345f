// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_internal.h"

struct args {
	gint64 times;
	const struct ab_node *node;
	GPtrArray *steps; /* struct ab_step * */
};

static const struct ab_key keys[] = {
	{ .name = "times",
	  .type = AB_KEY_INT,
	  .offset = offsetof(struct args, times),
	  .required = true,
	  .min = 1,
	  .max = 10000,
	  .help = "How often." },
	{ .name = "steps",
	  .type = AB_KEY_NODE,
	  .offset = offsetof(struct args, node),
	  .required = true,
	  .help = "The list of steps to repeat." },
	AB_KEYS_END
};

static bool check(void *data, const struct ab_node *node, GError **error)
{
	struct args *args = data;

	(void)node;
	args->steps = ab_steps_parse(args->node, error);
	if (!args->steps)
		return false;
	if (args->steps->len)
		return true;
	return ab_node_error(args->node, error, "no steps to repeat");
}

static void clear(void *data)
{
	struct args *args = data;

	g_clear_pointer(&args->steps, g_ptr_array_unref);
}

static gint64 estimate(const void *data)
{
	const struct args *args = data;

	return args->times * ab_steps_estimate(args->steps);
}

static bool run_step(struct ab_scenario_run *run, const void *data,
		     GError **error)
{
	const struct args *args = data;
	gint64 i;

	for (i = 1; i <= args->times; i++) {
		if (ab_steps_run(run, args->steps, error))
			continue;
		g_prefix_error(error,
			       "in pass %" G_GINT64_FORMAT
			       " of %" G_GINT64_FORMAT ": ",
			       i, args->times);
		return false;
	}
	return true;
}

const struct ab_step_ops step_repeat = {
	.name = "repeat",
	.help = "Do steps several times.",
	.keys = keys,
	.size = sizeof(struct args),
	.check = check,
	.estimate = estimate,
	.run = run_step,
	.clear = clear,
};
