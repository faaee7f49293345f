// SPDX-License-Identifier: GPL-3.0-or-later
/* docs/analyze-json.md, version 1: keys are only added. */
#include "parts.h"

#include <abrig/trace_report.h>

static void int_or_null(JsonBuilder *b, const char *key, gint64 value)
{
	if (value > 0)
		json_int(b, key, value);
	else
		json_text(b, key, NULL);
}

static void add_facts(JsonBuilder *b, const struct ab_trace_report *r)
{
	json_begin(b, "facts", false);
	json_text(b, "kernel", r->kernel);
	json_text(b, "kernel_version", r->kernel_version);
	json_text(b, "fingerprint", r->fingerprint);
	int_or_null(b, "cpus", r->cpus);
	json_int(b, "packets", (gint64)r->packets);
	json_int(b, "events", (gint64)r->events);
	json_builder_end_object(b);
}

static void add_window(JsonBuilder *b, const struct ab_trace_report *r)
{
	json_begin(b, "window", false);
	json_int(b, "begin_ns", r->begin_ns);
	json_int(b, "end_ns", r->end_ns);
	json_text(b, "from", trace_window(r));
	json_builder_end_object(b);
}

static void add_quality(JsonBuilder *b, const struct ab_trace_report *r)
{
	json_begin(b, "quality", false);
	json_bool(b, "loss_in_window", r->loss_in_window);
	for (guint i = 0; i < r->n_quality; i++)
		json_int(b, r->quality[i].id, (gint64)r->quality[i].n);
	json_begin(b, "unknown_events", true);
	for (guint i = 0; i < r->unknown_events->len; i++)
		json_string(b, r->unknown_events->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_metrics(JsonBuilder *b, const GArray *metrics)
{
	json_begin(b, "metrics", false);
	for (guint i = 0; i < metrics->len; i++) {
		const struct ab_metric_value *m =
			&g_array_index(metrics, struct ab_metric_value, i);

		json_begin(b, m->metric->id, false);
		json_number(b, "value", m->value);
		json_text(b, "unit", m->metric->unit);
		if (m->n >= 0)
			json_int(b, "n", m->n);
		else
			json_text(b, "n", NULL);
		json_text(b, "better", ab_direction_word(m->metric->direction));
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

/* What each of them is; the definitions of those that occur, once. */
static void add_definitions(JsonBuilder *b, const struct ab_run_data *data)
{
	g_autoptr(GArray) used = ab_definitions_used(data);
	struct ab_definition d;

	json_begin(b, "value_info", false);
	for (guint i = 0; i < data->values->len; i++) {
		const struct ab_run_value *v = data->values->pdata[i];

		if (!ab_definition_find(v->name, &d))
			continue;
		json_begin(b, v->name, false);
		json_text(b, "unit", d.unit);
		json_text(b, "better", ab_direction_word(d.direction));
		json_text(b, "definition", d.name);
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
	json_begin(b, "definitions", false);
	for (guint i = 0; i < used->len; i++) {
		d = g_array_index(used, struct ab_definition, i);
		json_text(b, d.name, d.definition);
	}
	json_builder_end_object(b);
}

static void add_data(JsonBuilder *b, const struct ab_run_data *data)
{
	json_begin(b, "values", false);
	for (guint i = 0; i < data->values->len; i++) {
		const struct ab_run_value *v = data->values->pdata[i];

		json_number(b, v->name, v->value);
	}
	json_builder_end_object(b);
	add_definitions(b, data);
	json_begin(b, "withheld", false);
	for (guint i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		json_text(b, w->name, w->reason);
	}
	json_builder_end_object(b);
}

static void add_cell(JsonBuilder *b, const struct ab_table *table, guint row,
		     guint column)
{
	const union ab_cell *cell = ab_table_cell(table, row, column);

	switch ((enum ab_cell_kind)table->columns[column].kind) {
	case AB_CELL_TEXT:
		json_string(b, cell->text);
		break;
	case AB_CELL_COUNT:
		json_builder_add_int_value(b, cell->count);
		break;
	case AB_CELL_NUMBER:
		json_double(b, cell->number);
		break;
	}
}

static void add_table(JsonBuilder *b, const struct ab_table *table)
{
	guint rows = ab_table_rows(table);

	json_begin(b, table->id, false);
	json_text(b, "title", table->title);
	json_begin(b, "columns", true);
	for (guint i = 0; i < table->n_columns; i++) {
		json_begin(b, NULL, false);
		json_text(b, "id", table->columns[i].id);
		json_text(b, "unit", table->columns[i].unit);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_begin(b, "rows", true);
	for (guint row = 0; row < rows; row++) {
		json_begin(b, NULL, true);
		for (guint i = 0; i < table->n_columns; i++)
			add_cell(b, table, row, i);
		json_builder_end_array(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_files(JsonBuilder *b, const GPtrArray *files)
{
	json_begin(b, "samples", true);
	for (guint i = 0; files && i < files->len; i++) {
		const struct ab_samples_file *f = files->pdata[i];

		json_begin(b, NULL, false);
		json_text(b, "table", f->table);
		json_text(b, "file", f->path);
		json_int(b, "rows", f->rows);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void write_json(const struct ab_trace_report *r, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_begin(b, NULL, false);
	json_text(b, "file", r->file);
	json_text(b, "error", r->error);
	if (!r->error) {
		json_text(b, "format", r->format);
		add_facts(b, r);
		add_window(b, r);
		add_quality(b, r);
		add_metrics(b, r->metrics);
		add_data(b, r->data);
		json_begin(b, "tables", false);
		for (guint i = 0; i < r->tables->len; i++)
			add_table(b, r->tables->pdata[i]);
		json_builder_end_object(b);
		add_files(b, r->files);
	}
	json_builder_end_object(b);
	json_finish(b, false, out);
}

/* One line per trace: pieces of one document from several processes. */
const struct ab_trace_format ab_trace_format_json = {
	.head = "{\"schema\":\"abrig-analyze\",\"version\":1,"
		"\"tool\":\"abrig " AB_VERSION "\",\"files\":[\n",
	.between = ",\n",
	.tail = "\n]}\n",
	.write = write_json,
};
