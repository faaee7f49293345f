// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig aa's page: one table per device, 72 columns. */
#include "aa.h"

#include <abrig/aa_report.h>
#include <math.h>
#include <string.h>

#define LABEL 24
#define DATE 10

static void add_head(const struct ab_aa_summary *s, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	text_item(text, "A/A of %s:", s->serial);
	if (s->nights) {
		text_item(text, "%d night%s,", s->nights,
			  s->nights == 1 ? "" : "s");
		if (s->nights_failed)
			text_item(text, "%d of them with a difference,",
				  s->nights_failed);
		text_item(text, "last %.*s", DATE, s->last);
		text_item(text, "(%s,", s->plan);
		text_item(text, "%" G_GINT64_FORMAT " boots,", s->boots);
		text_item(text, "%" G_GINT64_FORMAT " runs of each):", s->runs);
		text_item(text, "%s", s->failed ? "FAILED" : "passed");
	} else {
		text_item(text, "no night on record");
	}
	text_wrap(out, text->str, 0, 2);
}

static void add_rate(const struct ab_aa_summary *s, GString *out)
{
	g_autofree char *text = NULL;

	if (!s->tests)
		return;
	text = g_strdup_printf(
		"False alarms: %d in %d tests, %.1f%% [%.1f,%.1f]; "
		"%g%% is what chance gives.",
		s->alarms, s->tests, 100 * s->rate, 100 * s->rate_lo,
		100 * s->rate_hi, 100 * AB_AA_ALPHA);
	text_wrap(out, text, 2, 4);
}

static void add_titles(GString *out)
{
	g_string_append_printf(out, "  %-*s %14s %9s %8s\n  ", LABEL, "",
			       "noise floor", "alarms", "last p");
	for (int i = 2; i < REPORT_WIDTH; i++)
		g_string_append_c(out, '-');
	g_string_append_c(out, '\n');
}

static char *floor_text(const struct ab_aa_metric *m,
			const struct ab_metric *metric)
{
	g_autofree char *bound = NULL;

	if (isfinite(m->floor_pct))
		return g_strdup_printf("%.*f%%", m->floor_pct < 1 ? 2 : 1,
				       m->floor_pct);
	if (!isfinite(m->floor))
		return g_strdup("n/a");
	bound = number_bound(m->floor);
	return g_strdup_printf("%s%s%s", bound,
			       metric && *metric->unit ? " " : "",
			       metric ? metric->unit : "");
}

static char *p_text(double p)
{
	if (isnan(p))
		return g_strdup("-");
	return p < 0.001 ? g_strdup("<0.001") : g_strdup_printf("%.3f", p);
}

static void add_metric(const struct ab_aa_metric *m, GString *out)
{
	const struct ab_metric *metric = ab_metric_find(m->metric);
	g_autofree char *label = text_ascii(metric ? metric->label : m->metric);
	g_autofree char *floor = floor_text(m, metric);
	g_autofree char *alarms =
		g_strdup_printf("%d of %d", m->alarms, m->tests);
	g_autofree char *p = p_text(m->last_p);
	const char *mark = m->different		      ? "different"
			   : m->too_often	      ? "too often"
			   : m->last_p <= AB_AA_ALPHA ? "alarm"
						      : "";

	g_string_append_printf(out, "  %-*.*s %14s %9s %8s%s%s\n", LABEL, LABEL,
			       label, floor, alarms, p, *mark ? " " : "", mark);
}

/* Scenario and group, where they change. */
static void add_heading(const struct ab_aa_metric *m, GString *last,
			GString *out)
{
	const struct ab_metric *metric = ab_metric_find(m->metric);
	const char *group = metric ? metric->group : "";
	g_autofree char *heading = g_strdup_printf("%s%s%s", m->scenario,
						   *group ? ": " : "", group);

	if (!strcmp(heading, last->str))
		return;
	text_heading(out, heading);
	g_string_assign(last, heading);
}

static void add_metrics(const struct ab_aa_summary *s, GString *out)
{
	g_autoptr(GString) heading = g_string_new(NULL);

	if (!s->metrics->len)
		return;
	add_titles(out);
	for (guint i = 0; i < s->metrics->len; i++) {
		const struct ab_aa_metric *m =
			&g_array_index(s->metrics, struct ab_aa_metric, i);

		add_heading(m, heading, out);
		add_metric(m, out);
	}
}

static void add_failed(const struct ab_aa_summary *s, GString *out)
{
	if (!s->failed)
		return;
	g_string_append(out, "  Failed:\n");
	for (guint i = 0; i < s->metrics->len; i++) {
		const struct ab_aa_metric *m =
			&g_array_index(s->metrics, struct ab_aa_metric, i);
		g_autofree char *why = aa_why(m);
		g_autofree char *name = aa_metric_text(m);
		g_autofree char *line =
			g_strdup_printf("%s: %s", name, why ? why : "");

		if (why)
			text_wrap(out, line, 4, 6);
	}
	text_wrap(out,
		  "The kernels were the same, so the rig is not: "
		  "docs/HOWTO-aa.md says what to look for.",
		  2, 4);
}

void ab_aa_page(const struct ab_aa_summary *s, GString *out)
{
	add_head(s, out);
	add_rate(s, out);
	add_metrics(s, out);
	add_failed(s, out);
	for (char **line = s->problems; *line; line++) {
		g_autofree char *text = g_strdup_printf("Note: %s", *line);

		text_wrap(out, text, 2, 4);
	}
}
