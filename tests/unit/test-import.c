// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers of other benchmarks: what is read, what is refused and where. */
#include "../../harness/import/import.h"

#include <abrig/error.h>

#include <math.h>
#include <string.h>

static const struct ab_import_options usual;

static bool add(struct ab_import *import, const char *variant, const char *text,
		GError **error)
{
	return ab_import_add(import, "f", variant, text, strlen(text), error);
}

/* All of @texts, one variant each: "a", "b", ... */
static struct ab_import *read_all(const struct ab_import_options *options,
				  const char *const *texts)
{
	struct ab_import *import = ab_import_new(options);
	char variant[] = "a";
	g_autoptr(GError) error = NULL;

	for (; *texts; texts++, variant[0]++) {
		add(import, variant, *texts, &error);
		g_assert_no_error(error);
	}
	ab_import_finish(import, NULL, &error);
	g_assert_no_error(error);
	return import;
}

static struct ab_import *read_one(const struct ab_import_options *options,
				  const char *text)
{
	const char *const texts[] = { text, NULL };

	return read_all(options, texts);
}

static const struct ab_import_metric *metric(const struct ab_import *import,
					     const char *id)
{
	const GPtrArray *metrics = ab_import_metrics(import);

	for (guint i = 0; i < metrics->len; i++) {
		const struct ab_import_metric *m = metrics->pdata[i];

		if (!strcmp(m->metric.id, id))
			return m;
	}
	g_error("no metric %s", id);
}

static const struct ab_obs *obs(const struct ab_import_metric *m, guint i)
{
	g_assert_cmpuint(i, <, m->obs->len);
	return &g_array_index(m->obs, struct ab_obs, i);
}

static void check_obs(const struct ab_import_metric *m, guint i, int variant,
		      double value)
{
	g_assert_cmpint(obs(m, i)->variant, ==, variant);
	g_assert_cmpfloat(obs(m, i)->value, ==, value);
}

static void check_variants(const struct ab_import *import, const char *joined)
{
	g_autofree char *all =
		g_strjoinv(",", (char **)(gpointer)ab_import_variants(import));

	g_assert_cmpstr(all, ==, joined);
}

/* ---- columns ---- */

static void test_column(void)
{
	const char *const texts[] = { "# speed\n151.0\n\n 148.2 # cold\r\n",
				      "1e2\n-0.5\nNaN\n", NULL };
	ab_autoptr(ab_import) import = read_all(&usual, texts);
	const struct ab_import_metric *m = metric(import, "speed");

	check_variants(import, "a,b");
	g_assert_cmpuint(m->obs->len, ==, 2);
	check_obs(m, 0, 0, 151);
	check_obs(m, 1, 0, 148.2);
	g_assert_cmpint(obs(m, 1)->position, ==, 1);
	g_assert_cmpint(obs(m, 0)->session, ==, obs(m, 1)->session);
	m = metric(import, "value");
	g_assert_cmpuint(m->obs->len, ==, 2);
	check_obs(m, 0, 1, 100);
	check_obs(m, 1, 1, -0.5);
	g_assert_cmpstr(ab_import_notes(import)[0], ==,
			"1 empty or not-a-number cells were left out");
	g_assert_false(ab_import_has_boots(import));
}

static void test_column_choice(void)
{
	static const char *const columns[] = { "time", "3", NULL };
	const struct ab_import_options options = { .columns = columns,
						   .unit = "ms" };
	const char *const texts[] = { "size time n\n1 2 3\n4 5 6\n",
				      "# size time\n7 8 9\n", NULL };
	ab_autoptr(ab_import) import = read_all(&options, texts);
	const struct ab_import_metric *m = metric(import, "time");

	g_assert_cmpuint(m->obs->len, ==, 3);
	check_obs(m, 1, 0, 5);
	check_obs(m, 2, 1, 8);
	g_assert_cmpstr(m->metric.unit, ==, "ms");
	g_assert_cmpint(m->metric.direction, ==, AB_LOWER_IS_BETTER);
	g_assert_true(m->metric.continuous);
	check_obs(metric(import, "n"), 0, 0, 3);
	check_obs(metric(import, "column 3"), 0, 1, 9);
}

/* ---- tables ---- */

static const char long_form[] =
	"\xef\xbb\xbf"
	"arm,workload,name,value,unit,serial,block,boot,run\r\n"
	"new,shade,wait,90,us,p1,2,4,1\r\n"
	"base,shade,wait,100,us,p1,1,1,1\r\n"
	"\r\n"
	"base,shade,wait,\"110.5\",us,p1,1,1,2\r\n"
	"base,shade,\"say \"\"fps\"\", no\",60,fps,p1,1,1,2\r\n"
	"new,shade,wait,95,us,p1,1,2,1\r\n"
	"base,shade,wait,,us,p1,2,3,1\r\n"
	"base,shade,wait,120,us,p1,2,3,2";

static void test_csv(void)
{
	ab_autoptr(ab_import) import = read_one(&usual, long_form);
	const struct ab_import_metric *m = metric(import, "shade/wait");

	check_variants(import, "new,base");
	g_assert_cmpuint(m->obs->len, ==, 5);
	g_assert_cmpstr(m->metric.label, ==, "wait");
	g_assert_cmpstr(m->workload, ==, "shade");
	g_assert_true(ab_import_has_boots(import));
	/* By variant, block, boot, run; blocks are the same for both. */
	check_obs(m, 0, 0, 90);
	check_obs(m, 1, 0, 95);
	check_obs(m, 2, 1, 120);
	check_obs(m, 3, 1, 100);
	check_obs(m, 4, 1, 110.5);
	g_assert_cmpint(obs(m, 0)->block, ==, obs(m, 2)->block);
	g_assert_cmpint(obs(m, 1)->block, ==, obs(m, 3)->block);
	g_assert_cmpint(obs(m, 3)->session, ==, obs(m, 4)->session);
	g_assert_cmpint(obs(m, 4)->position, ==, 1);
	m = metric(import, "shade/say \"fps\", no");
	g_assert_cmpint(m->metric.direction, ==, AB_HIGHER_IS_BETTER);
}

static void test_csv_wide(void)
{
	static const char *const columns[] = { "fps", "a b", NULL };
	const struct ab_import_options options = { .columns = columns };
	const char *const texts[] = { "# made by hand\nfps;a b\n60;1\n61;\n",
				      "a b\tfps\n2\t70\n", NULL };
	ab_autoptr(ab_import) import = read_all(&options, texts);

	check_obs(metric(import, "fps"), 1, 0, 61);
	check_obs(metric(import, "fps"), 2, 1, 70);
	g_assert_cmpuint(metric(import, "a b")->obs->len, ==, 2);
	g_assert_cmpint(metric(import, "fps")->metric.direction, ==,
			AB_DIRECTION_UNKNOWN);
}

/* An iteration is one of a job; a classifier tells tests apart. */
static const char wa[] = "id,workload,iteration,metric,test,value,units\n"
			 "s1-wk1,jankbench,1,mean,list,10,ms\n"
			 "s1-wk1,jankbench,1,mean,text,20,ms\n"
			 "s2-wk1,jankbench,1,mean,list,12,ms\n"
			 "s2-wk1,jankbench,1,mean,text,24,ms\n";

static void test_wa(void)
{
	const struct ab_import_options options = {
		.names = { [AB_IMPORT_VARIANT] = "id" }
	};
	ab_autoptr(ab_import) import = read_one(&options, wa);
	const struct ab_import_metric *m = metric(import, "jankbench/mean");

	check_variants(import, "s1-wk1,s2-wk1");
	g_assert_cmpuint(m->obs->len, ==, 2);
	check_obs(m, 0, 0, 15);
	check_obs(m, 1, 1, 18);
	g_assert_true(g_str_has_prefix(ab_import_notes(import)[0],
				       "2 numbers were averaged"));
}

static void test_wa_split(void)
{
	static const char *const split[] = { "test", NULL };
	const struct ab_import_options options = { .split = split };
	const char *const texts[] = { wa, wa, NULL };
	ab_autoptr(ab_import) import = read_all(&options, texts);
	const struct ab_import_metric *m =
		metric(import, "jankbench/mean[list]");

	check_variants(import, "a,b");
	/* Two jobs of each file: two runs, though both are iteration 1. */
	g_assert_cmpuint(m->obs->len, ==, 4);
	check_obs(m, 1, 0, 12);
	g_assert_null(ab_import_notes(import)[0]);
}

/* ---- Go benchmarks ---- */

static const char go[] =
	"goos: linux\n"
	"Unit wait-us better=lower assume=nothing\n"
	"Unit score better=higher\n"
	"BenchmarkShade/arm=A/size=1/boot=3-8 \t 1\t151.0 wait-us\t7 score\n"
	"BenchmarkShade/arm=B/size=1/boot=4-8 \t 1\t141.0 wait-us\t9 score\n"
	"BenchmarkShade\n"
	"--- BENCH: BenchmarkShade\n"
	"Benchmarks are nice\n"
	"Host: no key\n"
	"arm: A\n"
	"boot: 9\n"
	"BenchmarkBare 10 5 MB/s\n"
	"PASS\n";

static void test_go(void)
{
	const struct ab_import_options options = {
		.names = { [AB_IMPORT_VARIANT] = "arm" }
	};
	ab_autoptr(ab_import) import = read_one(&options, go);
	const struct ab_import_metric *m =
		metric(import, "Shade/size=1/wait-us");

	check_variants(import, "A,B");
	check_obs(m, 0, 0, 151);
	check_obs(m, 1, 1, 141);
	g_assert_cmpint(m->metric.direction, ==, AB_LOWER_IS_BETTER);
	/* The first boot of each. */
	g_assert_cmpint(obs(m, 0)->block, ==, obs(m, 1)->block);
	m = metric(import, "Shade/size=1/score");
	g_assert_cmpint(m->metric.direction, ==, AB_HIGHER_IS_BETTER);
	m = metric(import, "Bare/MB/s");
	check_obs(m, 0, 0, 5);
	g_assert_cmpint(obs(m, 0)->block, ==, 1);
	g_assert_cmpint(m->metric.direction, ==, AB_HIGHER_IS_BETTER);
	g_assert_true(g_str_has_prefix(ab_import_notes(import)[0],
				       "no column tells blocks"));
}

/* Benchmarks of two packages may have the same name. */
static void test_go_packages(void)
{
	const char *const texts[] = { "pkg: x/a\nBenchmarkF 1 5 ns/op\n"
				      "pkg: x/b\nBenchmarkF 1 6 ns/op\n",
				      "pkg: x/b\nBenchmarkF 1 7 ns/op\n"
				      "pkg:\nBenchmarkF 1 8 ns/op\n"
				      "pkg: x/a\nBenchmarkF 1 9 ns/op\n",
				      NULL };
	ab_autoptr(ab_import) import = read_all(&usual, texts);

	check_obs(metric(import, "x/a: F/ns/op"), 1, 1, 9);
	check_obs(metric(import, "x/b: F/ns/op"), 0, 0, 6);
	check_obs(metric(import, "F/ns/op"), 0, 1, 8);
}

/* ---- what is told beside ---- */

static void test_options(void)
{
	static const char *const higher[] = { "wait", NULL };
	static const char *const events[] = { "missed", NULL };
	const struct ab_import_options options = { .higher = higher,
						   .events = events,
						   .by_file = true };
	const char *const texts[] = {
		"variant,metric,value,unit\nx,wait,1,ms\nx,missed,3,count\n",
		"variant,metric,value,unit\nx,wait,2,ms\nx,missed,0,count\n",
		NULL
	};
	ab_autoptr(ab_import) import = read_all(&options, texts);

	check_variants(import, "a,b");
	g_assert_cmpint(metric(import, "wait")->metric.direction, ==,
			AB_HIGHER_IS_BETTER);
	g_assert_true(metric(import, "wait")->metric.continuous);
	g_assert_false(metric(import, "missed")->metric.continuous);
	g_assert_cmpstr(metric(import, "missed")->metric.unit, ==, "");
}

static void test_baseline(void)
{
	ab_autoptr(ab_import) import = ab_import_new(&usual);
	g_autoptr(GError) error = NULL;

	add(import, NULL, "tag,value\nx,1\ny,2\nz,3\n", &error);
	g_assert_no_error(error);
	g_assert_false(ab_import_finish(import, "q", &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_USAGE);
	g_assert_cmpstr(error->message, ==,
			"--baseline: there is no variant 'q'; there are: x, y, "
			"z");
	ab_import_free(g_steal_pointer(&import));
	import = ab_import_new(&usual);
	add(import, NULL, "tag,value\nx,1\ny,2\nz,3\n", NULL);
	g_assert_true(ab_import_finish(import, "z", NULL));
	check_variants(import, "z,x,y");
	check_obs(metric(import, "value"), 0, 0, 3);
	check_obs(metric(import, "value"), 1, 1, 1);
	check_obs(metric(import, "value"), 2, 2, 2);
}

/* ---- refusals ---- */

static const struct refusal {
	const char *text, *message;
} refusals[] = {
	{ "1\n2 x\nabc\n", "f:3:1: 'abc' is no number" },
	{ "1\n  1,5\n", "f:2:3: '1,5' has a comma: numbers are written with a "
			"decimal point, without separators" },
	{ "1,5\n2,5\n", "f:1:1: '1,5' has a comma: numbers are written with a "
			"decimal point, without separators" },
	{ "1\ninf\n", "f:2:1: 'inf' is no number" },
	{ "1\n\x1b[2J\n", "f:2:1: '?[2J' is no number" },
	{ "", "f:1:1: no number in it (read as columns divided by blanks)" },
	{ "# only\n\n",
	  "f:1:1: no number in it (read as columns divided by blanks)" },
	{ "metric,value\nx,\n",
	  "f:1:1: no number in it (read as a table with a header)" },
	{ "metric,value\n\"x\ny\",1;5\n", "f:3:4: '1;5' is no number" },
	{ "metric;value\nx;1,5\n",
	  "f:2:3: '1,5' has a comma: numbers are written with a decimal "
	  "point, without separators" },
	{ "metric,value\nx,1\ny,1,5\n",
	  "f:3:1: 3 fields, but the header has 2 (a field with the delimiter "
	  "in it stands in quotes; a decimal comma is no delimiter: use a "
	  "point)" },
	{ "metric,value\nx,1\n\"y,2\n", "f:3:1: the quote is not closed" },
	{ "metric,value\n\"y\" ,2\n",
	  "f:2:4: text after a closing quote; a quote within quotes is written "
	  "twice" },
	{ "metric,value\ny\"y,2\n",
	  "f:2:2: a quote within a field that does not begin with one" },
	{ "metric,number\nx,1\n",
	  "f:1:1: there is no column 'value' (name the one with the numbers: "
	  "--column); there are: metric, number" },
	{ "metric,value,unit\nx,1,ms\nx,2,us\n",
	  "f:3:3: the metric is in 'us' here and in 'ms' before; convert one "
	  "of them" },
	{ "BenchmarkX 1 2\n", "f:1:14: a value without a unit" },
	{ "BenchmarkX 1 2 ns/op\nBenchmarkX 1\n",
	  "f:2:13: a result without values" },
	{ "BenchmarkX 1 2 ns/op\nBenchmarkX ok 2 ns/op\n",
	  "f:2:12: a result's second word is how often it was repeated, a "
	  "whole number" },
	{ "BenchmarkX 1 2 ns/op\nUnit ns/op better=x\n",
	  "f:2:12: better is either lower or higher" },
	{ "Unit a better=lower\nUnit a better=higher\nBenchmarkX 1 2 a\n",
	  "f:2:8: better=lower was said of the unit before" },
	{ "BenchmarkX 1 2 ns/op\nUnit a b\n",
	  "f:2:8: expected key=value, as better=lower" },
	{ "BenchmarkX 1 2 ns/op\nUnit \n", "f:2:6: no unit" },
};

static void test_refusals(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		ab_autoptr(ab_import) import = ab_import_new(&usual);
		g_autoptr(GError) error = NULL;

		g_assert_false(add(import, "a", refusals[i].text, &error));
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
		g_assert_cmpstr(error->message, ==, refusals[i].message);
	}
}

static void test_nul(void)
{
	ab_autoptr(ab_import) import = ab_import_new(&usual);
	g_autoptr(GError) error = NULL;

	g_assert_false(ab_import_add(import, "f", "a", "1\n2\0\n", 5, &error));
	g_assert_cmpstr(error->message, ==,
			"f:2:2: a NUL byte: this is no text, or not in UTF-8");
}

static void refuse_whole(const struct ab_import_options *options,
			 const char *first, const char *second,
			 const char *message)
{
	ab_autoptr(ab_import) import = ab_import_new(options);
	g_autoptr(GError) error = NULL;

	g_assert_true(add(import, "a", first, NULL));
	g_assert_true(!second || add(import, "b", second, NULL));
	g_assert_false(ab_import_finish(import, NULL, &error));
	g_assert_cmpstr(error->message, ==, message);
}

static void test_whole(void)
{
	static const char *const no[] = { "nothing", NULL };
	const struct ab_import_options named = { .higher = no };

	refuse_whole(&usual, "1\n", NULL,
		     "only one variant ('a') was found: name the column that "
		     "tells them apart with --by, or give a file for each");
	refuse_whole(&usual, "tag,value\nx,1\n", "tag,value\nx,2\n",
		     "only one variant ('x') was found: name the column that "
		     "tells them apart with --by, or give a file for each and "
		     "--by-file");
	refuse_whole(&usual, "tag,value\nx,1\n", "1\n",
		     "some of the files tell the variant in a column and some "
		     "do not; with --by-file each file is one");
	refuse_whole(&named, "1\n", "2\n",
		     "--higher: there is no metric 'nothing'");
}

static void test_missing_columns(void)
{
	static const char *const no[] = { "none", NULL };
	const struct ab_import_options all[] = {
		{ .columns = no },
		{ .split = no },
		{ .names = { [AB_IMPORT_VARIANT] = "none" } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		ab_autoptr(ab_import) import = ab_import_new(&all[i]);
		g_autoptr(GError) error = NULL;

		g_assert_false(add(import, "a", "metric,value\nx,1\n", &error));
		g_assert_cmpstr(error->message, ==,
				"f:1:1: there is no column 'none'; there are: "
				"metric, value");
	}
}

/* ---- ceilings ---- */

static char *repeated(const char *head, const char *format, guint n)
{
	GString *s = g_string_new(head);

	for (guint i = 0; i < n; i++) {
		g_string_append_printf(s, "%u", i);
		g_string_append(s, format);
	}
	return g_string_free(s, FALSE);
}

static void check_ceiling(const char *text, const char *message)
{
	ab_autoptr(ab_import) import = ab_import_new(&usual);
	g_autoptr(GError) error = NULL;

	g_assert_false(add(import, "a", text, &error));
	g_assert_cmpstr(error->message, ==, message);
}

static void test_ceilings(void)
{
	g_autofree char *metrics = repeated("metric,value\n", ",1\n", 10001);
	g_autofree char *variants = repeated("tag,value\n", ",1\n", 65);
	g_autofree char *wide = repeated("c", ",", 1001);
	g_autofree char *name = g_strnfill(10000, 'x');
	g_autofree char *named = g_strdup_printf("metric,value\n%s,1\n", name);
	g_autofree char *record = g_strnfill(70000, 'x');
	g_autofree char *longer =
		g_strdup_printf("metric,value\n\"%s\",1\n", record);

	check_ceiling(metrics, "f:10002:7: more than 10000 metrics");
	check_ceiling(variants, "f:66:4: more than 64 variants");
	check_ceiling(named,
		      "f:2:10002: a name of 10000 bytes; at most 1000 are "
		      "taken");
	check_ceiling(longer, "f:2:1: a record longer than 64 kB");
	check_ceiling(wide, "f:1:3892: more than 1000 columns");
}

/* Every prefix of what is right is read or refused, never worse. */
static void test_prefixes(void)
{
	static const char *const texts[] = { long_form, wa, go };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		for (size_t n = 0; n < strlen(texts[i]); n++) {
			ab_autoptr(ab_import) import = ab_import_new(&usual);

			if (ab_import_add(import, "f", "a", texts[i], n, NULL))
				ab_import_finish(import, NULL, NULL);
		}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import/column", test_column);
	g_test_add_func("/import/column-choice", test_column_choice);
	g_test_add_func("/import/csv", test_csv);
	g_test_add_func("/import/csv-wide", test_csv_wide);
	g_test_add_func("/import/wa", test_wa);
	g_test_add_func("/import/wa-split", test_wa_split);
	g_test_add_func("/import/go", test_go);
	g_test_add_func("/import/go-packages", test_go_packages);
	g_test_add_func("/import/options", test_options);
	g_test_add_func("/import/baseline", test_baseline);
	g_test_add_func("/import/refusals", test_refusals);
	g_test_add_func("/import/nul", test_nul);
	g_test_add_func("/import/whole", test_whole);
	g_test_add_func("/import/missing-columns", test_missing_columns);
	g_test_add_func("/import/ceilings", test_ceilings);
	g_test_add_func("/import/prefixes", test_prefixes);
	return g_test_run();
}
