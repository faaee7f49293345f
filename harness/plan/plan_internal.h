/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the plan's parser share. */
#ifndef PLAN_PLAN_INTERNAL_H
#define PLAN_PLAN_INTERNAL_H

#include <abrig/plan.h>

/* The values of the plan's top keys, before their owners look at them. */
struct plan_keys {
	char *name;
	gint64 version;
	const struct ab_node *platforms, *variants, *scenarios;
	const struct ab_node *schedule, *prepare, *gates, *metrics;
	bool same;
};

struct plan_metrics {
	char **primary;
	const struct ab_node *margins;
};

extern const struct ab_key plan_keys[];
extern const struct ab_key plan_platform_keys[];
extern const struct ab_key plan_device_keys[];
extern const struct ab_key plan_schedule_keys[];
extern const struct ab_key plan_stop_keys[];
extern const struct ab_key plan_gate_keys[];
extern const struct ab_key plan_metrics_keys[];

bool plan_parse_platforms(struct ab_plan *plan, const struct ab_node *node,
			  GError **error);
bool plan_parse_variants(struct ab_plan *plan, const struct ab_node *node,
			 GError **error);
bool plan_parse_scenarios(struct ab_plan *plan, const struct ab_node *node,
			  GError **error);
/* After metrics and schedule: it needs both. */
bool plan_parse_stop(struct ab_plan *plan, GError **error);
bool plan_parse_metrics(struct ab_plan *plan, const struct ab_node *node,
			GError **error);

/* A map with at least @min entries; @what names it. */
bool plan_check_map(const struct ab_node *node, const char *what, guint min,
		    guint max, GError **error);

#endif
