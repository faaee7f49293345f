// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Thirty rows that drift are one paragraph: a report is read by people.  JSON
 * has all notes.
 */
#include "notes.h"

#define MOST 3 /* rows of a kind that are printed */

/* A note and the row that it is of. */
struct item {
	const struct ab_note *note;
	const struct ab_report_row *row;
	const struct ab_report_table *table;
	size_t variant;
};

/*
 * What is seen by several comparisons, or metrics of the same samples, is told
 * once.
 */
static char *key_of(const struct item *item)
{
	bool baseline = item->note->variant == 0;
	const char *what = item->note->kind == AB_NOTE_MODES_SAMPLES
				   ? item->row->metric->source
				   : item->row->metric->id;

	return g_strdup_printf("%d %p %s %zu", (int)item->note->kind,
			       (const void *)item->table, what,
			       baseline ? 0 : item->variant);
}

static void add_row(const struct item *at, GHashTable *seen, GArray *items)
{
	const struct ab_notes *notes = &at->row->notes[at->variant - 1];

	for (size_t i = 0; i < notes->n; i++) {
		struct item item = *at;

		item.note = &notes->notes[i];
		if (item.note->noticed && g_hash_table_add(seen, key_of(&item)))
			g_array_append_val(items, item);
	}
}

/* All that were noticed, in the order of the tables. */
static GArray *find_items(const struct ab_report *report)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GArray *items = g_array_new(FALSE, FALSE, sizeof(struct item));

	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t v = 1; v < report->n_variants; v++)
			for (size_t k = 0; k < report->tables[i].n_rows; k++) {
				struct item at = {
					.table = &report->tables[i],
					.row = &report->tables[i].rows[k],
					.variant = v,
				};

				if (at.row->notes)
					add_row(&at, seen, items);
			}
	return items;
}

static int compare_items(gconstpointer a, gconstpointer b)
{
	const struct item *x = a, *y = b;

	if (x->note->p != y->note->p)
		return x->note->p < y->note->p ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->variant < y->variant ? -1 : 1;
}

static void say_item(const struct ab_report *report, const struct item *item,
		     GString *text)
{
	const struct ab_metric *metric = item->row->metric;
	g_autofree char *brief = ab_note_brief(item->note, metric);

	text_item(text, "%s %s", metric->group, metric->label);
	if (report->n_tables > 1 && item->table->scenario)
		text_item(text, "(%s)", item->table->scenario);
	if (item->note->variant != AB_NOTE_BOTH)
		text_item(text, "in %s", report->variants[item->note->variant]);
	else if (report->n_variants > 2)
		text_item(text, "with %s", report->variants[item->variant]);
	g_string_append_printf(text, ": %s", brief);
}

static void add_kind(const struct ab_report *report, const GArray *items,
		     enum ab_note_kind kind, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint said = 0, more = 0;

	g_string_append_printf(text, "Noticed: %s:", ab_note_title(kind));
	for (guint i = 0; i < items->len; i++) {
		const struct item *item = &g_array_index(items, struct item, i);

		if (item->note->kind != kind)
			continue;
		if (said == MOST) {
			more++;
			continue;
		}
		if (said++ > 0)
			g_string_append_c(text, '.');
		say_item(report, item, text);
	}
	if (more > 0)
		g_string_append_printf(text, "; and %u more, see JSON", more);
	g_string_append_c(text, '.');
	if (said > 0)
		text_wrap(out, text->str, 0, 2);
}

void notes_footnotes(const struct ab_report *report, GString *out)
{
	g_autoptr(GArray) items = find_items(report);

	g_array_sort(items, compare_items);
	for (int kind = 0; kind < AB_NOTE_KINDS; kind++)
		add_kind(report, items, (enum ab_note_kind)kind, out);
}
