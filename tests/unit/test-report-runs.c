// SPDX-License-Identifier: GPL-3.0-or-later
/* Formats that list runs: what they hold, and that it is read back as it was. */
#include "helper-report.h"

#include <abrig/import.h>
#include <math.h>
#include <string.h>

static const struct ab_import_options options = {
	.names = { [AB_IMPORT_VARIANT] = "variant" },
};

/* ---- round trips ---- */

static const struct ab_import_metric *find(const struct ab_import *import,
					   const char *id)
{
	const GPtrArray *all = ab_import_metrics(import);

	for (guint i = 0; i < all->len; i++) {
		const struct ab_import_metric *m = all->pdata[i];

		if (strstr(m->metric.label, id))
			return m;
	}
	return NULL;
}

static struct ab_comparison compare(const struct ab_metric *metric,
				    const struct ab_obs *obs, size_t n)
{
	const struct ab_stats_options o = { 0.95, NAN, 200 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct ab_comparison c;

	ab_stats_compare(metric, obs, n, 1, &o, rng, &c);
	gsl_rng_free(rng);
	return c;
}

/* Of the value of each run, whatever the metric makes of samples. */
static struct ab_comparison expected(const struct ab_report_row *row,
				     const struct ab_metric *as)
{
	g_autofree struct ab_obs *obs =
		g_memdup2(row->obs, row->n_obs * sizeof(struct ab_obs));

	for (size_t i = 0; i < row->n_obs; i++) {
		struct ab_estimate e;

		ab_stats_estimate(row->metric, &row->obs[i], 1, obs[i].variant,
				  0.95, &e);
		obs[i].value = e.value;
		obs[i].samples = NULL;
		obs[i].n_samples = 0;
	}
	return compare(as, obs, row->n_obs);
}

static void check_same(double a, double b)
{
	g_assert_true(isnan(a) == isnan(b));
	if (isfinite(a) || isfinite(b))
		g_assert_cmpfloat_with_epsilon(a, b, 1e-9);
}

static void check_row(const struct ab_report_row *row,
		      const struct ab_import *import)
{
	const struct ab_import_metric *m = find(import, row->metric->id);
	struct ab_comparison a, b;

	g_assert_nonnull(m);
	g_assert_cmpuint(m->obs->len, ==, row->n_obs);
	a = expected(row, &m->metric);
	b = compare(&m->metric, (const struct ab_obs *)(void *)m->obs->data,
		    m->obs->len);
	g_assert_cmpint(a.blocks, ==, 6);
	g_assert_cmpint(b.blocks, ==, 6);
	g_assert_cmpint(a.a.boots, ==, b.a.boots);
	check_same(a.a.value, b.a.value);
	check_same(a.diff, b.diff);
	check_same(a.pct_lo, b.pct_lo);
	check_same(a.pct_hi, b.pct_hi);
	check_same(a.p, b.p);
}

static void test_round_trip(gconstpointer format)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = helper_report_text(report, format);
	ab_autoptr(ab_import) import = ab_import_new(&options);
	const struct ab_report_table *t = &report->tables[0];
	g_autoptr(GError) error = NULL;

	ab_import_add(import, format, "", text, strlen(text), &error);
	g_assert_no_error(error);
	ab_import_finish(import, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(ab_import_metrics(import)->len, ==, t->n_rows);
	for (size_t k = 0; k < t->n_rows; k++)
		check_row(&t->rows[k], import);
	helper_report_free(report);
}

/* ---- what they say ---- */

static guint count(const char *text, const char *what)
{
	guint n = 0;

	for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

static void test_runs(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = helper_report_text(report, "runs");

	g_assert_true(g_str_has_prefix(
		text,
		"plan,plan_sha256,platform,device,variant,kernel,"
		"config_sha256,build,soc,slot,session,block,boot,run,position,"
		"attempt,scenario,metric,value,unit,exposure,exposure_unit,"
		"status,gate,reason,began,ended,skin_c,battery_pct,tool\n"));
	/* 24 runs of 6 metrics, one that lacks one, and two without any. */
	g_assert_cmpuint(count(text, "\n"), ==, 1 + 24 * 6 + 1 + 2);
	g_assert_cmpuint(count(text, ",warm-up,"), ==, 1);
	g_assert_nonnull(strstr(text, ",notification-shade,,,,,,rejected,"
				      "thermal,\"2A101FDH2000XX: skin 41.2 C, "
				      "\"\"limit\"\" 38.0 C\","));
	g_assert_nonnull(strstr(text, ",power.gpu,,,,,accepted,,"
				      "no such rail on shiba,"));
	g_assert_nonnull(strstr(text, ",6.12.30-shiba-g1b2c3d4,"));
	helper_report_free(report);
}

static void test_benchfmt(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *text = helper_report_text(report, "benchfmt");

	g_assert_cmpuint(count(text, "BenchmarkNotification-shade/"), ==, 24);
	g_assert_nonnull(strstr(text, "/variant=pm_wq_highpri/device="
				      "2A101FDH2000YY/block=2/boot=12/run=123 "
				      "1 "));
	g_assert_nonnull(strstr(text, "\nUnit power.total-mW better=lower "
				      "assume=nothing\n"));
	g_assert_nonnull(strstr(text, "\nplatform: A\n"));
	helper_report_free(report);
}

/* Where a number is none, there is no cell for it. */
static void test_not_finite(void)
{
	static const char *const formats[] = { "runs", "benchfmt", "wa" };
	struct ab_report *report = helper_report_new();
	struct ab_obs *obs = report->tables[0].rows[4].obs;

	for (size_t i = 0; i < report->tables[0].rows[4].n_obs; i++)
		obs[i].value = i % 2 ? NAN : INFINITY;
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autofree char *text = helper_report_text(report, formats[i]);

		g_assert_null(strstr(text, "nan"));
		g_assert_null(strstr(text, "inf"));
	}
	helper_report_free(report);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/report-runs/round-trip/runs", "runs",
			     test_round_trip);
	g_test_add_data_func("/report-runs/round-trip/benchfmt", "benchfmt",
			     test_round_trip);
	g_test_add_data_func("/report-runs/round-trip/wa", "wa",
			     test_round_trip);
	g_test_add_func("/report-runs/runs", test_runs);
	g_test_add_func("/report-runs/benchfmt", test_benchfmt);
	g_test_add_func("/report-runs/not-finite", test_not_finite);
	return g_test_run();
}
