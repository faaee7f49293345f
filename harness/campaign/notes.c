// SPDX-License-Identifier: GPL-3.0-or-later
/* What is noticed about the data of a report's rows. */
#include "notes.h"

void notes_fill_row(const struct ab_report *report, const GArray *obs,
		    const struct ab_stats_options *options,
		    struct ab_report_row *row)
{
	const struct ab_obs *o = (const struct ab_obs *)(const void *)obs->data;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	/* One of their own: what is noticed changes no number of the row. */
	gsl_rng_set(rng, (unsigned long)report->seed);
	row->notes = g_new0(struct ab_notes, report->n_variants);
	for (size_t b = 1; b < report->n_variants; b++)
		ab_notes_find(row->metric, o, obs->len, (int)b, options, rng,
			      &row->notes[b - 1]);
	gsl_rng_free(rng);
}

typedef void (*notes_visitor)(struct ab_notes *notes, void *context);

static void each_notes(const struct ab_report *report, notes_visitor visit,
		       void *context)
{
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			for (size_t v = 1; v < report->n_variants; v++)
				visit(&report->tables[i].rows[k].notes[v - 1],
				      context);
}

static void add_notes(struct ab_notes *notes, void *context)
{
	for (size_t i = 0; i < notes->n; i++)
		g_ptr_array_add(context, &notes->notes[i]);
}

void notes_decide(const struct ab_report *report)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	each_notes(report, add_notes, all);
	ab_notes_control((struct ab_note **)all->pdata, all->len, AB_NOTE_Q);
}

static void clear_notes(struct ab_notes *notes, void *context)
{
	(void)context;
	ab_notes_clear(notes);
}

void notes_free(const struct ab_report *report)
{
	each_notes(report, clear_notes, NULL);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++)
			g_free(report->tables[i].rows[k].notes);
}
