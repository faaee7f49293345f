// SPDX-License-Identifier: GPL-3.0-or-later
/* Who pays: from run values to rows, verdicts and text. */
#include <abrig/report.h>

#include <math.h>
#include <string.h>

#define BLOCKS 6
#define RUNS (2 * BLOCKS)

struct campaign {
	struct ab_report_measured runs[RUNS];
	struct ab_report_table table;
	struct ab_report report;
	int counts[2];
};

static const char *const variants[] = { "base", "patched", NULL };

/* From -0.1 to 0.1, alike in all tests. */
static double noise(int run, int salt)
{
	guint32 x = (guint32)(run + 1) * 2654435761u + (guint32)salt * 40503u;

	x ^= x >> 15;
	x *= 2246822519u;
	x ^= x >> 13;
	return (double)(x % 2001) / 1e4 - 0.1;
}

static void set(struct ab_run_data *data, const char *payer, const char *what,
		double value)
{
	g_autofree char *name = g_strdup_printf("sched.%s.%s", payer, what);

	ab_run_data_set(data, name, value);
}

/* @factor: what B makes of the wait. */
static void add_class(struct campaign *c, const char *name, double wait,
		      double factor)
{
	for (int i = 0; i < RUNS; i++) {
		struct ab_run_data *data =
			(struct ab_run_data *)c->runs[i].data;
		double is = wait * (i % 2 ? factor : 1) *
			    (1 + noise(i, (int)strlen(name)));

		set(data, name, "waits", 100);
		set(data, name, "wait", is);
		set(data, name, "wait_mean", is * 10);
		set(data, name, "wait_p99", is * 70);
		set(data, name, "waits_ge_2ms", (int)is);
		set(data, name, "running", 10 + noise(i, 3));
	}
}

static void campaign_init(struct campaign *c)
{
	*c = (struct campaign){ 0 };
	for (int i = 0; i < RUNS; i++)
		c->runs[i] = (struct ab_report_measured){
			.obs = { .variant = i % 2,
				 .device = 1,
				 .block = i / 2,
				 .session = i,
				 .value = NAN,
				 .at = NAN,
				 .skin_c = NAN,
				 .battery = NAN },
			.data = ab_run_data_new(),
		};
	c->counts[0] = c->counts[1] = BLOCKS;
}

static void campaign_fill(struct campaign *c)
{
	const struct ab_stats_options options = { .level = 0.95,
						  .margin_pct = NAN,
						  .resamples = 200 };

	c->table.platform = "A";
	c->table.scenario = "scroll";
	c->table.runs = c->table.boots = c->counts;
	ab_report_fill_payers(&c->table, c->runs, RUNS, 2, &options, 1);
	c->report = (struct ab_report){ .plan = "p",
					.tool = "abrig",
					.variants = (char **)variants,
					.n_variants = 2,
					.tables = &c->table,
					.n_tables = 1 };
	ab_report_decide(&c->report, 0.95, 0.95);
}

static void campaign_clear(struct campaign *c)
{
	ab_report_clear_payers(&c->table);
	for (int i = 0; i < RUNS; i++)
		ab_run_data_free((struct ab_run_data *)c->runs[i].data);
}

static const struct ab_report_payer *payer(const struct campaign *c,
					   const char *name)
{
	for (size_t i = 0; i < c->table.n_payers; i++)
		if (!strcmp(c->table.payers[i].name, name))
			return &c->table.payers[i];
	g_assert_not_reached();
}

/* A class that only one variant has is what the table is for. */
static void test_absent(void)
{
	struct campaign c;
	const struct ab_report_row *row;

	campaign_init(&c);
	add_class(&c, "app", 5, 1);
	for (int i = 0; i < RUNS; i += 2) {
		struct ab_run_data *data = (struct ab_run_data *)c.runs[i].data;

		set(data, "gone", "waits", 3);
		set(data, "gone", "wait", 4);
		set(data, "gone", "wait_p99", 9);
		set(data, "gone", "running", 2);
	}
	campaign_fill(&c);
	g_assert_cmpuint(c.table.n_payers, ==, 2);
	row = &payer(&c, "gone")->rows[AB_PAY_WAIT];
	g_assert_cmpint(row->versus[0].b.runs, ==, BLOCKS);
	g_assert_cmpfloat(row->versus[0].diff, ==, -4);
	/* What nothing was measured of is not 0. */
	row = &payer(&c, "gone")->rows[AB_PAY_WAIT_P99];
	g_assert_cmpint(row->versus[0].b.runs, ==, 0);
	/* There were waits, and nobody told how many were long. */
	row = &payer(&c, "gone")->rows[AB_PAY_LONG_WAITS];
	g_assert_cmpint(row->versus[0].a.runs, ==, 0);
	row = &c.table.all_classes->rows[AB_PAY_WAIT];
	g_assert_cmpstr(row->metric->id, ==, "sched.wait");
	g_assert_cmpstr(row->metric->unit, ==, "ms");
	campaign_clear(&c);
}

/* A run whose scheduling was withheld is left out, not 0. */
static void test_withheld(void)
{
	struct campaign c;
	const struct ab_report_row *row;

	campaign_init(&c);
	add_class(&c, "app", 5, 1);
	ab_run_data_free((struct ab_run_data *)c.runs[3].data);
	c.runs[3].data = ab_run_data_new();
	ab_run_data_withhold((struct ab_run_data *)c.runs[3].data, "sched",
			     "events were lost");
	campaign_fill(&c);
	row = &payer(&c, "app")->rows[AB_PAY_WAIT];
	g_assert_cmpint(row->versus[0].blocks, ==, BLOCKS - 1);
	row = &c.table.all_classes->rows[AB_PAY_WAIT];
	g_assert_cmpint(row->versus[0].blocks, ==, BLOCKS - 1);
	campaign_clear(&c);
}

/* Class names may have dots, and end as run values do. */
static void test_names(void)
{
	struct campaign c;

	campaign_init(&c);
	add_class(&c, "kworker.pm", 5, 1);
	add_class(&c, "x.wait", 5, 1);
	ab_run_data_set((struct ab_run_data *)c.runs[0].data,
			"rail_energy.S4M_VDD", 12);
	campaign_fill(&c);
	g_assert_cmpuint(c.table.n_payers, ==, 3);
	g_assert_cmpstr(c.table.payers[0].name, ==, "kworker.pm");
	g_assert_cmpstr(c.table.payers[1].name, ==, "x.wait");
	g_assert_cmpstr(c.table.payers[2].name, ==, "S4M_VDD");
	g_assert_cmpstr(c.table.payers[2].rows[AB_PAY_ENERGY].metric->unit, ==,
			"mJ");
	g_assert_null(c.table.payers[2].rows[AB_PAY_WAIT].metric);
	campaign_clear(&c);
}

/*
 * 40 tests of classes that do not differ make those of one that does harder,
 * and none of this touches the metrics' families.
 */
static void test_family(void)
{
	struct campaign c;
	const struct ab_comparison *v;

	campaign_init(&c);
	add_class(&c, "pays", 5, 1.35);
	campaign_fill(&c);
	v = &payer(&c, "pays")->rows[AB_PAY_WAIT].versus[0];
	g_assert_cmpint(v->verdict, ==, AB_DIFFERENT);
	g_assert_false(v->primary);
	/* Five of the class, and two sums. */
	g_assert_cmpuint(c.report.payer_tests, ==, 7);
	g_assert_cmpuint(c.report.families.others, ==, 0);
	campaign_clear(&c);
}

static void write_text(const struct campaign *c, const char *style,
		       GString *out)
{
	ab_report_find(style)->write(&c->report, out);
}

/* ABRIG_UPDATE_GOLDEN=1 writes it. */
static void check_golden(const char *text)
{
	const char *root = g_getenv("ABRIG_TEST_DATA");
	g_autofree char *path = g_build_filename(root ? root : "tests/data",
						 "report", "payers.txt", NULL);
	g_autofree char *expected = NULL;
	g_autoptr(GError) error = NULL;

	if (g_getenv("ABRIG_UPDATE_GOLDEN"))
		g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
	g_file_get_contents(path, &expected, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(text, ==, expected);
}

/* A loser, a winner, the rest, and what is not printed. */
static void test_text(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *section = NULL;
	struct campaign c;
	char *from, *to;

	campaign_init(&c);
	add_class(&c, "binder", 5, 2);
	add_class(&c, "kworker.pm", 20, 0.5);
	for (int i = 0; i < 8; i++) {
		g_autofree char *name = g_strdup_printf("class-%d", i);

		add_class(&c, name, 1 + i, 1 + 0.001 * i);
	}
	add_class(&c, "kworker.events_power_efficient", 50, 1.001);
	for (int i = 0; i < RUNS; i++)
		ab_run_data_set((struct ab_run_data *)c.runs[i].data,
				"rail_energy.S4M_VDD_CPUCL0",
				(i % 2 ? 900 : 800) + 20 * noise(i, 5));
	campaign_fill(&c);
	write_text(&c, "rows", out);
	from = strstr(out->str, "Who pays:");
	to = from ? strstr(from, "winners less.\n") : NULL;
	g_assert_true(from && to);
	to += strlen("winners less.\n");
	section = g_strndup(from, (gsize)(to - from));
	check_golden(section);
	g_string_truncate(out, 0);
	write_text(&c, "grid", out);
	g_assert_nonnull(strstr(out->str, section));
	campaign_clear(&c);
}

static void test_files(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct campaign c;

	campaign_init(&c);
	add_class(&c, "binder", 5, 2);
	campaign_fill(&c);
	write_text(&c, "json", out);
	g_assert_nonnull(strstr(out->str, "\"payers\" : ["));
	g_assert_nonnull(strstr(out->str, "\"kind\" : \"class\""));
	g_assert_nonnull(strstr(out->str, "\"tests_payers\" : 7"));
	g_string_truncate(out, 0);
	write_text(&c, "csv", out);
	g_assert_nonnull(strstr(out->str, "p,A,scroll,patched,base,"
					  "sched.binder.wait_p99,us,6,6,0,"));
	g_assert_nonnull(
		strstr(out->str, "p,A,scroll,base,base,sched.wait,ms,6,6,"));
	campaign_clear(&c);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/payers/absent", test_absent);
	g_test_add_func("/payers/withheld", test_withheld);
	g_test_add_func("/payers/names", test_names);
	g_test_add_func("/payers/family", test_family);
	g_test_add_func("/payers/text", test_text);
	g_test_add_func("/payers/files", test_files);
	return g_test_run();
}
