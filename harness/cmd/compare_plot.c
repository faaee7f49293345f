// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double *runs_of(const GArray *obs, int variant, size_t *n_out)
{
	double *x = g_new(double, obs->len + 1);

	*n_out = 0;
	for (guint i = 0; i < obs->len; i++) {
		const struct ab_obs *o = &g_array_index(obs, struct ab_obs, i);

		if (o->variant == variant)
			x[(*n_out)++] = o->value;
	}
	return x;
}

/* Of one variant alone: t on boots where they are told, else on runs. */
static void set_interval(struct ab_plot_series *s, const double *x, size_t n,
			 double level)
{
	double half;

	s->mean = n > 0 ? gsl_stats_mean(x, 1, n) : NAN;
	s->lo = s->hi = NAN;
	if (n < 2)
		return;
	half = gsl_cdf_tdist_Pinv(1 - (1 - level) / 2, (double)n - 1) *
	       sqrt(gsl_stats_variance(x, 1, n) / (double)n);
	s->lo = s->mean - half;
	s->hi = s->mean + half;
}

static void fill_series(const struct ab_import_metric *m, int variant,
			double level, struct ab_plot_series *s)
{
	struct ab_units units;
	double *x = runs_of(m->obs, variant, &s->n);

	qsort(x, s->n, sizeof(*x), compare_doubles);
	s->values = x;
	ab_stats_units(&m->metric,
		       (const struct ab_obs *)(const void *)m->obs->data,
		       m->obs->len, variant, variant, &units);
	set_interval(s, units.a, units.n_a, level);
	ab_units_clear(&units);
}

static void plot_metric(const struct ab_import_metric *m,
			const struct compare_report *r, double level,
			GString *out)
{
	size_t n = r->report.n_variants;
	struct ab_plot_series *series = g_new0(struct ab_plot_series, n);
	const char *unit = m->metric.unit;
	g_autofree char *title =
		g_strdup_printf("%s%s%s%s", m->metric.id, *unit ? " [" : "",
				unit, *unit ? "]" : "");

	for (size_t v = 0; v < n; v++) {
		series[v].name = r->report.variants[v];
		fill_series(m, (int)v, level, &series[v]);
	}
	ab_report_plot(title, series, n, out);
	for (size_t v = 0; v < n; v++)
		g_free((double *)series[v].values);
	g_free(series);
}

void compare_plot(const struct ab_import *import,
		  const struct compare_report *r, double level, GString *out)
{
	const GPtrArray *metrics = ab_import_metrics(import);

	g_string_append_printf(out,
			       "\n[--+--] mean and its %g %% interval (each "
			       "variant alone), m median,\n"
			       "M both; '.' one run, ':' two.\n\n",
			       100 * level);
	for (guint i = 0; i < metrics->len; i++)
		plot_metric(metrics->pdata[i], r, level, out);
}
