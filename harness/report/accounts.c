// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

static void add_runs(const struct ab_report *report, GString *out)
{
	g_autofree char *text =
		g_strdup_printf("Runs: %d planned, %d started, %d accepted%s",
				report->runs_planned, report->runs_started,
				report->runs_accepted,
				report->n_exclusions
					? "; rejected:"
					: "; no run was rejected.");

	text_wrap(out, text, 0, 2);
	for (size_t i = 0; i < report->n_exclusions; i++) {
		const struct ab_report_exclusion *e = &report->exclusions[i];
		g_autofree char *line =
			g_strdup_printf("%d x platform %s, %s, %s: %s",
					e->count, e->platform, e->scenario,
					e->variant, e->reason);

		text_wrap(out, line, 2, 6);
	}
}

static void add_fact(GString *out, const char *key, const char *value)
{
	g_autofree char *line = NULL;

	if (!value)
		return;
	line = g_strdup_printf("%s: %s", key, value);
	text_wrap(out, line, 2, 4);
}

static void add_provenance(const struct ab_report *report, GString *out)
{
	g_autofree char *seed =
		g_strdup_printf("%" G_GUINT64_FORMAT, report->seed);
	g_autofree char *when = g_strdup_printf(
		"%s to %s", report->began ? report->began : "?",
		report->ended ? report->ended : "now (not finished)");
	g_autofree char *command =
		report->directory
			? g_strdup_printf("abrig report %s", report->directory)
			: NULL;

	g_string_append(out, "Provenance:\n");
	add_fact(out, "tool", report->tool);
	add_fact(out, "plan", report->plan);
	add_fact(out, "sha256", report->plan_sha256);
	add_fact(out, "seed", seed);
	add_fact(out, "time", when);
	for (char **line = report->provenance; line && *line; line++)
		text_wrap(out, *line, 2, 4);
	add_fact(out, "regenerate", command);
}

void part_accounts(const struct ab_report *report, GString *out)
{
	add_runs(report, out);
	for (char **note = report->notes; note && *note; note++) {
		g_autofree char *line = g_strdup_printf("Note: %s", *note);

		text_wrap(out, line, 0, 2);
	}
	add_provenance(report, out);
}
