// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * KTAP version 1: a test for each suite, in which its checks are nested.
 * Measurements are diagnostics: they are no test results.
 */
#include "checks.h"

#include <string.h>

/* A description must not hold what begins a directive, nor a line end. */
static char *one_line(const char *text)
{
	g_autofree char *ascii = text_ascii(text);

	return g_strdelimit(g_steal_pointer(&ascii), "#", '?');
}

static void add_directive(const struct check *check, GString *out)
{
	g_autofree char *text = one_line(check->text);

	if (check->result == CHECK_SKIP)
		g_string_append_printf(out, " # SKIP %s", text);
	g_string_append_c(out, '\n');
	if (check->result != CHECK_SKIP && *text)
		g_string_append_printf(out, "  # %s\n", text);
}

/* Skipped tests are ok. */
static bool is_ok(enum check_result result)
{
	return result == CHECK_PASS || result == CHECK_SKIP;
}

static void add_check(const struct check *check, guint number, GString *out)
{
	g_autofree char *name = one_line(check->name);

	g_string_append_printf(out, "  %sok %u %s",
			       is_ok(check->result) ? "" : "not ", number,
			       name);
	add_directive(check, out);
	if (check->comparison) {
		g_autofree char *text = check_measurement(check);
		g_autofree char *line = one_line(text);

		g_string_append_printf(out, "  # %s\n", line);
	}
}

static void add_suite(const GPtrArray *checks, enum check_suite suite,
		      guint number, GString *out)
{
	guint counts[CHECK_SKIP + 1], total = 0, at = 0;
	bool ok;

	for (int i = 0; i <= CHECK_SKIP; i++)
		total += counts[i] =
			checks_count(checks, suite, (enum check_result)i);
	ok = !counts[CHECK_FAIL] && !counts[CHECK_ERROR];
	/* A plan of none is not KTAP. */
	if (total == 0) {
		g_string_append_printf(out,
				       "ok %u %s # SKIP nothing to check\n",
				       number, check_suite_names[suite]);
		return;
	}
	g_string_append_printf(out, "  KTAP version 1\n  1..%u\n", total);
	for (guint i = 0; i < checks->len; i++)
		if (check_at(checks, i)->suite == suite)
			add_check(check_at(checks, i), ++at, out);
	g_string_append_printf(out, "%sok %u %s\n", ok ? "" : "not ", number,
			       check_suite_names[suite]);
}

static void write_ktap(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) checks = checks_new(report);

	g_string_append_printf(out, "KTAP version 1\n1..%d\n", CHECK_N_SUITES);
	if (report->plan) {
		g_autofree char *plan = one_line(report->plan);

		g_string_append_printf(out, "# %s, plan %s\n", report->tool,
				       plan);
	}
	for (int i = 0; i < CHECK_N_SUITES; i++)
		add_suite(checks, (enum check_suite)i, (guint)i + 1, out);
}

const struct ab_report_ops ab_report_ktap = {
	.name = "ktap",
	.help = "gates, A/A and verdicts as tests of the kernel",
	.file = "report.ktap",
	.write = write_ktap,
};
