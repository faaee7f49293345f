// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Long form: one line per value, so that traces with different tables share
 * one header.  Columns are added at the end only; what is unknown is empty.
 */
#include "parts.h"

#include <abrig/trace_report.h>

/* What a value belongs to. */
struct place {
	const char *file, *table;
	guint row; /* from 1 */
};

static void begin(const struct place *at, const char *column, const char *unit,
		  GString *out)
{
	csv_text(out, at->file);
	g_string_append_c(out, ',');
	csv_text(out, at->table);
	g_string_append_printf(out, ",%u,", at->row);
	csv_text(out, column);
	g_string_append_c(out, ',');
	csv_text(out, unit);
	g_string_append_c(out, ',');
}

static void add_text(const struct place *at, const char *column,
		     const char *text, GString *out)
{
	begin(at, column, "", out);
	csv_text(out, text ? text : "");
	g_string_append(out, ",\n");
}

static void add_int(const struct place *at, const char *column,
		    const char *unit, gint64 value, GString *out)
{
	begin(at, column, unit, out);
	g_string_append_printf(out, "%" G_GINT64_FORMAT ",\n", value);
}

const char *trace_window(const struct ab_trace_report *r)
{
	if (r->window_given)
		return "given";
	return r->window_marked ? "markers" : "whole";
}

static void add_facts(const struct ab_trace_report *r, GString *out)
{
	const struct place at = { r->file, "facts", 1 };

	add_text(&at, "format", r->format, out);
	add_text(&at, "kernel", r->kernel, out);
	add_text(&at, "kernel_version", r->kernel_version, out);
	add_text(&at, "fingerprint", r->fingerprint, out);
	if (r->cpus > 0)
		add_int(&at, "cpus", "", r->cpus, out);
	add_int(&at, "packets", "", (gint64)r->packets, out);
	add_int(&at, "events", "", (gint64)r->events, out);
	add_int(&at, "window_begin_ns", "ns", r->begin_ns, out);
	add_int(&at, "window_end_ns", "ns", r->end_ns, out);
	add_text(&at, "window_from", trace_window(r), out);
}

static void add_quality(const struct ab_trace_report *r, GString *out)
{
	const struct place at = { r->file, "quality", 1 };
	struct place event = { r->file, "unknown_events", 0 };

	add_int(&at, "loss_in_window", "", r->loss_in_window, out);
	for (guint i = 0; i < r->n_quality; i++)
		add_int(&at, r->quality[i].id, "", (gint64)r->quality[i].n,
			out);
	for (guint i = 0; i < r->unknown_events->len; i++) {
		event.row = i + 1;
		add_text(&event, "event", r->unknown_events->pdata[i], out);
	}
}

static void add_metrics(const struct ab_trace_report *r, GString *out)
{
	const struct place at = { r->file, "metrics", 1 };

	for (guint i = 0; i < r->metrics->len; i++) {
		const struct ab_metric_value *m =
			&g_array_index(r->metrics, struct ab_metric_value, i);

		begin(&at, m->metric->id, m->metric->unit, out);
		csv_number(out, m->value);
		g_string_append_c(out, ',');
		if (m->n >= 0)
			g_string_append_printf(out, "%" G_GINT64_FORMAT, m->n);
		g_string_append_c(out, '\n');
	}
}

static void add_definitions(const struct ab_trace_report *r, GString *out)
{
	g_autoptr(GArray) used = ab_definitions_used(r->data);
	struct place at = { r->file, "definitions", 0 };

	for (guint i = 0; i < used->len; i++) {
		const struct ab_definition *d =
			&g_array_index(used, struct ab_definition, i);

		at.row = i + 1;
		add_text(&at, "name", d->name, out);
		add_text(&at, "unit", d->unit, out);
		add_text(&at, "better", ab_direction_word(d->direction), out);
		add_text(&at, "definition", d->definition, out);
	}
}

static void add_data(const struct ab_trace_report *r, GString *out)
{
	struct ab_definition d;
	const struct place values = { r->file, "values", 1 };
	const struct place withheld = { r->file, "withheld", 1 };

	for (guint i = 0; i < r->data->values->len; i++) {
		const struct ab_run_value *v = r->data->values->pdata[i];

		begin(&values, v->name,
		      ab_definition_find(v->name, &d) ? d.unit : "", out);
		csv_number(out, v->value);
		g_string_append(out, ",\n");
	}
	for (guint i = 0; i < r->data->withheld->len; i++) {
		const struct ab_withheld *w = r->data->withheld->pdata[i];

		add_text(&withheld, w->name, w->reason, out);
	}
}

static void add_table(const char *file, const struct ab_table *table,
		      GString *out)
{
	struct place at = { file, table->id, 0 };
	guint rows = ab_table_rows(table);

	for (guint row = 0; row < rows; row++) {
		at.row = row + 1;
		for (guint i = 0; i < table->n_columns; i++) {
			begin(&at, table->columns[i].id, table->columns[i].unit,
			      out);
			csv_cell(table, row, i, out);
			g_string_append(out, ",\n");
		}
	}
}

static void write_csv(const struct ab_trace_report *r, GString *out)
{
	if (r->error) {
		const struct place at = { r->file, "error", 1 };

		add_text(&at, "message", r->error, out);
		return;
	}
	add_facts(r, out);
	add_quality(r, out);
	add_metrics(r, out);
	add_data(r, out);
	add_definitions(r, out);
	for (guint i = 0; i < r->tables->len; i++)
		add_table(r->file, r->tables->pdata[i], out);
}

const struct ab_trace_format ab_trace_format_csv = {
	.head = "file,table,row,column,unit,value,n\n",
	.between = "",
	.tail = "",
	.write = write_csv,
};
