// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Who pays: all classes and rails that differ, the largest of the others, and
 * how many are not printed.
 */
#include "lines.h"
#include "parts.h"
#include "payers.h"

#include <math.h>
#include <string.h>

#define MOST_OTHERS 5	/* printed, of those without a difference */
#define LONGEST_NAME 14 /* beside its numbers; others stand above them */

bool payer_is_rail(const struct ab_report_payer *payer)
{
	return payer->rows[AB_PAY_ENERGY].metric != NULL;
}

const struct ab_comparison *payer_moved(const struct ab_report_payer *payer,
					size_t variant)
{
	const struct ab_report_row *row =
		&payer->rows[payer_is_rail(payer) ? AB_PAY_ENERGY
						  : AB_PAY_WAIT];

	return row->metric ? &row->versus[variant - 1] : NULL;
}

bool payer_differs(const struct ab_report_payer *payer, size_t variant)
{
	for (int pay = 0; pay < AB_PAYS; pay++)
		if (payer->rows[pay].metric &&
		    payer->rows[pay].versus[variant - 1].verdict ==
			    AB_DIFFERENT)
			return true;
	return false;
}

static void add_side(struct payer_side *side, double moved, bool different)
{
	side->n++;
	side->different += different;
	side->moved += moved;
}

struct payer_tally payer_count(const struct ab_report_table *table,
			       size_t variant, bool rails)
{
	struct payer_tally tally = { 0 };

	for (size_t i = 0; i < table->n_payers; i++) {
		const struct ab_comparison *c =
			payer_moved(&table->payers[i], variant);
		bool different = c && c->verdict == AB_DIFFERENT;

		if (payer_is_rail(&table->payers[i]) != rails)
			continue;
		tally.n++;
		if (c && c->diff > 0)
			add_side(&tally.lost, c->diff, different);
		else if (c && c->diff < 0)
			add_side(&tally.gained, c->diff, different);
	}
	return tally;
}

/* ---- which, and in which order ---- */

/* Differences first, and then what moved most. */
static int compare_ranked(gconstpointer a, gconstpointer b)
{
	const struct payer_ranked *x = a, *y = b;

	if (x->different != y->different)
		return x->different ? -1 : 1;
	/* Losers from the largest on, then winners to the largest. */
	if (x->different && (x->moved > 0) != (y->moved > 0))
		return x->moved > 0 ? -1 : 1;
	if (fabs(x->moved) != fabs(y->moved))
		return fabs(x->moved) > fabs(y->moved) ? -1 : 1;
	return strcmp(x->payer->name, y->payer->name);
}

GArray *payers_rank(const struct ab_report_table *table, size_t variant,
		    bool rails, GCompareFunc compare)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct payer_ranked));

	for (size_t i = 0; i < table->n_payers; i++) {
		const struct ab_report_payer *p = &table->payers[i];
		const struct ab_comparison *c = payer_moved(p, variant);
		struct payer_ranked one = {
			.payer = p,
			.moved = c && isfinite(c->diff) ? c->diff : 0,
			.different = payer_differs(p, variant),
		};

		if (payer_is_rail(p) == rails)
			g_array_append_val(all, one);
	}
	g_array_sort(all, compare);
	return all;
}

/* ---- lines ---- */

struct section {
	const struct ab_report *report;
	const struct ab_report_table *table;
	size_t variant;
	GPtrArray *lines, *groups; /* groups: what lines point to */
	GPtrArray *reasons;	   /* none: a row without percentage says n/a */
};

static void add_row(struct section *s, const struct ab_report_row *row,
		    const char *group, const char *label)
{
	struct ab_metric metric = *row->metric;
	struct ab_report_row named = *row;
	struct line *line;

	metric.group = group;
	if (label)
		metric.label = label;
	named.metric = &metric;
	line = line_make(s->report, s->table, &named, s->variant, s->reasons);
	if (!line->head && strlen(line->cells[LINE_LABEL]) > LONGEST_NAME) {
		line->head = line->cells[LINE_LABEL];
		line->cells[LINE_LABEL] = NULL;
	}
	g_ptr_array_add(s->lines, line);
}

static const char *new_group(struct section *s, char *group)
{
	g_ptr_array_add(s->groups, group);
	return group;
}

static void add_payer(struct section *s, const struct ab_report_payer *payer,
		      const char *group)
{
	for (int pay = 0; pay < AB_PAYS; pay++)
		if (payer->rows[pay].metric)
			add_row(s, &payer->rows[pay], group, NULL);
}

static const char *side_word(double moved)
{
	return moved > 0 ? "Loser" : moved < 0 ? "Winner" : "Changed";
}

static void add_classes(struct section *s, const GArray *ranked)
{
	guint others = 0;

	for (guint i = 0; i < ranked->len; i++) {
		const struct payer_ranked *r =
			&g_array_index(ranked, struct payer_ranked, i);

		if (r->different)
			add_payer(s, r->payer,
				  new_group(s,
					    g_strdup_printf("%s: %s",
							    side_word(r->moved),
							    r->payer->name)));
		else if (payer_moved(r->payer, s->variant) &&
			 others++ < MOST_OTHERS)
			add_row(s, &r->payer->rows[AB_PAY_WAIT],
				"Classes that are not different, largest "
				"change of wait/run",
				r->payer->name);
	}
}

static void add_rails(struct section *s, const GArray *ranked)
{
	guint others = 0;

	for (guint i = 0; i < ranked->len; i++) {
		const struct payer_ranked *r =
			&g_array_index(ranked, struct payer_ranked, i);

		if (r->different || others++ < MOST_OTHERS)
			add_row(s, &r->payer->rows[AB_PAY_ENERGY],
				r->different ? "Different rails, energy/run"
					     : "Rails that are not, largest "
					       "change of energy/run",
				r->payer->name);
	}
}

/* ---- counts ---- */

static void say_side(GString *text, const struct payer_side *side,
		     const char *verb, const char *unit)
{
	g_autofree char *moved = number_signed(
		side->moved, number_decimals(side->moved, side->moved));

	text_item(text, "%u %s", side->n, verb);
	if (side->n)
		text_item(text, "(%s %s; %u different)", moved, unit,
			  side->different);
}

static void say_counts(const struct section *s, bool rails, GString *out)
{
	struct payer_tally t = payer_count(s->table, s->variant, rails);
	g_autoptr(GString) text = g_string_new(NULL);
	const char *unit = rails ? "mJ/run" : "ms/run";

	if (!t.n)
		return;
	text_item(text, "%u %s%s:", t.n, rails ? "rail" : "class",
		  t.n == 1 ? ""
		  : rails  ? "s"
			   : "es");
	say_side(text, &t.lost, rails ? "use more" : "wait longer", unit);
	g_string_append_c(text, ',');
	say_side(text, &t.gained, "less", unit);
	g_string_append_c(text, ',');
	text_item(text, "%u the same.", t.n - t.lost.n - t.gained.n);
	text_wrap(out, text->str, 2, 4);
}

static void say_hidden(const GArray *ranked, bool rails, GString *out)
{
	guint others = 0;
	double plus = 0, minus = 0;

	for (guint i = 0; i < ranked->len; i++) {
		const struct payer_ranked *r =
			&g_array_index(ranked, struct payer_ranked, i);

		if (r->different || others++ < MOST_OTHERS)
			continue;
		if (r->moved > 0)
			plus += r->moved;
		else
			minus += r->moved;
	}
	if (others > MOST_OTHERS) {
		g_autofree char *more =
			number_signed(plus, number_decimals(plus, minus));
		g_autofree char *less =
			number_signed(minus, number_decimals(plus, minus));
		g_autofree char *text = g_strdup_printf(
			"Not printed: %u %s without a difference (%s and %s "
			"%s in all); JSON has them.",
			others - MOST_OTHERS, rails ? "rail(s)" : "class(es)",
			more, less, rails ? "mJ/run" : "ms/run");

		text_wrap(out, text, 2, 4);
	}
}

/* ---- the section ---- */

static void add_head(const struct section *s, GString *out)
{
	g_autoptr(GString) text = g_string_new("Who pays:");

	if (s->table->platform)
		text_item(text, "platform %s,", s->table->platform);
	if (s->table->scenario)
		text_item(text, "%s,", s->table->scenario);
	text_item(text, "%s -> %s", s->report->variants[0],
		  s->report->variants[s->variant]);
	text_wrap(out, text->str, 0, 2);
	say_counts(s, false, out);
	say_counts(s, true, out);
}

static void add_section(struct section *s, GString *out)
{
	g_autoptr(GArray) classes =
		payers_rank(s->table, s->variant, false, compare_ranked);
	g_autoptr(GArray) rails =
		payers_rank(s->table, s->variant, true, compare_ranked);
	size_t widths[LINE_COLUMNS] = { 0 };

	if (s->table->all_classes)
		add_payer(s, s->table->all_classes, "All classes");
	add_classes(s, classes);
	add_rails(s, rails);
	lines_measure(s->lines, widths);
	add_head(s, out);
	lines_print(s->lines, widths, out);
	say_hidden(classes, false, out);
	say_hidden(rails, true, out);
	g_string_append_c(out, '\n');
}

static void say_family(const struct ab_report *report, GString *out)
{
	g_autofree char *text = g_strdup_printf(
		"Verdicts of who pays: %zu tests, false discovery rate of "
		"%g %% (Benjamini and Hochberg) over these alone. A class "
		"that a run does not have waits and runs for 0 ms in it. "
		"Losers wait longer in all, winners less.",
		report->payer_tests, 100 - 100 * report->level);

	text_wrap(out, text, 0, 2);
	g_string_append_c(out, '\n');
}

void payers_text(const struct ab_report *report, GString *out)
{
	bool any = false;

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++) {
			g_autoptr(GPtrArray) lines = lines_new();
			g_autoptr(GPtrArray) groups =
				g_ptr_array_new_with_free_func(g_free);
			g_autoptr(GPtrArray) reasons = g_ptr_array_new();
			struct section s = { report, &report->tables[i],
					     v,	     lines,
					     groups, reasons };

			if (!s.table->n_payers)
				continue;
			add_section(&s, out);
			any = true;
		}
	if (any)
		say_family(report, out);
}
