// SPDX-License-Identifier: GPL-3.0-or-later
/* report.html: what is hostile stays text, and what is drawn is in it. */
#include "../../harness/report/html.h"
#include "html_report.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define HOSTILE "</script><script>alert(1)</script><!--\"'>&\xe2\x80\xa8"

static char *page_of(const struct ab_report *report)
{
	GString *page = g_string_new(NULL);

	ab_report_find("html")->write(report, page);
	return g_string_free(page, FALSE);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static struct made *small(void)
{
	const struct made_size size = { 20, 12, 40 };

	return made_new(&size);
}

/* ---- text ---- */

static void test_text(void)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "plain", "plain" },
		{ "<b>&'\"", "&lt;b&gt;&amp;&apos;&quot;" },
		{ "\xff", "\xef\xbf\xbd" },
		{ "cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd" },
		/* A direction that is turned, and a bell. */
		{ "\xe2\x80\xae\x07", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "a\tb\nc", "a\tb\nc" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		html_text(out, cases[i].in);
		g_assert_cmpstr(out->str, ==, cases[i].out);
	}
}

static void test_add(void)
{
	g_autoptr(GString) out = g_string_new(NULL);

	html_add(out, "<a href=\"%s\">%d %zu %%</a>", "\"x", -3, (size_t)7);
	g_assert_cmpstr(out->str, ==, "<a href=\"&quot;x\">-3 7 %</a>");
}

static void test_json(void)
{
	g_autoptr(GString) out = g_string_new(NULL);

	html_json(out, "{\"a\":\"</script>\xe2\x80\xa9&\"}");
	g_assert_cmpstr(out->str, ==,
			"{\"a\":\"\\u003c/script\\u003e\\u2029\\u0026\"}");
}

static void test_hash(void)
{
	g_autofree char *hash = html_hash("alert(1)");

	/* printf 'alert(1)' | openssl dgst -sha256 -binary | base64 */
	g_assert_cmpstr(hash, ==,
			"sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
}

/* ---- a hostile report ---- */

static void poison(struct made *m)
{
	static const char *variants[] = { HOSTILE "a", HOSTILE "b", NULL };
	static const char *notes[] = { HOSTILE, NULL };
	static const char *provenance[] = { HOSTILE ": " HOSTILE, NULL };
	struct ab_metric *metric = &m->metrics[0];

	m->report.plan = m->report.tool = m->report.directory = HOSTILE;
	m->report.plan_sha256 = m->report.began = HOSTILE;
	m->report.variants = (char **)variants;
	m->report.notes = (char **)notes;
	m->report.provenance = (char **)provenance;
	m->table.platform = m->table.scenario = HOSTILE;
	metric->id = metric->group = metric->label = HOSTILE;
	metric->unit = metric->source = metric->definition = HOSTILE;
	for (size_t i = 0; i < m->report.n_runs; i++) {
		struct ab_report_run *run = &m->report.runs[i];

		run->platform = run->scenario = run->device = HOSTILE;
		run->dir = run->began = run->reason = HOSTILE;
		run->gate = run->accepted ? NULL : HOSTILE;
	}
}

static void test_hostile(void)
{
	static struct ab_report_exclusion exclusion = { HOSTILE, HOSTILE,
							HOSTILE, HOSTILE, 1 };
	struct made *m = small();
	g_autofree char *before = page_of(&m->report);
	g_autofree char *after = NULL;

	poison(m);
	m->report.exclusions = &exclusion;
	m->report.n_exclusions = 1;
	after = page_of(&m->report);
	g_assert_null(strstr(after, "<script>alert"));
	g_assert_null(strstr(after, "<!--"));
	g_assert_cmpuint(count(after, "<script"), ==, count(before, "<script"));
	g_assert_cmpuint(count(after, "</script"), ==,
			 count(before, "</script"));
	/* It is shown, as text. */
	g_assert_nonnull(strstr(after, "&lt;script&gt;alert(1)"));
	made_free(m);
}

/* ---- structure ---- */

/* The elements between the tags @open and </@name>. */
static char *inside(const char *page, const char *open, const char *close)
{
	const char *from = strstr(page, open), *to;

	g_assert_nonnull(from);
	from += strlen(open);
	to = strstr(from, close);
	g_assert_nonnull(to);
	return g_strndup(from, (gsize)(to - from));
}

static void check_balance(const char *page, const char *name)
{
	g_autofree char *open = g_strdup_printf("<%s", name);
	g_autofree char *close = g_strdup_printf("</%s>", name);
	size_t opened = 0;

	for (const char *p = page; (p = strstr(p, open)); p += strlen(open))
		opened += strchr(" >\n", p[strlen(open)]) != NULL;
	g_assert_cmpuint(opened, ==, count(page, close));
}

static void test_structure(void)
{
	static const char *const balanced[] = { "section", "details", "table",
						"thead",   "tbody",   "tr",
						"th",	   "td",      "div",
						"p",	   "figure" };
	static const char *const sections[] = { "summary",   "results",
						"metrics",   "power",
						"runs",	     "method",
						"provenance" };
	struct made *m = small();
	g_autofree char *whole = page_of(&m->report);
	g_autofree char *page = inside(whole, "<body>", "</main>");

	for (size_t i = 0; i < G_N_ELEMENTS(balanced); i++)
		check_balance(page, balanced[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		g_autofree char *id =
			g_strdup_printf("<section id=\"%s\"", sections[i]);

		g_assert_cmpuint(count(page, id), ==, 1);
	}
	/* Every table is named, every metric has its part. */
	g_assert_cmpuint(count(page, "<caption>"), ==, count(page, "<table"));
	g_assert_cmpuint(count(page, "<details class=\"metric\""), ==, 12);
	g_assert_nonnull(strstr(page, "41.2 C is above 40 C"));
	made_free(m);
}

/* No script runs that the policy does not name, and nothing is fetched. */
static void test_policy(void)
{
	struct made *m = small();
	g_autofree char *page = page_of(&m->report);
	g_autofree char *policy = inside(page, "Policy\" content=\"", "\"");
	g_autofree char *js = html_hash(ab_html_page_js);

	g_assert_true(g_str_has_prefix(policy, "default-src 'none';"));
	g_assert_nonnull(strstr(policy, js));
	g_assert_null(strstr(policy, "unsafe"));
	g_assert_null(strstr(page, " src="));
	g_assert_null(strstr(page, "@import"));
	g_assert_null(strstr(ab_html_page_js, "</"));
	g_assert_null(strstr(ab_html_page_css, "</"));
	made_free(m);
}

/* ---- data ---- */

static JsonObject *data_of(JsonParser *parser, const char *page)
{
	g_autofree char *text = inside(page, "id=\"data\">", "</script>");
	GError *error = NULL;

	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	return json_node_get_object(json_parser_get_root(parser));
}

static size_t numbers_in(const char *list)
{
	return *list ? count(list, " ") + 1 : 0;
}

static void check_row(JsonObject *row)
{
	const char *values = json_object_get_string_member(row, "values");

	g_assert_cmpuint(numbers_in(values), ==, 20);
	/* Of all runs in their order: not listed. */
	g_assert_cmpstr(json_object_get_string_member(row, "runs"), ==, "");
	g_assert_cmpuint(json_array_get_length(
				 json_object_get_array_member(row, "versus")),
			 ==, 1);
}

static void test_data(void)
{
	struct made *m = small();
	g_autofree char *page = page_of(&m->report);
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *table;
	JsonArray *rows;

	if (!*ab_html_vega_js) {
		g_test_skip("built without libjs-vega");
		made_free(m);
		return;
	}
	table = json_array_get_object_element(
		json_object_get_array_member(data_of(parser, page), "tables"),
		0);
	rows = json_object_get_array_member(table, "rows");
	g_assert_cmpuint(json_array_get_length(rows), ==, 12);
	for (guint i = 0; i < json_array_get_length(rows); i++)
		check_row(json_array_get_object_element(rows, i));
	g_assert_cmpuint(numbers_in(json_object_get_string_member(table, "at")),
			 ==, 20);
	made_free(m);
}

/* Points lie on the function: the share of samples at most x. */
static void check_points(const struct html_dist *dist, const double *all,
			 size_t n)
{
	g_assert_cmpuint(dist->n, ==, n);
	g_assert_cmpuint(dist->n_points, <=, HTML_POINTS);
	g_assert_cmpfloat(dist->p[dist->n_points - 1], ==, 1);
	for (size_t k = 0; k < dist->n_points; k++) {
		size_t below = 0;

		for (size_t i = 0; i < n; i++)
			below += all[i] <= dist->x[k];
		g_assert_cmpfloat(dist->p[k], ==, (double)below / (double)n);
		g_assert_true(k == 0 || dist->x[k] > dist->x[k - 1]);
	}
}

static void test_points(void)
{
	const struct made_size size = { 20, 4, 400 };
	struct made *m = made_new(&size);
	struct html_dists *dists = html_dists_new(&m->report);
	const struct ab_report_row *row = &m->table.rows[0];
	const struct html_dist *d = html_dists_find(dists, &m->table, row);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(double));

	for (size_t i = 0; i < row->n_obs; i++)
		if (row->obs[i].variant == 0)
			g_array_append_vals(all, row->obs[i].samples, 400);
	check_points(&d[0], (const double *)(const void *)all->data, all->len);
	g_assert_cmpuint(d[0].n_points, >, HTML_POINTS / 2);
	html_dists_free(dists);
	made_free(m);
}

/* Numbers of others: no runs are told, all have the same names. */
static void test_bare(void)
{
	struct made *m = small();
	g_autofree char *page = NULL;

	for (size_t i = 0; i < m->table.rows[0].n_obs; i++) {
		struct ab_obs *o = &m->table.rows[0].obs[i];

		o->session = o->position = o->block = 0;
		o->at = o->skin_c = NAN;
	}
	m->report.plan = NULL;
	m->report.n_runs = 0;
	m->table.platform = m->table.scenario = NULL;
	page = page_of(&m->report);
	g_assert_nonnull(strstr(page, "<h1>Comparison</h1>"));
	made_free(m);
}

static void test_size(void)
{
	const struct made_size size = { 100, 60, 100 };
	struct made *m = made_new(&size);
	g_autofree char *page = page_of(&m->report);

	/* 500 runs stay below 5 MB: bench-html. */
	g_assert_cmpuint(strlen(page), <, 2500000);
	made_free(m);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/html/text", test_text);
	g_test_add_func("/html/add", test_add);
	g_test_add_func("/html/json", test_json);
	g_test_add_func("/html/hash", test_hash);
	g_test_add_func("/html/hostile", test_hostile);
	g_test_add_func("/html/structure", test_structure);
	g_test_add_func("/html/policy", test_policy);
	g_test_add_func("/html/data", test_data);
	g_test_add_func("/html/points", test_points);
	g_test_add_func("/html/bare", test_bare);
	g_test_add_func("/html/size", test_size);
	return g_test_run();
}
