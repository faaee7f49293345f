// SPDX-License-Identifier: GPL-3.0-or-later
/* How numbers were made, and of what. */
#include "html.h"

#include <string.h>

/* The words of the text report: a reader of both need not compare them. */
static void add_method(const struct ab_report *report, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	part_footnotes(report, NULL, text);
	g_string_append(out, "<section id=\"method\" aria-labelledby=\"h-w\">"
			     "\n<h2 id=\"h-w\">Method and notes</h2>\n<pre>");
	html_text(out, text->str);
	g_string_append(out, "</pre>\n</section>\n");
}

static void add_item(GString *out, const char *key, const char *value)
{
	if (value)
		html_add(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", key,
			 value);
}

/* "key: value" */
static void add_line(GString *out, const char *line)
{
	const char *colon = strstr(line, ": ");
	g_autofree char *key =
		g_strndup(line, colon ? (size_t)(colon - line) : strlen(line));

	add_item(out, key, colon ? colon + 2 : "");
}

static void add_provenance(const struct ab_report *report, GString *out)
{
	g_autofree char *seed =
		g_strdup_printf("%" G_GUINT64_FORMAT, report->seed);
	g_autofree char *again = g_strconcat("abrig report --style html ",
					     report->directory, NULL);

	g_string_append(out, "<section id=\"provenance\" "
			     "aria-labelledby=\"h-v\">\n<h2 id=\"h-v\">"
			     "Provenance</h2>\n<dl>\n");
	add_item(out, "tool", report->tool);
	add_item(out, "plan", report->plan);
	add_item(out, "plan's SHA-256", report->plan_sha256);
	add_item(out, "seed", seed);
	add_item(out, "began", report->began);
	add_item(out, "ended", report->ended);
	for (char **line = report->provenance; line && *line; line++)
		add_line(out, *line);
	if (report->directory)
		add_item(out, "regenerate", again);
	g_string_append(out, "</dl>\n</section>\n");
}

static void add_plan(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<section id=\"plan\" aria-labelledby=\"h-l\">\n"
			     "<h2 id=\"h-l\">Plan</h2>\n<pre>");
	html_text(out, report->plan_text);
	g_string_append(out, "</pre>\n</section>\n");
}

void html_accounts(const struct ab_report *report, GString *out)
{
	add_method(report, out);
	add_provenance(report, out);
	if (report->plan_text)
		add_plan(report, out);
}
