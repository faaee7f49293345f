// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The Go benchmark format: a line per run, a unit per metric.  A dash and a
 * number at the end of a name would be GOMAXPROCS: the last part is the run,
 * which has none.
 */
#include "run_values.h"

#include <math.h>
#include <string.h>

#define NAME_BYTES "-_.=+:," /* besides letters and digits */
#define UNIT_BYTES "-_.%*/+:"

static void add_config(GString *out, const char *key, const char *value)
{
	g_autofree char *text = value ? text_ascii(value) : NULL;

	/* A key without a value takes back what an earlier one said. */
	g_string_append_printf(out, "%s:%s%s\n", key, text ? " " : "",
			       text ? text : "");
}

static char *unit_name(const struct ab_metric *m)
{
	g_autofree char *name =
		g_strconcat(m->id, *m->unit ? "-" : "", m->unit, NULL);

	return text_word(name, UNIT_BYTES);
}

static void add_units(const struct ab_report *report, GString *out)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t t = 0; t < report->n_tables; t++)
		for (size_t k = 0; k < report->tables[t].n_rows; k++) {
			const struct ab_metric *m =
				report->tables[t].rows[k].metric;
			const char *better = ab_direction_word(m->direction);
			char *unit = unit_name(m);

			if (better && !g_hash_table_contains(seen, unit))
				g_string_append_printf(
					out,
					"Unit %s better=%s assume=nothing\n",
					unit, better);
			g_hash_table_add(seen, unit);
		}
}

static void add_part(GString *out, const char *key, const char *value)
{
	g_autofree char *word = text_word(value, NAME_BYTES);

	g_string_append_printf(out, "/%s=%s", key, word);
}

static void add_name(const struct ab_report *report, const struct run_group *g,
		     GString *out)
{
	const char *scenario = g->table->scenario ? g->table->scenario : "all";
	g_autofree char *name = text_word(scenario, NAME_BYTES);
	g_autofree char *device = g_strdup_printf("%d", g->obs->device);

	*name = g_ascii_toupper(*name);
	g_string_append_printf(out, "Benchmark%s", name);
	add_part(out, "variant", report->variants[g->obs->variant]);
	add_part(out, "device", g->run ? g->run->device : device);
	g_string_append_printf(out,
			       "/block=%d/boot=%d/run=%" G_GINT64_FORMAT " 1",
			       g->obs->block, g->obs->session,
			       g->run ? g->run->id : g->obs->position);
}

static void add_group(const struct ab_report *report,
		      const struct run_values *values,
		      const struct run_group *g, GString *out)
{
	gsize before = out->len;
	guint pairs = 0;

	add_name(report, g, out);
	for (guint i = g->begin; i < g->end; i++) {
		const struct run_value *v = run_values_at(values, i);
		g_autofree char *unit = unit_name(v->row->metric);

		if (!isfinite(v->value))
			continue;
		g_string_append_c(out, ' ');
		csv_number(out, v->value);
		g_string_append_printf(out, " %s", unit);
		pairs++;
	}
	g_string_append_c(out, '\n');
	/* A line without a pair is not of the format. */
	if (pairs == 0)
		g_string_truncate(out, before);
}

static void write_benchfmt(const struct ab_report *report, GString *out)
{
	const struct ab_report_table *table = NULL;
	struct run_values values;

	run_values_init(&values, report);
	add_config(out, "tool", report->tool);
	if (report->plan)
		add_config(out, "plan", report->plan);
	if (report->plan_sha256)
		add_config(out, "plan-sha256", report->plan_sha256);
	add_units(report, out);
	for (guint i = 0; i < values.groups->len; i++) {
		const struct run_group *g = run_values_group(&values, i);

		if (!g->table)
			continue;
		if (g->table != table && (table || g->table->platform))
			add_config(out, "platform", g->table->platform);
		table = g->table;
		add_group(report, &values, g, out);
	}
	run_values_clear(&values);
}

const struct ab_report_ops ab_report_benchfmt = {
	.name = "benchfmt",
	.help = "Go benchmark format, for benchstat",
	.file = "report.bench",
	.write = write_benchfmt,
};
