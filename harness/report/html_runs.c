// SPDX-License-Identifier: GPL-3.0-or-later
/* Every run that was started, and what became of it. */
#include "html.h"

#include <math.h>
#include <string.h>

static void add_head(GString *out, const char *caption,
		     const char *const *columns)
{
	html_add(out,
		 "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		 "aria-label=\"%s\">\n<table class=\"sort\">\n"
		 "<caption>%s</caption>\n<thead><tr>",
		 caption, caption);
	for (; *columns; columns++)
		html_add(out, "<th scope=\"col\">%s</th>", *columns);
	g_string_append(out, "</tr></thead>\n<tbody>\n");
}

static void add_end(GString *out)
{
	g_string_append(out, "</tbody>\n</table>\n</div>\n");
}

/* ---- gates and phones ---- */

static int count_rejected(const struct ab_report *report, const char *gate)
{
	int n = 0;

	for (size_t i = 0; i < report->n_runs; i++)
		n += report->runs[i].gate &&
		     !strcmp(report->runs[i].gate, gate);
	return n;
}

static void add_checks(const struct ab_report *report, GString *out)
{
	static const char *const columns[] = { "Gate", "Runs rejected",
					       "What is checked", "What to do",
					       NULL };

	add_head(out, "Gates that each run had to pass", columns);
	for (size_t i = 0; i < report->n_gates; i++) {
		const struct ab_report_gate *g = &report->gates[i];

		html_add(out,
			 "<tr><th scope=\"row\">%s</th><td class=\"n\">%d</td>"
			 "<td>%s</td><td>%s</td></tr>\n",
			 g->id, count_rejected(report, g->id),
			 g->what ? g->what : "", g->remedy ? g->remedy : "");
	}
	add_end(out);
}

static void add_devices(const struct ab_report *report, GString *out)
{
	static const char *const columns[] = { "Device",     "Platform",
					       "Model",	     "Boots",
					       "Boots lost", "Given up",
					       NULL };

	add_head(out, "Phones", columns);
	for (size_t i = 0; i < report->n_devices; i++) {
		const struct ab_report_device *d = &report->devices[i];

		html_add(out,
			 "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
			 "<td class=\"n\">%d</td><td class=\"n\">%d</td>"
			 "<td>%s</td></tr>\n",
			 d->serial, d->platform,
			 d->model ? d->model : "unknown", d->boots,
			 d->boots_lost, d->failed ? d->failed : "");
	}
	add_end(out);
}

static void add_gates(const struct ab_report *report, GString *out)
{
	static const char *const columns[] = { "Gate",		"Platform",
					       "Scenario",	"Variant",
					       "Runs rejected", NULL };

	add_head(out, "Rejected runs by gate and variant", columns);
	for (size_t i = 0; i < report->n_exclusions; i++) {
		const struct ab_report_exclusion *e = &report->exclusions[i];

		html_add(out,
			 "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
			 "<td>%s</td><td class=\"n\">%d</td></tr>\n",
			 e->reason, e->platform, e->scenario, e->variant,
			 e->count);
	}
	add_end(out);
}

/* ---- runs ---- */

static const char *text_or_none(const char *text)
{
	return text ? text : "";
}

static void add_place(const struct ab_report *report,
		      const struct ab_report_run *run, GString *out)
{
	g_autofree char *id = g_strdup_printf("%" G_GINT64_FORMAT, run->id);

	html_add(out,
		 "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
		 "<td>%s</td><td>%s</td><td class=\"n\">%d</td>"
		 "<td class=\"n\">%d</td><td class=\"n\">%d</td><td>%s</td>",
		 id, run->platform, run->device, run->scenario,
		 report->variants[run->variant], run->block + 1, run->boot + 1,
		 run->position + 1, text_or_none(run->began));
}

static void add_state(const struct ab_report_run *run, GString *out)
{
	g_autofree char *skin = isfinite(run->skin_c)
					? number_text(run->skin_c, 1)
					: g_strdup("");

	html_add(out, "<td class=\"n\">%s</td><td class=\"n\">", skin);
	if (run->battery >= 0)
		html_add(out, "%d", run->battery);
	html_add(out, "</td><td>%s%s%s</td></tr>\n",
		 run->accepted ? "accepted" : "rejected",
		 run->warmup ? " (warm-up)" : "",
		 run->attempt > 0 ? " (repeat)" : "");
}

static bool has_rejected(const struct ab_report *report)
{
	for (size_t i = 0; i < report->n_runs; i++)
		if (!report->runs[i].accepted)
			return true;
	return false;
}

static void add_rejected(const struct ab_report *report, GString *out)
{
	static const char *const columns[] = {
		"Run",	  "Platform",  "Device", "Scenario", "Variant",
		"Block",  "Boot",      "Place",	 "Began",    "Gate",
		"Reason", "Artefacts", NULL
	};

	add_head(out, "Rejected runs", columns);
	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_run *run = &report->runs[i];

		if (run->accepted)
			continue;
		add_place(report, run, out);
		html_add(out, "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
			 run->gate ? run->gate : "not finished",
			 text_or_none(run->reason), text_or_none(run->dir));
	}
	add_end(out);
}

static void add_all(const struct ab_report *report, GString *out)
{
	static const char *const columns[] = {
		"Run",	   "Platform",	     "Device",	    "Scenario",
		"Variant", "Block",	     "Boot",	    "Place",
		"Began",   "Skin [\u00b0C]", "Battery [%]", "Verdict",
		NULL
	};

	html_add(out, "<details>\n<summary>All %zu runs</summary>\n",
		 report->n_runs);
	add_head(out, "All runs that were started", columns);
	for (size_t i = 0; i < report->n_runs; i++) {
		add_place(report, &report->runs[i], out);
		add_state(&report->runs[i], out);
	}
	add_end(out);
	g_string_append(out, "</details>\n");
}

void html_runs(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<section id=\"runs\" aria-labelledby=\"h-u\">\n"
			     "<h2 id=\"h-u\">Runs and gates</h2>\n");
	if (report->runs_started)
		html_add(out,
			 "<p>%d runs were planned, %d started, %d accepted%s"
			 "</p>\n",
			 report->runs_planned, report->runs_started,
			 report->runs_accepted,
			 report->n_exclusions ? "." : "; no run was rejected.");
	if (report->n_exclusions)
		add_gates(report, out);
	if (has_rejected(report))
		add_rejected(report, out);
	if (report->n_gates)
		add_checks(report, out);
	if (report->n_devices)
		add_devices(report, out);
	if (report->n_runs)
		add_all(report, out);
	g_string_append(out, "</section>\n");
}
