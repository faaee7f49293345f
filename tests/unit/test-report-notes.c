// SPDX-License-Identifier: GPL-3.0-or-later
/* What is noticed about the data, as reports say it. */
#include "../../harness/report/notes.h"

#include <math.h>
#include <string.h>

#define ROWS 6

/* ROWS rows of one table, each with two notes per variant. */
struct example {
	struct ab_report report;
	struct ab_report_table table;
	struct ab_report_row rows[ROWS];
	struct ab_notes notes[ROWS][2];
	struct ab_note each[ROWS][2][2];
	struct ab_note_place place;
};

static char *names[] = { "base", "one", "two", NULL };

static struct ab_note note_of(enum ab_note_kind kind, double p)
{
	return (struct ab_note){
		.kind = kind,
		.variant = AB_NOTE_BOTH,
		.p = p,
		.size = 1.25,
		.size_pct = NAN,
		.range = 8,
		.q = NAN,
		.robust = NAN,
		.adjusted = { NAN, NAN, NAN, NAN, NAN, NAN, NULL, 0 },
	};
}

static void fill_row(struct example *e, int i)
{
	e->rows[i] = (struct ab_report_row){ .metric = &ab_metrics[i],
					     .notes = e->notes[i] };
	for (int v = 0; v < 2; v++) {
		struct ab_note *notes = e->each[i][v];

		notes[0] = note_of(AB_NOTE_TREND_TIME, 1e-3 / (i + 1));
		notes[0].adjusted = (struct ab_note_adjusted){
			-3, -5, -1, -10, -15, -5, "block values", 8
		};
		notes[1] = note_of(AB_NOTE_OUTLIERS, 0.5);
		e->notes[i][v] = (struct ab_notes){ notes, 2 };
	}
}

static struct example *example_new(void)
{
	struct example *e = g_new0(struct example, 1);

	for (int i = 0; i < ROWS; i++)
		fill_row(e, i);
	e->table = (struct ab_report_table){ .platform = "A",
					     .scenario = "shade",
					     .rows = e->rows,
					     .n_rows = ROWS };
	e->report = (struct ab_report){ .variants = names,
					.n_variants = 2,
					.tables = &e->table,
					.n_tables = 1 };
	return e;
}

/* Without the line breaks of its paragraphs. */
static char *footnotes_of(const struct example *e)
{
	g_autoptr(GString) out = g_string_new(NULL);

	notes_footnotes(&e->report, out);
	g_string_replace(out, "\n ", "", 0);
	return g_strdup(out->str);
}

/* Three rows with the smallest p stand for all. */
static void test_grouped(void)
{
	g_autofree struct example *e = example_new();
	g_autofree char *none = footnotes_of(e);
	g_autofree char *text = NULL;
	g_autofree char *last =
		g_strdup_printf("%s %s", ab_metrics[ROWS - 1].group,
				ab_metrics[ROWS - 1].label);

	g_assert_cmpstr(none, ==, "");
	for (int i = 0; i < ROWS; i++)
		e->each[i][0][0].noticed = true;
	text = footnotes_of(e);
	g_assert_true(g_str_has_prefix(text, "Noticed: drift over time: "));
	g_assert_nonnull(strstr(text, "3 more, see JSON."));
	g_assert_nonnull(strstr(text, last));
	g_assert_null(strstr(text, "outliers"));
}

/* The baseline's outliers are the same in both comparisons. */
static void test_told_once(void)
{
	g_autofree struct example *e = example_new();
	g_autofree char *text = NULL;

	e->report.n_variants = 3;
	for (int v = 0; v < 2; v++) {
		struct ab_note *note = &e->each[0][v][1];

		note->noticed = true;
		note->variant = 0;
		note->runs = 1;
		note->n = 40;
	}
	text = footnotes_of(e);
	g_assert_nonnull(strstr(text, "in base: 1 of 40 runs"));
	g_assert_null(strstr(strstr(text, "in base") + 1, "in base"));
}

static char *json_of(const struct example *e, const struct ab_notes *notes)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	GString *out = g_string_new(NULL);

	json_begin(b, NULL, false);
	notes_json(b, &e->report, notes);
	json_builder_end_object(b);
	json_finish(b, false, out);
	return g_string_free(out, FALSE);
}

static void test_json(void)
{
	g_autofree struct example *e = example_new();
	struct ab_note *note = &e->each[0][0][1];
	g_autofree char *none = json_of(e, &e->notes[0][0]);
	g_autofree char *text = NULL;

	g_assert_cmpstr(none, ==, "{\"noticed\":[]}");
	e->place = (struct ab_note_place){ 1, 2, 3, 4, -1, 5, 6 };
	note->noticed = true;
	note->variant = 1;
	note->boots = 1;
	note->places = &e->place;
	note->n_places = 1;
	text = json_of(e, &e->notes[0][0]);
	g_assert_cmpstr(
		text, ==,
		"{\"noticed\":[{\"kind\":\"outliers\",\"variant\":\"one\","
		"\"noticed\":true,\"p\":0.5,\"size\":1.25,\"size_pct\":null,"
		"\"n\":0,\"runs\":0,\"boots\":1,\"hodges_lehmann\":null,"
		"\"places\":[{\"variant\":\"one\",\"device\":2,\"block\":3,"
		"\"session\":4,\"value\":5.0,\"score\":6.0}]}]}");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/report-notes/grouped", test_grouped);
	g_test_add_func("/report-notes/told-once", test_told_once);
	g_test_add_func("/report-notes/json", test_json);
	return g_test_run();
}
