/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_SCENARIO_INTERNAL_H
#define SCENARIO_SCENARIO_INTERNAL_H

#include <abrig/scenario.h>

/* The keys of a scenario's file and of its 'expect', for the reference. */
extern const struct ab_key scenario_keys[];
extern const struct ab_key scenario_expect_keys[];

/* Replace "$name" in @tree by the file's params, overridden by @params. */
bool scenario_apply_params(struct ab_node *tree, const struct ab_node *params,
			   GError **error);

#endif
