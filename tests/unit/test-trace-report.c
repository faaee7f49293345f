// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What one trace says, against golden files in tests/data/trace-report.  With
 * ABRIG_UPDATE_GOLDEN=1 these are written: look at the difference before
 * committing it.
 */
#include "../../harness/report/parts.h"

#include <abrig/trace_report.h>
#include <math.h>
#include <string.h>

static const struct ab_column work_columns[] = {
	{ "function", "function", "", AB_CELL_TEXT, 0 },
	{ "workqueue", "workqueue", "", AB_CELL_TEXT, 0 },
	{ "items", "items", "", AB_CELL_COUNT, 0 },
	{ "wait_mean_us", "CPU wait mean", "us", AB_CELL_NUMBER, 3 },
	{ "wait_max_us", "CPU wait max", "us", AB_CELL_NUMBER, 3 },
	{ "run_mean_us", "run time mean", "us", AB_CELL_NUMBER, 1 },
	{ "run_max_us", "run time max", "us", AB_CELL_NUMBER, 1 },
	{ "last_ns", "last start", "ns", AB_CELL_COUNT, 0 },
};

static const struct ab_column plain_columns[] = {
	{ "cpu", "CPU", "", AB_CELL_COUNT, 0 },
	{ "note", "note", "", AB_CELL_TEXT, 0 },
};

static void add_work(struct ab_table *t, const char *function,
		     const char *workqueue, gint64 items, double us)
{
	ab_table_text(t, function);
	ab_table_text(t, workqueue);
	ab_table_count(t, items);
	ab_table_number(t, us);
	ab_table_number(t, us * 10);
	ab_table_number(t, us / 3);
	ab_table_number(t, us * 4);
	ab_table_count(t, G_MAXINT64 - items);
}

static struct ab_table *work_table(guint more)
{
	struct ab_table *t = ab_table_new("work", "Work items", work_columns,
					  G_N_ELEMENTS(work_columns));

	add_work(t, "pm_runtime_work", "pm", 3740, 139.1);
	add_work(t, "a_function_of_a_name_that_no_column_can_hold_in_one_line",
		 "events, \"unbound\"", 0, NAN);
	add_work(t, "\033[31mh\xc3\xb6stile\n", "=1+1", 2, 0.0005);
	for (guint i = 0; i < more; i++)
		add_work(t, "flush_to_ldisc", "events", i, i);
	return t;
}

struct sample {
	struct ab_trace_report report;
	struct ab_run_data *data;
	GArray *metrics;
	GPtrArray *tables, *unknown, *files;
};

static void free_table(gpointer table)
{
	ab_table_free(table);
}

static void sample_init(struct sample *s)
{
	s->data = ab_run_data_new();
	s->metrics = g_array_new(FALSE, FALSE, sizeof(struct ab_metric_value));
	s->tables = g_ptr_array_new_with_free_func(free_table);
	s->unknown = g_ptr_array_new();
	s->files = g_ptr_array_new();
	s->report = (struct ab_trace_report){
		.file = "out/a trace.pftrace",
		.format = "Perfetto",
		.cpus = 8,
		.packets = 4321,
		.events = 1234567,
		.begin_ns = G_GINT64_CONSTANT(9007199254740993),
		.end_ns = G_GINT64_CONSTANT(9007219254740993),
		.data = s->data,
		.metrics = s->metrics,
		.tables = s->tables,
		.unknown_events = s->unknown,
		.files = s->files,
	};
}

static void sample_clear(struct sample *s)
{
	ab_run_data_free(s->data);
	g_array_unref(s->metrics);
	g_ptr_array_unref(s->tables);
	g_ptr_array_unref(s->unknown);
	g_ptr_array_unref(s->files);
}

static void add_metric(struct sample *s, const char *id, double value, gint64 n)
{
	const struct ab_metric_value m = { ab_metric_find(id), value, n };

	g_assert_nonnull(m.metric);
	g_array_append_val(s->metrics, m);
}

static void check_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		size_t n = strlen(*line);

		g_assert_cmpuint(n, <=, TEXT_TABLE_WIDTH);
		g_assert_true(n == 0 || (*line)[n - 1] != ' ');
		for (const char *p = *line; *p; p++)
			g_assert_true(g_ascii_isprint(*p));
	}
}

static void check_golden(const char *text, const char *name)
{
	const char *root = g_getenv("ABRIG_TEST_DATA");
	g_autofree char *path = g_build_filename(root ? root : "tests/data",
						 "trace-report", name, NULL);
	g_autofree char *expected = NULL;
	g_autoptr(GError) error = NULL;

	if (g_getenv("ABRIG_UPDATE_GOLDEN"))
		g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
	g_file_get_contents(path, &expected, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(text, ==, expected);
}

static void check_format(const struct ab_trace_format *format,
			 const struct ab_trace_report *report, const char *name)
{
	g_autoptr(GString) out = g_string_new(NULL);

	format->write(report, out);
	if (format == &ab_trace_format_page)
		check_lines(out->str);
	check_golden(out->str, name);
}

static const struct ab_quality_count fine[] = {
	{ "overrun", "kernel events overwritten", "a buffer was full", true,
	  0 },
	{ "unpaired", "unpaired events", "at the trace's ends", false, 0 },
};
static const struct ab_quality_count remark[] = {
	{ "overrun", "kernel events overwritten", "a buffer was full", true,
	  0 },
	{ "unpaired", "unpaired events", "at the trace's ends", false, 2 },
};
static const struct ab_quality_count lost[] = {
	{ "overrun", "kernel events overwritten",
	  "a CPU's buffer was full before it was read: make it larger or "
	  "trace fewer events",
	  true, 1234567 },
	{ "unpaired", "unpaired events", "at the trace's ends", false, 2 },
};

static void test_fine(void)
{
	struct sample s;

	sample_init(&s);
	s.report.quality = fine;
	s.report.n_quality = G_N_ELEMENTS(fine);
	s.report.kernel = "6.12.30-android16-5";
	s.report.kernel_version = "#1 SMP PREEMPT";
	s.report.fingerprint = "google/oriole/oriole:16/userdebug";
	s.report.window_marked = true;
	add_metric(&s, "pm_runtime_work.cpu_wait.mean", 139.1, 3740);
	add_metric(&s, "pm_runtime_work.cpu_wait.ge_2ms", 3, 3740);
	add_metric(&s, "frames.app_missed", 12, -1);
	ab_run_data_set(s.data, "frames.app_missed", 12);
	ab_run_data_set(s.data, "trace_power.S1M_VDD_CPU", 163.52718);
	g_ptr_array_add(s.tables, work_table(20));
	g_ptr_array_add(s.tables, ab_table_new("cpus", "CPUs", plain_columns,
					       G_N_ELEMENTS(plain_columns)));
	check_format(&ab_trace_format_page, &s.report, "fine.txt");
	check_format(&ab_trace_format_json, &s.report, "fine.json");
	check_format(&ab_trace_format_csv, &s.report, "fine.csv");
	sample_clear(&s);
}

static void test_lost(void)
{
	struct ab_samples_file file = { (char *)"dir/a.work.csv", "work",
					1234 };
	struct sample s;

	sample_init(&s);
	s.report.file = "a, lost\ttrace";
	s.report.quality = lost;
	s.report.n_quality = G_N_ELEMENTS(lost);
	s.report.loss_in_window = true;
	s.report.window_given = true;
	s.report.cpus = 0;
	g_ptr_array_add(s.unknown, (char *)"sched/sched_blocked_reason");
	g_ptr_array_add(s.files, &file);
	ab_run_data_withhold(s.data, "work_items", "lost on CPU 3");
	ab_run_data_withhold(s.data, "frames.total", "no frames");
	ab_run_data_withhold(s.data, "pm_runtime_work.cpu_wait",
			     "lost on CPU 3");
	ab_run_data_set(s.data, "odd", NAN);
	check_format(&ab_trace_format_page, &s.report, "lost.txt");
	check_format(&ab_trace_format_json, &s.report, "lost.json");
	check_format(&ab_trace_format_csv, &s.report, "lost.csv");
	sample_clear(&s);
}

static void test_verdicts(void)
{
	static const struct {
		const struct ab_quality_count *quality;
		const char *word;
		bool in_window;
	} cases[] = {
		{ fine, "nothing was lost or damaged, all was understood",
		  false },
		{ remark, "nothing was lost or damaged\n", false },
		{ lost, "data is missing, none that is known", false },
		{ lost, "DATA IS MISSING in the window\n", true },
		{ fine, "DATA IS MISSING in the window\n", true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		struct sample s;

		sample_init(&s);
		s.report.quality = cases[i].quality;
		s.report.n_quality = 2;
		s.report.loss_in_window = cases[i].in_window;
		ab_trace_format_page.write(&s.report, out);
		g_assert_nonnull(strstr(out->str, cases[i].word));
		sample_clear(&s);
	}
}

static void test_error(void)
{
	const struct ab_trace_report report = {
		.file = "x",
		.error = "x: the decoder crashed (signal 11, \"fault\")",
	};

	g_autoptr(GString) out = g_string_new(NULL);

	ab_trace_format_page.write(&report, out);
	g_assert_cmpstr(out->str, ==, "");
	check_format(&ab_trace_format_json, &report, "error.json");
	check_format(&ab_trace_format_csv, &report, "error.csv");
}

static JsonNode *parsed(JsonParser *parser, const GString *text)
{
	g_autoptr(GError) error = NULL;

	json_parser_load_from_data(parser, text->str, (gssize)text->len,
				   &error);
	g_assert_no_error(error);
	return json_parser_get_root(parser);
}

/* 64 bits survive, what is not finite is null, and files make one document. */
static void test_json_values(void)
{
	const struct ab_trace_format *format = &ab_trace_format_json;
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GString) out = g_string_new(format->head);
	JsonObject *root, *file, *table;
	JsonArray *row;
	struct sample s;

	sample_init(&s);
	s.report.file = "b\377d";
	g_ptr_array_add(s.tables, work_table(0));
	format->write(&s.report, out);
	g_string_append(out, format->between);
	format->write(&s.report, out);
	g_string_append(out, format->tail);
	root = json_node_get_object(parsed(parser, out));
	g_assert_cmpint(json_object_get_int_member(root, "version"), ==, 1);
	g_assert_cmpuint(json_array_get_length(
				 json_object_get_array_member(root, "files")),
			 ==, 2);
	file = json_array_get_object_element(
		json_object_get_array_member(root, "files"), 1);
	g_assert_cmpstr(json_object_get_string_member(file, "file"), ==,
			"b\xef\xbf\xbd"
			"d");
	g_assert_cmpint(json_object_get_int_member(
				json_object_get_object_member(file, "window"),
				"begin_ns"),
			==, s.report.begin_ns);
	table = json_object_get_object_member(
		json_object_get_object_member(file, "tables"), "work");
	row = json_array_get_array_element(
		json_object_get_array_member(table, "rows"), 1);
	g_assert_true(json_array_get_null_element(row, 3));
	g_assert_cmpint(json_array_get_int_element(row, 7), ==, G_MAXINT64);
	sample_clear(&s);
}

static void test_wide_csv(void)
{
	ab_autoptr(ab_table) t = work_table(0);
	g_autoptr(GString) out = g_string_new(NULL);

	ab_table_csv(t, out);
	check_golden(out->str, "wide.csv");
}

/* A table of one column, and of columns wider than the page. */
static void test_narrow(void)
{
	static const struct ab_column one[] = {
		{ "n", "n", "", AB_CELL_COUNT, 0 },
	};
	static const struct ab_column words[] = {
		{ "a", "a", "", AB_CELL_TEXT, 0 },
		{ "b", "b", "", AB_CELL_TEXT, 0 },
		{ "c", "c", "", AB_CELL_TEXT, 0 },
	};
	ab_autoptr(ab_table) t = ab_table_new("t", "T", one, 1);
	ab_autoptr(ab_table) w = ab_table_new("w", "W", words, 3);
	g_autoptr(GString) out = g_string_new(NULL);

	ab_table_count(t, G_MININT64);
	text_cells(t, TEXT_TABLE_WIDTH, out);
	g_assert_cmpstr(out->str, ==,
			"T\n                           n\n"
			"  -9,223,372,036,854,775,808\n");
	g_string_truncate(out, 0);
	for (int i = 0; i < 3; i++)
		ab_table_text(w, "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww");
	text_cells(w, TEXT_TABLE_WIDTH, out);
	check_lines(out->str);
	g_assert_cmpstr(out->str, ==,
			"W\n"
			"  a                                        b\n"
			"  wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww  "
			"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\n"
			"\n"
			"  a                                        c\n"
			"  wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww  "
			"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-report/fine", test_fine);
	g_test_add_func("/trace-report/lost", test_lost);
	g_test_add_func("/trace-report/verdicts", test_verdicts);
	g_test_add_func("/trace-report/error", test_error);
	g_test_add_func("/trace-report/json-values", test_json_values);
	g_test_add_func("/trace-report/wide-csv", test_wide_csv);
	g_test_add_func("/trace-report/narrow", test_narrow);
	return g_test_run();
}
