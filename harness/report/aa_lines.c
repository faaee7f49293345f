// SPDX-License-Identifier: GPL-3.0-or-later
/* What a campaign's report says of the A/A nights of its devices. */
#include "aa.h"

#include <math.h>

#define DATE 10 /* bytes of 2026-11-02T03:01:10Z */
#define MOST 3	/* metrics that are named */

char *aa_metric_text(const struct ab_aa_metric *m)
{
	const struct ab_metric *metric = ab_metric_find(m->metric);

	if (!metric)
		return g_strdup_printf("%s %s", m->scenario, m->metric);
	return g_strdup_printf("%s %s%s%s", m->scenario, metric->group,
			       *metric->group ? " " : "", metric->label);
}

char *aa_why(const struct ab_aa_metric *m)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (m->different)
		text_item(text, "different (p %.2g, corrected %.2g)", m->last_p,
			  m->last_adjusted);
	if (m->different && m->too_often)
		g_string_append(text, ", and");
	if (m->too_often)
		text_item(text, "%d alarms in %d nights (chance %.2g)",
			  m->alarms, m->tests, m->chance);
	return text->len ? g_strdup(text->str) : NULL;
}

static void add_failed(const struct ab_aa_summary *s, GString *text)
{
	guint said = 0, more = 0;

	for (guint i = 0; i < s->metrics->len; i++) {
		const struct ab_aa_metric *m =
			&g_array_index(s->metrics, struct ab_aa_metric, i);
		g_autofree char *why = aa_why(m);
		g_autofree char *name = aa_metric_text(m);

		if (!why)
			continue;
		if (said == MOST) {
			more++;
			continue;
		}
		g_string_append_printf(text, "%s %s: %s", said++ ? ";" : "",
				       name, why);
	}
	if (more > 0)
		g_string_append_printf(text, "; and %u more", more);
}

static void add_note(const struct ab_aa_summary *s, GString *out)
{
	g_autoptr(GString) text = g_string_new("Note:");

	g_string_append_printf(text,
			       " the A/A of %s FAILED (last night %.*s): one "
			       "kernel against itself gave",
			       s->serial, DATE, s->last);
	add_failed(s, text);
	g_string_append(text, ". What is called different here may be the "
			      "rig; see docs/HOWTO-aa.md.");
	text_wrap(out, text->str, 0, 2);
}

void aa_notes(const struct ab_report *report, GString *out)
{
	for (guint i = 0; report->aa && i < report->aa->len; i++) {
		const struct ab_aa_summary *s = report->aa->pdata[i];

		if (s->failed)
			add_note(s, out);
		for (char **line = s->problems; *line; line++) {
			g_autofree char *text = g_strdup_printf(
				"Note: A/A of %s: %s", s->serial, *line);

			text_wrap(out, text, 0, 2);
		}
	}
}

static char *record_line(const struct ab_aa_summary *s)
{
	if (!s->nights)
		return g_strdup_printf("A/A: none on record for %s (abrig aa "
				       "PLAN)",
				       s->serial);
	return g_strdup_printf(
		"A/A: %s: %d night%s, last %.*s, %d alarms in %d "
		"tests, %s",
		s->serial, s->nights, s->nights == 1 ? "" : "s", DATE, s->last,
		s->alarms, s->tests, s->failed ? "FAILED" : "passed");
}

void aa_provenance(const struct ab_report *report, GString *out)
{
	for (guint i = 0; report->aa && i < report->aa->len; i++) {
		g_autofree char *line = record_line(report->aa->pdata[i]);

		text_wrap(out, line, 2, 4);
	}
}
