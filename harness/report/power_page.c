// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig power's page: one table per platform and scenario, 72 columns. */
#include "parts.h"

#include <abrig/power_report.h>
#include <math.h>
#include <string.h>

#define LABEL 24
#define MOST_BOOTS 10000 /* nobody boots a phone more often */

static char *percent(double value)
{
	if (!isfinite(value))
		return g_strdup("n/a");
	return g_strdup_printf("%.*f%%", value < 99.95 ? 1 : 0, value);
}

static char *duration(double seconds)
{
	return seconds < 10 ? g_strdup_printf("%.1f s", seconds)
			    : g_strdup_printf("%.0f s", seconds);
}

static char *hours(double value)
{
	if (value >= 9999.5)
		return g_strdup(">9,999");
	return number_text(value, value < 99.95 ? 1 : 0);
}

static char *design(struct ab_design d)
{
	g_autofree char *blocks = number_text(d.blocks, 0);

	if (d.blocks > MOST_BOOTS)
		return g_strdup("> 10,000");
	return g_strdup_printf("%s x %.0f", blocks, d.runs);
}

static const struct ab_power_row *row_at(const struct ab_power_table *t,
					 guint i)
{
	return &g_array_index(t->rows, struct ab_power_row, i);
}

/* ---- columns ---- */

/* What the right half of a table is about. */
enum kind { NEEDED, BUDGET, GIVEN };

static enum kind kind_of(const struct ab_power_question *q)
{
	if (isfinite(q->hours))
		return BUDGET;
	return q->given.blocks > 0 ? GIVEN : NEEDED;
}

static const char *const titles[][2] = {
	[NEEDED] = { " change boots x r hours", "" },
	[BUDGET] = { "  shows boots x r hours", " for it" },
	[GIVEN] = { "  shows     power hours", " for it at change" },
};

static void add_titles(const struct ab_power_table *t, enum kind kind,
		       GString *out)
{
	const char *so_far = t->platform ? "shown" : "";
	const char *second = t->platform ? "so far" : "";

	g_string_append_printf(out, "%-*s%5s%6s%5s%7s%s\n", LABEL + 2, "",
			       "boots", "runs", "ICC", so_far, titles[kind][0]);
	g_string_append_printf(out, "  %-*s%5s%6s%5s%7s%s\n", LABEL, "metric",
			       "CV %", "CV %", "", second, titles[kind][1]);
	g_string_append(out, "  ");
	for (int i = 2; i < REPORT_WIDTH; i++)
		g_string_append_c(out, '-');
	g_string_append_c(out, '\n');
}

static void add_cv(double variance, double mean, int width, GString *out)
{
	double cv = 100 * sqrt(MAX(variance, 0)) / mean;

	if (isnan(variance))
		g_string_append_printf(out, "%*s", width, "?");
	else
		g_string_append_printf(out, "%*.*f", width, cv < 99.9 ? 1 : 0,
				       cv);
}

static void add_icc(const struct ab_components *c, GString *out)
{
	if (isnan(c->icc))
		g_string_append_printf(out, "%5s", "?");
	else if (c->truncated)
		g_string_append_printf(out, "%5s", "<0");
	else
		g_string_append_printf(out, "%5.2f", c->icc);
}

static void add_design(double pct, struct ab_design d,
		       const struct ab_costs *costs, GString *out)
{
	g_autofree char *change = percent(pct);
	g_autofree char *text = design(d);
	g_autofree char *took = hours(ab_stats_design_hours(d, costs));

	if (d.blocks > 0)
		g_string_append_printf(out, "%7s%10s%6s", change, text, took);
	else
		g_string_append_printf(out, "%7s%10s", change, "none");
}

static void add_given(const struct ab_power_row *row,
		      const struct ab_power_question *q,
		      const struct ab_costs *costs, GString *out)
{
	g_autofree char *shows = percent(row->given_pct);
	g_autofree char *took = hours(ab_stats_design_hours(q->given, costs));

	g_string_append_printf(out, "%7s%9.0f%%%6s", shows,
			       100 * row->given_power, took);
}

static void add_row(const struct ab_power_row *row,
		    const struct ab_power_table *t,
		    const struct ab_power_question *q, GString *out)
{
	g_autofree char *shown = percent(row->shown_pct);
	const char *label = row->metric ? row->metric->label : "as given";

	g_string_append_printf(out, "%c %-*.*s", row->primary ? '*' : ' ',
			       LABEL, LABEL, label);
	add_cv(row->c.boot, row->c.mean, 5, out);
	add_cv(row->c.run, row->c.mean, 6, out);
	add_icc(&row->c, out);
	g_string_append_printf(out, "%7s", t->platform ? shown : "");
	if (kind_of(q) == BUDGET)
		add_design(row->bought_pct, row->bought, &t->costs, out);
	else if (kind_of(q) == GIVEN)
		add_given(row, q, &t->costs, out);
	else
		add_design(q->sign < 0 ? -row->change_pct : row->change_pct,
			   row->needed, &t->costs, out);
	g_string_append_c(out, '\n');
}

/* ---- what a table stands on ---- */

static void add_heading(const struct ab_power_table *t, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *boot = duration(t->costs.boot_s);
	g_autofree char *run = duration(t->costs.run_s);

	if (t->platform)
		g_string_append_printf(text,
				       "Platform %s, %s: %s vs. %s, from %d "
				       "campaign%s; ",
				       t->platform, t->scenario, t->variant,
				       t->base, t->campaigns,
				       t->campaigns == 1 ? "" : "s");
	g_string_append_printf(text, "a boot costs %s, a run %s (%s)", boot,
			       run, t->costs_from);
	text_wrap(out, text->str, 0, 2);
}

/* The rows that lack an answer for this reason, the first in @from. */
static void add_lacking(const struct ab_power_table *t, guint from,
			GString *text)
{
	const char *reason = row_at(t, from)->reason;

	text_item(text, "%s:", reason);
	for (guint i = from; i < t->rows->len; i++)
		if (!g_strcmp0(row_at(t, i)->reason, reason))
			text_item(text, "%s,",
				  row_at(t, i)->metric
					  ? row_at(t, i)->metric->label
					  : "as given");
	g_string_truncate(text, text->len - 1);
}

static bool is_first(const struct ab_power_table *t, guint row)
{
	for (guint i = 0; i < row; i++)
		if (!g_strcmp0(row_at(t, i)->reason, row_at(t, row)->reason))
			return false;
	return true;
}

static void add_missing(const struct ab_power_table *t, GString *out)
{
	for (guint i = 0; i < t->rows->len; i++) {
		g_autoptr(GString) text = g_string_new("n/a:");

		if (!row_at(t, i)->reason || !is_first(t, i))
			continue;
		add_lacking(t, i, text);
		g_string_append_c(text, '.');
		text_wrap(out, text->str, 2, 4);
	}
}

static void add_rows(const struct ab_power_table *t,
		     const struct ab_power_question *q, GString *out)
{
	const char *group = NULL;

	for (guint i = 0; i < t->rows->len; i++) {
		const struct ab_power_row *row = row_at(t, i);

		if (row->reason)
			continue;
		if (!group)
			add_titles(t, kind_of(q), out);
		if (row->metric && g_strcmp0(group, row->metric->group))
			g_string_append_printf(out, "%s\n", row->metric->group);
		group = row->metric ? row->metric->group : "";
		add_row(row, t, q, out);
	}
}

static void add_table(const struct ab_power_table *t,
		      const struct ab_power_question *q, GString *out)
{
	add_heading(t, out);
	add_rows(t, q, out);
	add_missing(t, out);
	g_string_append_c(out, '\n');
}

/* ---- footnotes ---- */

struct found {
	bool primary, truncated, unmeasured, together, follows;
	int primaries;
};

static struct found look(const struct ab_power_report *report)
{
	struct found f = { 0 };

	for (guint i = 0; i < report->tables->len; i++) {
		const struct ab_power_table *t = report->tables->pdata[i];

		f.unmeasured |= !strcmp(t->costs_from, "assumed");
		for (guint k = 0; k < t->rows->len; k++) {
			const struct ab_power_row *row =
				&g_array_index(t->rows, struct ab_power_row, k);

			if (row->reason)
				continue;
			f.primary |= row->primary;
			f.truncated |= row->c.truncated;
			f.together |= isnan(row->c.icc);
			f.follows |= row->c.growth > 0;
			f.primaries = MAX(f.primaries, t->primaries);
		}
	}
	return f;
}

static void note(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void note(GString *out, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	text_wrap(out, text, 0, 2);
}

static void add_method(const struct ab_power_question *q, GString *out)
{
	note(out,
	     "CV: standard deviation between boots of a block and between "
	     "runs of a boot, in %% of the baseline. ICC: the boots' share "
	     "of both variances; the larger it is, the less more runs per "
	     "boot help.");
	if (kind_of(q) == NEEDED)
		note(out,
		     "boots x runs: boots per variant (over all phones) and "
		     "runs per boot that show a true change of this size with "
		     "%g %% power at the least cost; hours of one phone, both "
		     "variants. Paired t test on boots at %g %%.",
		     100 * q->power, 100 * (1 - q->level));
	else if (kind_of(q) == BUDGET)
		note(out,
		     "shows: the smallest true change that %g hours of one "
		     "phone show with %g %% power, and by how many boots per "
		     "variant and runs per boot. Paired t test on boots at "
		     "%g %%.",
		     q->hours, 100 * q->power, 100 * (1 - q->level));
	else
		note(out,
		     "shows: the smallest true change that %.0f boots per "
		     "variant of %.0f runs show with %g %% power. Paired t "
		     "test on boots at %g %%.",
		     q->given.blocks, q->given.runs, 100 * q->power,
		     100 * (1 - q->level));
}

static void add_direction(const struct ab_power_question *q, GString *out)
{
	if (q->sign < 0)
		note(out, "Designs are for a fall; a rise of that size may "
			  "need more.");
	else
		note(out, "Designs are for a rise; a fall of that size is "
			  "shown at least as often.");
}

static void add_limits(const struct ab_power_question *q, const struct found *f,
		       GString *out)
{
	if (f->primary)
		note(out,
		     "*: primary; at %.2g %%, as Holm's method asks of the "
		     "first of %d.",
		     100 * (1 - q->level) / f->primaries, f->primaries);
	if (f->truncated)
		note(out, "ICC <0: boots differed less than their runs would "
			  "make them; counted as 0.");
	if (f->together)
		note(out,
		     "?: one run per boot: the boots' CV holds that of the "
		     "runs.");
	if (kind_of(q) == NEEDED)
		note(out,
		     "No fewer than %.0f boots are proposed: the smallest p of "
		     "a permutation within %.0f blocks is %.2g.",
		     ab_stats_permutation_blocks(1 - q->level),
		     ab_stats_permutation_blocks(1 - q->level) - 1,
		     ab_stats_permutation_floor(
			     ab_stats_permutation_blocks(1 - q->level) - 1));
	if (f->unmeasured)
		note(out, "Costs are assumed: --boot-cost and --run-cost "
			  "set them.");
}

static void add_rate(const struct ab_power_rate *r,
		     const struct ab_power_question *q, GString *out)
{
	g_autofree char *needed = number_text(ceil(r->needed - 1e-9), 0);
	g_autofree char *first = number_bound(r->rate);
	g_autofree char *second = number_bound(r->to);

	if (isfinite(r->needed))
		note(out,
		     "%s -> %s events per run: %s runs per variant for %g %% "
		     "power at %g %% (two Poisson rates, over-dispersion %g).",
		     first, second, needed, 100 * q->power,
		     100 * (1 - q->level), r->dispersion);
	if (isfinite(r->runs)) {
		g_autofree char *runs = number_text(r->runs, 0);
		g_autofree char *pct = percent(100 * r->runs_pct);

		note(out,
		     "%s runs per variant: power %.0f %% for that; the "
		     "smallest fall that they show is %s.",
		     runs, 100 * r->runs_power,
		     r->runs_pct <= 1 ? pct : "none");
	}
	note(out, "Boots are taken to be alike: with a pilot, abrig power DIR "
		  "measures whether they are.");
}

void ab_power_page(const struct ab_power_report *report, GString *out)
{
	struct found f = look(report);

	for (guint i = 0; i < report->tables->len; i++)
		add_table(report->tables->pdata[i], &report->question, out);
	if (report->tables->len) {
		add_method(&report->question, out);
		if (f.follows)
			add_direction(&report->question, out);
		add_limits(&report->question, &f, out);
	}
	if (report->rate)
		add_rate(report->rate, &report->question, out);
}
