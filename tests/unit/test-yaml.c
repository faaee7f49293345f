// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/yaml.h>

#include <glib/gstdio.h>
#include <string.h>

static struct ab_node *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct ab_node *node = ab_yaml_parse(text, -1, "t.yaml", &error);

	g_assert_no_error(error);
	return node;
}

static void refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	struct ab_node *node = ab_yaml_parse(text, -1, "t.yaml", &error);

	g_assert_null(node);
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	g_assert_cmpstr(error->message, ==, message);
}

static void test_places(void)
{
	ab_autoptr(ab_node) root = parse("# comment\n"
					 "a: 1\n"
					 "list:\n"
					 "  - x\n"
					 "  - 'y'\n"
					 "map: { k: [p, q] }\n");
	struct ab_node *list = ab_node_get(root, "list");
	struct ab_node *map = ab_node_get(root, "map");
	struct ab_node *item = g_ptr_array_index(list->items, 1);

	g_assert_cmpint(root->line, ==, 2);
	g_assert_cmpstr(ab_node_get(root, "a")->text, ==, "1");
	g_assert_cmpint(ab_node_get(root, "a")->line, ==, 2);
	g_assert_cmpint(ab_node_get(root, "a")->column, ==, 4);
	g_assert_cmpstr(item->text, ==, "y");
	g_assert_true(item->quoted);
	g_assert_cmpint(item->line, ==, 5);
	g_assert_cmpint(item->column, ==, 5);
	g_assert_cmpint(map->type, ==, AB_NODE_MAP);
	g_assert_cmpint(ab_node_get(map, "k")->items->len, ==, 2);
	g_assert_null(ab_node_get(map, "other"));
	g_assert_null(ab_node_get(list, "k"));
	g_assert_cmpstr(root->file, ==, "t.yaml");
}

static void test_nothing(void)
{
	ab_autoptr(ab_node) root = parse("a:\nb: ~\nc: null\nd: ''\ne: x\n");

	g_assert_true(ab_node_is_nothing(NULL));
	g_assert_true(ab_node_is_nothing(ab_node_get(root, "a")));
	g_assert_true(ab_node_is_nothing(ab_node_get(root, "b")));
	g_assert_true(ab_node_is_nothing(ab_node_get(root, "c")));
	g_assert_false(ab_node_is_nothing(ab_node_get(root, "d")));
	g_assert_false(ab_node_is_nothing(ab_node_get(root, "e")));
	g_assert_false(ab_node_is_nothing(root));
}

static void test_order(void)
{
	ab_autoptr(ab_node) root = parse("z: 1\na: 2\nm: 3\n");
	const char *const expected[] = { "z", "a", "m" };
	guint i;

	for (i = 0; i < 3; i++) {
		struct ab_pair *pair = g_ptr_array_index(root->pairs, i);

		g_assert_cmpstr(pair->key->text, ==, expected[i]);
	}
}

static void test_refused(void)
{
	refused("", "t.yaml:1:1: the file is empty");
	refused("# only a comment\n", "t.yaml:2:1: the file is empty");
	refused("a: &x 1\n",
		"t.yaml:1:4: anchors and aliases (&name, *name) are not "
		"supported; write the value out, or quote it when it is a "
		"text");
	refused("b: *x\n",
		"t.yaml:1:4: anchors and aliases (&name, *name) are not "
		"supported; write the value out, or quote it when it is a "
		"text");
	refused("a: !!str 1\n",
		"t.yaml:1:4: tags (!name) are not supported; remove it, or "
		"quote the value when it is a text");
	refused("a: 1\nb: 2\na: 3\n",
		"t.yaml:3:1: key 'a' stands here a second time; the first is "
		"in line 1");
	refused("a: 1\n---\nb: 1\n",
		"t.yaml:2:1: a second document begins here; put it into a "
		"file of its own");
	refused("[a]: 1\n",
		"t.yaml:1:1: a key must be a single word, not a list");
	refused("a: \"x\\0y\"\n",
		"t.yaml:1:4: a value must not contain a NUL character");
}

static void test_syntax(void)
{
	refused("a: [1, 2\nb: 3\n",
		"t.yaml:2:2: not valid YAML: did not find expected ',' or ']' "
		"while parsing a flow sequence");
	refused("a:\n\t- b\n",
		"t.yaml:2:1: not valid YAML: found character that cannot start "
		"any token while scanning for the next token");
	refused("a: \xff\xfe\n",
		"t.yaml:1:1: not UTF-8 text (byte 3): invalid leading UTF-8 "
		"octet; save it as UTF-8");
}

static void test_ceilings(void)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autoptr(GString) many = g_string_new("[");
	g_autoptr(GString) big = g_string_new("a: ");
	g_autoptr(GError) error = NULL;
	int i;

	for (i = 0; i < 33; i++)
		g_string_append_c(deep, '[');
	refused(deep->str, "t.yaml:1:33: nested deeper than 32 levels");
	for (i = 0; i < 20001; i++)
		g_string_append(many, "1,");
	g_string_append_c(many, ']');
	refused(many->str,
		"t.yaml:1:40000: more than 20000 values in one file");
	while (big->len <= 1 << 20)
		g_string_append(big, "xxxxxxxxxxxxxxxx");
	g_assert_null(
		ab_yaml_parse(big->str, (gssize)big->len, "t.yaml", &error));
	g_assert_cmpstr(error->message, ==,
			"t.yaml: larger than 1 MiB, which no plan needs; is it "
			"the right file?");
}

static void test_file(void)
{
	g_autofree char *dir = g_dir_make_tmp("abrig-yaml-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "p.yaml", NULL);
	g_autofree char *expected =
		g_strdup_printf("cannot read '%s': No such file or directory; "
				"check the name and who may read it",
				path);
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_node) node = ab_yaml_load(path, &error);

	g_assert_null(node);
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_cmpstr(error->message, ==, expected);
	g_clear_error(&error);
	g_assert_null(ab_yaml_load(dir, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(error->message, "Is a directory"));
	g_clear_error(&error);
	g_assert_null(ab_yaml_load("/dev/zero", &error));
	g_assert_nonnull(strstr(error->message, "larger than 1 MiB"));
	g_assert_true(g_file_set_contents(path, "a: [1]\n", -1, NULL));
	node = ab_yaml_load(path, NULL);
	g_assert_nonnull(ab_node_get(node, "a"));
	g_unlink(path);
	g_rmdir(dir);
}

static bool substitute(struct ab_node *root, GError **error)
{
	g_autoptr(GHashTable) lookup =
		g_hash_table_new(g_str_hash, g_str_equal);
	struct ab_node *params = ab_node_get(root, "params");
	guint i;

	for (i = 0; i < params->pairs->len; i++) {
		struct ab_pair *pair = g_ptr_array_index(params->pairs, i);

		g_hash_table_insert(lookup, pair->key->text, pair->value);
	}
	return ab_node_substitute(root, lookup, error);
}

static void test_substitute(void)
{
	ab_autoptr(ab_node) root = parse("params: { n: 3, l: [a, b] }\n"
					 "x: $n\n"
					 "y: [1, $l]\n"
					 "z: '$n'\n"
					 "w: a$n\n");
	struct ab_node *y = ab_node_get(root, "y");
	struct ab_node *l;
	g_autoptr(GError) error = NULL;

	g_assert_true(substitute(root, &error));
	g_assert_no_error(error);
	l = g_ptr_array_index(y->items, 1);
	g_assert_cmpstr(ab_node_get(root, "x")->text, ==, "3");
	g_assert_cmpint(ab_node_get(root, "x")->line, ==, 1);
	g_assert_cmpint(l->items->len, ==, 2);
	g_assert_cmpstr(ab_node_get(root, "z")->text, ==, "$n");
	g_assert_cmpstr(ab_node_get(root, "w")->text, ==, "a$n");
}

static void test_substitute_unknown(void)
{
	ab_autoptr(ab_node) root = parse("params: { swipes: 3 }\n"
					 "a: { b: $swips }\n");
	g_autoptr(GError) error = NULL;

	g_assert_false(substitute(root, &error));
	g_assert_cmpstr(error->message, ==,
			"t.yaml:2:9: unknown parameter 'swips', did you mean "
			"'swipes'?");
}

/* 100 values, each put in 1000 times. */
static void test_substitute_ceiling(void)
{
	g_autoptr(GString) text = g_string_new("params: { l: [");
	ab_autoptr(ab_node) root = NULL;
	g_autoptr(GError) error = NULL;
	int i;

	for (i = 0; i < 100; i++)
		g_string_append(text, "1,");
	g_string_append(text, "] }\nx: [");
	for (i = 0; i < 1000; i++)
		g_string_append(text, "$l,");
	g_string_append(text, "]\n");
	root = parse(text->str);
	g_assert_false(substitute(root, &error));
	g_assert_nonnull(strstr(error->message,
				": parameters add more than 20000 values"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/yaml/places", test_places);
	g_test_add_func("/yaml/nothing", test_nothing);
	g_test_add_func("/yaml/order", test_order);
	g_test_add_func("/yaml/refused", test_refused);
	g_test_add_func("/yaml/syntax", test_syntax);
	g_test_add_func("/yaml/ceilings", test_ceilings);
	g_test_add_func("/yaml/file", test_file);
	g_test_add_func("/yaml/substitute", test_substitute);
	g_test_add_func("/yaml/substitute-unknown", test_substitute_unknown);
	g_test_add_func("/yaml/substitute-ceiling", test_substitute_ceiling);
	return g_test_run();
}
