// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"
#include "aa.h"

#include <math.h>
#include <string.h>

const char *const check_suite_names[CHECK_N_SUITES] = {
	[CHECK_GATES] = "gates",
	[CHECK_AA] = "aa",
	[CHECK_VERDICTS] = "verdicts",
};

static void free_check(gpointer data)
{
	struct check *c = data;

	g_free(c->name);
	g_free(c->text);
	g_free(c);
}

/* Takes @name and @text. */
static struct check *add(GPtrArray *checks, enum check_suite suite,
			 enum check_result result, char *name, char *text)
{
	struct check *c = g_new0(struct check, 1);

	*c = (struct check){ .suite = suite,
			     .result = result,
			     .name = name,
			     .text = g_strdelimit(text, "\r\n", ' ') };
	g_ptr_array_add(checks, c);
	return c;
}

/* ---- gates ---- */

/* How many runs @gate rejected, and the first one's reason. */
static int count_rejected(const struct ab_report *report, const char *gate,
			  const char **reason_out)
{
	int n = 0;

	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_run *run = &report->runs[i];

		if (!run->gate || strcmp(run->gate, gate) != 0)
			continue;
		if (n++ == 0)
			*reason_out = run->reason ? run->reason : "";
	}
	return n;
}

static void add_gate(GPtrArray *checks, const struct ab_report *report,
		     const struct ab_report_gate *gate)
{
	const char *reason = NULL;
	int n = count_rejected(report, gate->id, &reason);
	bool lost = n > 0 && report->runs_missing > 0;
	char *text;

	if (n == 0)
		text = g_strdup(gate->what ? gate->what : "");
	else
		text = g_strdup_printf("%d runs rejected%s: %s%s%s", n,
				       lost ? "" : " and repeated", reason,
				       lost && gate->remedy ? "; " : "",
				       lost && gate->remedy ? gate->remedy
							    : "");
	add(checks, CHECK_GATES, lost ? CHECK_ERROR : CHECK_PASS,
	    g_strdup(gate->id), text);
}

static bool is_listed(const struct ab_report *report, const char *gate)
{
	for (size_t i = 0; i < report->n_gates; i++)
		if (!strcmp(report->gates[i].id, gate))
			return true;
	return false;
}

static void add_complete(GPtrArray *checks, const struct ab_report *report)
{
	bool missing = report->runs_missing > 0 || !report->ended;

	if (report->runs_planned == 0)
		return;
	add(checks, CHECK_GATES, missing ? CHECK_ERROR : CHECK_PASS,
	    g_strdup("complete"),
	    g_strdup_printf("%d runs planned, %d accepted, %d missing%s",
			    report->runs_planned, report->runs_accepted,
			    report->runs_missing,
			    report->ended ? "" : "; not finished"));
}

static void add_gates(GPtrArray *checks, const struct ab_report *report)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	add_complete(checks, report);
	for (size_t i = 0; i < report->n_gates; i++)
		add_gate(checks, report, &report->gates[i]);
	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_gate other = {
			.id = report->runs[i].gate,
		};

		if (other.id && !is_listed(report, other.id) &&
		    g_hash_table_add(seen, (gpointer)other.id))
			add_gate(checks, report, &other);
	}
}

/* ---- A/A ---- */

static void add_aa(GPtrArray *checks, const struct ab_aa_summary *s)
{
	enum check_result result = CHECK_PASS;
	char *text;

	if (s->nights == 0)
		result = CHECK_SKIP;
	else if (s->failed)
		result = CHECK_ERROR;
	if (s->nights == 0)
		text = g_strdup("no A/A on record");
	else
		text = g_strdup_printf("%d nights, %d of %d tests alarmed",
				       s->nights, s->alarms, s->tests);
	add(checks, CHECK_AA, result, g_strdup(s->serial), text);
}

/* ---- verdicts ---- */

static enum check_result result_of(const struct ab_metric *m,
				   const struct ab_comparison *c)
{
	bool lower = m->direction == AB_LOWER_IS_BETTER;

	if (c->verdict == AB_NOT_ENOUGH_DATA)
		return CHECK_SKIP;
	if (c->verdict == AB_EQUIVALENT)
		return CHECK_PASS;
	if (m->direction == AB_DIRECTION_UNKNOWN)
		return CHECK_SKIP;
	return (c->diff < 0) == lower ? CHECK_PASS : CHECK_FAIL;
}

static void add_verdict(GPtrArray *checks, const struct ab_report *report,
			const struct ab_report_table *table,
			const struct ab_report_row *row, size_t v)
{
	const struct ab_comparison *c = &row->versus[v - 1];
	const char *const parts[] = { table->platform, table->scenario,
				      row->metric->id, report->variants[v] };
	g_autoptr(GString) name = g_string_new(NULL);
	struct check *check;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (parts[i])
			g_string_append_printf(name, "%s%s",
					       name->len ? " " : "", parts[i]);
	check = add(checks, CHECK_VERDICTS, result_of(row->metric, c),
		    g_strdup(name->str),
		    g_strdup_printf("%s%s%s", ab_verdict_word(c->verdict),
				    c->reason ? ": " : "",
				    c->reason ? c->reason : ""));
	check->table = table;
	check->row = row;
	check->comparison = c;
	check->variant = report->variants[v];
}

static bool names_primary(const struct ab_report *report)
{
	for (size_t t = 0; t < report->n_tables; t++)
		for (size_t k = 0; k < report->tables[t].n_rows; k++)
			if (report->tables[t].rows[k].primary)
				return true;
	return false;
}

static void add_verdicts(GPtrArray *checks, const struct ab_report *report)
{
	bool primary = names_primary(report);

	for (size_t t = 0; t < report->n_tables; t++) {
		const struct ab_report_table *table = &report->tables[t];

		for (size_t k = 0; k < table->n_rows; k++)
			for (size_t v = 1; v < report->n_variants; v++)
				if (table->rows[k].primary || !primary)
					add_verdict(checks, report, table,
						    &table->rows[k], v);
	}
}

/* ---- all ---- */

GPtrArray *checks_new(const struct ab_report *report)
{
	GPtrArray *checks = g_ptr_array_new_with_free_func(free_check);

	add_gates(checks, report);
	for (guint i = 0; report->aa && i < report->aa->len; i++)
		add_aa(checks, report->aa->pdata[i]);
	add_verdicts(checks, report);
	return checks;
}

const struct check *check_at(const GPtrArray *checks, guint i)
{
	return checks->pdata[i];
}

guint checks_count(const GPtrArray *checks, enum check_suite suite,
		   enum check_result result)
{
	guint n = 0;

	for (guint i = 0; i < checks->len; i++)
		n += check_at(checks, i)->suite == suite &&
		     check_at(checks, i)->result == result;
	return n;
}

char *check_measurement(const struct check *check)
{
	const struct ab_comparison *c = check->comparison;
	const char *unit = check->row->metric->unit;
	int decimals = number_decimals(c->a.value, c->b.value);
	g_autofree char *a = number_text(c->a.value, decimals);
	g_autofree char *b = number_text(c->b.value, decimals);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%s -> %s%s%s", a, b, *unit ? " " : "",
			       unit);
	if (part_has_percent(c)) {
		g_autofree char *pct = number_percent(c->pct);

		g_string_append_printf(text, ", %s", pct);
	}
	if (isfinite(c->diff_lo) && isfinite(c->diff_hi)) {
		g_autofree char *lo = number_bound(c->diff_lo);
		g_autofree char *hi = number_bound(c->diff_hi);

		g_string_append_printf(text,
				       ", change %s to %s (%g %% interval)", lo,
				       hi, 100 * c->level);
	}
	g_string_append_printf(text, ", %d vs. %d runs", c->a.runs, c->b.runs);
	if (c->a.boots)
		g_string_append_printf(text, ", %d vs. %d boots", c->a.boots,
				       c->b.boots);
	return g_string_free(text, FALSE);
}
