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
	bool psql, pivot;
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

static char *stripped(const char *cell)
{
	return g_strstrip(g_strdup(cell));
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "-.,0123456789") == strlen(text);
}

/* Authors shortened these after the tables were made; widths remained. */
static bool is_name_column(const char *header)
{
	static const char *const names[] = { "kernel", "wa_path", "chan_name",
					     "channel", NULL };

	return g_strv_contains(names, header);
}

/* As wide as the column was printed, in psql beyond what its header needs. */
static char *filler(const struct mail_table *table, size_t column)
{
	char **header = table->lines->pdata[0];

	return g_strnfill(strlen(header[column]) - 2, 'x');
}

/*
 * Render the table anew from its stripped cells, and below them a row of names
 * as long as those that once made the columns of names as wide as they are.
 */
static struct mail_table *render(const struct mail_table *table)
{
	size_t n = g_strv_length(table->lines->pdata[0]);
	g_autofree struct tab_column *columns = g_new0(struct tab_column, n);
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	struct tab tab = { columns, n, NULL, table->lines->len };
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) again = NULL;
	struct mail_table *rendered;

	for (guint i = 0; i < table->lines->len; i++) {
		char **line = table->lines->pdata[i];

		g_assert_cmpuint(g_strv_length(line), ==, n);
		for (size_t k = 0; k < n; k++)
			g_ptr_array_add(cells, stripped(line[k]));
	}
	for (size_t k = 0; k < n; k++) {
		columns[k].header = cells->pdata[k];
		columns[k].number = is_number(cells->pdata[n + k]);
		g_ptr_array_add(cells, is_name_column(cells->pdata[k])
					       ? filler(table, k)
					       : g_strdup(""));
	}
	tab.cells = (const char *const *)cells->pdata + n;
	if (table->psql)
		tab_psql(&tab, out);
	else if (table->pivot)
		tab_pivot(&tab, out);
	else
		tab_pretty(&tab, out);
	again = mail_tables(out->str);
	g_assert_cmpuint(again->len, ==, 1);
	rendered = g_ptr_array_steal_index(again, 0);
	return rendered;
}

/* Adds to @edited what does not come out as printed; returns all cells. */
static int compare_cells(const struct mail_table *table, GPtrArray *edited)
{
	struct mail_table *again = render(table);
	int all = 0;

	for (guint i = 0; i < table->lines->len; i++) {
		char **was = table->lines->pdata[i];
		char **is = again->lines->pdata[i];

		for (size_t k = 0; was[k]; k++, all++)
			if (strcmp(was[k], is[k]) != 0)
				g_ptr_array_add(edited, stripped(was[k]));
	}
	mail_table_free(again);
	return all;
}

static const struct mail {
	const char *file;
	int cells;
	/* All that authors moved within the cell, by hand or by a shorter name
	   than the one that the table was made with, each as often as it is. */
	const char *edited;
} mails[] = {
	{ "2022-09-29-puchalski-pelt.txt", 44, "" },
	{ "2022-11-10-puchalski-pelt-rampup.txt", 75,
	  "menu menu_pelt_4 menu menu_pelt_4 menu menu_pelt_4 "
	  "menu menu_pelt_4" },
	{ "2023-01-18-eggemann-util_est_faster.txt", 75,
	  "base base base base" },
	{ "2023-02-07-eggemann-scaled.txt", 110,
	  "kernel value kernel kernel kernel value" },
	{ "2023-09-25-luba-em-v4.txt", 75,
	  "EM_default EM_default EM_default EM_default EM_default" },
	{ "2023-eggemann-runnable-boost.txt", 66, "kernel value kernel" },
	{ "2024-04-machado-eevdf-complete.txt", 153, "" },
};

static void check_mail(const struct mail *mail, const char *text)
{
	g_autoptr(GPtrArray) tables = mail_tables(text);
	g_autoptr(GPtrArray) edited = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *names = NULL;
	int all = 0;

	for (guint k = 0; k < tables->len; k++)
		all += compare_cells(tables->pdata[k], edited);
	g_ptr_array_add(edited, NULL);
	names = g_strjoinv(" ", (char **)edited->pdata);
	g_assert_cmpstr(names, ==, mail->edited);
	g_assert_cmpint(all, ==, mail->cells);
}

/* All cells of all tables come out as printed, but for those named above. */
static void test_mails(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(mails); i++) {
		g_autofree char *name = g_build_filename("data/lkml-tables",
							 mails[i].file, NULL);
		g_autofree char *text = shared_text(name);

		if (!text)
			return;
		g_test_message("%s", mails[i].file);
		check_mail(&mails[i], text);
	}
}

/* The client that sent it broke lines at blanks, which it dropped. */
static void test_pivot(void)
{
	g_autofree char *text = shared_text(
		"data/lkml-tables/2022-10-03-wang-pixel6a-uibench.txt");
	g_autoptr(GPtrArray) tables = NULL;
	g_autoptr(GPtrArray) edited = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = NULL;
	g_autofree char *whole = NULL;
	g_autofree char *number = number_text(6204, 2);

	if (!text)
		return;
	parts = g_strsplit(text, "|\n  ", -1);
	whole = g_strjoinv("|   ", parts);
	g_strfreev(parts);
	parts = g_strsplit(whole, "|\n7", -1);
	g_free(whole);
	whole = g_strjoinv("| 7", parts);
	tables = mail_tables(whole);
	g_assert_cmpuint(tables->len, ==, 1);
	((struct mail_table *)tables->pdata[0])->pivot = true;
	g_assert_cmpint(compare_cells(tables->pdata[0], edited), ==, 18);
	g_assert_cmpuint(edited->len, ==, 0);
	g_assert_cmpstr(number, ==, "6,204.00");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tabulate/psql", test_psql);
	g_test_add_func("/tabulate/pretty", test_pretty);
	g_test_add_func("/tabulate/mails", test_mails);
	g_test_add_func("/tabulate/pivot", test_pivot);
	return g_test_run();
}
