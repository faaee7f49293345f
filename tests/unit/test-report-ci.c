// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Formats that other programs read: against golden files in tests/data/report
 * (ABRIG_UPDATE_GOLDEN=1 writes them) and against what those programs demand.
 */
#include "helper-report.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static char *golden_path(const char *name)
{
	const char *root = g_getenv("ABRIG_TEST_DATA");

	return g_build_filename(root ? root : "tests/data", "report", name,
				NULL);
}

static void check_golden(const char *format, const char *name)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = helper_report_text(report, format);
	g_autofree char *path = golden_path(name);
	g_autofree char *expected = NULL;
	g_autoptr(GError) error = NULL;

	if (g_getenv("ABRIG_UPDATE_GOLDEN"))
		g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
	g_file_get_contents(path, &expected, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(text, ==, expected);
	helper_report_free(report);
}

static void test_golden(void)
{
	check_golden("ktap", "campaign.ktap");
	check_golden("junit", "campaign.junit.xml");
	check_golden("lava", "campaign.lava");
	check_golden("prometheus", "campaign.prom");
	check_golden("kcidb", "campaign.kcidb.json");
}

/* Nothing that a format cannot carry, whatever the numbers are. */
static void test_not_finite(void)
{
	static const char *const formats[] = { "ktap", "junit", "lava",
					       "prometheus", "kcidb" };
	struct ab_report *report = helper_report_new();

	for (size_t k = 0; k < report->tables[0].n_rows; k++) {
		struct ab_comparison *c = report->tables[0].rows[k].versus;

		report->tables[0].rows[k].base.value = NAN;
		c->a.value = c->pct = c->diff_lo = NAN;
		c->b.value = c->diff = INFINITY;
		c->diff_hi = c->pct_hi = -INFINITY;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autofree char *text = helper_report_text(report, formats[i]);

		g_assert_null(strstr(text, "=nan"));
		g_assert_null(strstr(text, "\"nan"));
		g_assert_null(strstr(text, " inf"));
		g_assert_null(strstr(text, "=inf"));
	}
	helper_report_free(report);
}

/* ---- KTAP ---- */

/* What a level of @indent says; its tests are numbered and as many as it says. */
static int check_level(char **lines, int indent)
{
	int plan = 0, seen = 0, failed = 0;

	for (char **line = lines; *line; line++) {
		const char *at = *line;
		int number = 0, depth = (int)strspn(at, " ");

		if (depth != indent)
			continue;
		at += depth;
		if (g_str_has_prefix(at, "KTAP version 1"))
			plan = seen = 0;
		else if (sscanf(at, "1..%d", &plan) == 1)
			seen = 0;
		else if (sscanf(at, "ok %d", &number) == 1 ||
			 sscanf(at, "not ok %d", &number) == 1)
			seen++;
		else
			g_assert_true(*at == '#' || !*at);
		failed += g_str_has_prefix(at, "not ok");
		g_assert_true(number == 0 || number == seen);
		g_assert_cmpint(seen, <=, plan);
	}
	g_assert_cmpint(seen, ==, plan);
	return failed;
}

static void test_ktap(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	report->runs_missing = 1;
	text = helper_report_text(report, "ktap");
	lines = g_strsplit(text, "\n", -1);
	/* The gate that rejected runs, and that runs are missing. */
	g_assert_cmpint(check_level(lines, 2), ==, 2);
	g_assert_cmpint(check_level(lines, 0), ==, 1);
	g_assert_nonnull(strstr(text, "\n  not ok 3 thermal\n  # 1 runs "
				      "rejected: 2A101FDH2000XX: skin 41.2 C, "
				      "\"limit\" 38.0 C; cool the phone\n"));
	helper_report_free(report);
}

/* ---- JUnit ---- */

struct junit {
	int cases, failures, errors, skipped;
};

static void start_element(GMarkupParseContext *context, const char *name,
			  const char **names, const char **values,
			  gpointer user, GError **error)
{
	struct junit *j = user;

	(void)context, (void)names, (void)values, (void)error;
	j->cases += !strcmp(name, "testcase");
	j->failures += !strcmp(name, "failure");
	j->errors += !strcmp(name, "error");
	j->skipped += !strcmp(name, "skipped");
}

static struct junit parse_junit(const char *text)
{
	static const GMarkupParser parser = { .start_element = start_element };
	struct junit j = { 0 };
	GMarkupParseContext *context = g_markup_parse_context_new(
		&parser, G_MARKUP_DEFAULT_FLAGS, &j, NULL);
	g_autoptr(GError) error = NULL;

	g_markup_parse_context_parse(context, text, -1, &error);
	g_assert_no_error(error);
	g_markup_parse_context_end_parse(context, &error);
	g_assert_no_error(error);
	g_markup_parse_context_free(context);
	return j;
}

static void test_junit(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = NULL;
	struct junit j;

	report->runs_missing = 1;
	report->plan = "<a> & \"b\"\x01\x1b[0m \xff";
	/* The primary got worse. */
	report->tables[0].rows[0].versus->verdict = AB_DIFFERENT;
	report->tables[0].rows[0].versus->diff = 1;
	text = helper_report_text(report, "junit");
	j = parse_junit(text);
	g_assert_cmpint(j.cases, ==, 4 + 2);
	g_assert_cmpint(j.failures, ==, 1);
	g_assert_cmpint(j.errors, ==, 2);
	g_assert_true(g_utf8_validate(text, -1, NULL));
	for (const char *p = text; *p; p++)
		g_assert_true((guchar)*p >= ' ' || *p == '\n');
	g_assert_nonnull(strstr(text, "<testsuites name=\"&lt;a&gt; &amp; "
				      "&quot;b&quot;??[0m "));
	helper_report_free(report);
}

/* ---- LAVA ---- */

static void test_lava(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	report->tables[0].rows[4].base.value = 3e20;
	report->tables[0].rows[5].base.value = 2.5;
	text = helper_report_text(report, "lava");
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; **line; line++) {
		g_assert_true(g_str_has_prefix(
			*line, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID="));
		g_assert_true(strchr(*line, '>') == *line + strlen(*line) - 1);
	}
	g_assert_nonnull(strstr(text, "power.total.base RESULT=pass>\n"));
	g_assert_nonnull(strstr(text, "jankbench.jank.base RESULT=pass "
				      "MEASUREMENT=2.5 UNITS=%>\n"));
	helper_report_free(report);
}

/* ---- Prometheus ---- */

static void test_prometheus(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autofree char *gauge = NULL;

	report->plan = "a \"b\" \\ \n c";
	text = helper_report_text(report, "prometheus");
	g_assert_nonnull(strstr(text, "{plan=\"a \\\"b\\\" \\\\ \\n c\""));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; **line; line++) {
		if (g_str_has_prefix(*line, "# TYPE ")) {
			g_auto(GStrv) words = g_strsplit(*line, " ", -1);

			g_free(gauge);
			gauge = g_strdup_printf("%s{", words[2]);
			g_assert_cmpstr(words[3], ==, "gauge");
		} else if (**line != '#') {
			/* All samples of a gauge stand together. */
			g_assert_true(g_str_has_prefix(*line, gauge));
		}
	}
	helper_report_free(report);
}

/* ---- KCIDB: the checks of its schema, and of what that leaves open ---- */

static bool no_null(JsonNode *node)
{
	if (JSON_NODE_HOLDS_NULL(node))
		return false;
	if (JSON_NODE_HOLDS_OBJECT(node)) {
		JsonObject *object = json_node_get_object(node);
		g_autoptr(GList) values = json_object_get_values(object);

		for (GList *v = values; v; v = v->next)
			if (!no_null(v->data))
				return false;
	}
	if (JSON_NODE_HOLDS_ARRAY(node)) {
		JsonArray *array = json_node_get_array(node);

		for (guint i = 0; i < json_array_get_length(array); i++)
			if (!no_null(json_array_get_element(array, i)))
				return false;
	}
	return true;
}

static void check_keys(JsonObject *object, const char *const *known)
{
	g_autoptr(GList) keys = json_object_get_members(object);

	for (GList *k = keys; k; k = k->next)
		g_assert_true(g_strv_contains(known, k->data));
}

static const char *text_of(JsonObject *object, const char *key)
{
	g_assert_true(json_object_has_member(object, key));
	return json_object_get_string_member(object, key);
}

/* Ids are unique, begin with the origin, and parents exist. */
static void check_id(JsonObject *object, const char *key, const char *parent,
		     GHashTable *ids)
{
	const char *id = text_of(object, key);

	g_assert_cmpstr(text_of(object, "origin"), ==, "mylab");
	g_assert_true(g_regex_match_simple("\\A[a-z0-9_]+:[A-Za-z0-9_.:-]+\\z",
					   id, 0, 0));
	g_assert_true(g_str_has_prefix(id, "mylab:"));
	g_assert_true(g_hash_table_add(ids, (gpointer)id));
	if (parent)
		g_assert_true(
			g_hash_table_contains(ids, text_of(object, parent)));
}

static void check_test(JsonObject *test)
{
	static const char *const known[] = {
		"id",	      "origin",	  "build_id", "path",
		"status",     "number",	  "misc",     "environment",
		"start_time", "duration", "comment",  NULL
	};
	static const char *const number_keys[] = { "value", "unit", NULL };
	const char *status = text_of(test, "status");

	check_keys(test, known);
	g_assert_true(g_regex_match_simple(
		"\\A([a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*)?\\z",
		text_of(test, "path"), 0, 0));
	g_assert_true(!strcmp(status, "DONE") || !strcmp(status, "ERROR"));
	g_assert_true(g_regex_match_simple(
		"\\A\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\z",
		text_of(test, "start_time"), 0, 0));
	if (!strcmp(status, "DONE"))
		check_keys(json_object_get_object_member(test, "number"),
			   number_keys);
}

static void check_list(JsonObject *root, const char *list, const char *parent,
		       const char *const *known, GHashTable *ids, guint n)
{
	JsonArray *array = json_object_get_array_member(root, list);

	g_assert_cmpuint(json_array_get_length(array), ==, n);
	for (guint i = 0; i < n; i++) {
		JsonObject *o = json_array_get_object_element(array, i);

		check_id(o, "id", parent, ids);
		if (known)
			check_keys(o, known);
		else
			check_test(o);
	}
}

static void test_kcidb(void)
{
	static const char *const top[] = { "version", "checkouts", "builds",
					   "tests", NULL };
	static const char *const checkout[] = { "id", "origin", "comment",
						"git_commit_hash", NULL };
	static const char *const build[] = { "id",	"origin", "checkout_id",
					     "comment", "status", "misc",
					     NULL };
	struct ab_report *report = helper_report_new();
	g_autoptr(JsonParser) parser = json_parser_new();
	/* Lists have ids of their own kind. */
	g_autoptr(GHashTable) checkouts =
		g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) builds =
		g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	JsonObject *root;

	report->origin = "mylab";
	report->runs[2].banner = "Linux version 6.12.0-g"
				 "0123456789abcdef0123456789abcdef01234567 "
				 "(kim@desk) #1";
	text = helper_report_text(report, "kcidb");
	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	g_assert_true(no_null(json_parser_get_root(parser)));
	root = json_node_get_object(json_parser_get_root(parser));
	check_keys(root, top);
	check_list(root, "checkouts", NULL, checkout, checkouts, 2);
	/* A build's id is that of its checkout: ids are unique per list. */
	check_list(root, "builds", NULL, build, builds, 2);
	check_list(root, "tests", "build_id", NULL, builds, 6 * 2 + 1);
	g_assert_nonnull(strstr(text, "\"git_commit_hash\" : \"0123456789abcdef"
				      "0123456789abcdef01234567\""));
	helper_report_free(report);
}

static void test_origin(void)
{
	g_assert_true(ab_report_origin_valid("my_lab2"));
	g_assert_false(ab_report_origin_valid(""));
	g_assert_false(ab_report_origin_valid("My"));
	g_assert_false(ab_report_origin_valid("a-b"));
	g_assert_false(ab_report_origin_valid("a\n"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/report-ci/golden", test_golden);
	g_test_add_func("/report-ci/not-finite", test_not_finite);
	g_test_add_func("/report-ci/ktap", test_ktap);
	g_test_add_func("/report-ci/junit", test_junit);
	g_test_add_func("/report-ci/lava", test_lava);
	g_test_add_func("/report-ci/prometheus", test_prometheus);
	g_test_add_func("/report-ci/kcidb", test_kcidb);
	g_test_add_func("/report-ci/origin", test_origin);
	return g_test_run();
}
