// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/power_report.h>

#include <math.h>

void ab_power_table_free(struct ab_power_table *table)
{
	g_free(table->platform);
	g_free(table->scenario);
	g_free(table->base);
	g_free(table->variant);
	g_array_unref(table->rows);
	g_free(table);
}

static const char *why_not(const struct ab_components *c)
{
	if (isnan(c->boot))
		return c->reason ? c->reason : "nothing was measured";
	if (!(c->mean > 0))
		return c->mean < 0 ? "the baseline is negative"
				   : "the baseline is 0";
	if (!(ab_stats_block_sd(c, 1, 0) > 0))
		return "no variation between boots or runs";
	return NULL;
}

/* Noise does not fall with the mean: a rise is never easier to see. */
static bool is_fall(const struct ab_power_question *q)
{
	return q->sign < 0;
}

static double effect_of(const struct ab_power_question *q,
			const struct ab_power_row *row)
{
	double effect = row->change_pct / 100 * row->c.mean;

	return is_fall(q) ? -effect : effect;
}

static double shown_by(const struct ab_power_question *q,
		       const struct ab_power_row *row, struct ab_design design)
{
	return 100 / row->c.mean *
	       ab_stats_design_detectable(&row->c, design, row->level, q->power,
					  is_fall(q));
}

static void answer_change(const struct ab_power_question *q,
			  const struct ab_costs *costs,
			  struct ab_power_row *row)
{
	/* With fewer the permutation within blocks cannot agree. */
	double least = ab_stats_permutation_blocks(1 - row->level);

	if (!ab_stats_design_cheapest(&row->c, costs, effect_of(q, row),
				      row->level, q->power, least,
				      &row->needed))
		row->reason = "more than a million boots";
}

static void answer_budget(const struct ab_power_question *q,
			  const struct ab_costs *costs,
			  struct ab_power_row *row)
{
	if (ab_stats_design_within(&row->c, costs, q->hours, row->level,
				   q->power, is_fall(q), &row->bought))
		row->bought_pct = shown_by(q, row, row->bought);
}

static void answer_given(const struct ab_power_question *q,
			 struct ab_power_row *row)
{
	row->given_power = ab_stats_design_power(&row->c, q->given,
						 effect_of(q, row), row->level);
	row->given_pct = shown_by(q, row, q->given);
}

void ab_power_answer(const struct ab_power_question *question,
		     const struct ab_costs *costs, struct ab_power_row *row)
{
	const struct ab_power_question *q = question;
	struct ab_design run = { row->c.blocks, row->c.runs_per_boot };

	row->needed = row->bought = (struct ab_design){ 0 };
	row->shown_pct = row->bought_pct = NAN;
	row->given_power = row->given_pct = NAN;
	row->best_runs = NAN;
	row->reason = why_not(&row->c);
	if (row->reason)
		return;
	row->best_runs = ab_stats_best_runs(&row->c, costs);
	row->shown_pct = shown_by(q, row, run);
	answer_change(q, costs, row);
	if (isfinite(q->hours))
		answer_budget(q, costs, row);
	if (q->given.blocks > 0)
		answer_given(q, row);
}
