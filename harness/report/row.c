// SPDX-License-Identifier: GPL-3.0-or-later
/* What rows say beside their numbers: why one is missing, what they need. */
#include "parts.h"

#include <math.h>

#define MOST_NEEDED 10000 /* nobody boots a phone more often */
#define LETTERS 26

void part_each_row(const struct ab_report *report, row_visitor visit,
		   void *context)
{
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			for (size_t k = 0; k < report->tables[i].n_rows; k++) {
				const struct ab_report_row *row =
					&report->tables[i].rows[k];

				visit(row, &row->versus[v - 1], context);
			}
}

bool part_has_percent(const struct ab_comparison *c)
{
	return isfinite(c->pct) && c->pct > -100;
}

bool part_has_interval(const struct ab_comparison *c)
{
	return isfinite(c->pct_lo) && !isnan(c->pct_hi);
}

const char *part_reason(const struct ab_comparison *c)
{
	bool interval = part_has_interval(c);

	/* With no event in the variant the bound explains itself. */
	if (interval && (part_has_percent(c) || !isfinite(c->pct)))
		return NULL;
	return c->pct_reason ? c->pct_reason : c->reason;
}

char *part_difference(const struct ab_comparison *c, double scale)
{
	int decimals = number_decimals(c->diff_lo * scale, c->diff_hi * scale);
	g_autofree char *diff = number_signed(c->diff * scale, decimals);
	g_autofree char *lo = number_signed(c->diff_lo * scale, decimals);
	g_autofree char *hi = number_signed(c->diff_hi * scale, decimals);

	if (!isfinite(c->diff_lo) || isfinite(c->pct_hi) ||
	    (isfinite(c->a.upper) && isfinite(c->b.upper)))
		return NULL;
	return g_strdup_printf("%s [%s,%s]", diff, lo, hi);
}

static char *p_text(double p)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(isfinite(p)
				? g_ascii_formatd(buf, sizeof(buf), "%.2g", p)
				: "n/a");
}

char *part_effect(const struct ab_effect *e, const char *unit, double scale)
{
	const struct ab_shift *s = &e->shift;
	int decimals = number_decimals(s->lo * scale, s->hi * scale);
	g_autofree char *p = p_text(e->p);
	g_autofree char *shift = number_signed(s->estimate * scale, decimals);
	g_autofree char *lo = number_signed(s->lo * scale, decimals);
	g_autofree char *hi = number_signed(s->hi * scale, decimals);
	g_autofree char *level = number_text(100 * s->level, 1);
	g_autofree char *cliff = number_signed(e->cliff, 2);

	return g_strdup_printf("%s p %s%s, Hodges-Lehmann shift %s "
			       "[%s,%s]%s%s (%s %%), Cliff's delta %s",
			       e->paired ? "Wilcoxon" : "Mann-Whitney", p,
			       e->p_exact ? " (exact)" : "", shift, lo, hi,
			       *unit ? " " : "", unit, level, cliff);
}

char *part_verdict(const struct ab_comparison *c)
{
	const char *word = c->verdict == AB_NOT_ENOUGH_DATA
				   ? "not enough"
				   : ab_verdict_word(c->verdict);

	return g_strconcat(word, part_only_alone(c) ? "*" : "", NULL);
}

/* ---- what stands below it ---- */

/* Without a percentage the interval stands in the metric's own unit. */
static void add_difference(GString *below, const struct ab_comparison *c,
			   const char *unit, double scale)
{
	g_autofree char *difference = part_difference(c, scale);

	if (difference)
		g_string_append_printf(below, "difference %s%s%s", difference,
				       *unit ? " " : "", unit);
}

/* The table's header states n; a row that has another one says so. */
static void add_n(GString *below, const struct ab_report_table *table,
		  size_t variant, const struct ab_comparison *c)
{
	if (c->a.runs == table->runs[0] && c->b.runs == table->runs[variant] &&
	    c->a.boots == table->boots[0] &&
	    c->b.boots == table->boots[variant])
		return;
	g_string_append_printf(below, "%s%d vs. %d runs",
			       below->len ? "; " : "", c->a.runs, c->b.runs);
	if (table->boots[0])
		g_string_append_printf(below, ", %d vs. %d boots", c->a.boots,
				       c->b.boots);
}

static void add_effect(GString *below, const struct ab_report_row *row,
		       size_t variant, const char *unit, double scale)
{
	g_autofree char *text = NULL;

	text = part_effect(&row->effects[variant - 1], unit, scale);
	g_string_append_printf(below, "%s%s", below->len ? "; " : "", text);
}

char *part_below(const struct ab_report *report,
		 const struct ab_report_table *table,
		 const struct ab_report_row *row, size_t variant)
{
	const struct ab_comparison *c = &row->versus[variant - 1];
	g_autoptr(GString) below = g_string_new(NULL);
	double scale;
	const char *unit =
		part_unit(row->metric, c->a.value, c->b.value, &scale);

	if (row->metric->stat != AB_STAT_MAX)
		add_difference(below, c, unit, scale);
	add_n(below, table, variant, c);
	if (report->with_effects && row->effects)
		add_effect(below, row, variant, unit, scale);
	return below->len ? g_string_free(g_steal_pointer(&below), FALSE)
			  : NULL;
}

/* ---- what it needs ---- */

bool part_needed(const struct ab_comparison *c, bool margin,
		 struct needed *needed_out)
{
	bool runs = !margin && !isfinite(c->boots_needed);
	double n = margin ? c->boots_margin
		   : runs ? c->runs_needed
			  : c->boots_needed;

	if (c->verdict != AB_NOT_ENOUGH_DATA || !isfinite(n))
		return false;
	*needed_out = (struct needed){
		.number = n > MOST_NEEDED ? g_strdup("> 10,000")
					  : number_text(ceil(n), 0),
		.boots = !runs,
	};
	return true;
}

struct need_lists {
	GString *observed, *margin, *runs;
};

static void add_needs(const struct ab_report_row *row,
		      const struct ab_comparison *c,
		      const struct need_lists *lists)
{
	const char *label = row->metric->label;
	struct needed need;

	if (part_needed(c, false, &need)) {
		text_item(need.boots ? lists->observed : lists->runs, "%s %s,",
			  label, need.number);
		g_free(need.number);
	}
	if (part_needed(c, true, &need)) {
		text_item(lists->margin, "%s %s (%g %%),", label, need.number,
			  c->margin_pct);
		g_free(need.number);
	}
}

static void add_list(GString *text, const char *head, const GString *list)
{
	if (!list->len)
		return;
	/* Without the comma after the last item. */
	g_string_append_printf(text, "%s%s: %.*s", text->len ? "; " : "", head,
			       (int)list->len - 1, list->str);
}

static void add_paragraph(const char *what, const GString *observed,
			  const GString *margin, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	add_list(text, "for the observed change", observed);
	add_list(text, "for the margin", margin);
	if (!text->len)
		return;
	g_string_prepend(text, " needed per variant (80 % power) ");
	g_string_prepend(text, what);
	g_string_append_c(text, '.');
	text_wrap(out, text->str, 2, 4);
}

void part_needs(const struct ab_report_table *table, size_t variant,
		GString *out)
{
	g_autoptr(GString) observed = g_string_new(NULL);
	g_autoptr(GString) margin = g_string_new(NULL);
	g_autoptr(GString) runs = g_string_new(NULL);
	g_autoptr(GString) none = g_string_new(NULL);
	const struct need_lists lists = { observed, margin, runs };

	for (size_t i = 0; i < table->n_rows; i++) {
		const struct ab_report_row *row = &table->rows[i];

		add_needs(row, &row->versus[variant - 1], &lists);
	}
	add_paragraph("Boots", observed, margin, out);
	add_paragraph("Runs", runs, none, out);
}

/* ---- why a number is missing ---- */

static bool known(const GPtrArray *reasons, const char *reason, guint *index)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)reasons, reason,
						g_str_equal, index);
}

static void add_reason(const struct ab_report_row *row,
		       const struct ab_comparison *c, void *context)
{
	GPtrArray *reasons = context;
	const char *reason = part_reason(c);

	if (reason && row->metric->stat != AB_STAT_MAX &&
	    !known(reasons, reason, NULL))
		g_ptr_array_add(reasons, (gpointer)reason);
}

GPtrArray *part_reasons(const struct ab_report *report)
{
	GPtrArray *reasons = g_ptr_array_new();

	part_each_row(report, add_reason, reasons);
	return reasons;
}

char part_letter(guint index)
{
	return (char)('a' + MIN(index, LETTERS - 1));
}

char *part_mark(const GPtrArray *reasons, const char *reason)
{
	guint index;

	if (!reasons || !reason || !known(reasons, reason, &index))
		return g_strdup("n/a");
	return g_strdup_printf("n/a (%c)", part_letter(index));
}

char *part_value(const struct ab_estimate *e, double scale, int decimals)
{
	g_autofree char *bound = NULL;

	if (!isfinite(e->upper))
		return number_text(e->value * scale, decimals);
	bound = number_bound(e->upper * scale);
	return g_strconcat("< ", bound, NULL);
}

char *part_percent(const struct ab_comparison *c, const GPtrArray *reasons)
{
	g_autofree char *bound = NULL;

	if (part_has_percent(c))
		return number_percent(c->pct);
	if (!isfinite(c->pct_hi))
		return part_mark(reasons, part_reason(c));
	bound = number_percent(c->pct_hi);
	return g_strconcat("< ", bound, NULL);
}
