// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * clang -fsanitize=fuzzer,address,undefined: any bytes as a scenario, and as
 * what a phone prints about notifications, activities and Jankbench.
 */
#include "../../harness/scenario/step_internal.h"

#include <abrig/error.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

/* Every refusal has a place, or says what is wrong with the whole. */
static void parse_yaml(const char *text, size_t size)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_node) node =
		ab_yaml_parse(text, (gssize)size, "f", &error);
	g_autofree char *json = node ? ab_node_to_json(node) : NULL;
	ab_autoptr(ab_node) again =
		json ? ab_yaml_parse(json, -1, "f", NULL) : NULL;

	if (!node && !g_str_has_prefix(error->message, "f:"))
		g_error("no place: %s", error->message);
	if (again && again->type != node->type)
		g_error("JSON does not mean the same");
}

static void parse_scenario(const char *text)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_scenario) scenario = ab_scenario_parse(text, "f", &error);

	if (!scenario && error->code != AB_ERROR_PLAN)
		g_error("wrong kind of error: %s", error->message);
	if (scenario && scenario->estimate_ms < 0)
		g_error("negative estimate");
}

static void parse_words(const char *text)
{
	struct bench_log log = { .token = "t" };
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	char **line;

	g_free(am_problem(text, true));
	notify_parse_list(text, "abrig");
	for (line = lines; *line; line++)
		bench_log_line(&log, *line);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	parse_yaml((const char *)data, size);
	parse_scenario(text);
	parse_words(text);
	return 0;
}
