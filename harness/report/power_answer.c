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
	if (!(ab_stats_block_sd(c, 1) > 0))
		return "no variation between boots or runs";
	return NULL;
}

static void answer_change(const struct ab_power_question *q,
			  const struct ab_costs *costs,
			  struct ab_power_row *row)
{
	/* With fewer the permutation within blocks cannot agree. */
	double least = ab_stats_permutation_blocks(1 - row->level);
	double effect = row->change_pct / 100 * row->c.mean;

	if (!ab_stats_design_cheapest(&row->c, costs, effect, row->level,
				      q->power, least, &row->needed))
		row->reason = "more than a million boots";
}

static void answer_budget(const struct ab_power_question *q,
			  const struct ab_costs *costs,
			  struct ab_power_row *row)
{
	if (!ab_stats_design_within(&row->c, costs, q->hours, row->level,
				    q->power, &row->bought))
		return;
	row->bought_pct = 100 / row->c.mean *
			  ab_stats_design_detectable(&row->c, row->bought,
						     row->level, q->power);
}

static void answer_given(const struct ab_power_question *q,
			 struct ab_power_row *row)
{
	double effect = row->change_pct / 100 * row->c.mean;

	row->given_power =
		ab_stats_design_power(&row->c, q->given, effect, row->level);
	row->given_pct = 100 / row->c.mean *
			 ab_stats_design_detectable(&row->c, q->given,
						    row->level, q->power);
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
	row->shown_pct =
		100 / row->c.mean *
		ab_stats_design_detectable(&row->c, run, row->level, q->power);
	answer_change(q, costs, row);
	if (isfinite(q->hours))
		answer_budget(q, costs, row);
	if (q->given.blocks > 0)
		answer_given(q, row);
}
