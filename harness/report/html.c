// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One file with all in it: tables that need no script, and charts that are
 * drawn when they are opened.  It asks no network for anything, which its
 * content security policy holds it to.
 */
#include "html.h"

/* A specification of a chart, by the name that page.js knows. */
struct spec {
	const char *name, *json;
};

static const struct spec specs[] = {
	{ "forest", ab_html_forest }, { "ecdf", ab_html_ecdf },
	{ "tail", ab_html_tail },     { "strip", ab_html_strip },
	{ "order", ab_html_order },   { "power", ab_html_power },
};

static bool with_charts(void)
{
	return ab_html_vega_js[0] != '\0';
}

static void add_policy(GString *out)
{
	g_autofree char *page = html_hash(ab_html_page_js);
	g_autofree char *vega = html_hash(ab_html_vega_js);
	g_autofree char *style = html_hash(ab_html_page_css);

	g_string_append_printf(
		out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; script-src '%s' '%s'; style-src '%s'; "
		"img-src data:; base-uri 'none'; form-action 'none'\">\n",
		page, vega, style);
}

static void add_head(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			     "<meta charset=\"utf-8\">\n");
	add_policy(out);
	g_string_append(out, "<meta name=\"viewport\" content=\""
			     "width=device-width, initial-scale=1\">\n"
			     "<meta name=\"color-scheme\" content=\""
			     "light dark\">\n"
			     "<link rel=\"icon\" href=\"data:,\">\n");
	html_add(out, "<title>%s: abrig report</title>\n<style>",
		 report->plan ? report->plan : "Comparison");
	g_string_append(out, ab_html_page_css);
	g_string_append(out, "</style>\n</head>\n");
}

static void add_header(const struct ab_report *report, GString *out)
{
	html_add(out, "<header>\n<h1>%s</h1>\n<p>",
		 report->plan ? report->plan : "Comparison");
	for (size_t v = 0; v < report->n_variants; v++)
		html_add(out, "%s<b class=\"v%zu\">%s</b>",
			 v == 0	  ? ""
			 : v == 1 ? " \u2192 "
				  : ", ",
			 v, report->variants[v]);
	if (report->began)
		html_add(out, " \u00b7 %s to %s", report->began,
			 report->ended ? report->ended : "now (not finished)");
	if (report->tool)
		html_add(out, " \u00b7 %s", report->tool);
	g_string_append(out, "</p>\n</header>\n");
}

static void add_link(const char *id, const char *text, GString *out)
{
	html_add(out, "<li><a href=\"#%s\">%s</a></li>\n", id, text);
}

static void add_navigation(const struct ab_report *report, GString *out)
{
	g_string_append(out, "<nav aria-label=\"Contents\">\n<ul>\n");
	add_link("summary", "Summary", out);
	add_link("results", "Results", out);
	add_link("metrics", "Metrics", out);
	if (html_has_payers(report))
		add_link("payers", "Who pays", out);
	add_link("power", "Power", out);
	add_link("runs", "Runs", out);
	add_link("method", "Method", out);
	add_link("provenance", "Provenance", out);
	if (report->plan_text)
		add_link("plan", "Plan", out);
	g_string_append(out, "</ul>\n</nav>\n");
}

static void add_footer(GString *out)
{
	g_string_append(out, "<footer>\n");
	if (with_charts()) {
		g_string_append(out, "<details>\n<summary>Licences of code in "
				     "this page</summary>\n<pre>");
		html_text(out, ab_html_licences);
		g_string_append(out, "</pre>\n</details>\n");
	} else {
		g_string_append(out,
				"<p>Charts were left out: this abrig was "
				"built without Debian's libjs-vega.</p>\n");
	}
	g_string_append(out, "</footer>\n");
}

static void add_scripts(const struct ab_report *report,
			const struct html_dists *dists, GString *out)
{
	if (with_charts()) {
		for (size_t i = 0; i < G_N_ELEMENTS(specs); i++) {
			html_add(out,
				 "<script type=\"application/json\" "
				 "id=\"spec-%s\">",
				 specs[i].name);
			html_json(out, specs[i].json);
			g_string_append(out, "</script>\n");
		}
		html_data(report, dists, out);
		g_string_append_printf(out, "<script>%s</script>\n",
				       ab_html_vega_js);
	}
	g_string_append_printf(out, "<script>%s</script>\n", ab_html_page_js);
}

static void write_html(const struct ab_report *report, GString *out)
{
	struct html_dists *dists = html_dists_new(report);

	add_head(report, out);
	g_string_append(out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to "
			     "the results</a>\n");
	add_header(report, out);
	add_navigation(report, out);
	g_string_append(out, "<main id=\"main\">\n");
	html_summary(report, out);
	html_results(report, out);
	html_metrics(report, dists, out);
	html_payers(report, out);
	html_power(report, out);
	html_runs(report, out);
	html_accounts(report, out);
	g_string_append(out, "</main>\n");
	add_footer(out);
	add_scripts(report, dists, out);
	g_string_append(out, "</body>\n</html>\n");
	html_dists_free(dists);
}

const struct ab_report_ops ab_report_html = {
	.name = "html",
	.help = "one page for a browser, with charts",
	.file = "report.html",
	.write = write_html,
};
