// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <math.h>

/* What the rows of a report have in them. */
struct found {
	bool methods[AB_METHOD_ZERO_BOUND + 1];
	bool zero, maximum, not_enough;
	int left;     /* boots in incomplete blocks, at most in any row */
	double level; /* of primaries only where there are no others */
	bool others;
};

static void look(const struct ab_report_row *row, const struct ab_comparison *c,
		 void *context)
{
	struct found *found = context;

	if (!c->primary || !found->others)
		found->level = c->level;
	found->others |= !c->primary;
	found->left = MAX(found->left, c->a_left + c->b_left);
	if (row->metric->stat == AB_STAT_MAX) {
		found->maximum = true;
		return;
	}
	found->methods[c->method] = true;
	found->zero |= isfinite(c->a.upper) || isfinite(c->b.upper);
	found->not_enough |= c->verdict == AB_NOT_ENOUGH_DATA;
}

static struct found look_at(const struct ab_report *report)
{
	struct found found = { .level = 0.95 };

	part_each_row(report, look, &found);
	return found;
}

double part_level(const struct ab_report *report)
{
	return look_at(report).level;
}

static void add_method(const struct found *found, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool blocks = found->methods[AB_METHOD_PAIRED_T] ||
		      found->methods[AB_METHOD_BLOCK_BOOTSTRAP];

	if (blocks)
		g_string_append_printf(
			text,
			"%g %% intervals from whole boots paired within "
			"blocks (t on block values; quantiles: blocks "
			"resampled, t-corrected). ",
			100 * found->level);
	if (found->methods[AB_METHOD_RUN_T])
		g_string_append_printf(
			text,
			"%s%g %% intervals from runs (Welch's t): "
			"boot-to-boot variation was not measured. ",
			blocks ? "One boot per variant: " : "",
			100 * found->level);
	if (found->methods[AB_METHOD_EXACT] ||
	    found->methods[AB_METHOD_ZERO_BOUND])
		g_string_append(text, "A dozen events or fewer, or none in a "
				      "variant: exact, given their number. ");
	if (text->len)
		text_wrap(out, text->str, 0, 0);
}

static void add_kinds(const struct found *found, GString *out)
{
	if (found->zero)
		text_wrap(out,
			  "< x: no event was seen; one-sided upper bound of "
			  "the same level (Poisson).",
			  0, 2);
	if (found->maximum)
		text_wrap(out,
			  "worst of N: the largest of N samples; a maximum "
			  "has no interval.",
			  0, 2);
	if (found->left > 0) {
		g_autofree char *text = g_strdup_printf(
			"Boots left out because their block lacks the other "
			"variant: up to %d in a row.",
			found->left);

		text_wrap(out, text, 0, 2);
	}
}

static void add_reasons(const GPtrArray *reasons, GString *out)
{
	g_autoptr(GString) text = g_string_new("n/a:");

	for (guint i = 0; i < reasons->len; i++)
		g_string_append_printf(text, "%s (%c)" TEXT_KEEP "%s",
				       i ? ";" : "", part_letter(i),
				       (const char *)reasons->pdata[i]);
	g_string_append_c(text, '.');
	if (reasons->len)
		text_wrap(out, text->str, 0, 2);
}

struct margins {
	GHashTable *seen; /* metrics */
	GString *list;
};

static void add_margin(const struct ab_report_row *row,
		       const struct ab_comparison *c, void *context)
{
	struct margins *margins = context;

	if (c->verdict == AB_EQUIVALENT &&
	    g_hash_table_add(margins->seen, (gpointer)row->metric))
		text_item(margins->list, "%s %s %g %%,", row->metric->group,
			  row->metric->label, c->margin_pct);
}

static void add_equivalent(const struct ab_report *report, double level,
			   GString *out)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) list = g_string_new(NULL);
	struct margins margins = { seen, list };
	g_autofree char *text = NULL;

	part_each_row(report, add_margin, &margins);
	if (!list->len)
		return;
	g_string_truncate(list, list->len - 1);
	text = g_strdup_printf("equivalent: the %g %% interval of the change "
			       "is inside its margin: %s.",
			       100 - 200 * (1 - level), list->str);
	text_wrap(out, text, 0, 2);
}

void part_footnotes(const struct ab_report *report, const GPtrArray *reasons,
		    GString *out)
{
	struct found found = look_at(report);

	add_method(&found, out);
	part_decisions(report, out);
	add_kinds(&found, out);
	if (reasons)
		add_reasons(reasons, out);
	add_equivalent(report, found.level, out);
	if (found.not_enough)
		text_wrap(out,
			  "not enough: not enough data to call the row "
			  "different or equivalent.",
			  0, 2);
	part_accounts(report, out);
}
