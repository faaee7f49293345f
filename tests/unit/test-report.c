// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reports against golden files in tests/data/report.  With
 * ABRIG_UPDATE_GOLDEN=1 these are written: look at the difference before
 * committing it.
 */
#include "../../harness/report/parts.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static const struct ab_estimate no_estimate = {
	NAN, 0, 0, 0, NAN, NAN, NAN, NAN
};

static struct ab_estimate estimate(double value, guint64 samples)
{
	struct ab_estimate e = no_estimate;

	e.value = value;
	e.runs = 40;
	e.boots = 8;
	e.samples = samples;
	e.sd = value / 9;
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
		.p_change = NAN,
		.p_equal = NAN,
		.p_adjusted = NAN,
		.p_equal_adjusted = NAN,
		.moments.phi = NAN,
		.level = 0.95,
		.margin_pct = NAN,
		.verdict = AB_NOT_ENOUGH_DATA,
		.boots_needed = NAN,
		.boots_margin = NAN,
		.detectable = NAN,
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
	g_assert_null(strstr(text, "-100.0"));
}

static JsonObject *json_root(JsonParser *parser, const char *text)
{
	g_autoptr(GError) error = NULL;

	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	return json_node_get_object(json_parser_get_root(parser));
}

static void check_json(const char *text)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *root = json_root(parser, text);

	g_assert_true(g_utf8_validate(text, -1, NULL));
	g_assert_cmpint(json_object_get_int_member(root, "schema"), ==, 1);
	g_assert_cmpstr(json_object_get_string_member(root, "seed"), ==, "42");
}

/*
 * The next field of RFC 4180 at @at; *end_out is the byte behind it, which is
 * a comma or a line end.
 */
static char *csv_field(const char *at, const char **end_out)
{
	GString *field = g_string_new(NULL);

	if (*at != '"') {
		size_t n = strcspn(at, ",\"\r\n");

		*end_out = at + n;
		return g_string_free(g_string_append_len(field, at, (gssize)n),
				     FALSE);
	}
	for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
		at += *at == '"';
		g_string_append_c(field, *at);
	}
	g_assert_true(*at == '"');
	*end_out = at + 1;
	return g_string_free(field, FALSE);
}

static GPtrArray *csv_record(const char **at)
{
	GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);

	for (;;) {
		g_ptr_array_add(fields, csv_field(*at, at));
		g_assert_true(**at == ',' || **at == '\n');
		if (*(*at)++ == '\n')
			return fields;
	}
}

#define N_CSV 43

/* One header, and as many columns in every line; returns the lines. */
static int check_csv(const char *text)
{
	const char *at = text;
	int records = 0;

	for (; *at; records++) {
		g_autoptr(GPtrArray) fields = csv_record(&at);

		g_assert_cmpuint(fields->len, ==, N_CSV);
		g_assert_true((records == 0) ==
			      !strcmp(fields->pdata[0], "plan"));
	}
	return records;
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
	else if (g_str_has_suffix(name, ".csv"))
		check_csv(out->str);
	else
		check_json(out->str);
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
		"A: 2A101FDH2000XX, Pixel 8, google/shiba/shiba:14/"
		"UQ1A.240105.004/11206848:userdebug/dev-keys",
		"A base: 6.12.30-g1b2c3d4 #1 SMP PREEMPT Mon Nov 2 03:01:10 "
		"UTC 2026; config 01234567",
		"A pm-wq-highpri: ...-highpri #1 SMP PREEMPT Mon Nov 2 "
		"03:05:44 UTC 2026; same compiler, same config",
		NULL
	};

	return (struct ab_report){
		.plan = "pm-wq-highpri",
		.plan_sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d"
			       "08286a2e846f6be03",
		.tool = "abrig 0.1.0",
		.seed = 42,
		.level = 0.95,
		.families = { 0, 7 },
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
	c[7].boots_margin = 23547;
	c[7].margin_pct = 5;
	c[8].margin_pct = 2;
	/* Two primaries, and a row that only alone would be different. */
	rows[1].primary = rows[7].primary = true;
	c[1].primary = c[7].primary = true;
	c[1].level = c[7].level = 0.975;
	c[1].p_change = 1e-6;
	c[1].p_adjusted = 2e-6;
	c[6].p_change = 0.03;
	c[6].p_adjusted = 0.12;
	rows[1].components = &(struct ab_components){
		.run = 900,
		.boot = 300,
		.block = NAN,
		.icc = 0.25,
		.design_effect = 2,
		.effective = { 20, 19.6 },
	};
	report.families = (struct ab_families){ 4, 8 };
	c[8].verdict = AB_EQUIVALENT;
	tables[0].exposure = exposure;
	tables[0].exposure_name = "work items";
	tables[1].refresh_hz = 120;
	tables[1].devices = 2;
	report.tables = tables;
	report.n_tables = 2;
	check_golden(&report, "rows", "rows-two-platforms.txt");
	check_golden(&report, "grid", "grid-two-platforms.txt");
	check_golden(&report, "lkp", "lkp-two-platforms.txt");
	check_golden(&report, "pivot", "pivot-two-platforms.txt");
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
	check_golden(&report, "pretty", "pretty-three-variants.txt");
	check_golden(&report, "lkp", "lkp-three-variants.txt");
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
	check_golden(&report, "pretty", "pretty-odd.txt");
	check_golden(&report, "lkp", "lkp-odd.txt");
	check_golden(&report, "pivot", "pivot-odd.txt");
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
		{ .metric = &wide, .base = c[0].a, .versus = &c[0] },
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
	check_golden(&report, "lkp", "lkp-wide.txt");
	check_golden(&report, "pivot", "pivot-wide.txt");
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

/* What a plan's and a phone's names must not do to the files for machines. */
static void test_hostile_names(void)
{
	static char *variants[] = { "base", "a \"b\", c\r\nd \377", NULL };
	static char *notes[] = { "\"quoted\", with a \001 byte and \377",
				 NULL };
	struct ab_report report = new_report(variants, 2);
	struct ab_comparison c = zero_baseline(0.275);
	struct ab_report_row rows[] = { row("frames.sf_missed", &c) };
	struct ab_report_table table = new_table("A", 8, "jankbench", rows, 1);
	g_autoptr(GString) json = g_string_new(NULL);
	g_autoptr(GString) csv = g_string_new(NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	c.pct_reason = "one, \"two\"";
	report.tables = &table;
	report.n_tables = 1;
	report.notes = notes;
	ab_report_find("json")->write(&report, json);
	check_json(json->str);
	ab_report_find("csv")->write(&report, csv);
	g_assert_cmpint(check_csv(csv->str), ==, 3);
	g_assert_nonnull(strstr(csv->str, ",\"one, \"\"two\"\"\","));
	ab_report_find("rows")->write(&report, text);
	check_lines(text->str);
}

static void test_json_unknown(void)
{
	g_autofree char *path = golden_path("odd.json");
	g_autofree char *text = NULL;
	g_autoptr(JsonParser) parser = json_parser_new();

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_assert_true(
		json_object_get_null_member(json_root(parser, text), "ended"));
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

static void test_intervals(void)
{
	static const struct {
		double lo, hi;
		const char *text;
	} intervals[] = {
		{ -31.04, -18.5, "[-31.0,-18.5]" },
		{ -100, -56.4, "[-100,-56.4]" },
		{ -99.96, 0, "[-99.96,+0.0]" },
		{ -148, 999.4, "[-148.0,+999.4]" },
		{ -99.96, 259149, "[-99.96,>999]" },
		{ -10000, 999.5, "[<-999,>999]" },
		{ 3.6, INFINITY, "[+3.6,>999]" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(intervals); i++) {
		g_autofree char *text = number_percent_interval(
			intervals[i].lo, intervals[i].hi);

		g_assert_cmpstr(text, ==, intervals[i].text);
	}
}

/* A change of all events, which the statistics could not test. */
static void test_all_gone(void)
{
	struct ab_comparison c = comparison(1, 0, 8, 0);

	c.pct = -100;
	c.reason = "no variation between boots: it cannot be tested";
	g_assert_false(part_has_percent(&c));
	g_assert_cmpstr(part_reason(&c), ==, c.reason);
	c.pct = -99.9;
	g_assert_true(part_has_percent(&c));
	g_assert_cmpstr(part_reason(&c), ==, c.reason);
}

static void check_need(const struct ab_comparison *c, bool margin,
		       const char *text, bool in_boots)
{
	struct needed needed;

	g_assert_true(part_needed(c, margin, &needed) == (text != NULL));
	if (!text)
		return;
	g_assert_cmpstr(needed.number, ==, text);
	g_assert_true(needed.boots == in_boots);
	g_free(needed.number);
}

static void test_needed(void)
{
	static const struct {
		double boots, margin, runs;
		const char *observed, *at_margin;
		bool in_boots;
	} needs[] = {
		{ 83.2, NAN, NAN, "84", NULL, true },
		{ 9171.5, 28.1, NAN, "9,172", "29", true },
		{ 10000, NAN, NAN, "10,000", NULL, true },
		{ 1422161, 10001, NAN, "> 10,000", "> 10,000", true },
		{ NAN, 12, NAN, NULL, "12", true },
		{ NAN, NAN, 2702.8, "2,703", NULL, false },
	};
	struct ab_comparison c = comparison(1, 1, 0, 0);
	struct needed needed;

	g_assert_false(part_needed(&c, false, &needed));
	for (size_t i = 0; i < G_N_ELEMENTS(needs); i++) {
		c.boots_needed = needs[i].boots;
		c.boots_margin = needs[i].margin;
		c.runs_needed = needs[i].runs;
		check_need(&c, false, needs[i].observed, needs[i].in_boots);
		check_need(&c, true, needs[i].at_margin, true);
	}
	c.verdict = AB_DIFFERENT;
	g_assert_false(part_needed(&c, false, &needed));
}

static void test_kept_together(void)
{
	g_autoptr(GString) list = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);

	text_item(list, "%s",
		  "sixty columns of text without a place to break,");
	text_item(list, "%d vs. %d runs,", 8, 8);
	text_item(list, "%d vs. %d boots", 8, 8);
	text_wrap(out, list->str, 0, 2);
	g_assert_cmpstr(out->str, ==,
			"sixty columns of text without a place to break, "
			"8 vs. 8 runs,\n"
			"  8 vs. 8 boots\n");
}

static void test_bounds(void)
{
	g_autofree char *bound = number_bound(2.9957 / 245);
	g_autofree char *count = number_count(G_GUINT64_CONSTANT(220524));

	g_assert_cmpstr(bound, ==, "0.0122");
	g_assert_cmpstr(count, ==, "220,524");
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
	g_test_add_func("/report/hostile-names", test_hostile_names);
	g_test_add_func("/report/json-unknown", test_json_unknown);
	g_test_add_func("/report/intervals", test_intervals);
	g_test_add_func("/report/all-gone", test_all_gone);
	g_test_add_func("/report/needed", test_needed);
	g_test_add_func("/report/kept-together", test_kept_together);
	return g_test_run();
}
