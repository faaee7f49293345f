// SPDX-License-Identifier: GPL-3.0-or-later
/* One comparison as cells of a table: the numbers of the text report. */
#include "html.h"

#include <math.h>

static void add_below(GString *below, const char *text)
{
	if (text)
		g_string_append_printf(below, "%s%s", below->len ? "; " : "",
				       text);
}

static void add_needed(GString *below, const struct ab_comparison *c,
		       bool margin)
{
	struct needed need;
	g_autofree char *text = NULL;

	if (!part_needed(c, margin, &need))
		return;
	text = g_strdup_printf("%s %s needed per variant for %s", need.number,
			       need.boots ? "boots" : "runs",
			       margin ? "the margin" : "the observed change");
	add_below(below, text);
	g_free(need.number);
}

static char *below_text(const struct ab_comparison *c, const char *unit,
			double scale)
{
	GString *below = g_string_new(NULL);
	g_autofree char *difference = part_difference(c, scale);

	if (difference)
		g_string_append_printf(below, "difference %s%s%s", difference,
				       *unit ? " " : "", unit);
	add_below(below, part_reason(c));
	add_needed(below, c, false);
	add_needed(below, c, true);
	return g_string_free(below, below->len == 0);
}

/* A maximum has neither percentage nor interval nor verdict. */
static void worst_cells(const struct ab_comparison *c, struct html_cells *cells)
{
	g_autofree char *a = number_count(c->a.samples);
	g_autofree char *b = number_count(c->b.samples);

	cells->percent = g_strdup("");
	cells->interval = g_strdup("");
	cells->verdict = g_strdup("");
	cells->below = g_strdup_printf("worst of %s / %s", a, b);
}

void html_cells(const struct ab_report_row *row, size_t variant,
		struct html_cells *cells_out)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	double scale;
	const char *unit =
		part_unit(row->metric, c->a.value, c->b.value, &scale);
	int decimals = number_decimals(c->a.value * scale, c->b.value * scale);

	*cells_out = (struct html_cells){
		.a = part_value(&c->a, scale, decimals),
		.b = part_value(&c->b, scale, decimals),
		.unit = unit,
	};
	if (row->metric->stat == AB_STAT_MAX) {
		worst_cells(c, cells_out);
		return;
	}
	cells_out->percent = part_percent(c, NULL);
	cells_out->interval =
		part_has_percent(c) && part_has_interval(c)
			? number_percent_interval(c->pct_lo, c->pct_hi)
			: g_strdup("");
	cells_out->verdict = g_strconcat(ab_verdict_word(c->verdict),
					 part_only_alone(c) ? "*" : "", NULL);
	cells_out->below = below_text(c, unit, scale);
}

void html_cells_clear(struct html_cells *cells)
{
	g_free(cells->a);
	g_free(cells->b);
	g_free(cells->percent);
	g_free(cells->interval);
	g_free(cells->verdict);
	g_free(cells->below);
}

const char *html_class(const struct ab_metric *metric,
		       const struct ab_comparison *c)
{
	bool lower = c->diff < 0;

	if (metric->stat == AB_STAT_MAX)
		return "none";
	if (c->verdict == AB_EQUIVALENT)
		return "equivalent";
	if (c->verdict != AB_DIFFERENT)
		return "unknown";
	if (metric->direction == AB_DIRECTION_UNKNOWN)
		return "different";
	return lower == (metric->direction == AB_LOWER_IS_BETTER) ? "better"
								  : "worse";
}

char *html_name(const struct ab_metric *metric)
{
	return g_strconcat(metric->group, *metric->group ? " " : "",
			   metric->label, NULL);
}

char *html_title(const struct ab_report_table *table)
{
	if (!table->platform)
		return g_strdup(table->scenario ? table->scenario : "Numbers");
	return g_strconcat("Platform ", table->platform,
			   table->scenario ? ", " : "",
			   table->scenario ? table->scenario : "", NULL);
}
