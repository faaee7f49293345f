// SPDX-License-Identifier: GPL-3.0-or-later
/* What is refused in tables, in those of others, and nothing in our own. */
#include "shared.h"

#include <abrig/lint.h>
#include <string.h>

static char *findings_of(const char *text)
{
	g_autoptr(GPtrArray) findings = ab_lint(text, strlen(text));
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < findings->len; i++) {
		const struct ab_lint_finding *f = findings->pdata[i];

		/* The first words tell which it is. */
		g_string_append_printf(out, "%d:%d %s %.9s\n", f->line,
				       f->column,
				       f->refused ? "refused" : "warning",
				       f->text);
	}
	return g_string_free(out, FALSE);
}

static void check(const char *text, const char *expected)
{
	g_autofree char *found = findings_of(text);

	g_assert_cmpstr(found, ==, expected);
}

#define ALL_GONE " refused -100 %: n\n"
#define BARE " refused percentag\n"
#define NO_N " refused no n: of \n"
#define NO_UNIT " refused no unit\n"
#define OTHER " warning from the \n"

/* ---- rows ---- */

static void test_rows(void)
{
	check("A: 8 vs. 8 runs\n"
	      "  wait mean  151.0 -> 107.5 us   -28.8% [-33,-24] different\n"
	      "  wait P99   1,867 -> 1,102 us  (-41.0%)\n"
	      "  wait max   15.08 ->  5.77 ms  worst of 220,524 / 217,954\n"
	      "  missed/run < 0.374 -> 0.250    n/a (a)\n"
	      "  missed/run 0.189 -> < 0.0122 < -93.3%\n"
	      "  jank       0.618 ->  0.593 %   -4.1%\n",
	      "");
	check("  wait mean  151.0 -> 107.5 us   -28.8%\n"
	      "  score      10 -> 20       +100.0%\n",
	      "1:14" NO_N);
	check("10 runs\n  wait mean  151.0 -> 107.5   -28.8%\n",
	      "2:23" NO_UNIT);
	check("10 runs\n  missed/run  0.189 -> 0.000  (-100.0%)\n",
	      "2:32" ALL_GONE);
	check("10 runs\n  missed/run  2 -> 0  -100 %\n", "2:23" ALL_GONE);
	check("10 runs\n  wait  151.0 -> 107.5 us  -27.8%\n", "2:28" OTHER);
	/* One level of quotes does not count, a second one does. */
	check("> 10 runs\n>   wait  151.0 -> 107.5 us  -27.8%\n", "2:30" OTHER);
	check(">> wait  151.0 -> 107.5 us  -27.8%\n", "1:10" NO_N "1:29" OTHER);
	/* The unit of a long name stands on its line. */
	check("10 runs\n  a long name [us]\n  151.0 -> 107.5  -28.8%\n", "");
}

/* What rounding allows is no other number. */
static void test_rounding(void)
{
	static const struct {
		const char *a, *b, *pct;
		bool fits;
	} cases[] = {
		{ "144.6", "158.5", "+9.63%", true },
		{ "144.6", "158.5", "+9.53%", false },
		{ "1.8", "1.8", "-4.91%", true },
		{ "1.8", "1.8", "-6%", false },
		{ "1,867", "1,102", "-41.0%", true },
		{ "1,867", "1,102", "-41.2%", false },
		{ "0.1", "0.2", "+900%", false },
		{ "0.0", "0.2", "+900%", true }, /* of what may be 0 */
		{ "-3.75", "-3.84", "+2.3%", true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
			g_strdup_printf("8 runs\nx  %s -> %s ms  %s\n",
					cases[i].a, cases[i].b, cases[i].pct);
		g_autofree char *found = findings_of(text);

		g_assert_cmpint(*found == '\0', ==, cases[i].fits);
	}
}

/* ---- boxes ---- */

#define RULE "+------+-------+-----------+\n"
#define HEADER "| kernel | value | perc_diff |\n"

static void test_boxes(void)
{
	check("Mean [ms], 10 iterations\n" RULE HEADER RULE
	      "| a | 14.6 | 0.0% |\n| b | 13.8 | -5.43% | <-- !!!\n" RULE,
	      "");
	check("Mean\n" RULE HEADER RULE
	      "| a | 14.6 | 0.0% |\n| b | 13.8 | -9.43% |\n" RULE,
	      "3:3" NO_N "5:7" NO_UNIT "6:14" OTHER);
	check("10 runs\n+---+---+\n| metric | perc_diff |\n|---+---|\n"
	      "| x | 0.0 |\n| x | 3.5 |\n+---+---+\n",
	      "3:12" BARE);
	check("missed, 8 runs\n" RULE HEADER RULE
	      "| a | 2 | 0.0% |\n| b | 0 | -100.0% |\n" RULE,
	      "6:11" ALL_GONE);
	/* A mail client wrapped it; the remark is no cell. */
	check("> [mW]\n> +---+---+---+\n> | n |  value |\n> perc_diff |\n"
	      "> +---+---+---+\n> | 8 | 100.0 |\n> 0.0% |\n"
	      "> | 8 | 150.0 |\n>  20.0% |\n> +---+---+---+\n",
	      "9:4" OTHER);
	/* Each metric has a baseline of its own. */
	check("8 runs\n+---+---+---+---+\n"
	      "| metric | kernel | value | perc_diff |\n+---+---+---+---+\n"
	      "| x [ms] | a | 10 | 0.0% |\n| y [ms] | a | 30 | 0.0% |\n"
	      "| x [ms] | b | 20 | 100% |\n| y [ms] | b | 15 | -50% |\n",
	      "");
}

/* ---- others ---- */

static void test_robot(void)
{
	static const char head[] = "8 vs. 8 runs\n"
				   "  %stddev     %change    %stddev\n"
				   "      \\          |           \\\n";
	g_autofree char *good = g_strconcat(
		head,
		"  1867 +- 9%  -41.0%  1102 \302\261  8%  a.wait\n"
		"  [-48,-33] different    us\n"
		"  0.61 +-11%   +0.1   0.71 +-3%  -50.0%  0.31  a.irq%\n",
		NULL);
	g_autofree char *bad =
		g_strconcat(head + strlen("8 vs. 8 runs\n"),
			    "  1867 +- 9%  -43.0%  1102 +- 8%  a.wait\n"
			    "  0.04 +-82% -100.0%  0.00        a.delay\n",
			    NULL);

	check(good, "");
	check(bad, "1:3" NO_N "3:15" OTHER "4:14" ALL_GONE);
}

static void test_bare(void)
{
	check("  frame rate     +5.1%\n  power   -3.2%\n", "1:18" BARE);
	check("It is better\nby 5% and 6%\n", "1:1 warning no table \n");
	check("", "");
	check("\n", "1:1 warning no table \n");
}

/* ---- our own, and those of the lists ---- */

/* Numbers of these are made up, so percentages need not fit; n is told. */
static void test_own(void)
{
	static const char *const names[] = {
		"rows-two-platforms.txt",
		"rows-three-variants.txt",
		"grid-two-platforms.txt",
		"grid-three-variants.txt",
		"pretty-three-variants.txt",
		"lkp-two-platforms.txt",
		"lkp-three-variants.txt",
		"rows-odd.txt",
		"grid-odd.txt",
		"pretty-odd.txt",
		"lkp-odd.txt",
		"rows-wide.txt",
		"pivot-two-platforms.txt",
		"pivot-odd.txt",
		"pivot-wide.txt",
		"grid-wide.txt",
	};
	const char *root = g_getenv("ABRIG_TEST_DATA");

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(
			root ? root : "tests/data", "report", names[i], NULL);
		g_autofree char *text = NULL;

		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
		g_test_message("%s", names[i]);
		check(text, "");
	}
}

static int count(const char *findings, const char *what)
{
	int n = 0;

	for (; (findings = strstr(findings, what)); n++)
		findings++;
	return n;
}

static void test_public(void)
{
	static const struct {
		const char *name;
		int bare, no_n, no_unit, gone, other;
	} files[] = {
		{ "data/lkml-tables/2022-09-29-puchalski-pelt.txt", 0, 2, 0, 0,
		  0 },
		{ "data/lkml-tables/2022-10-03-wang-pixel6a-uibench.txt", 0, 1,
		  1, 0, 0 },
		{ "data/lkml-tables/2022-11-10-puchalski-pelt-rampup.txt", 0, 3,
		  0, 0, 0 },
		{ "data/lkml-tables/2023-02-07-eggemann-scaled.txt", 0, 0, 4, 0,
		  0 },
		{ "data/lkml-tables/2023-09-25-luba-em-v4.txt", 0, 0, 2, 0, 0 },
		{ "data/lkml-tables/2024-04-machado-eevdf-complete.txt", 5, 5,
		  0, 0, 0 },
		{ "reference/lkml-2026-pm-wq-highpri.txt", 0, 0, 0, 1, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *text = shared_text(files[i].name);
		g_autofree char *found = NULL;

		if (!text)
			return;
		found = findings_of(text);
		g_test_message("%s:\n%s", files[i].name, found);
		g_assert_cmpint(count(found, BARE), ==, files[i].bare);
		g_assert_cmpint(count(found, NO_N), ==, files[i].no_n);
		g_assert_cmpint(count(found, NO_UNIT), ==, files[i].no_unit);
		g_assert_cmpint(count(found, ALL_GONE), ==, files[i].gone);
		g_assert_cmpint(count(found, OTHER), ==, files[i].other);
	}
}

/* Anything may be handed in: bounded work, no crash. */
static void test_hostile(void)
{
	static const char *const bits[] = {
		"+-",	     "|",	 "-+",	 "|-",	  "\n",
		" -> ",	     "1",	 "%",	 "-100%", "> ",
		"[",	     "]",	 " ",	 "n",	  "%stddev %change",
		"+-",	     "\302\261", "\302", "9,",	  "<",
		"perc_diff", "kernel",	 "0.0%", "\n\n",
	};
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);

	for (int i = 0; i < 3000; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree char *found = NULL;

		for (int n = g_rand_int_range(rand, 0, 80); n > 0; n--)
			g_string_append(
				text,
				bits[g_rand_int_range(
					rand, 0, (gint)G_N_ELEMENTS(bits))]);
		found = findings_of(text->str);
		g_assert_nonnull(found);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);

	g_test_add_func("/lint/rows", test_rows);
	g_test_add_func("/lint/rounding", test_rounding);
	g_test_add_func("/lint/boxes", test_boxes);
	g_test_add_func("/lint/robot", test_robot);
	g_test_add_func("/lint/bare", test_bare);
	g_test_add_func("/lint/own", test_own);
	g_test_add_func("/lint/public", test_public);
	g_test_add_func("/lint/hostile", test_hostile);
	return g_test_run();
}
