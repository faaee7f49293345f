// SPDX-License-Identifier: GPL-3.0-or-later
/* The dot plot, character by character. */
#include <abrig/report.h>

#include <math.h>
#include <string.h>

static void check_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		size_t n = strlen(*line);

		g_assert_cmpuint(n, <=, 72);
		g_assert_true(n == 0 || (*line)[n - 1] != ' ');
		for (const char *p = *line; *p; p++)
			g_assert_true(g_ascii_isprint(*p));
	}
}

static void check_plot(const char *title, const struct ab_plot_series *series,
		       size_t n, const char *wanted)
{
	g_autoptr(GString) out = g_string_new(NULL);

	ab_report_plot(title, series, n, out);
	check_lines(out->str);
	g_assert_cmpstr(out->str, ==, wanted);
}

static void test_two(void)
{
	static const double a[] = { 10, 11, 11, 11, 12, 20 };
	static const double b[] = { 8, 9 };
	const struct ab_plot_series series[] = {
		{ "base", a, G_N_ELEMENTS(a), 12.5, 9, 16 },
		{ "new", b, G_N_ELEMENTS(b), 8.5, NAN, NAN },
	};

	check_plot(
		"wait [us]", series, 2,
		"wait [us]\n"
		"  base: n 6, mean 12.50 [9.00,16.00], median 11.00\n"
		"  |                 .                                                  |\n"
		"  |           .     :    .                                            .|\n"
		"  |      [----------m-------+-------------------]                      |\n"
		"  new: n 2, mean 8.50 (no interval), median 8.50\n"
		"  |.     .                                                             |\n"
		"  |   M                                                                |\n"
		"  +----------------------------------+---------------------------------+\n"
		"  8.00                              14.00                          20.00\n"
		"\n");
}

static void test_constant(void)
{
	static const double a[] = { 5, 5, 5 };
	const struct ab_plot_series series[] = {
		{ "base", a, G_N_ELEMENTS(a), 5, 5, 5 },
		{ "none", NULL, 0, NAN, NAN, NAN },
	};

	check_plot(
		"same", series, 2,
		"same\n"
		"  base: n 3, mean 5.000 [5.000,5.000], median 5.000\n"
		"  |                                  .                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  M                                 |\n"
		"  none: no values\n"
		"  +----------------------------------+---------------------------------+\n"
		"  4.750                             5.000                          5.250\n"
		"\n");
}

/* Dots of several values, a hostile name, the ends of what a double holds. */
static void test_odd(void)
{
	double many[100];
	static const double ends[] = { -1.7e308, 1.7e308 };
	const struct ab_plot_series series[] = {
		{ "\x1b[2J\n--- a", many, G_N_ELEMENTS(many), 0, NAN, NAN },
		{ "ends", ends, G_N_ELEMENTS(ends), 0, NAN, NAN },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(many); i++)
		many[i] = (double)i;
	check_plot(
		"--- a/file", series, 2,
		"  --- a/file\n"
		"  ?[2J --- a: n 100, mean 0 (no interval), median 50\n"
		"  |                                  .                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  :                                 |\n"
		"  |                                  M                                 |\n"
		"  ends: n 2, mean 0 (no interval), median n/a\n"
		"  |.                                                                  .|\n"
		"  |                                  +                                 |\n"
		"  +----------------------------------+---------------------------------+\n"
		"  -1.7e+308                           0                         1.7e+308\n"
		"  one dot: up to 7 values\n"
		"\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/plot/two", test_two);
	g_test_add_func("/plot/constant", test_constant);
	g_test_add_func("/plot/odd", test_odd);
	return g_test_run();
}
