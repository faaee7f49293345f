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

void ab_report_take(struct ab_report_row *row, const struct ab_metric *measured,
		    const struct ab_obs *obs, size_t n,
		    const struct ab_stats_options *options)
{
	row->measured = measured;
	row->obs = g_memdup2(obs, n * sizeof(*obs));
	row->n_obs = n;
	row->options = *options;
}

static void fill_plain(struct ab_report_row *row, size_t n_variants,
		       guint64 seed)
{
	/* Anew for each row: a row does not depend on those before it. */
	gsl_rng *rng = new_rng(seed);

	ab_stats_estimate(row->measured, row->obs, row->n_obs, 0,
			  row->options.level, &row->base);
	row->versus = g_new0(struct ab_comparison, n_variants);
	row->n_versus = n_variants - 1;
	for (size_t i = 0; i < row->n_versus; i++)
		ab_stats_compare(row->measured, row->obs, row->n_obs,
				 (int)i + 1, &row->options, rng,
				 &row->versus[i]);
	gsl_rng_free(rng);
}

void ab_report_fill_plain_row(struct ab_report_row *row,
			      const struct ab_metric *metric,
			      const struct ab_obs *obs, size_t n,
			      size_t n_variants,
			      const struct ab_stats_options *options,
			      guint64 seed)
{
	ab_report_take(row, metric, obs, n, options);
	fill_plain(row, n_variants, seed);
}

static void fill_row(struct ab_report_row *row, size_t n_variants, guint64 seed)
{
	/* One of its own: what is noticed changes no number of the row. */
	gsl_rng *rng = new_rng(seed);

	fill_plain(row, n_variants, seed);
	row->effects = g_new0(struct ab_effect, n_variants);
	row->components = g_new0(struct ab_components, n_variants);
	row->notes = g_new0(struct ab_notes, n_variants);
	for (size_t i = 0; i < row->n_versus; i++) {
		int b = (int)i + 1;

		fill_effect(row->measured, row->obs, row->n_obs, b,
			    row->options.level, &row->effects[i]);
		ab_stats_components(row->measured, row->obs, row->n_obs, b,
				    &row->components[i]);
		ab_notes_find(row->measured, row->obs, row->n_obs, b,
			      &row->options, rng, &row->notes[i]);
	}
	gsl_rng_free(rng);
}

/* ---- many rows ---- */

#define MOST_THREADS 64

struct filling {
	struct ab_report_row *rows;
	size_t n_rows, n_variants;
	guint64 seed;
	gint next; /* atomic: the first row that nobody has begun */
};

static gpointer fill_next(gpointer data)
{
	struct filling *f = data;
	size_t i;

	while ((i = (size_t)g_atomic_int_add(&f->next, 1)) < f->n_rows)
		fill_row(&f->rows[i], f->n_variants, f->seed);
	return NULL;
}

void ab_report_fill_rows(struct ab_report_row *rows, size_t n_rows,
			 size_t n_variants, guint64 seed)
{
	struct filling f = { rows, n_rows, n_variants, seed, 0 };
	GThread *helpers[MOST_THREADS];
	size_t n = MIN(g_get_num_processors(), MOST_THREADS);
	size_t started = 0;

	/* Where no thread can be had this one does all. */
	while (started + 1 < MIN(n, n_rows) &&
	       (helpers[started] =
			g_thread_try_new("rows", fill_next, &f, NULL)))
		started++;
	fill_next(&f);
	while (started)
		g_thread_join(helpers[--started]);
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
