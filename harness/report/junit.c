// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * JUnit XML as Jenkins and GitLab read it: a suite for gates, A/A and verdicts
 * each, a case for each check, with measurements as its output.
 */
#include "checks.h"

#include <math.h>

/*
 * Append @text as part of XML 1.0, which has no way to write most control
 * characters.
 */
static void add_escaped(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autoptr(GString) shown = g_string_new(NULL);
	g_autofree char *escaped = NULL;

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		bool bad = (c < 0x20 && c != '\t' && c != '\n') ||
			   (c >= 0x7f && c < 0xa0) || c == 0xfffe ||
			   c == 0xffff;

		g_string_append_unichar(shown, bad ? '?' : c);
	}
	escaped = g_markup_escape_text(shown->str, (gssize)shown->len);
	g_string_assign(shown, escaped);
	/* In an attribute they would be read as blanks. */
	g_string_replace(shown, "\t", "&#9;", 0);
	g_string_replace(shown, "\n", "&#10;", 0);
	g_string_append_len(out, shown->str, (gssize)shown->len);
}

static void add_attribute(GString *out, const char *name, const char *value)
{
	g_string_append_printf(out, " %s=\"", name);
	add_escaped(out, value);
	g_string_append_c(out, '"');
}

static void add_number(GString *out, const char *name, guint value)
{
	g_string_append_printf(out, " %s=\"%u\"", name, value);
}

/* ---- cases ---- */

static void add_result(const struct check *check, GString *out)
{
	static const char *const elements[] = {
		[CHECK_FAIL] = "failure",
		[CHECK_ERROR] = "error",
		[CHECK_SKIP] = "skipped",
	};

	if (check->result == CHECK_PASS)
		return;
	g_string_append_printf(out, "      <%s", elements[check->result]);
	add_attribute(out, "message", check->text);
	g_string_append(out, "/>\n");
}

static void add_output(const struct check *check, GString *out)
{
	g_autofree char *text = check->comparison ? check_measurement(check)
						  : g_strdup(check->text);

	g_string_append(out, "      <system-out>");
	add_escaped(out, text);
	g_string_append(out, "</system-out>\n");
}

static void add_property(GString *out, const char *name, double value)
{
	if (!isfinite(value))
		return;
	g_string_append(out, "        <property");
	add_attribute(out, "name", name);
	g_string_append(out, " value=\"");
	csv_number(out, value);
	g_string_append(out, "\"/>\n");
}

static void add_properties(const struct check *check, GString *out)
{
	const struct ab_comparison *c = check->comparison;

	if (!c)
		return;
	g_string_append(out, "      <properties>\n        <property");
	add_attribute(out, "name", "unit");
	add_attribute(out, "value", check->row->metric->unit);
	g_string_append(out, "/>\n");
	add_property(out, "baseline", c->a.value);
	add_property(out, "value", c->b.value);
	add_property(out, "diff", c->diff);
	add_property(out, "diff_lo", c->diff_lo);
	add_property(out, "diff_hi", c->diff_hi);
	add_property(out, "pct", c->pct);
	add_property(out, "level", c->level);
	g_string_append(out, "      </properties>\n");
}

static void add_case(const struct ab_report *report, const struct check *check,
		     GString *out)
{
	const char *suite = check_suite_names[check->suite];
	g_autofree char *class = g_strdup_printf(
		"%s.%s", report->plan ? report->plan : "abrig", suite);

	g_string_append(out, "    <testcase");
	add_attribute(out, "classname", class);
	add_attribute(out, "name", check->name);
	g_string_append(out, ">\n");
	add_properties(check, out);
	add_result(check, out);
	add_output(check, out);
	g_string_append(out, "    </testcase>\n");
}

/* ---- suites ---- */

static void add_suite(const struct ab_report *report, const GPtrArray *checks,
		      enum check_suite suite, GString *out)
{
	guint failed = checks_count(checks, suite, CHECK_FAIL);
	guint broken = checks_count(checks, suite, CHECK_ERROR);
	guint skipped = checks_count(checks, suite, CHECK_SKIP);
	guint passed = checks_count(checks, suite, CHECK_PASS);

	g_string_append(out, "  <testsuite");
	add_attribute(out, "name", check_suite_names[suite]);
	add_number(out, "tests", failed + broken + skipped + passed);
	add_number(out, "failures", failed);
	add_number(out, "errors", broken);
	add_number(out, "skipped", skipped);
	if (report->began)
		add_attribute(out, "timestamp", report->began);
	g_string_append(out, ">\n");
	for (guint i = 0; i < checks->len; i++)
		if (check_at(checks, i)->suite == suite)
			add_case(report, check_at(checks, i), out);
	g_string_append(out, "  </testsuite>\n");
}

static void write_junit(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) checks = checks_new(report);

	g_string_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			     "<testsuites");
	add_attribute(out, "name", report->plan ? report->plan : "abrig");
	g_string_append(out, ">\n");
	for (int i = 0; i < CHECK_N_SUITES; i++)
		add_suite(report, checks, (enum check_suite)i, out);
	g_string_append(out, "</testsuites>\n");
}

const struct ab_report_ops ab_report_junit = {
	.name = "junit",
	.help = "the same as JUnit XML, for Jenkins and GitLab",
	.file = "report.xml",
	.write = write_junit,
};
