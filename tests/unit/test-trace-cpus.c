// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Frequencies and idle states: traces written here with answers by hand, and
 * real ones against sums of trace processor's counter tables.
 */
#include "shared.h"
#include "trace_tables.h"
#include "trace_writer.h"

#define MS 1000000ull
#define CPU_FREQUENCY 11
#define CPU_IDLE 13
#define LEGACY_GENERIC 327
#define DESCRIBED 65537

static void counter(GByteArray *bundle, guint64 ms, guint no, guint64 cpu,
		    guint64 value)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, value);
	put(b, 2, cpu);
	event(bundle, ms * MS, 0, no, b);
}

static void add_bundle(GByteArray *trace, GByteArray *bundle)
{
	bundle_packet(trace, bundle, "pm_runtime_work", false);
}

/*
 * CPU 1, all events on CPU 0's buffer; the window is from 100 to 200 ms.
 *
 *	ms         50   80      120  130     160     190  210
 *	frequency  1000          |   2000            1500
 *	idle            enters 1 leaves      enters 0      leaves
 *
 * In the window: 30 ms at 1 GHz (10 of them busy), 60 at 2 GHz (30 busy), 10
 * at 1.5 GHz (none); state 1 for 20 ms, not idle for 40, state 0 for 40.
 */
static void add_residencies(GByteArray *trace)
{
	GByteArray *b = new_bundle(0);

	counter(b, 50, CPU_FREQUENCY, 1, 1000000);
	counter(b, 80, CPU_IDLE, 1, 1);
	print(b, 100 * MS, 5, "S|5|abrig:run|1\n");
	counter(b, 120, CPU_IDLE, 1, G_MAXUINT32);
	counter(b, 130, CPU_FREQUENCY, 1, 2000000);
	counter(b, 160, CPU_IDLE, 1, 0);
	counter(b, 190, CPU_FREQUENCY, 1, 1500000);
	print(b, 200 * MS, 5, "F|5|abrig:run|1\n");
	counter(b, 210, CPU_IDLE, 1, G_MAXUINT32);
	add_bundle(trace, b);
}

static void expect_frequency(const struct ab_table *t, guint row, double khz,
			     double ms, double percent, double busy_ms)
{
	g_assert_cmpint(count_at(t, row, "cpu"), ==, 1);
	expect_number(t, row, "khz", khz);
	expect_number(t, row, "time_ms", ms);
	expect_number(t, row, "percent", percent);
	expect_number(t, row, "busy_ms", busy_ms);
}

static void expect_idle(const struct ab_table *t, guint row, const char *state,
			double ms, double percent, gint64 entries)
{
	g_assert_cmpstr(text_at(t, row, "state"), ==, state);
	expect_number(t, row, "time_ms", ms);
	expect_number(t, row, "percent", percent);
	g_assert_cmpint(count_at(t, row, "entries"), ==, entries);
}

static void test_residencies(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	add_residencies(trace);
	a = analyse(trace);
	g_assert_true(ab_trace_facts(a.trace)->window_marked);
	t = table_of(&a, "cpu_frequency");
	g_assert_cmpuint(ab_table_rows(t), ==, 3);
	expect_frequency(t, 0, 1000000, 30, 30, 10);
	expect_frequency(t, 1, 1500000, 10, 10, 0);
	expect_frequency(t, 2, 2000000, 60, 60, 30);
	t = table_of(&a, "cpu_idle");
	g_assert_cmpuint(ab_table_rows(t), ==, 3);
	expect_idle(t, 0, "0", 40, 40, 1);
	expect_idle(t, 1, "1", 20, 20, 0);
	expect_idle(t, 2, "not idle", 40, 40, 1);
	t = table_of(&a, "cpus");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	expect_number(t, 0, "busy_percent", 40);
	expect_number(t, 0, "mean_mhz", 0.3 * 1000 + 0.1 * 1500 + 0.6 * 2000);
	expect_number(t, 0, "busy_mhz", 0.25 * 1000 + 0.75 * 2000);
	expect_number(t, 0, "idle_known_ms", 100);
	expect_number(t, 0, "frequency_known_ms", 100);
	expect_run_value(&a, "cpu.busy", 40);
	analysed_clear(&a);
}

/* Before the first event of a kind nothing is known of that kind. */
static void test_unknown_before(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed a;

	print(b, 100 * MS, 5, "something");
	counter(b, 120, CPU_FREQUENCY, 0, 500000);
	counter(b, 150, CPU_IDLE, 0, G_MAXUINT32);
	counter(b, 180, CPU_IDLE, 0, 2);
	print(b, 200 * MS, 5, "something");
	add_bundle(trace, b);
	a = analyse(trace);
	t = table_of(&a, "cpus");
	expect_number(t, 0, "frequency_known_ms", 80);
	expect_number(t, 0, "idle_known_ms", 50);
	expect_number(t, 0, "busy_percent", 60);
	expect_run_value(&a, "cpu.busy", 60);
	g_assert_null(find_table(a.tables, "overutilized"));
	analysed_clear(&a);
}

static void add_cpu(GByteArray *info, guint64 capacity, guint64 khz)
{
	GByteArray *cpu = g_byte_array_new();

	put(cpu, 2, khz / 2);
	put(cpu, 2, khz);
	if (capacity)
		put(cpu, 3, capacity);
	put_message(info, 1, cpu);
}

static void add_frequencies(GByteArray *trace)
{
	/* By the frequencies seen: 0 and 1; 2; 3. */
	static const guint64 khz[] = { 1000, 1000, 1000, 3000 };
	GByteArray *b = new_bundle(0);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(khz); i++)
		counter(b, 100, CPU_FREQUENCY, i, khz[i]);
	counter(b, 150, CPU_FREQUENCY, 2, 2000);
	counter(b, 200, CPU_FREQUENCY, 3, 3000);
	add_bundle(trace, b);
}

static void expect_clusters(const struct ab_table *t, const char *const *cpus)
{
	guint i;

	for (i = 0; cpus[i]; i++) {
		g_assert_cmpint(count_at(t, i, "cluster"), ==, i);
		g_assert_cmpstr(text_at(t, i, "cpus"), ==, cpus[i]);
	}
	g_assert_cmpuint(ab_table_rows(t), ==, i);
}

static void test_clusters(void)
{
	static const char *const seen[] = { "0-1", "2", "3", NULL };
	static const char *const told[] = { "0", "1-3", NULL };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *p = g_byte_array_new(), *info = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	add_frequencies(trace);
	a = analyse(trace);
	t = table_of(&a, "clusters");
	expect_clusters(t, seen);
	expect_number(t, 0, "capacity", NAN);
	expect_number(t, 1, "mean_mhz", 1.5);
	expect_number(t, 1, "busy_mhz", NAN);
	t = table_of(&a, "cluster_frequency");
	g_assert_cmpuint(ab_table_rows(t), ==, 4);
	/* Of two CPUs, 100 ms each. */
	g_assert_cmpstr(text_at(t, 0, "cpus"), ==, "0-1");
	expect_number(t, 0, "khz", 1000);
	expect_number(t, 0, "time_ms", 200);
	expect_number(t, 0, "percent", 100);
	expect_number(t, 0, "busy_ms", NAN);
	analysed_clear(&a);
	/* The trace tells: that counts. */
	add_cpu(info, 250, 1800000);
	add_cpu(info, 1024, 2800000);
	add_cpu(info, 1024, 2800000);
	add_cpu(info, 1024, 2800000);
	put(p, 10, 9);
	put_message(p, 67, info);
	put_message(trace, 1, p);
	a = analyse(trace);
	t = table_of(&a, "clusters");
	expect_clusters(t, told);
	expect_number(t, 0, "capacity", 250);
	expect_number(t, 1, "max_mhz", 2800);
	analysed_clear(&a);
}

/* Both of Perfetto's encodings of events that it has no message for. */
static void legacy_overutilized(GByteArray *bundle, guint64 ms, guint64 value)
{
	GByteArray *b = g_byte_array_new(), *m = g_byte_array_new();

	put_text(b, 1, "sched_overutilized");
	put_text(m, 1, "overutilized");
	put(m, 4, value);
	put_message(b, 2, m);
	event(bundle, ms * MS, 0, LEGACY_GENERIC, b);
}

static void described_overutilized(GByteArray *bundle, guint64 ms,
				   guint64 value)
{
	GByteArray *b = g_byte_array_new();

	put(b, 3, value);
	event(bundle, ms * MS, 0, DESCRIBED, b);
}

static void describe_overutilized(GByteArray *bundle)
{
	GByteArray *d = g_byte_array_new(), *e = g_byte_array_new();
	GByteArray *m = g_byte_array_new();

	put_text(m, 1, "overutilized");
	put(m, 3, 3);
	put_message(e, 2, m);
	put_text(e, 1, "sched_overutilized");
	put(d, 1, DESCRIBED);
	put_message(d, 2, e);
	put_text(d, 3, "sched");
	put_message(bundle, 11, d);
}

typedef void (*put_overutilized)(GByteArray *bundle, guint64 ms, guint64 value);

/* Known from 110 ms on; yes from 120 to 150 and from 190 to the end, 200. */
static void test_overutilized(gconstpointer data)
{
	bool described = GPOINTER_TO_INT(data);
	put_overutilized put_one =
		described ? described_overutilized : legacy_overutilized;
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed a;

	print(b, 100 * MS, 5, "something");
	put_one(b, 110, 0);
	put_one(b, 120, 1);
	put_one(b, 130, 1);
	put_one(b, 150, 0);
	put_one(b, 190, 1);
	print(b, 200 * MS, 5, "something");
	if (described)
		describe_overutilized(b);
	add_bundle(trace, b);
	a = analyse(trace);
	t = table_of(&a, "overutilized");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	expect_number(t, 0, "overutilized_ms", 40);
	expect_number(t, 0, "known_ms", 90);
	expect_number(t, 0, "percent", 100 * 40 / 90.0);
	g_assert_cmpint(count_at(t, 0, "times"), ==, 2);
	expect_run_value(&a, "cpu.overutilized", 100 * 40 / 90.0);
	analysed_clear(&a);
}

/* More frequencies and idle states than are kept apart. */
static void test_ceilings(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	const struct ab_table *t;
	struct analysed a;
	guint i;

	for (i = 0; i < 300; i++) {
		counter(b, 100 + i, CPU_FREQUENCY, 0, 1000 + i);
		counter(b, 100 + i, CPU_IDLE, 0, i);
	}
	counter(b, 400, CPU_IDLE, 70000, 1);
	add_bundle(trace, b);
	a = analyse(trace);
	t = table_of(&a, "cpu_frequency");
	g_assert_cmpuint(ab_table_rows(t), ==, 257);
	expect_number(t, 256, "khz", NAN);
	expect_number(t, 256, "time_ms", 44);
	t = table_of(&a, "cpu_idle");
	g_assert_cmpuint(ab_table_rows(t), ==, 65);
	expect_idle(t, 64, "other", 236, 100 * 236 / 300.0, 236);
	g_assert_cmpuint(ab_trace_quality(a.trace)->damaged_events, ==, 1);
	analysed_clear(&a);
}

/* Events of the window are missing: no run value, no table. */
static void test_lost(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	struct analysed a;

	counter(b, 100, CPU_IDLE, 0, 1);
	add_bundle(trace, b);
	b = new_bundle(0);
	put(b, 3, 1);
	counter(b, 200, CPU_IDLE, 0, G_MAXUINT32);
	add_bundle(trace, b);
	a = analyse(trace);
	expect_reason(&a, "cpu.busy", "CPU 0");
	g_assert_null(find_table(a.tables, "cpus"));
	g_assert_null(find_table(a.tables, "cpu_idle"));
	analysed_clear(&a);
}

/* ---- real traces ---- */

/* One row of the oracle: the CPU has @value from @ts on. */
struct step {
	gint64 ts;
	guint32 value;
};

#define CPUS 16

/* Steps of the counter @name by CPU. */
static void read_steps(const char *csv, const char *name, GArray *steps[CPUS])
{
	g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
	g_autofree char *quoted = g_strdup_printf("\"%s\"", name);
	guint i;

	for (i = 0; i < CPUS; i++)
		steps[i] = g_array_new(FALSE, FALSE, sizeof(struct step));
	for (i = 1; lines[0] && lines[i]; i++) {
		g_auto(GStrv) part = g_strsplit(lines[i], ",", 4);
		struct step step;
		guint64 cpu;

		if (g_strv_length(part) < 4 || strcmp(part[2], quoted) != 0)
			continue;
		cpu = g_ascii_strtoull(part[3], NULL, 10);
		g_assert_cmpuint(cpu, <, CPUS);
		step.ts = g_ascii_strtoll(part[0], NULL, 10);
		step.value = (guint32)g_ascii_strtoull(part[1], NULL, 10);
		g_array_append_val(steps[cpu], step);
	}
}

/* How long the counter had @value, until @end_ns. */
static gint64 time_at(const GArray *steps, guint32 value, gint64 end_ns)
{
	gint64 ns = 0;
	guint i;

	for (i = 0; i < steps->len; i++) {
		const struct step *s = &g_array_index(steps, struct step, i);

		if (s->value == value)
			ns += (i + 1 < steps->len ? s[1].ts : end_ns) - s->ts;
	}
	return ns;
}

static guint32 state_of(const char *text)
{
	return strcmp(text, "not idle") == 0
		       ? G_MAXUINT32
		       : (guint32)g_ascii_strtoull(text, NULL, 10);
}

static void compare_steps(const struct analysed *a, const char *csv,
			  const char *name, const char *table)
{
	gint64 end_ns = ab_trace_facts(a->trace)->end_ns;
	const struct ab_table *t = find_table(a->tables, table);
	double ours = 0, theirs = 0;
	GArray *steps[CPUS];
	guint i;

	read_steps(csv, name, steps);
	for (i = 0; t && i < ab_table_rows(t); i++) {
		GArray *cpu = steps[count_at(t, i, "cpu")];
		guint32 value = strcmp(name, "cpufreq") == 0
					? (guint32)number_at(t, i, "khz")
					: state_of(text_at(t, i, "state"));

		expect_number(t, i, "time_ms",
			      (double)time_at(cpu, value, end_ns) / 1e6);
		ours += number_at(t, i, "time_ms");
	}
	/* Nor has the oracle any that is not in the table. */
	for (i = 0; i < CPUS; i++) {
		if (steps[i]->len)
			theirs +=
				(double)(end_ns -
					 g_array_index(steps[i], struct step, 0)
						 .ts) /
				1e6;
		g_array_unref(steps[i]);
	}
	g_assert_cmpfloat_with_epsilon(ours, theirs, 1e-5);
}

struct capture {
	const char *trace, *answers;
};

static const struct capture captures[] = {
	{ "data/perfetto/androidx-api32_startup_warm.perfetto-trace",
	  "data/oracle/real/androidx-api32_startup_warm/cpu_counters.csv" },
	{ "data/kernel-ab/a1.pftrace",
	  "data/kernel-ab/oracle/a1/cpu_counters.csv" },
	{ "data/kernel-ab/b1.pftrace",
	  "data/kernel-ab/oracle/b1/cpu_counters.csv" },
};

static void test_capture(gconstpointer data)
{
	static const struct ab_trace_window whole = { 0, G_MAXINT64 };
	const struct capture *c = data;
	g_autofree char *path = shared_path(c->trace);
	g_autofree char *csv = NULL;
	GError *error = NULL;
	struct analysed a;

	if (!path)
		return;
	csv = shared_text(c->answers);
	a.trace = ab_trace_open(path, &whole, NULL, &error);
	g_assert_no_error(error);
	a.data = ab_run_data_new();
	a.tables = ab_trace_tables(a.trace, NULL);
	compare_steps(&a, csv, "cpufreq", "cpu_frequency");
	compare_steps(&a, csv, "cpuidle", "cpu_idle");
	analysed_clear(&a);
}

int main(int argc, char **argv)
{
	guint i;

	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/cpus/residencies", test_residencies);
	g_test_add_func("/trace/cpus/unknown-before", test_unknown_before);
	g_test_add_func("/trace/cpus/clusters", test_clusters);
	g_test_add_data_func("/trace/cpus/overutilized/legacy",
			     GINT_TO_POINTER(false), test_overutilized);
	g_test_add_data_func("/trace/cpus/overutilized/described",
			     GINT_TO_POINTER(true), test_overutilized);
	g_test_add_func("/trace/cpus/ceilings", test_ceilings);
	g_test_add_func("/trace/cpus/lost", test_lost);
	for (i = 0; i < G_N_ELEMENTS(captures); i++) {
		g_autofree char *base = g_path_get_basename(captures[i].trace);
		g_autofree char *name =
			g_strdup_printf("/trace/cpus/oracle/%s", base);

		g_test_add_data_func(name, &captures[i], test_capture);
	}
	return g_test_run();
}
