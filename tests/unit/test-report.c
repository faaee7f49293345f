// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reports against golden files in tests/data/report, and the two tabulate
 * styles against the tables of the mailing lists.  With ABRIG_UPDATE_GOLDEN=1
 * the golden files are written: look at the difference before committing it.
 */
#include "../../harness/report/parts.h"
#include "shared.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static const struct ab_estimate no_estimate = { NAN, 0, 0, 0, NAN, NAN, NAN };

static struct ab_estimate estimate(double value, guint64 samples)
{
	struct ab_estimate e = no_estimate;

	e.value = value;
	e.runs = 40;
	e.boots = 8;
	e.samples = samples;
	return e;
}

static struct ab_comparison comparison(double a, double b, guint64 samples_a,
				       guint64 samples_b)
{
	return (struct ab_comparison){
		.a = estimate(a, samples_a),
		.b = estimate(b, samples_b),
		.diff = b - a,
		.diff_lo = NAN,
		.diff_hi = NAN,
		.pct = NAN,
		.pct_lo = NAN,
		.pct_hi = NAN,
		.b_upper = NAN,
		.p = NAN,
		.level = 0.95,
		.margin_pct = NAN,
		.verdict = AB_NOT_ENOUGH_DATA,
		.boots_needed = NAN,
		.runs_needed = NAN,
		.blocks = 8,
	};
}

/* A row with a percent interval; @half is its half width. */
static struct ab_comparison tested(double a, double b, double half,
				   enum ab_method method)
{
	struct ab_comparison c = comparison(a, b, 35812, 35640);

	c.pct = 100 * (b / a - 1);
	c.pct_lo = c.pct - half;
	c.pct_hi = c.pct + half;
	c.diff_lo = c.diff - half * a / 100;
	c.diff_hi = c.diff + half * a / 100;
	c.p = 2 / 256.0;
	c.p_exact = true;
	c.method = method;
	if (c.pct_lo > 0 || c.pct_hi < 0)
		c.verdict = AB_DIFFERENT;
	return c;
}

static struct ab_comparison worst(double a, double b)
{
	struct ab_comparison c = comparison(a, b, 220524, 217954);

	c.reason = "a maximum has no interval";
	return c;
}

static struct ab_comparison no_event(double a, double bound, double pct_hi)
{
	struct ab_comparison c = comparison(a, 0, 35812, 35640);

	c.method = AB_METHOD_ZERO_BOUND;
	c.verdict = AB_DIFFERENT;
	c.b.total = 0;
	c.b.upper = c.b_upper = bound;
	c.pct_lo = -100;
	c.pct_hi = pct_hi;
	c.pct_reason = "no event in the variant";
	c.diff_lo = -1.5 * a;
	c.diff_hi = -0.5 * a;
	return c;
}

static struct ab_comparison zero_baseline(double b)
{
	struct ab_comparison c = comparison(0, b, 35812, 35640);

	c.method = AB_METHOD_PAIRED_T;
	c.a.total = 0;
	c.a.upper = 2.9957 / 40;
	c.diff_lo = b - 0.31;
	c.diff_hi = b + 0.31;
	c.pct_reason = "the baseline is 0";
	c.boots_needed = 12;
	return c;
}

static struct ab_report_row row(const char *id, struct ab_comparison *versus)
{
	struct ab_report_row r = { .metric = ab_metric_find(id),
				   .base = versus->a,
				   .versus = versus };

	g_assert_nonnull(r.metric);
	return r;
}

static void check_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		size_t n = strlen(*line);

		g_assert_cmpuint(n, <=, REPORT_CAP);
		g_assert_true(n == 0 || (*line)[n - 1] != ' ');
		g_assert_false(g_str_has_prefix(*line, "---"));
		g_assert_false(g_str_has_prefix(*line, "From "));
		for (const char *p = *line; *p; p++)
			g_assert_true(g_ascii_isprint(*p));
	}
	g_assert_null(strstr(text, "-100.0%"));
}

static char *golden_path(const char *name)
{
	const char *root = g_getenv("ABRIG_TEST_DATA");

	return g_build_filename(root ? root : "tests/data", "report", name,
				NULL);
}

static void check_golden(const struct ab_report *report, const char *format,
			 const char *name)
{
	const struct ab_report_ops *ops = ab_report_find(format);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *path = golden_path(name);
	g_autofree char *expected = NULL;
	g_autoptr(GError) error = NULL;

	g_assert_nonnull(ops);
	ops->write(report, out);
	if (g_str_has_suffix(name, ".txt"))
		check_lines(out->str);
	if (g_getenv("ABRIG_UPDATE_GOLDEN"))
		g_file_set_contents(path, out->str, -1, &error);
	g_assert_no_error(error);
	g_file_get_contents(path, &expected, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(out->str, ==, expected);
}

static char *two_variants[] = { "base", "pm-wq-highpri", NULL };
static char *three_variants[] = { "pelt_1", "pelt_2", "pelt_4", NULL };
static int runs[] = { 40, 40, 40 }, boots[] = { 8, 8, 8 };
static guint64 exposure[] = { 35812, 35640, 35700 };

static struct ab_report new_report(char **variants, size_t n)
{
	static char *provenance[] = {
		"base: 6.12.30-g1b2c3d4 #1 SMP PREEMPT Mon Nov 2 03:01:10 UTC "
		"2026, boot.img sha256 01234567",
		"pm-wq-highpri: 6.12.30-g1b2c3d4-highpri #1 SMP PREEMPT Mon "
		"Nov 2 03:05:44 UTC 2026, boot.img sha256 89abcdef",
		NULL
	};

	return (struct ab_report){
		.plan = "pm-wq-highpri",
		.plan_sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d"
			       "08286a2e846f6be03",
		.tool = "abrig 0.1.0",
		.seed = 42,
		.began = "2026-11-02T20:11:04Z",
		.ended = "2026-11-03T05:40:51Z",
		.directory = "out/night-1",
		.variants = variants,
		.n_variants = n,
		.provenance = provenance,
		.runs_planned = 160,
		.runs_started = 160,
		.runs_accepted = 160,
	};
}

static struct ab_report_table new_table(const char *platform, int cpus,
					const char *scenario,
					struct ab_report_row *rows, size_t n)
{
	return (struct ab_report_table){
		.platform = platform,
		.scenario = scenario,
		.cpus = cpus,
		.devices = 1,
		.runs = runs,
		.boots = boots,
		.rows = rows,
		.n_rows = n,
	};
}

/* The 2026 mail's table; its percentages come from unrounded values. */
static void test_two_platforms(void)
{
	struct ab_report report = new_report(two_variants, 2);
	struct ab_comparison c[] = {
		tested(151.0, 107.512, 4.4, AB_METHOD_PAIRED_T),
		tested(1867, 1101.53, 7.25, AB_METHOD_BLOCK_BOOTSTRAP),
		worst(15080, 5770),
		tested(7.51, 0.93875, 3.1, AB_METHOD_PAIRED_T),
		no_event(0.189, 2.9957 / 245, -93.3),
		tested(662.7, 156.7, 5, AB_METHOD_BLOCK_BOOTSTRAP),
		tested(0.20357, 0.171, 35, AB_METHOD_PAIRED_T),
		tested(1.086, 1.074, 17, AB_METHOD_PAIRED_T),
		tested(1412.04, 1415.9, 1.2, AB_METHOD_PAIRED_T),
	};
	struct ab_report_row rows[] = {
		row("pm_runtime_work.cpu_wait.mean", &c[0]),
		row("pm_runtime_work.cpu_wait.p99", &c[1]),
		row("pm_runtime_work.cpu_wait.max", &c[2]),
		row("pm_runtime_work.cpu_wait.ge_2ms", &c[3]),
		row("pm_runtime_work.cpu_wait.ge_5ms", &c[4]),
		row("ui.rpm_resume.waker_wait.p90", &c[5]),
		row("frames.app_missed", &c[6]),
		row("frames.sf_missed", &c[7]),
		row("power.total", &c[8]),
	};
	struct ab_report_table tables[] = {
		new_table("A", 8, "notification-shade", rows, 9),
		new_table("B", 7, "notification-shade", rows + 5, 4),
	};

	c[6].boots_needed = 552;
	c[7].boots_needed = 23547;
	c[8].margin_pct = 2;
	c[8].verdict = AB_EQUIVALENT;
	tables[0].exposure = exposure;
	tables[0].exposure_name = "work items";
	tables[1].refresh_hz = 120;
	tables[1].devices = 2;
	report.tables = tables;
	report.n_tables = 2;
	check_golden(&report, "rows", "rows-two-platforms.txt");
	check_golden(&report, "grid", "grid-two-platforms.txt");
	check_golden(&report, "csv", "two-platforms.csv");
	check_golden(&report, "json", "two-platforms.json");
}

static void test_three_variants(void)
{
	struct ab_report report = new_report(three_variants, 3);
	struct ab_comparison mean[] = {
		tested(14.6, 13.8072, 1.1, AB_METHOD_PAIRED_T),
		tested(14.6, 14.5153, 1.1, AB_METHOD_PAIRED_T),
	};
	struct ab_comparison jank[] = {
		tested(2.1, 2.10231, 12.5, AB_METHOD_PAIRED_T),
		tested(2.1, 2.02734, 14.2, AB_METHOD_PAIRED_T),
	};
	struct ab_comparison max[] = { worst(157.426, 111.975),
				       worst(157.426, 85.2713) };
	struct ab_comparison power[] = {
		tested(139.9, 146.363, 2, AB_METHOD_PAIRED_T),
		tested(139.9, 158.437, 3, AB_METHOD_PAIRED_T),
	};
	struct ab_report_row rows[] = {
		row("jankbench.frame.mean", mean),
		row("jankbench.frame.max", max),
		row("jankbench.jank", jank),
		row("power.total", power),
	};
	struct ab_report_table table = new_table("A", 8, "jankbench", rows, 4);

	jank[0].boots_needed = 118200;
	report.provenance = NULL;
	report.tables = &table;
	report.n_tables = 1;
	check_golden(&report, "rows", "rows-three-variants.txt");
	check_golden(&report, "grid", "grid-three-variants.txt");
	check_golden(&report, "csv", "three-variants.csv");
}

/* What can go wrong in a night, all of it in one report. */
static void test_odd_rows(void)
{
	static char *notes[] = {
		"platform A was charging in 3 runs",
		"From a d\303\251vice:\ta note with a tab, and a path that is "
		"longer than a line: /srv/abrig/campaigns/2026/11/pm-wq-"
		"highpri/night-1/artefacts/session-0001/run-0001/trace.pftrace",
		NULL
	};
	static struct ab_report_exclusion exclusions[] = {
		{ "A", "notification-shade", "base",
		  "thermal.before: 41.2 C, limit 38.0 C", 2 },
		{ "A", "notification-shade", "pm-wq-highpri",
		  "trace.loss: events lost in the measured window", 1 },
		{ "A", "notification-shade", "pm-wq-highpri", "frames.minimum",
		  0 },
	};
	struct ab_report report = new_report(two_variants, 2);
	struct ab_comparison c[] = {
		zero_baseline(0.275),
		no_event(0, 2.9957 / 40, NAN),
		comparison(311.2, 290.1, 61, 58),
		comparison(NAN, NAN, 0, 0),
		tested(0.457, 0.0002, 0.03, AB_METHOD_PAIRED_T),
		tested(0.02213, 0.3, 800, AB_METHOD_RUN_T),
	};
	struct ab_report_row rows[] = {
		row("pm_runtime_work.cpu_wait.ge_2ms", &c[0]),
		row("pm_runtime_work.cpu_wait.ge_5ms", &c[1]),
		row("ui.rpm_resume.d_state.p90", &c[2]),
		row("jankbench.frame.mean", &c[3]),
		row("frames.app_missed", &c[4]),
		row("frames.sf_missed", &c[5]),
	};
	struct ab_report_table table =
		new_table("A", 0, "notification-shade", rows, 6);

	c[1].a.total = 0;
	c[1].a.upper = 2.9957 / 40;
	c[1].verdict = AB_NOT_ENOUGH_DATA;
	c[1].pct_lo = NAN;
	c[1].diff_lo = -2.9957 / 40;
	c[1].diff_hi = 2.9957 / 40;
	c[1].pct_reason = "no event in either variant";
	c[2].reason = "fewer than 10 samples beyond the quantile";
	c[3].reason = "not measured with both variants";
	c[3].a.runs = c[3].b.runs = c[3].a.boots = c[3].b.boots = 0;
	c[3].runs_needed = 2702.8;
	c[4].a_left = 1;
	c[4].a.runs = 38;
	report.notes = notes;
	report.exclusions = exclusions;
	report.n_exclusions = 3;
	report.runs_started = 163;
	report.ended = NULL;
	report.directory = NULL;
	report.tables = &table;
	report.n_tables = 1;
	check_golden(&report, "rows", "rows-odd.txt");
	check_golden(&report, "grid", "grid-odd.txt");
	check_golden(&report, "csv", "odd.csv");
	check_golden(&report, "json", "odd.json");
}

/* Rows too wide for a line are folded, never cut. */
static void test_wide(void)
{
	static char *variants[] = {
		"a-baseline-with-quite-a-long-name",
		"a-variant-with-an-even-longer-name-than-its-baseline", NULL
	};
	static const struct ab_metric wide = {
		.id = "wide",
		.group = "a group",
		.label = "a label of 24 characters",
		.unit = "mA*h",
		.definition = "",
	};
	struct ab_report report = new_report(variants, 2);
	struct ab_comparison c[] = {
		tested(1234567, 7654321, 2000, AB_METHOD_PAIRED_T),
		worst(123456789, 5770),
	};
	struct ab_report_row rows[] = {
		{ &wide, c[0].a, &c[0] },
		row("pm_runtime_work.cpu_wait.max", &c[1]),
	};
	struct ab_report_table table =
		new_table("a-platform-with-a-name", 8,
			  "a-scenario-with-a-name-that-goes-on-and-on", rows,
			  2);

	report.tables = &table;
	report.n_tables = 1;
	check_golden(&report, "rows", "rows-wide.txt");
	check_golden(&report, "grid", "grid-wide.txt");
}

static void test_empty(void)
{
	struct ab_report report = new_report(two_variants, 2);
	struct ab_report_table table = new_table("A", 8, "jankbench", NULL, 0);

	report.tables = &table;
	report.n_tables = 1;
	report.provenance = NULL;
	check_golden(&report, "rows", "rows-empty.txt");
}

static void test_json(void)
{
	g_autofree char *path = golden_path("odd.json");
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) error = NULL;
	JsonObject *root;

	json_parser_load_from_file(parser, path, &error);
	g_assert_no_error(error);
	root = json_node_get_object(json_parser_get_root(parser));
	g_assert_cmpint(json_object_get_int_member(root, "schema"), ==, 1);
	g_assert_cmpstr(json_object_get_string_member(root, "seed"), ==, "42");
	g_assert_true(json_object_get_null_member(root, "ended"));
}

/* Every line has as many columns as the header. */
static void test_csv(void)
{
	static const char *const names[] = { "two-platforms.csv",
					     "three-variants.csv", "odd.csv" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = golden_path(names[i]);
		g_autofree char *text = NULL;
		g_auto(GStrv) lines = NULL;

		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
		lines = g_strsplit(g_strchomp(text), "\n", -1);
		for (char **line = lines; *line; line++) {
			g_auto(GStrv) cells = g_strsplit(*line, ",", -1);

			g_assert_cmpuint(g_strv_length(cells), ==, 26);
		}
	}
}

static void test_numbers(void)
{
	static const struct {
		double a, b;
		const char *text_a, *text_b;
	} values[] = {
		{ 151.0, 107.512, "151.0", "107.5" },
		{ 1867.2, 1101.5, "1,867", "1,102" },
		{ 15.08, 5.77, "15.08", "5.77" },
		{ 7.51, 0.94, "7.510", "0.940" },
		{ 0.457, 0.00816, "0.457", "0.008" },
		{ 0.0457, 0.00816, "0.0457", "0.0082" },
		{ 1234567.8, 12, "1,234,568", "12" },
		{ -1234.5, 999.96, "-1,234", "1,000" },
		{ 0, 0, "0.000", "0.000" },
		{ 0.457, 0.0002, "0.4570", "0.0002" },
		{ 151, 0.02, "151.00", "0.02" },
		{ 1, 1e-12, "1.000000", "0.000000" },
		{ NAN, 12.5, "n/a", "12.50" },
	};
	static const struct {
		double value;
		const char *text;
	} percents[] = {
		{ -28.84, "-28.8%" },	  { 0, "+0.0%" },
		{ -0.04, "+0.0%" },	  { -99.96, "-99.96%" },
		{ -99.9951, "-99.995%" }, { 235.9, "+235.9%" },
		{ 999.96, "+1,000%" },	  { 12345.6, "+12,346%" },
		{ NAN, "n/a" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		int n = number_decimals(values[i].a, values[i].b);
		g_autofree char *a = number_text(values[i].a, n);
		g_autofree char *b = number_text(values[i].b, n);

		g_assert_cmpstr(a, ==, values[i].text_a);
		g_assert_cmpstr(b, ==, values[i].text_b);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(percents); i++) {
		g_autofree char *text = number_percent(percents[i].value);

		g_assert_cmpstr(text, ==, percents[i].text);
	}
}

static void test_bounds(void)
{
	g_autofree char *bound = number_bound(2.9957 / 245);
	g_autofree char *count = number_count(G_GUINT64_CONSTANT(220524));

	g_assert_cmpstr(bound, ==, "0.0122");
	g_assert_cmpstr(count, ==, "220,524");
}

/* ---- tabulate ---- */

static const struct tab_column psql_columns[] = { { "kernel", false },
						  { "iteration", true },
						  { "value", true } };
static const char *const psql_cells[] = { "pelt_1",   "10", "157.426",
					  "pelt_4",   "10", "85.2713",
					  "a-kernel", "10", "2" };

static void test_psql(void)
{
	struct tab tab = { psql_columns, 3, psql_cells, 3 };
	g_autoptr(GString) out = g_string_new(NULL);

	tab_psql(&tab, out);
	g_assert_cmpstr(out->str, ==,
			"+----------+-------------+----------+\n"
			"| kernel   |   iteration |    value |\n"
			"|----------+-------------+----------|\n"
			"| pelt_1   |          10 | 157.426  |\n"
			"| pelt_4   |          10 |  85.2713 |\n"
			"| a-kernel |          10 |   2      |\n"
			"+----------+-------------+----------+\n");
}

static void test_pretty(void)
{
	struct tab tab = { psql_columns, 3, psql_cells, 3 };
	g_autoptr(GString) out = g_string_new(NULL);

	tab_pretty(&tab, out);
	g_assert_cmpstr(out->str, ==,
			"+----------+-----------+---------+\n"
			"|  kernel  | iteration |  value  |\n"
			"+----------+-----------+---------+\n"
			"|  pelt_1  |    10     | 157.426 |\n"
			"|  pelt_4  |    10     | 85.2713 |\n"
			"| a-kernel |    10     |    2    |\n"
			"+----------+-----------+---------+\n");
}

/* A table of a mail: lines of cells, blanks kept and stripped. */
struct mail_table {
	GPtrArray *lines; /* char **, as printed between the bars */
	bool psql;
};

static char **split_line(const char *line)
{
	/* One author wrote a remark behind a row. */
	g_autofree char *inner =
		g_strndup(line + 1, (size_t)(strrchr(line, '|') - line - 1));

	return g_strsplit(inner, "|", -1);
}

static void mail_table_free(gpointer data)
{
	struct mail_table *table = data;

	g_ptr_array_unref(table->lines);
	g_free(table);
}

static struct mail_table *mail_table_new(void)
{
	struct mail_table *table = g_new0(struct mail_table, 1);

	table->lines = g_ptr_array_new_with_free_func(
		(GDestroyNotify)(void (*)(void))g_strfreev);
	return table;
}

/* All tables of @text; a table ends with a line that is not part of one. */
static GPtrArray *mail_tables(const char *text)
{
	GPtrArray *tables = g_ptr_array_new_with_free_func(mail_table_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct mail_table *table = NULL;

	for (char **line = lines; *line; line++) {
		bool rule = g_str_has_prefix(*line, "+-");
		bool bar = **line == '|' && strchr(*line + 1, '|');

		if (!rule && !bar) {
			table = NULL;
			continue;
		}
		if (!table) {
			table = mail_table_new();
			g_ptr_array_add(tables, table);
		}
		if (g_str_has_prefix(*line, "|-"))
			table->psql = true;
		else if (bar)
			g_ptr_array_add(table->lines, split_line(*line));
	}
	return tables;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "-.0123456789") == strlen(text);
}

/* Render the table anew from its stripped cells. */
static struct mail_table *render(const struct mail_table *table)
{
	size_t n = g_strv_length(table->lines->pdata[0]);
	g_autofree struct tab_column *columns = g_new0(struct tab_column, n);
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	struct tab tab = { columns, n, NULL, table->lines->len - 1 };
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) again = NULL;
	struct mail_table *rendered;

	for (guint i = 0; i < table->lines->len; i++) {
		char **line = table->lines->pdata[i];

		g_assert_cmpuint(g_strv_length(line), ==, n);
		for (size_t k = 0; k < n; k++)
			g_ptr_array_add(cells, g_strstrip(g_strdup(line[k])));
	}
	for (size_t k = 0; k < n; k++) {
		columns[k].header = cells->pdata[k];
		columns[k].number = is_number(cells->pdata[n + k]);
	}
	tab.cells = (const char *const *)cells->pdata + n;
	if (table->psql)
		tab_psql(&tab, out);
	else
		tab_pretty(&tab, out);
	again = mail_tables(out->str);
	g_assert_cmpuint(again->len, ==, 1);
	rendered = g_ptr_array_steal_index(again, 0);
	return rendered;
}

/*
 * Only columns of names may differ: authors shortened names after the tables
 * were made (the longer ones had set the width), or centred them by hand, as
 * they did with some headings.
 */
static void assert_name_column(const char *header)
{
	static const char *const names[] = { "kernel", "wa_path", "chan_name",
					     "channel", NULL };
	g_autofree char *name = g_strstrip(g_strdup(header));

	g_assert_true(g_strv_contains(names, name));
}

static void count_cells(const struct mail_table *table, int *same, int *all)
{
	struct mail_table *again = render(table);

	for (guint i = 0; i < table->lines->len; i++) {
		char **was = table->lines->pdata[i];
		char **is = again->lines->pdata[i];

		for (size_t k = 0; was[k]; k++) {
			++*all;
			if (strcmp(was[k], is[k]) == 0)
				++*same;
			else if (i > 0)
				assert_name_column(
					((char **)table->lines->pdata[0])[k]);
		}
	}
	mail_table_free(again);
}

/* Each file: how many cells come out as printed, of how many. */
static void test_mails(void)
{
	static const struct {
		const char *file;
		int same, all;
	} files[] = {
		{ "2022-09-29-puchalski-pelt.txt", 32, 44 },
		{ "2022-11-10-puchalski-pelt-rampup.txt", 50, 75 },
		{ "2023-01-18-eggemann-util_est_faster.txt", 50, 75 },
		{ "2023-02-07-eggemann-scaled.txt", 104, 110 },
		{ "2023-09-25-luba-em-v4.txt", 67, 75 },
		{ "2023-eggemann-runnable-boost.txt", 63, 66 },
		{ "2024-04-machado-eevdf-complete.txt", 153, 153 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *name = g_build_filename("data/lkml-tables",
							 files[i].file, NULL);
		g_autofree char *text = shared_text(name);
		g_autoptr(GPtrArray) tables = NULL;
		int same = 0, all = 0;

		if (!text)
			return;
		tables = mail_tables(text);
		for (guint k = 0; k < tables->len; k++)
			count_cells(tables->pdata[k], &same, &all);
		g_assert_cmpint(all, ==, files[i].all);
		g_assert_cmpint(same, ==, files[i].same);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/report/numbers", test_numbers);
	g_test_add_func("/report/bounds", test_bounds);
	g_test_add_func("/report/two-platforms", test_two_platforms);
	g_test_add_func("/report/three-variants", test_three_variants);
	g_test_add_func("/report/odd-rows", test_odd_rows);
	g_test_add_func("/report/wide", test_wide);
	g_test_add_func("/report/empty", test_empty);
	g_test_add_func("/report/json", test_json);
	g_test_add_func("/report/csv", test_csv);
	g_test_add_func("/report/psql", test_psql);
	g_test_add_func("/report/pretty", test_pretty);
	g_test_add_func("/report/mails", test_mails);
	return g_test_run();
}
