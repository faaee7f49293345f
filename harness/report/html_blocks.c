// SPDX-License-Identifier: GPL-3.0-or-later
/* What the plots of a metric show, run by run: one line per block. */
#include "html.h"

#include <math.h>
#include <string.h>

const char *html_device(const struct ab_report *report,
			const struct ab_obs *obs)
{
	for (size_t i = 0; i < report->n_runs; i++)
		if (report->runs[i].session == obs->session)
			return report->runs[i].device;
	return "";
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_obs(gconstpointer x, gconstpointer y, gpointer data)
{
	const struct ab_obs *obs = data;
	const struct ab_obs *a = &obs[*(const guint *)x];
	const struct ab_obs *b = &obs[*(const guint *)y];

	if (a->device != b->device)
		return compare_numbers(a->device, b->device);
	if (a->block != b->block)
		return compare_numbers(a->block, b->block);
	if (isfinite(a->at) && isfinite(b->at) && a->at != b->at)
		return compare_numbers(a->at, b->at);
	if (a->session != b->session)
		return compare_numbers(a->session, b->session);
	return compare_numbers(a->position, b->position);
}

GArray *html_obs_order(const struct ab_report_row *row)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < row->n_obs; i++)
		g_array_append_val(order, i);
	g_array_sort_with_data(order, compare_obs, row->obs);
	return order;
}

/* How numbers of a row are written. */
struct style {
	double scale;
	int decimals;
	const char *unit;
};

static struct style row_style(const struct ab_report_row *row)
{
	double b = row->n_versus ? row->versus[0].b.value : NAN;
	struct style style;

	style.unit = part_unit(row->metric, row->base.value, b, &style.scale);
	style.decimals =
		number_decimals(row->base.value * style.scale, b * style.scale);
	return style;
}

static void add_head(const struct ab_report *report, const char *unit,
		     const struct ab_report_row *row, GString *out)
{
	g_autofree char *name = html_name(row->metric);

	html_add(out,
		 "<table>\n<caption>%s of each run%s%s%s, boot by boot"
		 "</caption>\n<thead><tr><th scope=\"col\">Device</th>"
		 "<th scope=\"col\">Block</th>",
		 name, *unit ? " [" : "", unit, *unit ? "]" : "");
	g_string_append(out, "<th scope=\"col\">Skin</th>"
			     "<th scope=\"col\">Order</th>");
	for (size_t v = 0; v < report->n_variants; v++)
		html_add(out, "<th scope=\"col\" class=\"n\">%s</th>",
			 report->variants[v]);
	g_string_append(out, "</tr></thead>\n<tbody>\n");
}

/* The observations of one block: @n indices at @order. */
struct block {
	const struct ab_report_row *row;
	const guint *order;
	guint n;
};

static void add_values(const struct block *b, size_t variant,
		       const struct style *style, GString *out)
{
	bool first = true;

	for (guint i = 0; i < b->n; i++) {
		const struct ab_obs *o = &b->row->obs[b->order[i]];
		double value = html_run_value(b->row->metric, o) * style->scale;
		g_autofree char *text = NULL;

		if (o->variant != (int)variant)
			continue;
		text = number_text(value, style->decimals);
		html_add(out, "%s%s", first ? "" : " ", text);
		first = false;
	}
}

/* "30.1-31.4 °C" */
static void add_skin(const struct block *b, GString *out)
{
	double lo = INFINITY, hi = -INFINITY;
	g_autofree char *low = NULL, *high = NULL;

	for (guint i = 0; i < b->n; i++) {
		double t = b->row->obs[b->order[i]].skin_c;

		lo = isfinite(t) ? fmin(lo, t) : lo;
		hi = isfinite(t) ? fmax(hi, t) : hi;
	}
	if (lo > hi)
		return;
	low = number_text(lo, 1);
	high = number_text(hi, 1);
	if (strcmp(low, high) != 0)
		html_add(out, "%s\u2013", low);
	html_add(out, "%s \u00b0C", high);
}

static void add_order(const struct ab_report *report, const struct block *b,
		      GString *out)
{
	int session = -1;

	for (guint i = 0; i < b->n; i++) {
		const struct ab_obs *o = &b->row->obs[b->order[i]];

		if (i && o->session == session)
			continue;
		html_add(out, "%s%s", i ? ", " : "",
			 report->variants[o->variant]);
		session = o->session;
	}
}

static void add_block(const struct ab_report *report, const struct block *b,
		      const struct style *style, GString *out)
{
	const struct ab_obs *first = &b->row->obs[b->order[0]];

	html_add(out,
		 "<tr><th scope=\"row\">%s</th><td class=\"n\">%d</td><td>",
		 html_device(report, first), first->block + 1);
	add_skin(b, out);
	g_string_append(out, "</td><td>");
	add_order(report, b, out);
	g_string_append(out, "</td>");
	for (size_t v = 0; v < report->n_variants; v++) {
		g_string_append(out, "<td class=\"n\">");
		add_values(b, v, style, out);
		g_string_append(out, "</td>");
	}
	g_string_append(out, "</tr>\n");
}

static bool same_block(const struct ab_report_row *row, guint a, guint b)
{
	return row->obs[a].device == row->obs[b].device &&
	       row->obs[a].block == row->obs[b].block;
}

void html_blocks(const struct ab_report *report,
		 const struct ab_report_row *row, GString *out)
{
	g_autoptr(GArray) order = html_obs_order(row);
	const guint *indices = (const guint *)(const void *)order->data;
	struct style style = row_style(row);
	guint i = 0;

	g_string_append(out, "<div class=\"wide\" tabindex=\"0\" "
			     "role=\"region\" aria-label=\"Runs\">\n");
	add_head(report, style.unit, row, out);
	while (i < order->len) {
		struct block b = { row, &indices[i], 0 };

		while (i < order->len &&
		       same_block(row, b.order[0], indices[i])) {
			b.n++;
			i++;
		}
		add_block(report, &b, &style, out);
	}
	g_string_append(out, "</tbody>\n</table>\n</div>\n");
}
