// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The JSON report against its schema, docs/report.schema.json, by as much of
 * JSON Schema as that uses; what it does not use is refused, not ignored.
 */
#include "helper-report.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static JsonObject *definitions;

/* Where a value is, for the message. */
struct place {
	const struct place *outer;
	const char *key;
};

static char *place_text(const struct place *at)
{
	g_autofree char *outer = at->outer ? place_text(at->outer) : NULL;

	return g_strconcat(outer ? outer : "", "/", at->key, NULL);
}

static bool wrong(const struct place *at, bool quiet, const char *what)
{
	g_autofree char *text = place_text(at);

	if (!quiet)
		g_test_message("%s: %s", text, what);
	return false;
}

/* ---- types and values ---- */

static bool has_type(JsonNode *node, const char *type)
{
	GType value = JSON_NODE_HOLDS_VALUE(node)
			      ? json_node_get_value_type(node)
			      : G_TYPE_INVALID;

	if (!strcmp(type, "null"))
		return JSON_NODE_HOLDS_NULL(node);
	if (!strcmp(type, "object"))
		return JSON_NODE_HOLDS_OBJECT(node);
	if (!strcmp(type, "array"))
		return JSON_NODE_HOLDS_ARRAY(node);
	if (!strcmp(type, "string"))
		return value == G_TYPE_STRING;
	if (!strcmp(type, "boolean"))
		return value == G_TYPE_BOOLEAN;
	if (!strcmp(type, "integer"))
		return value == G_TYPE_INT64;
	g_assert_cmpstr(type, ==, "number");
	return value == G_TYPE_INT64 || value == G_TYPE_DOUBLE;
}

static bool has_one_type(JsonNode *node, JsonNode *types)
{
	JsonArray *list;

	if (!JSON_NODE_HOLDS_ARRAY(types))
		return has_type(node, json_node_get_string(types));
	list = json_node_get_array(types);
	for (guint i = 0; i < json_array_get_length(list); i++)
		if (has_type(node, json_array_get_string_element(list, i)))
			return true;
	return false;
}

static bool is_listed(JsonNode *node, JsonArray *list)
{
	for (guint i = 0; i < json_array_get_length(list); i++)
		if (json_node_equal(node, json_array_get_element(list, i)))
			return true;
	return false;
}

/* ---- parts of a schema ---- */

static bool valid(JsonNode *node, JsonObject *schema, const struct place *at,
		  bool quiet);

static bool valid_reference(JsonNode *node, const char *reference,
			    const struct place *at, bool quiet)
{
	static const char prefix[] = "#/definitions/";

	g_assert_true(g_str_has_prefix(reference, prefix));
	return valid(node,
		     json_object_get_object_member(definitions,
						   reference + strlen(prefix)),
		     at, quiet);
}

static bool valid_any(JsonNode *node, JsonArray *list, const struct place *at,
		      bool quiet)
{
	for (guint i = 0; i < json_array_get_length(list); i++)
		if (valid(node, json_array_get_object_element(list, i), at,
			  true))
			return true;
	return wrong(at, quiet, "fits none of anyOf");
}

static bool valid_items(JsonNode *node, JsonObject *schema,
			const struct place *at, bool quiet)
{
	JsonArray *array = json_node_get_array(node);

	for (guint i = 0; i < json_array_get_length(array); i++) {
		g_autofree char *key = g_strdup_printf("%u", i);
		const struct place inner = { at, key };

		if (!valid(json_array_get_element(array, i), schema, &inner,
			   quiet))
			return false;
	}
	return true;
}

static bool valid_required(JsonObject *object, JsonArray *required,
			   const struct place *at, bool quiet)
{
	for (guint i = 0; i < json_array_get_length(required); i++) {
		const char *key = json_array_get_string_element(required, i);
		const struct place inner = { at, key };

		if (!json_object_has_member(object, key))
			return wrong(&inner, quiet, "is missing");
	}
	return true;
}

/* All objects of this schema refuse keys that they do not know. */
static bool valid_members(JsonObject *object, JsonObject *properties,
			  const struct place *at, bool quiet)
{
	g_autoptr(GList) keys = json_object_get_members(object);

	for (GList *k = keys; k; k = k->next) {
		const struct place inner = { at, k->data };

		if (!json_object_has_member(properties, k->data))
			return wrong(&inner, quiet, "is not in the schema");
		if (!valid(json_object_get_member(object, k->data),
			   json_object_get_object_member(properties, k->data),
			   &inner, quiet))
			return false;
	}
	return true;
}

static bool valid_keyword(JsonNode *node, const char *keyword, JsonNode *value,
			  const struct place *at, bool quiet)
{
	if (!strcmp(keyword, "type"))
		return has_one_type(node, value) ||
		       wrong(at, quiet, "is of another type");
	if (!strcmp(keyword, "enum"))
		return is_listed(node, json_node_get_array(value)) ||
		       wrong(at, quiet, "is none of the enum");
	if (!strcmp(keyword, "const"))
		return json_node_equal(node, value) ||
		       wrong(at, quiet, "is not the constant");
	if (!strcmp(keyword, "pattern"))
		return g_regex_match_simple(json_node_get_string(value),
					    json_node_get_string(node), 0, 0) ||
		       wrong(at, quiet, "does not match the pattern");
	if (!strcmp(keyword, "$ref"))
		return valid_reference(node, json_node_get_string(value), at,
				       quiet);
	if (!strcmp(keyword, "anyOf"))
		return valid_any(node, json_node_get_array(value), at, quiet);
	if (!strcmp(keyword, "items"))
		return valid_items(node, json_node_get_object(value), at,
				   quiet);
	if (!strcmp(keyword, "required"))
		return valid_required(json_node_get_object(node),
				      json_node_get_array(value), at, quiet);
	if (!strcmp(keyword, "properties"))
		return valid_members(json_node_get_object(node),
				     json_node_get_object(value), at, quiet);
	if (!strcmp(keyword, "additionalProperties"))
		g_assert_false(json_node_get_boolean(value));
	else if (*keyword != '$' && strcmp(keyword, "definitions") != 0 &&
		 strcmp(keyword, "title") != 0 &&
		 strcmp(keyword, "description") != 0)
		g_error("the schema uses '%s', which is not checked", keyword);
	return true;
}

static bool valid(JsonNode *node, JsonObject *schema, const struct place *at,
		  bool quiet)
{
	g_autoptr(GList) keywords = json_object_get_members(schema);

	/* Before all that takes the type for granted. */
	if (json_object_has_member(schema, "type") &&
	    !valid_keyword(node, "type", json_object_get_member(schema, "type"),
			   at, quiet))
		return false;
	for (GList *k = keywords; k; k = k->next)
		if (!valid_keyword(node, k->data,
				   json_object_get_member(schema, k->data), at,
				   quiet))
			return false;
	return true;
}

/* ---- tests ---- */

static char *repository_path(const char *name)
{
	const char *data = g_getenv("ABRIG_TEST_DATA");

	return data ? g_build_filename(data, "..", "..", name, NULL)
		    : g_strdup(name);
}

static JsonParser *parse(const char *text)
{
	JsonParser *parser = json_parser_new();
	g_autoptr(GError) error = NULL;

	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	return parser;
}

static JsonParser *load(const char *name)
{
	g_autofree char *path = repository_path(name);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	return parse(text);
}

static bool fits(JsonParser *document)
{
	g_autoptr(JsonParser) schema = load("docs/report.schema.json");
	JsonObject *root = json_node_get_object(json_parser_get_root(schema));
	const struct place at = { NULL, "" };

	definitions = json_object_get_object_member(root, "definitions");
	return valid(json_parser_get_root(document), root, &at, false);
}

static void test_report(void)
{
	struct ab_report *report = helper_report_new();
	struct ab_comparison *c = report->tables[0].rows[2].versus;

	for (int pass = 0; pass < 2; pass++) {
		g_autofree char *text = helper_report_text(report, "json");
		g_autoptr(JsonParser) document = parse(text);

		g_assert_true(fits(document));
		/* And once more with what is not finite. */
		c->diff = INFINITY;
		c->pct_hi = c->p = NAN;
	}
	helper_report_free(report);
}

static void test_golden(void)
{
	static const char *const files[] = {
		"tests/data/report/two-platforms.json",
		"tests/data/report/odd.json",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autoptr(JsonParser) document = load(files[i]);

		g_assert_true(fits(document));
	}
}

/* The checker can fail. */
static void test_wrong(void)
{
	static const struct {
		const char *from, *to;
	} changes[] = {
		{ "\"schema\" : 1", "\"schema\" : 2" },
		{ "\"seed\" : \"42\"", "\"seed\" : \"x\"" },
		{ "\"verdict\" : \"different\"", "\"verdict\" : \"better\"" },
		{ "\"tool\"", "\"tools\"" },
		{ "\"runs_planned\" : 24", "\"runs_planned\" : \"24\"" },
		{ "\"notes\" : [", "\"notes\" : [ 7," },
	};
	struct ab_report *report = helper_report_new();
	g_autofree char *text = helper_report_text(report, "json");

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autoptr(GString) other = g_string_new(text);
		g_autoptr(JsonParser) document = NULL;

		g_assert_cmpuint(g_string_replace(other, changes[i].from,
						  changes[i].to, 1),
				 ==, 1);
		document = parse(other->str);
		g_assert_false(fits(document));
	}
	helper_report_free(report);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/report-schema/report", test_report);
	g_test_add_func("/report-schema/golden", test_golden);
	g_test_add_func("/report-schema/wrong", test_wrong);
	return g_test_run();
}
