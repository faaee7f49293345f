// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Signals of a LAVA test job: lines that its log is searched for, one for each
 * check and each metric of each variant.
 */
#include "checks.h"

#include <math.h>
#include <string.h>

/* The server keeps DECIMAL(30,10). */
#define MAX_MEASUREMENT 1e20
#define MIN_MEASUREMENT 1e-10

#define ID_BYTES "-_.:" /* besides letters and digits */

static void add_measurement(GString *out, double value, const char *unit)
{
	char buf[64];
	g_autofree char *word =
		text_word(*unit ? unit : "count", ID_BYTES "%/*");
	char *end;

	if (!isfinite(value) || fabs(value) >= MAX_MEASUREMENT ||
	    (value != 0 && fabs(value) < MIN_MEASUREMENT))
		return;
	g_ascii_formatd(buf, sizeof(buf), "%.10f", value);
	for (end = buf + strlen(buf); end[-1] == '0'; end--)
		end[-1] = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
	g_string_append_printf(out, " MEASUREMENT=%s UNITS=%s", buf, word);
}

static void begin_case(GString *out, const char *id, const char *result)
{
	g_autofree char *word = text_word(id, ID_BYTES);

	g_string_append_printf(
		out, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=%s RESULT=%s", word,
		result);
}

static void add_check(const struct check *check, GString *out)
{
	/* LAVA knows no error: what was not measured is unknown. */
	static const char *const results[] = {
		[CHECK_PASS] = "pass",
		[CHECK_FAIL] = "fail",
		[CHECK_ERROR] = "unknown",
		[CHECK_SKIP] = "skip",
	};
	g_autofree char *id = g_strdup_printf(
		"%s.%s", check_suite_names[check->suite], check->name);

	begin_case(out, id, results[check->result]);
	if (check->comparison)
		add_measurement(out, check->comparison->pct, "%");
	g_string_append(out, ">\n");
}

static void add_row(const struct ab_report *report,
		    const struct ab_report_table *table,
		    const struct ab_report_row *row, GString *out)
{
	for (size_t v = 0; v < report->n_variants; v++) {
		const struct ab_estimate *e =
			v ? &row->versus[v - 1].b : &row->base;
		g_autofree char *id =
			g_strjoin(".", table->platform ? table->platform : "-",
				  table->scenario ? table->scenario : "-",
				  row->metric->id, report->variants[v], NULL);

		if (!isfinite(e->value))
			continue;
		begin_case(out, id, "pass");
		add_measurement(out, e->value, row->metric->unit);
		g_string_append(out, ">\n");
	}
}

static void write_lava(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) checks = checks_new(report);

	for (guint i = 0; i < checks->len; i++)
		add_check(check_at(checks, i), out);
	for (size_t t = 0; t < report->n_tables; t++)
		for (size_t k = 0; k < report->tables[t].n_rows; k++)
			add_row(report, &report->tables[t],
				&report->tables[t].rows[k], out);
}

const struct ab_report_ops ab_report_lava = {
	.name = "lava",
	.help = "signals for the log of a LAVA job",
	.file = "report.lava",
	.write = write_lava,
};
