// SPDX-License-Identifier: GPL-3.0-or-later
/* All verdicts of a report at once, and what it says about them. */
#include "parts.h"

#include <math.h>

static GArray *all_tested(struct ab_report *report)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct ab_tested));

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++) {
			struct ab_report_row *row = &report->tables[i].rows[k];

			for (size_t v = 1; v < report->n_variants; v++) {
				struct ab_tested one = { &row->versus[v - 1],
							 row->primary };

				g_array_append_val(all, one);
			}
		}
	return all;
}

static void add_payer(struct ab_report_payer *payer, GArray *all)
{
	for (int pay = 0; payer && pay < AB_PAYS; pay++)
		for (size_t v = 0; v < payer->rows[pay].n_versus; v++) {
			struct ab_tested one = { &payer->rows[pay].versus[v],
						 false };

			g_array_append_val(all, one);
		}
}

static void decide_payers(struct ab_report *report, double level)
{
	g_autoptr(GArray) all =
		g_array_new(FALSE, FALSE, sizeof(struct ab_tested));
	struct ab_families families;

	for (size_t i = 0; i < report->n_tables; i++) {
		const struct ab_report_table *t = &report->tables[i];

		for (size_t k = 0; k < t->n_payers; k++)
			add_payer(&t->payers[k], all);
		add_payer(t->all_classes, all);
	}
	ab_stats_decide((const struct ab_tested *)(const void *)all->data,
			all->len, level, level, &families);
	report->payer_tests = families.others;
}

static void decide_notes(struct ab_report *report)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->tables[i].n_rows; k++) {
			struct ab_report_row *row = &report->tables[i].rows[k];

			for (size_t v = 0; v < row->n_versus; v++)
				for (size_t m = 0; m < row->notes[v].n; m++)
					g_ptr_array_add(
						all, &row->notes[v].notes[m]);
		}
	ab_notes_control((struct ab_note **)all->pdata, all->len, AB_NOTE_Q);
}

void ab_report_decide(struct ab_report *report, double level,
		      double primary_level)
{
	g_autoptr(GArray) all = all_tested(report);

	report->level = level;
	ab_stats_decide((const struct ab_tested *)(const void *)all->data,
			all->len, level, primary_level, &report->families);
	decide_payers(report, level);
	decide_notes(report);
}

bool part_only_alone(const struct ab_comparison *c)
{
	return !c->primary && c->verdict != AB_DIFFERENT &&
	       c->p_change <= 1 - c->level;
}

struct decisions {
	GHashTable *seen; /* primary metrics */
	GString *primaries, *boots;
	double widest; /* level of a primary's interval */
	bool only_alone;
};

/* What runs of one boot have in common. */
static void add_boots(const struct ab_report_row *row,
		      const struct ab_comparison *c, GString *text)
{
	const struct ab_components *v =
		row->components ? &row->components[c - row->versus] : NULL;

	if (!v || !isfinite(v->icc) || !isfinite(v->effective[0]))
		return;
	text_item(text,
		  "%s ICC %.2f, design effect %.2f, effective n %.0f vs. %.0f;",
		  row->metric->label, v->icc, v->design_effect, v->effective[0],
		  v->effective[1]);
}

static void look(const struct ab_report_row *row, const struct ab_comparison *c,
		 void *context)
{
	struct decisions *d = context;

	d->only_alone |= part_only_alone(c);
	if (!row->primary || c->method == AB_METHOD_NONE)
		return;
	d->widest = MAX(d->widest, c->level);
	add_boots(row, c, d->boots);
	if (g_hash_table_add(d->seen, (gpointer)row->metric))
		text_item(d->primaries, "%s %s,", row->metric->group,
			  row->metric->label);
}

static void add_primaries(const struct ab_report *report,
			  const struct decisions *d, GString *text)
{
	g_string_append_printf(text, " Primary (Holm, %zu test%s",
			       report->families.primaries,
			       report->families.primaries > 1 ? "s" : "");
	if (d->widest > report->level)
		g_string_append_printf(text, ", intervals of up to %.4g %%",
				       100 * d->widest);
	/* Without the comma after the last. */
	g_string_append_printf(text, "): %.*s.", (int)d->primaries->len - 1,
			       d->primaries->str);
}

static void add_others(const struct ab_report *report, GString *text)
{
	bool both = report->families.primaries > 0;

	g_string_append_printf(
		text,
		" %s: false discovery rate of %g %% (Benjamini and Hochberg), "
		"each interval for itself.",
		both ? "The others" : "All", 100 - 100 * report->level);
}

void part_decisions(const struct ab_report *report, GString *out)
{
	const struct ab_families *f = &report->families;
	size_t tests = f->primaries + f->others;
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) primaries = g_string_new(NULL);
	g_autoptr(GString) boots = g_string_new("Runs of one boot:");
	g_autoptr(GString) text = g_string_new(NULL);
	struct decisions d = { .seen = seen,
			       .primaries = primaries,
			       .boots = boots };
	gsize head = boots->len;

	if (tests == 0)
		return;
	part_each_row(report, look, &d);
	if (tests == 1)
		g_string_append(text, "One change was tested.");
	else
		g_string_append_printf(
			text, "Verdicts are corrected for %zu tests.", tests);
	if (f->primaries)
		add_primaries(report, &d, text);
	if (f->others && tests > 1)
		add_others(report, text);
	text_wrap(out, text->str, 0, 2);
	if (boots->len > head) {
		boots->str[boots->len - 1] = '.';
		text_wrap(out, boots->str, 0, 2);
	}
	if (d.only_alone)
		text_wrap(out,
			  "*: its interval excludes 0, which among so many "
			  "tests may be chance.",
			  0, 2);
}
