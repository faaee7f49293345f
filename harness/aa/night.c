// SPDX-License-Identifier: GPL-3.0-or-later
/* One A/A night of one device, and its file. */
#include <abrig/aa.h>
#include <abrig/error.h>
#include <abrig/keys.h>

#include <json-glib/json-glib.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define MAX_TEXT 256

static void free_test(gpointer data)
{
	struct ab_aa_test *test = data;

	g_free(test->scenario);
	g_free(test->metric);
	g_free(test);
}

struct ab_aa_night *ab_aa_night_new(void)
{
	struct ab_aa_night *night = g_new0(struct ab_aa_night, 1);

	night->tests = g_ptr_array_new_with_free_func(free_test);
	return night;
}

void ab_aa_night_free(struct ab_aa_night *night)
{
	if (!night)
		return;
	g_free(night->serial);
	g_free(night->plan);
	g_free(night->plan_sha256);
	g_free(night->tool);
	g_free(night->began);
	g_ptr_array_unref(night->tests);
	g_free(night);
}

struct ab_aa_test *ab_aa_night_add(struct ab_aa_night *night,
				   const char *scenario, const char *metric,
				   double p)
{
	struct ab_aa_test *test = g_new0(struct ab_aa_test, 1);

	*test = (struct ab_aa_test){
		.scenario = g_strdup(scenario),
		.metric = g_strdup(metric),
		.p = p,
		.floor = NAN,
		.floor_pct = NAN,
	};
	g_ptr_array_add(night->tests, test);
	return test;
}

/* ---- writing ---- */

static void add_text(JsonBuilder *b, const char *key, const char *text)
{
	json_builder_set_member_name(b, key);
	json_builder_add_string_value(b, text);
}

static void add_int(JsonBuilder *b, const char *key, gint64 value)
{
	json_builder_set_member_name(b, key);
	json_builder_add_int_value(b, value);
}

/* What is not known is left out. */
static void add_number(JsonBuilder *b, const char *key, double value)
{
	if (!isfinite(value))
		return;
	json_builder_set_member_name(b, key);
	json_builder_add_double_value(b, value);
}

static void add_tests(JsonBuilder *b, const struct ab_aa_night *night)
{
	json_builder_set_member_name(b, "tests");
	json_builder_begin_array(b);
	for (guint i = 0; i < night->tests->len; i++) {
		const struct ab_aa_test *test = night->tests->pdata[i];

		json_builder_begin_object(b);
		add_text(b, "scenario", test->scenario);
		add_text(b, "metric", test->metric);
		add_number(b, "p", test->p);
		add_number(b, "floor", test->floor);
		add_number(b, "floor_pct", test->floor_pct);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

char *ab_aa_night_to_json(const struct ab_aa_night *night)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(JsonNode) root = NULL;

	json_builder_begin_object(b);
	add_int(b, "version", AB_AA_VERSION);
	add_text(b, "serial", night->serial);
	add_text(b, "plan", night->plan);
	add_text(b, "plan_sha256", night->plan_sha256);
	add_text(b, "tool", night->tool);
	add_text(b, "began", night->began);
	add_int(b, "blocks", night->blocks);
	add_int(b, "boots", night->boots);
	add_int(b, "runs", night->runs);
	add_tests(b, night);
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	return json_to_string(root, TRUE);
}

/* ---- reading: JSON is YAML, whose reader is bounded and knows places ---- */

struct night_keys {
	gint64 version, blocks, boots, runs;
	char *serial, *plan, *plan_sha256, *tool, *began;
	const struct ab_node *tests;
};

#define TEXT_KEY(owner, field)                                            \
	{                                                                 \
		.name = #field, .type = AB_KEY_STRING, .required = true,  \
		.offset = offsetof(struct owner, field), .help = "a text" \
	}
#define COUNT_KEY(field)                                                  \
	{                                                                 \
		.name = #field, .type = AB_KEY_INT, .required = true,     \
		.max = 1e9, .offset = offsetof(struct night_keys, field), \
		.help = "a number"                                        \
	}
#define NUMBER_KEY(field, needed, most)                                      \
	{                                                                    \
		.name = #field, .type = AB_KEY_DOUBLE, .required = (needed), \
		.max = (most), .offset = offsetof(struct ab_aa_test, field), \
		.help = "a number"                                           \
	}

static const struct ab_key night_keys[] = {
	COUNT_KEY(version),
	TEXT_KEY(night_keys, serial),
	TEXT_KEY(night_keys, plan),
	TEXT_KEY(night_keys, plan_sha256),
	TEXT_KEY(night_keys, tool),
	TEXT_KEY(night_keys, began),
	COUNT_KEY(blocks),
	COUNT_KEY(boots),
	COUNT_KEY(runs),
	{ .name = "tests",
	  .type = AB_KEY_NODE,
	  .required = true,
	  .offset = offsetof(struct night_keys, tests),
	  .help = "a list" },
	AB_KEYS_END
};

static const struct ab_key test_keys[] = { TEXT_KEY(ab_aa_test, scenario),
					   TEXT_KEY(ab_aa_test, metric),
					   NUMBER_KEY(p, true, 1),
					   NUMBER_KEY(floor, false, 1e300),
					   NUMBER_KEY(floor_pct, false, 1e300),
					   AB_KEYS_END };

static bool check_version(const struct ab_node *tree, GError **error)
{
	const struct ab_node *version = ab_node_get(tree, "version");
	const struct ab_key key = { .name = "version",
				    .type = AB_KEY_INT,
				    .max = 1e9 };
	gint64 number = 0;

	if (!version)
		return ab_node_error(tree, error,
				     "no A/A night: it has no "
				     "'version'");
	if (!ab_keys_parse_value(&key, version, &number, error))
		return false;
	if (number == AB_AA_VERSION)
		return true;
	return ab_node_error(version, error,
			     "an A/A night of version %" G_GINT64_FORMAT
			     ", and this abrig knows %d; use a newer abrig",
			     number, AB_AA_VERSION);
}

static bool check_text(const struct ab_node *node, const char *text,
		       GError **error)
{
	if (*text && strlen(text) <= MAX_TEXT)
		return true;
	return ab_node_error(node, error, "a text has 1 to %d bytes", MAX_TEXT);
}

static bool parse_test(const struct ab_node *node, struct ab_aa_night *night,
		       GError **error)
{
	struct ab_aa_test *test = ab_aa_night_add(night, NULL, NULL, NAN);
	bool floor = node->type == AB_NODE_MAP && ab_node_get(node, "floor");
	bool pct = node->type == AB_NODE_MAP && ab_node_get(node, "floor_pct");

	if (!ab_keys_parse(test_keys, node, test, error) ||
	    !check_text(node, test->scenario, error) ||
	    !check_text(node, test->metric, error))
		return false;
	test->floor = floor ? test->floor : NAN;
	test->floor_pct = pct ? test->floor_pct : NAN;
	return true;
}

static bool parse_tests(const struct ab_node *list, struct ab_aa_night *night,
			GError **error)
{
	if (list->type != AB_NODE_LIST)
		return ab_node_error(list, error, "'tests' must be a list");
	if (list->items->len > AB_AA_MAX_TESTS)
		return ab_node_error(list, error, "more than %d tests",
				     AB_AA_MAX_TESTS);
	for (guint i = 0; i < list->items->len; i++)
		if (!parse_test(list->items->pdata[i], night, error))
			return false;
	return true;
}

static bool check_began(const struct ab_node *tree, const char *text,
			GError **error)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(text, NULL);

	return time || ab_node_error(tree, error,
				     "'began' must be a time such "
				     "as 2026-11-02T03:01:10Z");
}

static bool take_keys(const struct ab_node *tree, struct night_keys *keys,
		      struct ab_aa_night *night, GError **error)
{
	bool ok = ab_keys_parse(night_keys, tree, keys, error) &&
		  check_text(tree, keys->serial, error) &&
		  check_text(tree, keys->plan, error) &&
		  check_text(tree, keys->plan_sha256, error) &&
		  check_text(tree, keys->tool, error) &&
		  check_began(tree, keys->began, error);

	night->serial = g_steal_pointer(&keys->serial);
	night->plan = g_steal_pointer(&keys->plan);
	night->plan_sha256 = g_steal_pointer(&keys->plan_sha256);
	night->tool = g_steal_pointer(&keys->tool);
	night->began = g_steal_pointer(&keys->began);
	night->blocks = keys->blocks;
	night->boots = keys->boots;
	night->runs = keys->runs;
	return ok && parse_tests(keys->tests, night, error);
}

static struct ab_aa_night *parse(const char *text, const char *name,
				 GError **error)
{
	ab_autoptr(ab_node) tree = ab_yaml_parse(text, -1, name, error);
	ab_autoptr(ab_aa_night) night = ab_aa_night_new();
	struct night_keys keys = { 0 };

	if (!tree)
		return NULL;
	if (tree->type != AB_NODE_MAP) {
		ab_node_error(tree, error, "no A/A night: not an object");
		return NULL;
	}
	if (!check_version(tree, error) ||
	    !take_keys(tree, &keys, night, error))
		return NULL;
	return g_steal_pointer(&night);
}

struct ab_aa_night *ab_aa_night_parse(const char *text, const char *name,
				      GError **error)
{
	g_autoptr(GError) why = NULL;
	struct ab_aa_night *night = parse(text, name, &why);

	/* Nobody wrote it by hand: it is data, not a plan. */
	if (!night)
		g_set_error_literal(error, AB_ERROR, AB_ERROR_DATA,
				    why->message);
	return night;
}
