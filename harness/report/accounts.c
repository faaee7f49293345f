// SPDX-License-Identifier: GPL-3.0-or-later
#include "aa.h"
#include "notes.h"

static void add_runs(const struct ab_report *report, GString *out)
{
	g_autofree char *text =
		g_strdup_printf("Runs: %d planned, %d started, %d accepted%s",
				report->runs_planned, report->runs_started,
				report->runs_accepted,
				report->n_exclusions
					? "; rejected:"
					: "; no run was rejected.");

	if (!report->runs_started && !report->runs_planned)
		return;
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

/* The whole of the hash is in the JSON, and the plan in the directory. */
#define SHORT_HASH 12

static void add_campaign(const struct ab_report *report, GString *out)
{
	g_autoptr(GString) text = g_string_new("Provenance:");

	if (report->tool)
		text_item(text, "%s,", report->tool);
	if (report->plan)
		text_item(text, "plan %s", report->plan);
	if (report->plan_sha256)
		text_item(text, "(sha256 %.*s),", SHORT_HASH,
			  report->plan_sha256);
	text_item(text, "seed %" G_GUINT64_FORMAT "%s", report->seed,
		  report->began ? "," : "");
	if (report->began) {
		text_item(text, "%s", report->began);
		text_item(text, "to %s",
			  report->ended ? report->ended : "now (not finished)");
	}
	text_wrap(out, text->str, 0, 2);
}

static void add_provenance(const struct ab_report *report, GString *out)
{
	g_autofree char *command = NULL;

	add_campaign(report, out);
	for (char **line = report->provenance; line && *line; line++)
		text_wrap(out, *line, 2, 4);
	aa_provenance(report, out);
	if (!report->directory)
		return;
	command = g_strdup_printf("regenerate: abrig report %s",
				  report->directory);
	text_wrap(out, command, 2, 4);
}

void part_accounts(const struct ab_report *report, GString *out)
{
	notes_footnotes(report, out);
	add_runs(report, out);
	for (char **note = report->notes; note && *note; note++) {
		g_autofree char *line = g_strdup_printf("Note: %s", *note);

		text_wrap(out, line, 0, 2);
	}
	aa_notes(report, out);
	add_provenance(report, out);
}
