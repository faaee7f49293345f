// SPDX-License-Identifier: GPL-3.0-or-later
/* The two tabulate styles against the tables of the mailing lists. */
#include "../../harness/report/parts.h"
#include "shared.h"

#include <string.h>

static const struct tab_column psql_columns[] = { { "kernel", false },
						  { "iteration", true },
						  { "value", true } };
static const char *const psql_cells[] = { "pelt_1",   "10", "157.426",
					  "pelt_4",   "10", "85.2713",
					  "a-kernel", "10", "2" };

static void test_psql(void)
{
	struct tab tab = { psql_columns, 3, psql_cells, 3 };
	g_autoptr(GString) out = g_string_new(NULL);

	tab_psql(&tab, out);
	g_assert_cmpstr(out->str, ==,
			"+----------+-------------+----------+\n"
			"| kernel   |   iteration |    value |\n"
			"|----------+-------------+----------|\n"
			"| pelt_1   |          10 | 157.426  |\n"
			"| pelt_4   |          10 |  85.2713 |\n"
			"| a-kernel |          10 |   2      |\n"
			"+----------+-------------+----------+\n");
}

static void test_pretty(void)
{
	struct tab tab = { psql_columns, 3, psql_cells, 3 };
	g_autoptr(GString) out = g_string_new(NULL);

	tab_pretty(&tab, out);
	g_assert_cmpstr(out->str, ==,
			"+----------+-----------+---------+\n"
			"|  kernel  | iteration |  value  |\n"
			"+----------+-----------+---------+\n"
			"|  pelt_1  |    10     | 157.426 |\n"
			"|  pelt_4  |    10     | 85.2713 |\n"
			"| a-kernel |    10     |    2    |\n"
			"+----------+-----------+---------+\n");
}

/* A table of a mail: lines of cells, blanks kept and stripped. */
struct mail_table {
	GPtrArray *lines; /* char **, as printed between the bars */
	bool psql;
};

static char **split_line(const char *line)
{
	/* One author wrote a remark behind a row. */
	g_autofree char *inner =
		g_strndup(line + 1, (size_t)(strrchr(line, '|') - line - 1));

	return g_strsplit(inner, "|", -1);
}

static void mail_table_free(gpointer data)
{
	struct mail_table *table = data;

	g_ptr_array_unref(table->lines);
	g_free(table);
}

static struct mail_table *mail_table_new(void)
{
	struct mail_table *table = g_new0(struct mail_table, 1);

	table->lines = g_ptr_array_new_with_free_func(
		(GDestroyNotify)(void (*)(void))g_strfreev);
	return table;
}

/* All tables of @text; a table ends with a line that is not part of one. */
static GPtrArray *mail_tables(const char *text)
{
	GPtrArray *tables = g_ptr_array_new_with_free_func(mail_table_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct mail_table *table = NULL;

	for (char **line = lines; *line; line++) {
		bool rule = g_str_has_prefix(*line, "+-");
		bool bar = **line == '|' && strchr(*line + 1, '|');

		if (!rule && !bar) {
			table = NULL;
			continue;
		}
		if (!table) {
			table = mail_table_new();
			g_ptr_array_add(tables, table);
		}
		if (g_str_has_prefix(*line, "|-"))
			table->psql = true;
		else if (bar)
			g_ptr_array_add(table->lines, split_line(*line));
	}
	return tables;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "-.0123456789") == strlen(text);
}

/* Render the table anew from its stripped cells. */
static struct mail_table *render(const struct mail_table *table)
{
	size_t n = g_strv_length(table->lines->pdata[0]);
	g_autofree struct tab_column *columns = g_new0(struct tab_column, n);
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	struct tab tab = { columns, n, NULL, table->lines->len - 1 };
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) again = NULL;
	struct mail_table *rendered;

	for (guint i = 0; i < table->lines->len; i++) {
		char **line = table->lines->pdata[i];

		g_assert_cmpuint(g_strv_length(line), ==, n);
		for (size_t k = 0; k < n; k++)
			g_ptr_array_add(cells, g_strstrip(g_strdup(line[k])));
	}
	for (size_t k = 0; k < n; k++) {
		columns[k].header = cells->pdata[k];
		columns[k].number = is_number(cells->pdata[n + k]);
	}
	tab.cells = (const char *const *)cells->pdata + n;
	if (table->psql)
		tab_psql(&tab, out);
	else
		tab_pretty(&tab, out);
	again = mail_tables(out->str);
	g_assert_cmpuint(again->len, ==, 1);
	rendered = g_ptr_array_steal_index(again, 0);
	return rendered;
}

/*
 * Only columns of names may differ: authors shortened names after the tables
 * were made (the longer ones had set the width), or centred them by hand, as
 * they did with some headings.
 */
static void assert_name_column(const char *header)
{
	static const char *const names[] = { "kernel", "wa_path", "chan_name",
					     "channel", NULL };
	g_autofree char *name = g_strstrip(g_strdup(header));

	g_assert_true(g_strv_contains(names, name));
}

static void count_cells(const struct mail_table *table, int *same, int *all)
{
	struct mail_table *again = render(table);

	for (guint i = 0; i < table->lines->len; i++) {
		char **was = table->lines->pdata[i];
		char **is = again->lines->pdata[i];

		for (size_t k = 0; was[k]; k++) {
			++*all;
			if (strcmp(was[k], is[k]) == 0)
				++*same;
			else if (i > 0)
				assert_name_column(
					((char **)table->lines->pdata[0])[k]);
		}
	}
	mail_table_free(again);
}

/* Each file: how many cells come out as printed, of how many. */
static void test_mails(void)
{
	static const struct {
		const char *file;
		int same, all;
	} files[] = {
		{ "2022-09-29-puchalski-pelt.txt", 32, 44 },
		{ "2022-11-10-puchalski-pelt-rampup.txt", 50, 75 },
		{ "2023-01-18-eggemann-util_est_faster.txt", 50, 75 },
		{ "2023-02-07-eggemann-scaled.txt", 104, 110 },
		{ "2023-09-25-luba-em-v4.txt", 67, 75 },
		{ "2023-eggemann-runnable-boost.txt", 63, 66 },
		{ "2024-04-machado-eevdf-complete.txt", 153, 153 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *name = g_build_filename("data/lkml-tables",
							 files[i].file, NULL);
		g_autofree char *text = shared_text(name);
		g_autoptr(GPtrArray) tables = NULL;
		int same = 0, all = 0;

		if (!text)
			return;
		tables = mail_tables(text);
		for (guint k = 0; k < tables->len; k++)
			count_cells(tables->pdata[k], &same, &all);
		g_assert_cmpint(all, ==, files[i].all);
		g_assert_cmpint(same, ==, files[i].same);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tabulate/psql", test_psql);
	g_test_add_func("/tabulate/pretty", test_pretty);
	g_test_add_func("/tabulate/mails", test_mails);
	return g_test_run();
}
