// SPDX-License-Identifier: GPL-3.0-or-later
/* From observations to a row. */
#include <abrig/report.h>

static gsl_rng *new_rng(guint64 seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, (unsigned long)seed);
	return rng;
}

static void fill_effect(const struct ab_metric *metric,
			const struct ab_obs *obs, size_t n, int b, double level,
			struct ab_effect *effect)
{
	struct ab_units units;

	ab_stats_units(metric, obs, n, 0, b, &units);
	ab_stats_effect(&units, level, effect);
	ab_units_clear(&units);
}

void ab_report_fill_plain_row(struct ab_report_row *row,
			      const struct ab_metric *metric,
			      const struct ab_obs *obs, size_t n,
			      size_t n_variants,
			      const struct ab_stats_options *options,
			      guint64 seed)
{
	/* Anew for each row: a row does not depend on those before it. */
	gsl_rng *rng = new_rng(seed);

	row->obs = g_memdup2(obs, n * sizeof(*obs));
	row->n_obs = n;
	ab_stats_estimate(metric, obs, n, 0, options->level, &row->base);
	row->versus = g_new0(struct ab_comparison, n_variants);
	row->n_versus = n_variants - 1;
	for (size_t i = 0; i < row->n_versus; i++)
		ab_stats_compare(metric, obs, n, (int)i + 1, options, rng,
				 &row->versus[i]);
	gsl_rng_free(rng);
}

void ab_report_fill_row(struct ab_report_row *row,
			const struct ab_metric *metric,
			const struct ab_obs *obs, size_t n, size_t n_variants,
			const struct ab_stats_options *options, guint64 seed)
{
	/* One of its own: what is noticed changes no number of the row. */
	gsl_rng *rng = new_rng(seed);

	ab_report_fill_plain_row(row, metric, obs, n, n_variants, options,
				 seed);
	row->effects = g_new0(struct ab_effect, n_variants);
	row->components = g_new0(struct ab_components, n_variants);
	row->notes = g_new0(struct ab_notes, n_variants);
	for (size_t i = 0; i < row->n_versus; i++) {
		int b = (int)i + 1;

		fill_effect(metric, obs, n, b, options->level,
			    &row->effects[i]);
		ab_stats_components(metric, obs, n, b, &row->components[i]);
		ab_notes_find(metric, obs, n, b, options, rng, &row->notes[i]);
	}
	gsl_rng_free(rng);
}

void ab_report_clear_row(struct ab_report_row *row)
{
	for (size_t i = 0; row->notes && i < row->n_versus; i++)
		ab_notes_clear(&row->notes[i]);
	g_free(row->obs);
	g_free(row->versus);
	g_free(row->effects);
	g_free(row->components);
	g_free(row->notes);
}
