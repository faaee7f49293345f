// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/keys.h>

#include <stddef.h>

struct fields {
	char *name;
	gint64 runs, cool_ms, bytes;
	double limit, margin;
	bool on;
	char **ids;
	struct ab_point at;
	const struct ab_node *more;
	char *slot;
};

#define FIELD(field) offsetof(struct fields, field)

static const char *const slots[] = { "inactive", "active", NULL };

static const struct ab_key table[] = {
	{ .name = "name",
	  .type = AB_KEY_STRING,
	  .offset = FIELD(name),
	  .required = true,
	  .help = "What it is called." },
	{ .name = "runs",
	  .type = AB_KEY_INT,
	  .offset = FIELD(runs),
	  .dflt = "5",
	  .min = 1,
	  .max = 1000,
	  .help = "How many." },
	{ .name = "cool",
	  .type = AB_KEY_DURATION,
	  .offset = FIELD(cool_ms),
	  .dflt = "90s",
	  .max = 3600e3,
	  .help = "How long a phone that is too hot for the next run is waited "
		  "for before the campaign gives it up." },
	{ .name = "bytes",
	  .type = AB_KEY_SIZE,
	  .offset = FIELD(bytes),
	  .dflt = "64 MiB",
	  .help = "How large." },
	{ .name = "limit",
	  .type = AB_KEY_DOUBLE,
	  .offset = FIELD(limit),
	  .dflt = "37.5",
	  .min = -10,
	  .max = 60,
	  .help = "How hot." },
	{ .name = "margin",
	  .type = AB_KEY_PERCENT,
	  .offset = FIELD(margin),
	  .dflt = "5%",
	  .help = "How different." },
	{ .name = "on",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(on),
	  .help = "Whether." },
	{ .name = "ids",
	  .type = AB_KEY_STRINGS,
	  .offset = FIELD(ids),
	  .dflt = "[a, b]",
	  .help = "Which." },
	{ .name = "at",
	  .type = AB_KEY_POINT,
	  .offset = FIELD(at),
	  .help = "Where." },
	{ .name = "more",
	  .type = AB_KEY_NODE,
	  .offset = FIELD(more),
	  .help = "More." },
	{ .name = "slot",
	  .type = AB_KEY_STRING,
	  .offset = FIELD(slot),
	  .choices = slots,
	  .dflt = "inactive",
	  .help = "Which slot." },
	AB_KEYS_END
};

static struct ab_node *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct ab_node *node = ab_yaml_parse(text, -1, "plan.yaml", &error);

	g_assert_no_error(error);
	return node;
}

static void test_defaults(void)
{
	ab_autoptr(ab_node) node = parse("{ name: x }");
	struct fields f = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_keys_parse(table, node, &f, &error));
	g_assert_no_error(error);
	g_assert_cmpstr(f.name, ==, "x");
	g_assert_cmpint(f.runs, ==, 5);
	g_assert_cmpint(f.cool_ms, ==, 90000);
	g_assert_cmpint(f.bytes, ==, 64 << 20);
	g_assert_cmpfloat(f.limit, ==, 37.5);
	g_assert_cmpfloat(f.margin, ==, 5);
	g_assert_false(f.on);
	g_assert_cmpint(g_strv_length(f.ids), ==, 2);
	g_assert_null(f.more);
	g_assert_cmpstr(f.slot, ==, "inactive");
	ab_keys_clear(table, &f);
	g_assert_null(f.name);
}

static void test_values(void)
{
	ab_autoptr(ab_node) node = parse("name: 'a b'\n"
					 "runs: 7\n"
					 "cool: 1.5 min\n"
					 "bytes: 4096\n"
					 "limit: -3\n"
					 "margin: 2.5 %\n"
					 "on: yes\n"
					 "ids: one\n"
					 "at: [0.5, 1]\n"
					 "more: { x: y }\n"
					 "slot: active\n");
	struct fields f = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_keys_parse(table, node, &f, &error));
	g_assert_no_error(error);
	g_assert_cmpint(f.runs, ==, 7);
	g_assert_cmpint(f.cool_ms, ==, 90000);
	g_assert_cmpint(f.bytes, ==, 4096);
	g_assert_cmpfloat(f.limit, ==, -3);
	g_assert_cmpfloat(f.margin, ==, 2.5);
	g_assert_true(f.on);
	g_assert_cmpint(g_strv_length(f.ids), ==, 1);
	g_assert_cmpfloat(f.at.x, ==, 0.5);
	g_assert_cmpfloat(f.at.y, ==, 1);
	g_assert_cmpstr(ab_node_get(f.more, "x")->text, ==, "y");
	ab_keys_clear(table, &f);
}

static void test_units(void)
{
	static const struct {
		enum ab_key_type type;
		const char *text;
		gint64 value; /* -1: refused */
	} cases[] = {
		{ AB_KEY_DURATION, "250ms", 250 },
		{ AB_KEY_DURATION, "90s", 90000 },
		{ AB_KEY_DURATION, "5 min", 300000 },
		{ AB_KEY_DURATION, "1h", 3600000 },
		{ AB_KEY_DURATION, "2d", 172800000 },
		{ AB_KEY_DURATION, "0.5s", 500 },
		{ AB_KEY_DURATION, "0", 0 },
		{ AB_KEY_DURATION, "90", -1 },
		{ AB_KEY_DURATION, "5 m", -1 },
		{ AB_KEY_DURATION, "5 minutes", -1 },
		{ AB_KEY_DURATION, "-5s", -1 },
		{ AB_KEY_DURATION, "s", -1 },
		{ AB_KEY_DURATION, "1.2.3s", -1 },
		{ AB_KEY_DURATION, "99999999999999999d", -1 },
		{ AB_KEY_SIZE, "4096", 4096 },
		{ AB_KEY_SIZE, "1 KiB", 1024 },
		{ AB_KEY_SIZE, "2GiB", 2LL << 30 },
		{ AB_KEY_SIZE, "3 MB", 3000000 },
		{ AB_KEY_SIZE, "1.5KiB", 1536 },
		{ AB_KEY_SIZE, "1 K", -1 },
		{ AB_KEY_SIZE, "-1", -1 },
		{ AB_KEY_SIZE, "0x10", -1 },
		{ AB_KEY_INT, "9007199254740992", 9007199254740992 },
		{ AB_KEY_INT, "9007199254740993", -1 },
		{ AB_KEY_INT, "1e3", -1 },
		{ AB_KEY_INT, "5.0", -1 },
		{ AB_KEY_INT, " 5", -1 },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct ab_key key = { .name = "k",
					    .type = cases[i].type };
		struct ab_node node = { .type = AB_NODE_SCALAR,
					.file = "f",
					.text = (char *)cases[i].text };
		gint64 value = -1;
		bool ok = ab_keys_parse_value(&key, &node, &value, NULL);

		g_test_message("%s", cases[i].text);
		g_assert_cmpint(ok, ==, cases[i].value >= 0);
		g_assert_cmpint(value, ==, cases[i].value);
	}
}

static void refused(const char *text, const char *message)
{
	ab_autoptr(ab_node) node = parse(text);
	struct fields f = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_false(ab_keys_parse(table, node, &f, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	g_assert_cmpstr(error->message, ==, message);
	ab_keys_clear(table, &f);
}

static void test_errors(void)
{
	refused("name: x\nrnus: 3\n",
		"plan.yaml:2:1: unknown key 'rnus', did you mean 'runs'?");
	refused("name: x\ntemperature: 3\n",
		"plan.yaml:2:1: unknown key 'temperature'; known are: name, "
		"runs, cool, bytes, limit, margin, on, ids, at, more, slot");
	refused("runs: 3\n",
		"plan.yaml:1:1: missing key 'name': What it is called.");
	refused("[name, x]\n",
		"plan.yaml:1:1: expected keys and their values, such as "
		"{ name: ... }, not a list");
	refused("name: x\nruns: many\n",
		"plan.yaml:2:7: 'runs' must be a whole number, such as 5, not "
		"'many'");
	refused("name: x\nruns:\n",
		"plan.yaml:2:6: 'runs' must be a whole number, such as 5, not "
		"nothing");
	refused("name: x\nruns: [1]\n",
		"plan.yaml:2:7: 'runs' must be a whole number, such as 5, not "
		"a list");
	refused("name: x\nruns: 0\n",
		"plan.yaml:2:7: 'runs' must be in 1..1000, not 0");
	refused("name: x\ncool: 2h\n",
		"plan.yaml:2:7: 'cool' must be in 0..1h, not 2h");
	refused("name: x\ncool: 90\n",
		"plan.yaml:2:7: 'cool' must be a time with its unit, such as "
		"250ms, 90s, 5 min or 1h, not '90'");
	refused("name: x\nbytes: big\n",
		"plan.yaml:2:8: 'bytes' must be a size, such as 64 MiB or "
		"4096, not 'big'");
	refused("name: x\nlimit: 61\n",
		"plan.yaml:2:8: 'limit' must be in -10..60, not 61");
	refused("name: x\nlimit: nan\n",
		"plan.yaml:2:8: 'limit' must be a number, such as 37.5, not "
		"'nan'");
	refused("name: x\nmargin: 0.05\n",
		"plan.yaml:2:9: 'margin' must be a percentage, such as 5%, "
		"not '0.05'");
	refused("name: x\non: maybe\n",
		"plan.yaml:2:5: 'on' must be true or false, not 'maybe'");
	refused("name: x\nids: { a: b }\n",
		"plan.yaml:2:6: 'ids' must be a list of texts, such as [one, "
		"two], not a map");
	refused("name: x\nids: [a, [b]]\n",
		"plan.yaml:2:10: 'ids' must be a list of texts, such as [one, "
		"two], not a list");
	refused("name: x\nat: [1]\n",
		"plan.yaml:2:5: 'at' must be a point [x, y] in fractions of "
		"the display, such as [0.5, 0.9], not a list");
	refused("name: x\nat: [0.5, 1200]\n",
		"plan.yaml:2:11: 'at' takes fractions of the display from 0 to "
		"1, not pixels: '1200'");
	refused("name: x\nslot: inactiv\n",
		"plan.yaml:2:7: unknown value for 'slot': 'inactiv', did you "
		"mean 'inactive'?");
	refused("name: x\nslot: backup\n",
		"plan.yaml:2:7: unknown value for 'slot': 'backup'; known are: "
		"inactive, active");
	refused("name: \"a\\eb\"\n",
		"plan.yaml:1:7: 'name' must not contain control characters or "
		"line breaks");
	refused("name: x\nruns: \"\\e[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxx\"\n",
		"plan.yaml:2:7: 'runs' must be a whole number, such as 5, not "
		"'\\033[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
}

static void test_no_keys(void)
{
	ab_autoptr(ab_node) map = parse("{ a: 1 }");
	ab_autoptr(ab_node) list = parse("[a]");
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_keys_parse(NULL, NULL, NULL, &error));
	g_assert_false(ab_keys_parse(NULL, map, NULL, &error));
	g_assert_cmpstr(error->message, ==,
			"plan.yaml:1:3: unknown key 'a': none are known here");
	g_clear_error(&error);
	g_assert_false(ab_keys_parse(NULL, list, NULL, &error));
	g_assert_cmpstr(error->message, ==,
			"plan.yaml:1:1: takes no keys, not a list");
}

static void test_names(void)
{
	static const char *const good[] = { "a", "A-1", "pm_wq.x", "9" };
	static const char *const bad[] = { "",	       ".",	   "-x",
					   "a/b",      "a b",	   "../x",
					   "\xc3\xa4", "123456789" };
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(good); i++) {
		struct ab_node node = { .file = "f", .text = (char *)good[i] };

		g_assert_true(ab_node_check_name(&node, "variant", 8, NULL));
	}
	for (i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct ab_node node = { .file = "f", .text = (char *)bad[i] };

		g_assert_false(ab_node_check_name(&node, "variant", 8, NULL));
	}
}

static void test_help(void)
{
	g_autoptr(GString) text = g_string_new(NULL);

	ab_keys_help(table, "  ", text);
	g_assert_cmpstr(
		text->str, ==,
		"  name: TEXT (required)\n"
		"      What it is called.\n"
		"  runs: NUMBER (1..1000; default 5)\n"
		"      How many.\n"
		"  cool: TIME (0..1h; default 90s)\n"
		"      How long a phone that is too hot for the next run is "
		"waited for before\n"
		"      the campaign gives it up.\n"
		"  bytes: SIZE (default 64 MiB)\n"
		"      How large.\n"
		"  limit: NUMBER (-10..60; default 37.5)\n"
		"      How hot.\n"
		"  margin: PERCENT (default 5%)\n"
		"      How different.\n"
		"  on: true|false\n"
		"      Whether.\n"
		"  ids: [TEXT, ...] (default [a, b])\n"
		"      Which.\n"
		"  at: [X, Y]\n"
		"      Where.\n"
		"  more: {...}\n"
		"      More.\n"
		"  slot: inactive|active (default inactive)\n"
		"      Which slot.\n");
}

static void test_man(void)
{
	static const struct ab_key one[] = { { .name = "min-x",
					       .type = AB_KEY_INT,
					       .min = -1,
					       .max = 5,
					       .help = ".5 is \\ too much." },
					     AB_KEYS_END };
	g_autoptr(GString) text = g_string_new(NULL);

	ab_keys_man(one, text);
	g_assert_cmpstr(text->str, ==,
			".TP\n\\fBmin\\-x\\fR: NUMBER (\\-1..5)\n"
			"\\&.5 is \\e too much.\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/keys/defaults", test_defaults);
	g_test_add_func("/keys/values", test_values);
	g_test_add_func("/keys/units", test_units);
	g_test_add_func("/keys/errors", test_errors);
	g_test_add_func("/keys/no-keys", test_no_keys);
	g_test_add_func("/keys/names", test_names);
	g_test_add_func("/keys/help", test_help);
	g_test_add_func("/keys/man", test_man);
	return g_test_run();
}
