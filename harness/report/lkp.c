// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The shape of the tables of the kernel test robot: base +- deviation, change,
 * variant +- deviation, name.  Interval, verdict and unit stand below, where
 * the robot has nothing.
 */
#include "parts.h"
#include "payers.h"

#include <math.h>
#include <string.h>

#define VALUE 10
#define DEVIATION 6 /* " +- 9%" */
#define CHANGE 12   /* with the blank before it */
#define VARIANT (CHANGE + VALUE + DEVIATION)
#define NAME (1 + VALUE + DEVIATION + VARIANT + 2) /* its column */
#define SIDE_BY_SIDE 2				   /* more would be too wide */
#define MOST_DEVIATION 999.5

/* The variants of one table. */
struct part {
	const struct ab_report *report;
	const struct ab_report_table *table;
	size_t first, last;
	const GPtrArray *reasons;
};

/* The name has a line of its own where two variants leave no room for it. */
static bool name_behind(const struct part *p, const struct ab_metric *m)
{
	return p->first == p->last && NAME + strlen(m->id) <= REPORT_CAP;
}

/* ---- cells ---- */

static char *deviation_text(const struct ab_report_row *row,
			    const struct ab_estimate *e)
{
	double pct = 100 * e->sd / fabs(e->value);

	/* The largest of all runs has none. */
	if (!isfinite(pct) || row->metric->stat == AB_STAT_MAX)
		return g_strdup("");
	if (pct >= MOST_DEVIATION)
		return g_strdup("+->999");
	return g_strdup_printf("+-%*.0f%%", pct >= 99.5 ? 3 : 2, pct);
}

static void add_value(const struct ab_report_row *row,
		      const struct ab_estimate *e, double scale, int decimals,
		      GString *out)
{
	g_autofree char *deviation = deviation_text(row, e);
	g_autofree char *value = NULL;
	g_autofree char *bound = NULL;

	if (isfinite(e->upper)) {
		bound = number_bound(e->upper * scale);
		value = g_strconcat("< ", bound, NULL);
	} else {
		value = number_plain(e->value * scale, decimals);
	}
	g_string_append_printf(out, "%*s%*s", VALUE, value, DEVIATION,
			       deviation);
}

static char *change_text(const struct part *p, const struct ab_report_row *row,
			 const struct ab_comparison *c)
{
	g_autofree char *bound = NULL;

	if (row->metric->stat == AB_STAT_MAX)
		return g_strdup("worst");
	if (part_has_percent(c))
		return number_percent(c->pct);
	if (!isfinite(c->pct_hi))
		return part_mark(p->reasons, part_reason(c));
	bound = number_percent(c->pct_hi);
	return g_strconcat("< ", bound, NULL);
}

static char *interval_text(const struct part *p, const struct ab_comparison *c)
{
	if (!part_has_percent(c))
		return g_strdup("");
	if (part_has_interval(c))
		return number_percent_interval(c->pct_lo, c->pct_hi);
	return part_mark(p->reasons, part_reason(c));
}

/* @text right-aligned at the column @end; if it can be. */
static void add_at(GString *line, size_t end, const char *text)
{
	g_string_append_printf(line, "%*s", (int)end - (int)line->len, text);
}

static void add_worst(const struct ab_estimate *e, size_t end, GString *line)
{
	g_autofree char *n = number_count(e->samples);
	g_autofree char *text = g_strconcat("of ", n, NULL);

	add_at(line, end, text);
}

/* The interval ends where the change does. */
static void add_verdict(const struct part *p, const struct ab_comparison *c,
			size_t column, GString *line)
{
	g_autofree char *interval = interval_text(p, c);
	g_autofree char *verdict = part_verdict(c);

	add_at(line, column + CHANGE, interval);
	g_string_append_printf(line, " %s", verdict);
}

/* ---- lines ---- */

static void end_line(GString *line, GString *out)
{
	while (line->len && line->str[line->len - 1] == ' ')
		g_string_truncate(line, line->len - 1);
	g_string_append_printf(out, "%s\n", line->str);
}

static size_t column_of(const struct part *p, size_t variant)
{
	return 1 + VALUE + DEVIATION + (variant - p->first) * VARIANT;
}

static void add_values(const struct part *p, const struct ab_report_row *row,
		       double scale, int decimals, GString *out)
{
	g_autoptr(GString) line = g_string_new(" ");

	add_value(row, &row->base, scale, decimals, line);
	for (size_t v = p->first; v <= p->last; v++) {
		const struct ab_comparison *c = &row->versus[v - 1];
		g_autofree char *change = change_text(p, row, c);

		g_string_append_printf(line, "%*s", CHANGE, change);
		add_value(row, &c->b, scale, decimals, line);
	}
	if (name_behind(p, row->metric))
		g_string_append_printf(line, "  %s", row->metric->id);
	end_line(line, out);
}

static void add_verdicts(const struct part *p, const struct ab_report_row *row,
			 const char *unit, GString *out)
{
	bool worst = row->metric->stat == AB_STAT_MAX;
	g_autoptr(GString) line = g_string_new(NULL);

	if (worst)
		add_worst(&row->base, column_of(p, p->first), line);
	for (size_t v = p->first; v <= p->last; v++) {
		const struct ab_comparison *c = &row->versus[v - 1];

		if (worst)
			add_worst(&c->b, column_of(p, v) + VARIANT, line);
		else
			add_verdict(p, c, column_of(p, v), line);
	}
	if (name_behind(p, row->metric))
		g_string_append_printf(line, "%*s%s",
				       MAX(NAME - (int)line->len, 2), "", unit);
	end_line(line, out);
}

static void add_below(const struct part *p, const struct ab_report_row *row,
		      GString *out)
{
	for (size_t v = p->first; v <= p->last; v++) {
		g_autofree char *below =
			part_below(p->report, p->table, row, v);
		g_autofree char *name = part_short_name(p->report, v);
		g_autofree char *text = NULL;

		if (!below)
			continue;
		text = g_strconcat(p->report->n_variants > 2 ? name : "",
				   p->report->n_variants > 2 ? ": " : "", below,
				   NULL);
		text_wrap(out, text, 6, 8);
	}
}

static double largest_value(const struct part *p,
			    const struct ab_report_row *row, double *smallest)
{
	double largest = row->base.value;

	*smallest = row->base.value;
	for (size_t v = p->first; v <= p->last; v++) {
		largest = fmax(largest, row->versus[v - 1].b.value);
		*smallest = fmin(*smallest, row->versus[v - 1].b.value);
	}
	return largest;
}

static void add_row(const struct part *p, const struct ab_report_row *row,
		    GString *out)
{
	double scale, smallest, largest = largest_value(p, row, &smallest);
	const char *unit = part_unit(row->metric, largest, largest, &scale);
	int decimals = number_decimals(largest * scale, smallest * scale);

	if (!name_behind(p, row->metric)) {
		g_autofree char *name =
			g_strdup_printf("%s%s%s%s", row->metric->id,
					*unit ? " [" : "", unit,
					*unit ? "]" : "");

		text_wrap(out, name, 1, 3);
	}
	add_values(p, row, scale, decimals, out);
	add_verdicts(p, row, unit, out);
	add_below(p, row, out);
}

/* ---- the heading ---- */

static void add_rule(GString *out, size_t n, char c)
{
	for (size_t i = 0; i < n; i++)
		g_string_append_c(out, c);
}

static void add_names(const struct part *p, GString *out)
{
	g_autofree char *base = part_short_name(p->report, 0);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, " %-*s", VALUE + DEVIATION, base);
	for (size_t v = p->first; v <= p->last; v++) {
		g_autofree char *name = part_short_name(p->report, v);

		g_string_append_printf(line, " %-*s", VARIANT - 1, name);
	}
	end_line(line, out);
	g_string_append_c(out, ' ');
	add_rule(out, VALUE + DEVIATION, '-');
	for (size_t v = p->first; v <= p->last; v++) {
		g_string_append_c(out, ' ');
		add_rule(out, VARIANT - 1, '-');
	}
	g_string_append_c(out, '\n');
}

static void add_columns(const struct part *p, GString *out)
{
	g_string_append_printf(out, " %*s", VALUE + DEVIATION, "%stddev");
	for (size_t v = p->first; v <= p->last; v++)
		g_string_append_printf(out, "%*s%*s", CHANGE, "%change",
				       VALUE + DEVIATION, "%stddev");
	g_string_append_printf(out, "\n %*s", VALUE + 4, "\\");
	for (size_t v = p->first; v <= p->last; v++)
		g_string_append_printf(out, "%*s%*s", CHANGE - 1, "|",
				       VALUE + DEVIATION + 1, "\\");
	g_string_append_c(out, '\n');
}

static void add_part(const struct part *p, GString *out)
{
	for (size_t v = p->first; v <= p->last; v++)
		part_header(p->report, p->table, v, out);
	g_string_append_c(out, '\n');
	add_names(p, out);
	add_columns(p, out);
	for (size_t i = 0; i < p->table->n_rows; i++)
		add_row(p, &p->table->rows[i], out);
	if (p->table->n_rows == 0)
		g_string_append(out, "  nothing was measured\n");
	for (size_t v = p->first; v <= p->last; v++)
		part_needs(p->table, v, out);
	g_string_append_c(out, '\n');
}

static void add_table(const struct ab_report *report,
		      const struct ab_report_table *table,
		      const GPtrArray *reasons, GString *out)
{
	for (size_t v = 1; v < report->n_variants; v += SIDE_BY_SIDE) {
		struct part p = {
			.report = report,
			.table = table,
			.first = v,
			.last = MIN(v + SIDE_BY_SIDE, report->n_variants) - 1,
			.reasons = reasons,
		};

		add_rule(out, REPORT_WIDTH, '=');
		g_string_append_c(out, '\n');
		add_part(&p, out);
	}
}

static void write_lkp(const struct ab_report *report, GString *out)
{
	g_autoptr(GPtrArray) reasons = part_reasons(report);
	g_autofree char *text = NULL;

	part_legend(report, out);
	part_panel(report, out);
	for (size_t i = 0; i < report->n_tables; i++)
		add_table(report, &report->tables[i], reasons, out);
	payers_text(report, out);
	text = g_strdup_printf("%%stddev: between runs, of each one's own "
			       "value. Below the change its %g" TEXT_KEEP
			       "%% interval and "
			       "the verdict, below the name the unit.",
			       100 * part_level(report));
	text_wrap(out, text, 0, 2);
	part_footnotes(report, reasons, out);
}

const struct ab_report_ops ab_report_lkp = {
	.name = "lkp",
	.help = "as the kernel test robot: +- stddev, change, +- stddev",
	.file = "report-lkp.txt",
	.write = write_lkp,
};
