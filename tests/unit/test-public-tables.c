// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables that were posted to the kernel's mailing lists: what can be said from
 * their own numbers, and whether these agree with each other.
 */
#include "shared.h"

#include <abrig/stats_design.h>
#include <abrig/stats_methods.h>
#include <math.h>
#include <string.h>

#define assert_near(x, y, tolerance) \
	g_assert_cmpfloat_with_epsilon(x, y, tolerance)

/* ---- events per run, with and without a work queue's priority, 2026 ---- */

static const struct row {
	const char *name;
	double rate_a, rate_b; /* per run, as printed */
	double percent;	       /* as printed, from what was not rounded */
	double runs_a, runs_b;
	/* What follows from them; percent are whole. */
	double events_a, events_b;
	double p;	      /* two digits; 0: below 1e-4 */
	double lo, hi;	      /* percent: log-normal rate ratio, 95 % */
	double runs_needed;   /* per variant, 80 % power */
	double smallest_drop; /* percent, 80 % power, the smaller arm's runs */
} rows[] = {
	{ "A: app missed", 0.204, 0.171, -16.0, 245, 245, 50, 42, 0.47, -44, 27,
	  2703, 49 },
	{ "A: SurfaceFlinger missed", 1.086, 1.074, -1.1, 245, 245, 266, 263,
	  0.93, -17, 17, 117733, 23 },
	{ "B: SurfaceFlinger missed", 0.551, 0.531, -3.7, 196, 245, 108, 130,
	  0.79, -25, 24, 21231, 35 },
	{ "A: wait >= 5 ms", 0.457, 0.008, -98.2, 245, 245, 112, 2, 0, -100,
	  -93, 18, 34 },
	{ "B: wait >= 5 ms", 0.189, 0, -100.0, 196, 245, 37, 0, 0, NAN, NAN, 42,
	  55 },
};

static void check_events(const struct row *r)
{
	g_assert_cmpfloat(round(r->rate_a * r->runs_a), ==, r->events_a);
	g_assert_cmpfloat(round(r->rate_b * r->runs_b), ==, r->events_b);
}

/* From the printed digits the first is -16.2 %: both were rounded. */
static void check_change(const struct row *r)
{
	double lo = (r->rate_b - 0.0005) / (r->rate_a + 0.0005) - 1;
	double hi = (r->rate_b + 0.0005) / (r->rate_a - 0.0005) - 1;

	g_assert_cmpfloat(100 * lo, <=, r->percent + 0.05);
	g_assert_cmpfloat(100 * hi, >=, r->percent - 0.05);
}

static void check_p(const struct row *r)
{
	double p = ab_stats_poisson_test(r->events_a, r->runs_a, r->events_b,
					 r->runs_b);

	if (r->p > 0)
		g_assert_cmpfloat(round(100 * p) / 100, ==, r->p);
	else
		g_assert_cmpfloat(p, <, 1e-4);
}

static void check_interval(const struct row *r)
{
	struct ab_rate_ratio ratio;

	ab_stats_rate_ratio(r->events_a, r->runs_a, r->events_b, r->runs_b, 1,
			    INFINITY, 0.95, &ratio);
	if (isnan(r->lo)) {
		g_assert_nonnull(ratio.reason);
		return;
	}
	g_assert_cmpfloat(round(100 * (ratio.lo - 1)), ==, r->lo);
	g_assert_cmpfloat(round(100 * (ratio.hi - 1)), ==, r->hi);
}

static void check_size(const struct row *r)
{
	double needed = ab_stats_poisson_runs(r->rate_a, r->rate_b);
	double drop = ab_stats_rates_detectable(
		r->rate_a, 1, MIN(r->runs_a, r->runs_b), 0.95, 0.8);

	g_assert_cmpfloat(round(needed), ==, r->runs_needed);
	g_assert_cmpfloat(round(100 * drop), ==, r->smallest_drop);
}

static void test_work_queue(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].name);
		check_events(&rows[i]);
		check_change(&rows[i]);
		check_p(&rows[i]);
		check_interval(&rows[i]);
		check_size(&rows[i]);
	}
}

/* None in 245 runs was printed as -100.0 %: it is a bound. */
static void test_no_event(void)
{
	double one_sided = ab_stats_zero_bound(245, 0.95);
	double two_sided = ab_stats_rate_interval(0, 245, 0.95).hi;
	struct ab_bounds exact =
		ab_stats_rate_ratio_exact(37, 196, 0, 245, 1, 0.95);

	assert_near(one_sided, 0.0122, 0.00005);
	assert_near(two_sided, 0.0151, 0.00005);
	g_assert_cmpfloat(round(100 * (two_sided / 0.189 - 1)), ==, -92);
	/* The exact interval of the change knows that 37 vary, too. */
	g_assert_cmpfloat(exact.lo, ==, 0);
	g_assert_cmpfloat(100 * (exact.hi - 1), >, -92);
	g_assert_cmpfloat(100 * (exact.hi - 1), <, -91);
}

/* ---- percentages of the other tables, from their printed values ---- */

/* A printed number stands for all that round to it. */
struct printed {
	double lo, hi;
};

/* At least @decimals of them, though trailing zeros were dropped. */
static struct printed printed_from(const char *text, int decimals)
{
	double value = g_ascii_strtod(text, NULL), half;
	const char *point = strchr(text, '.');
	int shown = point ? (int)strspn(point + 1, "0123456789") : 0;

	half = 0.5 * pow(10, -MAX(shown, decimals)) * (1 + 1e-9);
	return (struct printed){ value - half, value + half };
}

static void check_percent(const struct printed *base, const char *value,
			  const char *percent)
{
	struct printed x = printed_from(value, 1);
	struct printed shown = printed_from(percent, 2);

	g_test_message("%s: %s", value, percent);
	g_assert_cmpfloat(100 * (x.lo / base->hi - 1), <=, shown.hi);
	g_assert_cmpfloat(100 * (x.hi / base->lo - 1), >=, shown.lo);
}

static int column_of(char **cells, const char *name)
{
	for (int i = 0; cells[i]; i++)
		if (!strcmp(cells[i], name))
			return i;
	return -1;
}

static char **cells_of(const char *line)
{
	char **cells = g_strsplit(line, "|", 16);

	for (int i = 0; cells[i]; i++)
		g_strstrip(cells[i]);
	return cells;
}

/* Returns how many rows were compared with the first of their table. */
static int check_table_text(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
	int value = -1, percent = -1, checked = 0;
	struct printed base = { NAN, NAN };

	for (int i = 0; lines[i]; i++) {
		g_auto(GStrv) cells = cells_of(lines[i]);

		if (lines[i][0] != '|' || lines[i][1] == '-')
			continue;
		if (column_of(cells, "value") >= 0 ||
		    column_of(cells, "metric") >= 0) {
			value = column_of(cells, "value");
			percent = column_of(cells, "perc_diff");
		} else if (value >= 0 && percent >= 0) {
			if (!strcmp(cells[percent], "0.0%")) {
				base = printed_from(cells[value], 1);
				continue;
			}
			check_percent(&base, cells[value], cells[percent]);
			checked++;
		}
	}
	return checked;
}

static void test_percentages(void)
{
	static const struct {
		const char *name;
		int rows;
	} files[] = {
		{ "2022-09-29-puchalski-pelt.txt", 4 },
		{ "2022-11-10-puchalski-pelt-rampup.txt", 9 },
		{ "2023-01-18-eggemann-util_est_faster.txt", 9 },
		{ "2023-02-07-eggemann-scaled.txt", 18 },
		{ "2023-eggemann-runnable-boost.txt", 12 },
		{ "2023-09-25-luba-em-v4.txt", 4 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *name = g_build_filename("data/lkml-tables",
							 files[i].name, NULL);
		g_autofree char *text = shared_text(name);

		if (!text)
			return;
		g_test_message("%s", files[i].name);
		g_assert_cmpint(check_table_text(text), ==, files[i].rows);
	}
}

/* The checker can fail: the change of a neighbouring row. */
static void test_wrong_percent(void)
{
	struct printed base = printed_from("144.6", 1);
	struct printed x = printed_from("158.5", 1);

	check_percent(&base, "158.5", "9.63%");
	g_assert_cmpfloat(100 * (x.lo / base.hi - 1), <, 9.63);
	g_assert_cmpfloat(100 * (x.hi / base.lo - 1), >, 9.63);
	g_assert_cmpfloat(100 * (x.hi / base.lo - 1), <, 9.69);
	g_assert_cmpfloat(100 * (x.lo / base.hi - 1), >, 9.53);
}

/* The @k-th number after @label, which a mail may have wrapped. */
static double number_after(const char *text, const char *label, int k)
{
	const char *at = strstr(text, label);
	double value = NAN;

	g_assert_nonnull(at);
	at += strlen(label);
	for (int i = 0; i <= k; i++) {
		char *end;

		at += strcspn(at, "0123456789");
		value = g_ascii_strtod(at, &end);
		at = end;
	}
	return value;
}

/* Sums and means over 32 tests of the same table. */
static void test_uibench(void)
{
	static const char file[] =
		"data/lkml-tables/2022-10-03-wang-pixel6a-uibench.txt";
	g_autofree char *text = shared_text(file);

	for (int i = 0; text && i < 2; i++) {
		double sum = number_after(text, "Sum of Gfxinfo.frame.95th", i);
		double mean =
			number_after(text, "Avg of Gfxinfo.frame.95th", i);

		assert_near(sum / 32, mean, 0.005 + 1e-9);
	}
}

/* Time in a state over the time in all: 1.4 / 277.5 printed as 0.51 %. */
static void test_overutilized(void)
{
	static const char file[] = "data/lkml-tables/2023-09-25-luba-em-v4.txt";
	static const char *const labels[] = { "| overutilized | EM_default",
					      "| overutilized | EM_modified" };
	g_autofree char *text = shared_text(file);

	for (size_t i = 0; text && i < G_N_ELEMENTS(labels); i++) {
		double time = number_after(text, labels[i], 0);
		double all = number_after(text, labels[i], 1);
		double share = number_after(text, labels[i], 2);

		g_assert_cmpfloat(100 * (time + 0.005) / (all - 0.005), >=,
				  share - 0.005);
		g_assert_cmpfloat(100 * (time - 0.005) / (all + 0.005), <=,
				  share + 0.005);
	}
}

/* Percent changes of the rows that carry @tag and @metric, in order. */
static size_t changes_of(const char *text, const char *metric, const char *tag,
			 double *changes, size_t most)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
	size_t n = 0;

	for (int i = 0; lines[i] && n < most; i++) {
		g_auto(GStrv) cells = cells_of(lines[i]);

		if (g_strv_length(cells) >= 4 && !strcmp(cells[1], metric) &&
		    strstr(cells[2], tag))
			changes[n++] = g_ascii_strtod(cells[3], NULL);
	}
	return n;
}

/*
 * The same kernel measured two or three times differs by up to 3.5 %, and so
 * few boots cannot show anything at 5 % whatever the size of the change.
 */
static void test_repeated_baseline(void)
{
	static const struct {
		const char *metric;
		size_t boots;
		double p;
	} cases[] = {
		{ "Speedometer Score", 3, 2 / 20.0 },
		{ "gfx-avg-frame-time-50", 2, 2 / 6.0 },
		{ "gfx-avg-jank", 2, 2 / 6.0 },
	};
	g_autofree char *text = shared_text(
		"data/lkml-tables/2024-04-machado-eevdf-complete.txt");

	for (size_t i = 0; text && i < G_N_ELEMENTS(cases); i++) {
		const char *metric = cases[i].metric;
		double a[4], b[4];
		size_t n_a = changes_of(text, metric, "stock", a, 4);
		size_t n_b = changes_of(text, metric, "eevdf", b, 4);
		struct ab_rank_test test;

		g_assert_cmpuint(n_a, ==, cases[i].boots);
		g_assert_cmpuint(n_b, ==, cases[i].boots);
		for (size_t k = 0; k < n_a; k++)
			g_assert_cmpfloat(fabs(a[k]), <=, 3.46);
		ab_stats_mann_whitney(a, n_a, b, n_b, AB_RANK_EXACT, &test);
		g_assert_true(test.exact);
		assert_near(test.p, cases[i].p, 1e-14);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/public-tables/work-queue", test_work_queue);
	g_test_add_func("/public-tables/no-event", test_no_event);
	g_test_add_func("/public-tables/percentages", test_percentages);
	g_test_add_func("/public-tables/wrong-percent", test_wrong_percent);
	g_test_add_func("/public-tables/uibench", test_uibench);
	g_test_add_func("/public-tables/overutilized", test_overutilized);
	g_test_add_func("/public-tables/repeated-baseline",
			test_repeated_baseline);
	return g_test_run();
}
