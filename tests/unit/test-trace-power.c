// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Power: the 16 rails of a real phone as an independent reader has them, the
 * battery's counters as Perfetto's trace processor has them, and traces
 * written here with answers worked out by hand.
 */
#include <json-glib/json-glib.h>

#include "../../harness/trace/power.h"
#include "shared.h"
#include "trace_tables.h"
#include "trace_writer.h"

#define CAPTURE "data/perfetto/androidx-api32_startup_warm.perfetto-trace"

/* ---- a real phone's rails ---- */

static const struct ab_rail_sum *find_rail(const struct ab_trace *trace,
					   const GArray *sums, const char *name)
{
	guint i;

	for (i = 0; i < sums->len; i++) {
		const struct ab_rail_sum *sum =
			&g_array_index(sums, struct ab_rail_sum, i);

		if (!strcmp(ab_trace_text(trace, sum->name), name))
			return sum;
	}
	g_assert_not_reached();
}

static void compare_rail(const struct ab_trace *trace, const GArray *sums,
			 JsonObject *golden)
{
	const struct ab_rail_sum *sum = find_rail(
		trace, sums, json_object_get_string_member(golden, "rail"));

	g_assert_cmpstr(ab_trace_text(trace, sum->subsystem), ==,
			json_object_get_string_member(golden, "subsys"));
	g_assert_cmpfloat(sum->energy_uws, ==,
			  (double)json_object_get_int_member(golden,
							     "delta_uWs"));
	g_assert_cmpint(sum->covered_ns, ==,
			json_object_get_int_member(golden, "delta_ms") *
				1000000);
	g_assert_cmpfloat_with_epsilon(
		ab_rail_mw(sum), json_object_get_double_member(golden, "mW"),
		0.0005);
	/* The first two samples of all rails are one refresh of the meter. */
	g_assert_cmpuint(sum->samples, ==,
			 json_object_get_int_member(golden, "samples") - 1);
	g_assert_cmpuint(sum->resets, ==, 0);
}

/* All 16 rails; "rails" of the first of two captures. */
static JsonObject *golden_rails(JsonParser *parser, const char *text)
{
	GError *error = NULL;
	JsonArray *files;

	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	files = json_node_get_array(json_parser_get_root(parser));
	return json_object_get_object_member(
		json_array_get_object_element(files, 0), "rails");
}

static void test_golden(void)
{
	/* The whole trace, also before all CPUs are covered. */
	static const struct ab_trace_window whole = { 0, G_MAXINT64 };
	g_autofree char *text = shared_text("data/perfetto/GOLDEN.json");
	g_autofree char *path = shared_path(CAPTURE);
	g_autoptr(JsonParser) parser = json_parser_new();
	ab_autoptr(ab_trace) trace = NULL;
	g_autoptr(GList) members = NULL;
	g_autoptr(GArray) sums = NULL;
	GError *error = NULL;
	JsonObject *rails;
	GList *at;

	if (!text || !path)
		return;
	rails = golden_rails(parser, text);
	members = json_object_get_members(rails);
	g_assert_cmpuint(g_list_length(members), ==, 16);
	trace = ab_trace_open(path, &whole, NULL, &error);
	g_assert_no_error(error);
	sums = ab_rail_sums(trace);
	g_assert_cmpuint(sums->len, ==, 16);
	for (at = members; at; at = at->next)
		compare_rail(trace, sums,
			     json_object_get_object_member(rails, at->data));
}

/* ---- batteries of the oracle ---- */

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "BAT1." of "batt.BAT1.charge_uah". */
static char *prefix_of(const struct ab_trace *trace,
		       const struct ab_battery_sample *s)
{
	const char *name = ab_trace_text(trace, s->name);

	return *name ? g_strdup_printf("%s.", name) : g_strdup("");
}

static GPtrArray *our_rows(const struct ab_trace *trace)
{
	static const char *const names[AB_COUNTERS] = {
		"capacity_pct",	  "charge_uah", "current_ua",
		"current.avg_ua", "voltage_uv", "power_mw",
	};
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	double value;
	guint i, j;

	for (i = 0; i < trace->battery->len; i++) {
		const struct ab_battery_sample *s = &g_array_index(
			trace->battery, struct ab_battery_sample, i);
		g_autofree char *prefix = prefix_of(trace, s);

		for (j = 0; j < AB_COUNTERS; j++)
			if (ab_battery_value(s, j, &value))
				g_ptr_array_add(
					rows,
					g_strdup_printf("%" G_GINT64_FORMAT
							",%.6f,\"batt.%s%s\"",
							s->ts, value, prefix,
							names[j]));
	}
	g_ptr_array_sort(rows, by_text);
	return rows;
}

static GPtrArray *oracle_rows(const char *text)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint i;

	for (i = 1; lines[0] && lines[i]; i++)
		if (*g_strchomp(lines[i]))
			g_ptr_array_add(rows, g_strdup(lines[i]));
	g_ptr_array_sort(rows, by_text);
	return rows;
}

static void compare_battery(const char *trace_path, const char *csv_path)
{
	g_autofree char *text = NULL;
	ab_autoptr(ab_trace) trace = NULL;
	g_autoptr(GPtrArray) ours = NULL;
	g_autoptr(GPtrArray) theirs = NULL;
	GError *error = NULL;
	guint i;

	/* No file: no row. */
	if (!g_file_get_contents(csv_path, &text, NULL, NULL))
		text = g_strdup("");
	trace = ab_trace_open(trace_path, NULL, NULL, &error);
	g_assert_no_error(error);
	ours = our_rows(trace);
	theirs = oracle_rows(text);
	for (i = 0; i < MIN(ours->len, theirs->len); i++)
		g_assert_cmpstr(ours->pdata[i], ==, theirs->pdata[i]);
	g_assert_cmpuint(ours->len, ==, theirs->len);
}

static void test_battery_capture(void)
{
	g_autofree char *trace = shared_path(CAPTURE);
	g_autofree char *csv = NULL;

	if (!trace)
		return;
	csv = shared_path("data/oracle/real/androidx-api32_startup_warm/"
			  "battery.csv");
	compare_battery(trace, csv);
}

static void test_battery_folder(gconstpointer data)
{
	g_autofree char *folder = shared_path(data);
	g_autoptr(GDir) dir = NULL;
	const char *name;

	if (!folder)
		return;
	dir = g_dir_open(folder, 0, NULL);
	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *trace =
			g_build_filename(folder, name, "trace.pftrace", NULL);
		g_autofree char *csv =
			g_build_filename(folder, name, "battery.csv", NULL);

		compare_battery(trace, csv);
	}
}

/* ---- rails, by hand ---- */

static void rail_sample(GByteArray *trace, guint64 session, const char *name,
			guint64 ms, guint64 energy)
{
	GByteArray *p = g_byte_array_new(), *rails = g_byte_array_new();
	GByteArray *d = g_byte_array_new(), *e = g_byte_array_new();

	put_text(d, 2, name); /* index absent: 0 */
	put_text(d, 3, "Display");
	put(e, 2, ms);
	put(e, 3, energy);
	put_message(rails, 2, e);
	put_message(rails, 1, d);
	put(rails, 3, session);
	put(p, 8, 1000000);
	put(p, 10, 3);
	put_message(p, 40, rails);
	put_message(trace, 1, p);
}

#define MS 1000000ull

static void add_window(GByteArray *trace, guint64 from_ms, guint64 to_ms)
{
	GByteArray *b = new_bundle(0);

	print(b, from_ms * MS, 5, "S|5|abrig:run|1\n");
	print(b, to_ms * MS, 5, "F|5|abrig:run|1\n");
	bundle_packet(trace, b, "pm_runtime_work", false);
}

static void expect_rail(const struct analysed *a, double mj, double mw,
			double covered_s, gint64 samples, gint64 resets)
{
	const struct ab_table *t = table_of(a, "rails");

	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	g_assert_cmpstr(text_at(t, 0, "rail"), ==, "VSYS_PWR_DISPLAY");
	g_assert_cmpstr(text_at(t, 0, "subsystem"), ==, "Display");
	expect_number(t, 0, "energy_mj", mj);
	expect_number(t, 0, "mean_mw", mw);
	expect_number(t, 0, "covered_s", covered_s);
	g_assert_cmpint(count_at(t, 0, "samples"), ==, samples);
	g_assert_cmpint(count_at(t, 0, "resets"), ==, resets);
}

#define DISPLAY "VSYS_PWR_DISPLAY"

/*
 * The window is from 1500 to 3250 ms: half of the step at 200 mW, the one at
 * 300 mW, a quarter of the one at 400 mW: 100 + 300 + 100 mJ in 1.75 s.
 */
static void test_interpolated(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	add_window(trace, 1500, 3250);
	rail_sample(trace, 1, DISPLAY, 1000, 5000000);
	rail_sample(trace, 1, DISPLAY, 1000, 5000000);
	rail_sample(trace, 1, DISPLAY, 2000, 5200000);
	rail_sample(trace, 1, DISPLAY, 3000, 5500000);
	rail_sample(trace, 1, DISPLAY, 4000, 5900000);
	a = analyse(trace);
	expect_rail(&a, 500, 500 / 1.75, 1.75, 2, 0);
	expect_run_value(&a, "trace_power." DISPLAY, 500 / 1.75);
	analysed_clear(&a);
}

/* No samples beyond the window: what is covered counts. */
static void test_covered(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	add_window(trace, 500, 5000);
	rail_sample(trace, 1, DISPLAY, 1000, 0);
	rail_sample(trace, 1, DISPLAY, 3000, 400000);
	a = analyse(trace);
	expect_rail(&a, 400, 200, 2, 2, 0);
	analysed_clear(&a);
}

/* The step over a reset is not known: 200 mJ in 1 s, 100 mJ in 1 s. */
static void test_reset(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	rail_sample(trace, 1, DISPLAY, 1000, 5000000);
	rail_sample(trace, 1, DISPLAY, 2000, 5200000);
	rail_sample(trace, 1, DISPLAY, 3000, 70000);
	rail_sample(trace, 1, DISPLAY, 4000, 170000);
	a = analyse(trace);
	expect_rail(&a, 300, 150, 2, 4, 1);
	analysed_clear(&a);
}

/* One sample says nothing of power. */
static void test_one_sample(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;
	double value;

	rail_sample(trace, 1, DISPLAY, 1000, 5000000);
	a = analyse(trace);
	expect_rail(&a, NAN, NAN, 0, 1, 0);
	g_assert_false(ab_run_data_get(a.data, "trace_power." DISPLAY, &value));
	analysed_clear(&a);
}

/* Two recordings at once read one meter. */
static void test_two_sessions(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	rail_sample(trace, 1, DISPLAY, 1000, 5000000);
	rail_sample(trace, 2, DISPLAY, 1500, 5100000);
	rail_sample(trace, 1, DISPLAY, 2000, 5200000);
	rail_sample(trace, 2, DISPLAY, 2500, 5300000);
	a = analyse(trace);
	expect_rail(&a, 300, 200, 1.5, 4, 0);
	analysed_clear(&a);
}

/* ---- the battery, by hand ---- */

static void battery_sample(GByteArray *trace, guint64 ms, guint64 charge,
			   gint64 current, const char *name)
{
	GByteArray *p = g_byte_array_new(), *b = g_byte_array_new();

	put(b, 1, charge);
	put(b, 3, (guint64)current);
	put(b, 7, 4000000);
	if (name)
		put_text(b, 5, name);
	put(p, 8, ms * MS);
	put(p, 10, 3);
	put_message(p, 38, b);
	put_message(trace, 1, p);
}

static void expect_counter(const struct ab_table *t, guint row,
			   const char *counter, const char *unit, double first,
			   double last, double mean)
{
	g_assert_cmpstr(text_at(t, row, "counter"), ==, counter);
	g_assert_cmpstr(text_at(t, row, "unit"), ==, unit);
	expect_number(t, row, "first", first);
	expect_number(t, row, "last", last);
	expect_number(t, row, "mean", mean);
	g_assert_cmpint(count_at(t, row, "samples"), ==, 3);
}

static void test_battery(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	add_window(trace, 1000, 2000);
	/* Out of order in the file; the last is after the window. */
	battery_sample(trace, 1500, 3000010, -100000, NULL);
	battery_sample(trace, 1000, 3000000, -250000, NULL);
	battery_sample(trace, 2000, 3000050, -400000, NULL);
	battery_sample(trace, 2500, 1, 1, NULL);
	a = analyse(trace);
	t = table_of(&a, "battery");
	g_assert_cmpuint(ab_table_rows(t), ==, 4);
	expect_counter(t, 0, "charge", "uAh", 3000000, 3000050, 3000020);
	expect_counter(t, 1, "current", "uA", -250000, -400000, -250000);
	expect_counter(t, 2, "voltage", "uV", 4000000, 4000000, 4000000);
	expect_counter(t, 3, "power", "mW", 1000, 1600, 1000);
	t = table_of(&a, "charging");
	/* Whatever the sign of the current says. */
	g_assert_cmpstr(text_at(t, 0, "state"), ==, "charging");
	expect_number(t, 0, "change_uah", 50);
	analysed_clear(&a);
}

static void test_charging(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	battery_sample(trace, 1000, 3000000, 1, "a");
	battery_sample(trace, 2000, 2999999, 1, "a");
	battery_sample(trace, 1000, 3000000, 1, "b");
	battery_sample(trace, 2000, 3000000, 1, "b");
	battery_sample(trace, 2000, 3000000, 1, "c");
	a = analyse(trace);
	t = table_of(&a, "charging");
	g_assert_cmpuint(ab_table_rows(t), ==, 3);
	g_assert_cmpstr(text_at(t, 0, "state"), ==, "discharging");
	expect_number(t, 0, "change_uah", -1);
	g_assert_cmpstr(text_at(t, 1, "state"), ==, "unknown");
	expect_number(t, 1, "change_uah", 0);
	g_assert_cmpstr(text_at(t, 2, "state"), ==, "unknown");
	expect_number(t, 2, "change_uah", NAN);
	analysed_clear(&a);
}

/* More batteries than there can be: their samples are counted. */
static void test_many_batteries(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;
	char name[16];
	guint i;

	for (i = 0; i < 20; i++) {
		g_snprintf(name, sizeof(name), "b%u", i);
		battery_sample(trace, 1000, 3000000, 1, name);
	}
	a = analyse(trace);
	t = table_of(&a, "battery");
	g_assert_cmpuint(ab_table_rows(t), ==, 16 * 4 + 1);
	g_assert_cmpstr(text_at(t, 64, "battery"), ==, "others");
	g_assert_cmpint(count_at(t, 64, "samples"), ==, 4);
	analysed_clear(&a);
}

/* Products that do not fit are no values. */
static void test_battery_overflow(void)
{
	const struct ab_battery_sample s = {
		.current_ua = G_MININT64,
		.voltage_uv = 4000000,
		.energy_uwh = G_MAXINT64,
		.has = AB_BATTERY_CURRENT | AB_BATTERY_VOLTAGE |
		       AB_BATTERY_ENERGY,
	};
	double value;

	g_assert_false(ab_battery_value(&s, AB_COUNTER_POWER, &value));
	g_assert_false(ab_battery_value(&s, AB_COUNTER_CHARGE, &value));
	g_assert_true(ab_battery_value(&s, AB_COUNTER_CURRENT, &value));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/power/golden", test_golden);
	g_test_add_func("/trace/power/interpolated", test_interpolated);
	g_test_add_func("/trace/power/covered", test_covered);
	g_test_add_func("/trace/power/reset", test_reset);
	g_test_add_func("/trace/power/one-sample", test_one_sample);
	g_test_add_func("/trace/power/two-sessions", test_two_sessions);
	g_test_add_func("/trace/battery/capture", test_battery_capture);
	g_test_add_data_func("/trace/battery/custom", "data/oracle/custom",
			     test_battery_folder);
	g_test_add_data_func("/trace/battery/upstream", "data/oracle/upstream",
			     test_battery_folder);
	g_test_add_func("/trace/battery/table", test_battery);
	g_test_add_func("/trace/battery/charging", test_charging);
	g_test_add_func("/trace/battery/many", test_many_batteries);
	g_test_add_func("/trace/battery/overflow", test_battery_overflow);
	return g_test_run();
}
